"""A sequential test: looking after every deal, and stopping as soon as there is an answer, without peeking's bias."""

from __future__ import annotations

from enum import StrEnum
from math import log
from typing import Final, NamedTuple

from bigpepper.arena.estimate import Values
from bigpepper.errors import InvalidGame
from bigpepper.text import msg


class Measure(StrEnum):
    """What two bots are compared by."""

    POINTS = "points"
    """The first bot's points a round less the second's."""
    GAMES = "games"
    """The first bot's part of the games won."""


DEFAULT_BOUNDS: Final = {Measure.POINTS: (0.0, 0.2), Measure.GAMES: (0.5, 0.53)}
"""Measure → the means under H0 and under H1."""
_DOUBT: Final = {Measure.POINTS: 1.0, Measure.GAMES: 0.5}
"""Two values that are added to every sample, this far on either side of its mean: few deals that happen to be alike
prove little."""


LEAST: Final = 24
"""Values before which nothing is accepted: the sample's variance is not known well enough."""


class Sprt(NamedTuple):
    """A generalized sequential probability ratio test of "the mean is `h0`" against "the mean is `h1`".

    The ratio of likelihoods is that of normal means with the sample's variance. `alpha` is the chance to accept H1 when
    H0 holds, `beta` the chance to accept H0 when H1 holds; both approximately.
    """

    measure: Measure = Measure.POINTS
    h0: float = DEFAULT_BOUNDS[Measure.POINTS][0]
    h1: float = DEFAULT_BOUNDS[Measure.POINTS][1]
    alpha: float = 0.05
    beta: float = 0.05
    least: int = LEAST
    """Values before which nothing is accepted."""

    @classmethod
    def of(
        cls,
        measure: Measure = Measure.POINTS,
        h0: float | None = None,
        h1: float | None = None,
        alpha: float = 0.05,
        beta: float = 0.05,
        least: int = LEAST,
    ) -> Sprt:
        """A test with the measure's usual bounds where none are given. Raises `InvalidGame` unless h0 < h1."""
        usual = DEFAULT_BOUNDS[measure]
        low, high = usual[0] if h0 is None else h0, usual[1] if h1 is None else h1
        if not low < high:
            raise InvalidGame(msg("H1 ({h1}) has to lie above H0 ({h0}).", h0=low, h1=high))
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise InvalidGame(msg("The chances of error lie between 0 and 0.5; given: {a} and {b}.", a=alpha, b=beta))
        return cls(measure, low, high, alpha, beta, least)

    def verdict(self, values: Values) -> Verdict:
        """What the test says after one value a deal (or a game), in the order played."""
        lower, upper = log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)
        ratio = self._ratio(values)
        accepted = "H1" if ratio >= upper else "H0" if ratio <= lower else None
        if len(values) < self.least:
            accepted = None
        return Verdict(self, len(values), ratio, lower, upper, accepted)

    def _ratio(self, values: Values) -> float:
        """The logarithm of the ratio of likelihoods."""
        n = len(values)
        if n < 2:
            return 0.0
        mean = float(values.mean())
        variance = (float(((values - mean) ** 2).sum()) + 2 * _DOUBT[self.measure] ** 2) / (n + 1)
        return n * (self.h1 - self.h0) * (mean - (self.h0 + self.h1) / 2) / variance


class Verdict(NamedTuple):
    """Where a sequential test stands."""

    test: Sprt
    n: int
    """Deals, or games, that it has seen."""
    ratio: float
    """The logarithm of the ratio of likelihoods."""
    lower: float
    """At this or below H0 is accepted."""
    upper: float
    """At this or above H1 is accepted."""
    accepted: str | None
    """"H0", "H1", or None while it is open."""
