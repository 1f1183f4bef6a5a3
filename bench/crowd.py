"""The generator of `bench.server`, a process of its own: many clients at many tables. Prints what it saw as JSON.

    python -m bench.crowd clients|saturation|bots|idle URL TABLES SECONDS RUNS

Loopback only; every wait has an end.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import resource
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from bigpepper import Rules

PACE: Final = 2.0
"""Seconds from one action at a table to the next."""
BOTS_TURN: Final = 5.0
"""Seconds for which a person among three bots, who take one each, thinks: an action every two seconds on average."""
SETTLE: Final = 3.0
PATIENCE: Final = 120.0
_AT_ONCE: Final = 8


class Seen(msgspec.Struct):
    """What is read of an Observation."""

    phase: str = ""
    legal: list[str] = []
    contract: str | None = None
    round: dict[str, Any] = {}


class Facts(msgspec.Struct):
    """What is read of a table."""

    phase: str = ""
    turn_at: int = 0


class Frame(msgspec.Struct):
    """What is read of a frame."""

    type: str
    seq: int = 0
    n: int = 0
    code: str = ""
    kind: str = ""
    by: str = ""
    seat: int = 0
    observation: Seen | None = None
    table: Facts | None = None
    turn_at: int = 0


DECODE: Final = msgspec.json.Decoder(Frame).decode


class House:
    """The HTTP side of the server, on one connection."""

    def __init__(self, url: str) -> None:
        self.url = url
        parts = urlsplit(url)
        assert parts.hostname == "127.0.0.1", "loopback only"
        self.address = f"ws://127.0.0.1:{parts.port}/ws"
        self._http = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=PATIENCE)
        self._http.connect()
        self._http.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def post(self, path: str, body: object, **headers: str) -> tuple[dict[str, Any], str]:
        """The answer's body, and its cookie."""
        self._http.request("POST", path, json.dumps(body), {"Content-Type": "application/json", **headers})
        answer = self._http.getresponse()
        text, cookie = answer.read(), (answer.getheader("Set-Cookie") or "").partition(";")[0]
        assert answer.status < 300, text
        return json.loads(text), cookie

    def program(self) -> dict[str, str]:
        """The header of a new program."""
        return {"Authorization": f"Bearer {self.post('/api/programs', {'name': 'Robot'})[0]['token']}"}

    def guest(self) -> dict[str, str]:
        """The header of a new person."""
        return {"Cookie": self.post("/api/me", {"name": "Guest"})[1]}

    def table(self, header: dict[str, str], seats: Sequence[str], **more: object) -> dict[str, Any]:
        """A new table, which plays for long."""
        toml = Rules.load("pepper-4").replace(target=300).to_toml()
        return self.post("/api/tables", {"toml": toml, "seats": list(seats), **more}, **header)[0]


class Table:
    """A table and its clients, who act when they are told to."""

    def __init__(self, house: House, seats: Sequence[str], random: Random, *, people: bool) -> None:
        self.house = house
        self.random = random
        count = sum(seat in ("me", "open") for seat in seats)
        self.headers = [house.guest() if people else house.program() for _ in range(count)]
        made = house.table(self.headers[0], seats)
        self.id, self.code = made["table"], made["code"]
        self.clients = [Client(self, seat) for seat in range(count)]
        self.sent: dict[int, float] = {}
        self.came: dict[int, int] = {}
        self.times: list[float] = []
        """Seconds from sending an action until all have seen it."""
        self.late: list[float] = []
        """Seconds by which the moves of bots came late to the first viewer."""
        self.actions = 0
        self.eager = False
        self.thinks: float | None = None

    async def sit(self) -> None:
        """Connect everybody, and start."""
        for client in self.clients:
            await client.connect()
        for client in self.clients[1:]:
            await client.say(type="take", seat=client.seat, code=self.code)
            await self.clients[0].until(lambda client=client: client.sits)
        await self.clients[0].say(type="start")
        for client in self.clients:
            await client.until(lambda client=client: client.phase == "playing")

    async def act(self) -> None:
        """Whoever is to act does."""
        for client in self.clients:
            if client.legal:
                await client.act()
                return

    def acted(self, n: int, now: float) -> None:
        """A client has seen that the step before `n` is taken."""
        self.came[n] = self.came.get(n, 0) + 1
        if self.came[n] == 1:
            self.actions += 1
        if self.came[n] == len(self.clients):
            del self.came[n]
            begun = self.sent.pop(n - 1, None)
            if begun is not None:
                self.times.append(now - begun)

    async def close(self) -> None:
        """Leave."""
        for client in self.clients:
            await client.close()


