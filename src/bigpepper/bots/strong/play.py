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
from bigpepper.jit import rows
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
    return means if is_maker(thought) else -means


def is_maker(thought: Thought) -> bool:
    """Whether the seat is of the makers' side."""
    return side_of(thought.t, thought.v.seat) == side_of(thought.t, thought.v.maker)


def payoffs(thought: Thought) -> list[int]:
    """For 0, 1, … more tricks of the makers: what that is worth to them. Three players: the maker against both others.

    A defender wants the two of them to bring about what is best for himself; the rest of their tricks is shared evenly.
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
        r = Round()
        r.scores[:], r.won[:], r.bid, r.maker, r.lone = v.scores, v.won, v.bid, v.maker, v.lone
        play_out(r, t, side_of(t, v.maker), tricks, rest, split)
        total += worth_after(match, t, r, side)
    return total // splits
