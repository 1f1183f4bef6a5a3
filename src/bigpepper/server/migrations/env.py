"""What Alembic runs for every command: on the connection that `upgrade` was given, in its transaction."""

from __future__ import annotations

from alembic import context

from bigpepper.server.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
