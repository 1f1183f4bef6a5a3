"""What the seats have shown to everybody: calls, cards played, suits they lack. A block a seat, in a `Shown` record.

It is kept from action to action (`note`), or recalled from a history (`recall`); both give the same.
"""

from __future__ import annotations

from bigpepper.envs.layout import FULL, WORD, Layout, Shown
from bigpepper.jit import count, place_of, share
from bigpepper.records import AUCTION, PLAY, Public, Tables


@share
def suit_led(p: Public, t: Tables, x: Layout) -> int:
    """The place, among the deck's suits, of the suit led."""
    return x.suit_of[p.strain][t.card[p.strain][place_of(p.led)]]


@share
def forget(shown: Shown) -> None:
    """Nobody has shown anything."""
    for word in range(len(shown.flags)):
        shown.flags[word] = 0
    for seat in range(4):
        shown.trick[seat] = 0


@share
def show(t: Tables, x: Layout, seat: int, place: int, shown: Shown) -> None:
    """Mark a place of a seat's block, in both copies."""
    at = seat * x.shown + place
    again = at + t.players * x.shown
    shown.flags[at >> 5 & 15] |= 1 << (at & 31)
    shown.flags[again >> 5 & 15] |= 1 << (again & 31)


@share
def shown_from(shown: Shown, at: int) -> int:
    """The 32 flags from `at` on."""
    word, bit = at >> 5 & 15, at & 31
    return (shown.flags[word] >> bit | shown.flags[word + 1] << (WORD - bit)) & FULL


@share
def lay(seat: int, number: int, first: bool, shown: Shown) -> None:
    """Put a card into the trick; the first one begins a new trick."""
    if first:
        for other in range(4):
            shown.trick[other] = 0
    shown.trick[seat] = 1 << number


@share
def note(p: Public, t: Tables, x: Layout, choice: int, shown: Shown) -> None:
    """Add what the seat to act is about to show by its choice."""
    if p.phase == AUCTION:
        show(t, x, p.turn, place_of(choice), shown)
    elif p.phase == PLAY:
        number = t.card[p.strain][place_of(choice)]
        show(t, x, p.turn, x.shown_played + number, shown)
        lay(p.turn, number, p.best == 0, shown)
        if p.led and not choice & p.led:
            show(t, x, p.turn, x.shown_voids + suit_led(p, t, x), shown)


@share
def recall(p: Public, t: Tables, x: Layout, shown: Shown) -> None:
    """Fill in all that the history shows; the calls are its first actions."""
    forget(shown)
    for i in range(p.calls):
        show(t, x, p.seats[i], p.acts[i], shown)
    width, place, led = count(p.playing), 0, -1
    for i in range(p.calls, p.length):
        number = p.acts[i] - t.first_play
        if 0 <= number < t.deck_size:
            show(t, x, p.seats[i], x.shown_played + number, shown)
            lay(p.seats[i], number, place == 0, shown)
            suit = x.suit_of[p.strain][number]
            if place == 0:
                led = suit
            elif suit != led and led >= 0:
                show(t, x, p.seats[i], x.shown_voids + led, shown)
            place = place + 1 if place + 1 < width else 0
