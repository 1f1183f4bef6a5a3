"""From a `Position` to the board of a search: seats that play are numbered 0, 1, …, cards move up to close the gaps."""

from __future__ import annotations

from typing import Final

from bigpepper.jit import count, lowest, place_of, share
from bigpepper.solve.board import Position, Search
from bigpepper.solve.lanes import TRUMPS, WIDTH, suit_of

_TRUMP_LANE: Final = 4 * WIDTH


@share
def set_up(s: Search, p: Position) -> None:
    """Put a position on the board and into frame 0, all but its `want` and the cards to try."""
    seat_players(s, p)
    best = deal_into_lanes(s, p)
    s.mover[0] = number_of(p, p.turn)
    s.best[0], s.led[0], s.winner[0] = best, 0, -1
    if best:
        s.led[0] = suit_led(p)
        s.winner[0] = number_of(p, p.winner)
    s.waiting[0], s.left[0] = p.waiting, count(p.hands[p.turn])


@share
def number_of(p: Position, seat: int) -> int:
    """The number of a playing seat among those that play, clockwise from seat 0."""
    return count(p.playing & (1 << seat) - 1)


@share
def seat_players(s: Search, p: Position) -> None:
    """Who plays, on which side, and with and against whom."""
    s.players, s.makers = count(p.playing), 0
    for seat in range(p.players):
        if p.playing & p.makers & 1 << seat:
            s.makers |= 1 << number_of(p, seat)
    for n in range(s.players):
        friends = s.makers if s.makers >> n & 1 else ~s.makers
        enemies = (1 << s.players) - 1 & ~friends
        friends &= (1 << s.players) - 1 ^ 1 << n
        s.partner[n] = place_of(friends) if friends else n
        s.enemy[n] = place_of(enemies) if enemies else n
        s.other_enemy[n] = place_of(enemies & enemies - 1) if enemies & enemies - 1 else s.enemy[n]


@share
def deal_into_lanes(s: Search, p: Position) -> int:
    """Give every card its place, lowest first; returns the card that is winning the trick.

    Cards that lie on the table beaten are gone for good, and so are those of a seat that does not play.
    """
    for n in range(4):
        s.hands[n] = 0
    rest = p.best
    for seat in range(p.players):
        if p.playing >> seat & 1:
            rest |= p.hands[seat]
    best, place = 0, -1
    while rest:
        bit = lowest(rest)
        rest ^= bit
        place = place_in_lanes(p, bit, place)
        if bit == p.best:
            best = 1 << place
        n = 0
        for seat in range(p.players):
            if p.playing >> seat & 1:
                if p.hands[seat] & bit:
                    s.hands[n] |= 1 << place
                n += 1
    return best


@share
def suit_led(p: Position) -> int:
    """The lane of the suit led to the trick; a Joker led at no-trump is the only card of its lane."""
    if p.led == 0 or p.led & p.trump:
        return TRUMPS
    return suit_of(1 << WIDTH * (place_of(p.led) >> 4))


@share
def place_in_lanes(p: Position, bit: int, before: int) -> int:
    """The place of a card when the card below it has the place `before`."""
    first = _TRUMP_LANE if bit & p.trump else WIDTH * (place_of(bit) >> 4)
    return first if before < first else before + 1
