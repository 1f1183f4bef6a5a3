"""What the seats have shown to everybody: calls, cards played, suits they lack. A block a seat, in a `Shown` record.

It is kept from action to action (`note`), or recalled from a history (`recall`); both give the same.
"""

from __future__ import annotations

from bigpepper.envs.layout import Layout, Shown
from bigpepper.jit import count, place_of, share
from bigpepper.records import AUCTION, PLAY, Public, Tables


@share
def suit_led(p: Public, t: Tables, x: Layout) -> int:
    """The place, among the deck's suits, of the suit led."""
    return x.suit_of[p.strain][t.card[p.strain][place_of(p.led)]]


@share
def forget(x: Layout, shown: Shown) -> None:
    """Nobody has shown anything."""
    for k in range(2 * x.first):
        shown.seats[k] = 0


@share
def show(x: Layout, seat: int, place: int, shown: Shown) -> None:
    """Mark a place of a seat's block, in both copies."""
    at = seat * x.shown_each + place & 255
    shown.seats[at] = 1
    shown.seats[at + (x.first & 255)] = 1


@share
def note(p: Public, t: Tables, x: Layout, choice: int, shown: Shown) -> None:
    """Add what the seat to act is about to show by its choice."""
    if p.phase == AUCTION:
        show(x, p.turn, place_of(choice), shown)
    elif p.phase == PLAY:
        show(x, p.turn, x.shown_played + t.card[p.strain][place_of(choice)], shown)
        if p.led and not choice & p.led:
            show(x, p.turn, x.shown_voids + suit_led(p, t, x), shown)


@share
def recall(p: Public, t: Tables, x: Layout, shown: Shown) -> None:
    """Fill in all that the history shows; the calls are its first actions."""
    forget(x, shown)
    for i in range(p.calls):
        show(x, p.seats[i], p.acts[i], shown)
    width, place, led = count(p.playing), 0, -1
    for i in range(p.calls, p.length):
        number = p.acts[i] - t.first_play
        if 0 <= number < t.deck_size:
            show(x, p.seats[i], x.shown_played + number, shown)
            suit = x.suit_of[p.strain][number]
            if place == 0:
                led = suit
            elif suit != led and led >= 0:
                show(x, p.seats[i], x.shown_voids + led, shown)
            place = place + 1 if place + 1 < width else 0
