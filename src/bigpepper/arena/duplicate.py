"""Duplicate play: every deal is played once from each seating, so that the cards are the same for both bots.

A pairing of two bots is seated in every way in which both take part: two ways where there are two sides, six with three
players (each bot alone in each seat against two of the other). All pairings of a match play the same deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple

from bigpepper.arena.entrants import Entrant
from bigpepper.arena.table import Table
from bigpepper.deal import DealStream
from bigpepper.game import Game
from bigpepper.rules import Rules
from bigpepper.state import State
from bigpepper.text import Message, msg


class Task(NamedTuple):
    """Some numbered deals, and some numbered games."""

    deals: range
    games: range


class Shares(NamedTuple):
    """What the two bots of a pairing got, on the mean of all seatings of one deal or game."""

    first: float
    second: float


class Outcome(NamedTuple):
    """What came out of a task; a list for each deal or game, with the Shares of each pairing."""

    deals: list[list[Shares]]
    """Points of a round a side."""
    games: list[list[Shares]]
    """Games won; they add up to 1. A joint win is shared."""


def pairings(n: int) -> list[tuple[int, int]]:
    """Each pair of `n` entrants, by their numbers."""
    return list(combinations(range(n), 2))


def seatings(sides: int) -> list[tuple[int, ...]]:
    """Each way to give every side one of two bots, 0 and 1, so that both take part."""
    return [seating for seating in product((0, 1), repeat=sides) if len(set(seating)) == 2]


@dataclass(frozen=True)
class Duplicate:
    """The work of a match: what each deal and game of a seed comes out as. The same on every machine."""

    rules: Rules
    entrants: tuple[Entrant, ...]
    seed: str

    def __call__(self, task: Task) -> Outcome:
        """Play these deals and games in all pairings. Raises `BotFailed`."""
        return Outcome(
            [[self._points(number, pair) for pair in self._pairings] for number in task.deals],
            [[self._wins(number, pair) for pair in self._pairings] for number in task.games],
        )

    @cached_property
    def _pairings(self) -> list[tuple[int, int]]:
        return pairings(len(self.entrants))

    @cached_property
    def _seatings(self) -> list[tuple[int, ...]]:
        return seatings(self.rules.sides)

    @cached_property
    def _deals(self) -> DealStream:
        return DealStream(self.rules, f"{self.seed}/deals")

    @cached_property
    def _rules_of_games(self) -> Rules:
        return self.rules.for_programs()

    # --- one round from each seating ----------------------------------------------------------------------------------

    def _points(self, number: int, pair: tuple[int, int]) -> Shares:
        """Points of a round, a side, when every score is 0 (or as the rulebook begins)."""
        return _mean([self._points_seated(number, pair, seating) for seating in self._seatings])

    def _points_seated(self, number: int, pair: tuple[int, int], seating: tuple[int, ...]) -> Shares:
        rules = self.rules
        table = self._table(f"deal {number}", msg("deal {n}", n=number), pair, seating)
        state = State.new(rules, deal=self._deals(number), dealer=number % rules.players)
        points = table.play_round(state).points or ()
        first, second = ([won for won, who in zip(points, seating, strict=True) if who == bot] for bot in (0, 1))
        return Shares(sum(first) / len(first), sum(second) / len(second))

    # --- one series of deals from each seating ------------------------------------------------------------------------

    def _wins(self, number: int, pair: tuple[int, int]) -> Shares:
        """Games won, when each seating plays the same series of deals to its end."""
        return _mean([self._wins_seated(number, pair, seating) for seating in self._seatings])

    def _wins_seated(self, number: int, pair: tuple[int, int], seating: tuple[int, ...]) -> Shares:
        rules = self._rules_of_games
        table = self._table(f"game {number}", msg("game {n}", n=number), pair, seating)
        deals = DealStream(rules, f"{self.seed}/game {number}")
        winners = table.play_game(Game.new(rules, deals=deals, dealer=number % rules.players)).winners
        first = sum(seating[side] == 0 for side in winners) / len(winners)
        return Shares(first, 1 - first)

    def _table(self, label: str, place: Message, pair: tuple[int, int], seating: tuple[int, ...]) -> Table:
        bots = [self.entrants[pair[seating[self.rules.side_of(seat)]]] for seat in range(self.rules.players)]
        return Table(self.rules, bots, f"{self.seed}/{label}", place, self.seed)


def _mean(shares: Sequence[Shares]) -> Shares:
    first, second = (sum(part) / len(shares) for part in zip(*shares, strict=True))
    return Shares(first, second)
