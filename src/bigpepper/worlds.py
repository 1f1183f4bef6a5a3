"""Worlds: rounds that could be the true one, as far as one seat can know.

`sample` draws uniformly from all pairs of a deal and a hidden discard that fit everything an observation tells: the
seat's own cards, every card played, who could not follow suit, the widow's exchange, and the Joker's forced bid.
How likely a seat's calls and plays were is not weighed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from random import Random
from typing import NamedTuple

from bigpepper.jit import count as size
from bigpepper.kernel import copy_public, strain_order
from bigpepper.observation import Observation
from bigpepper.records import AUCTION, DISCARD, JOKER_BIDS_3, NAMING, PICK_UP, Round, Tables, View
from bigpepper.state import State

DEAD, WIDOW, LAID_AWAY = 4, 5, 6
"""Places for unseen cards beside the seats 0 to 3."""


class Unseen(NamedTuple):
    """The cards that a seat has not seen, and where they can be."""

    room: dict[int, int]
    """Cards that each place (a seat, or one of the three above) holds unseen, 1 to 8."""
    kinds: dict[frozenset[int], list[int]]
    """The unseen cards (their numbers in the printed deck), by the places where they can be."""


def sample(observation: Observation, rng: Random) -> State:
    """A State that looks the same to the observer, uniform over all pairs of deal and hidden discard that fit.

    Depends on the observation and `rng` alone. The State is legal for the whole history.
    """
    t, v = observation.rules.tables, observation.view
    return State.of_record(observation.rules, _world(t, v, _place(unseen(t, v), rng), rng))


def count(observation: Observation) -> int:
    """How many pairs of deal and hidden discard fit; `sample` draws each with the same chance."""
    t, v = observation.rules.tables, observation.view
    cards = unseen(t, v)
    hidden_exchange = t.widow == PICK_UP and v.phase != AUCTION and v.maker not in (v.seat, -1)
    widows = t.hand_size + (0 if v.joker_seat >= 0 else 1) if hidden_exchange else 1
    return widows * Ways(cards).total()


# --- what is not seen -----------------------------------------------------------------------------------------------


def unseen(t: Tables, v: View) -> Unseen:
    """Which cards the observer has not seen, and where each of them can be."""
    room, voids, seen = _room(t, v), _voids(t, v), _seen(t, v)
    kinds: dict[frozenset[int], list[int]] = {}
    for card in range(t.deck_size):
        if not seen >> card & 1:
            kinds.setdefault(_possible(t, v, room, voids, card), []).append(card)
    return Unseen(room, kinds)


def _room(t: Tables, v: View) -> dict[int, int]:
    hidden_hands = {seat: _hand_count(t, v, seat) for seat in range(t.players) if seat != v.seat}
    dead = t.deck_size - (t.joker >= 0) - t.players * t.hand_size
    widow = int(t.joker >= 0 and not exchanged(t, v))
    discard = int(exchanged(t, v) and v.maker != v.seat and v.phase not in (NAMING, DISCARD))
    room = {**hidden_hands, DEAD: dead, WIDOW: widow, LAID_AWAY: discard}
    return {place: cards for place, cards in room.items() if cards}


def exchanged(t: Tables, v: View) -> bool:
    """Whether the maker has taken the widow."""
    return t.widow == PICK_UP and v.phase != AUCTION and not v.thrown


def _hand_count(t: Tables, v: View, seat: int) -> int:
    """Cards in a seat's hand now."""
    extra = int(seat == v.maker and exchanged(t, v) and v.phase in (NAMING, DISCARD))
    return t.hand_size + extra - size(played_by(t, v, seat))


def played_by(t: Tables, v: View, seat: int) -> int:
    """Mask of the cards a seat has played, in printed order."""
    mask = 0
    for i in range(v.length):
        if v.seats[i] == seat and t.first_play <= v.acts[i] < t.actions:
            mask |= 1 << (v.acts[i] - t.first_play)
    return mask


def _seen(t: Tables, v: View) -> int:
    mask = v.own_dealt | (1 << v.own_widow if v.own_widow >= 0 else 0)
    for seat in range(t.players):
        mask |= played_by(t, v, seat)
    return mask


