"""The store, on SQLite and on PostgreSQL: exactly one writer gets each number, nothing that was stored is lost."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from msgspec.structs import replace
from sqlalchemy import Connection, event, insert, text

from bigpepper import Rules
from bigpepper.server import migrations
from bigpepper.server.database import Conflict, StoreError, Unavailable, database_url
from bigpepper.server.events import Entry, Said
from bigpepper.server.results import results
from bigpepper.server.schema import EVENTS, METADATA
from bigpepper.server.sqlite import Sqlite
from bigpepper.server.store import Due, Head, Store, database, head_of
from bigpepper.server.table import fold_all
from server.databases import KINDS, url_of
from server_desk import Desk

every_database = pytest.mark.parametrize("kind", KINDS)
HEAD = Head(id="t", code="CODE", public=True, phase="open", rules="tiny", open_seats=1, created_at=1, minute=1)


def run(kind: str, folder: Path, test: Callable[[Store], Awaitable[None]]) -> None:
    """Run a test with an open store."""

    async def opened() -> None:
        store = await Store.open(await url_of(kind, folder))
        try:
            await test(store)
        finally:
            await store.close()

    asyncio.run(opened())


def said(seq: int, phrase: str = "hello") -> Entry:
    return Entry(seq, 1_000 + seq, Said(seat=0, phrase=phrase))


# --- the log ----------------------------------------------------------------------------------------------------------


@every_database
def test_what_is_appended_is_read(kind: str, tmp_path: Path) -> None:
    desk = Desk(Rules.load("hasenpfeffer").replace(round_limit=2), "store", public=True).seat_everybody()
    while desk.table.facts.phase == "playing":
        desk.step()

    async def test(store: Store) -> None:
        before = None
        for table, batch in desk.prefixes():
            head = head_of(table.facts)
            rows = tuple(results(before.facts, table)) if before else ()
            await store.append(head_of(before.facts) if before else None, head, batch, wake_at=None, results=rows)
            before = table
        kept = await store.read("table-id")
        assert kept == desk.log
        assert fold_all(kept, "table-id") == desk.table
        assert await store.read("table-id", 7) == desk.log[7:]
        assert await store.read("other") == []
        assert await store.table_of_code("CODE") == "table-id"
        assert await store.table_of_code("EDOC") is None
        assert await store.tables_of("bert") == [head_of(desk.table.facts)]
        assert await store.tables_of("emil") == []
        assert await store.public_tables() == []

    run(kind, tmp_path, test)


@every_database
def test_racing_writers_get_one_number_each_and_none_is_lost(kind: str, tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        await store.append(None, HEAD, [said(1)], wake_at=None)

        async def writer(name: int) -> list[int]:
            """Append ten entries, trying again after each race that is lost."""
            won: list[int] = []
            while len(won) < 10:
                seq = (await store.read("t"))[-1].seq + 1
                try:
                    await store.append(HEAD, HEAD, [said(seq, f"w{name}-{len(won)}")], wake_at=seq)
                except Conflict:
                    continue
                won.append(seq)
            return won

        won = await asyncio.gather(*map(writer, range(6)))
        kept = await store.read("t")
        assert sorted(sum(won, [1])) == [entry.seq for entry in kept] == list(range(1, 62))
        phrases = [entry.what.phrase for entry in kept[1:]]  # type: ignore[union-attr]
        assert sorted(phrases) == sorted(f"w{name}-{n}" for name in range(6) for n in range(10))
        for name, numbers in enumerate(won):
            assert [kept[seq - 1].what.phrase for seq in numbers] == [f"w{name}-{n}" for n in range(10)]  # type: ignore[union-attr]

    run(kind, tmp_path, test)


@every_database
def test_a_batch_that_loses_leaves_nothing_behind(kind: str, tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        await store.append(None, HEAD, [said(1), said(2)], wake_at=5)
        other = replace(HEAD, phase="playing")
        with pytest.raises(Conflict):
            await store.append(HEAD, other, [said(2), said(3)], wake_at=9)
        with pytest.raises(Conflict):
            await store.append(None, replace(HEAD, id="u"), [said(1)], wake_at=9)  # the code is taken
        assert await store.read("t") == [said(1), said(2)]
        assert await store.read("u") == []
        assert await store.public_tables() == [HEAD]
        assert await store.next_wake() == 5

    run(kind, tmp_path, test)


@every_database
def test_old_tables_are_pruned_and_their_late_writers_told(kind: str, tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        await store.append(None, HEAD, [said(1)], wake_at=5)
        young = replace(HEAD, id="u", code="YOUNG", minute=100)
        await store.append(None, young, [said(1)], wake_at=None)
        assert await store.prune(50 * 60_000) == 1
        assert await store.read("t") == []
        assert await store.read("u") == [said(1)]
        assert await store.public_tables() == [young]
        with pytest.raises(Conflict):
            await store.append(HEAD, HEAD, [said(2)], wake_at=None)
        assert await store.read("t") == []
        await store.check()

    run(kind, tmp_path, test)


# --- wakes ------------------------------------------------------------------------------------------------------------


@every_database
def test_one_worker_claims_what_is_due_and_another_takes_over(kind: str, tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        await store.append(None, HEAD, [said(1)], wake_at=500)
        assert await store.claim_due(499, "one", 1_000) == []
        claimed = await asyncio.gather(*(store.claim_due(500, f"worker {n}", 1_000) for n in range(5)))
        assert sorted(claimed, key=len) == [[], [], [], [], [Due("t", 500)]]
        assert await store.next_wake() is None
        assert await store.claim_due(1_500, "late", 1_000) == []
        assert await store.claim_due(1_501, "late", 1_000) == [Due("t", 500)]
        await store.rearm(Due("t", 500), "not the holder", 700)
        assert await store.claim_due(2_000, "third", 1_000) == []
        await store.rearm(Due("t", 499), "late", 700)
        assert await store.claim_due(2_000, "third", 1_000) == []
        await store.rearm(Due("t", 500), "late", 2_200)
        assert await store.next_wake() == 2_200
        assert await store.claim_due(2_200, "third", 1_000) == [Due("t", 2_200)]
        await store.append(HEAD, HEAD, [said(2)], wake_at=None)
        await store.rearm(Due("t", 2_200), "third", 3_000)  # too late: the table has been woken anew
        assert await store.claim_due(9_000, "one", 1_000) == []

    run(kind, tmp_path, test)


def test_lists_of_public_tables_pass_over_those_that_are_over(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        assert isinstance(store.database, Sqlite)
        asked: list[Any] = []
        event.listen(store.database.engine, "before_cursor_execute", lambda *told: asked.append(told[2:4]))
        await store.public_tables()
        statement, values = asked[-1]
        plan = await store.database.read(
            lambda connection: connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
        )
        assert "SEARCH tables USING INDEX tables_by_phase (public=? AND phase=?)" in str(plan)

    run("sqlite", tmp_path, test)


# --- the database -----------------------------------------------------------------------------------------------------


@every_database
def test_migrations_build_what_the_schema_says(kind: str, tmp_path: Path) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), METADATA))

    async def test(store: Store) -> None:
        assert await store.database.read(differences) == []

    run(kind, tmp_path, test)


@every_database
def test_a_database_of_every_released_version_is_brought_up(kind: str, tmp_path: Path) -> None:
    """The versions: those of the migrations, each from an empty database, with a log written before going on."""

    async def opened() -> None:
        url = await url_of(kind, tmp_path)
        old = database(url)
        await old.write(lambda connection: migrations.upgrade(connection, "0001"))
        row = {"table_id": "t", "seq": 1, "at": 1001, "kind": "said"}
        row |= {"data": '{"kind":"said","v":1,"seat":0,"phrase":"hello"}'}
        await old.write(lambda connection: connection.execute(insert(EVENTS), row))
        await old.close()
        for _ in range(2):  # a second start changes nothing
            store = await Store.open(url)
            assert await store.read("t") == [said(1)]
            await store.close()

    asyncio.run(opened())


def test_a_database_that_takes_connections_and_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bigpepper.server.postgres.CONNECT", 0.2)

    async def asked(port: int) -> None:
        silent = database(f"postgresql://bigpepper@127.0.0.1:{port}/postgres")
        async with asyncio.timeout(20):
            for work in (silent.read, silent.write):
                with pytest.raises(Unavailable):
                    await work(lambda connection: connection.scalar(text("SELECT 1")))
        await silent.close()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        asyncio.run(asked(listening.getsockname()[1]))


@every_database
def test_a_database_of_a_newer_version_is_refused(kind: str, tmp_path: Path) -> None:
    async def opened() -> None:
        url = await url_of(kind, tmp_path)
        store = await Store.open(url)
        newer = text("UPDATE alembic_version SET version_num = '9999'")
        await store.database.write(lambda connection: connection.execute(newer))
        await store.close()
        with pytest.raises(StoreError, match="newer version"):
            await Store.open(url)

    asyncio.run(opened())


def test_a_second_worker_on_sqlite_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    code = f"import asyncio; from bigpepper.server.store import Store; asyncio.run(Store.open({str(path)!r}))"

    async def opened() -> None:
        store = await Store.open(str(path))
        with pytest.raises(StoreError, match="With SQLite there can be one only"):
            await Store.open(f"sqlite:///{path}")
        other = await asyncio.to_thread(
            subprocess.run, [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        assert "Another server is using" in other.stderr
        await store.close()
        again = await Store.open(str(path))
        await again.close()

    asyncio.run(opened())


def test_sqlite_is_set_up_to_lose_nothing(tmp_path: Path) -> None:
    async def opened() -> None:
        store = await Store.open(str(tmp_path / "tables.db"))
        values = [await store.database.read(lambda connection, name=name: pragma(connection, name)) for name in _WANTED]  # type: ignore[misc]
        await store.close()
        assert dict(zip(_WANTED, values, strict=True)) == _WANTED

    asyncio.run(opened())


def pragma(connection: Connection, name: str) -> object:
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


_WANTED = {"journal_mode": "wal", "synchronous": 2, "busy_timeout": 5000}


async def fill(store: Store) -> None:
    for seq in range(2, 500):
        await store.append(HEAD, HEAD, [said(seq, "x" * 2_000)], wake_at=None)


def test_a_full_database_says_so_and_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"

    async def opened() -> None:
        store = await Store.open(str(path))
        await store.append(None, HEAD, [said(1)], wake_at=None)
        await store.database.write(
            lambda connection: pragma(connection, f"max_page_count = {pragma(connection, 'page_count')}")
        )
        with pytest.raises(Unavailable, match="Nothing can be stored just now"):
            await fill(store)
        kept = await store.read("t")
        assert [entry.seq for entry in kept] == list(range(1, len(kept) + 1))
        await store.close()

    asyncio.run(opened())
    assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_urls_that_are_no_database_are_refused(tmp_path: Path) -> None:
    assert database_url("tables.db").drivername == "sqlite"
    assert database_url("postgresql://u@h/d").drivername == "postgresql+asyncpg"
    assert database_url("postgres://u@h/d").drivername == "postgresql+asyncpg"
    for url in ("mysql://h/d", "http://h", "://"):
        with pytest.raises(StoreError, match="no database here"):
            database_url(url)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written to"):
        asyncio.run(Store.open(str(tmp_path / "file" / "tables.db")))


def test_a_database_that_is_not_there_is_unavailable() -> None:
    async def opened() -> None:
        with pytest.raises(Unavailable):
            await Store.open("postgresql://nobody@127.0.0.1:1/nothing")

    asyncio.run(opened())


def test_a_head_tells_how_many_seats_are_open() -> None:
    desk = Desk(Rules.load("pepper-4"), seats=("me", "open", "novice", "open"))
    assert head_of(desk.table.facts).open_seats == 2
