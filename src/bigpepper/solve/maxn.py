"""Three players, each for himself: max^n. Not a value that anybody can force, but what happens if all play by one rule.

The rule: the seat to play takes the card that leads to the most points for itself; of those, the card that leaves the
two others the least together; of those, the lowest of the lowest suit in strain order. All three know that all play so.
Under another tie rule the outcome can be another one; "the maker against the coalition" (`solve`) depends on none.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from bigpepper import kernel
from bigpepper.actions import Play, Turn
from bigpepper.jit import lowest, place_of
from bigpepper.kernel import beats, follow
from bigpepper.position import InvalidPosition
from bigpepper.records import PLAY, Round
from bigpepper.rules import Rules
from bigpepper.solve.solver import Solvable
from bigpepper.text import msg

Points: TypeAlias = tuple[int, ...]
Hands: TypeAlias = tuple[int, ...]


class MaxN(NamedTuple):
    """What happens when each of three players plays for himself."""

    points: Points
    """Points of each side, which is a seat."""
    line: tuple[Turn, ...]
    """All that is still played."""


def max_n(position: Solvable) -> MaxN:
    """Play a round of three players out by max^n with the tie rule above.

    Meant for endings: five cards each take about a second, eight are out of reach. Raises `InvalidPosition` with other
    numbers of players and outside of the play.
    """
    rules, r = position.rules, position.record
    if rules.sides != 3 or r.phase != PLAY:
        raise InvalidPosition(
            msg("Each for himself is for three players, in the play; with two sides there is “solve”.")
        )
    points, cards = _Everyone(rules, r).of(r)
    seats, actions = [], []
    for bit in cards:
        seats.append(r.turn)
        actions.append(Play(rules.deck[rules.tables.card[r.strain][place_of(bit)]]))
        kernel.apply(r, rules.tables, bit)
    return MaxN(points, tuple(Turn(seat, action) for seat, action in zip(seats, actions, strict=True)))


class _Trick(NamedTuple):
    """A trick on the table."""

    seat: int
    """Who plays next."""
    laid: int
    led: int
    best: int
    winner: int


_Outcome: TypeAlias = tuple[Points, tuple[int, ...]]
"""Final points, and the cards played from here on."""


class _Everyone:
    """One search; positions at the start of a trick are remembered."""

    def __init__(self, rules: Rules, r: Round) -> None:
        self._tables, self._round = rules.tables, r
        self._trump = rules.tables.trump[r.strain]
        self._known: dict[tuple[Hands, int, Points], _Outcome] = {}

    def of(self, r: Round) -> _Outcome:
        laid = sum(1 for card in r.trick if card)
        return self._play(tuple(r.hands[:3]), tuple(r.won[:3]), _Trick(r.turn, laid, r.led, r.best, r.winner))

    def _lead(self, hands: Hands, won: Points, seat: int) -> _Outcome:
        if not hands[seat]:
            return self._score(won), ()
        key = (hands, seat, won)
        if key not in self._known:
            self._known[key] = self._play(hands, won, _Trick(seat, 0, 0, 0, -1))
        return self._known[key]

    def _play(self, hands: Hands, won: Points, trick: _Trick) -> _Outcome:
        seat, best = trick.seat, None
        for bit in self._choices(hands, trick):
            points, cards = self._after(hands, won, trick, bit)
            rank = (points[seat], -sum(points) + points[seat])
            if best is None or rank > best[0]:
                best = rank, (points, (bit, *cards))
        assert best is not None
        return best[1]

    def _after(self, hands: Hands, won: Points, trick: _Trick, bit: int) -> _Outcome:
        seat = trick.seat
        led, best, winner = trick.led, trick.best, trick.winner
        if not best:
            led, best, winner = self._tables.suit[self._round.strain][place_of(bit)], bit, seat
        elif beats(bit, best, led, self._trump):
            best, winner = bit, seat
        hands = tuple(hand & ~bit for hand in hands)
        if trick.laid == 2:
            return self._lead(hands, tuple(n + (s == winner) for s, n in enumerate(won)), winner)
        return self._play(hands, won, _Trick((seat + 1) % 3, trick.laid + 1, led, best, winner))

    def _choices(self, hands: Hands, trick: _Trick) -> list[int]:
        """The legal cards, lowest first, but one for each group between which nobody else's card lies."""
        legal, others = follow(hands[trick.seat], trick.led), trick.best
        for seat, hand in enumerate(hands):
            others |= hand if seat != trick.seat else 0
        chosen: list[int] = []
        before = 0
        while legal:
            bit = lowest(legal)
            legal ^= bit
            if not before or others & (bit - before) or not self._same_suit(bit, before):
                chosen.append(bit)
            before = bit
        return chosen

    def _same_suit(self, a: int, b: int) -> bool:
        return self._tables.suit[self._round.strain][place_of(a)] & b != 0

    def _score(self, won: Points) -> Points:
        r = self._round.copy()
        r.won[:3] = won
        kernel.score(r, self._tables)
        return tuple(r.points[:3])
