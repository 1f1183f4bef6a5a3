"""The slots of an encoded observation: named blocks, each with its size as a product of named axes, and its range.

The flags (0 or 1) come first, the numbers last. The compact form holds whole numbers; the float form is the compact
one times the scale of each slot, which brings the numbers near 1.
"""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Annotated, Final, NamedTuple, TypeAlias

from bigpepper.cards import Strain
from bigpepper.jit import PlaceOfCard, Record, Row4, record
from bigpepper.public import Phase
from bigpepper.rules import Rules

MOST: Final = 127
"""The largest number of the compact form; scores beyond it, up or down, are cut off."""

_SEATS: Final = {2: ("own", "other"), 3: ("own", "left", "right"), 4: ("own", "left", "partner", "right")}


class Axis(NamedTuple):
    """One dimension of a block: what is counted, and what the places along it stand for."""

    name: str
    labels: tuple[str, ...]


class Slot(NamedTuple):
    """A block of slots of one meaning, laid out along its axes, the last axis fastest."""

    name: str
    axes: tuple[Axis, ...]
    meaning: str
    """What its slots say; for the documentation."""
    low: int = 0
    """Lowest value, compact form."""
    high: int = 1
    """Highest value, compact form."""
    scale: float = 1.0
    """Float form = compact form × scale."""

    @property
    def size(self) -> int:
        """How many slots: the product of the axes."""
        return prod(len(axis.labels) for axis in self.axes)

    @property
    def names(self) -> Iterator[str]:
        """The name of each slot: `hand JH`, `played left JH`."""
        for labels in product(*(axis.labels for axis in self.axes)):
            yield " ".join((self.name, *labels))


Slots: TypeAlias = tuple[Slot, ...]


WORD: Final = 32
"""Bits in a word of flags."""

FULL: Final = (1 << WORD) - 1
"""A word of ones."""

Words: TypeAlias = Annotated[list[int], 18]
Numbers: TypeAlias = Annotated[list[int], 16]
Hot: TypeAlias = Annotated[list[list[int]], 4, 5]
Row6: TypeAlias = Annotated[list[int], 6]


@record
class Cells(Record):
    """An encoded observation, or a mask of actions, before it is spread into a row: room for those of any rulebook."""

    flags: Words  # slot k is bit k & 31 of word k >> 5; beyond the last flag anything
    numbers: Numbers  # whole numbers, -127 … 127


@record
class Shown(Record):
    """What the seats have shown to everybody.

    The blocks of all seats (see `shown_slots`) lie there twice, so that those from any seat on are one piece.
    """

    flags: Words  # as in Cells
    trick: Row4  # its card in the trick that was begun last, a bit in printed order; 0 none


@record
class Layout(Record):
    """What an encoder goes by. Flags are written block after block, in the order of `slots_of`."""

    shown: int  # slots of what one seat has shown: its calls, cards played and voids
    shown_played: int  # where the cards played begin in it
    shown_voids: int  # where the voids begin in it
    phase: int  # slots of each block of flags; 0: no such block
    turn: int
    dealer: int
    hand: int
    dealt: int
    trick: int
    leader: int
    winner: int
    led: int
    bid: int
    maker: int
    strain: int
    joker_seat: int
    lone: int
    lone_defender: int
    own_widow: int
    own_discard: int
    scores: int  # where each block begins among the numbers
    promised: int
    needed: int
    left: int
    passes: int
    won: int
    flags: int  # how many slots are flags; these come first
    numbers: int  # how many numbers follow
    size: int  # of the whole
    unit: int  # points that a score is counted in
    suit_of: PlaceOfCard  # suit a card belongs to (its place in the deck's suits), by strain and number; -1 none
    side: Row4  # side of a seat
    seat: Hot  # a seat's flag in a block of seats, by the observer and that seat + 1
    strain_flag: Row6  # a strain's flag, by the strain + 1


def slots_of(rules: Rules) -> Slots:
    """The blocks of a rulebook's observations, in their order."""
    return (*_shown(rules), *_flags(rules), *_numbers(rules))


def _shown(rules: Rules) -> Slots:
    return tuple(slot for seat in seat_axis(rules).labels for slot in shown_slots(seat, rules))


def shown_slots(seat: str, rules: Rules) -> Slots:
    """What one seat has shown to everybody."""
    calls = Axis("call", ("pass", *map(str, rules.bids)))
    return (
        Slot(f"{seat} calls", (calls,), "what this seat has said in the auction"),
        Slot(f"{seat} played", (card_axis(rules),), "the cards it has played in this round"),
        Slot(f"{seat} voids", (Axis("suit", rules.suits),), "suits that it has shown, by not following, not to hold"),
    )


