"""The one place where commands meet the log: decide by the table as its log has it, append, wake whoever watches.

What is decided takes effect when the append commits. Whoever loses the race for a sequence number reads the log
again, decides again and tries again, so that a refusal is always about what has really happened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from bigpepper.server.cases import Refusal, Who
from bigpepper.server.codes import Code
from bigpepper.server.commands import Create
from bigpepper.server.database import Conflict, Unavailable
from bigpepper.server.decide import Decision, create
from bigpepper.server.events import AnyHappening, Entry
from bigpepper.server.facts import Table
from bigpepper.server.fairness import SECRET_BYTES
from bigpepper.server.live import Live
from bigpepper.server.pacing import due, wake_at
from bigpepper.server.people import code_of
from bigpepper.server.results import results
from bigpepper.server.rooms import Rooms
from bigpepper.server.store import Store, head_of
from bigpepper.server.table import fold
from bigpepper.text import msg

_TRIES: Final = 50
"""Races that a command may lose before it is given up; each of them was won by another command."""

Decider = Callable[[Table], Decision]


class Writer:
    """Appends to the logs of tables. `now` gives milliseconds of Unix time, `random` so many random bytes."""

    def __init__(
        self, store: Store, rooms: Rooms, live: Live, now: Callable[[], int], random: Callable[[int], bytes]
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._live = live
        self._now = now
        self._random = random
        self.alarm: Callable[[str, int | None], None] = lambda table_id, at: None
        """Told when a table has to be looked at; set by whoever does that."""

    async def create(self, who: Who, command: Create) -> Table | Refusal:
        """Set up a table. Raises `Unavailable`."""
        while True:
            what = create(command, who, code=code_of(self._random(8)), random=self._random(SECRET_BYTES))
            if isinstance(what, Refusal):
                return what
            table, entries = self._folded(None, what, self._random(12).hex())
            try:
                await self._store.append(None, head_of(table.facts), entries, wake_at=None)
            except Conflict:
                continue  # the id or the code is taken, which is as good as never
            self._rooms.put(table, entries)
            return table

    async def carry_out(self, table_id: str, decider: Decider, *, slow: bool = False) -> tuple[Decision, int]:
        """Decide and append, until that stands or is refused; returns the number of the last entry too.

        A `slow` decider is called in a thread of its own. Raises `Unavailable`.
        """
        fresh = False
        for _ in range(_TRIES):
            room = await self._rooms.get(table_id, fresh=fresh)
            if room is None:
                return Refusal(Code.NO_SUCH_TABLE, msg("There is no such table.")), 0
            table = room.table
            decision = await asyncio.to_thread(decider, table) if slow else decider(table)
            if isinstance(decision, Refusal) and not await self._behind(table):
                return decision, table.facts.seq
            if decision == ():
                return decision, table.facts.seq
            if not isinstance(decision, Refusal):
                try:
                    return decision, await asyncio.shield(self._append(table, decision))
                except Conflict:
                    pass
            fresh = True
        return Refusal(Code.UNAVAILABLE, msg("Too many are acting at once; try again in a moment.")), 0

    async def _behind(self, table: Table) -> bool:
        """Whether another process has written what this one does not know yet."""
        if not self._store.is_shared:
            return False
        room = await self._rooms.get(table.facts.id, fresh=True)
        return room is not None and room.seq > table.facts.seq

    async def _append(self, before: Table, what: tuple[AnyHappening, ...]) -> int:
        after, entries = self._folded(before, what, before.facts.id)
        table_id, at = after.facts.id, wake_at(due(after.facts))
        try:
            await self._store.append(
                head_of(before.facts),
                head_of(after.facts),
                entries,
                wake_at=at,
                results=tuple(results(before.facts, after)),
            )
        except Unavailable:
            self._rooms.drop(table_id)  # it may have been stored all the same: the log will tell
            raise
        self._rooms.advance(before, entries, after)
        self.alarm(table_id, at)
        self._live.notify(table_id, after.facts.seq)
        return after.facts.seq

    def _folded(self, before: Table | None, what: tuple[AnyHappening, ...], table_id: str) -> tuple[Table, list[Entry]]:
        """The table after `what`, and the entries that say so."""
        seq, at = (before.facts.seq, max(self._now(), before.facts.at)) if before else (0, self._now())
        entries = [Entry(seq + number, at, happening) for number, happening in enumerate(what, 1)]
        table = before
        for entry in entries:
            table = fold(table, entry, table_id)
        assert table is not None
        return table, entries
