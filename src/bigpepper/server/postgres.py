"""PostgreSQL, through asyncpg: for several processes or machines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from alembic.util import CommandError
from sqlalchemy import URL, Connection
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import create_async_engine

from bigpepper.server.database import FAILURES, NOT_READ, NOT_STORED, T, Unavailable, newer
from bigpepper.server.migrations import upgrade

CONNECT: Final = 5.0
"""Seconds after which a database that does not greet is given up."""
ANSWER: Final = 30.0
"""Seconds after which a statement is given up: a machine that has gone silent says nothing of it."""


class Postgres:
    """A PostgreSQL database."""

    is_shared = True

    def __init__(self, url: URL) -> None:
        self.url = url
        limits = {"timeout": CONNECT, "command_timeout": ANSWER}
        self.engine = create_async_engine(
            url, pool_size=8, max_overflow=8, pool_timeout=5, pool_pre_ping=True, connect_args=limits
        )
        self._reader = self.engine.execution_options(isolation_level="AUTOCOMMIT")

    async def open(self) -> None:
        """Run the migrations. Raises `StoreError`."""
        try:
            await self.write(upgrade)
        except BaseException as error:
            await self.close()
            if isinstance(error, CommandError):
                raise newer(error) from error
            raise

    async def close(self) -> None:
        """Close all connections."""
        await self.engine.dispose()

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Do `work` in a transaction. Raises `Unavailable`."""
        try:
            async with self.engine.begin() as connection:
                return await connection.run_sync(work)
        except IntegrityError:
            raise
        except FAILURES as error:
            raise Unavailable(NOT_STORED) from error

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Do `work`, which only reads. Raises `Unavailable`."""
        try:
            async with self._reader.connect() as connection:
                return await connection.run_sync(work)
        except FAILURES as error:
            raise Unavailable(NOT_READ) from error
