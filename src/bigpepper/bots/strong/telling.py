"""Of cards that are alike, the one that tells the others least: which they think the seat holds anyway."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bigpepper.bots.novice.sight import Sight
from bigpepper.bots.strong.hidden import draw
from bigpepper.bots.strong.thought import Thought, as_floats, weights_of
from bigpepper.jit import lowest
from bigpepper.kernel import copy_public
from bigpepper.records import View

WORLDS: Final = 400
CLEARLY: Final = 0.2
"""By this much a card must be likelier to be thought the seat's than the one that would be played anyway."""


def least_told(thought: Thought, bit: int) -> int:
    """The card, of those that are as good as `bit`, that the others expect most with this seat; else `bit` itself."""
    cards = alike(Sight(thought.rules, thought.v), bit)
    if len(cards) == 1:
        return bit
    expected = expected_with(thought, cards)
    most = int(np.argmax(expected))
    return cards[most] if expected[most] > expected[cards.index(bit)] + CLEARLY else bit


def alike(sight: Sight, bit: int) -> list[int]:
    """The legal cards, lowest first, that do what `bit` does whoever holds what: no card in play lies between them."""
    between = sight.out
    for laid in sight.v.trick:
        between |= laid
    found, cards = [], sight.legal & sight.suits.suit_of(bit)
    while cards:
        card = lowest(cards)
        cards ^= card
        low, high = min(card, bit), max(card, bit)
        if between & (high - 1) & ~(2 * low - 1) == 0:
            found.append(card)
    return found


def expected_with(thought: Thought, cards: list[int]) -> NDArray[np.float64]:
    """How likely each card is with the seat for whoever has seen what all have seen, and heeded every call."""
    seen, book = spectator(thought.v), thought.book
    worlds = draw(seen, thought.t, book.tables, WORLDS, thought.dice)
    chances = as_floats(weights_of(seen, book, thought.stakes, worlds))
    hands = worlds["hands"][:, thought.v.seat]
    return np.array([float(chances[hands & card != 0].sum()) for card in cards])


def spectator(v: View) -> View:
    """What all have seen of it."""
    seen = View()
    copy_public(seen, v)
    seen.seat = seen.own_widow = seen.own_discard = -1
    return seen
