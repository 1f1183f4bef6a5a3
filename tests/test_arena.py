"""The arena: the same cards for both bots, the same result whatever the way there, and what it finds is so."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice, permutations, product
from pathlib import Path
from typing import Any

import pytest

import bigpepper as bp
from bigpepper.actions import Action
from bigpepper.arena import Entrant, Estimate, Goal, Match, Measure, Sprt, duel, play_match
from bigpepper.arena.duplicate import Duplicate, Task, seatings
from bigpepper.arena.entrants import entrants
from bigpepper.arena.oracle import best_cards, card_values, oracle
from bigpepper.bots.random import Random
from bigpepper.options import shown
from bigpepper.solve import solve
from bigpepper.state import State

TINY = bp.Rules.load("tiny")


def other_random(seed: int) -> Random:
    """`random` with other dice: as strong, and not the same."""
    return Random(seed + 1)


def contains(estimate: Estimate | None, value: float) -> bool:
    assert estimate is not None
    return estimate.low <= value <= estimate.high


# --- the same cards for both ----------------------------------------------------------------------------------------


@dataclass
class Spy:
    """A player who notes what he is dealt, and plays the first action."""

    name: str
    notes: list[tuple[str, State, int]]

    def act(self, state: State, seat: int) -> Action:
        if not state.history:
            self.notes.append((self.name, state, seat))
        return state.legal[0]


def spied(rules: bp.Rules, names: str, task: Task) -> list[tuple[str, State, int]]:
    """Who spoke first in each round, and the round."""
    notes: list[tuple[str, State, int]] = []

    def enter(name: str) -> Entrant:
        return Entrant(name, lambda seed: Spy(name, notes))

    Duplicate(rules, tuple(map(enter, names)), "spies")(task)
    return notes


@pytest.mark.parametrize(("sides", "ways"), [(2, 2), (3, 6)])
def test_a_pair_is_seated_in_every_way_in_which_both_take_part(sides: int, ways: int) -> None:
    found = seatings(sides)
    assert len(found) == len(set(found)) == ways
    assert all({0, 1} == set(seating) for seating in found)
    assert all(tuple(1 - bot for bot in seating) in found for seating in found)


@pytest.mark.parametrize("name", ["pepper-4", "pepper-3", "pepper-2"])
def test_every_seating_and_every_pairing_gets_the_same_deals(name: str) -> None:
    rules = bp.Rules.load(name)
    notes = spied(rules, "ABC", Task(range(6), range(0)))
    by_deal: dict[tuple[object, int], list[str]] = {}
    for who, state, _ in notes:
        by_deal.setdefault((state.deal, state.dealer), []).append(who)
    assert [dealer for _, dealer in by_deal] == [i % rules.players for i in range(6)]
    for speakers in by_deal.values():
        assert sorted(speakers) == sorted("ABC" * (2 * len(seatings(rules.sides)) // 2))


def test_the_series_of_deals_of_a_game_is_the_same_from_both_seatings() -> None:
    rules = bp.Rules.load("pepper-4").replace(all_pass="stick-dealer")
    notes = spied(rules, "AB", Task(range(0), range(1)))
    first = next(i for i, note in enumerate(notes) if i and note[1].deal == notes[0][1].deal)
    series = [[(state.deal, state.dealer) for _, state, _ in part] for part in (notes[:first], notes[first:])]
    assert len(series[0]) > 1
    assert all(one == two for one, two in zip(*series, strict=False))


def test_bots_see_observations_only() -> None:
    seen: list[object] = []

    class Watcher:
        def __init__(self, seed: int) -> None:
            self.seed = seed

        def act(self, observation: Any) -> Action:
            seen.append(observation)
            action: Action = observation.legal[0]
            return action

    duel(TINY, (Watcher, "random"), deals=2, games=0, processes=1)
    assert {type(sight) for sight in seen} == {bp.Observation}


# --- what it finds is so --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pepper-4", "pepper-3", "hasenpfeffer-traditional", "pepper-2"])
@pytest.mark.parametrize("bot", ["novice", "random"])
def test_a_bot_against_itself_is_exactly_even(name: str, bot: str) -> None:
    """A seat's seed does not depend on who sits there, so that the cards cancel and nothing is left."""
    result = duel(bp.Rules.load(name).replace(round_limit=4), (bot, bot), deals=4, games=2, processes=1)
    assert result.points is not None
    assert result.points[:3] == pytest.approx((0, 0, 0), abs=1e-9)
    assert result.games_won is not None
    assert result.games_won.mean == pytest.approx(0.5)
    assert result.bots == (f"{bot} #1", f"{bot} #2")


