"""SQLite: one file, one process. All writes go through one thread, which commits many of them at once.

SQLite has one writer at a time, and most of the cost of a small transaction is its commit. So whatever is asked for
while a commit is under way is done in the next transaction, each part behind a savepoint of its own; nobody is told
that something is stored before the commit it is part of has succeeded.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError

from bigpepper.server.database import FAILURES, NOT_READ, NOT_STORED, StoreError, T, Unavailable, newer
from bigpepper.server.migrations import upgrade
from bigpepper.text import Message, msg

_PRAGMAS: Final = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000")
_READ: Final = "bigpepper_read"
MOST_AT_ONCE: Final = 100
"""Writes that share a commit."""

Work = Callable[[Connection], Any]


class _Outcome(NamedTuple):
    value: Any
    error: BaseException | None


class Sqlite:
    """A SQLite database. No other process may use it meanwhile."""

    is_shared = False

    def __init__(self, url: URL) -> None:
        self.url = url
        self.engine = _engine(url)
        self._reader_engine = self.engine.execution_options(**{_READ: True})
        self._lock: IO[str] | None = None
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="write")
        self._readers = ThreadPoolExecutor(2, thread_name_prefix="read")
        self._waiting: list[tuple[Work, asyncio.Future[Any]]] = []
        self._committing: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Take hold of the file and run the migrations. Raises `StoreError`."""
        if self.url.database and self.url.database != ":memory:":
            self._lock = _only_worker(Path(self.url.database))
        try:
            await self.write(upgrade)
        except BaseException as error:
            await self.close()
            if isinstance(error, CommandError):
                raise newer(error) from error
            raise

    async def close(self) -> None:
        """Finish what was asked for, and let go of the file."""
        if self._committing:
            await self._committing
        self._writer.shutdown()
        self._readers.shutdown()
        self.engine.dispose()
        if self._lock:
            self._lock.close()
            self._lock = None

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Do `work` in a transaction, maybe together with others. Raises `Unavailable`."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, future))
        if self._committing is None:
            self._committing = asyncio.create_task(self._commit_all())
        return await future

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Do `work`, which only reads. Raises `Unavailable`."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    def _read(self, work: Callable[[Connection], T]) -> T:
        try:
            with self._reader_engine.connect() as connection:
                return work(connection)
        except FAILURES as error:
            raise Unavailable(NOT_READ) from error

    # --- writing ----------------------------------------------------------------------------------------------------

    async def _commit_all(self) -> None:
        """Do what waits, and what comes meanwhile, until nothing does."""
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                now, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
                outcomes = await loop.run_in_executor(self._writer, self._commit, [work for work, _ in now])
                for (_, future), outcome in zip(now, outcomes, strict=True):
                    _tell(future, outcome)
        finally:
            self._committing = None

    def _commit(self, works: Sequence[Work]) -> list[_Outcome]:
        """Do all in one transaction; where that fails, each in one of its own: one must not spoil the others."""
        try:
            with self.engine.begin() as connection:
                return [_attempt(connection, work) for work in works]
        except FAILURES as error:
            if len(works) > 1:
                return [outcome for work in works for outcome in self._commit([work])]
            unavailable = Unavailable(NOT_STORED)
            unavailable.__cause__ = error
            return [_Outcome(None, unavailable)]


def _attempt(connection: Connection, work: Work) -> _Outcome:
    """Do one part behind a savepoint; what it raises belongs to whoever asked, but a failure spoils the transaction."""
    try:
        with connection.begin_nested():
            return _Outcome(work(connection), None)
    except IntegrityError as error:
        return _Outcome(None, error)
    except DBAPIError:
        raise
    except Exception as error:  # noqa: BLE001  raised again where it was asked for
        return _Outcome(None, error)


def _tell(future: asyncio.Future[Any], outcome: _Outcome) -> None:
    if future.cancelled():
        return
    if outcome.error is None:
        future.set_result(outcome.value)
    else:
        future.set_exception(outcome.error)


# --- setting up -----------------------------------------------------------------------------------------------------


def _engine(url: URL) -> Engine:
    engine = create_engine(url, pool_timeout=5)
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: Any, record: object) -> None:
    connection.isolation_level = None  # transactions are begun by `_begin`, not by the driver
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    """A write takes the lock at once, so that it never fails half way; a single read needs no transaction."""
    if not connection.get_execution_options().get(_READ):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _only_worker(database: Path) -> IO[str]:
    """Hold a lock beside the file as long as the process lives. Raises `StoreError` where another one holds it."""
    try:
        database.parent.mkdir(parents=True, exist_ok=True)
        lock = database.with_name(f"{database.name}-worker").open("a", encoding="utf-8")
    except OSError as error:
        raise StoreError(_no_folder(database, error)) from error
    try:
        _lock_file(lock)
    except OSError:
        lock.close()
        raise StoreError(
            msg(
                "Another server is using {file}. With SQLite there can be one only; several need PostgreSQL.",
                file=str(database),
            )
        ) from None
    return lock


def _no_folder(database: Path, error: OSError) -> Message:
    return msg("{folder} cannot be written to: {why}.", folder=str(database.parent), why=error.strerror or str(error))


def _lock_file(lock: IO[str]) -> None:
    """Lock the file, or raise `OSError`; the system unlocks it when the process ends, however it ends."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
