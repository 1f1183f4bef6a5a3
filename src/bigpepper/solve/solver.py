"""The Solver: exact open-card values of positions, one at a time or in batches."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from typing import Final, TypeAlias

from bigpepper.jit import Rows, pack, rows, unpack
from bigpepper.position import Ending, InvalidPosition
from bigpepper.records import PLAY, Round
from bigpepper.rules import Rules
from bigpepper.solve import places
from bigpepper.solve.board import Answer, Position, Search
from bigpepper.solve.places import place_round, place_rounds
from bigpepper.solve.values import answer_all
from bigpepper.state import State
from bigpepper.text import msg

Solvable: TypeAlias = State | Ending


class Goal(StrEnum):
    """What both sides play for."""

    TRICKS = "tricks"
    """The makers for tricks of the round, those already won included; the defenders against that."""
    POINTS = "points"
    """The makers for their points less those of all defenders together, by the rulebook; the defenders against that."""


_GOALS: Final = {Goal.TRICKS: places.TRICKS, Goal.POINTS: places.POINTS}


class Solver:
    """Exact search with tables of its own; nothing is shared between two Solvers.

    One Solver may be called from several threads at once: each call takes a search that is free, or makes one. The
    search releases the interpreter's lock. Values never depend on what was solved before, or where.
    """

    __slots__ = ("_free",)

    def __init__(self) -> None:
        self._free: list[Rows] = []

    def answers(self, positions: Rows, *, each_card: bool = False, threads: int = 1) -> Rows:
        """Solve an array of `Position` records; an array of `Answer` records (see `board`) of the same length.

        `each_card` asks for the value of every legal card too. The order makes no difference to the values, but
        positions that have endings in common are best next to each other. Nothing is checked.
        """
        answers = rows(Answer, len(positions))
        if threads < 2:
            self._run(positions, answers, each_card)
            return answers
        step = -(-len(positions) // threads)
        parts = [slice(start, start + step) for start in range(0, len(positions), step)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda part: self._run(positions[part], answers[part], each_card), parts))
        return answers

    def rounds(
        self, rules: Rules, rounds: Rows, *, goal: Goal = Goal.POINTS, each_card: bool = False, threads: int = 1
    ) -> Rows:
        """Solve an array of `Round` records in play, all of one rulebook: an array of `Answer` records.

        Raises `InvalidPosition` when one of them is not in play.
        """
        positions = rows(Position, len(rounds))
        if place_rounds(rounds, pack([rules.tables]), positions, _GOALS[goal]):
            raise InvalidPosition(msg("Only rounds in play can be solved in a batch."))
        return self.answers(positions, each_card=each_card, threads=threads)

    def values(self, positions: Sequence[Solvable], goal: Goal = Goal.POINTS) -> list[int]:
        """The value of each position in play, in the order given; they may be of different rulebooks."""
        if not positions:
            return []
        placed = pack([position_of(position.rules, position.record, goal) for position in positions])
        return values_of(self.answers(placed))

    def _run(self, positions: Rows, answers: Rows, each_card: bool) -> None:
        try:
            search = self._free.pop()
        except IndexError:
            search = rows(Search, 1)
        answer_all(positions, answers, search, int(each_card))
        self._free.append(search)


def position_of(rules: Rules, r: Round, goal: Goal) -> Position:
    """A round as a position to be solved. Raises `InvalidPosition` outside of the play."""
    if r.phase != PLAY:
        raise InvalidPosition(msg("Only a round in play can be solved."))
    p = Position()
    place_round(r, rules.tables, p, _GOALS[goal])
    return p


def values_of(answers: Rows) -> list[int]:
    """The value of each answer."""
    return [unpack(Answer, answer).value for answer in answers]