def test_equal_bots_with_other_dice_are_even_within_the_interval() -> None:
    """95 % of the intervals contain 0; of 60 at least 52 do, but for one time in 200."""
    results = [
        duel(TINY, ("random", other_random), deals=40, games=0, seed=f"null {i}", processes=1) for i in range(60)
    ]
    assert all(result.points and result.points.low < result.points.high for result in results)
    assert sum(contains(result.points, 0) for result in results) >= 52


def test_a_known_difference_is_found() -> None:
    """`random` against `first` on tiny, over all deals, dealers and seatings: the true mean lies in the interval."""
    values = []
    for hands, dealer in product(_all_deals(), range(2)):
        for seat in range(2):
            points = _expected(State.new(TINY, deal=hands, dealer=dealer), seat)
            values.append(points[seat] - points[1 - seat])
    truth = sum(values) / len(values)
    result = duel(TINY, ("random", "first"), deals=1500, games=0, processes=1)
    assert result.points is not None
    assert abs(truth) > 0.2
    assert contains(result.points, truth)
    assert not contains(result.points, 0)
    assert result.points.high - result.points.low < 0.3


def _all_deals() -> Iterator[bp.Deal]:
    seen = set()
    for i in range(400):
        deal = bp.Deal.random(TINY, i)
        if deal not in seen:
            seen.add(deal)
            yield deal
    assert len(seen) == 6


def _expected(state: State, seat: int) -> list[float]:
    """Points a side when `seat` plays at random and the other seat the first action."""
    if state.points is not None:
        return list(state.points)
    branches = state.legal if state.turn == seat else state.legal[:1]
    after = [_expected(state.apply(action), seat) for action in branches]
    return [sum(part) / len(after) for part in zip(*after, strict=True)]


def test_a_pool_is_rated_in_the_order_of_strength() -> None:
    rules = bp.Rules.load("pepper-2").replace(round_limit=15)
    result = play_match(rules, ["random", "novice", "first"], deals=20, games=12, processes=1)
    assert [one.bot for one in result.ratings] == ["novice", "first", "random"]
    assert sum(one.rating.mean for one in result.ratings) == pytest.approx(0, abs=1e-6)
    assert all(one.rating.low < one.rating.mean < one.rating.high for one in result.ratings)
    assert [pairing.bots for pairing in result.pairings] == [
        ("random", "novice"),
        ("random", "first"),
        ("novice", "first"),
    ]


def test_a_match_tells_the_same_of_a_bot_wherever_it_is_named() -> None:
    def told(bots: tuple[str, ...]) -> dict[str, list[float]]:
        result = play_match(TINY, bots, deals=30, games=12, processes=1)
        return {one.bot: [one.rating.mean, one.rating.low, one.rating.high] for one in result.ratings}

    found = told(("random", "novice", "first"))
    for bots in permutations(found):
        assert told(bots) == {bot: pytest.approx(values, abs=1e-6) for bot, values in found.items()}
        assert list(told(bots)) == list(found)


def test_each_bots_points_make_the_difference() -> None:
    result = duel(bp.Rules.load("pepper-3"), ("novice", "first"), deals=8, games=0, processes=1)
    assert result.points is not None
    assert result.games_won is None
    assert result.pairings[0].each[0] - result.pairings[0].each[1] == pytest.approx(result.points.mean)


# --- the same result, whatever the way there ------------------------------------------------------------------------


def match(path: Path | None = None, sprt: Sprt | None = None, deals: int = 30) -> Match:
    return Match(TINY, ["random", "first"], Goal(deals, 7), seed="way", sprt=sprt, path=path)


def played(one: Match, processes: int = 1) -> Match:
    for _ in one.play(processes):
        pass
    return one


def test_the_same_result_with_any_number_of_processes() -> None:
    one, two = (json.dumps(played(match(), n).result().data()) for n in (1, 2))
    assert one == two
    other = Match(TINY, ["random", "first"], Goal(30, 7), seed="another way")
    assert json.dumps(played(other).result().data()) != one


