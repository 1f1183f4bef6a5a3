"""The round or game of an OpenSpiel state: an immutable value in which dealing is made of steps too, card by card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from bigpepper import worlds
from bigpepper.actions import Discard
from bigpepper.cards import Card
from bigpepper.deal import Deal
from bigpepper.rules import Rules
from bigpepper.state import State

CARD_TO_SEAT: Final = "{card}>{seat}"
"""The text form of dealing a card, such as `JH>2`."""


@dataclass(frozen=True)
class Position:
    """Finished rounds, and a round being dealt or played."""

    rules: Rules
    of_games: bool
    """Whether rounds go on until somebody wins."""
    dealer: int
    """The seat that deals the round at hand; -1: still to be drawn."""
    dealt: tuple[int, ...]
    """Cards dealt so far, as places in the printed deck: seat 0's first, then seat 1's, and so on."""
    rounds: tuple[State, ...]
    """The finished rounds."""
    round: State | None
    """The round at hand once all cards are dealt; at the very end the last one."""

    @classmethod
    def new(cls, rules: Rules, of_games: bool) -> Position:
        """Before the first card. The last seat deals a single round; chance draws the first dealer of a game."""
        return cls(rules, of_games, -1 if of_games else rules.players - 1, (), (), None)

    # --- where it stands --------------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the round, or the game, is over."""
        return self.round is not None and self.round.is_over

    @property
    def turn(self) -> int | None:
        """The seat to act; None when it is chance's turn, or over."""
        return self.round.turn if self.round else None

    @property
    def scores(self) -> tuple[int, ...]:
        """Points a side of all finished rounds."""
        last = self.rounds[-1] if self.rounds else None
        if last is None or last.points is None:
            return (0,) * self.rules.sides
        return tuple(score + points for score, points in zip(last.scores, last.points, strict=True))

    @property
    def next_seat(self) -> int:
        """The seat that the next card goes to."""
        return len(self.dealt) // self.rules.cards

    def dealt_to(self, seat: int) -> tuple[Card, ...]:
        """The cards that a seat has been dealt so far, in the order of the printed deck."""
        size = self.rules.cards
        return tuple(self.rules.deck[card] for card in sorted(self.dealt[seat * size : (seat + 1) * size]))

    @property
    def legal(self) -> tuple[int, ...]:
        """Numbers of the actions of whose turn it is, rising: of a seat, or of chance."""
        if self.round:
            return tuple(self.rules.number_of[action] for action in self.round.legal)
        if self.dealer < 0:
            return tuple(range(self.rules.players))
        return tuple(card for card in range(len(self.rules.deck)) if card not in self.dealt)

    def chance_text(self, action: int) -> str:
        """A short text for an action of chance."""
        if self.dealer < 0:
            return f"dealer-{action}"
        return CARD_TO_SEAT.format(card=self.rules.deck[action], seat=self.next_seat)

    # --- going on ---------------------------------------------------------------------------------------------------

    def apply(self, action: int) -> Position:
        """After the action with this number. Raises `IllegalAction` for one of a seat that is not legal."""
        if self.round:
            return self._played(self.round.apply(self.rules.actions[action]))
        if self.dealer < 0:
            return replace(self, dealer=action)
        dealt = (*self.dealt, action)
        if len(dealt) < self.rules.players * self.rules.cards:
            return replace(self, dealt=dealt)
        deal = _deal(self.rules, dealt)
        state = State.new(self.rules, deal=deal, dealer=self.dealer, scores=self.scores)
        return replace(self, dealt=dealt, round=state)

    def _played(self, state: State) -> Position:
        if not state.is_over:
            return replace(self, round=state)
        rounds = (*self.rounds, state)
        if not self.of_games or state.winners(len(rounds)):
            return replace(self, rounds=rounds, round=state)
        return replace(self, dealer=state.next_dealer(), dealt=(), rounds=rounds, round=None)

    # --- as a value -------------------------------------------------------------------------------------------------

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self  # OpenSpiel copies its states deeply; nothing here ever changes

    def __str__(self) -> str:
        states = [*self.rounds, *((self.round,) if self.round and not self.is_over else ())]
        lines = [f"{state.deal}: {state}" for state in states]
        if not self.round:
            lines.append(" ".join(str(self.rules.deck[card]) for card in self.dealt))
        return "\n".join(lines)


def _deal(rules: Rules, dealt: tuple[int, ...]) -> Deal:
    cards = [rules.deck[card] for card in dealt]
    hands = [cards[seat * rules.cards : (seat + 1) * rules.cards] for seat in range(rules.players)]
    return Deal(rules, hands, next(card for card in rules.deck if card not in cards) if rules.joker else None)


# --- another world that looks the same ------------------------------------------------------------------------------


def relived(position: Position, seat: int, rng: Random) -> Iterator[int]:
    """The actions, chance's and the seats', of a position that looks the same to `seat`: see `worlds.sample`."""
    if position.of_games and position.dealer >= 0:
        yield (position.rounds[0] if position.rounds else position).dealer
    for state in position.rounds:
        yield from _actions(worlds.sample(state.observation(seat), rng), rng)
    if position.round is None:
        yield from position.dealt
    elif not position.is_over:
        yield from _actions(worlds.sample(position.round.observation(seat), rng), rng)


def _actions(state: State, rng: Random) -> Iterator[int]:
    for hand in state.deal.hands:
        yield from (state.rules.card_number[card] for card in rng.sample(hand, len(hand)))
    for turn in state.history:
        yield _number(state, turn.action)


def _number(state: State, action: Any) -> int:
    return state.rules.number_of[Discard(_known(state.discarded)) if isinstance(action, Discard) else action]


def _known(card: Card | None) -> Card:
    assert card is not None
    return card
