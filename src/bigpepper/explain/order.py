"""How a hand is held: by suit in play, with the bowers and the Joker where they belong."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, permutations
from typing import Final

from bigpepper.cards import Card, Strain, Suit
from bigpepper.rules import Rules

Group = tuple[Card, ...]
_USUAL: Final = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)


def hand_order(rules: Rules, cards: Sequence[Card], strain: Strain | None) -> tuple[Group, ...]:
    """A hand as groups of one suit in play each, highest card first: trumps first, then colours in turn if possible.

    Before the naming (`strain` None) suits are the printed ones, and the Joker, of no suit yet, is a group of its own.
    """
    suits = rules.suits_in_play(strain or Strain.NO_TRUMP)
    held = {suit: _held(cards, order) for suit, order in suits.items()}
    trump = strain.suit if strain else None
    first = [trump] if held.get(trump) else []
    others = [suit for suit in _USUAL if held.get(suit) and suit is not trump]
    row = min(permutations(others), key=lambda row: _same_colours([*first, *row]))
    return tuple(held[suit] for suit in (*first, *row))


def _held(cards: Sequence[Card], order: tuple[Card, ...]) -> Group:
    return tuple(card for card in reversed(order) if card in cards)


def _same_colours(row: Sequence[Suit | None]) -> int:
    """How many neighbours are of one colour."""
    return sum(1 for a, b in pairwise(row) if a and b and a.colour_partner is b)
