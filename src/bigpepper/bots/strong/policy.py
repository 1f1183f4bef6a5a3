"""A plain player: what it says, names and lays away, by the model of a hand alone. Strong bots think others play so.

A seat knows its own hand only; `Mind` holds what each seat thinks of its hand in one world.
"""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from bigpepper.bots.strong.model import Model, chance, others_tricks, surplus, tricks_expected
from bigpepper.bots.strong.stakes import Stakes, line
from bigpepper.jit import Record, Row4, count, lowest, place_of, record, share
from bigpepper.kernel import legal, side_of, strain_order
from bigpepper.records import AUCTION, DISCARD, NAMING, Public, Round, Tables

ALONE_SHORT = 20
"""A hand is played alone when it is no further than this from all tricks, in 1/64 trick."""


@record
class Mind(Record):
    """What each seat thinks of the hand it was dealt, in 1/64 trick."""

    best: Row4  # tricks of the makers, were it the maker's in its best strain …
    strain: Row4  # … which this is
    surplus: Row4  # tricks above the average hand, whatever the strain


@share
def look_at_hands(r: Round, t: Tables, m: Model, mind: Mind) -> None:
    """Judge the hands as dealt."""
    for seat in range(t.players):
        mind.best[seat] = -1_000_000
        for name in range(t.names):
            strain = t.name_strain[name]
            if not t.name_alone[name]:
                tricks = tricks_expected(m, t, strain, strain_order(t, strain, r.dealt[seat]))
                if tricks > mind.best[seat]:
                    mind.best[seat], mind.strain[seat] = tricks, strain
        mind.surplus[seat] = surplus(m, t, r.dealt[seat])


# --- what a contract is worth ---------------------------------------------------------------------------------------


@share
def contract_value(s: Stakes, m: Model, strain: int, tricks: int, row: int) -> int:
    """Chance to win, when `tricks` (1/64) are expected for the makers under the contract of line `row`."""
    value = 0
    for k in range(9):
        value += chance(m, strain, tricks, k) * s.worth[row][k]
    return value >> 16


@share
def bid_value(r: Public, t: Tables, m: Model, s: Stakes, mind: Mind, bid: int) -> int:
    """Chance of the seat to act, if it plays the bid."""
    side = side_of(t, r.turn)
    return contract_value(s, m, mind.strain[r.turn], mind.best[r.turn], line(side, side, bid, 0))


@share
def other_value(r: Public, t: Tables, m: Model, s: Stakes, mind: Mind, maker: int, bid: int) -> int:
    """Chance of the seat to act, if `maker` plays the bid."""
    side, makers = side_of(t, r.turn), side_of(t, maker)
    tricks = others_tricks(m, t, t.bid_tricks[bid], 1 if side == makers else 0, mind.surplus[r.turn])
    return contract_value(s, m, 0, tricks, line(side, makers, bid, 0))


@share
def pass_value(r: Public, t: Tables, m: Model, s: Stakes, mind: Mind) -> int:
    """Chance of the seat to act, if it passes: the standing bid is played, or somebody else says the lowest one."""
    if r.bid >= 0:
        return other_value(r, t, m, s, mind, r.maker, r.bid)
    if r.passes >= t.players - 1:
        return s.standing[side_of(t, r.turn)]
    bid = place_of(t.bids_mask & ~1) - 1
    total, seats = 0, 0
    for seat in range(t.players):
        if seat != r.turn and not r.passed >> seat & 1:
            total += other_value(r, t, m, s, mind, seat, bid)
            seats += 1
    return total // seats if seats else s.standing[side_of(t, r.turn)]


@share
def call_value(r: Public, t: Tables, m: Model, s: Stakes, mind: Mind, bit: int) -> int:
    """Chance of the seat to act after this call."""
    return pass_value(r, t, m, s, mind) if bit == 1 else bid_value(r, t, m, s, mind, place_of(bit) - 1)


# --- choices --------------------------------------------------------------------------------------------------------


@share
def choose(r: Round, t: Tables, m: Model, s: Stakes, mind: Mind) -> int:
    """What the seat to act does before the play, as a bit of the legal mask; nobody defends alone."""
    if r.phase == AUCTION:
        return choose_call(r, t, m, s, mind)
    if r.phase == NAMING:
        return choose_name(r, t, m)
    return choose_discard(r, t, m) if r.phase == DISCARD else 1


@share
def choose_call(r: Round, t: Tables, m: Model, s: Stakes, mind: Mind) -> int:
    """The call that promises most; of equal ones the lowest."""
    calls, best, most = legal(r, t), 0, -1_000_000
    while calls:
        bit = lowest(calls)
        calls ^= bit
        value = call_value(r, t, m, s, mind, bit)
        if value > most:
            best, most = bit, value
    return best


@share
def choose_name(r: Round, t: Tables, m: Model) -> int:
    """The strain that promises most tricks, alone where that is next to all of them."""
    best, most = 0, -1_000_000
    for name in range(t.names):
        hand = strain_order(t, t.name_strain[name], r.hands[r.turn])
        tricks = best_kept(t, m, t.name_strain[name], hand)
        if t.name_alone[name]:
            tricks = tricks + 1 if tricks >= 64 * t.hand_size - ALONE_SHORT else -1_000_000
        if tricks > most:
            best, most = name, tricks
    return 1 << best


@share
def choose_discard(r: Round, t: Tables, m: Model) -> int:
    """The card without which the hand is worth most."""
    hand = r.hands[r.turn]
    most, best = -1_000_000, 0
    cards = hand
    while cards:
        bit = lowest(cards)
        cards ^= bit
        tricks = tricks_expected(m, t, r.strain, hand ^ bit)
        if tricks > most:
            most, best = tricks, bit
    return best


@share
def best_kept(t: Tables, m: Model, strain: int, hand: int) -> int:
    """Tricks expected of a hand (strain order) after the discard, if it has a card to lay away."""
    if count(hand) <= t.hand_size:
        return tricks_expected(m, t, strain, hand)
    most, cards = -1_000_000, hand
    while cards:
        bit = lowest(cards)
        cards ^= bit
        tricks = tricks_expected(m, t, strain, hand ^ bit)
        if tricks > most:
            most = tricks
    return most
