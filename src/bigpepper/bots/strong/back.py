"""Looking back: had the seats held these cards, would they have played as they did?

Each card that another seat has played is judged by what it cost in this world with open cards: a card that throws a
trick away is less likely, though not unlikely, since nobody sees all cards.
"""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bigpepper.bots.strong.belief import choice_made
from bigpepper.jit import Record, Rows, count, entry, record, rows, share
from bigpepper.kernel import apply, legal, start
from bigpepper.records import PLAY, Round, Tables, View
from bigpepper.solve import Position, Solver
from bigpepper.solve.places import TRICKS, place_round

COST: Final = 1.0
"""A card that costs a trick is half as likely; one that costs n tricks has 2⁻ⁿ."""
CARELESS: Final = 0.25
"""Chance that a card is played without regard to that."""


@record
class Past(Record):
    """A card that another seat has played."""

    world: int
    chosen: int  # its number among the legal cards, lowest first
    choices: int  # how many were legal


@entry
def look_back(views: Rows, tables: Rows, scratch: Rows, worlds: Rows, positions: Rows, pasts: Rows, first: int) -> int:
    """Write down every card of others from the `first` action on that was a choice; returns how many there are."""
    v, t, r = views[0], tables[0], scratch[0]
    n = 0
    for i in range(len(worlds)):
        n = look_back_in(v, t, r, worlds[i], i, positions, pasts, n, first)
    return n


@share
def look_back_in(
    v: View, t: Tables, r: Round, world: Round, i: int, positions: Rows, pasts: Rows, n: int, first: int
) -> int:
    """The same for one world; `n` have been written before."""
    for seat in range(4):
        r.dealt[seat], r.scores[seat] = world.dealt[seat], world.scores[seat]
    r.widow = world.widow
    start(r, t, v.dealer)
    for k in range(v.length):
        if r.phase < PLAY:
            bit = choice_made(r, t, v.acts[k], world.discarded)
        else:
            bit = 1 << t.place[r.strain][v.acts[k] - t.first_play]
            cards = legal(r, t)
            if k >= first and r.turn != v.seat and cards & cards - 1:
                place_round(r, t, positions[n], TRICKS)
                pasts[n].world, pasts[n].chosen, pasts[n].choices = i, count(cards & bit - 1), count(cards)
                n += 1
        apply(r, t, bit)
    return n


def likelihoods(views: Rows, tables: Rows, worlds: Rows, solver: Solver, most: int) -> NDArray[np.float64]:
    """How likely the last `most` cards of the others are in each world; 1 where nothing is known."""
    v = views[0]
    room = len(worlds) * most
    positions, pasts = rows(Position, room), rows(Past, room)
    first = int(v["length"]) - most
    n = look_back(views, tables, rows(Round, 1), worlds, positions, pasts, max(first, 0))
    found: NDArray[np.float64] = np.ones(len(worlds))
    if n:
        np.multiply.at(found, pasts["world"][:n], _chances(solver, positions[:n], pasts[:n]))
    return found


def _chances(solver: Solver, positions: Rows, pasts: Rows) -> NDArray[np.float64]:
    """The chance of each card among those that were legal."""
    values = solver.answers(positions, each_card=True)["values"].astype(np.float64)
    makers = (positions["makers"] >> positions["turn"] & 1)[:, None] * 2 - 1
    there = np.arange(values.shape[1]) < pasts["choices"][:, None]
    gains = np.where(there, makers * values, -np.inf)
    weights = np.exp2((gains - gains.max(axis=1, keepdims=True)) / COST)
    chosen = weights[np.arange(len(pasts)), pasts["chosen"]] / weights.sum(axis=1)
    found: NDArray[np.float64] = CARELESS / pasts["choices"] + (1 - CARELESS) * chosen
    return found
