"""Compiling what the strong bots need, all of it at once and on two cores."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Final

from bigpepper import jit
from bigpepper.bots.strong.ahead import Future, Known, look_ahead
from bigpepper.bots.strong.back import Past, look_back
from bigpepper.bots.strong.belief import Weight, weigh_worlds
from bigpepper.bots.strong.hidden import Held, Hidden, Split, fill
from bigpepper.bots.strong.match import Match
from bigpepper.bots.strong.model import Model
from bigpepper.bots.strong.policy import Mind
from bigpepper.bots.strong.season import Ending, hold_auctions
from bigpepper.bots.strong.stakes import Stakes, weigh
from bigpepper.jit import rows
from bigpepper.records import Round, Tables, View
from bigpepper.solve import Position, Solver
from bigpepper.solve.places import TRICKS, place_rounds
from bigpepper.solve.values import answer_all
from bigpepper.text import msg
from bigpepper.workers import cores

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENTRIES: Final = (weigh, hold_auctions, fill, weigh_worlds, look_ahead, look_back, place_rounds, answer_all)
_ELSEWHERE: Final = "from bigpepper.bots.strong.compiling import compile_search; compile_search()"
"""What the other process does."""


@cache
def prepare() -> None:
    """Compile what the strong bots need, if that was never done here, and say so on the error stream; once.

    The first decision does it otherwise; who is about to show a screen does it before.
    """
    if all(entry.is_ready for entry in _ENTRIES):
        return
    sys.stderr.write(msg("Compiling the strong bots: once, about a quarter of a minute.").text() + "\n")
    sys.stderr.flush()
    with _search_compiled_elsewhere():
        compile_rest()
    compile_search()


def compile_search() -> None:
    """The exact search, and what has little in common with the rest: about half of the work."""
    view, tables = rows(View, 1), rows(Tables, 1)
    Solver().answers(rows(Position, 0))
    weigh(view, tables, rows(Match, 1), rows(Stakes, 1), rows(Round, 1))
    fill(view, tables, rows(Held, 1), rows(Hidden, 1), rows(Split, 1), rows(Round, 0))


def compile_rest() -> None:
    """The other entries, each by a call with nothing to do."""
    view, tables, r, none = rows(View, 1), rows(Tables, 1), rows(Round, 1), rows(Round, 0)
    model, stakes, mind, positions = rows(Model, 1), rows(Stakes, 1), rows(Mind, 1), rows(Position, 0)
    hold_auctions(tables, model, stakes, mind, r, rows(Ending, 0), positions, 0)
    weigh_worlds(view, tables, model, stakes, mind, r, none, rows(Weight, 0))
    look_ahead(none, tables, model, stakes, mind, r, rows(Known, 1), positions, rows(Future, 0), 0, 0)
    look_back(view, tables, r, none, positions, rows(Past, 0), 0)
    place_rounds(none, tables, positions, TRICKS)


@contextmanager
def _search_compiled_elsewhere() -> Iterator[None]:
    """Meanwhile another process does `compile_search` into the cache; where that fails, this one does it afterwards."""
    if cores() < 2 or not sys.executable or not jit.is_kept():
        yield
        return
    command = [sys.executable, "-c", _ELSEWHERE]
    other = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
        other.wait()
    finally:
        other.kill()
        other.wait()
