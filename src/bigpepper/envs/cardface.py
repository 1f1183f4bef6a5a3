"""Cards, drawn: index and suit big in the corner, a quiet centre that tells the ranks apart by shape."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Final

from bigpepper.cards import Card, Suit
from bigpepper.envs.canvas import Box, Canvas, Colour, Point

SHAPE: Final = 1.42
"""Height of a card ÷ its width."""

_RED: Final = (Suit.DIAMONDS, Suit.HEARTS)
_PIPS: Final = {
    "9": [(x, y) for x in (0.34, 0.66) for y in (0.40, 0.56, 0.72, 0.88)] + [(0.5, 0.64)],
    "T": [(x, y) for x in (0.34, 0.66) for y in (0.40, 0.56, 0.72, 0.88)] + [(0.5, 0.48), (0.5, 0.80)],
}
"""Where the pips of nine and ten are, as shares of width and height."""


def draw_card(
    canvas: Canvas, box: Box, card: Card, *, pale: bool = False, lifted: bool = False, trump: Suit | None = None
) -> None:
    """A card in `box`; `pale`: it may not be played; `lifted`: it is winning; `trump`: it is marked as one of these."""
    theme, left, width = canvas.theme, box[0], box[2] - box[0]
    draw_sheet(canvas, box, theme.pale if pale else theme.card, lifted=lifted)
    colour = theme.pale_ink if pale else theme.card_red if card.suit in _RED else theme.card_ink
    if card.suit is None:
        _draw_joker(canvas, box, colour)
    else:
        index = "10" if card.rank == "T" else card.rank
        canvas.text((left + width * 0.19, box[1] + width * 0.21), index, width * 0.30, colour=colour, bold=True)
        draw_suit(canvas, (left + width * 0.19, box[1] + width * 0.47), width * 0.20, card.suit, colour)
        _draw_centre(canvas, box, card.rank, card.suit, colour)
    if trump is not None:
        _mark_trump(canvas, box, trump, pale)


def draw_sheet(canvas: Canvas, box: Box, fill: Colour, *, lifted: bool = False) -> None:
    """The sheet of a card, with a hair of shadow; a ring around it where it is winning."""
    theme, radius = canvas.theme, (box[2] - box[0]) * 0.06
    canvas.box((box[0], box[1] + 1.2, box[2], box[3] + 1.2), theme.card_edge, radius=radius)
    canvas.box(box, fill, radius=radius, outline=theme.card_edge, weight=0.8)
    if lifted:
        ring = (box[0] - 4, box[1] - 4, box[2] + 4, box[3] + 4)
        canvas.box(ring, None, radius=radius + 4, outline=theme.ink, weight=1.8)


def draw_back(canvas: Canvas, box: Box) -> None:
    """The back of a card: peppercorns in a lattice."""
    theme, width = canvas.theme, box[2] - box[0]
    draw_sheet(canvas, box, theme.card)
    step = width / 6
    for row in range(1, int((box[3] - box[1]) / step)):
        for column in range(1, 6):
            shift = step / 2 if row % 2 else 0
            x = box[0] + column * step + shift
            if x < box[2] - step / 2:
                canvas.disc((x, box[1] + row * step + step * 0.25), width * 0.028, theme.pale_ink)


def draw_suit(canvas: Canvas, centre: Point, size: float, suit: Suit, colour: Colour) -> None:
    """A suit's pip, `size` high."""
    if suit is Suit.DIAMONDS:
        _shape(canvas, centre, size, [(0, -0.5), (0.38, 0), (0, 0.5), (-0.38, 0)], colour)
    elif suit is Suit.HEARTS:
        _shape(canvas, centre, size, _HEART, colour)
    elif suit is Suit.SPADES:
        _shape(canvas, centre, size, [(x * 0.96, -y * 0.82 - 0.08) for x, y in _HEART], colour)
        _shape(canvas, centre, size, _STEM, colour)
    else:
        for x, y in ((0, -0.25), (-0.25, 0.1), (0.25, 0.1)):
            canvas.disc((centre[0] + x * size, centre[1] + y * size), size * 0.235, colour)
        canvas.disc((centre[0], centre[1] + 0.02 * size), size * 0.12, colour)
        _shape(canvas, centre, size, _STEM, colour)


