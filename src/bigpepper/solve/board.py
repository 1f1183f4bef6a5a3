"""The records of the solver: a `Position` to be solved, the `Search` that solves it, and the `Answer`.

A Position has its cards in the kernel's strain order (see `records`). The Search has them in `lanes`, without gaps, and
numbers only the seats that play.
"""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from typing import Annotated, Final, TypeAlias

from bigpepper.jit import Record, Row4, record

MOST_CARDS: Final = 25
SLOTS: Final = 1024
"""Entries of a table; a power of two."""

Row8: TypeAlias = Annotated[list[int], 8]
Row9: TypeAlias = Annotated[list[int], 9]
RowFrames: TypeAlias = Annotated[list[int], MOST_CARDS]
RowSlots: TypeAlias = Annotated[list[int], SLOTS]


@record
class Position(Record):
    """A moment of the play, all cards open, and what each number of tricks is worth to the makers."""

    hands: Row4  # cards a seat in strain order; what a seat that does not play holds is ignored
    players: int  # seats at the table, 2 … 4
    playing: int  # mask of the seats that take part
    makers: int  # mask of the seats of the makers' side
    turn: int  # seat to act; -1 when no card is left to play
    trump: int  # mask of the places of trumps, as `Tables.trump`
    led: int  # mask of the places of the suit led; 0 nothing to follow
    best: int  # card that is winning the trick; 0 when nobody has played to it
    winner: int  # seat that is winning it; -1
    waiting: int  # how many seats have played to the trick, 0 … 3
    payoff: Row9  # worth, any sign, of 0 … 8 tricks that the makers win from here on


@record
class Answer(Record):
    """What is found out about a Position."""

    value: int  # payoff that the makers can force, and the defenders can hold them to
    legal: int  # cards that may be played, in strain order
    values: Row8  # the value of each of them, lowest place first; filled only when asked for
    nodes: int  # card decisions that were searched


@record
class Search(Record):
    """One search: the board, the stack of frames, and the table. A Solver owns one; nothing else is kept."""

    # the board
    hands: Row4  # cards a playing seat holds now, in lanes
    players: int  # playing seats, 1 … 4; they are numbered clockwise from 0
    makers: int  # mask of those of the makers' side
    partner: Row4  # another seat of the same side; the seat itself when there is none
    enemy: Row4  # a seat of the other side …
    other_enemy: Row4  # … and another one; the same seat when there is only one
    nodes: int  # card decisions so far
    scattered: int  # 1: the makers are content with numbers of tricks that are not all those from some number up
    # frames: one for each card that is being decided, the first to be played lowest (see `search`)
    mover: RowFrames  # seat that plays
    todo: RowFrames  # cards still to be tried
    first: RowFrames  # those of them to prefer …
    second: RowFrames  # … after these
    third: RowFrames  # … and after these
    card: RowFrames  # card that is being tried
    led: RowFrames  # suit led, 0 when the mover leads
    best: RowFrames  # card that is winning the trick, 0 when the mover leads
    winner: RowFrames  # seat that is winning it
    waiting: RowFrames  # how many seats have played to the trick
    left: RowFrames  # tricks left, the current one included
    want: RowFrames  # bit n: the makers are content with n of the tricks left
    key: RowFrames  # what the table knows this position by, where the mover leads; else 0
    # table
    keys: RowSlots
    data: RowSlots