@pytest.mark.parametrize("steps", [0, 1, 5, 100])
def test_a_match_that_was_stopped_goes_on_to_the_same_result(steps: int, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    half = match(path)
    steady = half.play(1)
    for _ in islice(steady, steps):
        pass
    steady.close()
    again = match(path)
    assert again.tally == half.tally
    assert played(again).result() == played(match()).result()
    assert [file.name for file in tmp_path.iterdir()] == ["match.json"]


def test_a_killed_match_loses_seconds_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is replaced as a whole: when writing fails half way, the old one stands."""
    path = tmp_path / "match.json"
    played(match(path))
    before = path.read_bytes()

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(bp.BigPepperError, match="cannot be written: No space left on device"):
        match(path).save()
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["match.json"]


def test_a_finished_match_can_be_made_longer(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    played(match(path, deals=12))
    longer = played(match(path, deals=30)).result()
    assert (longer.deals, longer.games) == (30, 7)
    assert longer == played(match(deals=30)).result()


def test_a_test_stops_at_the_same_deal_however_it_is_played(tmp_path: Path) -> None:
    sprt = Sprt.of(Measure.POINTS, 0, 1.0)
    whole = played(match(sprt=sprt, deals=400)).result()
    assert whole.verdict is not None
    assert whole.verdict.accepted is not None
    assert 24 <= whole.deals < 400
    assert whole.finished
    assert played(match(sprt=sprt, deals=400), 2).result() == whole
    stopped = match(tmp_path / "match.json", sprt, 400)
    for _ in islice(stopped.play(1), 3):
        pass
    assert played(match(tmp_path / "match.json", sprt, 400)).result() == whole
    assert len(list(match(tmp_path / "match.json", sprt, 400).play(1))) == 0


TESTS = {
    "no test": None,
    "on points": Sprt.of(Measure.POINTS, 0, 1.0),
    "on games": Sprt.of(Measure.GAMES, 0.5, 0.9),
    "undecided": Sprt.of(Measure.POINTS, -0.5, -0.49),
}


@pytest.mark.parametrize("sprt", TESTS.values(), ids=TESTS)
@pytest.mark.parametrize("goal", [Goal(40, 28), Goal(50, 3), Goal(0, 30), Goal(45, 0)], ids=str)
def test_wherever_a_match_is_stopped_it_comes_to_the_same_result(sprt: Sprt | None, goal: Goal, tmp_path: Path) -> None:
    if sprt and goal[list(Measure).index(sprt.measure)] == 0:
        return

    def begun(path: Path | None = None) -> Match:
        return Match(TINY, ["random", "first"], goal, seed="way", sprt=sprt, path=path)

    whole = begun()
    steps = len(list(whole.play(1)))
    for stop in range(steps + 1):
        path = tmp_path / f"{stop}.json"
        with closing(begun(path).play(1)) as part:
            assert len(list(islice(part, stop))) == stop
        again = begun(path)
        assert len(list(again.play(1))) == steps - stop
        assert again.result() == whole.result()
        assert again.tally == whole.tally
    path = tmp_path / "always.json"
    for _ in range(steps):
        with closing(begun(path).play(1)) as part:
            next(part)
    assert begun(path).result() == whole.result()


def test_a_match_that_is_made_longer_is_looked_at_when_a_long_one_is(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    sprt = Sprt.of(Measure.POINTS, 0, 1.0)
    long = played(match(sprt=sprt, deals=400)).result()
    for deals in (10, 14, 23):
        path.unlink(missing_ok=True)
        played(match(path, sprt, deals))
        again = played(match(path, sprt, 400)).result()
        assert (again.verdict, again.deals) == (long.verdict, long.deals)


# --- how it is asked for --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (5, "5"),
        (-7, "-7"),
        (10**40, str(10**40)),
        (b"\x00\xff", "bytes 00ff"),
        (b"", "bytes "),
        ("", ""),
        ("Bärlauch", "Bärlauch"),
    ],
)
def test_a_seed_of_any_kind_is_kept_as_text(given: int | str | bytes, text: str, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    one = duel(TINY, ("random", "first"), deals=8, games=2, seed=given, processes=1, path=path)
    assert one.seed == json.loads(path.read_text("utf-8"))["seed"] == text
    assert duel(TINY, ("random", "first"), deals=8, games=2, seed=given, processes=1, path=path) == one
    assert duel(TINY, ("random", "first"), deals=8, games=2, seed=text, processes=1) == one
    assert json.loads(json.dumps(one.data()))["seed"] == text


def test_what_is_no_seed_is_refused_before_anything_is_played() -> None:
    given: Any
    for given in (None, 1.5, True, ["x"], "\ud800", 10**5000):
        with pytest.raises(bp.InvalidGame, match="This is no seed"):
            Match(TINY, ["random", "first"], Goal(8, 2), seed=given)


def test_a_file_is_named_by_text_or_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    results = [
        duel(TINY, ("random", "first"), deals=8, games=2, processes=1, path=path)
        for path in ("match.json", Path("match.json"), str(tmp_path / "match.json"), tmp_path / "match.json")
    ]
    assert results == [results[0]] * 4
    assert [file.name for file in tmp_path.iterdir()] == ["match.json"]
    wrong: Any
    for wrong in ("", "a\0b", 5, b"match.json", True, ["match.json"]):
        with pytest.raises(bp.BigPepperError, match="given by its path; this is none: "):
            match(wrong)


@pytest.mark.parametrize("given", [0, -3, 1.0, "2", True])
def test_processes_are_one_or_more(given: Any) -> None:
    with pytest.raises(bp.InvalidGame, match=rf"by one process or more; given: \W?{str(given).lower()}\W?\."):
        match().play(given)


def test_a_duel_takes_two() -> None:
    for n in (0, 1, 3, 4):
        bots: Any = ("random",) * n
        with pytest.raises(bp.InvalidGame, match=f"A duel is between two bots; {n} are given"):
            duel(TINY, bots, deals=4, processes=1)
    bots = "novice"
    for play in (duel, play_match):
        with pytest.raises(bp.InvalidGame, match='The bots of a match are a list; given: "novice"'):
            play(TINY, bots, deals=4, processes=1)


@pytest.mark.parametrize("goal", [(1, 1), (0, 0), (-1, 9), (9, -1), (2.5, 2), ("9", 2), (9, True), (None, 9)])
def test_how_much_is_played_is_said_where_it_cannot_be(goal: tuple[Any, Any]) -> None:
    given = " and ".join(shown(n) for n in goal)
    with pytest.raises(bp.InvalidGame, match=f"at least two deals or two games; given: {given}\\."):
        play_match(TINY, ["random", "first"], deals=goal[0], games=goal[1], processes=1)
    wrong: Any = "40"
    with pytest.raises(bp.InvalidGame, match='at least two deals or two games; given: "40" and 0'):
        play_match(TINY, ["random", "first"], deals=wrong, processes=1)


# --- bad input ------------------------------------------------------------------------------------------------------


def test_what_cannot_be_is_said(tmp_path: Path) -> None:
    for bots, goal, sprt, sentence in (
        (["first"], Goal(9, 9), None, "at least two bots"),
        (["first", "nobody"], Goal(9, 9), None, "There is no bot “nobody”"),
        (["first", "random"], Goal(1, 1), None, "at least two deals or two games"),
        (["first", "random"], Goal(-1, 9), None, "at least two deals or two games"),
        (["first", "random", "novice"], Goal(9, 9), Sprt(), "compares two bots; 3 are given"),
        (["first", "random"], Goal(9, 0), Sprt.of(Measure.GAMES), "The test is on games, and none are played."),
    ):
        with pytest.raises(bp.BigPepperError, match=sentence):
            Match(TINY, bots, goal, sprt=sprt)


def test_the_file_of_another_match_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    played(match(path))
    goal = Goal(30, 7)
    for rules, bots, seed, sentence in (
        (TINY, ["random", "novice"], "way", "bots: random, first, here random, novice"),
        (TINY, ["random", "first"], "none", "seed: way, here none"),
        (bp.Rules.load("pepper-2"), ["random", "first"], "way", "rulebook: tiny, here pepper-2"),
        (TINY.replace(target=9), ["random", "first"], "way", "rulebook: "),
    ):
        with pytest.raises(bp.BigPepperError, match=f"holds another match; {sentence}"):
            Match(rules, bots, goal, seed=seed, path=path)
    made = entrants(["random", "first"])[0].make
    played(Match(TINY, [Entrant("a, b", made), Entrant("c", made)], goal, path=tmp_path / "other.json"))
    with pytest.raises(bp.BigPepperError, match="holds another match; bots: a, b, c"):
        Match(TINY, [Entrant("a", made), Entrant("b, c", made)], goal, path=tmp_path / "other.json")
    for content in (b"", b"{}", b"\xff", b'{"format": 1}', b"[" * 2000):
        path.write_bytes(content)
        with pytest.raises(bp.BigPepperError, match="is no file that a match was kept in"):
            match(path)
    with pytest.raises(bp.BigPepperError, match="cannot be written: No such file or directory"):
        played(match(tmp_path / "nowhere" / "match.json"))


# --- the file -------------------------------------------------------------------------------------------------------

SENSELESS_DEALS: list[Any] = [
    *([[]] * 4, [[[1, -1]], []], [[[1, -1]] * 2], [[[1, -1]] * 3, [[1, -1]]]),
    *(
        [[[1e308, 0]]],
        [[[0, -1e308]]],
        [[[1e400, 0]]],
        [[[100_001, 0]]],
        [[["1", 0]]],
        [[[None, 0]]],
        [[[1]]],
        [[1, 2]],
    ),
]
SENSELESS_GAMES: list[Any] = [
    *([[]] * 4, [[[1, 0]], []], [[[1, 0]] * 2]),
    *([[[1.5, -0.5]]], [[[-1, 2]]], [[[1, 1]]], [[[0, 0]]], [[[0.2, 0.2]]], [[[1e308, 0]]], [[[1e308, -1e308]]]),
]


@pytest.mark.parametrize(
    ("part", "rows"), [*(("deals", rows) for rows in SENSELESS_DEALS), *(("games", rows) for rows in SENSELESS_GAMES)]
)
def test_a_file_that_makes_no_sense_is_refused(part: str, rows: Any, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    played(match(path))
    data = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**data, part: rows}), "utf-8")
    with pytest.raises(bp.BigPepperError, match="is no file that a match was kept in"):
        match(path)


@pytest.mark.parametrize("name", ["Infinity", "NaN", "-Infinity"])
def test_a_number_that_is_none_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    played(match(path))
    data = json.loads(path.read_text("utf-8"))
    for part in ("deals", "games"):
        path.write_text(json.dumps({**data, part: [[[float(name), 0]]]}), "utf-8")
        with pytest.raises(bp.BigPepperError, match="is no file that a match was kept in"):
            match(path)


def test_only_an_ordinary_file_is_read_or_written(tmp_path: Path) -> None:
    """A pipe would be waited for, and a device may have no end; neither must be replaced."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    one = match()
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "link"):
        one.path = path
        with pytest.raises(bp.BigPepperError, match="is no ordinary file; a match is kept in one"):
            one.save()
    for path in (Path("/dev/full"), Path("/dev/null"), tmp_path, tmp_path / "pipe", tmp_path / "link"):
        with pytest.raises(bp.BigPepperError, match="is no ordinary file; a match is kept in one"):
            match(path)
    (tmp_path / "round").symlink_to("round")
    for path in (tmp_path / "round", tmp_path / "pipe" / "match.json", tmp_path / ("x" * 300)):
        with pytest.raises(bp.BigPepperError, match="cannot be read: "):
            match(path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["link", "pipe", "round"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444])