class Client:
    """One socket on a seat."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table = table
        self.seat = seat
        self.legal: list[str] = []
        self.contract: str | None = None
        self.phase = ""
        self.n = 0
        self.sits = seat == 0
        self.turn_at = 0
        self.begins = True
        self._socket: ClientConnection
        self._reading: asyncio.Task[None]
        self._acting: asyncio.Future[None] | None = None
        self._changed = asyncio.Event()

    async def connect(self) -> None:
        """Open the socket and say hello."""
        header = self.table.headers[self.seat]
        self._socket = await connect(
            self.table.house.address, additional_headers=header, compression=None, open_timeout=PATIENCE, max_size=None
        )
        await self.say(type="hello", protocol=1, table=self.table.id, code=self.table.code, words=False)
        self._reading = asyncio.create_task(self._read())
        self._reading.add_done_callback(_loud)

    async def say(self, **command: object) -> None:
        """Send a command."""
        await self._socket.send(json.dumps(command))

    async def until(self, come: Any) -> None:
        """Wait until something is known."""
        async with asyncio.timeout(PATIENCE):
            while not come():
                self._changed.clear()
                await self._changed.wait()

    async def act(self) -> None:
        """Act: the lowest bid where nobody has bid, and no other; any card."""
        legal, self.legal = self.legal, []
        action = legal[0 if self.contract or len(legal) == 1 else 1] if "pass" in legal else None
        self.table.sent[self.n] = time.perf_counter()
        await self.say(type="act", n=self.n, action=action or self.table.random.choice(legal))

    async def _read(self) -> None:
        with suppress(WebSocketException, OSError):
            async for message in self._socket:
                await self._learn(DECODE(message), time.perf_counter())
                self._changed.set()

    async def _learn(self, frame: Frame, now: float) -> None:
        if frame.type == "refused":
            raise AssertionError(frame.code)
        if frame.table is not None:
            self.phase = frame.table.phase
        if frame.kind == "seated":
            self.table.clients[frame.seat].sits = True
        if frame.type == "event" and frame.kind == "acted":
            self._note(frame, now)
        if frame.observation is not None:
            seen = frame.observation
            self.n, self.legal, self.contract = frame.n, seen.legal if self.phase == "playing" else [], seen.contract
            self.turn_at = frame.turn_at or (frame.table.turn_at if frame.table else self.turn_at)
            self.begins = not seen.round.get("auction")
            if self.legal:
                await self._in_turn()

    def _note(self, frame: Frame, now: float) -> None:
        if frame.by == "bot" and self.seat == 0 and self.turn_at and not self.begins:
            self.table.late.append(time.time() - (self.turn_at + 1_000) / 1_000)
        self.table.acted(frame.n, now)

    async def _in_turn(self) -> None:
        if self.table.eager:
            await self.act()
        elif self.table.thinks is not None:
            asyncio.get_running_loop().call_later(self.table.thinks, self._think)

    def _think(self) -> None:
        if self.legal:
            self._acting = asyncio.ensure_future(self.act())

    async def close(self) -> None:
        """Leave."""
        self._reading.cancel()
        self._socket.transport.abort()


def _loud(task: asyncio.Task[None]) -> None:
    """A client that fails ends the measurement: it would be wrong."""
    if not task.cancelled() and task.exception() is not None:
        print(repr(task.exception()), file=sys.stderr)
        task.get_loop().stop()


def p99(values: Sequence[float]) -> float:
    """The value that one in a hundred exceeds."""
    return sorted(values)[min(len(values) - 1, round(0.99 * len(values)))]


async def _seated(house: House, count: int, seats: Sequence[str], *, people: bool) -> list[Table]:
    """So many tables, with everybody at them; several at a time, since each step waits for a commit."""
    random = Random(1)

    def some(number: int) -> list[Table]:
        own = House(house.url)
        return [Table(own, seats, random, people=people) for _ in range(number, count, _AT_ONCE)]

    parts = await asyncio.gather(*(asyncio.to_thread(some, number) for number in range(_AT_ONCE)))
    tables = [table for part in parts for table in part]

    async def sit(part: list[Table]) -> None:
        for table in part:
            await table.sit()

    await asyncio.gather(*map(sit, parts))
    return tables


async def clients(house: House, count: int, seconds: float, runs: int) -> list[dict[str, float]]:
    """One action a table every `PACE` seconds: from the action until the last of four viewers has it."""
    tables = await _seated(house, count, ("me", "open", "open", "open"), people=False)
    drivers = [asyncio.create_task(_paced(table, PACE * number / count)) for number, table in enumerate(tables)]
    await asyncio.sleep(SETTLE)
    found = []
    for _ in range(runs):
        for table in tables:
            table.times.clear()
        await asyncio.sleep(seconds)
        times = [one for table in tables for one in table.times]
        found.append({"p50": sorted(times)[len(times) // 2], "p99": p99(times), "actions": len(times) / seconds})
    for driver in drivers:
        driver.cancel()
    return found


async def _paced(table: Table, offset: float) -> None:
    await asyncio.sleep(offset)
    due = time.perf_counter()
    while True:
        await table.act()
        due += PACE
        await asyncio.sleep(max(0.0, due - time.perf_counter()))


async def saturation(house: House, count: int, seconds: float, runs: int) -> list[dict[str, float]]:
    """Everybody acts as soon as it is his turn: actions a second of all tables."""
    tables = await _seated(house, count, ("me", "open", "open", "open"), people=False)
    for table in tables:
        table.eager = True
        await table.act()
    await asyncio.sleep(SETTLE)
    return await _counted(tables, seconds, runs)


async def bots(house: House, count: int, seconds: float, runs: int) -> list[dict[str, float]]:
    """A person and three novice bots a table: how late the bots' moves come."""
    tables = await _seated(house, count, ("me", "novice", "novice", "novice"), people=True)
    for table in tables:
        table.thinks = BOTS_TURN
        await table.act()
    await asyncio.sleep(2 * BOTS_TURN)
    return await _counted(tables, seconds, runs)


