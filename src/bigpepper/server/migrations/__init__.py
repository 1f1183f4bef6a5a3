"""The steps by which the database becomes what `schema` says, run at every start. A released one never changes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

FOLDER: Final = Path(__file__).parent
_LOCK: Final = 7_301_962
"""Two servers that start at once on PostgreSQL do this one after the other."""


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring the database to `revision`. Raises `alembic.util.CommandError` where a newer version has been at work."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
