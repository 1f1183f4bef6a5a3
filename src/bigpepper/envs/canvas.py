"""A sheet to draw on with Pillow: colours of a theme, lengths in points, text that keeps to its room."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from PIL import Image, ImageDraw, ImageFont

Colour: TypeAlias = str
Point: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""

FINER: Final = 3
"""Drawn so many times larger and then shrunk, for smooth edges."""


@dataclass(frozen=True)
class Theme:
    """Colours, as #rrggbb."""

    ground: Colour
    table: Colour
    ink: Colour
    quiet: Colour
    """Text of less weight."""
    line: Colour
    card: Colour
    card_edge: Colour
    card_ink: Colour
    card_red: Colour
    pale: Colour
    """A card that may not be played."""
    pale_ink: Colour
    accent: Colour
    """Your turn, and nothing else."""


THEMES: Final = {
    "paper": Theme(
        ground="#f6f1e7",
        table="#ece5d5",
        ink="#1e1b18",
        quiet="#6b6358",
        line="#cdc3af",
        card="#fffdf8",
        card_edge="#d9d0bf",
        card_ink="#1e1b18",
        card_red="#b3261e",
        pale="#f1ebdf",
        pale_ink="#a89f91",
        accent="#b3261e",
    ),
    "spruce": Theme(
        ground="#12231e",
        table="#1a3029",
        ink="#f3ecdc",
        quiet="#a3b3aa",
        line="#35544a",
        card="#fbf6ea",
        card_edge="#0c1814",
        card_ink="#1e1b18",
        card_red="#b3261e",
        pale="#d5cdbd",
        pale_ink="#8f8778",
        accent="#e5604f",
    ),
}

_STAND_INS: Final = {"−": "-", "–": "-", "…": "...", "♣": "C", "♦": "D", "♥": "H", "♠": "S"}
"""Characters that Pillow's own typeface lacks."""


class Canvas:
    """An image of `width` × `height` points under a theme; `image` gives it in that many pixels."""

    def __init__(self, width: int, height: int, theme: Theme) -> None:
        self.width, self.height, self.theme = width, height, theme
        self._fine = Image.new("RGB", (width * FINER, height * FINER), theme.ground)
        self._draw = ImageDraw.Draw(self._fine)

    def image(self) -> Image.Image:
        """What was drawn, smooth."""
        return self._fine.resize((self.width, self.height), Image.Resampling.LANCZOS)

    # --- shapes -----------------------------------------------------------------------------------------------------

    def box(
        self, box: Box, fill: Colour | None, *, radius: float = 0, outline: Colour | None = None, weight: float = 1
    ) -> None:
        """A rectangle with round corners."""
        fine = [value * FINER for value in box]
        edge = max(1, round(weight * FINER)) if outline else 0
        self._draw.rounded_rectangle(fine, radius * FINER, fill=fill, outline=outline, width=edge)

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        """A filled shape."""
        self._draw.polygon([(x * FINER, y * FINER) for x, y in points], fill=fill)

    def disc(self, centre: Point, radius: float, fill: Colour) -> None:
        """A filled circle."""
        x, y = centre
        self._draw.ellipse([value * FINER for value in (x - radius, y - radius, x + radius, y + radius)], fill=fill)

    def stroke(self, points: Sequence[Point], colour: Colour, weight: float) -> None:
        """A line through points."""
        fine = [(x * FINER, y * FINER) for x, y in points]
        self._draw.line(fine, fill=colour, width=max(1, round(weight * FINER)), joint="curve")

    # --- text -------------------------------------------------------------------------------------------------------

    def text(
        self,
        at: Point,
        words: str,
        size: float,
        *,
        colour: Colour | None = None,
        bold: bool = False,
        anchor: str = "mm",
        room: float | None = None,
    ) -> float:
        """Words on one line, made smaller where `room` asks for it; returns their width. Anchors are Pillow's."""
        words = plain(words)
        wide = self.text_width(words, size, bold=bold)
        if room is not None and wide > room:
            size, wide = size * room / wide, room
        self._draw.text(
            (at[0] * FINER, at[1] * FINER),
            words,
            fill=colour or self.theme.ink,
            font=_font(round(size * FINER)),
            anchor=anchor,
            stroke_width=_boldness(size) if bold else 0,
        )
        return wide

    def text_width(self, words: str, size: float, *, bold: bool = False) -> float:
        """How wide these words are."""
        font = _font(round(size * FINER))
        return float(font.getlength(plain(words)) + (2 * _boldness(size) if bold else 0)) / FINER

    def wrapped(self, words: str, size: float, room: float, *, bold: bool = False) -> list[str]:
        """The words in lines that are no wider than `room`."""
        lines: list[str] = []
        for word in words.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.text_width(longer, size, bold=bold) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines


def plain(words: str) -> str:
    """Words in the characters that Pillow's own typeface has: accents go, what is left over becomes "?"."""
    replaced = "".join(_STAND_INS.get(letter, letter) for letter in words)
    simple = "".join(letter for letter in unicodedata.normalize("NFKD", replaced) if not unicodedata.combining(letter))
    return "".join(letter if letter.isascii() or letter in "“”·’" else "?" for letter in simple)


def _boldness(size: float) -> int:
    """The stroke that makes letters of this size bold."""
    return max(1, round(size * FINER / 36))


@lru_cache(maxsize=64)
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font
