"""Under load: a server killed at random moments, a database that goes away, a disk that is full. Nothing is lost."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random

import httpx
import pytest

from server.app_serving import PATIENCE, Process, process, until
from server.crowd import Member, check_log, finished, seated
from server.databases import POSTGRES
from server.postgres import Postgres, events_of
from server.test_app_faults import log_of

TABLES = [
    ("tiny", 2, ()),
    ("tiny", 2, ()),
    ("tiny", 1, ("novice",)),
    ("pepper-2", 2, ()),
    ("pepper-3", 3, ()),
    ("pepper-4", 4, ()),
    ("hasenpfeffer-traditional", 4, ()),
    ("pepper-4", 1, ("novice", "novice", "random")),
]
"""Rulebook, programs and bots of each table."""


def crowd(url: str, random: Random, tables: Sequence[tuple[str, int, tuple[str, ...]]] = TABLES) -> list[Member]:
    """Programs at many tables."""
    return [member for rules, people, bots in tables for member in seated(url, rules, people, bots, random)]


def by_table(members: Sequence[Member]) -> dict[str, list[Member]]:
    """The members of each table."""
    tables = defaultdict(list)
    for member in members:
        tables[member.table].append(member)
    return tables


def acknowledged(members: Sequence[Member]) -> int:
    """How many actions have been acknowledged so far."""
    return sum(len(member.acked) for member in members)


async def _killed_again_and_again(server: Process, members: Sequence[Member], kills: int, random: Random) -> None:
    tasks = [asyncio.create_task(member.play()) for member in members]
    try:
        for _ in range(kills):
            before = acknowledged(members)
            async with asyncio.timeout(PATIENCE):
                while acknowledged(members) == before:  # it is at work again
                    await asyncio.sleep(0.01)
            await asyncio.sleep(random.uniform(0, 0.5))
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
        await finished(members, tasks)
    finally:
        for task in tasks:
            task.cancel()


@pytest.mark.parametrize("kills", [5, pytest.param(100, marks=pytest.mark.soak)])
def test_kills_at_random_moments_under_load_lose_nothing(tmp_path: Path, kills: int) -> None:
    random = Random(kills)
    with process(tmp_path) as server:
        members = crowd(server.url, random)
        asyncio.run(_killed_again_and_again(server, members, kills, random))
        server.interrupt()
        assert "Traceback" not in server.log()
    assert [member.refused for member in members if member.refused] == []
    counted = sum(check_log(log_of(tmp_path, table), of_table) for table, of_table in by_table(members).items())
    assert counted == acknowledged(members) > 10 * kills
    print(f"{kills} kills, {counted} acknowledged actions")  # noqa: T201


# --- a full disk ----------------------------------------------------------------------------------------------------


async def _full_for_a_while(server: Process, members: Sequence[Member], folder: Path) -> None:
    tasks = [asyncio.create_task(member.play()) for member in members]
    try:
        await _until(lambda: acknowledged(members) > 50)
        sizes = [path.stat().st_size for path in folder.glob("tables.sqlite*")]
        _, most = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (max(sizes) + 4_096, most))
        await _until(lambda: any(member.unavailable for member in members))
        health = await asyncio.to_thread(httpx.get, f"{server.url}/health", timeout=PATIENCE)
        assert health.status_code in (200, 503)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (most, most))
        before = acknowledged(members)
        await _until(lambda: acknowledged(members) > before + 50)
        await finished(members, tasks)
    finally:
        for task in tasks:
            task.cancel()


async def _until(come: object) -> None:
    assert callable(come)
    async with asyncio.timeout(PATIENCE):
        while not come():
            await asyncio.sleep(0.02)


def test_a_full_disk_is_said_and_nothing_is_lost_or_spoilt(tmp_path: Path) -> None:
    with process(tmp_path) as server:
        members = crowd(server.url, Random(1), TABLES[:5])
        asyncio.run(_full_for_a_while(server, members, tmp_path))
        server.interrupt()
        assert "Traceback" not in server.log()
    assert [member.refused for member in members if member.refused] == []
    for table, of_table in by_table(members).items():
        check_log(log_of(tmp_path, table), of_table)
    with sqlite3.connect(tmp_path / "tables.sqlite") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


# --- a database that is gone ----------------------------------------------------------------------------------------


async def _gone_for(postgres: Postgres, server: Process, members: Sequence[Member], seconds: float) -> None:
    tasks = [asyncio.create_task(member.play()) for member in members]
    try:
        await _until(lambda: acknowledged(members) > 50)
        await asyncio.to_thread(postgres.stop)
        await _until(lambda: any(member.unavailable for member in members))
        health = await asyncio.to_thread(httpx.get, f"{server.url}/health", timeout=PATIENCE)
        assert (health.status_code, health.json()["status"]) == (503, "database")
        page = await asyncio.to_thread(httpx.get, f"{server.url}/tables", timeout=PATIENCE)
        assert page.status_code == 503
        await asyncio.sleep(seconds)
        await asyncio.to_thread(postgres.start)
        before = acknowledged(members)
        await _until(lambda: acknowledged(members) > before + 50)
        await finished(members, tasks)
    finally:
        for task in tasks:
            task.cancel()


@pytest.mark.skipif(not POSTGRES, reason="no PostgreSQL is given")
@pytest.mark.parametrize("seconds", [1, pytest.param(10, marks=pytest.mark.soak)])
def test_a_database_that_is_gone_for_a_while_loses_nothing(tmp_path: Path, seconds: int) -> None:
    with Postgres() as postgres, process(tmp_path, "--db", postgres.url) as server:
        members = crowd(server.url, Random(2), TABLES[2:6])
        asyncio.run(_gone_for(postgres, server, members, seconds))
        until(lambda: httpx.get(f"{server.url}/health", timeout=PATIENCE).status_code == 200)
        server.interrupt()
        assert "Traceback" not in server.log()
        logs = {table: asyncio.run(events_of(postgres.url, table)) for table in by_table(members)}
    assert [member.refused for member in members if member.refused] == []
    for table, of_table in by_table(members).items():
        check_log(logs[table], of_table)
