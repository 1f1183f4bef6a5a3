"""Which card to play to a trick that somebody else has led."""

from __future__ import annotations

from collections.abc import Iterator

from bigpepper.bots.novice.aim import Aim
from bigpepper.bots.novice.sight import Sight
from bigpepper.bots.novice.trick import can_beat, holds, is_fellow, partner_leads, side_wins, wins_now
from bigpepper.jit import count, lowest

_SURE: float = 0.999
_NOW: float = 0.08
"""A trick now is better than the same one later, by this much."""


def bits(mask: int) -> Iterator[int]:
    """The cards of a mask, lowest first."""
    while mask:
        bit = lowest(mask)
        yield bit
        mask ^= bit


def follow_suit(sight: Sight, aim: Aim) -> int:
    """The card of the legal ones that is worth most."""
    cards = list(bits(_candidates(sight, aim)))
    return max(cards, key=lambda bit: (_worth(sight, aim, bit), -_rank(sight, bit)))


def _candidates(sight: Sight, aim: Aim) -> int:
    """Legal cards without what a sound player never does while he has something else to play."""
    if not aim.wins:
        return sight.legal
    winning = sum(bit for bit in bits(sight.legal) if wins_now(sight, bit))
    losing = sight.legal & ~winning
    if losing and _is_ours(sight, aim):
        winning = 0
    return winning | _may_go(sight, losing)


def _may_go(sight: Sight, losing: int) -> int:
    """Of cards that cannot take the trick, those that may be thrown away: neither trumps nor the highest of a suit."""
    plain = losing & ~sight.suits.trump or losing
    return sum(bit for bit in bits(plain) if not sight.is_top(bit)) or plain


def _is_ours(sight: Sight, aim: Aim) -> bool:
    """Whether the partner's trick is good, or that of a fellow defender which is as good as an own one."""
    v = sight.v
    if partner_leads(sight):
        return _partner_holds(sight)
    if is_fellow(sight, v.winner) and aim.fellow > _SURE:
        return v.maker not in sight.later or not can_beat(sight, v.maker, v.best, v.led)
    return False


def _partner_holds(sight: Sight) -> bool:
    """Whether the partner's card will stand, as far as anybody has shown: nobody has a higher card of its suit, and
    who could trump it has always followed."""
    v, later = sight.v, [seat for seat in sight.later if seat != sight.partner]
    if holds(sight, v.best, v.led) > _SURE:
        return True
    return all(
        v.best & v.led and not sight.can_hold(seat, v.led & -v.best) and not _trumps(sight, seat) for seat in later
    )


def _trumps(sight: Sight, seat: int) -> bool:
    """Whether a seat is known to be out of the suit led, and may have trumps."""
    led = sight.v.led
    void = not sight.can_hold(seat, led)
    return void and led != sight.suits.trump and sight.can_hold(seat, sight.suits.trump) != 0


def _worth(sight: Sight, aim: Aim, bit: int) -> float:
    """Worth of playing this card, in tricks."""
    gain = side_wins(sight, bit)
    if not aim.wins:
        return sight.cost(bit) - gain
    if aim.fellow and not wins_now(sight, bit) and is_fellow(sight, sight.v.winner):
        gain += aim.fellow * _stays(sight)
    return gain * (1 + _NOW) - sight.cost(bit)


def _stays(sight: Sight) -> float:
    """Chance that the maker cannot take the trick from a fellow defender."""
    v = sight.v
    return 1 - can_beat(sight, v.maker, v.best, v.led) if v.maker in sight.later else 1.0


def _rank(sight: Sight, bit: int) -> float:
    """How high a card is: its place in its suit, trumps above all; among equals the shorter suit goes first."""
    suit = sight.suits.suit_of(bit)
    place = count(suit & (bit - 1))
    return 100.0 * bool(bit & sight.suits.trump) + place + 0.1 * count(sight.v.hand & suit)
