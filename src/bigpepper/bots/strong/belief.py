"""How likely a world is: whether the seats would have called and named as they did, had they held these cards."""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from typing import Final

from bigpepper.bots.strong.model import Model
from bigpepper.bots.strong.policy import Mind, best_kept, call_value, look_at_hands
from bigpepper.bots.strong.stakes import Stakes
from bigpepper.deal import below
from bigpepper.jit import Record, Rows, entry, lowest, place_of, record, share
from bigpepper.kernel import apply, legal, start, strain_order
from bigpepper.records import AUCTION, DISCARD, NAMING, PLAY, Round, Tables, View

FLOOR: Final = 3_000
"""Chance, in 1/65536, that somebody chooses without regard to his hand."""
SHADE: Final = 8_000
"""A call that is worth this much less (millionths of a chance to win) is half as likely."""
SHADE_OF_STRAIN: Final = 16
"""A strain that promises this much less (1/64 trick) is half as likely."""


@record
class Weight(Record):
    """A weight, `fraction` · 2^`exponent`."""

    fraction: int  # 2³⁰ … 2³¹
    exponent: int  # never positive


@share
def halving(shortfall: int, half: int) -> int:
    """65536 for no shortfall, half of that for `half`, a quarter for twice that, and so on."""
    times = shortfall // half
    return 65536 - 32768 * (shortfall - times * half) // half >> times if times < 16 else 0


@share
def put_chance(w: Weight, likely: int) -> None:
    """Multiply by a chance in 1/65536, after the floor."""
    w.fraction = w.fraction * (FLOOR + likely * (65536 - FLOOR) // 65536) >> 16
    while w.fraction < 1 << 30:
        w.fraction <<= 1
        w.exponent -= 1


@entry
def weigh_worlds(
    views: Rows, tables: Rows, models: Rows, stakes: Rows, minds: Rows, scratch: Rows, worlds: Rows, weights: Rows
) -> int:
    """The weight of each world, by what all other seats have done before the play."""
    v, t, m, s, mind, r = views[0], tables[0], models[0], stakes[0], minds[0], scratch[0]
    for i in range(len(worlds)):
        weigh_world(v, t, m, s, mind, r, worlds[i], weights[i])
    return len(worlds)


@share
def weigh_world(v: View, t: Tables, m: Model, s: Stakes, mind: Mind, r: Round, world: Round, w: Weight) -> None:
    """Play the round up to the first lead again, with the cards of this world."""
    w.fraction, w.exponent = 1 << 30, 0
    for seat in range(4):
        r.dealt[seat], r.scores[seat] = world.dealt[seat], world.scores[seat]
    r.widow = world.widow
    start(r, t, v.dealer)
    look_at_hands(r, t, m, mind)
    for i in range(v.length):
        if r.phase < PLAY:
            bit = choice_made(r, t, v.acts[i], world.discarded)
            if r.turn != v.seat:
                put_choice(r, t, m, s, mind, w, bit)
            apply(r, t, bit)


@share
def choice_made(r: Round, t: Tables, act: int, discarded: int) -> int:
    """The bit of the legal mask that an action of the log stands for."""
    if r.phase == AUCTION:
        return 1 << act
    if r.phase == NAMING:
        return 1 << act - t.first_name
    if r.phase == DISCARD:
        return 1 << t.place[r.strain][discarded]
    return 0b10 if act == t.defend else 0b01


@share
def put_choice(r: Round, t: Tables, m: Model, s: Stakes, mind: Mind, w: Weight, bit: int) -> None:
    """Take into account a call or a name of another seat; a discard is not seen, an answer says little."""
    if r.phase == AUCTION:
        choices = legal(r, t)
        if choices & choices - 1:
            put_call(r, t, m, s, mind, w, bit)
    elif r.phase == NAMING:
        put_name(r, t, m, w, place_of(bit))


@share
def best_call_value(r: Round, t: Tables, m: Model, s: Stakes, mind: Mind) -> int:
    """What the best call of the seat to act is worth to it."""
    calls, most = legal(r, t), -1_000_000
    while calls:
        value = call_value(r, t, m, s, mind, lowest(calls))
        calls ^= lowest(calls)
        if value > most:
            most = value
    return most


@share
def put_call(r: Round, t: Tables, m: Model, s: Stakes, mind: Mind, w: Weight, made: int) -> None:
    """Among the calls, the better ones are likelier."""
    most = best_call_value(r, t, m, s, mind)
    calls, total, own = legal(r, t), 0, 0
    while calls:
        bit = lowest(calls)
        calls ^= bit
        likely = halving(most - call_value(r, t, m, s, mind, bit), SHADE)
        total += likely
        if bit == made:
            own = likely
    put_chance(w, own * 65536 // total)


@share
def draw_call(r: Round, t: Tables, m: Model, s: Stakes, mind: Mind, random: int) -> int:
    """A call of the seat to act, each as likely as `put_call` has it; `random`: 62 bits."""
    most = best_call_value(r, t, m, s, mind)
    calls, total = legal(r, t), 0
    while calls:
        total += halving(most - call_value(r, t, m, s, mind, lowest(calls)), SHADE)
        calls &= calls - 1
    mark, calls = below(random, total), legal(r, t)
    while calls & calls - 1:
        mark -= halving(most - call_value(r, t, m, s, mind, lowest(calls)), SHADE)
        if mark < 0:
            return lowest(calls)
        calls &= calls - 1
    return calls


@share
def put_name(r: Round, t: Tables, m: Model, w: Weight, made: int) -> None:
    """Among the strains, those that promise more tricks are likelier; alone or not is not looked at."""
    most = -1_000_000
    for name in range(t.names):
        if not t.name_alone[name]:
            tricks = promise(r, t, m, t.name_strain[name])
            if tricks > most:
                most = tricks
    total, own = 0, 0
    for name in range(t.names):
        if not t.name_alone[name]:
            likely = halving(most - promise(r, t, m, t.name_strain[name]), SHADE_OF_STRAIN)
            total += likely
            if t.name_strain[name] == t.name_strain[made]:
                own = likely
    put_chance(w, own * 65536 // total)


@share
def promise(r: Round, t: Tables, m: Model, strain: int) -> int:
    """Tricks that the hand of the seat to act promises in a strain."""
    return best_kept(t, m, strain, strain_order(t, strain, r.hands[r.turn]))
