"""What happens at tables by itself: bots move, clocks run out, a bot steps in for a player who is away.

When a table is due stands in the database; a worker claims it for a while, so that one worker acts and another takes
over when it dies. Acting twice is harmless: the second is refused, as any command that comes too late.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from bigpepper.server import store
from bigpepper.server.database import Unavailable
from bigpepper.server.decide import Decision, decide_absence, decide_move
from bigpepper.server.facts import Table
from bigpepper.server.moves import move_of
from bigpepper.server.pacing import Due, again, due, wake_at
from bigpepper.server.service import Service

LEASE: Final = 10_000
"""Milliseconds for which a worker holds a table that it has claimed."""
POLL: Final = 1_000
"""Milliseconds after which the database is asked for tables that other workers have left."""
FORGET: Final = 86_400_000
"""Milliseconds after which it is forgotten that somebody was at a table; no grace time is longer."""
_SPARE: Final = 8
"""How many alarms there may be on average for each table that has one, before those that are void are cleared away."""
_LOG: Final = logging.getLogger(__name__)


class Waker:
    """Looks at tables when they are due. `holder` names this worker, `sleep` waits for so many seconds."""

    def __init__(
        self, service: Service, holder: str, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._service = service
        self._holder = holder
        self._sleep = sleep
        self._heap: list[tuple[int, str]] = []
        self._alarms: dict[str, int] = {}
        self._rung = asyncio.Event()
        self._polled = 0
        self._forgot = service.now()
        self._running: set[asyncio.Task[None]] = set()
        self._thinkers = ThreadPoolExecutor(2, thread_name_prefix="bot")
        service.writer.alarm = self._alarm

    async def run(self) -> None:
        """Look at tables until cancelled."""
        try:
            while True:
                try:
                    self._running |= set(await self.start_due())
                except Unavailable:
                    await self._sleep(POLL / 1_000)
                self._running = {task for task in self._running if not task.done()}
                await self._wait()
        finally:
            for task in self._running:
                task.cancel()
            self._thinkers.shutdown(wait=False)

    async def start_due(self) -> list[asyncio.Task[None]]:
        """Begin whatever is due now; what is begun ends by itself."""
        now = self._service.now()
        if not self._ring(now) and now < self._polled + POLL:
            return []
        if now >= self._forgot + FORGET:
            self._service.presence.forget(now - FORGET)
            self._forgot = now
        self._polled = now
        claimed = await self._service.store.claim_due(now, self._holder, LEASE)
        if claimed:
            self._polled = 0  # there may be more
        return [asyncio.create_task(self._handle(one)) for one in claimed]

    # --- when to look -----------------------------------------------------------------------------------------------

    def _alarm(self, table_id: str, at: int | None) -> None:
        """A table is due at another time from now on."""
        if at is None:
            self._alarms.pop(table_id, None)
            return
        self._alarms[table_id] = at
        if len(self._heap) > _SPARE * (len(self._alarms) + 1):  # most of it are alarms that were put off since
            self._heap = [(due_at, one) for one, due_at in self._alarms.items()]
            heapq.heapify(self._heap)
        else:
            heapq.heappush(self._heap, (at, table_id))
        if self._heap[0] == (at, table_id):
            self._rung.set()

    def _ring(self, now: int) -> bool:
        """Whether a table is due by what this process knows."""
        rang = False
        while self._heap and (self._heap[0][0] <= now or self._alarms.get(self._heap[0][1]) != self._heap[0][0]):
            at, table_id = heapq.heappop(self._heap)
            if self._alarms.get(table_id) == at:
                del self._alarms[table_id]
                rang = True
        return rang

    async def _wait(self) -> None:
        """Wait for the next alarm, or until it is time to ask the database."""
        next_at = min(self._polled + POLL, self._heap[0][0] if self._heap else self._polled + POLL)
        left = max(0, next_at - self._service.now()) / 1_000
        try:
            await asyncio.wait_for(self._rung.wait(), left)
        except TimeoutError:
            return
        self._rung.clear()

    # --- what to do -------------------------------------------------------------------------------------------------

    async def _handle(self, claimed: store.Due) -> None:
        try:
            await self._look_at(claimed)
        except Unavailable:
            _LOG.warning("table %s: the database is gone; it is looked at again later", claimed.table_id)
        except Exception:  # noqa: BLE001  one table that cannot be folded must not stop the others
            _LOG.exception("table %s could not be looked at", claimed.table_id)

    async def _look_at(self, claimed: store.Due) -> None:
        service, table_id = self._service, claimed.table_id
        room = await service.rooms.get(table_id, fresh=service.store.is_shared)
        one = self._due(room.table) if room else None
        at = wake_at(one)
        if room is None or one is None or at is None or at > service.now():
            await self._rearm(claimed, at)
            return
        decider = await self._move(room.table, one) if one.what == "move" else _absence(one)
        decision, _ = await service.writer.carry_out(table_id, decider)
        if not isinstance(decision, tuple):  # somebody was faster
            room = await service.rooms.get(table_id)
            await self._rearm(claimed, wake_at(self._due(room.table)) if room else None)

    async def _rearm(self, claimed: store.Due, at: int | None) -> None:
        await self._service.store.rearm(claimed, self._holder, at)
        self._alarm(claimed.table_id, at)

    def _due(self, table: Table) -> Due | None:
        """What is due at a table, a player's presence taken into account."""
        one = due(table.facts)
        if one is None or one.what != "absence":
            return one
        player = table.facts.seats[one.seat].player
        now = self._service.now()
        seen_at = self._service.presence.last(table.facts.id, player, now) if player else 0
        return again(table.facts, seen_at)

    async def _move(self, table: Table, one: Due) -> Callable[[Table], Decision]:
        """The move of the bot that is to act, once it is due."""
        n = table.facts.n
        action = await asyncio.get_running_loop().run_in_executor(self._thinkers, move_of, table, one.seat)
        await self._sleep(max(0, one.at - self._service.now()) / 1_000)
        return lambda table: decide_move(table, one.seat, action, n)


def _absence(one: Due) -> Callable[[Table], Decision]:
    return lambda table: decide_absence(table, one.seat)
