"""Tables of names and numbers on any width: no name and no number is ever cut."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from bigpepper.cli.edge import language
from bigpepper.cli.letters import in_letters
from bigpepper.cli.printer import Printer
from bigpepper.text import Message

_EDGES: Final = 3
"""Columns that a cell needs beside its content; the table has one more."""
_PIECE: Final = re.compile(r"[^ ,]*(?:,| +|$)")
"""What stays on a line: an option of a bot, with its comma."""
_ANY: Final = 1_000_000
"""The width of what is no terminal."""


class Sheet:
    """Rows of cells. Where the table is too wide, the column of names is folded; if it still is, each row becomes
    lines of its own.
    """

    def __init__(self, *heads: Message, names: int = 0) -> None:
        """`names`: the column of names; those after it hold numbers."""
        self._names = names
        self._rows: list[tuple[str, ...]] = [tuple(head.text(language()) for head in heads)]

    def add(self, *cells: str) -> None:
        """Another row, a cell a column."""
        self._rows.append(cells)

    def print(self, title: Message | None = None) -> None:
        """On standard output, whole if that is no terminal."""
        console = Printer(highlight=False, width=None if sys.stdout.isatty() else _ANY)
        if title:
            console.print(Text(title.text(language())))
        console.print(self)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """As a table or as lines, whatever fits."""
        rows = [tuple(map(in_letters, row)) if options.ascii_only else row for row in self._rows]
        widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
        others = sum(widths) - widths[self._names] + _EDGES * len(widths) + 1
        names = [row[self._names] for row in rows]
        room = min(options.max_width - others, widths[self._names])
        if room < max(cell_len(piece.rstrip()) for name in names for piece in _PIECE.findall(name)):
            yield from _lines(rows, self._names, options.max_width)
        else:
            yield _table(rows, self._names, room)


def _table(rows: Sequence[tuple[str, ...]], names: int, room: int) -> Table:
    table = Table()
    for number, head in enumerate(rows[0]):
        table.add_column(Text(head), justify="right" if number > names else "left", no_wrap=True)
    for row in rows[1:]:
        table.add_row(*(Text(_folded(cell, room) if i == names else cell) for i, cell in enumerate(row)))
    return table


def _lines(rows: Sequence[tuple[str, ...]], names: int, width: int) -> Iterator[Text]:
    """The names of each row, and below them a number a line."""
    heads, *rest = rows
    left = max(cell_len(head) for head in heads[names + 1 :])
    needed = left + 4 + max((cell_len(cell) for row in rest for cell in row[names + 1 :]), default=0)
    between = "\n    " if needed > width else "  "
    for row in rest:
        yield Text(_folded(" ".join(row[: names + 1]), width))
        for head, cell in zip(heads[names + 1 :], row[names + 1 :], strict=True):
            if cell:
                yield Text(f"  {head:{left if between == '  ' else 0}}{between}{cell}")


def _folded(name: str, width: int) -> str:
    """The name over lines of this width, broken after blanks and commas where that can be."""
    lines = [""]
    for piece in _PIECE.findall(name):
        if lines[-1] and cell_len((lines[-1] + piece).rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)