_HEART: Final = [
    (0.5 * sin(a) ** 3, -(13 * cos(a) - 5 * cos(2 * a) - 2 * cos(3 * a) - cos(4 * a)) / 29 - 0.08)
    for a in (2 * pi * k / 72 for k in range(72))
]
_STEM: Final = [(-0.035, 0.0), (0.035, 0.0), (0.07, 0.36), (0.2, 0.5), (-0.2, 0.5), (-0.07, 0.36)]


def _shape(canvas: Canvas, centre: Point, size: float, points: Sequence[Point], colour: Colour) -> None:
    canvas.polygon([(centre[0] + x * size, centre[1] + y * size) for x, y in points], colour)


# --- the centre -----------------------------------------------------------------------------------------------------


def _draw_centre(canvas: Canvas, box: Box, rank: str, suit: Suit, colour: Colour) -> None:
    width, height = box[2] - box[0], box[3] - box[1]
    if rank in _PIPS:
        for x, y in _PIPS[rank]:
            draw_suit(canvas, (box[0] + width * (x + 0.14), box[1] + height * y), width * 0.15, suit, colour)
        return
    middle = box[0] + width * 0.58
    if rank == "A":
        draw_suit(canvas, (middle, box[1] + height * 0.64), width * 0.56, suit, colour)
        return
    draw_suit(canvas, (middle, box[1] + height * 0.74), width * 0.42, suit, colour)
    _HATS[rank](canvas, (middle, box[1] + height * 0.49), width * 0.36, colour)


def _crown(canvas: Canvas, centre: Point, size: float, colour: Colour) -> None:
    points = [(-0.5, 0.3), (0.5, 0.3), (0.5, -0.25), (0.24, 0.02), (0, -0.36), (-0.24, 0.02), (-0.5, -0.25)]
    _shape(canvas, centre, size, points, colour)
    for x, y in ((-0.5, -0.32), (0, -0.44), (0.5, -0.32)):
        canvas.disc((centre[0] + x * size, centre[1] + y * size), size * 0.08, colour)


def _tiara(canvas: Canvas, centre: Point, size: float, colour: Colour) -> None:
    arch = [(0.5 * cos(pi * k / 24), 0.3 - 0.5 * sin(pi * k / 24)) for k in range(25)]
    _shape(canvas, centre, size, arch, colour)
    for x, y in ((-0.42, -0.16), (0, -0.36), (0.42, -0.16)):
        canvas.disc((centre[0] + x * size, centre[1] + y * size), size * 0.1, colour)


def _cap(canvas: Canvas, centre: Point, size: float, colour: Colour) -> None:
    x, y = centre
    canvas.box((x - 0.5 * size, y + 0.04 * size, x + 0.5 * size, y + 0.3 * size), colour, radius=size * 0.1)
    leaf = [(0.12, 0.0), (0.14, -0.24), (0.3, -0.4), (0.52, -0.42), (0.5, -0.2), (0.34, -0.04)]
    _shape(canvas, centre, size, leaf, colour)


_HATS: Final = {"J": _cap, "Q": _tiara, "K": _crown}


def _draw_joker(canvas: Canvas, box: Box, colour: Colour) -> None:
    """A sprig of peppercorns."""
    left, top, width = box[0], box[1], box[2] - box[0]
    canvas.text((left + width * 0.25, top + width * 0.2), "JO", width * 0.28, colour=colour, bold=True)
    stem = [(left + width * x, top + width * y) for x, y in ((0.5, 0.46), (0.54, 0.7), (0.56, 0.92), (0.56, 1.24))]
    canvas.stroke(stem, colour, width * 0.025)
    for x, y in ((0.42, 0.62), (0.66, 0.7), (0.44, 0.82), (0.68, 0.9), (0.45, 1.02), (0.67, 1.1)):
        corn = (left + width * x, top + width * y)
        canvas.stroke([(left + width * 0.55, corn[1]), corn], colour, width * 0.02)
        canvas.disc(corn, width * 0.075, colour)


def _mark_trump(canvas: Canvas, box: Box, trump: Suit, pale: bool) -> None:
    """A small trump pip in a ring below the index, where no other card covers it."""
    theme, width = canvas.theme, box[2] - box[0]
    colour = theme.pale_ink if pale else theme.card_red if trump in _RED else theme.card_ink
    centre = (box[0] + width * 0.19, box[1] + width * 0.78)
    canvas.box(
        (centre[0] - width * 0.12, centre[1] - width * 0.12, centre[0] + width * 0.12, centre[1] + width * 0.12),
        None,
        radius=width * 0.12,
        outline=colour,
        weight=width * 0.014,
    )
    draw_suit(canvas, centre, width * 0.14, trump, colour)
