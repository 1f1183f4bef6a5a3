"""Shapes as SVG: suits, indices, court figures, the peppercorn sprig and the back's lattice. Paths, no fonts.

All of them are symbols, written once a page, which cards use. Colours come from the style sheet, through
`currentColor` and classes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from markupsafe import Markup

SUITS: Final = {
    "H": ("M50 92C18 66 5 49 5 30C5 15 16 7 28 7C39 7 47 14 50 25C53 14 61 7 72 7C84 7 95 15 95 30C95 49 82 66 50 92Z"),
    "D": "M50 3C60 21 72 37 86 50C72 63 60 79 50 97C40 79 28 63 14 50C28 37 40 21 50 3Z",
    "S": (
        "M50 4C59 24 93 41 93 63C93 76 83 83 73 83C64 83 57 78 54 71C55 83 60 91 68 96H32C40 91 45 83 46 71"
        "C43 78 36 83 27 83C17 83 7 76 7 63C7 41 41 24 50 4Z"
    ),
    "C": (
        "M50 4A21 21 0 0 1 68 36A21 21 0 1 1 54 66C55 80 60 90 68 96H32C40 90 45 80 46 66A21 21 0 1 1 32 36"
        "A21 21 0 0 1 50 4Z"
    ),
}
"""A suit's shape in a box of 100 × 100."""

_STROKES: Final = {
    "A": "M3 37L14 3L25 37M7.5 26H20.5",
    "K": "M4 3V37M24 3L5 23M11.5 16.5L25 37",
    "Q": "M14 3C20.5 3 25 9.5 25 19.5S20.5 36 14 36S3 29.5 3 19.5S7.5 3 14 3ZM16 27L26 39",
    "J": "M11 3H23M19 3V27C19 33 16 37 11 37C6.500 37 3.500 34 3 29",
    "T": "M2 9L8.500 3V37M25 3C30.500 3 33.500 9 33.500 20S30.500 37 25 37S16.500 31 16.500 20S19.500 3 25 3Z",
    "9": "M24 14A10 10.500 0 1 1 4 14A10 10.500 0 1 1 24 14ZM24 14C24 25 19 33 9 37",
}
"""An index as lines in a box of 28 × 40 (that of the ten is 36 wide)."""

_FIGURES: Final = {
    # a cap with a feather over a shield; a round crown over a disc; a crown with points over a square
    "J": (
        '<path d="M15 30C15 19 24 13 35 13H58V30Z"/><path d="M56 27C56 12 66 3 83 1C83 17 74 27 56 27Z"/>'
        '<path class="line" d="M12 38H70V62C70 80 58 92 41 100C24 92 12 80 12 62Z"/>'
    ),
    "Q": (
        '<path d="M14 30C16 20 28 14 41 14S66 20 68 30Z"/><circle cx="41" cy="7" r="5.500"/>'
        '<circle cx="22" cy="11" r="4.500"/><circle cx="60" cy="11" r="4.500"/>'
        '<circle class="line" cx="41" cy="69" r="31"/>'
    ),
    "K": ('<path d="M13 30L8 7L26 18L41 1L56 18L74 7L69 30Z"/><path class="line" d="M11 38H71V100H11Z"/>'),
}
"""What stands above a court card's suit, and the frame around it, in a box of 82 × 104."""

_CORNS: Final = ((38, 30, 11), (64, 22, 9), (61, 48, 12), (33, 58, 9), (52, 76, 10), (78, 66, 8))
_SPRIG: Final = (
    '<path class="stem" d="M50 118C46 92 52 66 48 40C47 30 52 18 60 6M50 88C60 82 68 76 76 68M48 60C42 58 38 58 34 57'
    'M49 48C54 48 58 48 61 48"/>'
    '<path class="leaf" d="M49 104C30 104 17 94 12 78C31 77 45 87 49 104Z"/>'
    '<path class="leaf" d="M51 110C58 96 72 90 90 93C85 108 70 116 51 110Z"/>'
)


def _symbol(name: str, box: str, inside: str) -> str:
    return f'<symbol id="{name}" viewBox="{box}">{inside}</symbol>'


def _sprig() -> str:
    corns = "".join(f'<circle class="corn" cx="{x}" cy="{y}" r="{r}"/>' for x, y, r in _CORNS)
    return _symbol("sprig", "0 0 100 124", _SPRIG + corns)


def _back() -> str:
    """Peppercorns in a lattice of slanting lines, inside of a frame."""
    lines = "".join(f"M{x} 10L{x + 148} 158M{x + 148} 10L{x} 158" for x in range(-138, 112, 24))
    corns = "".join(
        f'<circle cx="{x}" cy="{y}" r="3.2"/>'
        for row, y in enumerate(range(12, 160, 12))
        for x in range(10 + 12 * (row % 2), 112, 24)
    )
    inside = (
        '<clipPath id="back-frame"><rect x="9" y="9" width="102" height="150" rx="4"/></clipPath>'
        f'<g clip-path="url(#back-frame)"><rect class="ground" x="9" y="9" width="102" height="150"/>'
        f'<path class="lattice" d="{lines}"/><g class="dots">{corns}</g></g>'
    )
    return _symbol("back", "0 0 120 168", inside)


@lru_cache(maxsize=1)
def sprite() -> Markup:
    """All symbols, for the beginning of a page."""
    suits = [_symbol(f"suit-{suit}", "0 0 100 100", f'<path d="{path}"/>') for suit, path in SUITS.items()]
    ranks = [
        _symbol(f"rank-{rank}", f"-1 -1 {38 if rank == 'T' else 30} 42", f'<path class="stroke" d="{path}"/>')
        for rank, path in _STROKES.items()
    ]
    figures = [_symbol(f"figure-{rank}", "0 -3 86 107", inside) for rank, inside in _FIGURES.items()]
    return Markup('<svg class="sprite" aria-hidden="true" focusable="false">{}</svg>').format(
        Markup("".join((*suits, *ranks, *figures, _sprig(), _back())))
    )


def use(name: str, x: float, y: float, width: float, height: float) -> str:
    """A symbol at a place."""
    return f'<use href="#{name}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'


def suit_icon(suit: str) -> Markup:
    """A suit's shape to stand in a line of text; what it means has to be said beside it."""
    icon = Markup('<svg class="suit suit-{0}" viewBox="0 0 100 100" aria-hidden="true"><use href="#suit-{0}"/></svg>')
    return icon.format(suit)
