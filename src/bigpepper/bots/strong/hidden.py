"""Many worlds at once: the draws of `worlds.sample`, filled in by compiled code.

What can be where is worked out once for a decision by `worlds.unseen`; how many cards of each kind go to each group of
places is drawn by `worlds.Ways`, for all worlds at once; which cards these are is drawn here.
"""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from random import Random
from typing import Annotated, TypeAlias

from bigpepper import worlds
from bigpepper.deal import below, mix
from bigpepper.jit import Record, Row4, Rows, count, entry, lowest, pack, place_of, record, rows, share
from bigpepper.kernel import copy_public, strain_order
from bigpepper.records import Round, Tables, View
from bigpepper.worlds import LAID_AWAY, WIDOW, Ways

KINDS = 6
GROUPS = 6
PLACES = 7

RowGroups: TypeAlias = Annotated[list[int], GROUPS]
RowKinds: TypeAlias = Annotated[list[int], KINDS]
RowPlaces: TypeAlias = Annotated[list[int], PLACES]
CardsOfKind: TypeAlias = Annotated[list[list[int]], KINDS, 25]
CardsOfGroup: TypeAlias = Annotated[list[list[int]], GROUPS, 25]
PlacesOfGroup: TypeAlias = Annotated[list[list[int]], GROUPS, PLACES]
OfKindAndGroup: TypeAlias = Annotated[list[list[int]], KINDS, GROUPS]


@record
class Hidden(Record):
    """The cards that a seat has not seen, and room to deal them out."""

    kinds: int  # how many kinds: cards of one kind can be in the same places
    size: RowKinds  # cards of a kind
    cards: CardsOfKind  # their numbers in the printed deck
    groups: int  # how many groups: places that take the same kinds
    members: RowGroups  # places of a group
    places: PlacesOfGroup  # which these are: seats, and those that `worlds` numbers from 4
    room: RowPlaces  # unseen cards of a place
    seed: int  # of the draws, 62 bits
    at: RowPlaces  # work: mask of the cards that a place got
    filled: RowGroups  # work: cards that a group got so far …
    pool: CardsOfGroup  # … and their numbers


@record
class Split(Record):
    """How many cards of each kind go to each group."""

    worlds: int  # how many worlds have this split
    take: OfKindAndGroup


@record
class Held(Record):
    """What the history tells of each seat's cards."""

    played: Row4  # mask of the cards a seat has played, printed order
    exchanged: int  # 1: the maker has taken the widow


def draw(v: View, t: Tables, tables: Rows, n: int, rng: Random) -> Rows:
    """`n` rounds that look the same to the seat of `v`, drawn as `worlds.sample` draws them, uniformly.

    `tables`: the rulebook's, packed. Depends on the view and `rng` alone.
    """
    cards = worlds.unseen(t, v)
    ways = Ways(cards)
    found = rows(Round, n)
    hidden = _hidden(cards, ways, rng.getrandbits(62))
    fill(pack([v]), tables, pack([_held(v, t)]), pack([hidden]), pack(_splits(ways, n, rng)), found)
    return found


def _hidden(cards: worlds.Unseen, ways: Ways, seed: int) -> Hidden:
    h = Hidden()
    h.kinds, h.groups, h.seed = len(cards.kinds), len(ways.groups), seed
    for kind, numbers in enumerate(cards.kinds.values()):
        h.size[kind] = len(numbers)
        h.cards[kind][: len(numbers)] = numbers
    for group, members in enumerate(ways.groups):
        h.members[group] = len(members)
        h.places[group][: len(members)] = members
    for place, room in cards.room.items():
        h.room[place] = room
    return h


def _held(v: View, t: Tables) -> Held:
    held = Held()
    held.played[: t.players] = [worlds.played_by(t, v, seat) for seat in range(t.players)]
    held.exchanged = int(worlds.exchanged(t, v))
    return held


def _splits(ways: Ways, n: int, rng: Random) -> list[Split]:
    """The splits of `n` worlds."""
    found = []
    for takes, times in ways.spread(n, rng):
        split = Split()
        split.worlds = times
        for kind, taken in enumerate(takes):
            split.take[kind][: len(taken)] = taken
        found.append(split)
    return found


# --- compiled -------------------------------------------------------------------------------------------------------


@entry
def fill(views: Rows, tables: Rows, held: Rows, hidden: Rows, splits: Rows, found: Rows) -> int:
    """Write a world into each row of `found`, split by split; returns how many."""
    v, t, facts, h, n = views[0], tables[0], held[0], hidden[0], 0
    for i in range(len(splits)):
        for _ in range(splits[i].worlds):
            h.seed = mix(h.seed, 1)
            deal_out(h, splits[i])
            write_world(v, t, facts, h, found[n])
            n += 1
    return n


@share
def deal_out(h: Hidden, split: Split) -> None:
    """Every unseen card goes to a place that can have it."""
    for group in range(h.groups):
        h.filled[group] = 0
    drawn = 0
    for kind in range(h.kinds):
        size = h.size[kind]
        for group in range(h.groups):
            for _ in range(split.take[kind][group]):
                size -= 1
                drawn += 1
                k = below(mix(h.seed, drawn), size + 1)
                card = h.cards[kind][k]
                h.cards[kind][k] = h.cards[kind][size]
                h.cards[kind][size] = card
                h.pool[group][h.filled[group]] = card
                h.filled[group] += 1
    for group in range(h.groups):
        drawn = share_out(h, group, drawn)


@share
def share_out(h: Hidden, group: int, drawn: int) -> int:
    """The places of a group get its cards at random; returns how many numbers have been drawn so far."""
    left = h.filled[group]
    for member in range(h.members[group]):
        place = h.places[group][member]
        h.at[place] = 0
        for _ in range(h.room[place]):
            drawn += 1
            k = below(mix(h.seed, drawn), left)
            h.at[place] |= 1 << h.pool[group][k]
            left -= 1
            h.pool[group][k] = h.pool[group][left]
    return drawn


@share
def write_world(v: View, t: Tables, facts: Held, h: Hidden, r: Round) -> None:
    """The round in which the unseen cards are where `h.at` says (see `worlds`)."""
    copy_public(r, v)
    r.widow, r.discarded = v.own_widow, v.own_discard
    if h.room[WIDOW]:
        r.widow = place_of(h.at[WIDOW])
    if h.room[LAID_AWAY]:
        r.discarded = place_of(h.at[LAID_AWAY])
    for seat in range(t.players):
        if seat == v.seat:
            r.dealt[seat], r.hands[seat] = v.own_dealt, v.hand
        else:
            hand = h.at[seat] if h.room[seat] else 0
            away = 1 << r.discarded if seat == v.maker and r.discarded >= 0 else 0
            r.dealt[seat] = hand | facts.played[seat] | away
            r.hands[seat] = hand if v.strain < 0 else strain_order(t, v.strain, hand)
    if facts.exchanged and v.maker != v.seat:
        take_back_widow(v, t, h, r)


@share
def take_back_widow(v: View, t: Tables, h: Hidden, r: Round) -> None:
    """One of the maker's cards was the widow: any of them, but for a Joker that he had to bid on."""
    cards = r.dealt[v.maker]
    if v.joker_seat >= 0:
        cards &= ~(1 << t.joker)
    for _ in range(below(mix(h.seed, 1_000), count(cards))):
        cards ^= lowest(cards)
    r.widow = place_of(cards)
    r.dealt[v.maker] ^= lowest(cards)
