"""A round of a game: immutable, checked, every action a new State."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from bigpepper import kernel
from bigpepper.actions import Action
from bigpepper.cards import Card
from bigpepper.choices import Choices, choices
from bigpepper.deal import Deal, Seed
from bigpepper.errors import IllegalAction, InvalidClaim, InvalidDeal, InvalidGame
from bigpepper.observation import Observation
from bigpepper.options import is_whole, shown
from bigpepper.public import PublicRound
from bigpepper.records import PLAY, Round, View
from bigpepper.rules import Rules, require_rules
from bigpepper.text import listed, msg


class State(PublicRound):
    """The whole truth of one round, between two actions. Immutable; equal when everything is.

    Nothing that decides, encodes or sends for a seat is handed a State: `observation(seat)` is for them.
    """

    __slots__ = ("_choices", "_legal")

    _record: Round
    _legal: int  # mask in the phase's space
    _choices: Choices  # what its bits mean

    @classmethod
    def new(
        cls,
        rules: Rules,
        *,
        deal: Deal | None = None,
        seed: Seed | None = None,
        dealer: int = 0,
        scores: Sequence[int] | None = None,
    ) -> State:
        """Begin a round with a `deal`, or with the one that `seed` gives; `scores` a side, from earlier rounds.

        Raises `InvalidDeal` for a deal of another rulebook, `InvalidGame` for a dealer or scores that cannot be, or
        unless exactly one of deal and seed is given, `InvalidRules` for a name in place of rules.
        """
        require_rules(rules)
        if (deal is None) == (seed is None):
            raise InvalidGame(msg("A round is begun with either a deal or a seed."))
        _check_dealer(rules, dealer)
        r = Round()
        r.scores[: rules.sides] = _checked_scores(rules, scores)
        deal = Deal.random(rules, seed) if seed is not None else deal
        if not isinstance(deal, Deal) or not deal.fits(rules):
            raise InvalidDeal(msg("This is no deal of {rules}: {deal}.", rules=rules.name, deal=deal))
        deal.put_into(r)
        kernel.start(r, rules.tables, dealer)
        return cls.of_record(rules, r)

    @classmethod
    def of_record(cls, rules: Rules, r: Round) -> Self:
        """A State over a record, which must be consistent and must not be changed afterwards. Not checked."""
        state = object.__new__(cls)
        state._rules = rules
        state._record = r
        state._legal = kernel.legal(r, rules.tables)
        state._choices = choices(rules, r)
        return state

    @property
    def record(self) -> Round:
        """A copy of the record behind it, for the solver and compiled code."""
        return self._record.copy()

    # --- acting -----------------------------------------------------------------------------------------------------

    @property
    def legal(self) -> tuple[Action, ...]:
        """What the seat to act may do, in the order of the actions' numbers; empty when the round is over."""
        return self._choices.actions(self._legal)

    def apply(self, action: Action | str) -> State:
        """The state after the seat to act has done `action` (or what has this text).

        Raises `IllegalAction` naming the action, the seat and what is legal; `InvalidAction` for a text that is none.
        """
        if isinstance(action, str):
            action = self.rules.action(action)
        choice = self._choices.bit(action)
        if not choice & self._legal:
            raise self._illegal(action)
        new = self._record.copy()
        kernel.apply(new, self._rules.tables, choice)
        return self.of_record(self._rules, new)

    def _illegal(self, action: object) -> IllegalAction:
        if not isinstance(action, Action):
            return IllegalAction(
                msg(
                    "{action} is no action: give an action or its text, such as “{example}”.",
                    action=shown(action),
                    example=listed(self.legal[:1]),
                )
            )
        if self.is_over:
            return IllegalAction(msg("“{action}” comes too late: the round is over.", action=action))
        return IllegalAction(
            msg(
                "“{action}” is not legal for seat {seat} now; legal: {legal}.",
                action=action,
                seat=self.turn,
                legal=listed(self.legal),
            )
        )

    def claim(self, seat: int, n: int, split: Sequence[int] | None = None) -> State:
        """End the round in play: the side of `seat` gets exactly `n` of the tricks left, the others get the rest.

        With three players a claim is for all tricks or none; for none, `split` gives the tricks a seat (three values,
        0 for the claimant). Whoever calls this has proven it. Raises `InvalidClaim`.
        """
        r = self._record
        self._check_claim(seat, n, split)
        new = r.copy()
        new.claimer = seat
        new.claimed[: self.rules.players] = list(split) if split else self._claimed(seat, n)
        kernel.concede(new, self.rules.tables)
        return self.of_record(self.rules, new)

    def _check_claim(self, seat: int, n: int, split: Sequence[int] | None) -> None:
        left, players = self._record.left, self.rules.players
        if self._record.phase != PLAY or seat not in self.playing:
            raise InvalidClaim(msg("Seat {seat} cannot claim now: only who takes part in the play can.", seat=seat))
        if not all(is_whole(tricks) for tricks in (n, *(split or ()))):
            raise InvalidClaim(msg("Tricks are claimed in whole numbers; given: {n}.", n=shown([n, *(split or ())])))
        if not 0 <= n <= left:
            raise InvalidClaim(msg("{n} tricks cannot be claimed: {left} are left.", n=n, left=left))
        if self.rules.sides == 2 and split is not None:
            raise InvalidClaim(msg("With two sides a claim needs no split: the other side gets the rest."))
        if self.rules.sides == 3 and n != left and (n or not split):
            raise InvalidClaim(msg("With three players a claim is for all tricks, or for none with a split of them."))
        if split and (n or len(split) != players or min(split) < 0 or sum(split) != left or split[seat]):
            raise InvalidClaim(
                msg(
                    "The split {split} does not fit: it has {players} values, 0 for seat {seat}, {left} in all.",
                    split=listed(split),
                    players=players,
                    seat=seat,
                    left=left,
                )
            )

    def _claimed(self, seat: int, n: int) -> list[int]:
        """`n` tricks for the claimant, the rest for the next player of another side."""
        tricks = [0] * self.rules.players
        tricks[seat] = n
        other = kernel.next_playing(self._record, self.rules.tables, seat)
        if self.rules.side_of(other) == self.rules.side_of(seat):
            other = kernel.next_playing(self._record, self.rules.tables, other)
        tricks[other] += self._record.left - n
        return tricks

    # --- looking ----------------------------------------------------------------------------------------------------

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards in the hand of `seat`, in the order of the printed deck."""
        return self._hand(self._record.hands[self._checked_seat(seat)])

    @property
    def deal(self) -> Deal:
        """The deal, as it was before the first bid."""
        return Deal.from_masks(self.rules, self._record.dealt, self._record.widow)

    @property
    def discarded(self) -> Card | None:
        """The card the maker laid away."""
        return self.rules.deck[self._record.discarded] if self._record.discarded >= 0 else None

    def observation(self, seat: int | None) -> Observation:
        """What `seat` may know; None for a spectator."""
        view = View()
        number = -1 if seat is None else self._checked_seat(seat)
        kernel.view(self._record, self.rules.tables, number, view)
        return Observation(self.rules, view)

    def next_dealer(self) -> int:
        """The seat that deals the round after this one."""
        return kernel.next_dealer(self._record, self.rules.tables)

    def winners(self, rounds: int) -> tuple[int, ...]:
        """The sides that win the game with this round, the `rounds`-th; empty while the game goes on (rules §5)."""
        won = kernel.winners(self._record, self.rules.tables, rounds) if self.is_over else 0
        return tuple(side for side in range(self.rules.sides) if won >> side & 1)

    def _seen_discard(self) -> Card | None:
        return self.discarded

    def _checked_seat(self, seat: int) -> int:
        if not 0 <= seat < self.rules.players:
            raise InvalidGame(
                msg("There is no seat {seat}; seats are 0 to {last}.", seat=seat, last=self.rules.players - 1)
            )
        return seat

    def _values(self) -> list[object]:
        return [getattr(self._record, name) for name in self._record.fields]

    def __reduce__(self) -> tuple[object, ...]:
        return State.of_record, (self.rules, self._record)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.rules == other.rules and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((self.rules.name, tuple(self._record.dealt), self._record.length))

    def __repr__(self) -> str:
        return f"<State {self.rules.name}, dealer {self.dealer}, {self.deal}: {self}>"


def _check_dealer(rules: Rules, dealer: int) -> None:
    if not is_whole(dealer) or not 0 <= dealer < rules.players:
        raise InvalidGame(msg("Seat {seat} cannot deal; seats are 0 to {last}.", seat=dealer, last=rules.players - 1))


def _checked_scores(rules: Rules, scores: Sequence[int] | None) -> list[int]:
    if scores is None:
        return [0] * rules.sides
    if len(scores) != rules.sides:
        raise InvalidGame(
            msg("There are {given} scores; {rules} has {n} sides.", given=len(scores), rules=rules.name, n=rules.sides)
        )
    if not all(is_whole(score) for score in scores):
        raise InvalidGame(msg("Scores are a list of whole numbers; given: {scores}.", scores=shown(scores)))
    if max(scores) >= rules.target:
        raise InvalidGame(
            msg("A score of {score} has already won: the target is {target}.", score=max(scores), target=rules.target)
        )
    return list(scores)
