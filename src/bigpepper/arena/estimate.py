"""Means with their 95 % intervals, by resampling deals: the deal is the unit, whatever was played on it."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Values: TypeAlias = NDArray[np.float64]

MOST_POINTS: Final = 100_000
"""A round; no rulebook gives so many."""
DRAWS: Final = 4000
"""How often the deals are drawn anew."""
_SEED: Final = 20
_CHUNK: Final = 1 << 22
_DIGITS: Final = 9
"""Values that agree so far differ by the order of a sum only."""


class Estimate(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float
    n: int
    """How many deals or games it is taken from, at least 2."""

    def __str__(self) -> str:
        return f"{self.mean:+.3f} [{self.low:+.3f}, {self.high:+.3f}]"


def estimate(values: Values, *, of_games: bool = False) -> Estimate | None:
    """The mean of one value a deal, and between which bounds 95 % of the means lie when as many deals are drawn anew,
    with replacement; None for fewer than two deals. `of_games`: values are parts of games won, 0 to 1.
    """
    if len(values) < 2:
        return None
    rows = (with_one_each(values) if of_games else values)[:, None]
    low, high = interval(resampled_means(rows)[:, 0])
    return Estimate(float(values.mean()), low, high, len(values))


def with_one_each(shares: Values) -> Values:
    """Parts of games won by one bot of a pairing, with a game lost and a game won on top: ten games of ten do not
    prove a hundred of a hundred. They come in such an order that the other bot's parts are drawn likewise.
    """
    uneven = shares[np.abs(shares - 0.5) > 10.0**-_DIGITS]
    won_first = len(uneven) > 0 and uneven[0] > 0.5
    rows: Values = np.concatenate([shares, [1.0, 0.0] if won_first else [0.0, 1.0]])
    return rows


def interval(draws: Values) -> tuple[float, float]:
    """The middle 95 % of the draws."""
    low, high = np.quantile(draws, (0.025, 0.975))
    return float(low), float(high)


def resampled_means(rows: Values, draws: int = DRAWS, seed: int = _SEED) -> Values:
    """`rows` has a row a deal; returns a row a draw: the mean row of as many deals drawn with replacement.

    Deals with equal rows are drawn together, by how often that row comes: the same in distribution, and soon done
    where there are many deals. The same rows give the same draws; columns in another order, or with another sign, give
    the same ones in that order and with that sign.
    """
    kinds, counts = _kinds(np.round(rows, _DIGITS))
    rng = np.random.default_rng(seed)
    step = max(1, _CHUNK // len(kinds))
    parts = [
        rng.multinomial(len(rows), counts / len(rows), size=min(step, draws - start)) @ kinds
        for start in range(0, draws, step)
    ]
    means: Values = np.concatenate(parts) / len(rows)
    return means


def _kinds(rows: Values) -> tuple[Values, NDArray[np.int64]]:
    """The rows that differ, in the order in which they first come, and how often each comes."""
    one = rows.shape[1] == 1  # soon sorted as plain numbers
    _, first, counts = np.unique(
        rows[:, 0] if one else rows, axis=None if one else 0, return_index=True, return_counts=True
    )
    order = np.argsort(first)
    return rows[first[order]], counts[order]


def error_of(values: Values) -> float:
    """The standard error of the mean: what the interval comes to while a match is running."""
    return float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else float("inf")
