"""The text of one game, cut into lines of words and braces that know their places."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from bigpepper.notation.errors import NotationError, Place
from bigpepper.text import Message, msg

_KEYWORD: Final = re.compile(r"\s*([A-Za-z][A-Za-z-]*)[ \t]*([0-9]{1,9})?[ \t]*(:|(?=\s|\{|$))")
_WORD: Final = re.compile(r"\[[^\]]*\]|\S+")
_ESCAPES: Final = {"\\": "\\", "{": "{", "}": "}", "=": "=", "n": "\n"}
_RAW: Final = "option"
"""The keyword whose lines hold TOML, in which braces are no comments."""


class Piece(NamedTuple):
    """A part of a line: a word, a free text, or what stands in braces."""

    text: str
    place: Place
    brace: bool = False


@dataclass
class Line:
    """One line: its keyword in lower case, the number after that (a seat, a round), and the rest."""

    keyword: str
    number: int | None
    place: Place
    rest: list[Piece] = field(default_factory=list)
    """The rest in pieces: plain text and braces, in turn."""

    def words(self) -> Iterator[Piece]:
        """The rest as words and braces."""
        for piece in self.rest:
            if piece.brace:
                yield piece
            else:
                yield from _words(piece)

    def plain(self) -> list[Piece]:
        """The words alone."""
        return [word for word in self.words() if not word.brace]

    def braces(self) -> list[Piece]:
        """What stands in braces."""
        return [piece for piece in self.rest if piece.brace]

    def text(self) -> Piece:
        """The rest as free text, without the braces."""
        texts = [piece for piece in self.rest if not piece.brace and piece.text.strip()]
        value = unescaped("".join(piece.text for piece in self.rest if not piece.brace).strip(), self.place)
        place = _moved(texts[0].place, _indent(texts[0].text)) if texts else self.place
        check_text(value, place)
        return Piece(value, place)


def _words(piece: Piece) -> Iterator[Piece]:
    for found in _WORD.finditer(piece.text):
        yield Piece(found[0], _moved(piece.place, found.start()))


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _moved(place: Place, columns: int) -> Place:
    return Place(place.line, (place.column or 1) + columns)


# --- cutting --------------------------------------------------------------------------------------------------------


def scan(text: str, first_line: int) -> Iterator[Line]:
    """The lines of a game that are not blank. A brace may run over several lines of the text."""
    rows = text.split("\n")
    number = 0
    while number < len(rows):
        row = rows[number].rstrip()
        if not row:
            number += 1
            continue
        place = Place(first_line + number, 1)
        found = _KEYWORD.match(row)
        line = _begin(found, place)
        column = found.end() if found and line.keyword else 0
        if line.keyword == _RAW:
            line.rest.append(Piece(row[column:], _moved(place, column)))
        else:
            number = _cut(line, rows, number, column, first_line)
        if line.keyword or line.rest:
            yield line
        number += 1


def _begin(found: re.Match[str] | None, place: Place) -> Line:
    if found is None:
        return Line("", None, place)
    number = int(found[2]) if found[2] else None
    return Line(found[1].lower(), number, _moved(place, found.start(1)))


def _cut(line: Line, rows: list[str], number: int, column: int, first_line: int) -> int:
    """Add the pieces from `column` on; returns the number of the last row that belongs to the line."""
    while True:
        row = rows[number].rstrip("\r")
        start = _find(row, "{", column)
        if row[column:start].strip():
            line.rest.append(Piece(row[column:start], Place(first_line + number, column + 1)))
        if start == len(row):
            return number
        opened = Place(first_line + number, start + 1)
        inside, number, column = _brace(rows, number, start + 1, opened)
        line.rest.append(Piece(inside, opened, True))


def _brace(rows: list[str], number: int, column: int, opened: Place) -> tuple[str, int, int]:
    """What stands in a brace, as it is written; the row and the column after it."""
    parts: list[str] = []
    while True:
        row = rows[number].rstrip("\r")
        end = _find(row, "}", column)
        parts.append(row[column:end])
        if end < len(row):
            return "\n".join(parts), number, end + 1
        number, column = number + 1, 0
        if number == len(rows):
            raise NotationError(msg("The comment that begins here has no end; a comment ends with }}."), opened)


def _find(row: str, wanted: str, column: int) -> int:
    """The next place of a brace that no backslash precedes; the end of the row where there is none."""
    if "\\" not in row:
        found = row.find(wanted, column)
        return found if found >= 0 else len(row)
    while column < len(row):
        if row[column] == "\\":
            column += 1
        elif row[column] == wanted:
            return column
        column += 1
    return len(row)


# --- free text ------------------------------------------------------------------------------------------------------


def escaped(text: str) -> str:
    """Free text as it stands in a record."""
    text = text.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}").replace("\n", "\\n")
    return "\\" + text if text.startswith("=") else text


def unescaped(text: str, place: Place) -> str:
    """Free text from what stands in a record."""
    if "\\" not in text:
        return text

    def letter(found: re.Match[str]) -> str:
        if found[1] not in _ESCAPES:
            wrong = msg("“{text}” means nothing here; a backslash is written \\\\.", text=found[0])
            raise NotationError(wrong, place)
        return _ESCAPES[found[1]]

    return re.sub(r"\\(.?)", letter, text, flags=re.DOTALL)


def text_fault(text: str, lines: bool = False) -> Message | None:
    """Why a free text cannot stand in a record; with `lines` it may have several lines."""
    if not text:
        return msg("The text is empty; leave it out instead.")
    if text != text.strip():
        return msg("The text begins or ends with blank space; take that away.")
    for letter in text:
        if unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") and not (lines and letter == "\n"):
            code = f"U+{ord(letter):04X}"
            return msg("The text has the character {code}, which cannot be shown.", code=code)
    return None


def check_text(text: str, place: Place, lines: bool = False) -> None:
    """Refuse a free text that cannot stand in a record."""
    if fault := text_fault(text, lines):
        raise NotationError(fault, place)
