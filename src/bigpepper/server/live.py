"""Wake-ups: “something has happened at this table”. What it is stands in the log; nothing here is the truth.

A watcher that is slow misses no event: however many wake-ups came, it reads the log once, from where it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Final

from bigpepper.server.store import CHANNEL


class Watch:
    """One watcher of one table."""

    def __init__(self) -> None:
        self.seq = 0
        """The latest event that was announced; 0 where none was."""
        self._missed = False
        self._woken = asyncio.Event()

    def wake(self, seq: int | None) -> None:
        """Announce that the log has got to `seq`; None where announcements may have been missed."""
        if seq is None:
            self._missed = True
        else:
            self.seq = max(self.seq, seq)
        self._woken.set()

    async def wait(self) -> bool:
        """Wait for the next announcement since the last `wait`; whether some may have been missed."""
        await self._woken.wait()
        self._woken.clear()
        missed, self._missed = self._missed, False
        return missed


class Live:
    """The watchers of one process."""

    def __init__(self) -> None:
        self._watches: dict[str, set[Watch]] = {}

    @contextmanager
    def watch(self, table_id: str) -> Iterator[Watch]:
        """Watch a table."""
        watch = Watch()
        self._watches.setdefault(table_id, set()).add(watch)
        try:
            yield watch
        finally:
            self._watches[table_id].discard(watch)
            if not self._watches[table_id]:
                del self._watches[table_id]

    def notify(self, table_id: str, seq: int) -> None:
        """Wake all watchers of a table."""
        for watch in tuple(self._watches.get(table_id, ())):
            watch.wake(seq)

    def wake_all(self) -> None:
        """Wake everybody: announcements may have been missed."""
        for watches in tuple(self._watches.values()):
            for watch in tuple(watches):
                watch.wake(None)

    @property
    def watchers(self) -> int:
        """How many there are."""
        return sum(map(len, self._watches.values()))


RETRY: Final = 1.0
"""Seconds between attempts to reach PostgreSQL again."""
PROBE: Final = 5.0
"""Seconds after which a silent connection is probed."""


class Listener:
    """Hears what other processes announce on PostgreSQL, on a connection of its own that comes back after an outage.

    `connect` opens an asyncpg connection. After every reconnect all watchers are woken: they read the log again.
    """

    def __init__(self, live: Live, connect: Callable[[], Awaitable[Any]]) -> None:
        self._live = live
        self._connect = connect
        self.connected = asyncio.Event()
        """Set while it hears."""

    async def run(self) -> None:
        """Listen until cancelled."""
        while True:
            with suppress(OSError, asyncio.TimeoutError, *_errors()):
                await self._listen()
            self.connected.clear()
            await asyncio.sleep(RETRY)

    async def _listen(self) -> None:
        connection = await self._connect()
        try:
            await connection.add_listener(CHANNEL, self._hear)
            self.connected.set()
            self._live.wake_all()
            while True:
                await asyncio.sleep(PROBE)
                await connection.execute("SELECT 1", timeout=PROBE)
        finally:
            connection.terminate()

    def _hear(self, connection: object, process: int, channel: str, payload: object) -> None:
        table_id, _, seq = str(payload).partition(" ")
        self._live.notify(table_id, int(seq))


def _errors() -> tuple[type[Exception], ...]:
    asyncpg = import_module("asyncpg")  # needed with PostgreSQL only
    return asyncpg.PostgresError, asyncpg.InterfaceError
