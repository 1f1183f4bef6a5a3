"""Which card: in each world every card is solved with open cards, for the chance to win the game."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bigpepper.bots.strong.before import bits_of
from bigpepper.bots.strong.budget import Budget
from bigpepper.bots.strong.match import worth_after
from bigpepper.bots.strong.season import season_of
from bigpepper.bots.strong.stakes import play_out, splits_of
from bigpepper.bots.strong.thought import Thought
from bigpepper.jit import Rows, rows
from bigpepper.kernel import side_of
from bigpepper.records import Round
from bigpepper.solve import Position, Solver
from bigpepper.solve.places import TRICKS, place_rounds

TRICK: Final = 150
"""Millionths of a chance to win that a trick counts besides: of cards that are equal, the one that takes more."""
EVEN: Final = 600.0
"""Millionths of a chance to win that make no difference."""


def card_values(thought: Thought, solver: Solver, budget: Budget) -> NDArray[np.float64]:
    """What each legal card is worth to the seat's side, lowest first: millionths of a chance to win the game."""
    worlds = thought.worlds_by_play(solver, budget)
    positions = rows(Position, len(worlds))
    place_rounds(worlds, thought.book.tables, positions, TRICKS)
    left = thought.v.left
    positions["payoff"][:, : left + 1] = payoffs(thought)
    answers = solver.answers(positions, each_card=True)
    n = len(bits_of(thought.v.legal))
    means: NDArray[np.float64] = answers["values"][:, :n].mean(axis=0)
    if is_maker(thought):
        return means
    if thought.t.sides == 2 or not budget.own:
        return -means
    return budget.own / 100 * _for_himself(thought, solver, positions)[:n] - means


def _for_himself(thought: Thought, solver: Solver, positions: Rows) -> NDArray[np.float64]:
    """What each card is worth to one of two defenders beside what both bring about: tricks that are his own.

    They are those that he can win against the two others; in part only, as these have other things in mind (`Budget`).
    """
    left = thought.v.left
    positions["makers"] = 1 << thought.v.seat
    positions["payoff"][:, : left + 1] = range(left + 1)
    tricks: NDArray[np.float64] = solver.answers(positions, each_card=True)["values"].mean(axis=0)
    return _own_trick(thought) * tricks


def _own_trick(thought: Thought) -> float:
    """What it is worth to a defender, in millionths, to win a trick that would be his fellow's as often as his."""
    t, v = thought.t, thought.v
    rest = v.left - v.left // 2
    fellow = next(seat for seat in range(t.players) if seat not in (v.seat, v.maker))
    mine, other = (_worth_of_rest(thought, seat, rest) for seat in (v.seat, fellow))
    return (mine - other) / (2 * rest)


def _worth_of_rest(thought: Thought, seat: int, rest: int) -> int:
    """The chance of the seat to act, in millionths, when `seat` wins `rest` more tricks and the maker the others."""
    t, r = thought.t, _as_it_stands(thought)
    r.won[seat] += rest
    play_out(r, t, side_of(t, r.maker), thought.v.left - rest, 0, 0)
    return worth_after(season_of(thought.rules).match, t, r, side_of(t, thought.v.seat))


def is_maker(thought: Thought) -> bool:
    """Whether the seat is of the makers' side."""
    return side_of(thought.t, thought.v.seat) == side_of(thought.t, thought.v.maker)


def payoffs(thought: Thought) -> list[int]:
    """For 0, 1, … more tricks of the makers: what that is worth to them. Three players: the maker against both others.

    A defender wants the two of them to bring about what is best for himself, with the rest of their tricks shared
    evenly; for his own share see `_for_himself`.
    """
    side = side_of(thought.t, thought.v.seat)
    sign = 1 if is_maker(thought) else -1
    return [sign * _worth(thought, side, n) + TRICK * n for n in range(thought.v.left + 1)]


def _worth(thought: Thought, side: int, tricks: int) -> int:
    """The chance of a side when the makers win so many more tricks, in millionths."""
    t, v = thought.t, thought.v
    rest, match = v.left - tricks, season_of(thought.rules).match
    splits, total = splits_of(t, rest), 0
    for split in range(splits):
        r = _as_it_stands(thought)
        play_out(r, t, side_of(t, v.maker), tricks, rest, split)
        total += worth_after(match, t, r, side)
    return total // splits


def _as_it_stands(thought: Thought) -> Round:
    """What a score depends on."""
    v, r = thought.v, Round()
    r.scores[:], r.won[:], r.bid, r.maker, r.lone = v.scores, v.won, v.bid, v.maker, v.lone
    return r
