"""Signals that end a program from outside: they are taken as Ctrl-C is."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import Any, Final

from bigpepper.cli.edge import drop_output, interrupted

_NAMES: Final = ("SIGTERM", "SIGHUP")
_AGAIN: Final = 0.1  # seconds after which a signal that nobody has noticed is sent again


class Signals:
    """While it is entered, SIGTERM and SIGHUP raise `KeyboardInterrupt`, once."""

    def __init__(self) -> None:
        self.number: int | None = None
        """The signal that came."""
        self._before: dict[int, Any] = {}
        self._noticed = threading.Event()
        self._repeater: _Repeater | None = None

    @property
    def status(self) -> int:
        """The exit status after it, as shells count; that of Ctrl-C where no signal came."""
        return 128 + (self.number or signal.SIGINT)

    def __enter__(self) -> Signals:
        if threading.current_thread() is threading.main_thread():
            for number in (getattr(signal, name) for name in _NAMES if hasattr(signal, name)):
                if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup has set it
                    self._before[number] = signal.signal(number, self._caught)
            if self._before and hasattr(signal, "pthread_kill"):
                self._repeater = _Repeater(frozenset(self._before), self._noticed)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._repeater:
            self._repeater.end()
        for number, before in self._before.items():
            signal.signal(number, before)

    def _caught(self, number: int, frame: FrameType | None) -> None:
        self.number = number
        for other in self._before:
            signal.signal(other, signal.SIG_IGN)  # nothing may disturb the saving
        self._noticed.set()
        raise KeyboardInterrupt


@contextmanager
def stopping() -> Iterator[Signals]:
    """What is done meanwhile ends by a signal as it does by Ctrl-C, with the status of the signal."""
    with Signals() as signals:
        try:
            yield signals
        except KeyboardInterrupt:
            if signals.number is None:
                raise
            with suppress(OSError):
                interrupted()
            sys.exit(signals.status)
        except OSError:  # after SIGHUP there is nobody left to be told
            if signals.number is None:
                raise
            drop_output()
            sys.exit(signals.status)


class _Repeater:
    """Sends a signal again until it is noticed.

    `readline` writes its prompt, then waits for a key. A signal between the two does not end that waiting, and Python
    would run its handler only after the next key; a second signal does end it.
    """

    def __init__(self, numbers: frozenset[int], noticed: threading.Event) -> None:
        self._noticed = noticed
        self._main = threading.get_ident()
        self._arrivals, self._wakeup = os.pipe()
        os.set_blocking(self._wakeup, False)
        self._before = signal.set_wakeup_fd(self._wakeup, warn_on_full_buffer=False)
        self._thread = threading.Thread(target=self._watch, args=(numbers,), daemon=True)
        self._thread.start()

    def _watch(self, numbers: frozenset[int]) -> None:
        while arrived := os.read(self._arrivals, 1):
            while arrived[0] in numbers and not self._noticed.wait(_AGAIN):
                signal.pthread_kill(self._main, arrived[0])

    def end(self) -> None:
        signal.set_wakeup_fd(self._before)
        self._noticed.set()
        os.close(self._wakeup)
        self._thread.join()
        os.close(self._arrivals)
