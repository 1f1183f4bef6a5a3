"""Games: rounds until somebody wins, dealers, winners, the record; `play` between bots."""

from __future__ import annotations

import copy
import json
import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigpepper import (
    Action,
    Deal,
    DealStream,
    Game,
    IllegalAction,
    InvalidAction,
    InvalidGame,
    Observation,
    Rules,
    State,
    bots,
    play,
    rulebooks,
)
from strategies import rulebook_options

PEPPER = Rules.load("pepper-4")


def random_game(rules: Rules, seed: int | str, passing: float = 0.3) -> list[Game]:
    """All games on the way from the first deal to the end."""
    rng, games = Random(str(seed)), [Game.new(rules.for_programs(), seed=seed)]
    while not games[-1].is_over:
        legal = games[-1].state.legal
        games.append(games[-1].apply(legal[0] if rng.random() < passing else rng.choice(legal)))
    return games


def short(rules: Rules) -> Rules:
    """The same rules for a game of a few rounds."""
    return rules.replace(target=min(rules.target, 8), round_limit=12)


# --- how games go -----------------------------------------------------------------------------------------------------


def check_game(games: list[Game]) -> None:
    """The rounds follow each other, and the scores are the sums of their points."""
    last, rules = games[-1], games[-1].rules
    for number, (state, following) in enumerate(zip(last.rounds, [*last.rounds[1:], None], strict=True), 1):
        assert state.is_over
        assert state.points is not None
        after = tuple(score + points for score, points in zip(state.scores, state.points, strict=True))
        assert state.winners(number) == (() if following else last.winners)
        if following:
            assert following.scores == after
            again = state.thrown_in and rules.all_pass == "same-dealer"
            assert following.dealer == (state.dealer if again else (state.dealer + 1) % rules.players)
        else:
            assert last.scores == after
    assert last.state is last.rounds[-1]
    for game in games[:-1]:
        assert (game.winners, game.is_over, game.state.is_over) == ((), False, False)
        assert game.rounds == last.rounds[: len(game.rounds)]
        assert game.scores == game.state.scores


def check_winners(game: Game) -> None:
    rules, scores = game.rules, game.scores
    reached = [side for side, score in enumerate(scores) if score >= rules.target]
    maker = game.state.maker
    if rules.finish == "makers-first" and maker is not None and rules.side_of(maker) in reached:
        assert game.winners == (rules.side_of(maker),)
        return
    among = reached or range(rules.sides)
    assert reached or len(game.rounds) == rules.round_limit
    assert game.winners == tuple(side for side in among if scores[side] == max(scores[s] for s in among))


@pytest.mark.parametrize("name", rulebooks())
def test_games_of_shipped_rulebooks(name: str) -> None:
    games = random_game(short(Rules.load(name)), 3)
    check_game(games)
    check_winners(games[-1])


@settings(max_examples=25)
@given(options=rulebook_options(), seed=st.integers(0, 2**32))
def test_games_of_any_rulebook(options: dict[str, Any], seed: int) -> None:
    rules = Rules.from_options(options)
    games = random_game(rules.replace(round_limit=min(rules.round_limit or 6, 6)), seed)
    check_game(games)
    check_winners(games[-1])


def test_deals_and_first_dealer_come_from_the_seed() -> None:
    for name in rulebooks():
        rules = short(Rules.load(name))
        last, stream = random_game(rules, 5)[-1], DealStream(rules, 5)
        assert last.rounds[0].dealer == stream.first_dealer()
        assert [state.deal for state in last.rounds] == [stream(number) for number in range(len(last.rounds))]


def test_a_game_can_begin_elsewhere() -> None:
    game = Game.new(PEPPER, seed=1, dealer=2, scores=(20, -3))
    assert (game.state.dealer, game.scores, game.state.scores, game.rounds, game.winners) == (
        2,
        (20, -3),
        (20, -3),
        (),
        (),
    )
    by_deals = Game.new(PEPPER, deals=lambda number: Deal.random(PEPPER, number + 10))
    assert (by_deals.state.dealer, by_deals.state.deal) == (0, Deal.random(PEPPER, 10))
    assert Game.new(PEPPER, seed=1, dealer=0).state.dealer == 0


@pytest.mark.parametrize(
    ("scores", "claimed", "winners", "ends"),
    [
        ((26, 28), 4, (0, 1), (30, 30)),
        ((28, 29), 4, (0,), (32, 31)),
        ((0, 29), 5, (1,), (5, 30)),
        ((0, 29), 6, (), (6, 29)),
        ((29, 29), 3, (1,), (23, 32)),
    ],
)
def test_endings(scores: tuple[int, int], claimed: int, winners: tuple[int, ...], ends: tuple[int, int]) -> None:
    """Seat 0 bids 4 at these scores, and his side takes so many tricks (rules §7)."""
    game = Game.new(PEPPER, seed=1, dealer=3, scores=scores)
    for action in ("4", "pass", "pass", "pass", "C"):
        game = game.apply(action)
    game = game.claim(0, claimed)
    assert (game.winners, game.scores, game.is_over) == (winners, ends, bool(winners))


def test_joint_winners_and_the_round_limit() -> None:
    rules = Rules.load("pepper-3").replace(round_limit=1)
    game = Game.new(rules, seed=1, dealer=2)
    for _ in range(3):
        game = game.apply("pass")
    assert (game.winners, game.scores, len(game.rounds)) == ((0, 1, 2), (0, 0, 0), 1)


def test_a_game_that_is_over_takes_nothing_more() -> None:
    last = random_game(short(PEPPER), 1)[-1]
    with pytest.raises(IllegalAction, match=r"“pass” comes too late: the game is over\."):
        last.apply("pass")


