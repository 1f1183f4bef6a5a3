"""Cards as drawings: the index and the suit big in the corner, a quiet centre. 120 × 168 units."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from markupsafe import Markup

from bigpepper.cards import Card
from bigpepper.server.pages.drawing import use

_BOX: Final = "0 0 120 168"
_PIP: Final = 23.0
_LEFT, _MIDDLE, _RIGHT = 66.0, 83.0, 100.0
_OUTER: Final = tuple((x, y) for y in (40, 70, 110, 140) for x in (_LEFT, _RIGHT))
_PIPS: Final = {"9": (*_OUTER, (_MIDDLE, 90)), "T": (*_OUTER, (_MIDDLE, 55), (_MIDDLE, 125))}
"""The middle of each pip."""


@lru_cache(maxsize=64)
def card_art(card: Card) -> Markup:
    """The face of a card. It says nothing to a screen reader: its name has to stand beside it."""
    if card.suit is None:
        return _svg("joker", use("sprig", 7, 7, 42, 52) + use("sprig", 34, 42, 84, 112))
    return _svg(f"suit-{card.suit}", _corner(card) + _centre(card))


@lru_cache(maxsize=1)
def card_back() -> Markup:
    """The back of all cards."""
    return _svg("back", use("back", 0, 0, 120, 168))


def _corner(card: Card) -> str:
    width = 43 if card.rank == "T" else 34
    return use(f"rank-{card.rank}", 7, 8, width, 47) + use(f"suit-{card.suit}", 9, 61, 30, 30)


def _centre(card: Card) -> str:
    suit = f"suit-{card.suit}"
    if card.rank == "A":
        return use(suit, 44, 78, 66, 66)
    if card.rank in _PIPS:
        return "".join(use(suit, x - _PIP / 2, y - _PIP / 2, _PIP, _PIP) for x, y in _PIPS[card.rank])
    return use(f"figure-{card.rank}", 43, 54, 76, 104) + use(suit, *_HEART[card.rank])


_HEART: Final = {"J": (63, 95, 32, 32), "Q": (62, 103, 35, 35), "K": (61, 103, 36, 36)}
"""Where the suit stands in a court card's frame."""


def _svg(kind: str, inside: str) -> Markup:
    face = Markup('<rect class="paper" x=".75" y=".75" width="118.5" height="166.5" rx="7.2"/>')
    return Markup('<svg class="face {}" viewBox="{}" aria-hidden="true" focusable="false">{}{}</svg>').format(
        kind, _BOX, face, Markup(inside)
    )
