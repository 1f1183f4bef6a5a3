"""Decisions before the play: what to say, what to name, what to lay away, whether to defend alone.

Each choice is looked at in the same worlds: the others go on as plain players would, better calls likelier; the play
that follows is solved with open cards, what good players take is learned from that (`Model.played`), and the rulebook
and the score say what it is worth.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bigpepper.bots.strong.ahead import Future, Known, look_ahead
from bigpepper.bots.strong.policy import Mind
from bigpepper.bots.strong.stakes import MOST_BIDS
from bigpepper.bots.strong.thought import Thought
from bigpepper.jit import Rows, rows
from bigpepper.kernel import side_of
from bigpepper.records import AUCTION, Round
from bigpepper.solve import Position, Solver

EVEN: Final = 60.0
"""Millionths of a chance to win that make no difference between calls."""
UNSURE: Final = 0.7
"""How far, in tricks (a standard deviation), worlds are apart where a maker falls short as often as makers do."""
LEAST: Final = 0.03
"""What is left of falling short where all worlds say the same."""


def best_choice(thought: Thought, solver: Solver, drawn: int, kept: int) -> int:
    """The bit of the choice with the best chance to win the game.

    Of equal ones the bid that is played in most worlds: what another bid might still lead to rests on what others do.
    Then the lowest.
    """
    means, played = judged(thought, solver, drawn, kept)
    return bits_of(thought.v.legal)[int(np.argmax(np.where(means >= means.max() - EVEN, played, -1.0)))]


def judged(thought: Thought, solver: Solver, drawn: int, kept: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of each legal choice, lowest bit first, the chance to win the game, in millionths, and the part of the worlds in
    which it is a bid that its bidder then plays.
    """
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
        thought.dice.getrandbits(62),
    )
    tricks = solver.answers(positions[:used])["value"]
    futures = futures.reshape(kept, n)
    played = np.zeros(n)
    if thought.v.phase == AUCTION:
        bids = np.array([bit.bit_length() - 2 for bit in bits_of(thought.v.legal)])
        played = ((futures["own"] == 1) & (futures["bid"] == bids) & (futures["position"] >= 0)).mean(axis=0)
    return _worth(thought, futures, tricks).mean(axis=0), played


def _worth(thought: Thought, futures: Rows, tricks: NDArray[np.int64]) -> NDArray[np.float64]:
    """The chance to win of each future, a row a world."""
    side = side_of(thought.t, thought.v.seat)
    stakes, played = thought.stakes[0], thought.book.model[0]["played"] / 65536
    solved = futures["position"] >= 0
    line = ((side * 3 + futures["makers"]) * MOST_BIDS + futures["bid"]) * 2 + futures["lone"]
    worth = stakes["worth"][np.where(solved, line, 0)].astype(np.float64)
    taken = tricks[np.where(solved, futures["position"], 0)] if len(tricks) else np.zeros_like(line)
    likely = played[futures["kind"] * 9 + taken]
    fewer = likely * (np.arange(9) < taken[..., None])
    lost = (fewer * (np.take_along_axis(worth, taken[..., None], axis=-1) - worth)).sum(axis=-1)
    spared = 1 - _unsure(thought.v.phase, futures, taken)
    found: NDArray[np.float64] = np.where(
        solved, (likely * worth).sum(axis=-1) + spared * lost, stakes["standing"][side]
    )
    return found


def _unsure(phase: int, futures: Rows, taken: NDArray[np.int64]) -> NDArray[np.float64]:
    """How far each future is open to taking fewer tricks than with open cards, as a part of what makers lose so.

    A maker goes wrong where he cannot know how the cards lie: where his worlds agree, he has nothing to guess. Of
    others' contracts he sees too little to say.
    """
    found = np.ones(taken.shape)
    own = (futures["own"] == 1) & (futures["position"] >= 0)
    choice = np.zeros_like(taken) if phase == AUCTION else np.arange(taken.shape[1]) + 0 * taken
    group = np.where(own, choice * 2 + futures["lone"], -1)
    for one in np.unique(group[own]):
        values = taken[group == one]
        apart = (((values - values.mean()) ** 2).sum() + UNSURE**2 / 2) / (len(values) + 0.5)
        found[group == one] = min(1.0, max(LEAST, apart / UNSURE**2))
    return found


def bits_of(mask: int) -> list[int]:
    """The bits of a mask, lowest first."""
    return [1 << place for place in range(mask.bit_length()) if mask >> place & 1]
