"""Nonsense, sent to a real server: never a 500, never a crash, never a card of somebody else, and always an answer."""

from __future__ import annotations

import json
import logging
import string
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.exceptions import ConnectionClosed

from server.app_client import Frame, Player, chosen, started, together, turn_of
from server.app_serving import Serving, bearer, browser, program, serving

ROUNDS: Final = 1_500
"""Messages of the fuzzer in a normal run."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server for all tests of this file."""
    with serving(tmp_path_factory.mktemp("fuzz")) as running:
        yield running


@pytest.fixture(autouse=True)
def nothing_failed(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No request and no socket may fail inside of the server."""
    yield
    ours = [record for record in caplog.get_records("call") if record.name.startswith(("bigpepper", "uvicorn"))]
    assert not [record for record in ours if record.levelno >= logging.ERROR]


# --- the socket -----------------------------------------------------------------------------------------------------

_KINDS: Final = (
    "hello", "ping", "act", "claim", "undo", "answer_undo", "say", "seed", "take", "leave", "swap", "bot", "open",
    "lock", "remove", "visibility", "pause", "resume", "rematch", "clock", "back", "start", "nonsense",
)  # fmt: skip
_FIELDS: Final = (
    "n", "action", "tricks", "split", "yes", "phrase", "word", "seat", "a", "b", "name", "on", "public", "seconds",
    "protocol", "table", "token", "code", "since", "id", "language", "type",
)  # fmt: skip


def value(random: Random, depth: int = 0) -> Any:
    """Anything that JSON can say."""
    kinds: list[Any] = [
        lambda: random.choice([None, True, False]),
        lambda: random.choice([-1, 0, 1, 2, 3, 4, 8, 2**31, 2**63, 10**30, 0.5, -1e300]),
        lambda: "".join(random.choices(string.printable + "é♠\u202e", k=random.choice([0, 1, 3, 70]))),
        lambda: random.choice(["pass", "1", "H", "KS", "discard-KH", "defend", "novice", "hello", "en"]),
    ]
    if depth < 3:
        kinds.append(lambda: [value(random, depth + 1) for _ in range(random.randrange(4))])
        kinds.append(lambda: {random.choice(_FIELDS): value(random, depth + 1) for _ in range(random.randrange(4))})
    return random.choice(kinds)()


def text(random: Random, player: Player) -> str:
    """A message of the fuzzer: nearly right, of the right kind, or no JSON at all."""
    message = {"type": random.choice(_KINDS), "n": player.n}
    message |= {random.choice(_FIELDS): value(random) for _ in range(random.randrange(5))}
    if random.random() < 0.3:
        message["type"] = random.choice(_KINDS)
    line = json.dumps(message)
    if random.random() < 0.2:
        cut = random.randrange(len(line))
        line = line[:cut] + random.choice(["", "}", "\0", "🂡", "[" * 50]) + line[cut + random.randrange(3) :]
    return line


def cards_told(frame: Frame, known: set[str]) -> set[str]:
    """The cards that a frame tells about the round being played, without what stands in the rules."""
    seen = frame.get("observation", {})
    told = {key: part for key, part in seen.items() if key in ("hand", "widow", "discarded", "legal")}
    return {card for card in known if f'"{card}"' in json.dumps(told)}


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_sent_is_answered_and_betrays_nothing(server: Serving, seed: int) -> None:
    random = Random(seed)
    table, players = started(server.url, public=True)
    fuzzer = Player(server.url, table["table"])  # a spectator with no right to anything
    fuzzer.receive()
    sent = 0
    while sent < ROUNDS // 3:
        try:
            fuzzer.socket.send(text(random, fuzzer))
            sent += 1
            frame = fuzzer.receive()
            assert frame["type"] in ("refused", "pong", "event", "snapshot", "done"), frame
            assert not cards_told(frame, {"KH", "AH", "KS", "AS"}) or frame["observation"]["phase"] == "over"
        except ConnectionClosed:
            fuzzer = Player(server.url, table["table"])
            fuzzer.receive()
        if sent % 50 == 0 and players[0].table["phase"] == "playing":
            player = turn_of(players)
            together(players, player.do("act", n=player.n, action=chosen(player, random)))
    assert players[0].ask("ping")["type"] == "pong"
    assert browser(server.url).get("/health").json()["status"] == "ok"


@pytest.mark.parametrize("seed", range(3))
def test_a_fuzzer_on_a_seat_only_ever_does_what_is_legal(server: Serving, seed: int) -> None:
    random = Random(seed)
    _, (victim, fuzzer) = started(server.url)
    for _ in range(ROUNDS // 3):
        fuzzer.socket.send(text(random, fuzzer))
        frame = fuzzer.receive()
        if frame.get("observation", {}).get("phase") not in (None, "over"):
            victim.until(frame["seq"])
            assert victim.seq > frame["seq"] or not set(frame["observation"]["hand"]) & set(victim.seen["hand"])
    assert victim.ask("ping")["type"] == "pong"
    seats = {seat["kind"] for seat in victim.table["seats"]}
    assert seats <= {"program", "open"}, "only the host can put a bot on a seat"


# --- HTTP -----------------------------------------------------------------------------------------------------------

CHECKS: Final = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
BOUND: Final = settings(
    max_examples=25, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


def test_requests_by_the_openapi_get_answers_by_the_openapi(server: Serving) -> None:
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert {operation.label for operation in operations} >= {"GET /api/me", "POST /api/tables/{table_id}/commands"}
    for operation in operations:

        @BOUND
        @given(case=operation.as_strategy())
        def check(case: Any) -> None:
            case.call_and_validate(headers={"Origin": server.url}, checks=list(CHECKS))

        check()


def test_bodies_that_are_no_json(server: Serving) -> None:
    random = Random(7)
    client = browser(server.url)
    client.headers.update(bearer(program(server.url)))
    paths = ["/api/me", "/api/tables", "/api/transfer", "/api/programs", "/api/verify", "/api/tables/x/commands"]
    kinds = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x"]
    for _ in range(150):
        body = random.choice([random.randbytes(40), json.dumps(value(random)).encode(), b"", b"{}", b"\xff"])
        answer = client.post(random.choice(paths), content=body, headers={"Content-Type": random.choice(kinds)})
        assert answer.status_code < 500, answer.text
