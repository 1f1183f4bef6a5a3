"""What a strong bot works with at one decision: the view, the rulebook's numbers as arrays, and worlds with weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bigpepper.bots.strong.back import likelihoods
from bigpepper.bots.strong.belief import Weight, weigh_worlds
from bigpepper.bots.strong.budget import Budget
from bigpepper.bots.strong.hidden import draw
from bigpepper.bots.strong.policy import Mind
from bigpepper.bots.strong.season import season_of
from bigpepper.bots.strong.stakes import Stakes, weigh
from bigpepper.jit import Rows, pack, rows
from bigpepper.observation import Observation
from bigpepper.records import Round, Tables, View
from bigpepper.rules import Rules
from bigpepper.solve import Solver

_MOST_STAKES = 200


@dataclass(frozen=True, slots=True)
class Book:
    """A rulebook's numbers, each as an array of one record."""

    tables: Rows
    model: Rows
    match: Rows

    @classmethod
    def of(cls, rules: Rules) -> Book:
        """Those of a rulebook; made once."""
        found: Book | None = rules.memo.get("strong book")
        if found is None:
            season = season_of(rules)
            found = rules.memo["strong book"] = cls(pack([rules.tables]), pack([season.model]), pack([season.match]))
        return found


@dataclass(frozen=True)
class Thought:
    """One decision."""

    rules: Rules
    v: View
    dice: Random
    """Depends on the bot's seed and the observation alone."""

    @classmethod
    def of(cls, observation: Observation, seed: int) -> Thought:
        """Begin to think about an observation."""
        digest = sha256(f"{seed} ".encode() + bytes(observation)).digest()
        return cls(observation.rules, observation.view, Random(digest))

    @property
    def t(self) -> Tables:
        """The rulebook's tables."""
        return self.rules.tables

    @cached_property
    def book(self) -> Book:
        """The rulebook's numbers."""
        return Book.of(self.rules)

    @cached_property
    def stakes(self) -> Rows:
        """What the ways to end this round are worth."""
        known: dict[tuple[int, ...], Rows] = self.rules.memo.setdefault("strong stakes", {})
        scores = tuple(self.v.scores)
        if scores not in known:
            if len(known) >= _MOST_STAKES:
                known.clear()
            stakes = rows(Stakes, 1)
            weigh(pack([self.v]), self.book.tables, self.book.match, stakes, rows(Round, 1))
            known[scores] = stakes
        return known[scores]

    def worlds(self, drawn: int, kept: int) -> Rows:
        """`kept` worlds, each with the chance that what the others have done gives it among `drawn` ones."""
        found = draw(self.v, self.t, self.book.tables, max(drawn, kept), self.dice)
        if self.v.length == 0:
            return found[:kept]
        weights = as_floats(weights_of(self.v, self.book, self.stakes, found))
        return found[picked(weights, kept, self.dice.random())]

    def worlds_by_play(self, solver: Solver, budget: Budget) -> Rows:
        """Worlds for a card: weighed by the calls, some of them then by the cards of the others.

        Not by cards with three players: two defenders who are no partners do not play as the solver would, maker
        against both.
        """
        if not budget.back or not budget.weighed or self.t.sides > 2:
            return self.worlds(budget.drawn, budget.plays)
        found = self.worlds(budget.drawn, budget.weighed)
        chances = likelihoods(pack([self.v]), self.book.tables, found, solver, budget.back)
        return found[picked(chances / chances.sum(), budget.plays, self.dice.random())]


def weights_of(v: View, book: Book, stakes: Rows, worlds: Rows) -> Rows:
    """The `Weight` of each world by what all seats but the view's own have done before the play."""
    weights = rows(Weight, len(worlds))
    weigh_worlds(pack([v]), book.tables, book.model, stakes, rows(Mind, 1), rows(Round, 1), worlds, weights)
    return weights


def as_floats(weights: Any) -> NDArray[np.float64]:
    """Weights as fractions of their sum."""
    exponents = weights["exponent"] - weights["exponent"].max()
    values = weights["fraction"] * np.exp2(np.maximum(exponents, -900).astype(np.float64))
    fractions: NDArray[np.float64] = values / values.sum()
    return fractions


def picked(chances: NDArray[np.float64], n: int, start: float) -> NDArray[np.int64]:
    """`n` numbers, each as often as its chance says, as evenly as can be (systematic resampling)."""
    marks = (np.arange(n) + start) / n
    return np.minimum(np.searchsorted(np.cumsum(chances), marks), len(chances) - 1)
