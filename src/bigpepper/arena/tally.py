"""What a match has played so far: a row a deal and a row a game, in order."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bigpepper.arena.duplicate import Outcome, Shares
from bigpepper.arena.estimate import Values


@dataclass
class Tally:
    """The Shares of each pairing, a row a deal and a row a game."""

    deals: list[list[Shares]] = field(default_factory=list)
    games: list[list[Shares]] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Put what was played next at the end."""
        self.deals += outcome.deals
        self.games += outcome.games

    def differences(self, pairing: int) -> Values:
        """Points a round: the first bot's less the second's, one value a deal."""
        return np.array([row[pairing].first - row[pairing].second for row in self.deals])

    def won(self, pairing: int) -> Values:
        """The first bot's part of the games, one value a game."""
        return np.array([row[pairing].first for row in self.games])

    def points(self, pairing: int) -> Shares:
        """Points a round of each of the two bots, on the mean."""
        rows = [row[pairing] for row in self.deals] or [Shares(0, 0)]
        first, second = (sum(part) / len(rows) for part in zip(*rows, strict=True))
        return Shares(first, second)

    def all_won(self) -> Values:
        """The first bot's part of the games, a row a game and a column a pairing."""
        return np.array([[shares.first for shares in row] for row in self.games])
