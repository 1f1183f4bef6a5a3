"""Suits, strains and cards, with their text forms."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar, Final

from bigpepper.errors import InvalidCard
from bigpepper.text import msg

RANKS: Final = "9TJQKA"
"""Ranks rising, as printed: nine, ten, jack, queen, king, ace."""


class Suit(StrEnum):
    """A printed suit, in the order of the printed deck."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    def __repr__(self) -> str:
        return f"Suit.{self.name}"

    @property
    def colour_partner(self) -> Suit:
        """The other suit of the same colour: clubs with spades, diamonds with hearts (rules §2)."""
        return _COLOUR_PARTNERS[self]


class Strain(StrEnum):
    """What the maker names: the trump suit, or no-trump."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"
    NO_TRUMP = "NT"

    def __repr__(self) -> str:
        return f"Strain.{self.name}"

    @property
    def suit(self) -> Suit | None:
        """The trump suit; None at no-trump."""
        return None if self is Strain.NO_TRUMP else Suit(self.value)


_COLOUR_PARTNERS: Final = {
    Suit.CLUBS: Suit.SPADES,
    Suit.SPADES: Suit.CLUBS,
    Suit.DIAMONDS: Suit.HEARTS,
    Suit.HEARTS: Suit.DIAMONDS,
}


class Card:
    """One printed card, `Card("JH")`, or the Joker, `Card("JO")`: a shared constant, ordered as in the printed deck.

    `rank` is one of `9TJQKA`, "" for the Joker; `suit` is its *printed* suit, None for the Joker. Which suit a card
    belongs to in play depends on the strain and is the rulebook's to say. Reads lower case and `10H` too.
    Raises `InvalidCard` for any other text.
    """

    __slots__ = ("_place", "rank", "suit", "text")
    _all: ClassVar[dict[str, Card]] = {}

    rank: str
    suit: Suit | None
    text: str
    _place: int

    def __new__(cls, text: str | Card) -> Card:
        if isinstance(text, Card):
            return text
        found = cls._all.get(text) or cls._all.get(_canonical(text))
        if found is None:
            raise InvalidCard(
                msg(
                    "“{text}” is no card: a card is a rank (9 T J Q K A) and a suit (C D H S), such as JH; "
                    "the Joker is JO.",
                    text=text,
                )
            )
        return found

    @classmethod
    def _make(cls, text: str, rank: str, suit: Suit | None, place: int) -> None:
        card = object.__new__(cls)
        for name, value in (("text", text), ("rank", rank), ("suit", suit), ("_place", place)):
            object.__setattr__(card, name, value)
        cls._all[text] = card

    @property
    def is_joker(self) -> bool:
        """True for the Joker alone."""
        return self.suit is None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f'Card("{self.text}")'

    def __lt__(self, other: Card) -> bool:
        return self._place < other._place

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Card never changes: {name}")

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Card:
        return self

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (self.text,)


def _canonical(text: object) -> str:
    return text.strip().upper().replace("10", "T") if isinstance(text, str) else ""


def _fill() -> None:
    for place, (suit, rank) in enumerate((suit, rank) for suit in Suit for rank in RANKS):
        Card._make(rank + suit, rank, suit, place)
    Card._make("JO", "", None, len(Card._all))


_fill()
JOKER: Final = Card("JO")


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards from text, separated by blanks or commas: `"9C TC JO"`. Raises `InvalidCard`."""
    return tuple(Card(part) for part in text.replace(",", " ").split())
