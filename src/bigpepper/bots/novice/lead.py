"""Which card to lead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bigpepper.bots.novice.aim import Aim
from bigpepper.bots.novice.follow import bits
from bigpepper.bots.novice.sight import Sight
from bigpepper.bots.novice.trick import holds, led_with, side_wins
from bigpepper.jit import count, highest, lowest

_LIKELY: Final = 0.5


def lead(sight: Sight, aim: Aim) -> int:
    """The first rule that has something to lead decides."""
    if not aim.wins:
        return _lead_to_lose(sight)
    rules = _MAKERS if sight.is_maker_side else _DEFENDERS
    return next(card for card in (rule(sight) for rule in rules) if card)


Rule = Callable[[Sight], int]


def _draw_trumps(sight: Sight) -> int:
    """The highest trump, while opponents may have some: a sure one, or from length to force the higher ones out."""
    trumps = sight.legal & sight.suits.trump
    if not trumps or not sight.against(sight.suits.trump):
        return 0
    top = highest(trumps)
    if sight.is_top(top):
        return top if count(trumps) > 1 or _top_sides(sight) else 0
    return top if count(trumps) >= 3 and sight.seat == sight.v.maker else 0


def _cash_side(sight: Sight) -> int:
    """A highest card outside trumps that will probably not be trumped, from the suit where it is safest."""
    tops = _top_sides(sight)
    safe = {bit: holds(sight, bit, led_with(sight, bit)) for bit in bits(tops)}
    best = max(safe, key=lambda bit: (safe[bit], count(sight.v.hand & sight.suits.suit_of(bit))), default=0)
    return best if best and safe[best] >= _LIKELY else 0


def _top_sides(sight: Sight) -> int:
    """Own cards outside trumps that are the highest of their suits."""
    return sum(bit for bit in bits(sight.legal & ~sight.suits.trump) if sight.is_top(bit))


def _all_tops(sight: Sight) -> int:
    """When only trumps and highest cards are left, the highest trump."""
    trumps = sight.legal & sight.suits.trump
    rest = sight.legal & ~trumps
    return highest(trumps) if trumps and not rest & ~_top_sides(sight) and sight.is_top(highest(trumps)) else 0


def _singleton(sight: Sight) -> int:
    """A low card that is alone in its suit, with a trump in hand to win the suit's next round."""
    if not sight.legal & sight.suits.trump:
        return 0
    alone = [suit & sight.legal for suit in sight.suits.sides if count(suit & sight.legal) == 1]
    return next((bit for bit in alone if not sight.is_top(bit) and sight.out & sight.suits.suit_of(bit)), 0)


def _best_side(sight: Sight) -> int:
    """The card outside trumps that costs least for what it may win."""
    sides = list(bits(sight.legal & ~sight.suits.trump))
    return max(sides, key=lambda bit: (side_wins(sight, bit) - sight.cost(bit), -bit), default=0)


def _trump(sight: Sight) -> int:
    """Nothing but trumps is left: the highest; of two the lower one when the higher is not sure, which guards it."""
    trumps = sight.legal & sight.suits.trump
    top = highest(trumps)
    return lowest(trumps) if count(trumps) == 2 and not sight.is_top(top) else top


_MAKERS: Final[tuple[Rule, ...]] = (_draw_trumps, _cash_side, _best_side, _trump)
_DEFENDERS: Final[tuple[Rule, ...]] = (_cash_side, _all_tops, _singleton, _best_side, _trump)


def _lead_to_lose(sight: Sight) -> int:
    """The card that is least likely to win the trick, and of equal ones the highest."""
    cards = list(bits(sight.legal))
    return max(cards, key=lambda bit: (sight.cost(bit) - side_wins(sight, bit), bit))
