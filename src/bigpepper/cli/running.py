"""What is seen of long work on standard error while it goes on: a picture in a terminal, else nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import Progress, ProgressColumn, Task, TimeRemainingColumn
from rich.text import Text

from bigpepper.cli.edge import language
from bigpepper.cli.letters import in_letters
from bigpepper.text import Message

_SECONDS_A_PICTURE: Final = 0.25
_SECONDS_A_LINE: Final = 10.0
"""Where no picture can be drawn over the last one."""
_BESIDE_THE_BAR: Final = 16
"""Columns: the time that is left, and room for the ^C that a terminal writes behind the last line. If that began a new
line, the picture could not be taken back."""


@contextmanager
def running(
    total: int, done: Callable[[], int], words: Callable[[], Message], above: Callable[[], RenderableType] | None = None
) -> Iterator[Callable[[], None]]:
    """Shows how far the work is when what it gives is called, and takes that back in the end.

    `total`, `done()`: how much there is to do, and how much is done. `words()`: the same in words. `above()`: what
    stands above them.
    """
    if not sys.stderr.isatty():
        yield lambda: None
        return
    console = Console(stderr=True)
    if console.is_dumb_terminal:
        yield _every(_SECONDS_A_LINE, lambda: click.echo(words().text(language()), err=True))
        return
    progress = Progress(_Bar(console), TimeRemainingColumn(), console=console)
    task = progress.add_task("", total=total, completed=done())

    def picture() -> Group:
        return Group(*([above()] if above else []), Text(words().text(language())), progress)

    def paint() -> None:
        progress.update(task, completed=done())
        live.update(picture(), refresh=True)

    with Live(picture(), console=console, transient=True, auto_refresh=False) as live:
        yield _every(_SECONDS_A_PICTURE, paint)


def _every(seconds: float, show: Callable[[], None]) -> Callable[[], None]:
    """Calls `show`, but not again before so many seconds have passed."""
    due = 0.0

    def update() -> None:
        nonlocal due
        if time.monotonic() >= due:
            due = time.monotonic() + seconds
            show()

    return update


class _Bar(ProgressColumn):
    """How much is done, as a line that becomes a thick one."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console

    def render(self, task: Task) -> Text:
        """The bar of a task."""
        width = max(8, min(40, self._console.width - _BESIDE_THE_BAR))
        done = int(width * task.percentage / 100)
        bar = "━" * done + "─" * (width - done)
        return Text(in_letters(bar) if self._console.options.ascii_only else bar)
