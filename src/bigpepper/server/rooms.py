"""The tables that this process has at hand. A room is a cache of what the log tells, and may be dropped at any time."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from bigpepper.notation import ObservationForm, observation_form
from bigpepper.server.events import Entry
from bigpepper.server.facts import Table
from bigpepper.server.seen import see
from bigpepper.server.store import Store
from bigpepper.server.table import fold, fold_all

MOST_ROOMS: Final = 4_000
TAIL: Final = 64
"""Entries of each log that are kept at hand, for viewers who lag a little."""


class Moment:
    """A table as it is after one of its entries, and what was made of it for its viewers."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.frames: dict[object, tuple[str, ...]] = {}
        """Frames, by who may see them; several sockets and spectators share them."""

    @cached_property
    def public(self) -> ObservationForm | None:
        """The round as a spectator sees it: what all viewers' frames have in common."""
        seen = see(self.table, None).observation
        return observation_form(seen) if seen else None


class Room:
    """One table as it is now, and its latest entries."""

    def __init__(self, table: Table, entries: Sequence[Entry]) -> None:
        self.moment = Moment(table)
        self.tail = deque(entries, TAIL)

    @property
    def table(self) -> Table:
        """The table."""
        return self.moment.table

    @property
    def seq(self) -> int:
        """The last entry that is known."""
        return self.table.facts.seq

    def learn(self, entries: Sequence[Entry]) -> None:
        """Fold what follows of `entries`; what is known already is passed over."""
        for entry in entries:
            if entry.seq == self.seq + 1:
                self._go_on(fold(self.table, entry), [entry])

    def advance(self, before: Table, entries: Sequence[Entry], after: Table) -> None:
        """Go on from `before` by `entries` to `after`, where they were folded already."""
        if self.table is before:
            self._go_on(after, entries)
        else:
            self.learn(entries)

    def _go_on(self, table: Table, entries: Sequence[Entry]) -> None:
        self.moment = Moment(table)
        self.tail.extend(entries)

    def since(self, seq: int) -> tuple[Entry, ...] | None:
        """The entries after `seq`; None where they are not at hand any more."""
        missed = self.seq - seq
        return None if missed > len(self.tail) else tuple(entry for entry in self.tail if entry.seq > seq)


class Rooms:
    """Rooms by table id, the least used dropped first."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rooms: OrderedDict[str, Room] = OrderedDict()

    def at_hand(self, table_id: str) -> Room | None:
        """The room of a table, where it is in memory."""
        return self._rooms.get(table_id)

    async def get(self, table_id: str, *, fresh: bool = False) -> Room | None:
        """The room of a table; with `fresh` as its log is now. None where there is no such table."""
        room = self._rooms.get(table_id)
        if room is None:
            return await self._load(table_id)
        self._rooms.move_to_end(table_id)
        if fresh:
            room.learn(await self._store.read(table_id, room.seq))
        return room

    async def _load(self, table_id: str) -> Room | None:
        entries = await self._store.read(table_id)
        if not entries:
            return None
        room = self._rooms.get(table_id)  # somebody else may have been faster meanwhile
        if room is None:
            room = self._keep(Room(fold_all(entries, table_id), entries))
        room.learn(entries)
        return room

    def put(self, table: Table, entries: Sequence[Entry]) -> None:
        """Keep a new table."""
        self._keep(Room(table, entries))

    def _keep(self, room: Room) -> Room:
        self._rooms[room.table.facts.id] = room
        if len(self._rooms) > MOST_ROOMS:
            self._rooms.popitem(last=False)
        return room

    def advance(self, before: Table, entries: Sequence[Entry], after: Table) -> None:
        """What was stored is known from now on, if the table is still at hand."""
        room = self._rooms.get(after.facts.id)
        if room is not None:
            room.advance(before, entries, after)

    def drop(self, table_id: str) -> None:
        """Forget a room; it is read again when it is needed."""
        self._rooms.pop(table_id, None)
