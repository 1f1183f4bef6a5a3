"""What a hand is worth as the maker's: tricks of the makers, suit by suit, and how they are spread.

The cards held in a suit are looked up as a pattern; what the suits say is added up. The tables of a rulebook come from
`fit`: for the deck shapes of the shipped rulebooks from deals that strong bots have played out, for any other from
open-card values, made when they are first asked for.
"""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from typing import Annotated, Final, TypeAlias

from bigpepper.jit import Record, Row5, record, share
from bigpepper.kernel import strain_order
from bigpepper.records import JOKER_PLACE, NO_TRUMP, Tables

TRICK: Final = 64
"""Tricks are counted in 1/64."""
CERTAIN: Final = 65536
"""Chances are counted in 1/65536."""
STEPS: Final = 65
"""Tables of chances go from 0 to 8 expected tricks in eighths."""
PATTERNS: Final = 256

Patterns: TypeAlias = Annotated[list[list[int]], 3, PATTERNS]
Lifts: TypeAlias = Annotated[list[list[int]], 5, 4]
Likely: TypeAlias = Annotated[list[list[int]], 2 * STEPS, 9]
Played: TypeAlias = Annotated[list[list[int]], 6 * 9, 9]
Others: TypeAlias = Annotated[list[list[int]], 2, 3]

TRUMPS: Final = 0
SIDE: Final = 1
PLAIN: Final = 2


@record
class Model(Record):
    """The tables of one rulebook. A pattern has the highest card of the suit at bit 7, whatever the suit's length."""

    worth: Patterns  # 1/64 trick, by pattern: trumps, a side suit beside trumps, a suit at no-trump
    base: Row5  # 1/64 trick, by strain; the same for all trump strains
    joker: int  # 1/64 trick: the Joker at no-trump
    lift: Lifts  # by strain and lane: how far a suit's cards are moved up to be a pattern
    average: int  # 1/64 trick: what the average hand is worth in the average strain
    likely: Likely  # 1/65536: line 65 · (1 at no-trump) + eighths of tricks expected; column: tricks taken
    played: Played  # 1/65536: line 9 · kind + open-card tricks of the makers; column: tricks taken when played out
    others: Others  # makers' tricks for another's bid, by whether he is an opponent (0) or the partner (1): …
    # … 1/64 trick whatever the bid, per trick bid, and per trick of one's own surplus


@share
def tricks_expected(m: Model, t: Tables, strain: int, hand: int) -> int:
    """Tricks of the makers, in 1/64, when the maker was dealt `hand` (in strain order)."""
    tricks = m.base[strain]
    for lane in range(4):
        cards = hand >> 16 * lane & 0xFF
        suit = PLAIN if strain == NO_TRUMP else TRUMPS if lane == 3 else SIDE
        if lane == 3 and strain == NO_TRUMP:
            cards = hand >> 48 & 0xFF & ~(1 << JOKER_PLACE - 48)
        tricks += m.worth[suit][cards << m.lift[strain][lane] & 0xFF]
    if strain == NO_TRUMP and hand >> JOKER_PLACE & 1:
        tricks += m.joker
    return tricks


@share
def surplus(m: Model, t: Tables, dealt: int) -> int:
    """Tricks, in 1/64, by which a hand (printed order) is better than the average one, over all strains."""
    total = strains = 0
    for name in range(t.names):
        if not t.name_alone[name]:
            strain = t.name_strain[name]
            total += tricks_expected(m, t, strain, strain_order(t, strain, dealt))
            strains += 1
    return total // strains - m.average


@share
def chance(m: Model, strain: int, tricks: int, k: int) -> int:
    """The chance, in 1/65536, that the makers take `k` tricks when `tricks` (1/64) are expected."""
    step = tricks + 4 >> 3
    step = 0 if step < 0 else STEPS - 1 if step >= STEPS else step
    return m.likely[step + (STEPS if strain == NO_TRUMP else 0)][k]


@share
def others_tricks(m: Model, t: Tables, bid: int, partner: int, ours: int) -> int:
    """Tricks of the makers, in 1/64, when another seat plays a bid of `bid` tricks; `ours`: one's own surplus."""
    line = m.others[partner]
    tricks = line[0] + line[1] * bid + (line[2] * ours >> 6)
    most = TRICK * t.hand_size
    return 0 if tricks < 0 else most if tricks > most else tricks
