"""What to say in the auction: the call with the best chance to win the game."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from bigpepper.bots.novice.forecast import Forecast, all_round, as_maker, average_hand, of_another, spread, widow_gain
from bigpepper.bots.novice.layout import Layout, layout, strains_of
from bigpepper.bots.novice.score import chances, outcome, standing
from bigpepper.jit import highest, lowest
from bigpepper.kernel import side_of, strain_order
from bigpepper.records import NO_TRUMP, Tables, View
from bigpepper.rules import Rules

_NOTICEABLE: Final = 1e-6
_NO_HOPE: Final = 0.12
"""A contract with less chance than this is not bid while something else may be said."""
_SHORT: Final = 1.2
"""A hand whose forecast is further than this from all tricks does not promise them."""


class Hand(NamedTuple):
    """What a hand is worth in the auction."""

    best: float
    """Tricks that the makers will take with this hand as the maker's, in its best strain, the widow included."""
    spread: float
    """Standard deviation of these tricks."""
    surplus: float
    """Tricks by which it is better than the average hand, over all strains."""
    sweeps: bool
    """Whether it can hope for all tricks: not far from them, and with the highest trump (at no-trump, some ace)."""


def call(rules: Rules, v: View) -> int:
    """The bit of the call."""
    if v.legal & 1 and _partner_wins(rules, v):
        return 1
    hand = judge(rules, v)
    desperate = v.bid >= 0 and _made(rules, v) == 0.0
    worth = {bit: _worth_of_bidding(rules, v, hand, bit, desperate) for bit in _worth_saying(rules.tables, v.legal)}
    best = max(worth, key=lambda bit: (worth[bit], -bit))
    if not v.legal & 1:
        return best
    return best if worth[best] > _worth_of_passing(rules, v, hand) + _NOTICEABLE else 1


def _worth_saying(t: Tables, legal: int) -> list[int]:
    """The legal bids without those that ask for more than a lower one and neither bring more nor cost less."""
    found: list[int] = []
    for bit in _bits(legal & ~1):
        if not any(_as_good(t, lower.bit_length() - 2, bit.bit_length() - 2) for lower in found):
            found.append(bit)
    return found


def _as_good(t: Tables, lower: int, higher: int) -> bool:
    brings = t.made_points[lower] >= t.made_points[higher] and t.made_each[lower] >= t.made_each[higher]
    costs = t.failed_points[lower] <= t.failed_points[higher] and t.failed_each[lower] <= t.failed_each[higher]
    return brings and costs


def _partner_wins(rules: Rules, v: View) -> bool:
    """Whether the partner has the standing bid, and wins the game by just making it: nothing is gained by raising."""
    side = side_of(rules.tables, v.seat)
    return v.bid >= 0 and side_of(rules.tables, v.maker) == side and _made(rules, v) == 1.0


def _made(rules: Rules, v: View) -> float:
    """Worth of the standing bid for this side if its bidder just makes it: 0 a lost game, 1 a won one."""
    t = rules.tables
    won = _shared_out(rules.players, t.sides, rules.cards, v.maker, t.bid_tricks[v.bid])
    return outcome(rules, v, side_of(t, v.seat), v.bid, v.maker, won)


def judge(rules: Rules, v: View) -> Hand:
    """Look at the hand in every strain."""
    best, sweeps = Forecast(-1.0, 0.0), False
    for strain in strains_of(rules):
        suits = layout(rules, strain)
        hand = strain_order(rules.tables, strain, v.hand)
        seen = as_maker(rules, suits, hand, suits.deck & ~hand)
        if seen.tricks > best.tricks:
            best, sweeps = seen, can_sweep(suits, hand)
    tricks = min(float(rules.cards), best.tricks + widow_gain(rules))
    sweeps &= tricks >= rules.cards - _SHORT
    return Hand(tricks, best.spread, all_round(rules, v.hand) - average_hand(rules), sweeps)


def can_sweep(suits: Layout, hand: int) -> bool:
    """Whether the hand (strain order) holds the highest trump; at no-trump, the highest card of some suit."""
    tops = suits.sides if suits.strain == NO_TRUMP else (suits.trump,)
    return any(highest(suit) & hand for suit in tops)


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        found.append(lowest(mask))
        mask &= mask - 1
    return found


def _worth_of_bidding(rules: Rules, v: View, hand: Hand, bit: int, desperate: bool) -> float:
    """Worth of playing this bid, 0 to 1; -1 for one that has no hope, unless the game would be lost without it."""
    bid, size = bit.bit_length() - 2, rules.cards
    likely = chances(hand.best, hand.spread, size)
    promised = rules.tables.bid_tricks[bid]
    hopeless = (sum(likely[promised:]) < _NO_HOPE and not desperate) or (promised == size >= 4 and not hand.sweeps)
    return -1.0 if hopeless else expected(rules, v, v.seat, bid, likely)


def _worth_of_passing(rules: Rules, v: View, hand: Hand) -> float:
    if v.bid >= 0:
        return _played_by(rules, v, v.maker, v.bid, hand)
    side = side_of(rules.tables, v.seat)
    if v.calls >= rules.players - 1:
        return standing(rules, v, side)
    lowest_bid = _bits(v.legal & ~1)[0].bit_length() - 2
    seats = [seat for seat in range(rules.players) if seat != v.seat and not v.passed >> seat & 1]
    return sum(_played_by(rules, v, seat, lowest_bid, hand) for seat in seats) / len(seats)


def _played_by(rules: Rules, v: View, maker: int, bid: int, hand: Hand) -> float:
    """Worth of a bid that another seat plays."""
    mean = of_another(rules, v, maker, bid, hand.surplus)
    return expected(rules, v, maker, bid, chances(mean, spread(rules), rules.cards))


def expected(rules: Rules, v: View, maker: int, bid: int, likely: tuple[float, ...], lone: int = -1) -> float:
    """Worth for the seat of `v` of a bid played by `maker`, by how likely 0, 1, … tricks for the makers are."""
    side = side_of(rules.tables, v.seat)
    worth = 0.0
    for tricks, chance in enumerate(likely):
        if chance > 0.002:
            won = _shared_out(rules.players, rules.tables.sides, rules.cards, maker, tricks)
            worth += chance * outcome(rules, v, side, bid, maker, won, lone)
    return worth


@lru_cache(maxsize=1_000)
def _shared_out(players: int, sides: int, cards: int, maker: int, tricks: int) -> tuple[int, ...]:
    """Tricks a seat when the maker takes `tricks` and the seats of other sides share the rest."""
    won = [0] * players
    won[maker] = tricks
    foes = [seat % players for seat in range(maker + 1, maker + players) if seat % players % sides != maker % sides]
    for i in range(cards - tricks):
        won[foes[i % len(foes)]] += 1
    return tuple(won)
