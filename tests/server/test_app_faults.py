"""A server that is killed in every phase and in the midst of commands: nothing acknowledged is lost or done twice."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from bigpepper import notation
from bigpepper.server import fairness
from server.app_client import Player, chosen, finish, new_table, pair, started, step, together, turn_of
from server.app_serving import bearer, process, program


def again(url: str, player: Player, **hello: Any) -> Player:
    """The same player on a new socket."""
    return Player(url, player.table["id"], player.token, **hello)


def log_of(folder: Path, table: str) -> list[dict[str, Any]]:
    """What has happened at a table, straight from the database; checks that no number is missing."""
    with sqlite3.connect(f"file:{folder / 'tables.sqlite'}?mode=ro", uri=True) as database:
        rows = database.execute("SELECT seq, data FROM events WHERE table_id = ? ORDER BY seq", (table,)).fetchall()
    database.close()
    assert [seq for seq, _ in rows] == list(range(1, len(rows) + 1))
    return [json.loads(data) for _, data in rows]


# --- every phase ----------------------------------------------------------------------------------------------------


def _bid(players: list[Player]) -> None:
    while players[0].seen["phase"] == "auction":
        step(players, Random(0))


def _second_round(players: list[Player]) -> None:
    while players[0].table["scores"] == [0, 0] or players[0].seen["round"].get("acts"):
        step(players, Random(1))
        if players[0].table["phase"] == "finished":
            return


def _tell(players: list[Player], type: str, **command: Any) -> None:
    together(players, players[0].do(type, **command))


def _ask_undo(players: list[Player]) -> None:
    player = turn_of(players)
    together(players, player.do("act", n=player.n, action="pass"))
    together(players, player.do("undo", n=player.n))


def _rematch(players: list[Player]) -> None:
    finish(players, Random(2))
    _tell(players, "rematch")


PHASES: Final[dict[str, Callable[[list[Player]], None]]] = {
    "auction": lambda players: None,
    "after a bid": lambda players: step(players, Random(0)),
    "play": _bid,
    "second round": _second_round,
    "paused": lambda players: _tell(players, "pause"),
    "undo": _ask_undo,
    "finished": lambda players: finish(players, Random(3)),
    "rematch": _rematch,
}


def test_a_kill_in_any_phase_changes_nothing(tmp_path: Path) -> None:
    with process(tmp_path) as server:
        tables: dict[str, list[Player]] = {"open": pair(server.url)[1]}
        for phase, reach in PHASES.items():
            tables[phase] = started(server.url)[1]
            reach(tables[phase])
        with_bot = _against_a_bot(server.url)
        server.kill()
        server.start()
        for phase, players in tables.items():
            tables[phase] = [again(server.url, player) for player in players]
            for before, after in zip(players, tables[phase], strict=True):
                assert after.receive()["type"] == "snapshot"
                assert (after.seq, after.n, after.seen) == (before.seq, before.n, before.seen), phase
                assert _facts(after) == _facts(before), phase
        _go_on(tables)
        _play_on(again(server.url, with_bot))


def _facts(player: Player) -> dict[str, Any]:
    """What he knows of the table, without what the event of an action does not tell."""
    return {key: value for key, value in player.table.items() if key not in ("turn_at", "undoable")}


def _against_a_bot(url: str) -> Player:
    """A table at which it is a bot's turn."""
    token = program(url)
    table = new_table(url, token, rules="tiny", seats=["me", "novice"])
    player = Player(url, table["table"], token)
    player.receive()
    player.until(player.do("start"))
    if player.legal:
        player.until(player.do("act", n=player.n, action=player.legal[0]))
    return player


def _play_on(player: Player) -> None:
    """Play until the bot has acted again: it is awake."""
    random = Random(5)
    player.receive()
    while not any(frame.get("by") == "bot" for frame in player.frames):
        if player.legal:
            player.until(player.do("act", n=player.n, action=chosen(player, random)))
        else:
            player.receive()