async def _counted(tables: Sequence[Table], seconds: float, runs: int) -> list[dict[str, float]]:
    found = []
    for _ in range(runs):
        before, begun = sum(table.actions for table in tables), time.perf_counter()
        for table in tables:
            table.late.clear()
        await asyncio.sleep(seconds)
        done, passed = sum(table.actions for table in tables) - before, time.perf_counter() - begun
        late = [one for table in tables for one in table.late]
        found.append(
            {"actions": done / passed, **({"p50": sorted(late)[len(late) // 2], "p99": p99(late)} if late else {})}
        )
    return found


async def idle(house: House, count: int, seconds: float, runs: int) -> list[dict[str, float]]:
    """So many spectators at a hundred public tables, who do nothing; a line says when they are there."""
    header = house.program()
    made = [house.table(header, ("me", "novice", "novice", "novice"), public=True) for _ in range(100)]
    print("ready", flush=True)
    sys.stdin.readline()
    sockets = []
    for number in range(count):
        one = await connect(house.address, compression=None, open_timeout=PATIENCE)
        await one.send(json.dumps({"type": "hello", "protocol": 1, "table": made[number % 100]["table"]}))
        await asyncio.wait_for(one.recv(), PATIENCE)
        sockets.append(one)
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    for one in sockets:
        one.transport.abort()
    return []


WAYS: Final = {"clients": clients, "saturation": saturation, "bots": bots, "idle": idle}


def main(way: str, url: str, count: str, seconds: str, runs: str) -> None:
    """Be a crowd."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(json.dumps(asyncio.run(WAYS[way](House(url), int(count), float(seconds), int(runs)))))


if __name__ == "__main__":
    main(*sys.argv[1:])
