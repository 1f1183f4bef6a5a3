"""The socket of a real server: hello, following, reconnecting, several sockets a seat, commands that come too late."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from server.app_client import Player, finish, new_table, pair, shaken, started, step, together, turn_of
from server.app_serving import Serving, bearer, guest, program, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server for all tests of this file."""
    with serving(tmp_path_factory.mktemp("socket")) as running:
        yield running


def closed(player: Player) -> int:
    """The code with which the server closes the socket, whatever comes before."""
    with suppress(ConnectionClosed):
        for _ in range(1_000):
            player.receive()
    assert player.socket.close_code is not None
    return player.socket.close_code


# --- hello ----------------------------------------------------------------------------------------------------------


def test_the_first_frame_is_a_snapshot_and_a_game_can_be_played_to_its_end(server: Serving) -> None:
    _, players = started(server.url)
    assert [player.frames[0]["type"] for player in players] == ["snapshot", "snapshot"]
    finish(players, Random(1))
    assert players[0].table["how"] == "finished"
    assert players[0].table["proof"]["secret"]
    assert players[0].table["winners"] == players[1].table["winners"] != []


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"protocol": 2}, "other_protocol"),
        ({"table": "nowhere"}, "no_such_table"),
        ({"token": "nobody's"}, "bad_token"),
        ({"code": "WRONG"}, "not_invited"),
        ({"since": -1}, "bad_message"),
        ({"type": "ping"}, "bad_message"),
        ({"type": "act", "n": 0, "action": "pass"}, "bad_message"),
    ],
)
def test_a_wrong_hello_is_answered_with_a_reason_and_closed(
    server: Serving, hello: dict[str, object], code: str
) -> None:
    table = new_table(server.url, program(server.url), rules="tiny")
    player = Player(server.url, **{"table": table["table"], **hello})
    frame = player.receive()
    assert (frame["type"], frame["code"]) == ("refused", code)
    assert frame["message"].endswith(".")
    assert closed(player) == 1008


def test_hello_once_only(server: Serving) -> None:
    table, players = pair(server.url)
    assert players[0].ask("hello", protocol=1, table=table["table"])["code"] == "bad_message"
    assert players[0].ask("ping")["type"] == "pong"


def test_a_guest_is_known_by_his_cookie(server: Serving) -> None:
    client = guest(server.url, "Berta")
    table = client.post("/api/tables", json={"rules": "tiny", "seats": ["me", "novice"]}).json()
    cookie = f"bp={client.cookies['bp']}"
    player = Player(server.url, table["table"], headers={"Cookie": cookie, "Origin": server.url})
    player.receive()
    assert player.you["seat"] == 0
    assert player.table["seats"][0]["name"] == "Berta"


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://127.0.0.1:1", "http://localhost"])
def test_a_page_of_somebody_else_gets_no_socket(server: Serving, origin: str) -> None:
    answer = shaken(server.url, Origin=origin)
    assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")


def test_a_forged_cookie_makes_a_spectator(server: Serving) -> None:
    client = guest(server.url)
    table = client.post("/api/tables", json={"rules": "tiny", "seats": ["me"], "public": True}).json()
    value = client.cookies["bp"]
    for forged in (value[:-1] + ("0" if value[-1] != "0" else "1"), value.partition(".")[0], "x", "..", "a.b.c"):
        player = Player(server.url, table["table"], headers={"Cookie": f"bp={forged}"})
        player.receive()
        assert "seat" not in player.you
        assert "code" not in player.table
        assert player.ask("take", seat=1)["code"] == "not_your_seat"
    player = Player(server.url, table["table"], headers={"Cookie": f"__Host-bp={value}"})
    player.receive()
    assert "seat" not in player.you, "over plain http the name of the cookie over https counts for nothing"


# --- following ------------------------------------------------------------------------------------------------------


