"""Limits: every one answers with a reason; who keeps to them is not held up; greedy clients harm nobody else."""

from __future__ import annotations

import json
import socket as plain
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from bigpepper.server.limits import Credits, Gauges, Limits, Meter, Rate, one_client
from bigpepper.server.wire import SocketProtocol
from server.app_client import Player, new_table, opened, pair, started, together
from server.app_serving import FREE, PATIENCE, Serving, browser, guest, program, serving


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that allows little."""
    limits = Limits(
        factor=1,
        sockets_per_address=6,
        messages=Rate(5, 50),
        patience=3,
        requests=Rate(10_000, 10_000),
        players=Rate(40, 0.001),
        tables=Rate(30, 0.001),
        guesses=Rate(3, 0.2),
        hello=0.3,
    )
    with serving(tmp_path_factory.mktemp("strict"), limits) as running:
        yield running


def refusal(socket: ClientConnection) -> tuple[str, int | None]:
    """The reason that a socket gives before it closes, and the code with which it does."""
    codes = []
    with suppress(ConnectionClosed):
        while True:
            frame = json.loads(socket.recv(timeout=PATIENCE))
            codes += [frame["code"]] if frame["type"] == "refused" else []
    return codes[-1] if codes else "", socket.close_code


# --- the arithmetic -------------------------------------------------------------------------------------------------


def test_credits_come_back_with_time() -> None:
    credits = Credits(Rate(2, 0.5), 0.0)
    assert [credits.spend(0.0) for _ in range(3)] == [True, True, False]
    assert credits.wait(0.0) == 2.0
    assert credits.spend(1.9) is False
    assert credits.spend(2.0) is True
    assert [credits.spend(1_000.0) for _ in range(3)] == [True, True, False]


def test_addresses_are_counted_apart() -> None:
    meter = Meter(Rate(1, 1))
    assert [meter.spend("a", 0.0), meter.spend("b", 0.0), meter.spend("a", 0.0)] == [True, True, False]


def test_the_factor_is_for_addresses_alone() -> None:
    gauges = Gauges(Limits(factor=3, tables=Rate(2, 1)))
    assert gauges.tables.rate == Rate(6, 3)
    assert gauges.limits.messages == Limits().messages


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("a socket file", "a socket file"),
    ],
)
def test_one_client(address: str, counted: str) -> None:
    assert one_client(address) == counted


# --- sockets --------------------------------------------------------------------------------------------------------


def test_a_socket_that_says_nothing_is_closed(strict: Serving) -> None:
    assert refusal(opened(strict.url)) == ("bad_message", 1008)


def test_too_many_sockets_of_one_address(strict: Serving) -> None:
    table = new_table(strict.url, program(strict.url), rules="tiny", public=True)
    watching = [Player(strict.url, table["table"]) for _ in range(6)]
    assert all(player.receive()["type"] == "snapshot" for player in watching)
    assert refusal(opened(strict.url)) == ("too_fast", 1013)
    watching[0].close()
    freed = Player(strict.url, table["table"])
    assert freed.receive()["type"] == "snapshot"


def test_a_flood_is_answered_with_a_reason_and_then_cut_off(strict: Serving) -> None:
    _, players = pair(strict.url)
    flooding, other = players
    with suppress(ConnectionClosed):
        for _ in range(2_000):
            flooding.send("ping")
    assert refusal(flooding.socket) == ("too_fast", 1008)
    assert other.ask("ping")["type"] == "pong", "the others notice nothing"


def test_a_refusal_says_which_command_was_too_fast(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(factor=1000, messages=Rate(3, 0.5))) as server:
        _, players = pair(server.url)
        marks = ["m0", "m1", "m2", "m3"]
        for mark in marks:
            players[0].send("ping", id=mark)
        answers = [players[0].receive() for _ in marks]
    assert [answer["id"] for answer in answers] == marks
    assert [answer["type"] for answer in answers] == ["pong", "pong", "pong", "refused"]
    assert answers[-1]["code"] == "too_fast"


def test_a_message_that_is_none_is_refused_with_its_mark_too(strict: Serving) -> None:
    _, players = pair(strict.url)
    assert players[0].ask("fly")["code"] == "bad_message"


def test_who_keeps_to_the_limit_is_never_refused(strict: Serving) -> None:
    _, players = pair(strict.url)
    assert {players[0].ask("ping")["type"] for _ in range(5)} == {"pong"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (json.dumps({"type": "say", "phrase": "x" * 9_000}), "too_large"),
        ("[" * 9_000, "too_large"),
        ("[" * 8_000, "bad_message"),
        ('{"type":"say","phrase":"\\ud800"}', "bad_message"),
    ],
)
def test_large_and_deep_messages_are_refused_and_the_socket_goes_on(tmp_path: Path, text: str, code: str) -> None:
    with serving(tmp_path) as server:
        _, players = pair(server.url)
        players[0].socket.send(text)
        assert players[0].receive()["code"] in (code, "no_such_phrase")
        assert players[0].ask("ping")["type"] == "pong"


def test_huge_and_binary_messages_close_the_socket(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        _, players = pair(server.url)
        with suppress(ConnectionClosed):
            players[0].socket.send("x" * 1_000_000)
        assert refusal(players[0].socket) == ("", 1009)
        players[1].socket.send(b"{}")
        assert refusal(players[1].socket) == ("bad_message", 1008)


# --- requests -------------------------------------------------------------------------------------------------------


def test_too_many_requests_players_and_tables(tmp_path: Path) -> None:
    limits = Limits(requests=Rate(12, 0.01), players=Rate(2, 0.01), tables=Rate(1, 0.01))
    with serving(tmp_path, limits) as server:
        client = guest(server.url)
        assert client.post("/api/tables", json={}).status_code == 201
        table = client.post("/api/tables", json={})
        assert browser(server.url).post("/api/me", json={}).status_code == 200
        player = browser(server.url).post("/api/me", json={})
        answers = [client.get("/api/rules") for _ in range(12)]
        for answer in (table, player, answers[-1]):
            assert (answer.status_code, answer.json()["code"]) == (429, "too_fast")
            assert int(answer.headers["retry-after"]) > 10
        assert answers[0].status_code == 200


def test_guessing_codes_is_slow(strict: Serving) -> None:
    client = browser(strict.url)
    answers = [client.post("/api/transfer", json={"code": f"WRONG{n}"}) for n in range(4)]
    assert [answer.status_code for answer in answers] == [404, 404, 404, 429]
    assert client.get("/api/invites/WRONG").status_code == 429
    table = new_table(strict.url, program(strict.url), rules="tiny")
    assert refusal(Player(strict.url, table["table"], code=table["code"]).socket) == ("too_fast", 1008)


# --- clients that do not do their part ------------------------------------------------------------------------------


@contextmanager
def raw_socket(server: Serving, table: str) -> Iterator[plain.socket]:
    """A socket whose owner has said hello and reads nothing; its buffer is small."""
    import base64

    host, port = server.url.removeprefix("http://").split(":")
    with plain.socket() as socket:
        socket.setsockopt(plain.SOL_SOCKET, plain.SO_RCVBUF, 4_096)
        socket.settimeout(PATIENCE)
        socket.connect((host, int(port)))
        key = base64.b64encode(b"0" * 16).decode()
        socket.sendall(
            f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        hello = json.dumps({"type": "hello", "protocol": 1, "table": table}).encode()
        assert len(hello) < 126
        socket.sendall(bytes([0x81, 0x80 | len(hello)]) + b"\0\0\0\0" + hello)
        yield socket


def gone(server: Serving, sockets: int) -> bool:
    """Whether only so many sockets are left, after as long as a test waits."""
    import time

    until = time.monotonic() + PATIENCE
    with httpx.Client(base_url=server.url) as client:
        while time.monotonic() < until:
            if client.get("/health").json()["sockets"] <= sockets:
                return True
    return False


def test_a_client_that_reads_nothing_is_cut_off_and_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SocketProtocol, "slowest", 0.5)
    with serving(tmp_path, FREE) as server:
        table, players = started(server.url, public=True)
        with raw_socket(server, table["table"]):
            watched = gone_now(server, 2)
            for number in range(3_000):  # each of them tells the whole table: far more than buffers hold
                together(players, players[0].do("lock", on=number % 2 == 0))
                if number % 50 == 0 and gone_now(server, 2):
                    break
            assert not watched
            assert gone(server, 2)
            assert players[1].ask("ping")["type"] == "pong"


def gone_now(server: Serving, sockets: int) -> bool:
    """Whether only so many sockets are left."""
    return bool(httpx.get(f"{server.url}/health").json()["sockets"] <= sockets)


def test_a_half_open_socket_is_noticed(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.uvicorn.config.ws_ping_interval = server.uvicorn.config.ws_ping_timeout = 0.3
        table, _ = started(server.url, public=True)
        with raw_socket(server, table["table"]):
            assert gone(server, 2), "whoever answers no ping is gone"
