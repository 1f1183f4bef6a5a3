"""This terminal: what it can show."""

from __future__ import annotations

import os
import sys

from rich.console import Console

from bigpepper.cli.table.screen import Screen


def console() -> Console:
    """The console on standard output; it honours NO_COLOR."""
    return Console(highlight=False, soft_wrap=False)


def on_screen(plain: bool) -> bool:
    """Whether the table can take the whole screen: a terminal at both ends, large enough, that can move its cursor."""
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    found = console()
    return not found.legacy_windows and not found.is_dumb_terminal and Screen.fits(found)


def letters() -> bool:
    """Whether only ASCII can be shown: by the encoding, or by the locale (which Python overrides where it is C)."""
    encoding = (sys.stdout.encoding or "utf-8").lower().replace("-", "")
    if not encoding.startswith("utf"):
        return True
    chosen = os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    return chosen in ("C", "POSIX")
