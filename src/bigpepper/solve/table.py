"""The table of positions already judged, at the start of a trick.

A position is known by who holds the highest, second highest, … remaining card of each suit, and by who leads: ranks
that are gone make no difference. Such a key, with the sides, says all that a value depends on, whatever the deal; so
the table is never cleared, and what one deal taught helps with the next.
"""

from __future__ import annotations

from typing import Final

from bigpepper.jit import share
from bigpepper.solve.board import SLOTS, Search
from bigpepper.solve.goals import NO, OPEN, YES, least
from bigpepper.solve.lanes import CARDS, LOWS, SIDES, TRUMPS, move, moves

_LOWEST_TRUMP: Final = 1 << 52
_UPPER_TRUMPS: Final = TRUMPS ^ _LOWEST_TRUMP


@share
def key_of(s: Search, unplayed: int) -> int:
    """The key of the cards unplayed: 62 bits, equal exactly when all lanes are alike card by card.

    Each card's owner is a number of two bits. The two planes of these bits are squeezed together, lane by lane, and
    stand side by side: the low plane with a marker on top of it from bit 0 of the lane, the high plane from bit 7.
    Trumps are up to eight, so the high plane of theirs goes where a game with trumps has no fourth side suit: into
    bits 41 to 47, and bit 61 for the lowest, the only one of a no-trump game with the Joker.
    """
    by_one, by_two, by_four = moves(unplayed, CARDS)
    left = move(unplayed, by_one, by_two, by_four)
    low = move(s.odd & unplayed, by_one, by_two, by_four)
    high = move(s.upper & unplayed, by_one, by_two, by_four)
    trumps = (high & _UPPER_TRUMPS) >> 12 | (high & _LOWEST_TRUMP) << 9
    return low | left + LOWS | (high & SIDES) << 7 | trumps


# An entry's data: sides, leader, want (0 for bounds that hold for any want), lower bound, upper bound.


@share
def tag_of(s: Search, leader: int, want: int) -> int:
    """What must be equal for an entry to count, beside its key; 8 bits are free below."""
    return (((s.players << 4 | s.makers) << 2 | leader) << 9 | (want if s.scattered else 0)) << 8


@share
def slot_of(key: int, tag: int) -> int:
    """Where the entry of a key lies."""
    folded = key ^ key >> 31 ^ tag >> 8
    return ((folded & 0x7FFFFFFF) * 0x2545F491) >> 24 & SLOTS - 1


@share
def look_up(s: Search, key: int, leader: int, want: int) -> int:
    """The verdict that the table has, or OPEN."""
    tag = tag_of(s, leader, want)
    slot = slot_of(key, tag)
    data = s.data[slot]
    if s.keys[slot] != key or data ^ tag > 0xFF or data ^ tag < 0:
        return OPEN
    if s.scattered:
        return data & 1
    if data >> 4 & 15 >= least(want):
        return YES
    return NO if data & 15 < least(want) else OPEN


@share
def remember(s: Search, key: int, leader: int, left: int, want: int, verdict: int) -> None:
    """Write down a verdict; a deeper search may have taken the slot meanwhile, and then loses it."""
    tag = tag_of(s, leader, want)
    slot = slot_of(key, tag)
    lower, upper = 0, left
    data = s.data[slot]
    if s.keys[slot] == key and 0 <= data ^ tag <= 0xFF:
        lower, upper = data >> 4 & 15, data & 15
    if s.scattered:
        lower, upper = 0, verdict
    elif verdict == YES:
        lower = least(want)
    else:
        upper = least(want) - 1
    s.keys[slot] = key
    s.data[slot] = tag | lower << 4 | upper
