"""Databases for tests: SQLite always, and PostgreSQL where BIGPEPPER_TEST_POSTGRES gives the URL of an empty one."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from bigpepper.server.database import database_url
from bigpepper.server.schema import METADATA

_GIVEN = os.environ.get("BIGPEPPER_TEST_POSTGRES", "")
_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
POSTGRES = f"{_GIVEN}_{_WORKER}" if _GIVEN and _WORKER else _GIVEN
"""The URL of the database of this process: tests that run at the same time must not empty each other's."""
KINDS = ["sqlite", pytest.param("postgres", marks=pytest.mark.skipif(not POSTGRES, reason="no PostgreSQL is given"))]


async def empty_postgres() -> None:
    """Delete everything in the database of this process, which is made where it is not there yet."""
    from sqlalchemy.ext.asyncio import create_async_engine

    given = create_async_engine(database_url(_GIVEN), isolation_level="AUTOCOMMIT")
    name = database_url(POSTGRES).database
    async with given.connect() as connection:
        there = await connection.scalar(text("SELECT 1 FROM pg_database WHERE datname = :name"), {"name": name})
        if not there:
            await connection.execute(text(f'CREATE DATABASE "{name}"'))
    await given.dispose()
    engine = create_async_engine(database_url(POSTGRES))
    async with engine.begin() as connection:
        await connection.run_sync(METADATA.drop_all)
        await connection.execute(text("DROP TABLE IF EXISTS alembic_version"))
    await engine.dispose()


Use = Callable[[str], Awaitable[None]]


async def url_of(kind: str, folder: Path) -> str:
    """The URL of an empty database of that kind."""
    if kind == "postgres":
        await empty_postgres()
        return POSTGRES
    return str(folder / "tables.db")


class Time:
    """A clock that goes on when it is told to, or slept by."""

    def __init__(self) -> None:
        self.ms = 1_700_000_000_000

    def now(self) -> int:
        return self.ms

    async def sleep(self, seconds: float) -> None:
        self.ms += round(seconds * 1_000)


def bytes_of(seed: int) -> Callable[[int], bytes]:
    """Random bytes that are the same in every run."""
    from random import Random

    return Random(seed).randbytes


def numbers() -> Iterator[int]:
    """0, 1, 2, …"""
    n = 0
    while True:
        yield n
        n += 1
