"""What a match comes to: each pairing's points and games with their intervals, ratings, the sequential test."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from bigpepper.arena.estimate import Estimate
from bigpepper.arena.sequential import Verdict
from bigpepper.rules import Rules


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two bots against each other, on the same deals from every seating."""

    bots: tuple[str, str]
    points: Estimate | None
    """Points a round: the mean of the first bot's sides less that of the second's; None for fewer than two deals."""
    each: tuple[float, float]
    """Points a round of the first bot, and of the second."""
    games: Estimate | None
    """The first bot's part of the games won, 0 to 1; even is 0.5. None for fewer than two games."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot of a pool with its rating; 0 is the mean of the pool, 400 points are odds of ten to one."""

    bot: str
    rating: Estimate


@dataclass(frozen=True, slots=True)
class Result:
    """A match so far."""

    rules: Rules
    bots: tuple[str, ...]
    seed: str
    deals: int
    """Deals that every pairing has played, each once from every seating."""
    games: int
    """Series of deals that every pairing has played to the end of the game, each once from every seating."""
    finished: bool
    """Whether all was played, or the test has come to an end."""
    pairings: tuple[Pairing, ...]
    """Each two bots, in the order given."""
    ratings: tuple[Rating, ...]
    """The best bot first, equal ones by name; only for three bots or more that have played games."""
    verdict: Verdict | None
    """Of the sequential test, if there is one."""

    @property
    def points(self) -> Estimate | None:
        """The first bot's points a round less the second's."""
        return self.pairings[0].points

    @property
    def games_won(self) -> Estimate | None:
        """The first bot's part of the games against the second, 0 to 1."""
        return self.pairings[0].games

    def data(self) -> dict[str, object]:
        """The result as plain data, for JSON; nothing in it depends on the machine."""
        return {
            "rules": self.rules.name,
            "rules_digest": self.rules.digest,
            "bots": list(self.bots),
            "seed": self.seed,
            "deals": self.deals,
            "games": self.games,
            "finished": self.finished,
            "pairings": [
                {
                    "bots": list(pairing.bots),
                    "points": _plain(pairing.points),
                    "points_each": list(pairing.each),
                    "games_won": _plain(pairing.games),
                }
                for pairing in self.pairings
            ],
            "ratings": [{"bot": one.bot, **(_plain(one.rating) or {})} for one in self.ratings],
            "sprt": _verdict(self.verdict),
        }


def _plain(estimate: Estimate | None) -> dict[str, float] | None:
    return None if estimate is None else estimate._asdict()


def _verdict(verdict: Verdict | None) -> dict[str, object] | None:
    if verdict is None:
        return None
    rest = verdict._asdict()
    return {**asdict(rest.pop("test")), **rest}
