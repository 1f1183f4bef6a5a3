"""A sequential test: looking after every deal, and stopping as soon as there is an answer, without peeking's bias."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import log
from typing import Final, NamedTuple, TypeGuard

from bigpepper.arena.estimate import MOST_POINTS, Values
from bigpepper.errors import InvalidGame
from bigpepper.options import is_whole, shown
from bigpepper.text import listed, msg


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
_BOUNDS: Final = {Measure.POINTS: (-MOST_POINTS, MOST_POINTS), Measure.GAMES: (0, 1)}
"""Measure → between what its means lie."""
_LEAST_CHANCE: Final = 1e-6
"""Of an error: that a mean is normal is not known better."""

LEAST: Final = 24
"""Values before which nothing is accepted: the sample's variance is not known well enough."""


def measure_of(given: object) -> Measure:
    """A measure, or its text. Raises `InvalidGame`."""
    if isinstance(given, str) and given in list(Measure):
        return Measure(given)
    raise InvalidGame(
        msg("There is no measure {given}; there are {measures}.", given=shown(given), measures=listed(Measure))
    )


@dataclass(frozen=True, slots=True)
class Sprt:
    """A generalized sequential probability ratio test of "the mean is `h0`" against "the mean is `h1`".

    The ratio of likelihoods is that of normal means with the sample's variance. `alpha` is the chance to accept H1 when
    H0 holds, `beta` the chance to accept H0 when H1 holds; both approximately, and from 0.000001 to below 0.5. The
    means of games are parts of them, from 0 to 1. Raises `InvalidGame`.
    """

    measure: Measure = Measure.POINTS
    h0: float = DEFAULT_BOUNDS[Measure.POINTS][0]
    h1: float = DEFAULT_BOUNDS[Measure.POINTS][1]
    alpha: float = 0.05
    beta: float = 0.05
    least: int = LEAST
    """Values before which nothing is accepted, 2 or more."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "measure", measure_of(self.measure))
        for name in ("h0", "h1"):
            object.__setattr__(self, name, _mean(self.measure, name, getattr(self, name)))
        if not self.h0 < self.h1:
            raise InvalidGame(msg("H1 ({h1}) has to lie above H0 ({h0}).", h0=self.h0, h1=self.h1))
        for name in ("alpha", "beta"):
            object.__setattr__(self, name, _chance(getattr(self, name)))
        if not is_whole(self.least) or self.least < 2:
            raise InvalidGame(
                msg("A test sees 2 values or more before it accepts; given: {least}.", least=shown(self.least))
            )

    @classmethod
    def of(
        cls,
        measure: Measure | str = Measure.POINTS,
        h0: float | None = None,
        h1: float | None = None,
        alpha: float = 0.05,
        beta: float = 0.05,
        least: int = LEAST,
    ) -> Sprt:
        """A test with the measure's usual bounds where none are given. Raises `InvalidGame`."""
        measure = measure_of(measure)
        usual = DEFAULT_BOUNDS[measure]
        return cls(measure, usual[0] if h0 is None else h0, usual[1] if h1 is None else h1, alpha, beta, least)

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


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _mean(measure: Measure, name: str, given: object) -> float:
    low, high = _BOUNDS[measure]
    if not _is_number(given) or not low <= given <= high:
        raise InvalidGame(
            msg(
                "In a test on {measure} {name} is a number from {low} to {high}; given: {given}.",
                measure=measure,
                name=name.upper(),
                low=low,
                high=high,
                given=shown(given),
            )
        )
    return float(given)


def _chance(given: object) -> float:
    if not _is_number(given) or not 0 < given < 0.5:
        raise InvalidGame(msg("The chances of error lie between 0 and 0.5; given: {given}.", given=shown(given)))
    if given < _LEAST_CHANCE:
        raise InvalidGame(
            msg("No test errs less often than one time in a million; given: {given}.", given=shown(given))
        )
    return float(given)


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
