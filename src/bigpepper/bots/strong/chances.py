"""Who wins from where: how scores move, round by round, gives every side's chance from any score.

How they move depends on the score: who is far behind bids what nobody would at 0 : 0. It is known for a few scores
(`anchors`) and lies between these for the others.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bigpepper.bots.strong.match import CELLS, WON, Match
from bigpepper.kernel import winners
from bigpepper.records import Round
from bigpepper.rules import Rules

Table: TypeAlias = NDArray[np.float64]

ENOUGH: Final = 1e-3
"""A sweep that changes no chance by more than this is the last one."""
RARE: Final = 1e-3
"""Moves that come less often are left out."""
FROM_TARGET: Final = {2: (3.0, 1.5, 1.0, 0.7, 0.5, 0.3, 0.2, 0.1), 3: (1.7, 1.0, 0.5, 0.15)}
"""Scores for which moves are known: how far from the target they are, in parts of it; by the number of sides."""


class Move(NamedTuple):
    """How a round moves the scores."""

    makers: int
    """Side."""
    points: tuple[int, ...]
    """Of each side."""

    def turned(self, first: int) -> Move:
        """The same, when the side `first` is called 0, the one after it 1, and so on."""
        return Move((self.makers - first) % len(self.points), self.points[first:] + self.points[:first])


Moves: TypeAlias = dict[Move, Table]
"""For each move its chance, by the cells of the match table."""


def anchors(rules: Rules) -> list[int]:
    """The scores, of each side, for which moves are asked for."""
    return sorted({rules.target - max(1, round(part * rules.target)) for part in FROM_TARGET[rules.sides]})


def mixed(rules: Rules, at: list[int], moves: list[Move], known: Table) -> Moves:
    """Moves for every cell, from how often each comes (the first axis) at all combinations of the scores `at`."""
    total = known.sum(axis=tuple(range(1, known.ndim)), keepdims=True)
    known = np.where(known.sum(axis=0) > 0, known, total)  # where nobody would ever play, as it is elsewhere
    known = np.where(known > RARE * known.sum(axis=0), known, 0)
    some = known.any(axis=tuple(range(1, known.ndim)))
    if not some.any():
        return {}
    found = known[some] / known.sum(axis=0)
    near = np.stack([np.interp(scores_of(blank(rules)), at, one) for one in np.eye(len(at))], axis=1)
    for _ in range(rules.sides):  # each axis in turn: from the scores known to all cells
        found = np.tensordot(found, near, axes=(1, 1))
    return dict(zip((moves[i] for i in np.flatnonzero(some)), found, strict=True))


def blank(rules: Rules) -> Match:
    """The cells: from as far below 0 as the target is above it, in steps that fit into the table; or further."""
    found = Match()
    most = 116 if rules.sides == 2 else 20
    found.step = max(1, -(-2 * rules.target // most))
    cells = min(most, 4 * -(-rules.target // found.step))
    found.low = rules.target - cells * found.step
    found.size = cells + 2
    assert found.size**rules.sides <= CELLS
    return found


def scores_of(match: Match) -> NDArray[np.int64]:
    """The score of each cell of an axis."""
    return match.low + match.step * np.arange(match.size)


def first_guess(rules: Rules) -> Match:
    """By how much each side lacks of the target."""
    match = blank(rules)
    lacks = np.maximum(1, rules.target - scores_of(match)) / (0.25 * rules.target + 1)
    weights = np.exp(-lacks)
    shape = (match.size,) * rules.sides
    total = sum(
        np.broadcast_to(weights.reshape([-1 if a == i else 1 for a in range(rules.sides)]), shape)
        for i in range(rules.sides)
    )
    own = np.broadcast_to(weights.reshape([-1] + [1] * (rules.sides - 1)), shape)
    return _filled(match, own / total)


def _filled(match: Match, chances: Table) -> Match:
    flat = np.round(chances.ravel() * WON).astype(int)
    match.chance[: len(flat)] = [int(x) for x in flat]
    return match


def table(rules: Rules, guess: Match, moves: Moves, sweeps: int) -> Match:
    """Chances that stay as they are when a round is played: found by playing one after another."""
    match, sides = blank(rules), rules.sides
    size = match.size
    chances = np.array(guess.chance[: size**sides], dtype=np.float64).reshape((size,) * sides) / WON
    if not moves:
        return _filled(match, chances)
    around = _Around(rules, match, moves)
    for _ in range(sweeps):
        after = around.played(chances)
        change = float(np.abs(after - chances).max())
        chances = after
        if change < ENOUGH:
            break
    return _filled(match, _rising(chances))


def _rising(chances: Table) -> Table:
    """The same, but a point more never hurts its side: what lies between two scores that are known can be rough."""
    found, sides = chances.copy(), chances.ndim
    going_on = (slice(0, -2),) * sides
    inner = found[going_on]
    for axis in range(sides):
        up = inner if axis == 0 else np.flip(inner, axis)  # one's own points raise the chance, others' lower it
        least = np.flip(np.minimum.accumulate(np.flip(up, axis), axis), axis)
        inner = (np.maximum.accumulate(up, axis) + least) / 2
        inner = inner if axis == 0 else np.flip(inner, axis)
    turned = [np.transpose(inner, [(axis - side) % sides for axis in range(sides)]) for side in range(sides)]
    found[going_on] = inner / np.sum(turned, axis=0)
    return found


class _Around:
    """The match table with a margin: what a round can lead to, above the target and below the lowest score."""

    def __init__(self, rules: Rules, match: Match, moves: Moves) -> None:
        self.sides, self.size, self.step = rules.sides, match.size, match.step
        whole = match.step * match.size  # more than the whole table is as good or bad as that
        self.moves = [
            (move.makers, [max(-whole, min(whole, points)) for points in move.points], part)
            for move, part in moves.items()
        ]
        points = [points for _, gains, _ in self.moves for points in gains]
        self.down = 1 + -(min(*points, 0) // match.step)
        more = 1 + -(-max(points) // match.step)
        self.wide = self.down + match.size + more
        scores = match.low + match.step * (np.arange(self.wide) - self.down)
        self.ended = [_ended(rules, scores, makers) for makers in range(rules.sides)]
        going_on = _every(scores < rules.target, rules.sides)
        self.open = going_on[self._inside()]
        self.below = np.nonzero(going_on & ~_every(scores >= match.low, rules.sides))
        self.near = _corners(rules, match, [scores[at] for at in self.below])

    def _inside(self) -> tuple[slice, ...]:
        return (slice(self.down, self.down + self.size),) * self.sides

    def played(self, chances: Table) -> Table:
        """The chances before a round, from those after it."""
        wholes = [self._whole(chances, makers) for makers in range(self.sides)]
        after = np.zeros_like(chances)
        for makers, points, part in self.moves:
            after += part * self._moved(wholes[makers], points)
        return np.where(self.open, after, self.ended[0][self._inside()])

    def _whole(self, chances: Table, makers: int) -> Table:
        whole = self.ended[makers].copy()
        np.copyto(whole[self._inside()], chances, where=self.open)
        cells, parts = self.near
        whole[self.below] = (chances.ravel()[cells] * parts).sum(axis=1)
        return whole

    def _moved(self, whole: Table, points: list[int]) -> Table:
        """The chances after so many points of each side, for every cell of the table."""
        for axis, gained in enumerate(points):
            cells, rest = divmod(gained, self.step)
            near = self._shifted(whole, axis, cells)
            if rest:
                near = near + rest / self.step * (self._shifted(whole, axis, cells + 1) - near)
            whole = near
        return whole

    def _shifted(self, whole: Table, axis: int, cells: int) -> Table:
        first = self.down + cells
        return whole[(slice(None),) * axis + (slice(first, first + self.size),)]


def _every(line: NDArray[np.bool_], sides: int) -> NDArray[np.bool_]:
    """Where it is true of every side's score."""
    found = line
    for _ in range(sides - 1):
        found = found[..., None] & line
    return found


