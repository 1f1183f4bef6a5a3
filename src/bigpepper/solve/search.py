"""The search: can the makers bring the number of their tricks into a set? Alpha-beta with a window of nothing.

The stack. A *frame* is one card decision: who moves, what lies on the table, and the cards still to be tried. Frame 0
is the position asked about; frame n + 1 is what the card being tried in frame n leads to. A frame in which somebody
leads to a trick is first *judged*, by bounds and table, and is opened only if the question stays open.

A frame closes with a verdict. It is the mover's wish (YES for a maker, NO for a defender) as soon as one of his cards
leads to it, and the contrary when none does. The verdict of a frame is that of the card tried in the frame below: so a
verdict falls through the stack until some mover has not got his wish and has another card to try.
"""

from __future__ import annotations

from bigpepper.jit import share
from bigpepper.kernel import beats, follow
from bigpepper.solve.board import Search
from bigpepper.solve.bounds import judge_lead
from bigpepper.solve.goals import OPEN
from bigpepper.solve.lanes import TRUMPS, one_of_each, suit_of
from bigpepper.solve.ordering import next_card, order_follow, order_lead
from bigpepper.solve.table import key_of_hands, look_up, remember


@share
def can_force(s: Search, cards: int) -> int:
    """The verdict on frame 0, whose `want` is set, when its mover has only `cards` to choose from."""
    open_root(s, cards)
    f = 0
    while True:
        verdict = try_next(s, f)
        if verdict == OPEN:
            f += 1
            continue
        while verdict == wish(s, f) or s.todo[f] == 0:
            close(s, f, verdict)
            if f == 0:
                return verdict
            f -= 1
            take_back(s, f)


@share
def open_root(s: Search, cards: int) -> None:
    """Open frame 0. It never goes into the table: its mover may have been given fewer cards than he has."""
    s.todo[0], s.key[0] = cards, 0
    s.nodes += 1
    if s.waiting[0]:
        order_follow(s, 0, cards)
    else:
        order_lead(s, 0)


@share
def wish(s: Search, f: int) -> int:
    """The verdict that the mover of a frame is after."""
    return s.makers >> s.mover[f] & 1


@share
def try_next(s: Search, f: int) -> int:
    """The mover of frame `f` plays the card next in his order; OPEN when frame `f` + 1 is then opened.

    Any other verdict means that the card is taken back already.
    """
    bit = next_card(s, f)
    s.todo[f] ^= bit
    seat = s.mover[f]
    s.card[f] = bit
    s.hands[seat] ^= bit
    verdict = lay(s, f, seat, bit)
    if verdict != OPEN:
        s.hands[seat] |= bit
    return verdict


@share
def take_back(s: Search, f: int) -> None:
    """Put the card being tried in frame `f` back into the hand."""
    s.hands[s.mover[f]] |= s.card[f]


@share
def lay(s: Search, f: int, seat: int, bit: int) -> int:
    """What follows when `seat` adds the card to the trick of frame `f`."""
    led, best, winner = s.led[f], s.best[f], s.winner[f]
    if best == 0:
        led, best, winner = suit_of(bit), bit, seat
    elif beats(bit, best, led, TRUMPS):
        best, winner = bit, seat
    if s.waiting[f] + 1 == s.players:
        return finish_trick(s, f, winner)
    open_follow(s, f, next_seat(s, seat), led, best, winner)
    return OPEN


@share
def next_seat(s: Search, seat: int) -> int:
    """The next playing seat clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


@share
def open_follow(s: Search, f: int, seat: int, led: int, best: int, winner: int) -> None:
    """Open frame `f` + 1: `seat` plays to the trick of frame `f`."""
    g = f + 1
    s.mover[g], s.led[g], s.best[g], s.winner[g] = seat, led, best, winner
    s.waiting[g], s.left[g], s.want[g], s.key[g] = s.waiting[f] + 1, s.left[f], s.want[f], 0
    s.nodes += 1
    cards = choices(s, seat, led, best)
    s.todo[g] = cards
    if cards & cards - 1:
        order_follow(s, g, cards)


@share
def choices(s: Search, seat: int, led: int, best: int) -> int:
    """The cards that `seat` may play, one for each group that plays alike."""
    hand = s.hands[seat]
    others = (s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3]) ^ hand | best
    return one_of_each(follow(hand, led), others)


@share
def finish_trick(s: Search, f: int, winner: int) -> int:
    """`winner` takes the trick of frame `f` and leads: the verdict, or OPEN with frame `f` + 1 opened."""
    left = s.left[f] - 1
    want = s.want[f] >> (s.makers >> winner & 1)
    if left == 0:
        return want & 1
    return open_lead(s, f + 1, winner, left, want)


@share
def open_lead(s: Search, g: int, seat: int, left: int, want: int) -> int:
    """`seat` leads with `left` tricks to go: the verdict, or OPEN with frame `g` opened."""
    if left == 1:
        return last_trick(s, seat, want)
    verdict = judge_lead(s, seat, left, want)
    if verdict != OPEN:
        return verdict
    key = key_of_hands(s)
    verdict = look_up(s, key, seat, left, want)
    if verdict != OPEN:
        return verdict
    s.mover[g], s.led[g], s.best[g], s.winner[g] = seat, 0, 0, -1
    s.waiting[g], s.left[g], s.want[g], s.key[g] = 0, left, want, key
    s.nodes += 1
    s.todo[g] = choices(s, seat, 0, 0)
    order_lead(s, g)
    return OPEN


@share
def last_trick(s: Search, seat: int, want: int) -> int:
    """The verdict when everybody has one card left."""
    best, winner = s.hands[seat], seat
    led = suit_of(best)
    for _ in range(s.players - 1):
        seat = next_seat(s, seat)
        if beats(s.hands[seat], best, led, TRUMPS):
            best, winner = s.hands[seat], seat
    return want >> (s.makers >> winner & 1) & 1


@share
def close(s: Search, f: int, verdict: int) -> None:
    """Frame `f` is decided: write it down when it began a trick."""
    if s.key[f]:
        remember(s, s.key[f], s.mover[f], s.left[f], s.want[f], verdict)
