"""How a bot bids among its like: what is said, what becomes the contract, what is made, and what it scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from bigpepper.actions import Bid
from bigpepper.arena.entrants import Entrant
from bigpepper.arena.table import Table
from bigpepper.deal import DealStream
from bigpepper.game import Game
from bigpepper.rules import Rules
from bigpepper.state import State
from bigpepper.text import msg

THROWN_IN: Final = "thrown in"
"""Counted like a contract."""


class Count(NamedTuple):
    """What became of one bid; sums over rounds."""

    said: int = 0
    contracts: int = 0
    made: int = 0
    points: int = 0
    """The makers'."""
    others: float = 0.0
    """The mean of the other sides'."""

    def plus(self, other: Count) -> Count:
        """Both together."""
        return Count(
            self.said + other.said,
            self.contracts + other.contracts,
            self.made + other.made,
            self.points + other.points,
            self.others + other.others,
        )


Counts = dict[str, Count]
"""Bid → its Count; `THROWN_IN` → the rounds that were thrown in."""


@dataclass(frozen=True)
class SelfPlay:
    """The work of counting: the numbered games of a seed, with the same bot in every seat. Dealers rotate."""

    rules: Rules
    entrant: Entrant
    seed: str

    def __call__(self, games: range) -> Counts:
        """What these games count. Raises `BotFailed`."""
        return total(counts_of(state) for number in games for state in self._game(number).rounds)

    def _game(self, number: int) -> Game:
        rules = self.rules.for_programs()
        label = f"{self.seed}/self {number}"
        table = Table(rules, [self.entrant] * rules.players, label, msg("game {n}", n=number), self.seed)
        return table.play_game(Game.new(rules, deals=DealStream(rules, label), dealer=number % rules.players))


def total(parts: Iterable[Counts]) -> Counts:
    """All of them together."""
    sums: Counts = {}
    for part in parts:
        for bid, count in part.items():
            sums[bid] = sums.get(bid, Count()).plus(count)
    return sums


def counts_of(state: State) -> Counts:
    """What one finished round counts."""
    counts = {bid: Count(said=n) for bid, n in Counter(_said(state)).items()}
    if state.thrown_in:
        return {**counts, THROWN_IN: Count(contracts=1)}
    assert state.points is not None
    assert state.maker is not None
    makers = state.rules.side_of(state.maker)
    others = [points for side, points in enumerate(state.points) if side != makers]
    contract = Count(0, 1, int(bool(state.made)), state.points[makers], sum(others) / len(others))
    bid = str(state.contract)
    return {**counts, bid: counts.get(bid, Count()).plus(contract)}


def _said(state: State) -> Iterator[str]:
    return (str(turn.action) for turn in state.history if isinstance(turn.action, Bid))