def _corners(rules: Rules, match: Match, scores: list[NDArray[np.int64]]) -> tuple[NDArray[np.int64], Table]:
    """For scores of which one is below the table: the cells around what `raised` makes of them, and their parts."""
    deepest = np.minimum.reduce(scores)
    ratio = (rules.target - match.low) / (rules.target - deepest)
    cells, parts = np.zeros((len(deepest), 1), dtype=np.int64), np.ones((len(deepest), 1))
    for own in scores:
        place = (match.size - 2) - (rules.target - own) * ratio / match.step
        first = np.clip(place.astype(np.int64), 0, match.size - 3)
        over = (place - first)[:, None]
        cells = np.concatenate([cells * match.size + first[:, None], cells * match.size + first[:, None] + 1], axis=1)
        parts = np.concatenate([parts * (1 - over), parts * over], axis=1)
    return cells, parts


def _ended(rules: Rules, scores: NDArray[np.int64], makers: int) -> Table:
    """The first side's part of the game where somebody has reached the target; 0 elsewhere. The kernel says who won."""
    sides = rules.sides
    below = int((scores < rules.target).sum())  # of those who have not reached it, it makes no difference by how much
    ends = [int(scores[0]), *(int(score) for score in scores[below:])]
    r, parts = Round(), np.zeros((len(ends),) * sides)
    r.maker = makers
    for cell in np.ndindex(parts.shape):
        if any(cell):
            r.scores[:sides] = [ends[i] for i in cell]
            won = winners(r, rules.tables, 0)
            parts[cell] = (won & 1) / won.bit_count()
    at = np.maximum(np.arange(len(scores)) - below + 1, 0)
    found: Table = parts[np.ix_(*[at] * sides)]
    return found
