"""Rewards: what the points of an episode are worth to a side."""

from __future__ import annotations

from collections.abc import Sequence

from bigpepper.envs.settings import REWARDS, one_of
from bigpepper.jit import share


def rewards(points: Sequence[int], kind: str) -> tuple[float, ...]:
    """One reward a side, from the points a side: of a round, or the scores at the end of a game.

    - `points`: the side's own points;
    - `difference`: its own points minus the mean of the others' (with two sides: minus the other's);
    - `win`: 1 for the side or sides with the most points, -1 for the others; 0 for all when they are equal.

    Raises `InvalidSetting` for another kind.
    """
    number, sides = one_of("reward", kind, REWARDS), len(points)
    return tuple(worth(points, sides, side, number) / (sides - 1) for side in range(sides))


@share
def worth(points: Sequence[int], sides: int, side: int, kind: int) -> int:
    """The reward of a side, times the number of the other sides: a whole number. `kind` is a place in `REWARDS`."""
    total, most, equal = 0, points[0], True
    for other in range(sides):
        total += points[other]
        equal = equal and points[other] == points[0]
        most = max(most, points[other])
    if kind == 0:
        return (sides - 1) * points[side]
    if kind == 1:
        return sides * points[side] - total
    if equal:
        return 0
    return sides - 1 if points[side] == most else 1 - sides
