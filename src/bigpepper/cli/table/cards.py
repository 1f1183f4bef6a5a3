"""Cards drawn in letters: a box each, three rows high and five columns wide, and the hand as a row of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rich.text import Text

from bigpepper import explain
from bigpepper.cards import Card, Suit
from bigpepper.cli.table.canvas import Canvas

WIDTH: Final = 5
HEIGHT: Final = 3
COLOURS: Final[dict[str, dict[Suit, str]]] = {
    "two": {Suit.HEARTS: "red", Suit.DIAMONDS: "red"},
    "four": {Suit.HEARTS: "red", Suit.DIAMONDS: "blue", Suit.CLUBS: "green"},
    "none": {},
}
"""Colours of the suits' signs, by scheme."""

_BOXES: Final = {"plain": "╭─╮│╰╯", "pale": "╭─╮│╰╯", "winning": "╔═╗║╚╝"}


def face(card: Card) -> str:
    """A card in three columns: ` J♥`, `10♣`; the Joker is ` JO`, as it is typed."""
    return f"{str(card) if card.is_joker else explain.card_sign(card):>3}"


def box(card: Card, kind: str, colours: Mapping[Suit, str]) -> list[Text]:
    """A card as three rows; `kind` is plain, pale or winning."""
    a, line, b, side, c, d = list(_BOXES[kind])
    style = {"plain": "", "pale": "dim", "winning": "bold"}[kind]
    ink = colours.get(card.suit, "") if card.suit else ""
    middle = Text.assemble((side, style), (face(card), f"{style or 'bold'} {ink}".strip()), (side, style))
    return [Text(a + line * 3 + b, style), middle, Text(c + line * 3 + d, style)]


def put_card(canvas: Canvas, row: int, column: int, card: Card, kind: str, colours: Mapping[Suit, str]) -> None:
    """Draw a card with its upper left corner there."""
    for i, text in enumerate(box(card, kind, colours)):
        canvas.put(row + i, column, text)


class Held(NamedTuple):
    """A card of the hand as it is to be shown."""

    card: Card
    key: str
    """What it is called by; "" when it cannot be chosen now."""
    caption: str
    """Up to five letters: right, left, trump …"""


def hand(groups: Sequence[Sequence[Held]], width: int, colours: Mapping[Suit, str], anybody: bool) -> list[Text]:
    """The hand in five rows, suit by suit: cards that can be chosen stand one row higher and bear their number.

    `anybody`: whether there is a choice at all; if not, all of them stand low and none is pale.
    """
    canvas = Canvas(width, HEIGHT + 2)
    column = max(0, (width - _length(groups)) // 2)
    for group in groups:
        for held in group:
            kind = "plain" if held.key or not anybody else "pale"
            put_card(canvas, 0 if held.key else 1, column, held.card, kind, colours)
            if held.key:
                canvas.put_centre(HEIGHT, column + WIDTH // 2, held.key, "bold")
            canvas.put(HEIGHT + 1, column, f"{held.caption:^5}", "dim")
            column += WIDTH + 1
        column += 1
    return canvas.lines()


def _length(groups: Sequence[Sequence[Held]]) -> int:
    return sum(len(group) for group in groups) * (WIDTH + 1) - 1 + len(groups) - 1
