"""Secrecy: what a seat has not seen changes no byte of its observation (design, invariant 2).

Other worlds are made by hand here, not by `worlds.sample`: two unseen cards change places in the deal, the discard is
any card, and the whole history is played again. Where the rules refuse that, the world does not fit.
"""

from __future__ import annotations

import gc
import itertools
import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigpepper import BigPepperError, Card, Deal, Discard, Observation, Pass, Play, Rules, State, rulebooks
from bigpepper.conformance import random_round
from bigpepper.deal import DealStream
from bigpepper.game import Game
from bigpepper.records import Round
from strategies import rulebook_options

Seat = int | None


def seats(rules: Rules) -> list[Seat]:
    """All who look: the seats and a spectator."""
    return [*range(rules.players), None]


# --- other worlds by hand ---------------------------------------------------------------------------------------------


def knows(state: State, seat: Seat) -> set[Card]:
    """The cards whose place in the deal a seat is certain of: its own, and the widow that it took."""
    if seat is None:
        return set()
    widow = {state.deal.widow} if state.maker == seat and state.phase != "auction" else set()
    own = widow if state.rules.widow == "pick-up" else set()
    return {*state.deal.hands[seat], *(card for card in own if card)}


def swapped(rules: Rules, deal: Deal, one: Card, other: Card) -> Deal:
    """The deal with two cards in each other's places."""
    turn = {one: other, other: one}
    hands = [[turn.get(card, card) for card in hand] for hand in deal.hands]
    return Deal(rules, hands, turn.get(deal.widow, deal.widow) if deal.widow else None)


def played_again(state: State, deal: Deal, discard: Card | None) -> State | None:
    """The state after the same public history from another deal; None where the rules refuse it."""
    again = State.new(state.rules, deal=deal, dealer=state.dealer, scores=state.scores)
    for seat, action in state.history:
        other = Discard(discard) if isinstance(action, Discard) else action
        if again.turn != seat or other not in again.legal:
            return None
        again = again.apply(other)
    return again if (again.phase, again.turn) == (state.phase, state.turn) else None


def other_worlds(state: State, seat: Seat, rng: Random, tries: int) -> Iterator[State]:
    """Some worlds that fit what the seat knows, one or two swaps away from the true one."""
    free = [card for card in state.rules.deck if card not in knows(state, seat)]
    for _ in range(tries if len(free) > 1 else 0):
        deal = swapped(state.rules, state.deal, *rng.sample(free, 2))
        if rng.random() < 0.5:
            deal = swapped(state.rules, deal, *rng.sample(free, 2))
        own = state.discarded if seat == state.maker else rng.choice(state.rules.deck)
        for discard in (state.discarded, own):
            world = played_again(state, deal, discard)
            if world is not None and world != state:
                yield world


def everything(seen: Observation) -> dict[str, Any]:
    """Every public value of an observation, and every form in which it can be sent."""
    names = [name for name in dir(seen) if not name.startswith("_")]
    values = {name: getattr(seen, name) for name in names if not callable(getattr(seen, name))}
    view = values.pop("view")
    points = [seen.points_of(seat) for seat in range(seen.rules.players)]
    fields = {name: getattr(view, name) for name in view.fields}
    return values | fields | {"repr": repr(seen), "str": str(seen), "bytes": bytes(seen), "points of": points}


def compare(state: State, rng: Random, tries: int) -> int:
    """Compare all observations of a state with those of other worlds; returns with how many."""
    worlds = 0
    for seat in seats(state.rules):
        seen = state.observation(seat)
        expected = everything(seen)
        for world in other_worlds(state, seat, rng, tries):
            other = world.observation(seat)
            assert everything(other) == expected
            assert other == seen
            assert hash(other) == hash(seen)
            worlds += 1
    return worlds


@pytest.mark.parametrize("name", rulebooks())
def test_unseen_cards_change_nothing_in_shipped_rulebooks(name: str) -> None:
    rules, compared = Rules.load(name), 0
    for number in range(6):
        for position in random_round(rules, f"secret-{number}", dealer=number % rules.players):
            compared += compare(position.state, position.rng, tries=2)
    assert compared >= (30 if name == "tiny" else 300)


@settings(max_examples=40)
@given(options=rulebook_options(), seed=st.integers(0, 2**32))
def test_unseen_cards_change_nothing_in_any_rulebook(options: dict[str, Any], seed: int) -> None:
    for position in random_round(Rules.from_options(options), str(seed)):
        compare(position.state, position.rng, tries=1)


def test_a_claimed_round_shows_no_more_than_the_claim() -> None:
    rules = Rules.load("hasenpfeffer-traditional")
    compared = 0
    for number in range(7):
        for position in random_round(rules, f"claim-{number}"):
            state = position.state
            if state.phase != "play":
                continue
            assert state.turn is not None
            ended = state.claim(state.turn, state.tricks_left)
            for seat in seats(rules):
                for world in other_worlds(state, seat, position.rng, 1):
                    other = world.claim(state.turn, state.tricks_left)
                    assert everything(other.observation(seat)) == everything(ended.observation(seat))
                    compared += 1
    assert compared > 50


