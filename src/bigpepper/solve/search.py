"""The search: can the makers bring the number of their tricks into a set? Alpha-beta with a window of nothing.

The stack. A *frame* is a choice of cards: who moves, what lies on the table, the cards still to be tried. Frame 0 is the
position asked about; frame n + 1 is the next choice after the card being tried in frame n and the cards that all hands
between are forced to play. A position in which somebody leads to a trick is first *judged*, by bounds and table, and is
opened as a frame only if the question stays open.

A frame closes with a verdict. It is the mover's wish (YES for a maker, NO for a defender) as soon as one of his cards
leads to it, and the contrary when none does. The verdict of a frame is that of the card tried in the frame below: so a
verdict falls through the stack until some mover has not got his wish and has another card to try.
"""

from __future__ import annotations

from bigpepper.jit import count, share
from bigpepper.kernel import beats, follow
from bigpepper.solve.board import Search
from bigpepper.solve.bounds import judge_lead
from bigpepper.solve.goals import OPEN
from bigpepper.solve.lanes import TRUMPS, one_of_each, suit_of
from bigpepper.solve.ordering import next_card, order_follow, order_lead
from bigpepper.solve.table import key_of, look_up, remember


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


@share
def open_root(s: Search, cards: int) -> None:
    """Open frame 0. It never goes into the table: its mover may have been given fewer cards than he has."""
    s.todo[0], s.key[0] = cards, 0
    s.nodes += 1
    if s.best[0]:
        order_follow(s, 0, cards)
    else:
        order_lead(s, 0)


@share
def wish(s: Search, f: int) -> int:
    """The verdict that the mover of a frame is after."""
    return s.makers >> s.mover[f] & 1


@share
def try_next(s: Search, f: int) -> int:
    """Play the card next in the order of frame `f`: the verdict on it, or OPEN with frame `f` + 1 opened."""
    bit = next_card(s, f)
    s.todo[f] ^= bit
    led, best = s.led[f], s.best[f]
    if best == 0:
        led, best = suit_of(bit), bit
    elif beats(bit, best, led, TRUMPS):
        best = bit
    return play_on(s, f, s.unplayed[f] ^ bit, led, best)


@share
def play_on(s: Search, f: int, unplayed: int, led: int, best: int) -> int:
    """Go on after the mover's card, through forced cards, to the next choice or the end of the trick."""
    seat = s.mover[f]
    for after in range(s.after[f] - 1, -1, -1):
        seat = next_seat(s, seat)
        s.nodes += 1
        cards = choices(s, unplayed, seat, led, best)
        if cards & cards - 1:
            open_follow(s, f, seat, after, unplayed, led, best)
            s.todo[f + 1] = cards
            order_follow(s, f + 1, cards)
            return OPEN
        unplayed ^= cards
        if beats(cards, best, led, TRUMPS):
            best = cards
    return finish_trick(s, f, unplayed, best)


@share
def next_seat(s: Search, seat: int) -> int:
    """The next playing seat clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


@share
def open_follow(s: Search, f: int, seat: int, after: int, unplayed: int, led: int, best: int) -> None:
    """Open frame `f` + 1: `seat` has a choice of cards to play to the trick of frame `f`."""
    g = f + 1
    s.mover[g], s.after[g], s.unplayed[g], s.led[g], s.best[g] = seat, after, unplayed, led, best
    s.want[g], s.key[g] = s.want[f], 0


@share
def choices(s: Search, unplayed: int, seat: int, led: int, best: int) -> int:
    """The cards that `seat` may play, one for each group that plays alike."""
    hand = s.hands[seat] & unplayed
    return one_of_each(follow(hand, led), unplayed ^ hand | best)


@share
def finish_trick(s: Search, f: int, unplayed: int, best: int) -> int:
    """The card `best` takes the trick of frame `f`: the verdict, or OPEN with frame `f` + 1 opened."""
    seat = owner(s, best)
    want = s.want[f] >> (s.makers >> seat & 1)
    tricks = count(s.hands[seat] & unplayed)
    if tricks == 0:
        return want & 1
    return open_lead(s, f + 1, seat, unplayed, tricks, want)


@share
def owner(s: Search, bit: int) -> int:
    """The seat that had a card."""
    return (1 if s.odd & bit else 0) + (2 if s.upper & bit else 0)


@share
def open_lead(s: Search, g: int, seat: int, unplayed: int, tricks: int, want: int) -> int:
    """`seat` leads with `tricks` to go: the verdict, or OPEN with frame `g` opened."""
    if tricks == 1:
        return last_trick(s, seat, unplayed, want)
    verdict = judge_lead(s, seat, unplayed, tricks, want)
    if verdict != OPEN:
        return verdict
    key = key_of(s, unplayed)
    verdict = look_up(s, key, seat, tricks, want)
    if verdict != OPEN:
        return verdict
    s.mover[g], s.after[g], s.unplayed[g], s.led[g], s.best[g] = seat, s.players - 1, unplayed, 0, 0
    s.want[g], s.key[g] = want, key
    s.nodes += 1
    s.todo[g] = choices(s, unplayed, seat, 0, 0)
    order_lead(s, g)
    return OPEN


@share
def last_trick(s: Search, seat: int, unplayed: int, want: int) -> int:
    """The verdict when everybody has one card left."""
    best = s.hands[seat] & unplayed
    led = suit_of(best)
    for _ in range(s.players - 1):
        seat = next_seat(s, seat)
        card = s.hands[seat] & unplayed
        if beats(card, best, led, TRUMPS):
            best = card
    return want >> (1 if s.side & best else 0) & 1


@share
def close(s: Search, f: int, verdict: int) -> None:
    """Frame `f` is decided: write it down when it began a trick."""
    if s.key[f]:
        seat = s.mover[f]
        remember(s, s.key[f], seat, count(s.hands[seat] & s.unplayed[f]), s.want[f], verdict)
