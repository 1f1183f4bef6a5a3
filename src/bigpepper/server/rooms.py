"""The tables that this process has at hand. A room is a cache of what the log tells, and may be dropped at any time."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import Final

from bigpepper.server.events import Entry
from bigpepper.server.facts import Table
from bigpepper.server.store import Store
from bigpepper.server.table import fold, fold_all

MOST_ROOMS: Final = 4_000
TAIL: Final = 64
"""Entries of each log that are kept at hand, for viewers who lag a little."""


class Room:
    """One table, its latest entries, and the frames that were made from them."""

    def __init__(self, table: Table, entries: Sequence[Entry]) -> None:
        self.table = table
        self.tail = deque(entries, TAIL)
        self.frames: dict[object, tuple[str, ...]] = {}
        """Frames of this moment, by who may see them; several sockets and spectators share them."""

    @property
    def seq(self) -> int:
        """The last entry that is known."""
        return self.table.facts.seq

    def learn(self, entries: Sequence[Entry]) -> None:
        """Fold what follows of `entries`; what is known already is passed over."""
        for entry in entries:
            if entry.seq == self.seq + 1:
                self.table = fold(self.table, entry)
                self.tail.append(entry)
                self.frames = {}

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
            room = self._rooms[table_id] = Room(fold_all(entries, table_id), entries)
            if len(self._rooms) > MOST_ROOMS:
                self._rooms.popitem(last=False)
        room.learn(entries)
        return room

    def put(self, table: Table, entries: Sequence[Entry]) -> None:
        """Keep a new table."""
        self._rooms[table.facts.id] = Room(table, entries)

    def drop(self, table_id: str) -> None:
        """Forget a room; it is read again when it is needed."""
        self._rooms.pop(table_id, None)