def test_the_file_keeps_its_permissions(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    match(path).save()
    path.chmod(mode)
    played(match(path))
    assert path.stat().st_mode & 0o777 == mode
    assert len(match(path).tally.deals) == 30


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_and_what_it_leads_to_is_written(exists: bool, tmp_path: Path) -> None:
    target, link, other = tmp_path / "here" / "match.json", tmp_path / "link.json", tmp_path / "other.json"
    target.parent.mkdir()
    link.symlink_to(target)
    other.symlink_to("link.json")
    if exists:
        match(target).save()
    played(match(other))
    assert other.is_symlink()
    assert link.is_symlink()
    assert len(match(target).tally.deals) == 30
    assert [file.name for file in target.parent.iterdir()] == ["match.json"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["here", "link.json", "other.json"]


# --- the oracle -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pepper-4", "pepper-3", "hasenpfeffer"])
def test_the_oracle_bids_as_its_bot_and_plays_a_best_card(name: str) -> None:
    rules = bp.Rules.load(name)
    (seer,), (bot,) = ([one.make(1)] for one in entrants([oracle("novice"), "novice"]))
    for seed in range(3):
        state = State.new(rules, seed=seed)
        while state.turn is not None:
            action, own = seer.act(state, state.turn), bot.act(state, state.turn)
            if state.phase == "play":
                values = solve(state).values
                assert card_values(rules, state) == values
                assert action in best_cards(state)
                assert action == own or own not in best_cards(state)
            else:
                assert action == own
            state = state.apply(action)


def test_the_oracle_is_no_bot_and_beats_its_own() -> None:
    with pytest.raises(bp.UnknownBot, match="oracle"):
        bp.bots.load("oracle")
    result = duel(bp.Rules.load("pepper-4"), (oracle("novice"), "novice"), deals=60, games=0, processes=1)
    assert result.bots == ("oracle(novice)", "novice")
    assert result.points is not None
    assert result.points.low > 0.3
