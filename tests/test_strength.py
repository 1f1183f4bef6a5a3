"""`make strength`: the page is what its results make of it, and sections are measured, stopped and gone on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import bigpepper as bp
from bigpepper import bots
from bigpepper.arena import Goal, Match, Sprt
from bigpepper.arena.duplicate import Outcome, Shares
from bigpepper.arena.entrants import entrant
from bigpepper.arena.selfplay import THROWN_IN, Count, SelfPlay, counts_of, total
from tools.strength import folder, plan
from tools.strength.__main__ import main
from tools.strength.page import holds, page, percent, points
from tools.strength.sections import SECTIONS, gap_closed


def test_the_page_is_up_to_date() -> None:
    assert folder.PAGE.read_text("utf-8") == page(), "python -m tools.strength --page"


def test_every_bot_that_is_to_be_measured_is_there() -> None:
    for spec in (*plan.LADDER, *plan.WORLDS, *plan.PARTS.values(), plan.REFERENCE):
        assert bots.load(spec) == bots.load(spec)


@pytest.mark.parametrize(
    ("accepted", "low", "said"),
    [
        ("H1", 0.3, "yes"),
        (None, 0.51, "by games"),
        ("H0", 0.51, "by games"),
        ("H0", 0.49, "**no**"),
        (None, 0.49, "**undecided**"),
    ],
)
def test_a_rung_holds_by_points_or_else_by_games(accepted: str | None, low: float, said: str) -> None:
    assert holds(accepted, {"mean": 0.6, "low": low, "high": 0.7}) == said


def test_without_games_points_alone_tell() -> None:
    assert holds(None, None) == "**undecided**"


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Small sections of tiny, in a folder of their own."""
    monkeypatch.setattr(folder, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(folder, "PAGE", tmp_path / "strength.md")
    monkeypatch.setattr(folder, "ROOT", tmp_path)
    monkeypatch.setattr(plan, "LADDER", ("first", "random", "novice"))
    monkeypatch.setattr(plan, "RULEBOOKS", ("tiny",))
    monkeypatch.setattr(plan, "OF_ORACLE", ("tiny",))
    monkeypatch.setattr(plan, "OF_BUDGETS", "tiny")
    monkeypatch.setattr(plan, "WORLDS", ("first", "novice"))
    monkeypatch.setattr(plan, "PARTS", {"a part": "expert:plays=2"})
    monkeypatch.setattr(plan, "SELF_GAMES", 5)
    for name in ("LADDER_GOAL", "ORACLE_GOAL", "BUDGET_GOAL"):
        monkeypatch.setattr(plan, name, Goal(24, 2))
    monkeypatch.setattr(plan, "LADDER_TEST", Sprt.of(h1=0.5))
    return tmp_path


def measured(small: Path, section: str, minutes: float = 5) -> dict[str, Any]:
    assert main([section, "--processes", "1", "--minutes", str(minutes)]) == 0
    data: dict[str, Any] = json.loads((small / "results" / f"{section}.json").read_text())
    return data


@pytest.mark.parametrize("section", [name for name in SECTIONS if name != "oracle"])
def test_every_section_is_measured_and_told(section: str, small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = measured(small, section)
    told = (small / "strength.md").read_text()
    assert f"by `make strength-{section}`" in told
    assert told.count("Not measured yet") == len(SECTIONS) - 1
    assert data["section"] == section
    if section == "ladder":
        assert [match["bots"] for match in data["matches"]] == [["random", "first"], ["novice", "random"]]
    if section == "worlds":
        assert [match["name"] for match in data["matches"]] == ["first", "novice"]


def test_a_section_that_was_stopped_goes_on(small: Path) -> None:
    stopped = measured(small, "bids", minutes=0)
    assert stopped["tables"][0]["games"] == 1
    whole = measured(small, "bids")
    assert whole["tables"][0]["games"] == 5
    assert all(match["deals"] < 24 for match in measured(small, "ladder", minutes=0)["matches"])
    assert all(match["deals"] == 24 for match in measured(small, "ladder")["matches"])


def test_what_is_no_section_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, sentence in ((["luck"], "there is no section luck; there are ladder"), ([], "name sections")):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2
        assert sentence in capsys.readouterr().err


def test_the_part_of_the_gap_that_is_closed() -> None:
    """The oracle is 2 points over novice and 0.5 over the best: three quarters are closed."""
    match = Match(bp.Rules.load("tiny"), ["first", "novice", "random"], Goal(2, 0))
    for i in range(50):
        shares = [Shares(2 + i % 2 - 0.5, 0), Shares(0.5 + (i % 2 - 0.5) / 4, 0), Shares(0, 0)]
        match.tally.add(Outcome([shares], []))
    closed = gap_closed(match)["gap_closed"]
    assert closed["mean"] == pytest.approx(0.75)
    assert closed["low"] == pytest.approx(0.75)
    assert gap_closed(Match(bp.Rules.load("tiny"), ["first", "novice"], Goal(2, 0))) == {}


def test_figures_on_the_page() -> None:
    assert points({"mean": 1.234, "low": -0.5, "high": 3}) == "+1.23 (-0.50 … +3.00)"
    assert percent({"mean": 0.5, "low": 0.25, "high": 1}) == "50.0 (25.0 … 100.0)"
    assert points(None) == percent(None) == "–"


@pytest.mark.parametrize("name", ["pepper-4", "pepper-3", "hasenpfeffer-traditional"])
def test_bids_are_counted_as_they_were_said_and_made(name: str) -> None:
    rules = bp.Rules.load(name)
    work = SelfPlay(rules, entrant("novice"), "count")
    games = [work._game(number) for number in range(2)]
    states = [state for game in games for state in game.rounds]
    counts = work(range(2))
    assert sum(count.contracts for count in counts.values()) == len(states)
    said = [str(turn.action) for state in states for turn in state.history]
    assert all(count.said == said.count(bid) for bid, count in counts.items() if bid != THROWN_IN)
    made = [state for state in states if not state.thrown_in]
    assert sum(count.points for count in counts.values()) == sum(
        state.points_of(state.maker or 0) or 0 for state in made
    )
    assert total(map(counts_of, states)) == counts


def test_a_bid_of_one_round() -> None:
    state = bp.State.new(bp.Rules.load("tiny"), deal=bp.Deal(bp.Rules.load("tiny"), ["KH AS", "AH KS"]), dealer=1)
    for action in ("1", "2", "H", "AH"):
        state = state.apply(action)
    while not state.is_over:
        state = state.apply(state.legal[0])
    assert state.points is not None
    points = state.points
    assert counts_of(state) == {
        "1": Count(said=1),
        "2": Count(1, 1, int(state.tricks_won[1] == 2), points[1], points[0]),
    }
