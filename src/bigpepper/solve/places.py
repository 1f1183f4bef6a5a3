"""From rounds in play to positions to be solved, with what each number of tricks is worth."""

from __future__ import annotations

from typing import Final

from bigpepper.jit import Rows, entry, share
from bigpepper.kernel import makers_points, side_of, tricks_of
from bigpepper.records import PLAY, Public, Round, Tables
from bigpepper.solve.board import Position

TRICKS: Final = 0
POINTS: Final = 1


@entry
def place_rounds(rounds: Rows, tables: Rows, positions: Rows, goal: int) -> int:
    """Write each round into the position of the same number; returns how many of them are not in play (left alone)."""
    t = tables[0]
    skipped = 0
    for i in range(len(rounds)):
        if rounds[i].phase == PLAY:
            place_round(rounds[i], t, positions[i], goal)
        else:
            skipped += 1
    return skipped


@share
def place_round(r: Round, t: Tables, p: Position, goal: int) -> None:
    """Write a round in play as a position; the payoff is as `goal` says, TRICKS or POINTS."""
    makers = side_of(t, r.maker)
    p.players, p.playing, p.makers = t.players, r.playing, 0
    p.turn, p.trump, p.led, p.best, p.winner = r.turn, t.trump[r.strain], r.led, r.best, r.winner
    p.waiting = 0
    for seat in range(t.players):
        p.hands[seat] = r.hands[seat]
        if side_of(t, seat) == makers:
            p.makers |= 1 << seat
        if r.trick[seat]:
            p.waiting += 1
    won = tricks_of(r, t, makers)
    for n in range(r.left + 1):
        p.payoff[n] = won + n if goal == TRICKS else margin(r, t, won + n)


@share
def margin(r: Public, t: Tables, tricks: int) -> int:
    """The makers' points less those of all defenders together, when the makers win `tricks` tricks of the round."""
    return makers_points(r, t, tricks) - t.defenders_score * (t.hand_size - tricks)
