"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_ID = sa.String(64)


def upgrade() -> None:
    """Make all tables."""
    _tables()
    _players()


def _tables() -> None:
    op.create_table(
        "events",
        sa.Column("table_id", _ID, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq"),
    )
    op.create_table(
        "tables",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("code", sa.String(32), nullable=False, unique=True),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("phase", sa.String(16), nullable=False),
        sa.Column("rules", sa.String(64), nullable=False),
        sa.Column("open_seats", sa.Integer, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("minute", sa.BigInteger, nullable=False),
    )
    op.create_index("tables_by_minute", "tables", ["minute"])
    op.create_table(
        "wake",
        sa.Column("table_id", _ID, primary_key=True),
        sa.Column("at", sa.BigInteger),
        sa.Column("holder", _ID),
        sa.Column("until", sa.BigInteger),
    )
    op.create_index("wake_by_at", "wake", ["at"])


def _players() -> None:
    op.create_table(
        "sittings",
        sa.Column("player_id", _ID, nullable=False),
        sa.Column("table_id", _ID, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "table_id"),
    )
    op.create_index("sittings_by_table", "sittings", ["table_id"])
    op.create_table(
        "results",
        sa.Column("table_id", _ID, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("game", "round", "seat")),
        sa.Column("player_id", _ID, nullable=False),
        sa.Column("rules", sa.String(64), nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("points", "tricks")),
        *(sa.Column(name, sa.Boolean, nullable=False) for name in ("maker", "made", "won")),
        sa.PrimaryKeyConstraint("table_id", "game", "round", "seat"),
    )
    op.create_index("results_by_player", "results", ["player_id"])
    op.create_table(
        "players",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("name", sa.String(64)),
        sa.Column("program", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("day", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", _ID, primary_key=True),
        sa.Column("player_id", _ID, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("until", sa.BigInteger),
    )
    op.create_index("tokens_by_player", "tokens", ["player_id"])
    op.create_table(
        "settings",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