# --- what can be reached from an observation --------------------------------------------------------------------------


def reachable(value: object) -> Iterator[object]:
    """All values held by `value`, however deep; classes, functions and modules are everybody's."""
    seen, todo = set(), [value]
    while todo:
        item = todo.pop()
        if id(item) in seen or isinstance(item, (type, type(everything), type(gc))):
            continue
        seen.add(id(item))
        yield item
        todo += gc.get_referents(item)


@pytest.mark.parametrize("name", rulebooks())
def test_no_state_deal_or_round_is_reachable(name: str) -> None:
    last = list(random_round(Rules.load(name), "reach"))[-1].state
    for state in (State.new(last.rules, seed=1), last):
        for seat in seats(state.rules):
            held = list(reachable(state.observation(seat)))
            assert not [item for item in held if isinstance(item, (State, Deal, Round, Game, DealStream))]


@pytest.mark.parametrize("name", ["pepper-4", "hasenpfeffer"])
def test_a_pickled_observation_tells_nothing_of_what_happened_elsewhere(name: str) -> None:
    rules = Rules.from_toml(Rules.load(name).to_toml())
    state = State.new(rules, seed=5)
    before = pickle.dumps(state.observation(0))
    for _ in random_round(rules, "elsewhere"):  # the rulebook is shared by all tables of a process
        _.state.legal  # noqa: B018  skins keep what they derived in the rulebook
    assert pickle.dumps(state.observation(0)) == before
    assert pickle.loads(before) == state.observation(0)


# --- what a seat does see ---------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(options=rulebook_options(), seed=st.integers(0, 2**32))
def test_a_seat_sees_its_own_cards_and_all_that_is_public(options: dict[str, Any], seed: int) -> None:
    rules = Rules.from_options(options)
    for position in random_round(rules, str(seed)):
        state = position.state
        for seat in seats(rules):
            seen = state.observation(seat)
            own = seat is not None
            assert seen.seat == seat
            assert seen.hand == (state.hand(seat) if seat is not None else ())
            assert seen.dealt == (state.deal.hands[seat] if seat is not None else ())
            assert seen.legal == (state.legal if own and seat == state.turn else ())
            took = own and seat == state.maker and state.phase != "auction" and rules.widow == "pick-up"
            assert seen.widow == (state.deal.widow if took else None)
            assert seen.discarded == (state.discarded if took else None)
            for name in ("phase", "turn", "dealer", "scores", "contract", "maker", "strain", "lone", "lone_defender"):
                assert getattr(seen, name) == getattr(state, name)
            for name in ("playing", "is_over", "thrown_in", "points", "tricks_won", "tricks_left", "trick", "tricks"):
                assert getattr(seen, name) == getattr(state, name)


@pytest.mark.parametrize("name", ["hasenpfeffer", "hasenpfeffer-traditional"])
def test_only_the_maker_sees_the_discard_in_the_history(name: str) -> None:
    discards = 0
    for number in range(10):
        last = list(random_round(Rules.load(name), f"discard-{number}"))[-1].state
        for seat in seats(last.rules):
            expected = [
                (who, Discard(None) if isinstance(action, Discard) and seat != last.maker else action)
                for who, action in last.history
            ]
            assert list(last.observation(seat).history) == expected
            discards += sum(isinstance(action, Discard) for _, action in expected)
    assert discards > 10


def test_observations_differ_when_what_is_seen_differs() -> None:
    rules = Rules.load("pepper-4")
    state = State.new(rules, seed=1)
    different = [
        *(state.observation(seat) for seat in seats(rules)),
        State.new(rules, seed=2).observation(0),
        State.new(rules, seed=1, dealer=1).observation(0),
        State.new(rules, seed=1, scores=(1, 0)).observation(0),
        State.new(rules.replace(target=31), seed=1).observation(0),
        state.apply("pass").observation(0),
        state.apply("1").observation(0),
    ]
    assert len({bytes(seen) for seen in different}) == len(set(different)) == len(different)
    assert all(one != other for one, other in itertools.combinations(different, 2))
    assert state.observation(0) != "observation"


def test_the_view_is_a_copy() -> None:
    seen = State.new(Rules.load("pepper-4"), seed=1).observation(0)
    before = bytes(seen)
    view = seen.view
    view.hand, view.scores[0], view.acts[0] = 0, 99, 7
    assert bytes(seen) == before


def test_there_is_no_other_seat() -> None:
    state = State.new(Rules.load("pepper-3"), seed=1)
    for seat in (-1, 3, 4):
        with pytest.raises(BigPepperError, match=f"no seat {seat}"):
            state.observation(seat)


def test_an_observation_never_changes() -> None:
    state = State.new(Rules.load("hasenpfeffer"), seed=3)
    seen = state.observation(1)
    before = bytes(seen)
    assert isinstance(state.apply(Pass()).observation(1), Observation)
    for name in [name for name in dir(seen) if not name.startswith("_")]:
        with pytest.raises(AttributeError):
            setattr(seen, name, None)
    assert bytes(seen) == before
    assert not any(isinstance(turn.action, Play) for turn in seen.history)
