"""How the strong bots choose among cards: what is alike, what it tells, and whose trick it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import bigpepper as bp
from bigpepper import rulebooks
from bigpepper.bots.novice.sight import Sight
from bigpepper.bots.strong import play, telling
from bigpepper.bots.strong.budget import Budget
from bigpepper.bots.strong.thought import Thought
from bigpepper.choices import choices
from bigpepper.conformance import random_round
from bigpepper.jit import pack, rows, unpack
from bigpepper.observation import Observation
from bigpepper.records import PLAY, Round
from bigpepper.solve import Position, Solver
from bigpepper.solve.places import TRICKS, place_rounds

BOOKS = rulebooks()
BUDGET = Budget(drawn=20, calls=3, plays=6)


def in_play(name: str, seeds: range) -> list[bp.State]:
    """Moments of random rounds at which somebody has a choice of cards."""
    rules = bp.Rules.load(name)
    states = [at.state for seed in seeds for at in random_round(rules, str(seed))]
    return [state for state in states if state.record.phase == PLAY and len(state.legal) > 1]


def bits_of(mask: int) -> list[int]:
    return [1 << place for place in range(mask.bit_length()) if mask >> place & 1]


@pytest.mark.parametrize("name", BOOKS)
def test_cards_that_are_alike_do_the_same_whoever_holds_what(name: str) -> None:
    """Solved with open cards they have the same value; and in worlds other than the true one, too."""
    rules, solver, compared = bp.Rules.load(name), Solver(), 0
    tables = pack([rules.tables])
    for state in in_play(name, range(6)):
        thought = Thought.of(state.observation(state.turn), 1)
        legal = bits_of(thought.v.legal)
        sight = Sight(rules, thought.v)
        groups = [telling.alike(sight, bit) for bit in legal]
        assert all(bit in group for bit, group in zip(legal, groups, strict=True))
        worlds = thought.worlds(4, 4)
        positions = rows(Position, len(worlds))
        place_rounds(worlds, tables, positions, TRICKS)
        values = solver.answers(positions, each_card=True)["values"]
        for bit, group in zip(legal, groups, strict=True):
            for other in group:
                assert (values[:, legal.index(bit)] == values[:, legal.index(other)]).all()
                compared += other != bit
    assert compared or name == "tiny"


@pytest.mark.parametrize("name", BOOKS)
def test_what_others_expect_of_a_seat_is_worked_out_from_what_all_have_seen(name: str) -> None:
    for state in in_play(name, range(2)):
        seen = telling.spectator(state.observation(state.turn).view)
        assert bytes(Observation(state.rules, seen)) == bytes(state.observation(None))
        thought = Thought.of(state.observation(state.turn), 1)
        cards = bits_of(thought.v.hand)
        expected = telling.expected_with(thought, cards)
        assert (expected >= 0).all()
        assert expected.sum() <= len(cards) + 1e-9


def test_who_bid_high_is_expected_to_hold_the_right_bower() -> None:
    rules = bp.Rules.load("pepper-4")
    deal = bp.Deal(rules, ["JH JD AH KH QH AS", "9C TC QC KC 9D TD", "9H TH AC 9S TS QS", "QD KD AD JC JS KS"])
    state = bp.State.new(rules, deal=deal, dealer=3)
    for action in ("5", "pass", "pass", "pass", "H"):
        state = state.apply(action)
    thought = Thought.of(state.observation(0), 1)
    card_of = rules.tables.card[thought.v.strain]
    bits = {str(rules.deck[card_of[bit.bit_length() - 1]]): bit for bit in bits_of(thought.v.hand)}
    right, other = telling.expected_with(thought, [bits["JH"], bits["AS"]])
    assert right > other + 0.2
    assert set(telling.alike(Sight(rules, thought.v), bits["QH"])) == {bits[c] for c in ("JH", "JD", "AH", "KH", "QH")}


def test_of_cards_that_are_alike_the_one_is_played_that_is_expected_most() -> None:
    """Unless they are expected about as much; then what a player by rules of thumb takes stays."""
    changed = kept = 0
    for state in in_play("pepper-4", range(24)):
        seen = state.observation(state.turn)
        for bit in bits_of(seen.view.legal):
            thought = Thought.of(seen, 1)
            cards = telling.alike(Sight(state.rules, thought.v), bit)
            expected = dict(zip(cards, telling.expected_with(thought, cards), strict=True))
            chosen = telling.least_told(Thought.of(seen, 1), bit)
            if chosen == bit:
                assert max(expected.values()) <= expected[bit] + telling.CLEARLY
                kept += len(cards) > 1
            else:
                assert expected[chosen] == max(expected.values()) > expected[bit] + telling.CLEARLY
                changed += 1
    assert changed > 3
    assert kept > 3


def own_tricks(state: bp.State, seat: int) -> int:
    """The tricks of the round that a seat wins when it wants as many as can be, and all others that it wins few."""
    if state.is_over:
        return state.record.won[seat]
    after = [own_tricks(state.apply(action), seat) for action in state.legal]
    return max(after) if state.turn == seat else min(after)


def test_of_two_defenders_each_plays_for_his_own_tricks_too() -> None:
    """A card is worth more by the tricks that one can win with it against everybody."""
    compared, differ = 0, 0
    for state in in_play("pepper-3", range(40)):
        v = state.record
        if v.turn == v.maker or v.left > 3:
            continue
        seen, values = state.observation(state.turn), {}
        for own in (0, 100):
            values[own] = play.card_values(Thought.of(seen, 1), Solver(), replace(BUDGET, own=own))
        worth = play._own_trick(Thought.of(seen, 1))
        assert worth > 0
        worlds = Thought.of(seen, 1).worlds_by_play(Solver(), BUDGET)
        states = [bp.State.of_record(state.rules, unpack(Round, world)) for world in worlds]
        actions = [choices(state.rules, seen.view).action(bit) for bit in bits_of(seen.view.legal)]
        cards = [np.mean([own_tricks(world.apply(action), v.turn) for world in states]) for action in actions]
        assert values[100] - values[0] == pytest.approx(worth * (np.array(cards) - v.won[v.turn]))
        compared += 1
        differ += bool(np.ptp(cards) > 0.3)
    assert compared > 10
    assert differ


def test_with_partners_whose_trick_it_is_does_not_matter() -> None:
    for state in in_play("pepper-4", range(8)):
        found = []
        for own in (0, 100):
            thought = Thought.of(state.observation(state.turn), 1)
            found.append(play.card_values(thought, Solver(), replace(BUDGET, own=own)))
        assert (found[0] == found[1]).all()


def test_cards_of_defenders_who_are_no_partners_tell_nothing() -> None:
    """Looking back judges cards as if the two of them played as one; with partners it does make a difference."""
    differ = {"pepper-3": 0, "pepper-4": 0}
    for name in differ:
        for state in in_play(name, range(8)):
            seen = state.observation(state.turn)
            found = [
                play.card_values(Thought.of(seen, 1), Solver(), replace(BUDGET, plays=20, weighed=20, back=back))
                for back in (0, 12)
            ]
            differ[name] += bool((found[0] != found[1]).any())
    assert differ["pepper-4"] > 0 == differ["pepper-3"]
