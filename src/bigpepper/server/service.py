"""Everything that a server does with tables, for whatever speaks to it: HTTP, WebSockets, pages, tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, Final

from bigpepper import notation
from bigpepper.notation import GameRecord
from bigpepper.server import events
from bigpepper.server.answers import Done, Refused, Snapshot, write_frame
from bigpepper.server.cases import Refusal, Who
from bigpepper.server.codes import Code
from bigpepper.server.commands import Claim, Create, Leave, Rematch, TableCommand
from bigpepper.server.database import Unavailable
from bigpepper.server.decide import Decision, decide, decide_return
from bigpepper.server.events import Entry
from bigpepper.server.facts import Facts, Table
from bigpepper.server.fairness import SECRET_BYTES
from bigpepper.server.frames import LONGEST_GAP, Framer
from bigpepper.server.live import RETRY, Live
from bigpepper.server.people import People
from bigpepper.server.presence import Presence
from bigpepper.server.records import record
from bigpepper.server.rooms import Moment, Room, Rooms
from bigpepper.server.seating import may_watch
from bigpepper.server.seen import Seen, labels, see
from bigpepper.server.store import Store
from bigpepper.server.writer import Writer
from bigpepper.text import SOURCE_LANGUAGE, Message, msg

_NO_TABLE: Final = msg("There is no such table.")


class Service:
    """Tables for people and programs. `now` gives milliseconds of Unix time, `random` so many random bytes."""

    def __init__(self, store: Store, live: Live, *, now: Callable[[], int], random: Callable[[int], bytes]) -> None:
        self.store = store
        self.live = live
        self.now = now
        self.random = random
        self.people = People(store.database, now, random)
        self.rooms = Rooms(store)
        self.presence = Presence(now())
        self.writer = Writer(store, self.rooms, live, now, random)

    # --- acting -----------------------------------------------------------------------------------------------------

    async def create(self, who: Who, command: Create) -> Table | Refusal:
        """Set up a table. Raises `Unavailable`."""
        return await self.writer.create(who, command)

    async def do(
        self, table_id: str, who: Who, command: TableCommand, language: str = SOURCE_LANGUAGE
    ) -> Done | Refused:
        """Carry out a command. `done` means stored; whatever goes wrong, the answer says so."""
        try:
            await self._note(table_id, who.player)
            decider = await self._decider(table_id, who, command)
            decision, seq = await self.writer.carry_out(table_id, decider, slow=isinstance(command, Claim))
        except Unavailable as error:
            decision, seq = Refusal(Code.UNAVAILABLE, error.message), 0
        if isinstance(decision, Refusal):
            return refused(decision.code, decision.message, language, command.id)
        return Done(id=command.id, seq=seq)

    async def _decider(self, table_id: str, who: Who, command: TableCommand) -> Callable[[Table], Decision]:
        """What decides on a command, for whatever the table is by then."""
        random = self.random(SECRET_BYTES) if isinstance(command, Rematch) else b""
        room = await self.rooms.get(table_id)
        names = await self.names(room.table.facts) if room else {}
        return lambda table: decide(table, who, command, names=labels(table.facts, names), random=random)

    async def seen(self, table_id: str, player: str) -> None:
        """The player has looked at the table: his seat is his again."""
        if await self._note(table_id, player):
            await self.writer.carry_out(table_id, lambda table: decide_return(table, player))

    async def _note(self, table_id: str, player: str) -> bool:
        """Note down that somebody was at a table, if he sits there; whether he does."""
        room = await self.rooms.get(table_id)
        sits = room is not None and room.table.facts.seat_of(player) is not None
        if sits:
            self.presence.seen(table_id, player, self.now())
        return sits

    # --- looking ----------------------------------------------------------------------------------------------------

    async def admit(self, table_id: str, player: str | None, code: str | None = None) -> Refusal | None:
        """Why somebody may not see a table; None where he may. Who has no business there learns nothing of it."""
        room = await self.rooms.get(table_id, fresh=self.store.is_shared)
        if room is None:
            return Refusal(Code.NO_SUCH_TABLE, _NO_TABLE)
        if not may_watch(room.table.facts, player, code):
            return Refusal(Code.NOT_INVITED, msg("This table is private: ask for its invite code."))
        return None

    async def look(self, table_id: str, player: str | None) -> Seen | None:
        """The table as a player sees it, all finished rounds of the game too; None where there is no such table."""
        room = await self.rooms.get(table_id, fresh=self.store.is_shared)
        return see(room.table, player, all_rounds=True) if room else None

    async def snapshot(
        self, table_id: str, player: str | None, language: str = SOURCE_LANGUAGE, *, words: bool = True
    ) -> Snapshot | None:
        """All that a player may know of a table; None where there is no such table."""
        seen = await self.look(table_id, player)
        if seen is None:
            return None
        return Framer(seen, await self.names(seen.facts), language, words=words).snapshot()

    async def record(self, table_id: str, player: str | None) -> GameRecord | None:
        """The record of a table's game as a player may have it; None where there is none."""
        room = await self.rooms.get(table_id, fresh=self.store.is_shared)
        return record(room.table, player, await self.names(room.table.facts)) if room else None

    async def names(self, facts: Facts, entries: Sequence[Entry] = ()) -> dict[str, str]:
        """The names of all players at a table, and of those that the entries are about."""
        players = {seat.player for seat in facts.seats if seat.player}
        about = {e.what.player for e in entries if isinstance(e.what, (events.Seated, events.Left, events.Removed))}
        return await self.people.names(players | about)

    # --- following --------------------------------------------------------------------------------------------------

    async def follow(
        self,
        table_id: str,
        player: str | None,
        *,
        since: int | None = None,
        language: str = SOURCE_LANGUAGE,
        words: bool = True,
        greet: bool = True,
    ) -> AsyncGenerator[tuple[str, ...], None]:
        """The frames for one viewer, several at a time, as JSON texts; it ends with `refused` where the table is gone.

        First a snapshot, or the events after `since`; then every event. However slow he is, no frame waits for him:
        he gets all that has happened since, or a snapshot. Without `greet` whoever knows all already gets nothing
        before something happens. Close the generator (`contextlib.aclosing`) when he leaves.
        """
        here = self._here(table_id, player) if player else nullcontext()
        viewer = _Viewer(player, language, words, greeted=not greet)
        met = player is None
        cursor, fresh = since, self.store.is_shared
        with self.live.watch(table_id) as watch, here:
            while True:
                try:
                    if player and not met:
                        await self.seen(table_id, player)
                        met = True
                    room = await self.rooms.get(table_id, fresh=fresh)
                    frames, cursor = await self._frames(room, viewer, cursor) if room else ((), 0)
                except Unavailable:
                    fresh = True
                    await asyncio.sleep(RETRY)
                    continue
                if room is None:
                    yield (write_frame(refused(Code.NO_SUCH_TABLE, _NO_TABLE, language)).decode(),)
                    return
                if frames:
                    yield frames
                missed = await watch.wait()
                fresh = missed or watch.seq > room.seq  # in one process: where the room was dropped meanwhile

    @contextmanager
    def _here(self, table_id: str, player: str) -> Iterator[None]:
        try:
            with self.presence.here(table_id, player):
                yield
        finally:
            room = self.rooms.at_hand(table_id)
            sits = room is not None and room.table.facts.seat_of(player) is not None
            if sits or self.presence.knows(table_id, player):
                self.presence.seen(table_id, player, self.now())

    async def _frames(self, room: Room, viewer: _Viewer, cursor: int | None) -> tuple[tuple[str, ...], int]:
        """What a viewer gets who knows all up to `cursor`, and up to where he knows all then."""
        moment = room.moment
        facts, cache = moment.table.facts, moment.frames
        seq = facts.seq
        if viewer.greeted and cursor == seq:
            return (), seq
        key = viewer.key(facts, cursor if viewer.greeted or cursor != seq else None)
        viewer.greeted = True
        if key not in cache:
            entries = await self._missed(room, moment.table, cursor)
            cache[key] = await self._written(moment, viewer, entries)
        return cache[key], seq

    async def _missed(self, room: Room, table: Table, cursor: int | None) -> Sequence[Entry]:
        """The entries after `cursor` up to `table`; none where a snapshot is better."""
        seq = table.facts.seq
        if cursor is None or not 0 < seq - cursor <= LONGEST_GAP:
            return ()
        entries = room.since(cursor)
        if entries is None:
            entries = tuple(await self.store.read(table.facts.id, cursor))
        return tuple(entry for entry in entries if entry.seq <= seq)

    async def _written(self, moment: Moment, viewer: _Viewer, entries: Sequence[Entry]) -> tuple[str, ...]:
        table = moment.table
        rounds = sum(isinstance(entry.what, (events.Dealt, events.Finished)) for entry in entries)
        names = await self.names(table.facts, entries)

        def framer(all_rounds: bool) -> Framer:
            seen = see(table, viewer.player, all_rounds=all_rounds)
            return Framer(seen, names, viewer.language, words=viewer.words, public=moment.public)

        frames: Sequence[Any] = framer(rounds > 1).events(entries) or (framer(True).snapshot(),)
        return tuple(write_frame(frame).decode() for frame in frames)

    # --- a player's own data ----------------------------------------------------------------------------------------

    async def export(self, player: str) -> dict[str, Any]:
        """All that is kept about a player, as plain data; the records of his games as he may have them."""
        tables = []
        for head in await self.store.tables_of(player):
            game = await self.record(head.id, player)
            tables.append({"table": head.id, "rules": head.rules, "record": notation.dumps(game) if game else None})
        names = await self.people.names([player])
        counts = await self.people.statistics(player)
        return {
            "player": player,
            "name": names.get(player),
            "statistics": [{field: getattr(one, field) for field in one.__struct_fields__} for one in counts],
            "tables": tables,
        }

    async def forget(self, player: str) -> None:
        """Erase a player: he leaves the tables that are not over, then everything but his id in logs is deleted."""
        leave = Leave()
        for head in await self.store.tables_of(player):
            if head.phase != "finished":
                await self.writer.carry_out(head.id, lambda table: decide(table, Who(player), leave))
        await self.people.erase(player)


class _Viewer:
    """Who gets frames."""

    def __init__(self, player: str | None, language: str, words: bool, *, greeted: bool) -> None:
        self.player = player
        self.language = language
        self.words = words
        self.greeted = greeted
        """Whether he has got anything yet: whoever comes gets at least a snapshot."""

    def key(self, facts: Facts, cursor: int | None) -> object:
        """All that his frames depend on, at one moment of a table."""
        return cursor, facts.seat_of(self.player), self.player == facts.host, self.language, self.words


def refused(code: Code, message: Message, language: str = SOURCE_LANGUAGE, id: str | None = None) -> Refused:
    """A refusal as a frame."""
    return Refused(id=id, code=code, message=message.text(language))
