"""Counts of histories: the whole tree of `tiny`, and the first levels of every rulebook's tree from one deal.

A history is what can have been done so far, the empty one included. The counts are pinned; the first levels are counted
by the referee too.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import combinations

import pytest

from bigpepper import Deal, Rules, State, kernel, rulebooks
from bigpepper.records import OVER, Round, Tables
from referee import Referee

TINY = Rules.load("tiny")


def next_rounds(r: Round, t: Tables) -> Iterator[Round]:
    """The round after each legal choice."""
    mask = kernel.legal(r, t)
    while mask:
        choice = mask & -mask
        mask ^= choice
        new = r.copy()
        kernel.apply(new, t, choice)
        yield new


def levels(state: State) -> Iterator[list[Round]]:
    """All rounds that are 0, 1, 2, … actions away, until none is left."""
    level = [state.record]
    while level:
        yield level
        level = [new for r in level for new in next_rounds(r, state.rules.tables)]


def next_referees(referee: Referee) -> Iterator[Referee]:
    for text in sorted(referee.legal()):
        new = copy.deepcopy(referee)
        new.apply(text)
        yield new


def referee_at(state: State) -> Referee:
    """The referee at the same moment."""
    hands = [[str(card) for card in hand] for hand in state.deal.hands]
    widow = str(state.deal.widow) if state.deal.widow else None
    referee = Referee(state.rules.options(), hands, state.dealer, widow)
    for turn in state.history:
        referee.apply(str(turn.action))
    return referee


def tiny_rounds() -> Iterator[State]:
    """Each of the six deals, with each of the two dealers."""
    for dealer in (0, 1):
        for hand in combinations(TINY.deck, 2):
            other = [card for card in TINY.deck if card not in hand]
            yield State.new(TINY, deal=Deal(TINY, [list(hand), other]), dealer=dealer)


def test_the_whole_tree_of_tiny() -> None:
    """1,716 histories, 396 of them complete: all deals, all dealers."""
    rounds = [r for state in tiny_rounds() for level in levels(state) for r in level]
    assert len(rounds) == 1_716 <= 50_000
    complete = sum(map(count_complete, map(referee_at, tiny_rounds())))
    assert sum(r.phase == OVER for r in rounds) == complete == 396


def count_complete(referee: Referee) -> int:
    return 1 if referee.over else sum(map(count_complete, next_referees(referee)))


def test_histories_of_tiny_by_length() -> None:
    """One deal, in which two kings lie against two aces. On paper: 3 calls; 4 after them, and so on."""
    assert [len(level) for level in levels(next(tiny_rounds()))] == [1, 3, 7, 12, 24, 40, 48, 40, 16]


FROM_THE_DEAL = {
    "pepper-4": [1, 8, 40, 177, 718, 2581, 7547],
    "pepper-3": [1, 10, 59, 295, 1311, 5528],
    "pepper-2": [1, 10, 59, 281, 1414, 6018],
    "hasenpfeffer": [1, 7, 35, 181, 910, 4015],
    "hasenpfeffer-peppers": [1, 8, 43, 224, 1134, 5149],
    "hasenpfeffer-traditional": [1, 8, 43, 224, 1134, 5150],
    "iowa": [1, 8, 40, 177, 718, 2959],
    "bid-euchre": [1, 6, 25, 105, 404, 1488, 4820],
    "tiny": [1, 3, 7, 12, 24, 40, 48, 40, 16],
}
FROM_THE_LEAD = {
    "pepper-4": [1, 6, 16, 44, 68, 340, 800, 1538, 2749],
    "pepper-3": [1, 8, 16, 24, 168, 312, 540, 3240],
    "pepper-2": [1, 8, 16, 112, 222, 1332, 2844],
    "hasenpfeffer": [1, 6, 22, 42, 148, 740, 1388, 3154],
    "hasenpfeffer-peppers": [1, 6, 22, 42, 148, 740, 1388, 3154],
    "hasenpfeffer-traditional": [1, 6, 22, 42, 148, 740, 1388, 3154],
    "iowa": [1, 6, 16, 44, 68, 340, 800, 1538, 2749],
    "bid-euchre": [1, 6, 16, 44, 68, 340, 800, 1538, 2749],
    "tiny": [1, 2, 4, 4, 4],
}
"""Rulebook → how many histories of 0, 1, 2, … actions go on from a moment of the deal with the seed 7."""


def dealt(name: str) -> State:
    rules = Rules.load(name)
    return State.new(rules, seed=7, dealer=rules.players - 1)


def before_the_lead(name: str) -> State:
    """Seat 0 has said the top of the ladder, named hearts or what is nearest, and laid away his first card."""
    state = dealt(name)
    state = state.apply(state.legal[-1])
    while state.phase != "play":
        state = state.apply(state.legal[2 % len(state.legal) if state.phase == "naming" else 0])
    return state


@pytest.mark.parametrize("name", rulebooks())
def test_histories_from_the_deal(name: str) -> None:
    assert_counts(dealt(name), FROM_THE_DEAL[name])


@pytest.mark.parametrize("name", rulebooks())
def test_histories_from_the_lead(name: str) -> None:
    assert_counts(before_the_lead(name), FROM_THE_LEAD[name])


def assert_counts(state: State, counts: list[int]) -> None:
    """By the kernel; by the referee as long as there are at most 300."""
    assert [len(level) for level, _ in zip(levels(state), counts, strict=False)] == counts
    referees = [referee_at(state)]
    for n in counts:
        if n <= 300:
            assert len(referees) == n
            referees = [new for referee in referees for new in next_referees(referee)]