def test_whoever_was_away_gets_the_events_since_then(server: Serving) -> None:
    table, players = started(server.url)
    random = Random(2)
    step(players, random)
    gone = players[1].seq
    players[1].close()
    for phrase in ("hello", "moment", "sorry"):
        players[0].until(players[0].do("say", phrase=phrase))
    again = Player(server.url, table["table"], players[1].token, since=gone)
    again.until(gone + 3)
    assert [(frame["type"], frame.get("seq")) for frame in again.frames] == [("event", gone + n) for n in (1, 2, 3)]
    assert [frame["phrase"] for frame in again.frames] == ["hello", "moment", "sorry"]


@pytest.mark.parametrize("since", [0, 10**6])
def test_whoever_knows_too_little_or_too_much_gets_a_snapshot(server: Serving, since: int) -> None:
    table, players = started(server.url)
    again = Player(server.url, table["table"], players[0].token, since=since)
    assert again.receive()["type"] == "snapshot"
    assert (again.seq, again.n, again.seen) == (players[0].seq, players[0].n, players[0].seen)


def test_a_seat_is_followed_from_several_sockets(server: Serving) -> None:
    table, players = started(server.url)
    player = turn_of(players)
    second = Player(server.url, table["table"], player.token)
    second.receive()
    assert second.seen == player.seen
    n, action = player.n, player.legal[0]
    together([*players, second], second.do("act", n=n, action=action))
    assert second.seen == player.seen
    assert player.ask("act", n=n, action=action)["code"] == "duplicate"


def test_commands_that_come_twice_too_late_or_too_early_change_nothing(server: Serving) -> None:
    _, players = started(server.url)
    player = turn_of(players)
    other = next(one for one in players if one is not player)
    n, action = player.n, player.legal[0]
    assert other.ask("act", n=n, action=action)["code"] == "not_your_turn"
    assert player.ask("act", n=n + 1, action=action)["code"] == "ahead"
    assert player.ask("act", n=n, action="9C-9C")["code"] == "illegal"
    seq = player.do("act", n=n, action=action)
    together(players, seq)
    assert player.ask("act", n=n, action=action)["code"] == "duplicate"
    assert other.ask("act", n=n, action=action)["code"] == "stale"
    assert [one.ask("ping")["type"] for one in players] == ["pong", "pong"]
    assert player.seq == other.seq == seq


def test_spectators_see_no_hand_and_cannot_act(server: Serving) -> None:
    table, players = started(server.url, public=True)
    watcher = Player(server.url, table["table"])
    watcher.receive()
    assert watcher.seen["hand"] == []
    assert watcher.seen["legal"] == []
    hands = {card for player in players for card in player.seen["hand"]}
    assert len(hands) == 4
    assert not [card for card in hands if f"'{card}'" in str(watcher.frames)]
    assert watcher.ask("act", n=watcher.n, action="1")["code"] == "not_your_seat"


def test_a_table_that_becomes_private_is_seen_no_more(server: Serving) -> None:
    table, players = pair(server.url, public=True)
    watcher = Player(server.url, table["table"])
    invited = Player(server.url, table["table"], code=table["code"])
    watcher.receive()
    invited.receive()
    seq = players[0].do("visibility", public=False)
    assert watcher.receive()["code"] == "not_invited"
    assert closed(watcher) == 1000
    invited.until(seq)
    assert invited.table["public"] is False


def test_words_come_only_where_they_are_wanted(server: Serving) -> None:
    table, players = started(server.url)
    dumb = Player(server.url, table["table"], players[0].token, words=False)
    talking = Player(server.url, table["table"], players[0].token)
    assert "words" not in dumb.receive()
    assert talking.receive()["words"]["turn"].endswith(".")


def test_the_record_of_a_running_game_is_the_askers_view(server: Serving) -> None:
    table, players = started(server.url)
    url = f"{server.url}/api/tables/{table['table']}/record.pep"
    texts = [httpx.get(url, headers=bearer(player.token or "")).text for player in players]
    for seat, (player, text) in enumerate(zip(players, texts, strict=True)):
        assert f"Hand {seat}: {' '.join(player.seen['hand'])}" in text
        assert f"Hand {1 - seat}: ? ?" in text
        assert "Secret" not in text
    assert httpx.get(url).status_code == 403
