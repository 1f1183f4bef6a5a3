"""The log of all tables, kept in SQLite or PostgreSQL, and what is found by it: lists of tables, wakes, results.

`append` is the one way in which anything at a table takes effect: it stands once the transaction has committed, and
exactly one writer gets each sequence number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from bigpepper.server import events
from bigpepper.server.database import Conflict, Database, database_url
from bigpepper.server.events import Entry, read, write
from bigpepper.server.facts import Facts
from bigpepper.server.postgres import Postgres
from bigpepper.server.results import Result
from bigpepper.server.schema import EVENTS, RESULTS, SITTINGS, TABLES, WAKE
from bigpepper.server.sqlite import Sqlite
from bigpepper.text import msg

CHANNEL: Final = "bigpepper"
"""On PostgreSQL every append is announced here as “table seq”, by the transaction itself."""
_MINUTE: Final = 60_000


class Head(Struct, frozen=True, kw_only=True):
    """What lists of tables show."""

    id: str
    code: str
    public: bool
    phase: str
    rules: str
    open_seats: int
    created_at: int
    minute: int
    """Of the last event: minutes of Unix time."""


def head_of(facts: Facts) -> Head:
    """The head of a table."""
    return Head(
        id=facts.id,
        code=facts.code,
        public=facts.public,
        phase=facts.phase,
        rules=facts.rules.name,
        open_seats=sum(seat.kind == "open" for seat in facts.seats),
        created_at=facts.created_at,
        minute=facts.at // _MINUTE,
    )


class Due(NamedTuple):
    """A table that this worker has to look at."""

    table_id: str
    at: int


def database(text: str) -> Database:
    """The database of a URL or file, not opened yet. Raises `StoreError`."""
    url = database_url(text)
    return Sqlite(url) if url.get_backend_name() == "sqlite" else Postgres(url)


class Store:
    """All tables. `Store.open(url)` opens it, `close` closes it."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @classmethod
    async def open(cls, url: str) -> Store:
        """Open the database of a URL or file, bringing it to the present schema. Raises `StoreError`."""
        opened = database(url)
        await opened.open()
        return cls(opened)

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write too, so that what is in memory can be behind the log."""
        return self.database.is_shared

    async def close(self) -> None:
        """Close the database."""
        await self.database.close()

    # --- the log ----------------------------------------------------------------------------------------------------

    async def append(
        self,
        after: Head | None,
        head: Head,
        entries: Sequence[Entry],
        *,
        wake_at: int | None,
        results: Sequence[Result] = (),
    ) -> None:
        """Append to the log of a table; `after` is its head before, None for a new table, and `head` after.

        Raises `Conflict` where one of the sequence numbers is taken (nothing is changed then), and `Unavailable`.
        """

        def work(connection: Connection) -> None:
            connection.execute(insert(EVENTS), [_row(head.id, entry) for entry in entries])
            _put_head(connection, after, head, wake_at)
            _put_sittings(connection, head.id, entries)
            if results:
                connection.execute(insert(RESULTS), [_result(head.id, result) for result in results])
            if self.is_shared:
                connection.execute(select(func.pg_notify(CHANNEL, f"{head.id} {entries[-1].seq}")))

        try:
            await self.database.write(work)
        except IntegrityError:
            raise _faster() from None

    async def read(self, table_id: str, after_seq: int = 0) -> list[Entry]:
        """The entries of a table's log after `after_seq`, in order; none where there is no such table."""
        wanted = (
            select(EVENTS.c.seq, EVENTS.c.at, EVENTS.c.data)
            .where(EVENTS.c.table_id == table_id, EVENTS.c.seq > after_seq)
            .order_by(EVENTS.c.seq)
        )
        rows = await self.database.read(lambda connection: connection.execute(wanted).all())
        return [Entry(seq, at, read(data)) for seq, at, data in rows]

    # --- finding tables ---------------------------------------------------------------------------------------------

    async def table_of_code(self, code: str) -> str | None:
        """The id of the table with that invite code."""
        wanted = select(TABLES.c.id).where(TABLES.c.code == code)
        found: str | None = await self.database.read(lambda connection: connection.scalar(wanted))
        return found

    async def public_tables(self, limit: int = 50) -> list[Head]:
        """The public tables that are set up or played at, those with the latest events first."""
        wanted = select(TABLES).where(TABLES.c.public, TABLES.c.phase.in_(("open", "playing")))
        return await self._heads(wanted.order_by(TABLES.c.minute.desc(), TABLES.c.id).limit(limit))

    async def tables_of(self, player: str, limit: int = 1_000) -> list[Head]:
        """The tables at which a player has sat, the latest first."""
        wanted = select(TABLES).join(SITTINGS, SITTINGS.c.table_id == TABLES.c.id).where(SITTINGS.c.player_id == player)
        return await self._heads(wanted.order_by(TABLES.c.minute.desc(), TABLES.c.id).limit(limit))

    async def _heads(self, wanted: Any) -> list[Head]:
        rows = await self.database.read(lambda connection: connection.execute(wanted).mappings().all())
        return [Head(**row) for row in rows]

    # --- wakes ------------------------------------------------------------------------------------------------------

    async def claim_due(self, now: int, holder: str, lease: int, limit: int = 50) -> list[Due]:
        """Claim tables that are due for `lease` milliseconds; what another worker holds is left to it until then."""
        free = or_(WAKE.c.holder.is_(None), WAKE.c.until < now)
        wanted = select(WAKE.c.table_id, WAKE.c.at).where(WAKE.c.at <= now, free).order_by(WAKE.c.at).limit(limit)
        rows = await self.database.read(lambda connection: connection.execute(wanted).all())
        found = sorted(Due(table_id, at) for table_id, at in rows)  # sorted, so that no two workers wait for each other
        if not found:
            return []
        return await self.database.write(
            lambda connection: [one for one in found if _claimed(connection, one, now, holder, lease)]
        )

    async def rearm(self, due: Due, holder: str, at: int | None) -> None:
        """Wake a table that this worker holds at another time; nothing happens where it was woken anew since."""
        mine = (WAKE.c.table_id == due.table_id, WAKE.c.at == due.at, WAKE.c.holder == holder)
        change = update(WAKE).where(*mine).values(at=at, holder=None, until=None)
        await self.database.write(lambda connection: connection.execute(change))

    async def next_wake(self) -> int | None:
        """When the next table is due that nobody holds."""
        wanted = select(func.min(WAKE.c.at)).where(WAKE.c.holder.is_(None))
        found: int | None = await self.database.read(lambda connection: connection.scalar(wanted))
        return found

    # --- keeping house ----------------------------------------------------------------------------------------------

    async def prune(self, before: int) -> int:
        """Delete the tables at which nothing has happened since `before`; returns how many there were."""
        old = select(TABLES.c.id).where(TABLES.c.minute < before // _MINUTE)

        def work(connection: Connection) -> int:
            for table in (EVENTS, WAKE, SITTINGS):
                connection.execute(delete(table).where(table.c.table_id.in_(old)))
            return connection.execute(delete(TABLES).where(TABLES.c.id.in_(old))).rowcount

        return await self.database.write(work)

    async def check(self) -> None:
        """Whether the database answers. Raises `Unavailable`."""
        await self.database.read(lambda connection: connection.scalar(select(1)))


def _faster() -> Conflict:
    return Conflict(msg("Somebody else was faster."))


def _claimed(connection: Connection, one: Due, now: int, holder: str, lease: int) -> bool:
    """Claim one table, unless another worker was faster."""
    free = or_(WAKE.c.holder.is_(None), WAKE.c.until < now)
    mine = update(WAKE).where(WAKE.c.table_id == one.table_id, WAKE.c.at == one.at, free)
    return connection.execute(mine.values(holder=holder, until=now + lease)).rowcount == 1


def _row(table_id: str, entry: Entry) -> dict[str, object]:
    return {
        "table_id": table_id,
        "seq": entry.seq,
        "at": entry.at,
        "kind": entry.kind,
        "data": write(entry.what),
    }


def _result(table_id: str, result: Result) -> dict[str, object]:
    row = asdict(result)
    return {"table_id": table_id, "player_id": row.pop("player"), **row}


def _put_head(connection: Connection, after: Head | None, head: Head, wake_at: int | None) -> None:
    if after is None:
        connection.execute(insert(TABLES), asdict(head))
        connection.execute(insert(WAKE), {"table_id": head.id, "at": wake_at})
        return
    if after != head:
        connection.execute(update(TABLES).where(TABLES.c.id == head.id).values(asdict(head)))
    woken = update(WAKE).where(WAKE.c.table_id == head.id).values(at=wake_at, holder=None, until=None)
    if (connection.execute(woken)).rowcount != 1:
        raise _faster()  # the table has been pruned


def _put_sittings(connection: Connection, table_id: str, entries: Sequence[Entry]) -> None:
    players = {entry.what.player for entry in entries if isinstance(entry.what, events.Seated)}
    for player in sorted(players):
        row = {"player_id": player, "table_id": table_id}
        known = select(SITTINGS.c.player_id).filter_by(**row)
        if connection.scalar(known) is None:
            connection.execute(insert(SITTINGS), row)
