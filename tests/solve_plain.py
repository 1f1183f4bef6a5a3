"""A slow second solver, for tests: alpha-beta without a single bound, on strain-order hands, in one compiled call.

It shares nothing with `bigpepper.solve` but the kernel's `follow` and `beats`. Its table knows a position by the cards
of all hands as they are. And `play_out`, which tries everything, on the kernel's own rounds.
"""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from typing import Annotated, TypeAlias

from bigpepper import kernel
from bigpepper.jit import Record, Row4, Rows, count, entry, lowest, record, rows, share
from bigpepper.kernel import beats, follow
from bigpepper.records import OVER, Round
from bigpepper.rules import Rules
from bigpepper.solve import Goal

SLOTS = 1 << 17
Frames: TypeAlias = Annotated[list[int], 33]
Slots: TypeAlias = Annotated[list[int], SLOTS]


@record
class Plain(Record):
    """The whole state of the slow search."""

    hands: Row4
    seat: Frames  # who moves, or has moved
    todo: Frames  # cards still to try
    card: Frames
    best: Frames
    led: Frames
    winner: Frames
    laid: Frames  # cards on the table
    need: Frames  # tricks the makers still need
    left: Frames
    slot: Frames  # -1 in the middle of a trick
    key0: Slots
    key1: Slots
    key2: Slots
    key3: Slots
    info: Slots  # leader, left, lower and upper bound, sides


@entry
def plain_values(positions: Rows, values: Rows, memory: Rows) -> None:
    """Tricks that the makers win from each position on (`solve.Position` records that begin a trick)."""
    for i in range(len(positions)):
        p, s = positions[i], memory[0]
        for seat in range(4):
            s.hands[seat] = p.hands[seat] if p.playing >> seat & 1 else 0
        left = count(p.hands[p.turn])
        low, high = 0, left
        while low < high:
            need = (low + high + 1) // 2
            if reaches(s, p.turn, p.players, p.playing, p.makers, p.trump, need, left):
                low = need
            else:
                high = need - 1
        values[i].tricks = low


@record
class Value(Record):
    """What the slow solver finds."""

    tricks: int


@share
def suit_mask(bit: int, trump: int) -> int:
    """All places of the suit a card belongs to."""
    if bit & trump:
        return trump
    lane = 0xFFFF
    while not lane & bit:
        lane <<= 16
    return lane & ~trump


@share
def reaches(s: Plain, leader: int, players: int, playing: int, makers: int, trump: int, need: int, left: int) -> bool:
    """Whether the makers can win `need` of the tricks left."""
    f = 0
    start(s, f, leader, need, left)
    verdict = look(s, f, playing, makers)
    while True:
        if verdict < 0 and s.todo[f]:
            bit = lowest(s.todo[f])
            s.todo[f] ^= bit
            s.card[f] = bit
            seat = s.seat[f]
            s.hands[seat] ^= bit
            led, best, winner = s.led[f], s.best[f], s.winner[f]
            if best == 0:
                led, best, winner = suit_mask(bit, trump), bit, seat
            elif beats(bit, best, led, trump):
                best, winner = bit, seat
            f += 1
            if s.laid[f - 1] + 1 == count(playing):
                start(s, f, winner, s.need[f - 1] - (makers >> winner & 1), s.left[f - 1] - 1)
                verdict = look(s, f, playing, makers)
            else:
                seat = (seat + 1) % players
                while not playing >> seat & 1:
                    seat = (seat + 1) % players
                s.seat[f], s.led[f], s.best[f], s.winner[f] = seat, led, best, winner
                s.laid[f], s.need[f], s.left[f], s.slot[f] = s.laid[f - 1] + 1, s.need[f - 1], s.left[f - 1], -1
                s.todo[f] = follow(s.hands[seat], led)
                verdict = -1
            continue
        if verdict < 0:
            verdict = 1 - (makers >> s.seat[f] & 1)
        keep(s, f, verdict, makers)
        if f == 0:
            return verdict == 1
        f -= 1
        s.hands[s.seat[f]] |= s.card[f]
        if verdict != makers >> s.seat[f] & 1:
            verdict = -1


@share
def start(s: Plain, f: int, leader: int, need: int, left: int) -> None:
    """Frame `f` begins a trick."""
    s.seat[f], s.led[f], s.best[f], s.winner[f], s.laid[f] = leader, 0, 0, -1, 0
    s.need[f], s.left[f], s.todo[f] = need, left, s.hands[leader]
    mixed = s.hands[0] ^ s.hands[1] * 3 ^ s.hands[2] * 5 ^ s.hands[3] * 7
    s.slot[f] = (mixed ^ mixed >> 7 ^ mixed >> 19 ^ mixed >> 33 ^ mixed >> 47 ^ leader * 77) & SLOTS - 1


@share
def same(s: Plain, f: int, makers: int) -> bool:
    """Whether the table's slot holds the position of frame `f`."""
    i = s.slot[f]
    hands = s.key0[i] == s.hands[0] and s.key1[i] == s.hands[1] and s.key2[i] == s.hands[2] and s.key3[i] == s.hands[3]
    return hands and s.info[i] >> 8 == ((s.seat[f] << 4 | s.left[f]) << 4 | makers)


@share
def look(s: Plain, f: int, playing: int, makers: int) -> int:
    """The verdict on a position at the start of a trick, by counting and by the table; -1 when open."""
    if s.need[f] <= 0:
        return 1
    if s.need[f] > s.left[f]:
        return 0
    if same(s, f, makers):
        if s.info[s.slot[f]] >> 4 & 15 >= s.need[f]:
            return 1
        if s.info[s.slot[f]] & 15 < s.need[f]:
            return 0
    return -1


@share
def keep(s: Plain, f: int, verdict: int, makers: int) -> None:
    """Write a verdict into the table, where the frame begins a trick."""
    i = s.slot[f]
    if i < 0 or s.need[f] <= 0 or s.need[f] > s.left[f]:
        return
    low, high = 0, s.left[f]
    if same(s, f, makers):
        low, high = s.info[i] >> 4 & 15, s.info[i] & 15
    if verdict == 1:
        low = max(low, s.need[f])
    else:
        high = min(high, s.need[f] - 1)
    s.key0[i], s.key1[i], s.key2[i], s.key3[i] = s.hands[0], s.hands[1], s.hands[2], s.hands[3]
    s.info[i] = ((s.seat[f] << 4 | s.left[f]) << 4 | makers) << 8 | low << 4 | high


def plain(positions: Rows) -> list[int]:
    """Tricks that the makers win from each position on, by the slow solver."""
    found, memory = rows(Value, len(positions)), rows(Plain, 1)
    plain_values(positions, found, memory)
    return [int(value["tricks"]) for value in found]


def play_out(rules: Rules, r: Round, goal: Goal) -> int:
    """The value of a round from here on, by trying every action to the end."""
    t = rules.tables
    makers = rules.side_of(r.maker)
    if r.phase == OVER:
        if goal is Goal.TRICKS:
            return sum(won for seat, won in enumerate(r.won[: rules.players]) if rules.side_of(seat) == makers)
        return 2 * r.points[makers] - sum(r.points[: rules.sides])
    values, legal = [], kernel.legal(r, t)
    while legal:
        after = r.copy()
        kernel.apply(after, t, lowest(legal))
        legal &= legal - 1
        values.append(play_out(rules, after, goal))
    return max(values) if rules.side_of(r.turn) == makers else min(values)
