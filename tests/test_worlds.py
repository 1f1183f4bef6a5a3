"""`worlds.sample` against brute force: every pair of deal and discard that fits is enumerated by playing it again."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from math import comb, factorial, prod, sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigpepper import Card, Deal, Discard, Observation, Play, Rules, State, rulebooks, worlds
from bigpepper.conformance import Position, random_round, replayed
from strategies import options_of_shape, rulebook_options, shapes

World = tuple[str, Card | None]
"""A deal as text, and the card that was discarded."""

# --- brute force ------------------------------------------------------------------------------------------------------


def fits(seen: Observation, deal: Deal, discard: Card | None) -> bool:
    """Whether the whole history can be played from this deal, and then looks as it does."""
    state = State.new(seen.rules, deal=deal, dealer=seen.dealer, scores=seen.scores)
    for seat, action in seen.history:
        other = Discard(discard) if isinstance(action, Discard) else action
        if state.turn != seat or other not in state.legal:
            return False
        state = state.apply(other)
    return state.observation(seen.seat) == seen


def all_worlds(seen: Observation) -> set[World]:
    """Every pair of deal and discard that fits."""
    discards = _discards(seen)
    return {
        (str(deal), discard)
        for deal in set(_deals(seen))
        for discard in (discards if discards != (None,) else (None,))
        if fits(seen, deal, discard)
    }


def _discards(seen: Observation) -> tuple[Card | None, ...]:
    made = any(isinstance(turn.action, Discard) for turn in seen.history)
    return seen.rules.deck if made else (None,)


def _deals(seen: Observation) -> Iterator[Deal]:
    """Every deal in which the seats hold what they played (but for a widow that the maker took)."""
    played: dict[int, list[Card]] = {seat: [] for seat in range(seen.rules.players)}
    for seat, action in seen.history:
        if isinstance(action, Play):
            played[seat].append(action.card)
    for widow in _widows(seen):
        fixed = [[card for card in played[seat] if card != widow] for seat in range(seen.rules.players)]
        if seen.seat is not None:
            fixed[seen.seat] = list(seen.dealt)
        known = {card for hand in fixed for card in hand} | ({widow} if widow else set())
        free = [card for card in seen.rules.deck if card not in known]
        for hands in _hands(seen.rules, fixed, free):
            yield Deal(seen.rules, hands, widow)


def _widows(seen: Observation) -> list[Card] | list[None]:
    if not seen.rules.joker:
        return [None]
    return [seen.widow] if seen.widow else [card for card in seen.rules.deck if card not in seen.dealt]


def _hands(rules: Rules, fixed: list[list[Card]], free: list[Card]) -> Iterator[list[list[Card]]]:
    """Every way to fill the hands up from the free cards."""
    if not fixed:
        yield []
        return
    for more in itertools.combinations(free, max(0, rules.cards - len(fixed[0]))):
        rest = [card for card in free if card not in more]
        for others in _hands(rules, fixed[1:], rest):
            yield [[*fixed[0], *more], *others]


def looked_at(state: State, most: int) -> Iterator[Observation]:
    """The observations of a state with at most so many worlds to go through."""
    for seat in (None, *range(state.rules.players)):
        seen = state.observation(seat)
        if worlds.count(seen) <= most:
            yield seen


def key(world: State) -> World:
    return str(world.deal), world.discarded


def check_samples(seen: Observation, rng: Random, tries: int) -> set[World]:
    """Sampled worlds are the same state as their history played again, and look the same; returns them."""
    found = set()
    for _ in range(tries):
        world = worlds.sample(seen, rng)
        assert replayed(world) == world
        assert world.observation(seen.seat) == seen
        found.add(key(world))
    return found


# --- every rulebook ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", rulebooks())
def test_sampled_worlds_are_legal_and_look_the_same(name: str) -> None:
    rules = Rules.load(name)
    for number in range(8):
        for position in random_round(rules, f"worlds-{number}", dealer=number % rules.players):
            for seat in (None, *range(rules.players)):
                check_samples(position.state.observation(seat), position.rng, 1)


@settings(max_examples=40)
@given(options=rulebook_options(), seed=st.integers(0, 2**32))
def test_sampled_worlds_of_any_rulebook_are_legal_and_look_the_same(options: dict[str, Any], seed: int) -> None:
    rules = Rules.from_options(options)
    for position in random_round(rules, str(seed), dealer=seed % rules.players):
        for seat in (None, *range(rules.players)):
            check_samples(position.state.observation(seat), position.rng, 1)


def test_worlds_after_a_claim() -> None:
    for name in ("hasenpfeffer", "pepper-3"):
        for position in random_round(Rules.load(name), "claimed"):
            if position.state.phase == "play":
                assert position.state.turn is not None
                ended = position.state.claim(position.state.turn, position.state.tricks_left)
                for seat in (None, *range(ended.rules.players)):
                    check_samples(ended.observation(seat), position.rng, 1)


# --- small cases: all worlds and nothing else -------------------------------------------------------------------------


def _ways(shape: tuple[int, bool, int, int, int]) -> int:
    """How many deals a seat holds possible before the first card, with the Joker."""
    players, _, cards, suits, ranks = shape
    left, ways = suits * ranks + 1 - cards, 1
    for _ in range(players - 1):
        ways *= comb(left, cards)
        left -= cards
    return ways * left


SMALL = [shape for shape in shapes() if 6 <= _ways(shape) <= 700]


@settings(max_examples=40)
@given(options=st.sampled_from(SMALL).flatmap(options_of_shape), seed=st.integers(0, 2**32))
def test_all_worlds_are_counted_and_can_come_up(options: dict[str, Any], seed: int) -> None:
    positions = list(random_round(Rules.from_options(options), str(seed)))
    rng = Random(seed)
    for position in rng.sample(positions, min(len(positions), 3)):
        for seen in looked_at(position.state, most=700):
            expected = all_worlds(seen)
            assert len(expected) == worlds.count(seen)
            assert check_samples(seen, rng, 5) <= expected


@pytest.mark.parametrize("name", [name for name in rulebooks() if name != "tiny"])
def test_all_worlds_of_endings(name: str) -> None:
    rules, checked = Rules.load(name), 0
    most = 6 if rules.widow == "pick-up" else 40  # with an exchange each takes a thousand times longer
    for number in range(30):
        positions = list(random_round(rules, f"ending-{number}", dealer=number % rules.players))
        for position in positions[-9:]:
            for seen in looked_at(position.state, most=42):
                if checked < most and worlds.count(seen) > 1:
                    checked += 1
                    assert len(all_worlds(seen)) == worlds.count(seen)
    assert checked == most


@pytest.mark.parametrize("name", rulebooks())
def test_worlds_are_spread_over_the_ways_to_split_cards_as_evenly_as_can_be(name: str) -> None:
    """As many worlds as there are ways: each way once. Of fewer, each split gets its part, but for less than two."""
    rules, rng, compared = Rules.load(name), Random(4), 0
    positions = [position for i in range(6) for position in random_round(rules, f"spread-{i}")]
    for position, seat in itertools.product(positions, (0, None)):
        ways = worlds.Ways(worlds.unseen(rules.tables, position.state.observation(seat).view))
        total = ways.count(0, ways.room())
        each = dict(ways.spread(total, rng))
        assert sum(each.values()) == total
        assert all(times == prod(map(_ways_to_split, ways.sizes, splits)) for splits, times in each.items())
        few = dict(ways.spread(40, rng))
        assert sum(few.values()) == 40
        assert all(abs(n - 40 * each[splits] / total) < 1 for splits, n in few.items())
        compared += len(each) > 1
    assert compared or rules.players == 2


def _ways_to_split(size: int, split: tuple[int, ...]) -> int:
    """The ways to give so many cards of a kind to each group."""
    return factorial(size) // prod(map(factorial, split))


@cache
def tiny_histories() -> list[State]:
    """A state for every position of a few deals of `tiny`."""
    found, todo = [], [State.new(Rules.load("tiny"), seed=seed) for seed in range(2)]
    while todo:
        state = todo.pop()
        found.append(state)
        todo += [state.apply(action) for action in state.legal]
    return found


def test_all_worlds_of_tiny() -> None:
    for state in Random("tiny").sample(tiny_histories(), 150):
        for seen in looked_at(state, most=100):
            expected = all_worlds(seen)
            assert key(state) in expected
            assert len(expected) == worlds.count(seen)
            assert check_samples(seen, Random(1), 6 * len(expected)) <= expected


# --- each with the same chance ----------------------------------------------------------------------------------------


def is_uniform(counts: Counter[World], expected: set[World], draws: int) -> bool:
    """A chi-square test: within five standard deviations."""
    each = draws / len(expected)
    chi = sum((counts[world] - each) ** 2 / each for world in expected)
    freedom = len(expected) - 1
    return set(counts) <= expected and abs(chi - freedom) <= 5 * sqrt(2 * freedom) + 5


HIDDEN_EXCHANGE: dict[str, Any] = {
    "players": 2,
    "cards": 3,
    "suits": ["H", "D"],
    "ranks": ["9", "J", "A"],
    "ladder": [{"name": "1", "tricks": 1, "made": 1, "failed": 1}, {"name": "3", "tricks": 3, "made": 1, "failed": 1}],
    "defenders": "none",
    "lead": "maker",
    "strains": ["H", "D", "NT"],
    "joker": True,
    "widow": "pick-up",
    "target": 10,
}
FOUR_HANDS = HIDDEN_EXCHANGE | {
    "players": 4,
    "cards": 2,
    "ranks": ["9", "J", "K", "A"],
    "ladder": [{"name": "1", "tricks": 1, "made": 1, "failed": 1}],
    "alone": "makers",
}
FOUR_OF_THREE = FOUR_HANDS | {"cards": 3, "suits": ["C", "D", "H"], "joker": False, "widow": "none", "alone": "no"}
DEAD = {"joker": True, "widow": "dead"}
FORCED = {"all_pass": "joker-bids-3"}
DEAD_HAND = HIDDEN_EXCHANGE | {"dead_hand": True, "cards": 2, "ladder": FOUR_HANDS["ladder"]}


def _has_void(position: Position) -> bool:
    """Somebody did not follow suit, and the round goes on."""
    state = position.state
    suits = state.rules.suits_in_play(state.strain) if state.strain else {}
    of = {card: suit for suit, cards in suits.items() for card in cards}
    return not state.is_over and any(
        of[card] != of[trick.cards[0][1]] for trick in state.tricks for _, card in trick.cards
    )


def _after_discard(position: Position) -> bool:
    return position.state.discarded is not None and not position.state.tricks


def _forced(position: Position) -> bool:
    return position.state.record.joker_seat >= 0


def _thrown_in(position: Position) -> bool:
    return position.state.thrown_in


CASES: dict[str, tuple[dict[str, Any], Callable[[Position], bool]]] = {
    "uneven": (FOUR_OF_THREE, _has_void),
    "uneven, dead widow": (FOUR_OF_THREE | DEAD, _has_void),
    "uneven, hidden exchange": (
        HIDDEN_EXCHANGE | {"players": 3, "ranks": ["9", "J", "A"], "suits": ["C", "D", "H"]},
        _has_void,
    ),
    "first card": (HIDDEN_EXCHANGE | FORCED, lambda position: not position.before),
    "hidden exchange": (HIDDEN_EXCHANGE, _after_discard),
    "hidden exchange and voids": (HIDDEN_EXCHANGE, _has_void),
    "voids of four": (FOUR_HANDS, _has_void),
    "dead hand": (DEAD_HAND, _after_discard),
    "dead hand, dead widow": (DEAD_HAND | DEAD, _has_void),
    "voids, dead widow": (HIDDEN_EXCHANGE | DEAD, _has_void),
    "forced bid": (HIDDEN_EXCHANGE | FORCED, _forced),
    "forced bid and thrown in": (HIDDEN_EXCHANGE | FORCED, _thrown_in),
    "forced bid, exchange": (HIDDEN_EXCHANGE | FORCED, lambda it: _forced(it) and _after_discard(it)),
    "forced bid, exchange, voids": (HIDDEN_EXCHANGE | FORCED, lambda it: _forced(it) and _has_void(it)),
}
"""Rulebook and position by what makes its worlds hard to draw evenly."""


def is_uneven(seen: Observation) -> bool:
    """Whether the first cards to place can be split in ways that leave different numbers of ways for the others."""
    ways = worlds.Ways(worlds.unseen(seen.rules.tables, seen.view))
    return len({weight for _, weight in ways.splits(0, ways.room())}) > 1


def observed(name: str) -> Observation:
    """An observation of the case with 3 to 250 worlds."""
    options, wanted = CASES[name]
    for number in range(3000):
        for position in random_round(Rules.from_options(options), f"{name}-{number}", dealer=number % 2):
            if wanted(position):
                for seen in looked_at(position.state, most=250):
                    if worlds.count(seen) >= 3 and (is_uneven(seen) or not name.startswith("uneven")):
                        return seen
    raise AssertionError(f"no position for {name}")


@pytest.mark.parametrize("name", CASES)
def test_each_world_comes_up_equally_often(name: str) -> None:
    seen = observed(name)
    expected = all_worlds(seen)
    draws, rng = 40 * len(expected), Random(name)
    counts = Counter(key(worlds.sample(seen, rng)) for _ in range(draws))
    assert len(expected) == worlds.count(seen)
    assert is_uniform(counts, expected, draws)


def test_the_chi_square_test_sees_a_favourite() -> None:
    seen = observed("hidden exchange")
    expected = all_worlds(seen)
    favourite, draws = min(expected, key=str), 40 * len(expected)
    counts = Counter(dict.fromkeys(expected, 40)) + Counter({favourite: 40})
    assert is_uniform(
        Counter({world: 40 + (i % 9 - 4) for i, world in enumerate(sorted(expected, key=str))}), expected, draws
    )
    assert not is_uniform(Counter({world: 40 if i % 2 else 20 for i, world in enumerate(expected)}), expected, draws)
    assert not is_uniform(counts + Counter({favourite: 60}), expected, draws)


@pytest.mark.parametrize("name", CASES)
def test_the_true_world_has_no_influence(name: str) -> None:
    """From each world that fits, taken as the true one, the same numbers draw the same samples."""
    seen = observed(name)
    true = [worlds.sample(seen, Random(i)) for i in range(12)]
    assert len({key(state) for state in true}) > 1
    drawn = {tuple(key(worlds.sample(state.observation(seen.seat), Random(i))) for i in range(5)) for state in true}
    assert len(drawn) == 1


def test_the_same_numbers_draw_the_same_world() -> None:
    seen = State.new(Rules.load("pepper-4"), seed=1).observation(2)
    assert worlds.sample(seen, Random(3)) == worlds.sample(seen, Random(3))
    assert worlds.sample(seen, Random(3)) != worlds.sample(seen, Random(4))


def test_counts_of_known_cases() -> None:
    pepper = State.new(Rules.load("pepper-4"), seed=1)
    assert worlds.count(pepper.observation(0)) == comb(18, 6) * comb(12, 6)
    assert worlds.count(pepper.observation(None)) == comb(24, 6) * comb(18, 6) * comb(12, 6)
    hasen = State.new(Rules.load("hasenpfeffer"), seed=1)
    assert worlds.count(hasen.observation(0)) == comb(19, 6) * comb(13, 6) * comb(7, 6)
    named = hasen.apply("6").apply("H")
    assert named.turn is not None
    assert worlds.count(named.observation(named.turn)) == comb(18, 6) * comb(12, 6)
    assert worlds.count(named.observation(0)) == comb(19, 7) * comb(12, 6) * 7
    assert worlds.count(State.new(Rules.load("pepper-2"), seed=1).observation(1)) == comb(16, 8)
