"""The records of the solver: a `Position` to be solved, the `Search` that solves it, and the `Answer`.

A Position has its cards in the kernel's strain order (see `records`). The Search has them in `lanes`, without gaps, and
numbers only the seats that play.
"""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from typing import Annotated, Final, TypeAlias

from bigpepper.jit import Record, Row4, record

MOST_CARDS: Final = 25
SLOTS: Final = 4096
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
    values: Row8  # the value of each of them, lowest place first; only when asked for, else the best value
    nodes: int  # card decisions that were searched


@record
class Search(Record):
    """One search: the board, the stack of frames, and the table. A Solver owns one; nothing else is kept."""

    # the board: hands as they were when the question was asked, in lanes, with the card that was winning the trick.
    # What is left of them is one mask of cards unplayed, so no card has ever to be put back.
    hands: Row4  # cards of a playing seat
    partner: Row4  # cards of another seat of the same side; 0 when there is none
    enemy: Row4  # cards of a seat of the other side …
    other_enemy: Row4  # … and of another one; 0 when there is only one
    odd: int  # cards of the seats 1 and 3
    upper: int  # cards of the seats 2 and 3
    side: int  # cards of the makers
    players: int  # playing seats, 1 … 4; they are numbered clockwise from 0
    makers: int  # mask of those of the makers' side
    nodes: int  # card decisions so far
    worked: int  # the last lead of each seat that got it what it wanted
    scattered: int  # 1: the makers are content with numbers of tricks that are not all those from some number up
    # what is being asked (see `values`)
    each_card: int  # 1: the value of each card is asked for
    group: int  # cards whose value is being found; 0 none yet
    rest: int  # cards whose value comes later
    whole: int  # 1: the group is all that the mover has, and he leads
    valued: int  # legal cards that have their value
    left: int  # tricks left, the current one included
    numbers: int  # 0 … left, four bits each, in the order of what they pay
    low: int  # the makers can force the low-th of these numbers …
    high: int  # … and none above the high-th
    asked: int  # the next to be asked about is the asked-th
    deal: int  # a number that tells, most likely, whether the cards are those of the position before
    # frames: one for each choice that is being made, the first in play lowest (see `search`)
    mover: RowFrames  # seat that plays
    after: RowFrames  # how many seats play to the trick after him
    unplayed: RowFrames  # cards in hands
    led: RowFrames  # suit led, 0 when the mover leads
    best: RowFrames  # card that is winning the trick, 0 when the mover leads
    want: RowFrames  # bit n: the makers are content with n of the tricks to come, the current one included
    key: RowFrames  # what the table knows this position by, where the mover leads; else 0
    todo: RowFrames  # cards still to be tried
    tried: RowFrames  # the one that is being tried
    first: RowFrames  # those of them to prefer …
    second: RowFrames  # … after these
    third: RowFrames  # … and after these
    # table
    keys: RowSlots
    data: RowSlots
