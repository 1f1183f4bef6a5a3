"""A client of the protocol for tests: it knows what the frames have told it, and can play a game."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from server.app_serving import OPEN, PATIENCE, bearer, program

Frame = dict[str, Any]


def opened(url: str, headers: Mapping[str, str] | None = None, **options: Any) -> ClientConnection:
    """A socket to a server; it closes with the test."""
    socket: ClientConnection = OPEN.enter_context(
        connect(
            f"ws{url.removeprefix('http')}/ws",
            additional_headers=headers,
            open_timeout=PATIENCE,
            max_size=None,
            compression=None,
            **options,
        )
    )
    return socket


def shaken(url: str, **headers: str) -> httpx.Response:
    """The answer to a handshake, where it is no socket."""
    wanted = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", **headers}
    return httpx.get(f"{url}/ws", headers={"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", **wanted}, timeout=PATIENCE)


class Player:
    """One socket at a table. `seq`, `n`, `table` and `seen` are as the latest frames have told them."""

    def __init__(self, url: str, table: str, token: str | None = None, **hello: Any) -> None:
        self.socket = opened(url, hello.pop("headers", {}))
        self.token = token
        self.frames: list[Frame] = []
        self.seq = self.n = 0
        self.table: Frame = {}
        self.you: Frame = {}
        self.seen: Frame = {}
        self._ids = 0
        self.send(hello.pop("type", "hello"), **{"protocol": 1, "table": table, "token": token, **hello})

    def close(self) -> None:
        """Leave."""
        self.socket.close()

    def send(self, type: str, **command: Any) -> None:
        """Send a command, and do not wait."""
        self.socket.send(json.dumps({"type": type, **command}))

    def receive(self) -> Frame:
        """The next frame."""
        frame: Frame = json.loads(self.socket.recv(timeout=PATIENCE))
        self.frames.append(frame)
        if frame["type"] in ("snapshot", "event"):
            self.seq, self.n = frame["seq"], frame["n"]
            self.table = frame.get("table", self.table)
            self.you = frame.get("you", self.you)
            self.seen = frame.get("observation", self.seen if frame["type"] == "event" else {})
        return frame

    def until(self, seq: int) -> None:
        """Receive until all up to `seq` is known."""
        while self.seq < seq:
            self.receive()

    def ask(self, type: str, **command: Any) -> Frame:
        """Send a command, and return its answer; frames that come before it are taken note of."""
        self._ids += 1
        mark = f"m{self._ids}"
        self.send(type, id=mark, **command)
        while True:
            frame = self.receive()
            if frame.get("id") == mark:
                return frame

    def do(self, type: str, **command: Any) -> int:
        """Carry out a command that has to succeed; returns up to where the log has got."""
        answer = self.ask(type, **command)
        assert answer["type"] == "done", answer
        return int(answer["seq"])

    @property
    def legal(self) -> list[str]:
        """What the player may do now."""
        return list(self.seen.get("legal", ())) if self.table.get("phase") == "playing" else []


def new_table(url: str, token: str, **create: Any) -> Frame:
    """Set up a table; returns `table` and `code`."""
    answer = httpx.post(f"{url}/api/tables", json=create, headers=bearer(token), timeout=PATIENCE)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def pair(url: str, **create: Any) -> tuple[Frame, list[Player]]:
    """A table of the rulebook for two with two programs at it, which know all that has happened."""
    one, other = program(url, "One"), program(url, "Other")
    table = new_table(url, one, **{"rules": "tiny", "seats": ["me"], **create})
    players = [Player(url, table["table"], one), Player(url, table["table"], other, code=table["code"])]
    for player in players:
        player.receive()
    seq = players[1].do("take", seat=1, code=table["code"])
    together(players, seq)
    return table, players


def started(url: str, **create: Any) -> tuple[Frame, list[Player]]:
    """The same, after the start."""
    table, players = pair(url, **create)
    together(players, players[0].do("start"))
    return table, players


def together(players: Sequence[Player], seq: int) -> None:
    """Let all of them learn what has happened up to `seq`."""
    for player in players:
        player.until(seq)


def turn_of(players: Sequence[Player]) -> Player:
    """The player who is to act."""
    return next(player for player in players if player.legal)


def chosen(player: Player, random: Random) -> str:
    """Something legal; a bid rather than a pass, so that games come to an end."""
    return random.choice([action for action in player.legal if action != "pass"] or player.legal)


def step(players: Sequence[Player], random: Random) -> None:
    """One action of whoever is to act."""
    player = turn_of(players)
    together(players, player.do("act", n=player.n, action=chosen(player, random)))


def finish(players: Sequence[Player], random: Random, most: int = 2_000) -> None:
    """Play until the game is over."""
    for _ in range(most):
        if players[0].table["phase"] == "finished":
            return
        step(players, random)
    raise AssertionError("the game does not end")
