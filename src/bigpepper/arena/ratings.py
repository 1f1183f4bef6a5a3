"""Ratings of a pool: one number a bot that explains who won how many games against whom."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Final

import numpy as np

from bigpepper.arena.duplicate import pairings
from bigpepper.arena.estimate import Estimate, Values, interval, resampled_means

_DRAWS: Final = 1000
_SEED: Final = 21
_STEPS: Final = 60
_ON_TOP: Final = 2
"""Games that every pairing gets on top: one lost and one won."""
_LEAST: Final = 0.25
"""Of a game: the least that a bot wins against another in a draw of games, so that its rating stays finite."""
_POINTS: Final = 400 / log(10)
"""Rating points in a natural logarithm of odds: 400 points are odds of ten to one."""
_DIGITS: Final = 6


def ratings(shares: Values, bots: int) -> list[Estimate]:
    """The rating of each bot and its 95 % interval, by resampling games; 400 points are odds of ten to one.

    `shares` has a row a game, with the first bot's part of each pairing in the order of `pairings`, from 0 to 1. The
    model is Bradley and Terry's; the mean of the pool is 0. Every pairing gets a game lost and a game won on top, so
    that whoever won all games has a rating too. The order of the bots is no matter: the draws go by who stands where,
    and bots that cannot be told apart by their games share theirs.
    """
    n = len(shares)
    fitted = _fit((shares.sum(axis=0) + 1)[None] / (n + _ON_TOP), bots)[0]
    standing = np.round(np.vstack([fitted, _scores(shares, bots)]).T, _DIGITS).tolist()
    order = sorted(range(bots), key=lambda bot: standing[bot])
    draws = _fit(_drawn(_in_order(shares, order)), bots)
    found = []
    for bot in range(bots):
        alike = [place for place, other in enumerate(order) if standing[other] == standing[bot]]
        found.append(Estimate(float(fitted[bot]), *interval(draws[:, alike]), n))
    return found


def _scores(shares: Values, bots: int) -> Values:
    """A row a game and a column a bot: its part of the game, all pairings together."""
    scores = np.zeros((len(shares), bots))
    for column, (first, second) in enumerate(pairings(bots)):
        scores[:, first] += shares[:, column]
        scores[:, second] += 1 - shares[:, column]
    return scores


def _in_order(shares: Values, order: Sequence[int]) -> Values:
    """The shares as they would be, had the bots been named in this order."""
    column = {pair: i for i, pair in enumerate(pairings(len(order)))}
    pairs = [(order[i], order[j]) for i, j in column]
    return np.column_stack([shares[:, column[a, b]] if a < b else 1 - shares[:, column[b, a]] for a, b in pairs])


def _drawn(shares: Values) -> Values:
    """A row a draw: the mean part of each pairing in as many games drawn with replacement, those on top among them.

    Games are drawn for all pairings together; which of those on top are won is drawn for each pairing on its own.
    """
    n, pairs = shares.shape
    top = np.zeros((_ON_TOP, pairs + 1))
    top[:, -1] = 1
    means = resampled_means(np.vstack([np.column_stack([shares, np.zeros(n)]), top]), _DRAWS)
    drawn_on_top = np.rint(means[:, -1:] * (n + _ON_TOP)).astype(int)
    won = np.random.default_rng(_SEED).binomial(drawn_on_top, 0.5, (_DRAWS, pairs))
    least = _LEAST / (n + _ON_TOP)
    drawn: Values = np.clip(means[:, :-1] + won / (n + _ON_TOP), least, 1 - least)
    return drawn


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
