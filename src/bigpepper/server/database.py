"""The database: SQLite or PostgreSQL by URL, and what is said when it fails.

What is done with it are plain functions of a SQLAlchemy `Connection`, given to `write` or `read`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeVar

from sqlalchemy import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bigpepper.errors import BigPepperError
from bigpepper.text import msg

T = TypeVar("T")


class StoreError(BigPepperError):
    """The database cannot be used."""


class Unavailable(StoreError):
    """The database does not answer, or cannot write, just now. Whether the last change was stored is not known."""


class Conflict(StoreError):
    """Somebody else has appended to the log first."""


FAILURES: Final = (DBAPIError, PoolTimeout, OSError)
"""What the drivers raise when the database does not do what it should."""
NOT_STORED: Final = msg("Nothing can be stored just now. Nothing that was stored is lost; try again in a moment.")
NOT_READ: Final = msg("The database does not answer just now; try again in a moment.")


class Database(Protocol):
    """An open database, brought to the present schema."""

    url: URL
    is_shared: bool
    """Whether other processes may write to it too."""

    async def open(self) -> None:
        """Take hold of it and run the migrations. Raises `StoreError`."""

    async def close(self) -> None:
        """Let go of it."""

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Do `work` in a transaction; it is stored when this returns. What `work` raises comes through, and undoes it.

        Raises `Unavailable`: then it is not known whether it was stored.
        """

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Do `work`, which only reads. Raises `Unavailable`."""


_DRIVERS: Final = {"sqlite": "sqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


def database_url(text: str) -> URL:
    """A URL as people write it (`sqlite:///…`, `postgresql://…`), or a file's path, for the drivers used here.

    Raises `StoreError`.
    """
    try:
        url = make_url(text if "://" in text else f"sqlite:///{text}")
    except ArgumentError:
        url = None
    driver = _DRIVERS.get(url.drivername.partition("+")[0]) if url else None
    if url is None or driver is None:
        raise StoreError(
            msg("“{url}” is no database here: it takes a file, sqlite:///FILE or postgresql://….", url=text)
        )
    return url.set(drivername=driver)


def newer(error: Exception) -> StoreError:
    """What is said of a database that a newer version has been at."""
    return StoreError(msg("The database was made by a newer version of Big Pepper: {why}", why=str(error)))
