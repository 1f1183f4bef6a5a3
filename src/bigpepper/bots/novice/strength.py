"""How many tricks a hand is likely to take: top cards, length, ruffs, against cards that nobody has shown yet.

Everything is counted from the cards that are still out, so that it holds for any deck and in the middle of a round.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

from bigpepper.bots.novice.layout import Layout
from bigpepper.jit import count, highest

GUARD: Final = 0.6
"""What remains of the risk to a high card that has as many lower ones beside it as higher ones are out."""
RUFFS: Final = (0.75, 0.45, 0.15)
"""Tricks a spare trump takes by trumping a side suit of which the hand holds 0, 1, 2 cards."""


class Others(NamedTuple):
    """The hands against this one."""

    unseen: int
    """Cards not seen, wherever they are."""
    held: int
    """Cards that each of the hands holds."""
    opponents: int
    """How many opponents take part."""

    @property
    def share(self) -> float:
        """Chance that an unseen card is in an opponent's hand, 0 to 1."""
        return min(1.0, self.opponents * self.held / self.unseen) if self.unseen else 0.0


def power(suits: Layout, hand: int, out: int, others: Others, draws: bool) -> float:
    """Tricks that `hand` can expect to take by itself, 0 to its size; `out` are the unseen cards, in strain order.

    `draws`: whether the hand is likely to draw the others' trumps, as the maker's is.
    """
    own, outside = hand & suits.trump, out & suits.trump
    tops = _suit_tricks(*_lane(suits.trump, own, outside), others, 0)
    danger = _danger(count(outside), others, int(tops + 0.5) if draws else 0)
    tricks, ruffs = tops, 0.0
    for suit in suits.sides:
        mine = hand & suit
        if mine:
            tricks += _suit_tricks(*_lane(suit, mine, out & suit), others, danger)
        length = count(mine)
        if length < len(RUFFS) and out & suit:
            ruffs += RUFFS[length]
    spare = count(own) - tops
    return min(tricks + min(ruffs, 0.9 * spare), float(count(hand)))


def _lane(suit: int, own: int, out: int) -> tuple[int, int]:
    """Own and outside cards of a suit, moved to the lowest bits, so that equal holdings are counted once."""
    low = (suit & -suit).bit_length() - 1 if suit else 0
    return own >> low, out >> low


def _danger(trumps: int, others: Others, drawn: int) -> int:
    """Hundredths of the chance that an opponent still has a trump after `drawn` rounds of them."""
    if not trumps:
        return 0
    return round(100 * at_least(others.unseen, trumps, others.held, drawn + 1))


@lru_cache(maxsize=100_000)
def _suit_tricks(own: int, out: int, others: Others, danger: int) -> float:
    """Tricks of one suit, its cards played from the top; `danger` as `_danger` gives it, 0 for trumps themselves."""
    tricks = lost = 0.0
    length = count(own)
    for n in range(1, length + 1):
        bit = highest(own)
        own ^= bit
        above = count(out & -bit)
        risk = _beaten(above - lost, count(out), others, n)
        if 0 < above <= length - n:
            risk *= GUARD
        follows: float = at_least(others.unseen, count(out), others.held, n) ** others.opponents
        tricks += (1 - risk) * (1 - (1 - follows) * danger / 100)
        lost += risk
    return tricks


def _beaten(above: float, out: int, others: Others, n: int) -> float:
    """Chance that one of `above` higher cards is against us in the suit's n-th round."""
    if above <= 0:
        return 0.0
    held: float = (1 - others.share) ** above
    some_long = 1 - (1 - at_least(others.unseen, out, others.held, n)) ** others.opponents
    return min(1 - held, some_long)


@lru_cache(maxsize=100_000)
def at_least(unseen: int, of_kind: int, held: int, n: int) -> float:
    """Chance that a hand of `held` out of `unseen` cards has at least `n` of the `of_kind` ones."""
    if n <= 0:
        return 1.0
    if n > min(held, of_kind):
        return 0.0
    held = min(held, unseen)
    fewer = sum(comb(of_kind, k) * comb(unseen - of_kind, held - k) for k in range(n))
    return 1 - fewer / comb(unseen, held)
