"""Kernel and referee agree at every step: legal actions, turn, phase, tricks, points, next dealer and winners.

Each round is walked through by the compiled kernel (`walk`), replayed through `State`, which runs the same functions
interpreted, and through the referee.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import referee as naive
from bigpepper import Deal, DealStream, Game, Rules, State, kernel, rulebooks
from bigpepper.choices import choices
from referee import Options, Referee
from strategies import SHIPPED, rulebook_options
from walk import Walk, walk

CHUNK = 2_000
"""Rounds a call of the compiled entry: some 18 MB of steps."""


@pytest.fixture(autouse=True, scope="module")
def faster_referee() -> Iterator[None]:
    """The referee writes the suits' lists anew at every card; here they are remembered. Nobody changes them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(naive, "suit_lists", cache(naive.suit_lists))
        yield


class Texts(dict[Any, str]):
    """The text of each action, made once."""

    def __missing__(self, action: Any) -> str:
        text = self[action] = str(action)
        return text


TEXT = Texts()


def referee_of(options: Options, deal: Deal, dealer: int) -> Referee:
    hands = [[str(card) for card in hand] for hand in deal.hands]
    return Referee(options, hands, dealer, str(deal.widow) if deal.widow else None)


def assert_same_moment(state: State, referee: Referee) -> None:
    assert (state.turn, state.phase) == (referee.turn, referee.phase), state
    assert {TEXT[action] for action in state.legal} == referee.legal(), state
    assert list(state.tricks_won) == referee.tricks_won, state


def assert_same_end(state: State, referee: Referee) -> None:
    assert_same_moment(state, referee)
    assert (state.maker, state.lone, state.lone_defender) == (referee.maker, referee.lone, referee.lone_defender)
    assert (text_of(state.contract), text_of(state.strain)) == (referee.bid, referee.strain)
    assert list(state.points or ()) == referee.points, state
    assert state.thrown_in == referee.thrown_in
    assert state.next_dealer() == referee.next_dealer()
    assert text_of(state.discarded) == referee.discarded
    for seat, hand in enumerate(referee.hands):
        assert {str(card) for card in state.hand(seat)} == set(hand)


def text_of(value: object) -> str | None:
    return None if value is None else str(value)


def won_by(options: Options, scores: list[int], referee: Referee, rounds: int) -> tuple[int, ...]:
    makers = None if referee.maker is None else naive.side_of(referee.maker, options["players"])
    return tuple(sorted(naive.winners(options, scores, makers, rounds)))


def assert_agrees(rules: Rules, options: Options, walked: Walk) -> None:
    """One walk of the compiled kernel, again through State and through the referee."""
    state = State.new(rules, deal=walked.deal, dealer=walked.dealer, scores=walked.scores)
    referee = referee_of(options, walked.deal, walked.dealer)
    for step in walked.steps:
        r = state.record
        assert step[:3] == (r.turn, r.phase, kernel.legal(r, rules.tables)), state
        assert step[4] == r.won, state
        assert_same_moment(state, referee)
        action = choices(rules, r).action(step[3])
        state = state.apply(action)
        referee.apply(TEXT[action])
    assert_same_end(state, referee)
    assert (walked.points, walked.thrown_in, walked.next_dealer) == (
        state.points,
        state.thrown_in,
        state.next_dealer(),
    )
    assert walked.won == state.record.won
    after = [score + points for score, points in zip(walked.scores, walked.points, strict=True)]
    assert walked.winners == state.winners(walked.number) == won_by(options, after, referee, walked.number), after


# --- rounds -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", rulebooks())
def test_rounds_of_shipped_rulebooks(name: str) -> None:
    rules = Rules.load(name)
    for walked in walk(rules, 2_000, seed=2_000):
        assert_agrees(rules, rules.options(), walked)


@pytest.mark.soak
@pytest.mark.parametrize("name", rulebooks())
def test_many_rounds_of_shipped_rulebooks(name: str) -> None:
    rules = Rules.load(name)
    for seed in range(1_000_000, 1_100_000, CHUNK):
        for walked in walk(rules, CHUNK, seed):
            assert_agrees(rules, rules.options(), walked)


@given(options=rulebook_options(), seed=st.integers(0, 2**60))
@settings(max_examples=400)
def test_rounds_of_any_rulebook(options: Options, seed: int) -> None:
    assert_rulebook_agrees(options, 4, seed)


@pytest.mark.soak
@given(options=rulebook_options(), seed=st.integers(0, 2**60))
def test_many_rounds_of_any_rulebook(options: Options, seed: int) -> None:
    assert_rulebook_agrees(options, 20, seed)


