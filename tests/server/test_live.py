"""Wake-ups: in one process, and between processes over PostgreSQL, through an outage of the connection."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from bigpepper.server import commands as c
from bigpepper.server import live as live_module
from bigpepper.server.answers import Done
from bigpepper.server.cases import Refusal
from bigpepper.server.live import Listener, Live
from bigpepper.server.service import Service
from bigpepper.server.store import Store
from server.databases import POSTGRES, Time, bytes_of, url_of

with_postgres = pytest.mark.skipif(not POSTGRES, reason="no PostgreSQL is given")


def test_watchers_are_woken_once_however_often_something_happens() -> None:
    async def test() -> None:
        live = Live()
        with live.watch("t") as watch, live.watch("other") as other:
            for seq in (3, 5, 4):
                live.notify("t", seq)
            assert not await asyncio.wait_for(watch.wait(), 5)
            assert watch.seq == 5
            waiting = asyncio.create_task(watch.wait())
            await asyncio.sleep(0)
            assert not waiting.done()
            live.wake_all()
            assert await asyncio.wait_for(waiting, 5)
            assert await asyncio.wait_for(other.wait(), 5)
            live.notify("t", 6)
            assert not await asyncio.wait_for(watch.wait(), 5)
            assert (live.watchers, other.seq) == (2, 0)
        live.notify("t", 6)
        assert live.watchers == 0

    asyncio.run(test())


class Gate:
    """Opens the listener's connections, once it may."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.asked = asyncio.Event()

    async def connect(self) -> Any:
        self.asked.set()
        await self.open.wait()
        return await import_module("asyncpg").connect(POSTGRES)


async def next_frames(follow: Any) -> list[dict[str, Any]]:
    return [json.loads(frame) for frame in await asyncio.wait_for(anext(follow), 20)]


@with_postgres
def test_what_one_process_does_another_ones_viewers_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "RETRY", 0.01)
    monkeypatch.setattr(live_module, "PROBE", 0.05)

    async def test() -> None:
        url, time = await url_of("postgres", tmp_path), Time()
        stores = [await Store.open(url) for _ in range(2)]
        one, other = (Service(store, Live(), now=time.now, random=bytes_of(n)) for n, store in enumerate(stores))
        gate = Gate()
        gate.open.set()
        listener = Listener(other.live, gate.connect)
        listening = asyncio.create_task(listener.run())
        await asyncio.wait_for(listener.connected.wait(), 20)
        anna = await one.people.new("Anna")
        table = await one.create(anna, c.Create(rules="tiny", seats=("me", "novice")))
        assert not isinstance(table, Refusal)
        async with aclosing(other.follow(table.facts.id, anna.player)) as follow:
            await next_frames(follow)
            assert isinstance(await one.do(table.facts.id, anna, c.Start()), Done)
            assert [frame["kind"] for frame in await next_frames(follow)] == ["started", "dealt"]
            await outage(stores[0], gate)
            assert isinstance(await one.do(table.facts.id, anna, c.Say("hello")), Done)  # nobody hears it
            gate.open.set()
            assert [frame["kind"] for frame in await next_frames(follow)] == ["said"]
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        for store in stores:
            await store.close()

    asyncio.run(test())


async def outage(store: Store, gate: Gate) -> None:
    """End the listener's connection from the other side, and wait until it has noticed; it cannot come back yet."""
    gate.open.clear()
    gate.asked.clear()
    kill = text(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query = 'SELECT 1'"
    )
    await store.database.write(lambda connection: connection.execute(kill).all())
    await asyncio.wait_for(gate.asked.wait(), 20)
