"""Decisions before the play: what to say, what to name, what to lay away, whether to defend alone.

Each choice is looked at in the same worlds: the others go on as plain players would, the play that follows is solved
with open cards, what good players take is learned from that (`Model.played`), and the rulebook and the score say what
it is worth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bigpepper.bots.strong.ahead import Future, Known, look_ahead
from bigpepper.bots.strong.policy import Mind
from bigpepper.bots.strong.stakes import MOST_BIDS
from bigpepper.bots.strong.thought import Thought
from bigpepper.jit import Rows, rows
from bigpepper.kernel import side_of
from bigpepper.records import Round
from bigpepper.solve import Position, Solver


def best_choice(thought: Thought, solver: Solver, drawn: int, kept: int) -> int:
    """The bit of the choice with the best chance to win the game; of equal ones the lowest."""
    bits = bits_of(thought.v.legal)
    return bits[int(np.argmax(chances(thought, solver, drawn, kept)))]


def chances(thought: Thought, solver: Solver, drawn: int, kept: int) -> NDArray[np.float64]:
    """The chance to win the game, in millionths, for each legal choice, lowest bit first."""
    worlds = thought.worlds(drawn, kept)
    n = len(bits_of(thought.v.legal))
    futures, positions = rows(Future, kept * n), rows(Position, kept * n)
    book, known, scratch = thought.book, rows(Known, 1), rows(Round, 1)
    used = look_ahead(
        worlds,
        book.tables,
        book.model,
        thought.stakes,
        rows(Mind, 1),
        scratch,
        known,
        positions,
        futures,
        thought.v.legal,
    )
    tricks = solver.answers(positions[:used])["value"]
    means: NDArray[np.float64] = _worth(thought, futures, tricks).reshape(kept, n).mean(axis=0)
    return means


def _worth(thought: Thought, futures: Rows, tricks: NDArray[np.int64]) -> NDArray[np.float64]:
    """The chance to win of each future."""
    side = side_of(thought.t, thought.v.seat)
    stakes, model = thought.stakes[0], thought.book.model[0]
    played = futures["position"] >= 0
    line = ((side * 3 + futures["makers"]) * MOST_BIDS + futures["bid"]) * 2 + futures["lone"]
    open_tricks = tricks[np.where(played, futures["position"], 0)] if len(tricks) else np.zeros_like(line)
    likely = model["played"][futures["kind"] * 9 + open_tricks]
    worth = (likely * stakes["worth"][np.where(played, line, 0)]).sum(axis=1) / 65536
    found: NDArray[np.float64] = np.where(played, worth, stakes["standing"][side])
    return found


def bits_of(mask: int) -> list[int]:
    """The bits of a mask, lowest first."""
    return [1 << place for place in range(mask.bit_length()) if mask >> place & 1]
