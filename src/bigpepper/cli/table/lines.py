"""Lines out to the terminal and in from it."""

from __future__ import annotations

import sys

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bigpepper.cli.letters import letters_only
from bigpepper.cli.printer import Printer
from bigpepper.cli.table.terminal import is_terminal
from bigpepper.text import Message


class Lines:
    """Sentences out, a line each, and lines in, from a terminal or from a script."""

    def __init__(self, letters: bool, language: str) -> None:
        self.language = language
        self._letters = letters
        self._console = Printer(highlight=False)

    @property
    def drawn(self) -> bool:
        """Whether somebody looks at a terminal, so that a table is better than sentences."""
        return self._console.is_terminal and not self._console.is_dumb_terminal

    def text(self, message: Message | str) -> str:
        """A sentence in our language, in letters that can be shown."""
        words = message.text(self.language) if isinstance(message, Message) else message
        return letters_only(words) if self._letters else words

    def say(self, message: Message) -> None:
        """Print a sentence."""
        self.write(message.text(self.language))

    def write(self, content: str | Text | Table = "", indent: int = 0) -> None:
        """Print a line, or several; too long ones are broken at blanks where somebody looks at them."""
        if isinstance(content, str):
            content = Text(_printable(content))
        if isinstance(content, Text) and self._letters:
            content.plain = letters_only(content.plain)
        if self._console.is_terminal:
            self._console.print(Padding(content, (0, 0, 0, indent)))
        elif isinstance(content, Text):
            self._console.print(Text(" " * indent).append_text(content), soft_wrap=True)

    def command(self, text: str) -> None:
        """Print a command in one piece, so that it can be copied."""
        self._console.print(Text(f"  {_printable(text)}"), soft_wrap=True)

    def read(self) -> str:
        """One line of standard input, shown again where nobody typed it. Raises `EOFError`."""
        if is_terminal(sys.stdin) and is_terminal(sys.stdout):
            return self._typed()
        line = sys.stdin.readline() if sys.stdin is not None else ""  # None: it was closed before we began
        self.write(f"> {line.rstrip()}")
        if not line:
            raise EOFError
        return line

    def _typed(self) -> str:
        try:
            return input("> ")
        except (EOFError, KeyboardInterrupt):
            self.write()
            raise


def _printable(text: str) -> str:
    """The same text; what a path has in it that is no text becomes a question mark."""
    return text.encode("utf-8", "replace").decode()
