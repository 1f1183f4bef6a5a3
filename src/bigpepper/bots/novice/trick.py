"""Chances in the trick being played: who can still beat which card."""

from __future__ import annotations

from bigpepper.bots.novice.sight import Sight
from bigpepper.jit import count
from bigpepper.kernel import beats, side_of

PARTNER_TRIES: float = 0.8
"""How often a partner who can win a trick does so and is not beaten afterwards."""


def wins_now(sight: Sight, bit: int) -> bool:
    """Whether the card would be the best of the trick so far."""
    v = sight.v
    if not v.best:
        return True
    return beats(bit, v.best, v.led, sight.suits.trump)


def led_with(sight: Sight, bit: int) -> int:
    """The suit that is to be followed once `bit` has been played; 0 for the Joker led at no-trump."""
    v = sight.v
    if v.best:
        return v.led
    return sight.rules.tables.suit[v.strain][bit.bit_length() - 1]


def can_beat(sight: Sight, seat: int, best: int, led: int) -> float:
    """Chance that `seat`, still to play, can beat the card `best` when `led` was led; 0 or 1 when that is certain."""
    trump = sight.suits.trump
    unseen, held = count(sight.out), sight.held(seat)
    if not unseen or not held:
        return 0.0
    share = min(1.0, held / unseen)
    suit = sight.can_hold(seat, led)
    higher = suit & -best if best & led else 0
    has_higher = 1 - (1 - share) ** count(higher)
    if best & trump and led == trump:
        return has_higher
    void = (1 - share) ** count(suit)
    trumps = sight.can_hold(seat, trump) & -best
    free = min(1.0, held / max(1, unseen - count(suit)))
    return min(1.0, has_higher + void * (1 - (1 - free) ** count(trumps)))


def holds(sight: Sight, best: int, led: int) -> float:
    """Chance that no opponent still to play beats `best`."""
    chance = 1.0
    for seat in sight.later:
        if seat != sight.partner:
            chance *= 1 - can_beat(sight, seat, best, led)
    return chance


def side_wins(sight: Sight, bit: int) -> float:
    """Chance that this side takes the trick when `bit` is played."""
    v, led = sight.v, led_with(sight, bit)
    own = wins_now(sight, bit)
    best = bit if own else v.best
    chance = holds(sight, best, led) if own or partner_leads(sight) else 0.0
    if sight.partner in sight.later:
        chance += (1 - chance) * PARTNER_TRIES * can_beat(sight, sight.partner, best, led)
    return chance


def partner_leads(sight: Sight) -> bool:
    """Whether the partner's card is the best of the trick so far."""
    return sight.partner >= 0 and sight.v.winner == sight.partner


def is_fellow(sight: Sight, seat: int) -> bool:
    """Whether `seat` is another defender of another side: three players against the maker."""
    maker, sides = sight.v.maker, sight.rules.tables.sides
    return sides == 3 and maker not in (seat, sight.seat) and side_of(sight.rules.tables, seat) != sight.side
