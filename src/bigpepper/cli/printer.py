"""Tables and pages on standard output."""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console


class Printer(Console):
    """Rich's console, but for a reader who has gone, such as `head`: the command line's own edge deals with that."""

    def on_broken_pipe(self) -> NoReturn:
        """Raises `BrokenPipeError`; Rich would end the process as if something had failed."""
        raise BrokenPipeError