def assert_rulebook_agrees(options: Options, n: int, seed: int) -> None:
    rules = Rules.from_options(options)
    for walked in walk(rules, n, seed):
        assert_agrees(rules, options, walked)


# --- claims -------------------------------------------------------------------------------------------------------


@given(options=rulebook_options(), seed=st.integers(0, 2**60))
def test_claims(options: Options, seed: int) -> None:
    """A claim at a random moment of the play scores the same for both: each side's tricks, and its points."""
    rules, dice = Rules.from_options(options), Random(seed)
    deal, dealer = Deal.random(rules, seed), dice.randrange(rules.players)
    state, referee = State.new(rules, deal=deal, dealer=dealer), referee_of(options, deal, dealer)
    moments = dice.randrange(40)
    while not state.is_over and (state.phase != "play" or moments > 0):
        moments -= 1
        action = dice.choice(state.legal)
        state = state.apply(action)
        referee.apply(str(action))
    if state.is_over:
        return
    seat = dice.choice(state.playing)
    n, split = random_claim(state, seat, dice)
    state = state.claim(seat, n, split)
    referee.claim(seat, n, split)
    assert state.points == tuple(referee.points or ())
    sides = [[0] * rules.sides, [0] * rules.sides]
    for counts, won in zip(sides, (state.tricks_won, referee.tricks_won), strict=True):
        for player, tricks in enumerate(won):
            counts[rules.side_of(player)] += tricks
    assert sides[0] == sides[1]


def random_claim(state: State, seat: int, dice: Random) -> tuple[int, list[int] | None]:
    left = state.tricks_left
    if state.rules.sides == 2:
        return dice.randint(0, left), None
    if dice.random() < 0.5:
        return left, None
    first = dice.randint(0, left)
    split = [first, left - first]
    split.insert(seat, 0)
    return 0, split


# --- games --------------------------------------------------------------------------------------------------------


def assert_game_agrees(options: Options, seed: int) -> Game:
    """A whole game with random choices; the scores, dealers and winners after each round are the referee's."""
    rules, dice = Rules.from_options(options), Random(seed)
    game, stream = Game.new(rules, seed=seed), DealStream(rules, seed)
    scores, dealer, rounds = [0] * rules.sides, stream.first_dealer(), 0
    winners: tuple[int, ...] = ()
    while not winners:
        assert (game.state.dealer, game.scores, game.winners) == (dealer, tuple(scores), ())
        referee = referee_of(options, stream(rounds), dealer)
        while not referee.over:
            assert_same_moment(game.state, referee)
            text = "pass" if "pass" in referee.legal() and dice.random() < 0.6 else dice.choice(sorted(referee.legal()))
            game = game.apply(text)
            referee.apply(text)
        rounds += 1
        assert len(game.rounds) == rounds
        scores = [score + points for score, points in zip(scores, referee.points or (), strict=True)]
        dealer, winners = referee.next_dealer(), won_by(options, scores, referee, rounds)
    assert (game.winners, game.scores, game.is_over) == (winners, tuple(scores), True)
    return game


@pytest.mark.parametrize("name", rulebooks())
def test_games_of_shipped_rulebooks(name: str) -> None:
    """Until somebody wins, or for 20 rounds."""
    options = Rules.load(name).replace(round_limit=20).options()
    for seed in range(8):
        assert_game_agrees(options, seed)


@given(options=rulebook_options(), seed=st.integers(0, 10**9), target=st.integers(1, 15), limit=st.integers(1, 8))
def test_games_of_any_rulebook(options: Options, seed: int, target: int, limit: int) -> None:
    assert_game_agrees({**options, "target": target, "round_limit": limit}, seed)


EASY_BIDS = [{"name": name, "tricks": 1, "made": "tricks-won", "failed": 6} for name in "123"]
EASY = SHIPPED["pepper-4"] | {"ladder": EASY_BIDS, "all_pass": "same-dealer", "target": 2, "round_limit": 2}


def test_random_games_end_in_every_way() -> None:
    """Among 60 games: joint winners, a limit, a dealer who deals again, makers who win with the lower score."""
    jointly, limited, first = (
        [assert_game_agrees(EASY | changes, seed) for seed in range(60)]
        for changes in ({}, {"target": 9}, {"finish": "makers-first"})
    )
    assert any(len(game.winners) == 2 for game in jointly)
    assert any(max(game.scores) < 9 for game in limited)
    dealers = [[state.dealer for state in game.rounds] for game in limited]
    assert any(seats[0] == seats[1] for seats in dealers if len(seats) > 1)
    assert any(game.scores[game.winners[0]] < max(game.scores) for game in first)