def _voids(t: Tables, v: View) -> list[int]:
    """For each seat a mask of the places it cannot hold, in strain order: it did not follow when they were led."""
    voids = [0] * t.players
    led, played, playing = 0, 0, size(v.playing)
    for i in range(v.length):
        if not t.first_play <= v.acts[i] < t.actions:
            continue
        place = t.place[v.strain][v.acts[i] - t.first_play]
        if played % playing == 0:
            led = t.suit[v.strain][place]
        elif not led >> place & 1:
            voids[v.seats[i]] |= led
        played += 1
    return voids


def _possible(t: Tables, v: View, room: dict[int, int], voids: list[int], card: int) -> frozenset[int]:
    """The places where an unseen card can be."""
    places = {p for p in room if p >= t.players or v.strain < 0 or not voids[p] >> t.place[v.strain][card] & 1}
    if card == t.joker:
        if v.joker_seat >= 0:
            places &= {v.joker_seat, LAID_AWAY}
        elif v.thrown and t.all_pass == JOKER_BIDS_3:
            places &= {DEAD, WIDOW}
    return frozenset(places)


# --- placing the unseen cards ---------------------------------------------------------------------------------------


class _Marks(NamedTuple):
    """`n` marks on a line of `total` ways, at equal distances."""

    n: int
    total: int
    start: int
    """Where the first one is, in n-ths of a way, 0 … total - 1."""

    def between(self, start: int, end: int) -> int:
        """How many marks are on the ways from `start` to before `end`."""
        return self._before(end) - self._before(start)

    def _before(self, way: int) -> int:
        return -((self.start - way * self.n) // self.total)


class Ways:
    """Counts the ways to place the unseen cards, kind by kind.

    Places that take the same kinds are one group: which of a group's cards are where does not matter to the others.
    """

    def __init__(self, cards: Unseen) -> None:
        self.cards = cards
        kinds = list(cards.kinds)
        members: dict[tuple[bool, ...], list[int]] = {}
        for place in cards.room:
            members.setdefault(tuple(place in kind for kind in kinds), []).append(place)
        self.groups = list(members.values())
        self.takes = [tuple(takes[k] for takes in members) for k in range(len(kinds))]
        self.sizes = [len(cards.kinds[kind]) for kind in kinds]
        self._memo: dict[tuple[int, tuple[int, ...]], int] = {}

    def room(self) -> tuple[int, ...]:
        """Cards that each group takes."""
        return tuple(sum(self.cards.room[place] for place in group) for group in self.groups)

    def total(self) -> int:
        """Ways to place all cards, each place's cards as a set."""
        ways = self.count(0, self.room())
        for group in self.groups:
            free = sum(self.cards.room[place] for place in group)
            for place in group:
                ways *= comb(free, self.cards.room[place])
                free -= self.cards.room[place]
        return ways

    def count(self, kind: int, room: tuple[int, ...]) -> int:
        """Ways to give the cards of `kind` and all later kinds to groups with that much room."""
        if kind == len(self.sizes):
            return 1
        key = kind, room
        if key not in self._memo:
            self._memo[key] = sum(weight for _, weight in self.splits(kind, room))
        return self._memo[key]

    def splits(self, kind: int, room: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        """Every split of the cards of `kind` over the groups, with the ways to place these and all later cards."""
        for split, ways in self._split(kind, room, 0, self.sizes[kind]):
            left = _less(room, split)
            if later := self.count(kind + 1, left):
                yield split, ways * later

    def spread(self, n: int, rng: Random) -> list[tuple[tuple[tuple[int, ...], ...], int]]:
        """How `n` worlds split all kinds: each split that comes up, and how many of the worlds have it.

        The ways lie on a line, and marks on it, at equal distances from a random first one on (systematic sampling):
        each way has the same chance, and the worlds differ as much as the ways do.
        """
        total = self.count(0, self.room())
        return list(self._marked(_Marks(n, total, rng.randrange(total)), 0, self.room(), 0, 1))

    def _marked(
        self, marks: _Marks, kind: int, room: tuple[int, ...], at: int, times: int
    ) -> Iterator[tuple[tuple[tuple[int, ...], ...], int]]:
        """Splits of `kind` and all later kinds that have marks; their ways, `times` each, begin at `at` on the line."""
        if kind == len(self.sizes):
            yield (), marks.between(at, at + times)
            return
        for split, ways in self.splits(kind, room):
            end = at + times * ways
            if marks.between(at, end):
                left = _less(room, split)
                each = times * ways // self.count(kind + 1, left)
                for later, worlds in self._marked(marks, kind + 1, left, at, each):
                    yield (split, *later), worlds
            at = end

    def _split(self, kind: int, room: tuple[int, ...], group: int, cards: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Splits of so many cards of a kind over `group` and all later ones, each with its ways."""
        most = min(room[group], cards) if self.takes[kind][group] else 0
        if group == len(room) - 1:
            if cards <= most:
                yield (cards,), 1
            return
        for taken in range(max(0, cards - sum(room[group + 1 :])), most + 1):
            for rest, ways in self._split(kind, room, group + 1, cards - taken):
                yield (taken, *rest), ways * comb(cards, taken)


def _less(room: tuple[int, ...], split: tuple[int, ...]) -> tuple[int, ...]:
    """The room that is left."""
    return tuple(free - taken for free, taken in zip(room, split, strict=True))


def _place(cards: Unseen, rng: Random) -> dict[int, int]:
    """Place the unseen cards at random: a mask of printed cards for each place."""
    ways = Ways(cards)
    pools: list[list[int]] = [[] for _ in ways.groups]
    ((splits, _),) = ways.spread(1, rng)
    for members, split in zip(cards.kinds.values(), splits, strict=True):
        shuffled = rng.sample(members, len(members))
        for pool, taken in zip(pools, split, strict=True):
            pool += [shuffled.pop() for _ in range(taken)]
    return dict(_share_out(ways, pools, rng))


def _share_out(ways: Ways, pools: list[list[int]], rng: Random) -> Iterator[tuple[int, int]]:
    for group, pool in zip(ways.groups, pools, strict=True):
        rng.shuffle(pool)
        for place in group:
            cards = [pool.pop() for _ in range(ways.cards.room[place])]
            yield place, sum(1 << card for card in cards)


# --- the world ------------------------------------------------------------------------------------------------------


def _world(t: Tables, v: View, placed: dict[int, int], rng: Random) -> Round:
    """The record of a round in which the unseen cards are where `placed` says."""
    r = Round()
    copy_public(r, v)
    r.widow, r.discarded = v.own_widow, v.own_discard
    if WIDOW in placed:
        r.widow = placed[WIDOW].bit_length() - 1
    if LAID_AWAY in placed:
        r.discarded = placed[LAID_AWAY].bit_length() - 1
    for seat in range(t.players):
        _fill_seat(t, v, r, seat, placed.get(seat, 0))
    if exchanged(t, v) and v.maker != v.seat:
        _draw_widow(t, v, r, rng)
    return r


def _fill_seat(t: Tables, v: View, r: Round, seat: int, hand: int) -> None:
    if seat == v.seat:
        r.dealt[seat], r.hands[seat] = v.own_dealt, v.hand
        return
    discarded = 1 << r.discarded if seat == v.maker and r.discarded >= 0 else 0
    r.dealt[seat] = hand | played_by(t, v, seat) | discarded
    r.hands[seat] = hand if v.strain < 0 else strain_order(t, v.strain, hand)


def _draw_widow(t: Tables, v: View, r: Round, rng: Random) -> None:
    """One of the maker's cards was the widow: any of them, but for a Joker that he had to bid on."""
    kept = 1 << t.joker if v.joker_seat >= 0 else 0
    cards = [card for card in range(t.deck_size) if (r.dealt[v.maker] & ~kept) >> card & 1]
    r.widow = rng.choice(cards)
    r.dealt[v.maker] ^= 1 << r.widow
