"""The match table: every side's chance to win the game, from any score. `season` makes it for a rulebook."""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from typing import Annotated, Final, TypeAlias

from bigpepper.jit import Record, count, record, share
from bigpepper.kernel import winners
from bigpepper.records import Round, Tables

WON: Final = 1_000_000
"""Chances to win are counted in millionths."""
CELLS: Final = 16_384

RowCells: TypeAlias = Annotated[list[int], CELLS]


@record
class Match(Record):
    """One side's chance to win, by its own score and those of the sides after it, clockwise."""

    low: int  # the lowest score of the table; lower ones count as this
    step: int  # points from one cell to the next; chances between two cells lie on a line
    size: int  # cells along each axis
    chance: RowCells  # millionths; the own score is the first axis


@share
def cell_of(m: Match, score: int) -> int:
    """The cell at or below a score; the last but one at most."""
    cell = (score - m.low) // m.step if score > m.low else 0
    return cell if cell < m.size - 1 else m.size - 2


@share
def above(m: Match, score: int, cell: int) -> int:
    """How far a score is above its cell, in points, 0 … step."""
    points = score - m.low - cell * m.step
    return 0 if points < 0 else m.step if points > m.step else points


@share
def between(m: Match, first: int, stride: int, points: int) -> int:
    """The chance `points` above a cell, along an axis."""
    if points == 0:
        return m.chance[first]
    return ((m.step - points) * m.chance[first] + points * m.chance[first + stride]) // m.step


@share
def hope_of_two(m: Match, own: int, other: int) -> int:
    """The chance of a side against another."""
    a, b = cell_of(m, own), cell_of(m, other)
    first, points = a * m.size + b, above(m, other, b)
    here = between(m, first, 1, points)
    over = above(m, own, a)
    if over == 0:
        return here
    return ((m.step - over) * here + over * between(m, first + m.size, 1, points)) // m.step


@share
def plane(m: Match, a: int, b: int, c: int, over_b: int, over_c: int) -> int:
    """The chance in one plane of the table for three."""
    first = (a * m.size + b) * m.size + c
    here = between(m, first, 1, over_c)
    if over_b == 0:
        return here
    return ((m.step - over_b) * here + over_b * between(m, first + m.size, 1, over_c)) // m.step


@share
def hope_of_three(m: Match, own: int, after: int, last: int) -> int:
    """The chance of a side against two others."""
    a, b, c = cell_of(m, own), cell_of(m, after), cell_of(m, last)
    over_b, over_c, over = above(m, after, b), above(m, last, c), above(m, own, a)
    here = plane(m, a, b, c, over_b, over_c)
    if over == 0:
        return here
    return ((m.step - over) * here + over * plane(m, a + 1, b, c, over_b, over_c)) // m.step


@share
def hope(m: Match, t: Tables, r: Round, points: int, side: int) -> int:
    """The chance of `side` at the scores of `r`, before (`points` 0) or after (1) those of the round."""
    own = r.scores[side] + points * r.points[side]
    after = (side + 1) % t.sides
    other = r.scores[after] + points * r.points[after]
    if t.sides == 2:
        return hope_of_two(m, own, other)
    last = (side + 2) % t.sides
    return hope_of_three(m, own, other, r.scores[last] + points * r.points[last])


@share
def worth_after(m: Match, t: Tables, r: Round, side: int) -> int:
    """The chance of `side` when the round `r` has been scored; winners share the game."""
    won = winners(r, t, 0)
    if won:
        return WON // count(won) if won >> side & 1 else 0
    return hope(m, t, r, 1, side)