def _go_on(tables: dict[str, list[Player]]) -> None:
    """Play all of them to their ends."""
    _tell(tables["open"], "start")
    _tell(tables["rematch"], "start")
    _tell(tables["paused"], "resume")
    for players in tables.values():
        finish(players, Random(4))
        assert players[0].table["how"] == "finished"


# --- in the midst of commands ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kills", [6, pytest.param(100, marks=pytest.mark.soak)])
def test_what_was_acknowledged_is_in_the_log_and_nothing_is_there_twice(tmp_path: Path, kills: int) -> None:
    random = Random(kills)
    with process(tmp_path) as server:
        tables = [started(server.url)[1] for _ in range(3)]
        for _ in range(kills):
            for players in tables:
                for _ in range(random.randrange(4)):
                    _step_on(players, random)
            flying = [_flying(players, random) for players in tables]
            server.kill()
            server.start()
            tables = [_back(server.url, players, act) for players, act in zip(tables, flying, strict=True)]
        for players in tables:
            finish(players, random)
            _check_record(server.url, players[0])
        server.interrupt()
    for players in tables:
        log = log_of(tmp_path, players[0].table["id"])
        steps = [event["n"] for event in log if event["kind"] in ("acted", "claimed", "undone")]
        assert steps == list(range(players[0].n))


def _step_on(players: list[Player], random: Random) -> None:
    """One action, in another game where one is over."""
    if players[0].table["phase"] == "finished":
        _tell(players, "rematch")
        _tell(players, "start")
    step(players, random)


class _Act:
    """An action on its way when the server is killed."""

    def __init__(self, player: Player, action: str, acknowledged: bool) -> None:
        self.seat = player.you["seat"]
        self.n = player.n
        self.action = action
        self.acknowledged = acknowledged


def _flying(players: list[Player], random: Random) -> _Act:
    """Send an action; wait for its answer, or do not."""
    if players[0].table["phase"] == "finished":
        _tell(players, "rematch")
        _tell(players, "start")
    player = turn_of(players)
    act = _Act(player, chosen(player, random), random.random() < 0.5)
    player.send("act", id="flying", n=act.n, action=act.action)
    while act.acknowledged and player.receive().get("id") != "flying":
        pass
    return act


def _back(url: str, players: list[Player], act: _Act) -> list[Player]:
    """The players again, one by a snapshot and one by what he has missed; the action is sent again."""
    knew = players[1].seq
    one, other = again(url, players[0]), again(url, players[1], since=knew)
    other.table, other.seen, other.you = players[1].table, players[1].seen, players[1].you
    one.receive()
    other.receive()
    other.until(one.seq)
    stored = one.n - act.n
    assert stored == 1 if act.acknowledged else stored in (0, 1)
    assert (one.seq, one.n, _facts(one)) == (other.seq, other.n, _facts(other) | {"code": one.table["code"]})
    back = [one, other]
    answer = back[act.seat].ask("act", n=act.n, action=act.action)
    assert (answer["type"], answer.get("code")) == (("refused", "duplicate") if stored else ("done", None))
    together(back, answer.get("seq", one.seq))
    return back


def _check_record(url: str, player: Player) -> None:
    """Every deal of the game follows from its secret: nothing was dealt anew."""
    path = f"{url}/api/tables/{player.table['id']}/record.pep"
    record = notation.loads(httpx.get(path, headers=bearer(player.token or "")).text)
    assert fairness.verify(record) == len(record.rounds)


# --- a clean end ----------------------------------------------------------------------------------------------------


def test_ctrl_c_ends_it_with_sockets_open_and_a_restart_goes_on(tmp_path: Path) -> None:
    with process(tmp_path) as server:
        players = started(server.url)[1]
        status, said = server.interrupt()
        assert (status, said.strip()) == (0, "Stopped.")
        with pytest.raises(ConnectionClosed):
            players[0].receive()
        assert players[0].socket.close_code == 1012
        server.start()
        players = [again(server.url, player) for player in players]
        for player in players:
            player.receive()
        finish(players, Random(6))
