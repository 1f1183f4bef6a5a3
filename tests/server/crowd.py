"""Programs that play at many tables at once, come back whenever the server does, and remember what it acknowledged."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from random import Random
from typing import Any, Final, NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from bigpepper import Rules
from server.app_client import Frame
from server.app_serving import PATIENCE, bearer, program

_AGAIN: Final = 0.05
"""Seconds between attempts to reach a server that is gone."""
_RETRY: Final = 0.5
"""Seconds between attempts while the database is gone: below what one socket may send."""
_GONE: Final = (OSError, WebSocketException, InvalidHandshake, TimeoutError)


class Acked(NamedTuple):
    """An action that the server has said is stored."""

    n: int
    seat: int
    action: str


class Member:
    """One program on one seat. The host plays one game after the other until `last` is set."""

    def __init__(self, url: str, table: str, seat: int, token: str, random: Random) -> None:
        self.table = table
        self.seat = seat
        self.token = token
        self.acked: list[Acked] = []
        self.refused: list[Frame] = []
        """Refusals that should not have come."""
        self.unavailable = 0
        """How often the database was not there."""
        self.last = asyncio.Event()
        self.phase = ""
        self._url = f"ws{url.removeprefix('http')}/ws"
        self._random = random
        self._seq = self._n = 0
        self._legal: list[str] = []
        self._bid = False
        self._pending: tuple[int, str] | None = None
        self._asked = ""

    async def play(self) -> None:
        """Play until the last game is over."""
        while not self._done:
            with suppress(*_GONE):
                async with connect(self._url, compression=None, open_timeout=5, close_timeout=1) as socket:
                    await self._follow(socket)
            await asyncio.sleep(_AGAIN)

    @property
    def _done(self) -> bool:
        return self.last.is_set() and self.phase == "finished" and self._pending is None

    async def _follow(self, socket: ClientConnection) -> None:
        hello: dict[str, Any] = {"type": "hello", "protocol": 1, "table": self.table, "token": self.token}
        if self._seq:
            hello["since"] = self._seq
        await socket.send(json.dumps(hello | {"words": False}))
        self._learn(json.loads(await socket.recv()))
        self._asked = ""
        if self._pending is not None:  # whether it was stored is not known: ask
            await self._send(socket)
        while not self._done:
            await self._go_on(socket)
            try:
                frame = json.loads(await asyncio.wait_for(socket.recv(), 0.5))
            except TimeoutError:
                continue
            if frame["type"] in ("snapshot", "event"):
                self._learn(frame)
            else:
                await self._answered(socket, frame)

    def _learn(self, frame: Frame) -> None:
        if frame["type"] not in ("snapshot", "event"):
            self.refused.append(frame)
            return
        self._seq, self._n = frame["seq"], frame["n"]
        self.phase = frame.get("table", {}).get("phase", self.phase)
        seen = frame.get("observation")
        self._legal = list(seen["legal"]) if seen and self.phase == "playing" else []
        self._bid = bool(seen and seen["contract"])

    async def _answered(self, socket: ClientConnection, frame: Frame) -> None:
        if frame.get("code") == "unavailable":
            self.unavailable += 1
            await asyncio.sleep(_RETRY)
            self._asked = ""
            if self._pending is not None:
                await self._send(socket)
        elif self._pending is not None and frame.get("id") == f"act {self._pending[0]}":
            if frame["type"] == "done" or frame["code"] == "duplicate":
                self.acked.append(Acked(self._pending[0], self.seat, self._pending[1]))
            else:
                self.refused.append(frame)
            self._pending = None
        elif frame["type"] == "refused" and frame.get("id") != "game":
            self.refused.append(frame)

    async def _go_on(self, socket: ClientConnection) -> None:
        """Act where it is time to."""
        if self._pending is None and self._legal:
            self._pending = (self._n, self._chosen())
            self._legal = []
            await self._send(socket)
        wanted_game = {"finished": "" if self.last.is_set() else "rematch", "open": "start"}.get(self.phase, "")
        if self.seat == 0 and wanted_game and self._asked != wanted_game:
            self._asked = wanted_game
            await socket.send(json.dumps({"type": wanted_game, "id": "game"}))

    def _chosen(self) -> str:
        """Something legal by which games come to an end: the lowest bid where nobody has bid, and no other."""
        if "pass" in self._legal:
            return self._legal[0 if self._bid or len(self._legal) == 1 else 1]
        return self._random.choice(self._legal)

    async def _send(self, socket: ClientConnection) -> None:
        assert self._pending is not None
        n, action = self._pending
        await socket.send(json.dumps({"type": "act", "id": f"act {n}", "n": n, "action": action}))


def seated(url: str, rules: str, people: int, bots: Sequence[str], random: Random) -> list[Member]:
    """A table at which so many programs sit, and bots on the other seats."""
    tokens = [program(url, f"Robot {n}") for n in range(people)]
    toml = Rules.load(rules).replace(target=3 if bots else 6).to_toml()
    body = {"toml": toml, "seats": ["me", *["open"] * (people - 1), *bots]}
    made = httpx.post(f"{url}/api/tables", json=body, headers=bearer(tokens[0]), timeout=PATIENCE).json()
    for seat, token in enumerate(tokens[1:], 1):
        command = {"type": "take", "seat": seat, "code": made["code"]}
        path = f"{url}/api/tables/{made['table']}/commands"
        assert httpx.post(path, json=command, headers=bearer(token), timeout=PATIENCE).json()["type"] == "done"
    return [Member(url, made["table"], seat, token, random) for seat, token in enumerate(tokens)]


async def finished(members: Iterable[Member], tasks: Iterable[asyncio.Task[None]]) -> None:
    """Let every table play its game to the end."""
    for member in members:
        member.last.set()
    async with asyncio.timeout(2 * PATIENCE):
        await asyncio.gather(*tasks)


def check_log(log: Sequence[dict[str, Any]], members: Iterable[Member]) -> int:
    """Every acknowledged action is in the log of its table once, in its place; returns how many there were."""
    steps = [entry for entry in log if entry["kind"] in ("acted", "claimed", "undone")]
    assert [entry["n"] for entry in steps] == list(range(len(steps)))
    acked = [one for member in members for one in member.acked]
    assert len({one.n for one in acked}) == len(acked)
    for one in acked:
        assert (steps[one.n]["seat"], steps[one.n]["action"]) == (one.seat, one.action)
    return len(acked)
