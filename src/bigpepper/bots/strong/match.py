"""The match table: every side's chance to win the game, from any score. `season` makes it for a rulebook."""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from typing import Annotated, Final, TypeAlias

from bigpepper.jit import Record, count, record, share
from bigpepper.kernel import winners
from bigpepper.records import Round, Tables

WON: Final = 1_000_000
"""Chances to win are counted in millionths."""
CELLS: Final = 16_384
FINE: Final = 64
"""Scores between the cells are counted in 1/64 point."""

RowCells: TypeAlias = Annotated[list[int], CELLS]


@record
class Match(Record):
    """One side's chance to win, by its own score and those of the sides after it, clockwise."""

    low: int  # the lowest score of the table; lower ones: see `raised`
    step: int  # points from one cell to the next; chances between two cells lie on a line
    size: int  # cells along each axis
    chance: RowCells  # millionths; the own score is the first axis


@share
def top(m: Match) -> int:
    """The target, in 1/64 point."""
    return FINE * (m.low + (m.size - 2) * m.step)


@share
def raised(m: Match, score: int, deepest: int) -> int:
    """A score as near to the target as it is, were the deepest of all sides the lowest of the table.

    Far from the target it is the ratio of the distances that tells who is there first.
    """
    high = top(m)
    return high - (high - score) * (high - FINE * m.low) // (high - deepest)


@share
def cell_of(m: Match, score: int) -> int:
    """The cell at or below a score (1/64 point); the last but one at most."""
    cell = (score // FINE - m.low) // m.step
    return cell if cell < m.size - 1 else m.size - 2


@share
def above(m: Match, score: int, cell: int) -> int:
    """How far a score is above its cell, in 1/64 point, 0 … 64 · step."""
    points = score - FINE * (m.low + cell * m.step)
    return points if points < FINE * m.step else FINE * m.step


@share
def between(m: Match, first: int, stride: int, points: int) -> int:
    """The chance `points` above a cell, along an axis."""
    if points == 0:
        return m.chance[first]
    whole = FINE * m.step
    return ((whole - points) * m.chance[first] + points * m.chance[first + stride]) // whole


@share
def hope_of_two(m: Match, own: int, other: int) -> int:
    """The chance of a side against another."""
    deepest = own if own < other else other
    if deepest < FINE * m.low:
        own, other = raised(m, own, deepest), raised(m, other, deepest)
    return line_of(m, cell_of(m, own) * m.size, own, other)


@share
def line_of(m: Match, start: int, own: int, other: int) -> int:
    """The chance on two axes, which begin at the cell `start` for `own`."""
    b, over = cell_of(m, other), above(m, own, cell_of(m, own))
    first, points = start + b, above(m, other, b)
    here = between(m, first, 1, points)
    if over == 0:
        return here
    whole = FINE * m.step
    return ((whole - over) * here + over * between(m, first + m.size, 1, points)) // whole


@share
def hope_of_three(m: Match, own: int, after: int, last: int) -> int:
    """The chance of a side against two others."""
    deepest = own if own < after else after
    deepest = last if last < deepest else deepest
    if deepest < FINE * m.low:
        own, after, last = raised(m, own, deepest), raised(m, after, deepest), raised(m, last, deepest)
    a = cell_of(m, own)
    start, over, whole = (a * m.size + cell_of(m, after)) * m.size, above(m, own, a), FINE * m.step
    here = line_of(m, start, after, last)
    if over == 0:
        return here
    return ((whole - over) * here + over * line_of(m, start + m.size * m.size, after, last)) // whole


@share
def hope(m: Match, t: Tables, r: Round, points: int, side: int) -> int:
    """The chance of `side` at the scores of `r`, before (`points` 0) or after (1) those of the round."""
    own = FINE * (r.scores[side] + points * r.points[side])
    after = (side + 1) % t.sides
    other = FINE * (r.scores[after] + points * r.points[after])
    if t.sides == 2:
        return hope_of_two(m, own, other)
    last = (side + 2) % t.sides
    return hope_of_three(m, own, other, FINE * (r.scores[last] + points * r.points[last]))


@share
def worth_after(m: Match, t: Tables, r: Round, side: int) -> int:
    """The chance of `side` when the round `r` has been scored; winners share the game."""
    won = winners(r, t, 0)
    if won:
        return WON // count(won) if won >> side & 1 else 0
    return hope(m, t, r, 1, side)
