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
    count_players(s, p)
    best = deal_into_lanes(s, p)
    s.unplayed[0] = (s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3]) ^ best
    take_sides(s)
    s.mover[0] = number_of(p, p.turn)
    s.best[0], s.led[0] = best, suit_led(p) if best else 0
    s.after[0] = s.players - 1 - p.waiting


@share
def number_of(p: Position, seat: int) -> int:
    """The number of a playing seat among those that play, clockwise from seat 0."""
    return count(p.playing & (1 << seat) - 1)


@share
def count_players(s: Search, p: Position) -> None:
    """Who plays, and who of them on the makers' side."""
    s.players, s.makers = count(p.playing), 0
    for seat in range(p.players):
        if p.playing & p.makers & 1 << seat:
            s.makers |= 1 << number_of(p, seat)


@share
def take_sides(s: Search) -> None:
    """Whose cards are whose friends and enemies."""
    s.odd, s.upper = s.hands[1] | s.hands[3], s.hands[2] | s.hands[3]
    s.side = 0
    for n in range(s.players):
        if s.makers >> n & 1:
            s.side |= s.hands[n]
        s.partner[n] = s.enemy[n] = s.other_enemy[n] = 0
        for other in range(s.players):
            if (s.makers >> n ^ s.makers >> other) & 1 == 0:
                if other != n:
                    s.partner[n] = s.hands[other]
            elif s.enemy[n]:
                s.other_enemy[n] = s.hands[other]
            else:
                s.enemy[n] = s.hands[other]


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
                if p.hands[seat] & bit or (bit == p.best and seat == p.winner):
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
