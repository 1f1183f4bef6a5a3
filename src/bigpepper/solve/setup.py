"""From a `Position` to the board of a search: seats that play are numbered 0, 1, …, cards move up to close the gaps."""

from __future__ import annotations

from typing import Final

from bigpepper.jit import count, place_of, share
from bigpepper.records import JOKER_PLACE
from bigpepper.solve.board import Position, Search
from bigpepper.solve.lanes import TRUMPS, WIDTH, move, moves, suit_of

_TRUMP_LANE: Final = 4 * WIDTH
_STRAIN_ORDER: Final = 0x00FF_00FF_00FF_00FF
_TOP_LANE: Final = 0xFF << 48


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
    n, cards = 0, p.best
    for seat in range(p.players):
        if p.playing >> seat & 1:
            s.hands[n] = p.hands[seat] | (p.best if seat == p.winner else 0)
            cards |= s.hands[n]
            n += 1
    by_one, by_two, by_four = moves(cards, _STRAIN_ORDER)
    for seat in range(4):
        s.hands[seat] = in_lanes(p, move(s.hands[seat], by_one, by_two, by_four)) if seat < n else 0
    return in_lanes(p, move(p.best, by_one, by_two, by_four))


@share
def in_lanes(p: Position, cards: int) -> int:
    """Cards in strain order, without gaps, as cards in lanes; a Joker at no-trump is alone in the trumps' lane."""
    top = _TRUMP_LANE if p.trump & _TOP_LANE else 3 * WIDTH
    sides = cards & 0xFF | (cards >> 16 & 0xFF) << WIDTH | (cards >> 32 & 0xFF) << 2 * WIDTH
    return sides | (cards >> 48 & 0xFF) << top | (cards >> JOKER_PLACE & 1) << _TRUMP_LANE


@share
def suit_led(p: Position) -> int:
    """The lane of the suit led to the trick; a Joker led at no-trump is the only card of its lane."""
    if p.led == 0 or p.led & p.trump:
        return TRUMPS
    return suit_of(1 << WIDTH * (place_of(p.led) >> 4))
