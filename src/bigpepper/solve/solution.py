"""What is found out about one position: its value, the value of every action, one best line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bigpepper import kernel
from bigpepper.actions import Action, Turn
from bigpepper.choices import choices
from bigpepper.jit import lowest, pack, unpack
from bigpepper.position import InvalidPosition
from bigpepper.records import AUCTION, OVER, PLAY, Round
from bigpepper.rules import Rules
from bigpepper.solve.board import Answer
from bigpepper.solve.sentences import line_sentences
from bigpepper.solve.solver import Goal, Solvable, Solver, position_of, values_of
from bigpepper.text import Message, msg


@dataclass(frozen=True)
class Solution:
    """The open-card value of a position under a goal, and how it comes about."""

    goal: Goal
    value: int
    """Under TRICKS: tricks of the makers' side in the whole round. Under POINTS: its points less those of all defenders
    together. Either side can make sure of it."""
    values: dict[Action, int]
    """The value after each legal action, in the order of the actions' numbers; empty when the round is over."""
    line: tuple[Turn, ...]
    """One best line to the end of the round; of equally good actions the one with the lowest number."""
    points: tuple[int, ...]
    """Points of each side at the end of that line."""
    tricks: tuple[int, ...]
    """Tricks of each seat at the end of that line."""
    sentences: tuple[Message, ...]
    """The line in words: a sentence for each trick, and for each step before the play."""


def solve(position: Solvable, goal: Goal = Goal.POINTS, *, solver: Solver | None = None) -> Solution:
    """The open-card value of a round from the naming of the strain on, or of an `Ending`.

    Before the play the maker names, goes alone and discards, and defenders answer, as is best with all cards open: so
    the values of a maker's names and discards tell the best strain and the best discard.
    `solver` keeps what it learns for the next call. Raises `InvalidPosition` during the auction and after a throw-in.
    """
    rules, r = position.rules, position.record
    if r.phase == AUCTION or r.thrown:
        raise InvalidPosition(msg("There is nothing to solve before somebody has bid and the auction is over."))
    return _solution(rules, r, goal, solver or Solver())


def _solution(rules: Rules, r: Round, goal: Goal, solver: Solver) -> Solution:
    steps = list(_best_line(rules, r.copy(), goal, solver))
    last = r if not steps else steps[-1].after
    return Solution(
        goal,
        steps[0].value if steps else _outcome(rules, r, goal),
        steps[0].values if steps else {},
        tuple(step.turn for step in steps),
        tuple(last.points[: rules.sides]),
        tuple(last.won[: rules.players]),
        tuple(line_sentences(rules, r, [step.turn for step in steps])),
    )


@dataclass(frozen=True)
class _Step:
    """One action of a best line, and what was known when it was chosen."""

    turn: Turn
    value: int
    values: dict[Action, int]
    after: Round


def _best_line(rules: Rules, r: Round, goal: Goal, solver: Solver) -> Iterator[_Step]:
    while r.phase != OVER:
        values = _values(rules, r, goal, solver)
        value = _best(rules, r, values.values())
        action = next(action for action in values if values[action] == value)
        seat = r.turn
        r = _after(rules, r, choices(rules, r).bit(action))
        yield _Step(Turn(seat, action), value, values, r)


def _after(rules: Rules, r: Round, choice: int) -> Round:
    new = r.copy()
    kernel.apply(new, rules.tables, choice)
    return new


def _best(rules: Rules, r: Round, values: Iterable[int]) -> int:
    """What the seat to act makes of these values: the most for the makers, or the least."""
    makers = rules.side_of(r.turn) == rules.side_of(r.maker)
    return max(values) if makers else min(values)


def _values(rules: Rules, r: Round, goal: Goal, solver: Solver) -> dict[Action, int]:
    """The value after each legal action."""
    legal = kernel.legal(r, rules.tables)
    by_bit = _values_of_cards(rules, r, goal, solver) if r.phase == PLAY else _values_before(rules, r, goal, solver)
    here = choices(rules, r)
    return {action: by_bit[here.bit(action)] for action in here.actions(legal)}


def _values_of_cards(rules: Rules, r: Round, goal: Goal, solver: Solver) -> dict[int, int]:
    answer = unpack(Answer, solver.answers(pack([position_of(rules, r, goal)]), each_card=True)[0])
    return dict(zip(_bits(answer.legal), answer.values, strict=False))


def _values_before(rules: Rules, r: Round, goal: Goal, solver: Solver) -> dict[int, int]:
    """Before the play: every way to the first lead is a position; they are solved in one batch and compared."""
    bits = list(_bits(kernel.legal(r, rules.tables)))
    after = [_after(rules, r, bit) for bit in bits]
    leaves = [position_of(rules, leaf, goal) for new in after for leaf in _leaves(rules, new)]
    values = iter(values_of(solver.answers(pack(leaves))))
    return {bit: _fold(rules, new, values) for bit, new in zip(bits, after, strict=True)}


def _leaves(rules: Rules, r: Round) -> Iterator[Round]:
    """The rounds in play that this one can become, in a fixed order."""
    if r.phase == PLAY:
        yield r
        return
    for bit in _bits(kernel.legal(r, rules.tables)):
        yield from _leaves(rules, _after(rules, r, bit))


def _fold(rules: Rules, r: Round, values: Iterator[int]) -> int:
    """The value of a round before the play, from the values of its leaves in their order."""
    if r.phase == PLAY:
        return next(values)
    legal = kernel.legal(r, rules.tables)
    return _best(rules, r, [_fold(rules, _after(rules, r, bit), values) for bit in _bits(legal)])


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield lowest(mask)
        mask &= mask - 1


def _outcome(rules: Rules, r: Round, goal: Goal) -> int:
    """The value of a round that is over."""
    t = rules.tables
    makers = rules.side_of(r.maker)
    if goal is Goal.TRICKS:
        return kernel.tricks_of(r, t, makers)
    return r.points[makers] - sum(points for side, points in enumerate(r.points[: rules.sides]) if side != makers)
