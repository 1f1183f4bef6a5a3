"""What one seat may know of a round. It holds no State, and nothing that a State hides can be reached from it."""

from __future__ import annotations

from bigpepper.actions import Action
from bigpepper.cards import Card
from bigpepper.errors import IllegalAction
from bigpepper.public import PublicRound
from bigpepper.records import AUCTION, View
from bigpepper.rules import Rules
from bigpepper.text import msg


class Observation(PublicRound):
    """One seat's view of a round, or a spectator's. Immutable; equal when the seat knows the same.

    `bytes(observation)` is a fixed form of all it holds: equal exactly when the observations are.
    """

    __slots__ = ()

    _record: View

    def __init__(self, rules: Rules, view: View) -> None:
        self._rules = rules
        self._record = view

    @property
    def seat(self) -> int | None:
        """Whose view it is; None for a spectator."""
        return self._record.seat if self._record.seat >= 0 else None

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards in one's hand, in the order of the printed deck."""
        return self._hand(self._record.hand)

    @property
    def dealt(self) -> tuple[Card, ...]:
        """The hand one was dealt, in the order of the printed deck."""
        return tuple(card for n, card in enumerate(self.rules.deck) if self._record.own_dealt >> n & 1)

    @property
    def widow(self) -> Card | None:
        """The widow's card, for the maker who took it."""
        return self._card(self._record.own_widow)

    @property
    def discarded(self) -> Card | None:
        """The card the maker laid away, for himself."""
        return self._card(self._record.own_discard)

    @property
    def legal(self) -> tuple[Action, ...]:
        """What this seat may do now, in the order of the actions' numbers; empty when it is not its turn."""
        return self._actions(self._record.legal)

    def require_turn(self) -> None:
        """For bots, before they think. Raises `IllegalAction` unless it is this seat's turn."""
        if not self._record.legal:
            raise IllegalAction(
                msg("Seat {seat} is not to act now: a bot is asked for the seat whose turn it is.", seat=self.seat)
                if self.seat is not None
                else msg("A spectator does not act: a bot is asked for the seat whose turn it is.")
            )

    @property
    def view(self) -> View:
        """A copy of the record behind it, for encoders and compiled code."""
        return self._record.copy()

    def _card(self, number: int) -> Card | None:
        return self.rules.deck[number] if number >= 0 else None

    def _seen_discard(self) -> Card | None:
        return self.discarded

    def __bytes__(self) -> bytes:
        values = [getattr(self._record, name) for name in self._record.fields]
        return f"{self.rules.digest} {values}".encode()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and bytes(self) == bytes(other)

    def __hash__(self) -> int:
        return hash(bytes(self))

    def __repr__(self) -> str:
        whose = "spectator" if self.seat is None else f"seat {self.seat}"
        hand = " ".join(map(str, self.hand))
        strain = "auction" if self._record.phase == AUCTION else self.phase
        return f"<Observation of {whose}, {self.rules.name}, dealer {self.dealer}, {strain}, hand [{hand}]: {self}>"
