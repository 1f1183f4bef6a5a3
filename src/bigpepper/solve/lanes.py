"""The solver's layout of cards: five lanes of 13 bits, and what can be asked of all suits at once.

A mask holds cards of all suits: four side suits in the lanes from bit 0, 13, 26 and 39, at most six cards each, and the
trumps from bit 52, at most eight, the Joker highest. Within a lane ranks ascend from its lowest bit. The bits that no
card uses are guards: shifting a lane by up to seven places never reaches a card of its neighbour.

At no-trump a Joker is the only "trump": nobody else has one to follow with, and it wins, just as rules §2 say.
"""

from __future__ import annotations

from typing import Final

from bigpepper.jit import count, place_of, share

WIDTH: Final = 13
LOWS: Final = sum(1 << WIDTH * lane for lane in range(5))
"""The lowest bit of every lane."""
TRUMPS: Final = 0xFF << 4 * WIDTH
"""All places of trumps."""
CARDS: Final = 0x3F * (LOWS & ~TRUMPS) | TRUMPS
"""All places of cards."""
SIDES: Final = CARDS & ~TRUMPS
"""All places of side suits."""
PLENTY: Final = 31 * LOWS
"""More than any number of cards or tricks, in every lane."""

_PAIRS: Final = 0x55 * LOWS
_FOURS: Final = 0x33 * LOWS
_EIGHTS: Final = 0x0F * LOWS
_GUARDS: Final = 0x40 * LOWS
_LANE: Final = 0xFF
_PLACES: Final = _LANE * LOWS
_ENDS: Final = LOWS << 8


@share
def lane_number(place: int) -> int:
    """The lane of a place from 0 to 59: `place` divided by 13."""
    return place * 79 >> 10


@share
def suit_of(bit: int) -> int:
    """The lane that a card lies in, as a mask."""
    return _LANE << WIDTH * lane_number(place_of(bit))


@share
def below(cards: int) -> int:
    """In every lane the places of the highest of these cards and all below it."""
    cards |= cards >> 1
    cards |= cards >> 2
    cards |= cards >> 4
    return cards & CARDS


@share
def above(cards: int, others: int) -> int:
    """Those of `cards` that are higher than all of `others` in their suit."""
    return cards & ~below(others)


@share
def suits_with(cards: int) -> int:
    """All places of the suits in which there is one of these cards: there the sum carries into the bit above."""
    carries = cards + _PLACES & _ENDS
    return carries - (carries >> 8)


@share
def count_suits(cards: int) -> int:
    """In how many suits there is one of these cards."""
    return count(cards + _PLACES & _ENDS)


@share
def one_of_each(cards: int, others: int) -> int:
    """One card, the lowest, for each group of `cards` between which none of `others` lies: they play alike.

    A *stretch* is a row of places without one of `others`, and its *end* is the place above. Taking 1 away at the start
    of every stretch turns over its lowest card and whatever is below; a stretch without a card takes it from its end.
    """
    stretches = CARDS & ~others
    ends = stretches << 1 & ~stretches
    filled = cards | ends
    return cards & ~(filled - (stretches & ~(stretches << 1)))


@share
def moves(cards: int, places: int) -> tuple[int, int, int]:
    """Which cards move down by one place, by two and by four, in this order, to close the gaps within their lanes.

    `places` are those of all lanes, at most eight each, the lanes so far apart that seven places above one do not reach
    a card of the next; cards elsewhere stay. A card has to move as many places as there are gaps below it: by one if
    that number is odd, and so on for two and four, with every other gap left out each time.
    """
    cards &= places
    gaps = (places & ~cards) << 1 & places
    odd = parity(gaps)
    by_one = odd & cards
    cards = cards ^ by_one | by_one >> 1
    gaps &= ~odd
    odd = parity(gaps)
    by_two = odd & cards
    cards = cards ^ by_two | by_two >> 2
    by_four = parity(gaps & ~odd) & cards
    return by_one, by_two, by_four


@share
def parity(gaps: int) -> int:
    """The places with an odd number of gaps at or below them in their lane."""
    gaps ^= gaps << 1
    gaps ^= gaps << 2
    return gaps ^ gaps << 4


@share
def move(cards: int, by_one: int, by_two: int, by_four: int) -> int:
    """Cards after the moves that `moves` has found."""
    some = cards & by_one
    cards = cards ^ some | some >> 1
    some = cards & by_two
    cards = cards ^ some | some >> 2
    some = cards & by_four
    return cards ^ some | some >> 4


# --- numbers a lane -------------------------------------------------------------------------------------------------


@share
def lengths(cards: int) -> int:
    """How many cards each lane holds, as a number in the lane."""
    cards = (cards & _PAIRS) + (cards >> 1 & _PAIRS)
    cards = (cards & _FOURS) + (cards >> 2 & _FOURS)
    return (cards & _EIGHTS) + (cards >> 4 & _EIGHTS)


@share
def at_least(a: int, b: int) -> int:
    """All bits (0x3F) of the lanes in which the number of `a` is at least that of `b`; numbers are below 64."""
    guards = (a | _GUARDS) - b & _GUARDS
    return guards - (guards >> 6)


@share
def larger(a: int, b: int) -> int:
    """The larger number, lane by lane."""
    return b ^ ((a ^ b) & at_least(a, b))


@share
def smaller(a: int, b: int) -> int:
    """The smaller number, lane by lane."""
    return a ^ ((a ^ b) & at_least(a, b))


@share
def total(numbers: int) -> int:
    """The sum of the numbers of all lanes, below 64."""
    pairs = numbers + (numbers >> WIDTH)
    return pairs + (pairs >> 2 * WIDTH) + (numbers >> 4 * WIDTH) & 0x3F
