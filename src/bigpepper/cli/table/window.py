"""The terminal's window: another size of it is a new picture."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class Resizes:
    """Calls `paint` when the window has got another size: at once while somebody waits (`heard`), else before it."""

    def __init__(self, paint: Callable[[], None]) -> None:
        self._paint = paint
        self._waiting = False
        self._missed = False
        self._before: Any = None
        self._number: int | None = getattr(signal, "SIGWINCH", None)
        if self._number is not None and threading.current_thread() is threading.main_thread():
            self._before = signal.signal(self._number, self._resized)
        else:
            self._number = None

    def _resized(self, number: int, frame: FrameType | None) -> None:
        self._missed = True
        if self._waiting:
            self._waiting = False  # no picture in the middle of another
            self._catch_up()

    def _catch_up(self) -> None:
        while self._missed:
            self._missed = False
            self._paint()
        self._waiting = True

    @contextmanager
    def heard(self) -> Iterator[None]:
        """While somebody waits for a key or for the time to pass."""
        try:
            self._catch_up()
            yield
        finally:
            self._waiting = False

    def end(self) -> None:
        """Listen no longer."""
        if self._number is not None:
            signal.signal(self._number, self._before or signal.SIG_DFL)
            self._number = None


def forget_typed() -> None:
    """Throw away what has been typed on a line that is not finished."""
    try:
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    except (ImportError, OSError, ValueError):  # no such thing on this system
        return
