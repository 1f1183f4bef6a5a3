"""Ratings of a pool: one number a bot that explains who won how many games against whom."""

from __future__ import annotations

from math import log
from typing import Final

import numpy as np

from bigpepper.arena.duplicate import pairings
from bigpepper.arena.estimate import Estimate, Values, interval, resampled_means, with_one_each

_DRAWS: Final = 1000
_STEPS: Final = 60
_LEAST: Final = 0.25
"""Of a game: the least that a bot wins against another in a draw of games, so that its rating stays finite."""
_POINTS: Final = 400 / log(10)
"""Rating points in a natural logarithm of odds: 400 points are odds of ten to one."""


def ratings(shares: Values, bots: int) -> list[Estimate]:
    """The rating of each bot and its 95 % interval, by resampling games; 400 points are odds of ten to one.

    `shares` has a row a game, with the first bot's part of each pairing in the order of `pairings`, from 0 to 1. The
    model is Bradley and Terry's; the mean of the pool is 0. Every pairing gets a game lost and a game won on top, so
    that whoever won all games has a rating too.
    """
    rows = with_one_each(shares)
    fitted = _fit(rows.mean(axis=0)[None], bots)[0]
    draws = _fit(np.clip(resampled_means(rows, _DRAWS), _LEAST / len(rows), 1 - _LEAST / len(rows)), bots)
    return [Estimate(float(fitted[bot]), *interval(draws[:, bot]), len(shares)) for bot in range(bots)]


def _fit(shares: Values, bots: int) -> Values:
    """Rows of shares → rows of ratings of greatest likelihood, by Newton's method."""
    pairs = pairings(bots)
    signs = np.zeros((len(pairs), bots))
    for row, (first, second) in enumerate(pairs):
        signs[row, first], signs[row, second] = 1, -1
    strengths = np.zeros((len(shares), bots))
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-(strengths @ signs.T)))
        slope = (shares - chances) @ signs
        curve = np.einsum("dp,pi,pj->dij", chances * (1 - chances), signs, signs) + 1 / bots  # else singular
        strengths += np.clip(np.linalg.solve(curve, slope[..., None])[..., 0], -1, 1)
    fitted: Values = (strengths - strengths.mean(axis=1, keepdims=True)) * _POINTS  # a cut step moves the mean
    return fitted