def _flags(rules: Rules) -> Slots:
    seat, card, suit = seat_axis(rules), card_axis(rules), Axis("suit", rules.suits)
    bid = Axis("bid", tuple(map(str, rules.bids)))
    alone = _only_if(
        rules.alone != "no",
        Slot("lone", (seat,), "the seat of the lone maker"),
    ) + _only_if(
        rules.alone == "makers-and-defender",
        Slot("lone_defender", (seat,), "the seat that defends alone"),
    )
    widow = _only_if(
        rules.widow == "pick-up",
        Slot("own_widow", (card,), "the widow's card, for the maker who took it"),
        Slot("own_discard", (card,), "the card laid away, for the maker"),
    )
    return (
        Slot("phase", (Axis("phase", tuple(map(str, Phase))),), "the step of the round"),
        Slot("turn", (seat,), "the seat to act; none when the round is over"),
        Slot("dealer", (seat,), "the seat that dealt"),
        Slot("hand", (card,), "own hand now"),
        Slot("dealt", (card,), "own hand as dealt"),
        Slot("trick", (seat, card), "the card that each seat has played to this trick"),
        Slot("leader", (seat,), "the seat that led to this trick, or leads to the next; none before the play"),
        Slot("winner", (seat,), "the seat that is winning this trick"),
        Slot("led", (suit,), "the suit led to this trick; bowers and Joker are trumps"),
        Slot("bid", (bid,), "the standing bid, after the auction the contract"),
        Slot("maker", (seat,), "its bidder"),
        Slot("strain", (Axis("strain", tuple(map(str, rules.strains))),), "the strain; none before it is named"),
        *_only_if(
            rules.all_pass == "joker-bids-3",
            Slot("joker_seat", (seat,), "the seat that had to bid, as it holds the Joker"),
        ),
        *alone,
        *widow,
    )


def _numbers(rules: Rules) -> Slots:
    each, hand = 1 / rules.cards, rules.cards
    unit = score_unit(rules)
    return (
        Slot(
            "scores",
            (Axis("side", _SEATS[rules.sides]),),
            "points before this round" if unit == 1 else "points before this round, in units",
            -MOST,
            MOST,
            unit / rules.target,
        ),
        Slot("promised", (), "tricks that the standing bid promises", 0, hand, each),
        Slot("needed", (), "tricks that its makers still lack", 0, hand, each),
        Slot("left", (), "tricks not completed yet", 0, hand, each),
        Slot("passes", (), "passes in succession", 0, rules.players, 1 / rules.players),
        Slot("won", (seat_axis(rules),), "tricks won by each seat", 0, hand, each),
    )


def _only_if(wanted: bool, *slots: Slot) -> Slots:
    return slots if wanted else ()


def seat_axis(rules: Rules) -> Axis:
    """Seats as their observer counts them: own, then clockwise."""
    return Axis("seat", _SEATS[rules.players])


def card_axis(rules: Rules) -> Axis:
    """Cards in the order of the printed deck."""
    return Axis("card", tuple(map(str, rules.deck)))


def score_unit(rules: Rules) -> int:
    """How many points a score slot counts as 1: one, unless the target is beyond what the compact form can hold."""
    return (rules.target + MOST - 1) // MOST


def size_of(slots: Sequence[Slot]) -> int:
    """How many slots all blocks have together."""
    return sum(slot.size for slot in slots)


def offsets(slots: Sequence[Slot]) -> dict[str, int]:
    """Where each block begins."""
    return {slot.name: size_of(slots[:i]) for i, slot in enumerate(slots)}


def layout_of(rules: Rules) -> Layout:
    """The record of `slots_of`, for the encoder."""
    shown, flags, numbers, x = _shown(rules), _flags(rules), _numbers(rules), Layout()
    x.flags, x.numbers = size_of((*shown, *flags)), size_of(numbers)
    x.size = x.flags + x.numbers
    for slot in flags:
        setattr(x, slot.name, slot.size)
    for name, begin in offsets(numbers).items():
        setattr(x, name, begin)
    x.shown = size_of(shown) // rules.players
    x.shown_played, x.shown_voids = offsets(shown)["own played"], offsets(shown)["own voids"]
    x.unit = score_unit(rules)
    x.side[: rules.players] = [rules.side_of(seat) for seat in range(rules.players)]
    for own, seat in product(range(rules.players), repeat=2):
        x.seat[own][seat + 1] = 1 << (seat - own) % rules.players
    for s, strain in enumerate(Strain):
        if strain in rules.strains:
            x.strain_flag[s + 1] = 1 << rules.strains.index(strain)
            _fill_suits(x, rules, s, strain)
    return x


def _fill_suits(x: Layout, rules: Rules, s: int, strain: Strain) -> None:
    for suit, cards in rules.suits_in_play(strain).items():
        for card in cards:
            x.suit_of[s][rules.card_number[card]] = rules.suits.index(suit) if suit else -1