def test_illegal_actions_change_nothing() -> None:
    game = Game.new(PEPPER, seed=1)
    for action in ("C", "JH", "9C"):
        with pytest.raises(IllegalAction):
            game.apply(action)
    with pytest.raises(InvalidAction):
        game.apply("nothing")
    assert game.record == Game.new(PEPPER, seed=1).record


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "either a seed or deals"),
        ({"seed": 1, "deals": lambda _: Deal.random(PEPPER, 1)}, "either a seed or deals"),
        ({"seed": 1, "dealer": 4}, "Seat 4 cannot deal"),
        ({"seed": 1, "dealer": -1}, "Seat -1 cannot deal"),
        ({"seed": 1, "scores": (1, 2, 3)}, "There are 3 scores"),
        ({"seed": 1, "scores": (0, 30)}, "A score of 30 has already won"),
    ],
)
def test_a_game_that_cannot_begin_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidGame, match=words):
        Game.new(PEPPER, **given)


# --- immutable, and as data -------------------------------------------------------------------------------------------


def test_games_never_change() -> None:
    games = random_game(short(Rules.load("hasenpfeffer")), 2)
    for game, number in zip(games, range(len(games)), strict=True):
        with pytest.raises((AttributeError, TypeError)):
            game.rounds[0] = game.state  # type: ignore[index]
        for public in [public for public in dir(game) if not public.startswith("_")]:
            with pytest.raises((AttributeError, TypeError)):  # frozen slots dataclasses give either
                setattr(game, public, None)
        assert sum(len(state.history) for state in {*game.rounds, game.state}) == number


def test_games_are_copied_and_pickled() -> None:
    games = random_game(short(PEPPER), 4)
    for game in (games[0], games[len(games) // 2], games[-1]):
        for again in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
            assert again.record == game.record
            assert (again.state, again.rounds, again.winners) == (game.state, game.rounds, game.winners)
            if not game.is_over:
                action = game.state.legal[-1]
                assert pickle.loads(pickle.dumps(game)).apply(action).record == game.apply(action).record


@pytest.mark.parametrize("name", rulebooks())
def test_the_record_holds_all_that_is_needed_to_play_the_game_again(name: str) -> None:
    games = random_game(short(Rules.load(name)), 6)
    for game in (games[0], games[len(games) // 2], games[-1]):
        record = json.loads(json.dumps(game.record))
        assert record == game.record
        rules = Rules.from_options(record["rules"])
        deals = [Deal.parse(rules, told["deal"]) for told in record["rounds"]]
        states = []
        for told, deal in zip(record["rounds"], deals, strict=True):
            state = State.new(rules, deal=deal, dealer=told["dealer"], scores=told["scores"])
            for text in told["history"]:
                seat, _, action = text.partition(":")
                assert int(seat) == state.turn
                state = state.apply(action)
            assert (told["thrown_in"], told["points"] and tuple(told["points"])) == (state.thrown_in, state.points)
            states.append(state)
        assert [str(state) for state in states] == [str(state) for state in dict.fromkeys((*game.rounds, game.state))]
        assert (tuple(record["scores"]), tuple(record["winners"])) == (game.scores, game.winners)


def test_a_claim_stands_in_the_record() -> None:
    game = Game.new(PEPPER, seed=1, dealer=3)
    for action in ("4", "pass", "pass", "pass", "C"):
        game = game.apply(action)
    told: Any = game.claim(0, 5).record["rounds"]
    assert told[0]["history"][-1] == "0:claim-5-1-0-0"
    assert (told[0]["points"], told[1]["points"], told[1]["scores"]) == ([5, 1], None, [5, 1])


def test_repr_tells_where_a_game_is() -> None:
    game = Game.new(PEPPER, seed=1, scores=(3, -6))
    assert repr(game) == "<Game pepper-4, round 1, scores [3, -6]>"


# --- play -------------------------------------------------------------------------------------------------------------


class Watcher:
    """Takes the first legal action and writes down what it was shown."""

    def __init__(self) -> None:
        self.seen: list[Observation] = []

    def act(self, observation: Observation, /) -> Action:
        """The first legal action that is not the pass, if there is one."""
        self.seen.append(observation)
        return observation.legal[-1]


@pytest.mark.parametrize("name", rulebooks())
def test_bots_play_to_the_end(name: str) -> None:
    rules = Rules.load(name)
    players = [Watcher() for _ in range(rules.players)]
    game = play(rules, players, seed=2)
    assert game.is_over
    assert game.rules.round_limit == 200
    assert all(seen.seat == seat == seen.turn for seat, bot in enumerate(players) for seen in bot.seen)
    assert sum(len(bot.seen) for bot in players) == sum(len(state.history) for state in game.rounds)
    again = play(rules, [Watcher() for _ in range(rules.players)], seed=2)
    assert again.record == game.record


def test_a_game_of_passes_ends_after_200_rounds() -> None:
    game = play(PEPPER, [bots.load("first")] * 4, seed=1)
    assert (len(game.rounds), game.winners, game.scores) == (200, (0, 1), (0, 0))


def test_a_rulebooks_own_limit_stands() -> None:
    assert len(play(PEPPER.replace(round_limit=3), [bots.load("first")] * 4, seed=1).rounds) == 3


def test_a_bot_for_every_seat() -> None:
    for n in (0, 3, 5):
        with pytest.raises(InvalidGame, match=f"There are {n} bots; pepper-4 has 4 seats."):
            play(PEPPER, [bots.load("first")] * n, seed=1)


def test_a_bot_that_does_what_it_may_not() -> None:
    class Cheat:
        def act(self, observation: Observation, /) -> Action:
            return observation.rules.actions[-1]

    with pytest.raises(IllegalAction, match="“AS” is not legal for seat"):
        play(PEPPER, [Cheat()] * 4, seed=1)
