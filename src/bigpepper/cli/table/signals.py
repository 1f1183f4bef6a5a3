"""The signals that end a program from outside, taken as Ctrl-C is: the game is saved and the screen given back."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Final

_NAMES: Final = ("SIGTERM", "SIGHUP")


class Signals:
    """While it is entered, SIGTERM and SIGHUP raise `KeyboardInterrupt`, once."""

    def __init__(self) -> None:
        self.number: int | None = None
        """The signal that came."""
        self._before: dict[int, Any] = {}

    @property
    def status(self) -> int:
        """The exit status after it, as shells count; that of Ctrl-C where no signal came."""
        return 128 + (self.number or signal.SIGINT)

    def __enter__(self) -> Signals:
        if threading.current_thread() is threading.main_thread():
            for number in (getattr(signal, name) for name in _NAMES if hasattr(signal, name)):
                if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup has set it
                    self._before[number] = signal.signal(number, self._caught)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def _caught(self, number: int, frame: FrameType | None) -> None:
        self.number = number
        for other in self._before:
            signal.signal(other, signal.SIG_IGN)  # nothing may disturb the saving
        raise KeyboardInterrupt
