"""What the ways in which a round can end are worth: the chance to win the game, for every contract and every trick."""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from typing import Annotated, TypeAlias

from bigpepper.bots.strong.match import Match, hope, worth_after
from bigpepper.jit import Record, Row4, Rows, entry, record, share
from bigpepper.kernel import score
from bigpepper.records import Round, Tables

MOST_BIDS = 24
POINT = 30  # millionths of a chance for a point
RowsOfContract: TypeAlias = Annotated[list[list[int]], 3 * 3 * MOST_BIDS * 2, 9]


@record
class Stakes(Record):
    """Chances to win the game, in millionths, from the score before this round; a point counts a little besides."""

    standing: Row4  # of a side, if this round is thrown in
    worth: RowsOfContract  # of a side (see `line`), by the makers' tricks


@share
def line(side: int, makers: int, bid: int, lone: int) -> int:
    """The line of `Stakes.worth` for `side` when the side `makers` plays `bid`; `lone` 1: alone."""
    return ((side * 3 + makers) * MOST_BIDS + bid) * 2 + lone


@entry
def weigh(views: Rows, tables: Rows, matches: Rows, stakes: Rows, scratch: Rows) -> int:
    """Fill `stakes[0]` for the scores of `views[0]`."""
    v, t, m, s, r = views[0], tables[0], matches[0], stakes[0], scratch[0]
    for side in range(4):
        r.scores[side] = v.scores[side]
    for side in range(t.sides):
        s.standing[side] = hope(m, t, r, 0, side)
    for makers in range(t.sides):
        for bid in range(t.bids):
            for tricks in range(t.hand_size + 1):
                for lone in range(2 if t.alone else 1):
                    weigh_ending(r, t, m, s, makers, bid, tricks, lone)
    return 0


@share
def weigh_ending(r: Round, t: Tables, m: Match, s: Stakes, makers: int, bid: int, tricks: int, lone: int) -> None:
    """One way to end. With three players the two defenders share the rest evenly, an odd trick either way."""
    splits = splits_of(t, t.hand_size - tricks)
    for side in range(t.sides):
        s.worth[line(side, makers, bid, lone)][tricks] = 0
    for split in range(splits):
        end_round(r, t, makers, bid, tricks, lone, split)
        for side in range(t.sides):
            s.worth[line(side, makers, bid, lone)][tricks] += (worth_after(m, t, r, side) + bonus(r, t, side)) // splits


@share
def bonus(r: Round, t: Tables, side: int) -> int:
    """What the points of the round count besides, by how many more they are than the other sides'.

    Where a game is as good as decided all chances are the same; whoever then took a pass for as good as a sure bid
    would never end it.
    """
    more = t.sides * r.points[side]
    for other in range(t.sides):
        more -= r.points[other]
    return POINT * more


@share
def end_round(r: Round, t: Tables, makers: int, bid: int, tricks: int, lone: int, split: int) -> None:
    """Score a round of which nothing has been played: `tricks` to the makers, the rest to the others."""
    r.bid, r.maker, r.lone = bid, makers, makers if lone else -1
    for seat in range(4):
        r.won[seat] = 0
    play_out(r, t, makers, tricks, t.hand_size - tricks, split)


@share
def splits_of(t: Tables, rest: int) -> int:
    """In how many ways the others share their tricks: three players, an odd one either way."""
    return 2 if t.sides == 3 and rest & 1 else 1


@share
def play_out(r: Round, t: Tables, makers: int, tricks: int, rest: int, split: int) -> None:
    """Score a round in which the side `makers` wins `tricks` more and the others `rest` more.

    With three players the others share evenly; `split` 0 or 1: the first or the second of them gets an odd trick.
    """
    others = t.sides - 1
    r.won[makers] += tricks
    for other in range(1, t.sides):
        part = rest // others
        if rest % others and other == 1 + split:
            part += 1
        r.won[(makers + other) % t.sides] += part
    for side in range(4):
        r.points[side] = 0
    score(r, t)
