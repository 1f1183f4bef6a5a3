"""After the auction: the strain, the discard, and whether to defend alone."""

from __future__ import annotations

from bigpepper.bots.novice.bidding import can_sweep, expected
from bigpepper.bots.novice.forecast import as_maker, opponents_of
from bigpepper.bots.novice.layout import Layout, layout
from bigpepper.bots.novice.score import chances
from bigpepper.bots.novice.strength import Others, power
from bigpepper.jit import count, highest, lowest
from bigpepper.kernel import strain_order
from bigpepper.records import PICK_UP, View
from bigpepper.rules import Rules


def name(rules: Rules, v: View) -> int:
    """The bit of the name with the best chance to win the game."""
    t = rules.tables
    worth: dict[int, tuple[float, float]] = {}
    hands = {strain: _kept(rules, v, strain) for strain in dict.fromkeys(t.name_strain[: t.names])}
    for number in range(t.names):
        suits, hand, out = hands[t.name_strain[number]]
        alone = bool(t.name_alone[number])
        tricks, spread = as_maker(rules, suits, hand, out, alone)
        likely = chances(tricks, spread, rules.cards)
        worth[1 << number] = expected(rules, v, v.seat, v.bid, likely, v.seat if alone else -1), tricks
    if t.bid_tricks[v.bid] == rules.cards:
        hopeful = [1 << i for i in range(t.names) if can_sweep(hands[t.name_strain[i]][0], hands[t.name_strain[i]][1])]
        worth = {bit: worth[bit] for bit in hopeful} or worth
    return max(worth, key=lambda bit: (worth[bit], -bit))


def _kept(rules: Rules, v: View, strain: int) -> tuple[Layout, int, int]:
    """Layout, the hand without its discard, and the cards that have not been seen, if this strain is named."""
    suits = layout(rules, strain)
    hand = strain_order(rules.tables, strain, v.hand)
    out = suits.deck & ~hand
    if rules.tables.widow == PICK_UP:
        hand ^= least_needed(rules, suits, hand)
    return suits, hand, out


def discard(rules: Rules, v: View) -> int:
    """The card to lay away."""
    return least_needed(rules, layout(rules, v.strain), v.hand)


def least_needed(rules: Rules, suits: Layout, hand: int) -> int:
    """The card whose loss leaves the strongest hand; of equal ones the lowest of the shortest suit outside trumps."""
    out = suits.deck & ~hand
    foes = Others(count(out), rules.cards, opponents_of(rules))
    best, kept = 0, (-1.0, 0.0)
    left = _spare(suits, hand)
    while left:
        bit = lowest(left)
        left ^= bit
        suit = suits.suit_of(bit)
        tie = -count(suit & (bit - 1)) - 0.5 * count(hand & suit)
        value = round(power(suits, hand ^ bit, out, foes, True), 6), tie
        if value > kept:
            best, kept = bit, value
    return best


def _spare(suits: Layout, hand: int) -> int:
    """Cards that may be laid away: neither trumps nor the highest of their suits, while there are others."""
    plain = hand & ~suits.trump or hand
    return plain & ~sum(highest(suit) for suit in suits.lanes if suit) or plain


def defends_alone(rules: Rules, v: View) -> bool:
    """Whether to lead against a lone maker without the partner: only with tricks enough on top to set him at once."""
    suits = layout(rules, v.strain)
    tops = _from_the_top(suits.trump, v.hand)
    needed = rules.cards - rules.tables.bid_tricks[v.bid] + 1
    return tops >= needed


def _from_the_top(suit: int, hand: int) -> int:
    """How many of a suit's highest cards the hand holds in a row."""
    tricks = 0
    while suit and highest(suit) & hand:
        suit ^= highest(suit)
        tricks += 1
    return tricks
