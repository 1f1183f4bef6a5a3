"""How many tricks the makers will take: with this hand as the maker's, or from what others have bid."""

from __future__ import annotations

from typing import Final, NamedTuple

from bigpepper.bots.novice.layout import Layout, layout, strains_of
from bigpepper.bots.novice.strength import Others, power
from bigpepper.deal import DealStream
from bigpepper.jit import count
from bigpepper.kernel import side_of, strain_order
from bigpepper.records import NO_TRUMP, PICK_UP, Round, View
from bigpepper.rules import Rules

# Calibrated on rounds among novices, see docs/decisions/0020-novice.md.
PARTNER: Final = 0.17
"""Of the tricks that the maker does not take himself, the part that his partner takes."""
OVERRATED: Final = 0.7
"""Tricks by which `power` overrates the hands that bidders choose to play."""
ALONE: Final = 0.35
"""Tricks more by which it overrates a hand that is played alone."""
LEAD: Final = 0.1
"""Tricks that the first lead gains the maker; against it, they are lost."""
NO_TRUMP_GAIN: Final = 0.3
"""Tricks by which `power` underrates a hand at no-trump for the one who leads first …"""
NO_TRUMP_DEAD: Final = 2.4
"""… less this for each part of the deck that nobody holds."""
NO_TRUMP_SPREAD: Final = 1.35
"""How much wider tricks spread at no-trump: once the lead is lost, much is lost."""
WIDOW: Final = 0.45
"""Tricks that the widow is worth to who takes it."""
SPREAD: Final = (0.34, 0.46)
"""Standard deviation of the makers' tricks around the forecast, over the square root of the hand size: of one player,
and of partners."""
SUPPORT: Final = 0.6
"""Tricks by which one more trick in this hand moves the forecast of somebody else's contract."""
BY_BID: Final = (0.55, 0.42)
"""Tricks by which one more trick bid moves it: by one player, by partners."""
AT_LEAST: Final = (0.32, 0.42)
"""Part of all tricks that makers take besides: one player, partners."""
DEAD: Final = 0.55
"""More of it for each part of the deck that nobody holds."""
SAMPLED_DEALS: Final = 12
_SURE: Final = 0.02
"""A hand this close to all tricks has them."""


def opponents_of(rules: Rules) -> int:
    """How many opponents everybody has."""
    return 2 if rules.partners else rules.players - 1


class Forecast(NamedTuple):
    """Tricks that the makers will take."""

    tricks: float
    spread: float
    """Standard deviation around them."""


def as_maker(rules: Rules, suits: Layout, hand: int, out: int, alone: bool = False) -> Forecast:
    """What the makers will take with this hand (strain order) as the maker's, the cards `out` being unseen."""
    size = rules.cards
    tricks = power(suits, hand, out, Others(count(out), size, opponents_of(rules)), True)
    if tricks > size - _SURE and suits.strain != NO_TRUMP:
        return Forecast(tricks, _SURE)
    if rules.partners:
        tricks += -ALONE if alone else PARTNER * (size - tricks)
    if rules.tables.maker_leads:
        tricks += LEAD
        if suits.strain == NO_TRUMP:
            tricks += NO_TRUMP_GAIN - NO_TRUMP_DEAD * dead_part(rules)
    else:
        tricks -= LEAD
    return Forecast(max(0.0, min(tricks - OVERRATED, float(size))), spread(rules, suits.strain, alone))


def dead_part(rules: Rules) -> float:
    """Part of the deck that nobody is dealt."""
    return 1 - rules.players * rules.cards / len(rules.deck)


def spread(rules: Rules, strain: int = 0, alone: bool = False) -> float:
    """Standard deviation of the makers' tricks around a forecast."""
    wider = NO_TRUMP_SPREAD if strain == NO_TRUMP else 1.0
    return wider * SPREAD[rules.partners and not alone] * float(rules.cards**0.5)


def widow_gain(rules: Rules) -> float:
    """Tricks that a maker will gain by the widow's card before he has seen it."""
    return WIDOW if rules.tables.widow == PICK_UP else 0.0


def of_another(rules: Rules, v: View, maker: int, bid: int, surplus: float) -> float:
    """Tricks that the makers will take when another seat plays the bid.

    `surplus`: tricks that this hand is worth above the average hand.
    """
    size = rules.cards
    basis = AT_LEAST[rules.partners] + DEAD * dead_part(rules)
    typical = basis * size + BY_BID[rules.partners] * rules.tables.bid_tricks[bid]
    ours = side_of(rules.tables, maker) == side_of(rules.tables, v.seat)
    return max(0.0, min(float(size), typical + (SUPPORT if ours else -SUPPORT) * surplus))


def all_round(rules: Rules, dealt: int) -> float:
    """Tricks that a hand (printed order) is worth by itself when another seat names the strain: the mean of all."""
    strains, total = strains_of(rules), 0.0
    for strain in strains:
        suits = layout(rules, strain)
        hand = strain_order(rules.tables, strain, dealt)
        out = suits.deck & ~hand
        total += power(suits, hand, out, Others(count(out), rules.cards, opponents_of(rules)), False)
    return total / len(strains)


def average_hand(rules: Rules) -> float:
    """What `all_round` gives for the average hand, from a few deals that are always the same."""
    known: float | None = rules.memo.get("novice average")
    if known is None:
        stream, r, total = DealStream(rules, "novice"), Round(), 0.0
        for i in range(SAMPLED_DEALS):
            stream(i).put_into(r)
            total += sum(all_round(rules, r.dealt[seat]) for seat in range(rules.players))
        known = rules.memo["novice average"] = total / (SAMPLED_DEALS * rules.players)
    return known
