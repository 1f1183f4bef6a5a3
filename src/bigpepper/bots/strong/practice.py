"""Deals to learn from: random ones, with every seat in turn as the maker of a random strain, solved with open cards."""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from bigpepper.bots.strong.model import Model
from bigpepper.bots.strong.policy import choose_discard
from bigpepper.deal import below, mix, shuffle
from bigpepper.jit import Record, Rows, entry, lowest, place_of, record, share
from bigpepper.kernel import apply, end_auction, start, strain_order
from bigpepper.records import DEFENCE, DISCARD, Round, Tables
from bigpepper.solve.places import TRICKS, place_round


@record
class Lesson(Record):
    """A hand as it was dealt to the maker."""

    strain: int
    hand: int  # strain order
    lone: int  # 1: alone


@entry
def practise(
    tables: Rows, models: Rows, rounds: Rows, positions: Rows, lessons: Rows, seed: int, no_trump: int, lone: int
) -> int:
    """Deal, make each round's maker name a strain, and write down the hand and the position before the first lead.

    `no_trump` 1: no-trump only; 0: any trump. `lone` 1: the maker plays alone. Returns how many were dealt.
    """
    t, m = tables[0], models[0]
    for i in range(len(rounds)):
        deal_lesson(rounds[i], t, m, lessons[i], mix(seed, i), i, no_trump, lone)
        place_round(rounds[i], t, positions[i], TRICKS)
    return len(rounds)


@share
def deal_lesson(r: Round, t: Tables, m: Model, lesson: Lesson, seed: int, i: int, no_trump: int, lone: int) -> None:
    """One deal, up to the first lead."""
    shuffle(r, t, seed)
    start(r, t, i // t.players % t.players)
    r.bid, r.maker = place_of(t.bids_mask & ~1) - 1, i % t.players
    hand = r.hands[r.maker]
    end_auction(r, t)
    number = pick_name(t, seed, no_trump, lone)
    apply(r, t, 1 << number)
    lesson.strain, lesson.hand, lesson.lone = r.strain, strain_order(t, r.strain, hand), lone
    if r.phase == DISCARD:
        apply(r, t, choose_discard(r, t, m) if m.average else spare_card(r, t))
    while r.phase == DEFENCE:
        apply(r, t, 1)


@share
def pick_name(t: Tables, seed: int, no_trump: int, lone: int) -> int:
    """One of the rulebook's names of that kind, at random; 0 where there is none."""
    fitting = 0
    for name in range(t.names):
        if (t.name_strain[name] == 4) == (no_trump == 1) and t.name_alone[name] == lone:
            fitting += 1
    k = below(mix(seed, 99), fitting) if fitting else 0
    for name in range(t.names):
        if (t.name_strain[name] == 4) == (no_trump == 1) and t.name_alone[name] == lone:
            if k == 0:
                return name
            k -= 1
    return 0


@share
def spare_card(r: Round, t: Tables) -> int:
    """Before anything is known of worth: the lowest card of the shortest side suit, else the lowest trump."""
    hand, best, shortest = r.hands[r.turn], 0, 99
    for lane in range(4):
        suit = hand & 0xFFFF << 16 * lane & ~t.trump[r.strain]
        length = 0
        for place in range(16):
            length += suit >> 16 * lane + place & 1
        if suit and length < shortest:
            best, shortest = lowest(suit), length
    return best if best else lowest(hand)
