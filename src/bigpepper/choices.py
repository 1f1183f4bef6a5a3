"""The kernel's choices as actions, and back: a legal mask is a tuple of actions, an action is a bit of the mask."""

from __future__ import annotations

from typing import Final

from bigpepper.actions import Action, Defend, Pass
from bigpepper.records import AUCTION, DEFENCE, DISCARD, NAMING, PLAY, Public
from bigpepper.rules import Rules

_MOST_TUPLES: Final = 100_000
_tuples: dict[tuple[Choices, int], tuple[Action, ...]] = {}
"""Tuples that were made before. Their masks are hands: they are kept here and never where an Observation leads to."""


class Choices:
    """What the bits of a legal mask mean in one phase of one rulebook, under one strain (see `records`)."""

    __slots__ = ("_bits", "_by_bit")

    _by_bit: dict[int, Action]  # in the order of the actions' numbers

    def __init__(self, rules: Rules, phase: int, strain: int) -> None:
        self._by_bit: dict[int, Action] = {1 << place: action for place, action in _meanings(rules, phase, strain)}
        self._bits: dict[Action | str, int] = {action: bit for bit, action in self._by_bit.items()}

    def bit(self, action: Action) -> int:
        """The bit of an action; 0 where this phase has no such action."""
        return self._bits.get(action, 0)

    def action(self, bit: int) -> Action:
        """The action of one bit."""
        return self._by_bit[bit]

    def actions(self, mask: int) -> tuple[Action, ...]:
        """The actions of a mask, in the order of their numbers."""
        found = _tuples.get((self, mask))
        if found is None:
            if len(_tuples) >= _MOST_TUPLES:
                _tuples.clear()
            found = _tuples[self, mask] = tuple(action for bit, action in self._by_bit.items() if bit & mask)
        return found


def choices(rules: Rules, r: Public) -> Choices:
    """What the choices mean at this moment of a round."""
    return rules.memo.get((r.phase, r.strain)) or _remember(rules, r.phase, r.strain)


def _remember(rules: Rules, phase: int, strain: int) -> Choices:
    found = rules.memo[phase, strain] = Choices(rules, phase, strain)
    return found


def _meanings(rules: Rules, phase: int, strain: int) -> list[tuple[int, Action]]:
    if phase == AUCTION:
        return list(enumerate((Pass(), *rules.bids)))
    if phase == NAMING:
        return list(enumerate(rules.names))
    if phase == DEFENCE:
        return [(0, Pass()), (1, Defend())]
    if phase not in (DISCARD, PLAY):
        return []
    first = rules.tables.first_discard if phase == DISCARD else rules.tables.first_play
    return [(place, rules.actions[first + number]) for number, place in enumerate(_places(rules, strain))]


def _places(rules: Rules, strain: int) -> list[int]:
    return rules.tables.place[strain][: len(rules.deck)]
