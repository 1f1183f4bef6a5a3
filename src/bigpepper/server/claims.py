"""Whether a claim is proven: for every deal that fits what the claimant knows, whatever the others play.

The claimant needs one way of playing that depends on what he sees alone and gives each side exactly the tricks he
says; his partner counts as one who may play against him. First his top cards are tried, then every way to play every
world, within a fixed number of steps. All of it, the time it takes too, follows from his Observation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bigpepper import kernel, worlds
from bigpepper.cards import Card
from bigpepper.observation import Observation
from bigpepper.public import Phase
from bigpepper.records import OVER, Round, View

MOST_WORLDS: Final = 150
MOST_STEPS: Final = 4_000
"""Cards laid, all worlds together: about 50 ms."""


def proven(observation: Observation, tricks: int, split: Sequence[int] | None = None) -> bool:
    """Whether the observer's side gets exactly `tricks` of those left; for none with three players, the others `split`.

    The claim has to be one that the rules allow (`State.claim`).
    """
    if observation.phase is not Phase.PLAY or observation.seat is None:
        return False
    if tricks == observation.tricks_left and runs(observation):
        return True
    if worlds.count(observation) > MOST_WORLDS * 9:  # what is counted includes what the maker may have exchanged
        return False
    search = _Search(observation, _goal(observation, tricks, split))
    return search.proves(list(_worlds(observation)))


def _goal(observation: Observation, tricks: int, split: Sequence[int] | None) -> tuple[int, ...]:
    """Tricks a side at the end of the round, if the claim is right."""
    rules, left = observation.rules, observation.tricks_left
    assert observation.seat is not None
    own = rules.side_of(observation.seat)
    goal = [0] * rules.sides
    for seat, won in enumerate(observation.tricks_won):
        goal[rules.side_of(seat)] += won + (split[seat] if split else 0)
    if not split:
        goal[own] += tricks
        if rules.sides == 2:
            goal[1 - own] += left - tricks
    return tuple(goal)


# --- top cards --------------------------------------------------------------------------------------------------------


def runs(observation: Observation) -> bool:
    """Whether the observer is to lead and can lead card after card that nobody beats, whoever holds the unseen ones.

    Trumps come first, from the top. Each lead takes a card of its suit from everybody who has one, so that after k
    of them at most (unseen - k) are left in one hand; while a trump may be left, no other suit is safe. At no-trump
    the Joker, which has no suit, stands for the trumps.
    """
    if observation.turn != observation.seat or observation.trick or observation.strain is None:
        return False
    suits = observation.rules.suits_in_play(observation.strain)
    unseen = _unseen(observation)
    trump = observation.strain.suit
    order = sorted(suits, key=lambda suit: suit != trump)
    for suit in order:
        own = [card for card in suits[suit] if card in observation.hand]
        theirs = [card for card in suits[suit] if card in unseen]
        if own and not _top(suits[suit], own, theirs):
            return False
        if suit == trump and len(theirs) > len(own) and len(own) < len(observation.hand):
            return False
    return True


def _top(suit: Sequence[Card], own: Sequence[Card], theirs: Sequence[Card]) -> bool:
    """Whether own cards, led from the top, beat all of theirs that can still be there."""
    rank = {card: number for number, card in enumerate(suit)}
    highest = max((rank[card] for card in theirs), default=-1)
    leads = sorted((rank[card] for card in own), reverse=True)
    return all(lead > highest or led >= len(theirs) for led, lead in enumerate(leads))


def _unseen(observation: Observation) -> set[Card]:
    """The cards that somebody else may hold."""
    gone = {card for trick in _tricks(observation) for _, card in trick}
    own = {*observation.dealt, *observation.hand, observation.discarded}
    return set(observation.rules.deck) - gone - own


def _tricks(observation: Observation) -> Iterator[tuple[tuple[int, Card], ...]]:
    yield from (trick.cards for trick in observation.tricks)
    if observation.trick:
        yield observation.trick.cards


# --- every world ------------------------------------------------------------------------------------------------------


class _TooLong(Exception):
    """The steps are used up."""


class _Search:
    """Looks for one way of playing that reaches the goal in all worlds that the claimant cannot tell apart."""

    def __init__(self, observation: Observation, goal: tuple[int, ...]) -> None:
        self.tables = observation.rules.tables
        self.seat = observation.seat
        self.sides = observation.rules.sides
        self.goal = goal
        self.steps = MOST_STEPS

    def proves(self, rounds: list[Round]) -> bool:
        """Whether there is one, within the steps."""
        if not 0 < len(rounds) <= MOST_WORLDS:
            return False
        try:
            return self._reaches(rounds)
        except _TooLong:
            return False

    def _reaches(self, rounds: list[Round]) -> bool:
        """`rounds` are the worlds that fit the play so far; all look alike to the claimant."""
        first = rounds[0]
        if any(won > goal for won, goal in zip(self._won(first), self.goal, strict=True)):
            return False
        if first.phase == OVER:
            return self._won(first) == self.goal
        if first.turn == self.seat:
            return any(self._reaches(self._after(rounds, card)) for card in _bits(kernel.legal(first, self.tables)))
        cards = 0
        for r in rounds:
            cards |= kernel.legal(r, self.tables)
        return all(self._reaches(self._after(rounds, card)) for card in _bits(cards))

    def _won(self, r: Round) -> tuple[int, ...]:
        return tuple(kernel.tricks_of(r, self.tables, side) for side in range(self.sides))

    def _after(self, rounds: list[Round], card: int) -> list[Round]:
        """The worlds in which `card` may be played now, after it. Raises `_TooLong` once the steps are used up."""
        after = []
        for r in rounds:
            if kernel.legal(r, self.tables) & card:
                new = r.copy()
                kernel.apply(new, self.tables, card)
                after.append(new)
        self.steps -= len(after)
        if self.steps < 0:
            raise _TooLong
        return after


def _bits(mask: int) -> Iterator[int]:
    """The bits of a mask, the highest first: top cards are tried first."""
    while mask:
        bit = 1 << (mask.bit_length() - 1)
        mask ^= bit
        yield bit


def _worlds(observation: Observation) -> Iterator[Round]:
    """Every way to place the unseen cards, as rounds to be played on; at most one more than `MOST_WORLDS`."""
    t, v = observation.rules.tables, observation.view
    cards = worlds.unseen(t, v)
    todo = [(card, kind) for kind, numbers in cards.kinds.items() for card in numbers]
    for number, placed in enumerate(_placed(todo, dict(cards.room))):
        if number > MOST_WORLDS:
            return
        yield _round(observation, v, placed)


def _placed(todo: list[tuple[int, frozenset[int]]], room: dict[int, int]) -> Iterator[dict[int, int]]:
    """Masks of printed cards a place, for every way to share out the cards of `todo`."""
    if not todo:
        yield {}
        return
    card, kind = todo[0]
    for place in sorted(kind):
        if room[place]:
            room[place] -= 1
            for rest in _placed(todo[1:], room):
                yield {**rest, place: rest.get(place, 0) | 1 << card}
            room[place] += 1


def _round(observation: Observation, v: View, placed: dict[int, int]) -> Round:
    """A round in which the unseen cards are where `placed` says, to be played on; its deal is left out."""
    t, r = observation.rules.tables, Round()
    kernel.copy_public(r, v)
    r.widow = r.discarded = -1
    for seat in range(t.players):
        r.hands[seat] = v.hand if seat == v.seat else kernel.strain_order(t, v.strain, placed.get(seat, 0))
    return r
