"""The search: can the makers bring the number of their tricks into a set? Alpha-beta with a window of nothing.

The stack. A *frame* is a choice of cards: who moves, what lies on the table, the cards still to be tried. Frame 0 is
the position asked about; frame n + 1 is the next choice after the card being tried in frame n and the cards that all
hands between are forced to play. A position in which somebody leads to a trick is first *judged*, by bounds and table,
and is opened as a frame only if the question stays open. All hands together are one mask of cards unplayed, kept in the
frames, so that nothing has to be put back.

A frame closes with a verdict. It is the mover's wish (YES for a maker, NO for a defender) as soon as one of his cards
leads to it, and the contrary when none does. The verdict of a frame is that of the card tried in the frame below: so a
verdict falls through the stack until some mover has not got his wish and has another card to try.
"""

from __future__ import annotations

from bigpepper.jit import count, inlined, share
from bigpepper.kernel import beats, follow
from bigpepper.solve.board import Search
from bigpepper.solve.bounds import judge_lead
from bigpepper.solve.goals import OPEN
from bigpepper.solve.lanes import TRUMPS, one_of_each, suit_of
from bigpepper.solve.ordering import next_card, order_follow, order_lead
from bigpepper.solve.table import key_of, look_up, remember


@inlined
def can_force(s: Search) -> int:
    """The verdict on the question in frame 0: its cards, and its `want`, are set.

    A position at the start of a trick, with all choices, is judged like any other.
    """
    seat, unplayed, want, starts = s.mover[0], s.unplayed[0], s.want[0], s.whole
    if not starts:
        open_root(s)
    f = -1
    while True:
        verdict = OPEN
        if starts:
            left = count(s.hands[seat] & unplayed)
            verdict = judge_lead(s, seat, unplayed, left, want) if left > 1 else last_trick(s, seat, unplayed, want)
            if verdict == OPEN:
                verdict = open_lead(s, f + 1, seat, unplayed, want)
        f = f + 1 if verdict == OPEN else fall(s, f, verdict)
        if f < 0:
            return verdict
        unplayed, best = play_on(s, f)
        seat, starts = owner(s, best), best
        want = s.want[f] >> (s.makers >> seat & 1)


@share
def open_root(s: Search) -> None:
    """Open frame 0 when its mover has been given fewer cards than he has, or follows: it never goes into the table."""
    s.key[0] = 0
    s.nodes += 1
    if s.best[0]:
        order_follow(s, 0, s.todo[0])
    else:
        order_lead(s, 0)


# --- a trick --------------------------------------------------------------------------------------------------------


@share
def play_on(s: Search, f: int) -> tuple[int, int]:
    """Play the next card of frame `f` and all forced ones after it: the cards unplayed, and the one that won the trick.

    It is 0 when somebody has a choice before the trick is over; frame `f` + 1 is then opened.
    """
    bit = next_card(s, f)
    s.todo[f] ^= bit
    s.tried[f] = bit
    seat, unplayed, led, best = s.mover[f], s.unplayed[f] ^ bit, s.led[f], s.best[f]
    suit = suit_of(bit)
    led = led if best else suit
    if beats(bit, best, led, TRUMPS):
        best = bit
    for after in range(s.after[f] - 1, -1, -1):
        seat = next_seat(s, seat)
        s.nodes += 1
        cards = choices(s, unplayed, seat, led, best)
        if cards & cards - 1:
            open_follow(s, f + 1, seat, after, unplayed, led, best)
            s.todo[f + 1], s.want[f + 1] = cards, s.want[f]
            order_follow(s, f + 1, cards)
            return unplayed, 0
        unplayed ^= cards
        if beats(cards, best, led, TRUMPS):
            best = cards
    return unplayed, best


@share
def next_seat(s: Search, seat: int) -> int:
    """The next playing seat clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


@share
def owner(s: Search, bit: int) -> int:
    """The seat that had a card."""
    return (1 if s.odd & bit else 0) + (2 if s.upper & bit else 0)


@share
def choices(s: Search, unplayed: int, seat: int, led: int, best: int) -> int:
    """The cards that `seat` may play, one for each group that plays alike."""
    hand = s.hands[seat] & unplayed
    return one_of_each(follow(hand, led), unplayed ^ hand | best)


@share
def open_follow(s: Search, g: int, seat: int, after: int, unplayed: int, led: int, best: int) -> None:
    """Open frame `g`, its cards and its `want` aside: `seat` has a choice of cards to add to a trick."""
    s.mover[g], s.after[g], s.unplayed[g], s.led[g], s.best[g], s.key[g] = seat, after, unplayed, led, best, 0


@share
def last_trick(s: Search, seat: int, unplayed: int, want: int) -> int:
    """The verdict when everybody has one card left, or none."""
    best = s.hands[seat] & unplayed
    if best:
        led = suit_of(best)
        for _ in range(s.players - 1):
            seat = next_seat(s, seat)
            card = s.hands[seat] & unplayed
            if beats(card, best, led, TRUMPS):
                best = card
    return want >> (1 if s.side & best else 0) & 1


@share
def open_lead(s: Search, g: int, seat: int, unplayed: int, want: int) -> int:
    """The verdict of the table when `seat` leads; or OPEN, and frame `g` is opened."""
    key = key_of(s, unplayed)
    verdict = look_up(s, key, seat, want)
    if verdict != OPEN:
        return verdict
    s.mover[g], s.after[g], s.unplayed[g], s.led[g], s.best[g] = seat, s.players - 1, unplayed, 0, 0
    s.want[g], s.key[g] = want, key
    s.nodes += 1
    s.todo[g] = choices(s, unplayed, seat, 0, 0)
    order_lead(s, g)
    return OPEN


# --- verdicts -------------------------------------------------------------------------------------------------------


@share
def fall(s: Search, f: int, verdict: int) -> int:
    """Close every frame from `f` down that the verdict decides; returns the first that it does not, or -1."""
    while f >= 0 and (s.todo[f] == 0 or verdict == s.makers >> s.mover[f] & 1):
        if s.key[f]:
            seat = s.mover[f]
            remember(s, s.key[f], seat, count(s.hands[seat] & s.unplayed[f]), s.want[f], verdict)
            if verdict == s.makers >> seat & 1:
                s.worked = s.worked & ~s.hands[seat] | s.tried[f]
        f -= 1
    return f
