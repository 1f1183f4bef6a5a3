"""A small surface to set texts on, row by row."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text


class Canvas:
    """Rows of texts, each at a column. Nothing is set upon another text: what comes later in a row is pushed right."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self._rows: list[list[tuple[int, Text]]] = [[] for _ in range(height)]

    def put(self, row: int, column: int, text: str | Text, style: str = "") -> None:
        """A text from a column on; left away where there is no such row."""
        if 0 <= row < len(self._rows):
            self._rows[row].append((column, text if isinstance(text, Text) else Text(text, style)))

    def put_centre(self, row: int, centre: int, text: str | Text, style: str = "") -> None:
        """A text around a column."""
        self.put(row, max(0, centre - _width(text) // 2), text, style)

    def put_right(self, row: int, end: int, text: str | Text, style: str = "") -> None:
        """A text that ends before a column."""
        self.put(row, max(0, end - _width(text)), text, style)

    def lines(self) -> list[Text]:
        """The rows, none wider than the canvas."""
        return [self._line(row) for row in self._rows]

    def _line(self, row: list[tuple[int, Text]]) -> Text:
        line = Text()
        for column, text in sorted(row, key=lambda item: item[0]):
            line.append(" " * (column - line.cell_len))
            line.append_text(text)
        line.truncate(self.width, overflow="ellipsis")
        return line


def _width(text: str | Text) -> int:
    return text.cell_len if isinstance(text, Text) else cell_len(text)
