"""The database as SQLAlchemy tables. `migrations` builds it, step by step; a test keeps both the same.

Times are milliseconds of Unix time. Only `events` tells the truth about tables: `tables`, `wake`, `sittings` and
`results` follow from it and are written in the same transaction.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, MetaData, PrimaryKeyConstraint, String, Table, Text

METADATA: Final = MetaData()
_ID: Final = String(64)

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("table_id", _ID, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("data", Text, nullable=False),
    PrimaryKeyConstraint("table_id", "seq"),
)
"""The log of every table, append only."""

TABLES: Final = Table(
    "tables",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("code", String(32), nullable=False, unique=True),
    Column("public", Boolean, nullable=False),
    Column("phase", String(16), nullable=False),
    Column("rules", String(64), nullable=False),
    Column("open_seats", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("minute", BigInteger, nullable=False),  # of the last event: minutes of Unix time
    Index("tables_by_minute", "minute"),
    Index("tables_by_phase", "public", "phase", "minute"),  # the lists of public tables; most tables are over
)
"""What lists of tables are made from."""

WAKE: Final = Table(
    "wake",
    METADATA,
    Column("table_id", _ID, primary_key=True),
    Column("at", BigInteger),  # when the table is due; NULL: never
    Column("holder", _ID),  # the worker that has claimed it …
    Column("until", BigInteger),  # … and until when
    Index("wake_by_at", "at"),
)
"""When each table has to be looked at, and who does it."""

SITTINGS: Final = Table(
    "sittings",
    METADATA,
    Column("player_id", _ID, nullable=False),
    Column("table_id", _ID, nullable=False),
    PrimaryKeyConstraint("player_id", "table_id"),
    Index("sittings_by_table", "table_id"),
)
"""Who has sat at which table."""

RESULTS: Final = Table(
    "results",
    METADATA,
    Column("table_id", _ID, nullable=False),
    Column("game", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player_id", _ID, nullable=False),
    Column("rules", String(64), nullable=False),
    Column("points", Integer, nullable=False),
    Column("tricks", Integer, nullable=False),
    Column("maker", Boolean, nullable=False),
    Column("made", Boolean, nullable=False),
    Column("won", Boolean, nullable=False),
    PrimaryKeyConstraint("table_id", "game", "round", "seat"),
    Index("results_by_player", "player_id"),
)
"""The rounds that players have finished, for their statistics."""

PLAYERS: Final = Table(
    "players",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("name", String(64)),
    Column("program", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("day", BigInteger, nullable=False),  # last seen: days of Unix time
)
"""The names of players. Everything else knows their ids alone."""

TOKENS: Final = Table(
    "tokens",
    METADATA,
    Column("hash", _ID, primary_key=True),  # SHA-256, hexadecimal
    Column("player_id", _ID, nullable=False),
    Column("kind", String(16), nullable=False),  # program: lasts; transfer: once, until `until`
    Column("until", BigInteger),
    Index("tokens_by_player", "player_id"),
)
"""What proves that somebody is a player, hashed."""

SETTINGS: Final = Table(
    "settings",
    METADATA,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What the server keeps for itself, such as the key that signs cookies."""
