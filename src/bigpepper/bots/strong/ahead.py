"""What follows a choice made before the play: in each world the others go on as plain players would, up to the play.

Others do not always make the call that is best for a plain player; better ones are likelier, as `belief` has it.
"""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from typing import Annotated, TypeAlias

from bigpepper.bots.strong.belief import draw_call
from bigpepper.bots.strong.policy import choose, look_at_hands
from bigpepper.deal import mix
from bigpepper.jit import Record, Rows, count, entry, lowest, record, share
from bigpepper.kernel import apply, copy_public, side_of
from bigpepper.records import AUCTION, NO_TRUMP, OVER, PLAY, Round, Tables
from bigpepper.solve.places import TRICKS, place_round

RowContracts: TypeAlias = Annotated[list[int], 20]


@record
class Future(Record):
    """How the calls end after one choice in one world."""

    position: int  # number of the position that is played then; -1: thrown in
    makers: int  # side
    bid: int
    lone: int  # 1: alone
    kind: int  # line of `Model.played`
    own: int  # 1: the seat that chooses is the maker


@record
class Known(Record):
    """The positions of one world that have been written already."""

    at: RowContracts  # by maker and strain, when everybody plays; -1 none


@entry
def look_ahead(
    worlds: Rows,
    tables: Rows,
    models: Rows,
    stakes: Rows,
    minds: Rows,
    scratch: Rows,
    known: Rows,
    positions: Rows,
    futures: Rows,
    legal: int,
    seed: int,
) -> int:
    """For each world and each choice of `legal`, world by world, a future; returns how many positions there are.

    `positions` and `futures` have room for worlds × choices. Values are asked for in tricks of the round.
    `seed`, 62 bits, decides what others call; it is the same for all choices of a world.
    """
    t, m, s, mind, r, k = tables[0], models[0], stakes[0], minds[0], scratch[0], known[0]
    n = used = 0
    for i in range(len(worlds)):
        look_at_hands(worlds[i], t, m, mind)
        forget(k)
        choices = legal
        while choices:
            copy_round(r, worlds[i])
            apply(r, t, lowest(choices))
            choices &= choices - 1
            while r.phase < PLAY:
                if r.phase == AUCTION and r.turn != worlds[i].turn:
                    apply(r, t, draw_call(r, t, m, s, mind, mix(mix(seed, i), r.length)))
                else:
                    apply(r, t, choose(r, t, m, s, mind))
            futures[n].own = 1 if r.maker == worlds[i].turn else 0
            used = write_future(r, t, k, positions, futures, n, used)
            n += 1
    return used


@share
def copy_round(r: Round, world: Round) -> None:
    """Copy a whole round."""
    copy_public(r, world)
    r.widow, r.discarded = world.widow, world.discarded
    for seat in range(4):
        r.dealt[seat], r.hands[seat] = world.dealt[seat], world.hands[seat]


@share
def forget(k: Known) -> None:
    """A new world."""
    for i in range(20):
        k.at[i] = -1


@share
def write_future(r: Round, t: Tables, k: Known, positions: Rows, futures: Rows, n: int, used: int) -> int:
    """Write down the n-th future, and its position unless that is there already."""
    f = futures[n]
    f.position = -1
    if r.phase == OVER:
        return used
    f.makers, f.bid, f.lone = side_of(t, r.maker), r.bid, 1 if r.lone >= 0 else 0
    f.kind = (1 if r.strain == NO_TRUMP else 0) + 2 * f.lone + (2 if r.lone_defender >= 0 else 0)
    place = r.maker * 5 + r.strain
    everybody = count(r.playing) == t.players and r.discarded < 0
    if everybody and k.at[place] >= 0:
        f.position = k.at[place]
        return used
    place_round(r, t, positions[used], TRICKS)
    f.position = used
    if everybody:
        k.at[place] = used
    return used + 1
