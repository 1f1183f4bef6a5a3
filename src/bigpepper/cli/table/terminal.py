"""This terminal: what it can show."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from shlex import quote
from shutil import which
from typing import TextIO

from rich.console import Console

from bigpepper.cli.printer import Printer
from bigpepper.cli.table.screen import Screen


def console() -> Console:
    """The console on standard output; it honours NO_COLOR."""
    return Printer(highlight=False, soft_wrap=False)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody sits at a stream; Python has None where it was closed when the program began."""
    return stream is not None and not stream.closed and stream.isatty()


def on_screen(plain: bool) -> bool:
    """Whether the table can take the whole screen: a terminal at both ends, large enough, that can move its cursor."""
    if plain or not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        return False
    found = console()
    return not found.legacy_windows and not found.is_dumb_terminal and Screen.fits(found)


def letters() -> bool:
    """Whether only ASCII can be shown: by the encoding, or by the locale (which Python overrides where it is C)."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    if not encoding.startswith("utf"):
        return True
    chosen = os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    return chosen in ("C", "POSIX")


def accept_any_bytes() -> None:
    """Read bytes that are no text as a sign for them, so that a wrong line can be answered like any other."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def called() -> str:
    """How to call this program again from this folder: by its name where the shell finds it, else as it was called."""
    if which("bigpepper"):
        return "bigpepper"
    if Path(sys.argv[0]).stem == "bigpepper":
        return quote(sys.argv[0])
    return f"{quote(sys.executable)} -m bigpepper"
