"""A rule page as data: sections of paragraphs, lists, tables and pictures, all of messages; and its Markdown form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bigpepper.cards import Card
from bigpepper.explain.terms import card_sign
from bigpepper.text import SOURCE_LANGUAGE, Message

Cell = Message | str


@dataclass(frozen=True)
class Paragraph:
    """Sentences in a row."""

    sentences: tuple[Message, ...]


@dataclass(frozen=True)
class Items:
    """A list; each item is one or more sentences."""

    items: tuple[tuple[Message, ...], ...]


@dataclass(frozen=True)
class Table:
    """A table with a head."""

    heads: tuple[Message, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Row:
    """A suit in order: its name, its cards from the highest, and what some of them are called."""

    label: Message
    cards: tuple[Card, ...]
    marks: tuple[tuple[Card, Message], ...] = ()


@dataclass(frozen=True)
class Picture:
    """The order of the cards, a line a suit, with notes below the cards that have a name."""

    rows: tuple[Row, ...]


Block = Paragraph | Items | Table | Picture


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    heading: Message
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Page:
    """An explained rulebook."""

    title: Message
    summary: Message
    sections: tuple[Section, ...]


# --- words ----------------------------------------------------------------------------------------------------------


def words(cell: Cell, language: str) -> str:
    """A cell in a language."""
    return cell.text(language) if isinstance(cell, Message) else cell


def running(sentences: tuple[Message, ...], language: str) -> str:
    """Sentences in a row."""
    return " ".join(sentence.text(language) for sentence in sentences)


_CARD_WIDTH = 6


def picture_lines(picture: Picture, language: str = SOURCE_LANGUAGE) -> tuple[str, ...]:
    """A picture as lines of text, highest card first."""
    labels = [row.label.text(language) for row in picture.rows]
    width = max(map(len, labels)) + 2
    return tuple(
        line for row, label in zip(picture.rows, labels, strict=True) for line in _lines(row, label, width, language)
    )


def _lines(row: Row, label: str, width: int, language: str) -> Iterator[str]:
    cards = "".join(card_sign(card).ljust(_CARD_WIDTH) for card in row.cards)
    yield (label.ljust(width) + cards).rstrip()
    columns = [(width + _CARD_WIDTH * row.cards.index(card), mark.text(language)) for card, mark in row.marks]
    for number in range(len(columns) - 1, -1, -1):
        bars = "".join("│".rjust(column + 1 - taken) for taken, column in _bars([at for at, _ in columns[:number]]))
        column, mark = columns[number]
        yield f"{bars}{'└'.rjust(column + 1 - len(bars))} {mark}"


def _bars(columns: list[int]) -> Iterator[tuple[int, int]]:
    """Pairs of what is filled so far and the next column."""
    taken = 0
    for column in columns:
        yield taken, column
        taken = column + 1


# --- Markdown -------------------------------------------------------------------------------------------------------


def markdown(page: Page, language: str = SOURCE_LANGUAGE) -> str:
    """The page as Markdown."""
    parts = [f"# {page.title.text(language)}", page.summary.text(language)]
    for section in page.sections:
        parts.append(f"## {section.heading.text(language)}")
        parts += [_block(block, language) for block in section.blocks]
    return "\n\n".join(parts) + "\n"


def _block(block: Block, language: str) -> str:
    match block:
        case Paragraph(sentences):
            return running(sentences, language)
        case Items(items):
            return "\n".join(f"- {running(item, language)}" for item in items)
        case Table():
            return "\n".join(_table(block, language))
        case Picture():
            return "\n".join(("```text", *picture_lines(block, language), "```"))


def _table(table: Table, language: str) -> Iterator[str]:
    yield _line([head.text(language) for head in table.heads])
    yield _line(["---"] * len(table.heads))
    for row in table.rows:
        yield _line([words(cell, language) for cell in row])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
