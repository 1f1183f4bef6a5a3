"""What the makers want, as a set of numbers of tricks, and how bounds on tricks decide it.

Points need not grow with tricks: under as-written scoring (rules §1) a contract that has failed costs a point for each
trick won. So a search answers a question of the most general kind: can the makers bring the number of the tricks they
win from here on *into a set*? The set is a mask, bit n for n tricks; when a trick is won it shifts down by one.

The best payoff they can force is then exact for any payoff table: "at least v" is the set of numbers that pay at least
v; these sets shrink as v grows, and a few questions find the largest v for which the answer is yes (see `values`). And
the defenders can hold them to it, since the game is finite and each question has the answer yes or no.
"""

from __future__ import annotations

from typing import Final

from bigpepper.jit import highest, place_of, share

NO: Final = 0
YES: Final = 1
OPEN: Final = -1
"""Verdicts: the makers cannot get what they want; they can; not known yet."""


@share
def enough_for_makers(want: int, left: int) -> int:
    """Sure tricks of the makers that settle the matter for them: from that number up all are wanted.

    A side makes sure of its tricks by playing for tricks, whatever it wants.
    """
    unwanted = ~want & (2 << left) - 1
    return place_of(highest(unwanted << 1 | 1))


@share
def enough_for_defenders(want: int, left: int) -> int:
    """Sure tricks of the defenders that settle the matter for them: what is left to the makers is never wanted."""
    return left + 1 - place_of(want | 2 << left)


@share
def least(want: int) -> int:
    """The smallest number of tricks that is wanted; for goals of the form "at least n" that is n."""
    return place_of(want)
