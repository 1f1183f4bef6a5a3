"""What everybody at the table may know of a round, as plain values: the part that `State` and `Observation` share."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from bigpepper.actions import Action, Bid, Claim, Discard, Play, Turn
from bigpepper.cards import Card, Strain
from bigpepper.choices import choices
from bigpepper.deal import cards_of
from bigpepper.kernel import is_made, printed_order
from bigpepper.records import OVER, Public
from bigpepper.rules import Rules


class Phase(StrEnum):
    """The steps of a round, in order; which of them come depends on the rulebook (rules §4)."""

    AUCTION = "auction"
    NAMING = "naming"
    DISCARD = "discard"
    DEFENCE = "defence"
    PLAY = "play"
    OVER = "over"


_PHASES: Final = tuple(Phase)
_STRAINS: Final = tuple(Strain)


class Trick(NamedTuple):
    """A trick: who played what, in the order of play."""

    cards: tuple[tuple[int, Card], ...]
    """(seat, card) pairs, the leader's first."""
    winner: int | None
    """The seat that took it; None while it is being played."""

    @property
    def leader(self) -> int:
        """The seat that led."""
        return self.cards[0][0]


class PublicRound:
    """A round as a spectator sees it. Seats are 0 to players - 1, clockwise."""

    __slots__ = ("_record", "_rules")

    _rules: Rules
    _record: Public

    @property
    def rules(self) -> Rules:
        """The rulebook in force."""
        return self._rules

    @property
    def phase(self) -> Phase:
        """The step that the round is in."""
        return _PHASES[self._record.phase]

    @property
    def turn(self) -> int | None:
        """The seat to act; None when the round is over."""
        return _seat(self._record.turn)

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return self._record.dealer

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of each side before this round."""
        return tuple(self._record.scores[: self.rules.sides])

    @property
    def contract(self) -> Bid | None:
        """The highest bid so far, final once the auction is over; None before anybody has bid."""
        return self.rules.bids[self._record.bid] if self._record.bid >= 0 else None

    @property
    def maker(self) -> int | None:
        """The seat whose bid it is."""
        return _seat(self._record.maker)

    @property
    def strain(self) -> Strain | None:
        """What the maker named; None before."""
        return _STRAINS[self._record.strain] if self._record.strain >= 0 else None

    @property
    def lone(self) -> int | None:
        """The maker's seat when he plays alone."""
        return _seat(self._record.lone)

    @property
    def lone_defender(self) -> int | None:
        """The seat that defends alone."""
        return _seat(self._record.lone_defender)

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that take part in the play."""
        return tuple(seat for seat in range(self.rules.players) if self._record.playing >> seat & 1)

    @property
    def is_over(self) -> bool:
        """Whether the round has ended: played out, claimed or thrown in."""
        return self._record.phase == OVER

    @property
    def thrown_in(self) -> bool:
        """Whether everybody passed and nothing was played."""
        return self._record.thrown == 1

    @property
    def points(self) -> tuple[int, ...] | None:
        """Points of this round, one value a side; None before its end, zeros when it was thrown in."""
        return tuple(self._record.points[: self.rules.sides]) if self.is_over else None

    def points_of(self, seat: int) -> int | None:
        """Points of this round for the side of `seat`; None before its end."""
        points = self.points
        return None if points is None else points[self.rules.side_of(seat)]

    @property
    def tricks_won(self) -> tuple[int, ...]:
        """Tricks won so far, one value a seat; those of a claim included."""
        return tuple(self._record.won[: self.rules.players])

    @property
    def made(self) -> bool | None:
        """Whether the makers have won the tricks that they bid; None where nobody has bid."""
        r = self._record
        return is_made(r, self._rules.tables) if r.bid >= 0 else None

    @property
    def tricks_left(self) -> int:
        """Tricks that are not completed yet."""
        return self._record.left

    @property
    def trick(self) -> Trick | None:
        """The trick being played; None before its first card."""
        return self._tricks(self.history)[1]

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The completed tricks."""
        return self._tricks(self.history)[0]

    def _tricks(self, history: tuple[Turn, ...]) -> tuple[tuple[Trick, ...], Trick | None]:
        width, done = len(self.playing), self.rules.cards - self._record.left
        plays = tuple((turn.seat, turn.action.card) for turn in history if isinstance(turn.action, Play))
        leaders = [plays[i * width][0] for i in range(1, done) if i * width < len(plays)]
        leaders += [self._record.leader] * (done - len(leaders))
        now = plays[width * done :]
        complete = tuple(Trick(plays[i * width : (i + 1) * width], leaders[i]) for i in range(done))
        return complete, Trick(now, None) if now else None

    @property
    def history(self) -> tuple[Turn, ...]:
        """All that was done, in order; discards as whoever looks may see them; at the end a claim, if there was one."""
        return tuple(self._turns())

    def _turns(self) -> Iterator[Turn]:
        r, actions = self._record, self.rules.actions
        for i in range(r.length):
            number = r.acts[i]
            yield Turn(r.seats[i], actions[number] if number < len(actions) else Discard(self._seen_discard()))
        if r.claimer >= 0:
            yield Turn(r.claimer, Claim(tuple(r.claimed[: self.rules.players])))

    def _seen_discard(self) -> Card | None:
        raise NotImplementedError

    def _actions(self, mask: int) -> tuple[Action, ...]:
        return choices(self.rules, self._record).actions(mask)

    def _hand(self, mask: int) -> tuple[Card, ...]:
        """The cards of a hand mask, in the order of the printed deck."""
        strain = self._record.strain
        return cards_of(self.rules, mask if strain < 0 else printed_order(self.rules.tables, strain, mask))

    def __str__(self) -> str:
        return " ".join(map(str, self.history))


def _seat(number: int) -> int | None:
    return number if number >= 0 else None


def tricks_of(round: PublicRound, history: tuple[Turn, ...]) -> tuple[tuple[Trick, ...], Trick | None]:
    """The completed tricks and the one being played, for whoever has the round's `history` at hand already."""
    return round._tricks(history)
