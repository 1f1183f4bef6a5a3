"""Public tables are found without looking at all that are over."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index."""
    op.create_index("tables_by_phase", "tables", ["public", "phase", "minute"])
