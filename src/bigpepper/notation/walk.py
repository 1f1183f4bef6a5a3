"""A round of a record played again, action by action, through `State`."""

from __future__ import annotations

from typing import NamedTuple

from bigpepper.actions import Action, Discard
from bigpepper.cards import Card
from bigpepper.deal import Deal
from bigpepper.errors import BigPepperError, IllegalAction
from bigpepper.notation.model import HIDDEN_DISCARD, RoundRecord, Step
from bigpepper.position import claimed
from bigpepper.rules import Rules
from bigpepper.state import State
from bigpepper.text import Message, msg


class Walk(NamedTuple):
    """A round that has been played again."""

    states: tuple[State, ...]
    """Before each action, and at the end."""

    @property
    def last(self) -> State:
        """The state at the end of the record."""
        return self.states[-1]


class Wrong(BigPepperError):
    """The rules refuse an action of the record."""

    def __init__(self, message: Message, state: State, at: int, path: str = "") -> None:
        super().__init__(message)
        self.state = state
        self.at = at
        """The number of the action in the round."""
        self.path = path
        self.action: Action | None = None
        self.turn = False
        """It was not this seat's turn, or the round was over."""

    @classmethod
    def no_deal(cls, rules: Rules, round: RoundRecord) -> Wrong:
        """Before anything is played: the unknown cards cannot be dealt at all."""
        state = State.new(rules, seed=0, dealer=round.dealer)
        return cls(msg("No deal of the unknown cards fits what was done."), state, 0)


def walk(rules: Rules, round: RoundRecord, deal: Deal, hidden: Card | None = None, turn: int | None = None) -> Walk:
    """Play the round again. `hidden` stands for a hidden discard; `turn` is the seat to act at the end, if known.

    Raises `Wrong`; `InvalidGame` where dealer or scores cannot be.
    """
    state = State.new(rules, deal=deal, dealer=round.dealer, scores=round.scores)
    states = [state]
    for at, step in enumerate(round.steps()):
        state = _apply(rules, state, step, hidden, at)
        states.append(state)
    over = round.result is not None
    if (turn is not None and state.turn != turn) or (over and not state.is_over):
        wrong = Wrong(_not_over(state), state, len(states) - 1, "result")
        wrong.turn = True
        raise wrong
    return Walk(tuple(states))


def _not_over(state: State) -> Message:
    return msg("The round is not over: seat {seat} is to act.", seat=state.turn)


def _apply(rules: Rules, state: State, step: Step, hidden: Card | None, at: int) -> State:
    if state.turn != step.act.seat and step.phase != "claim":
        wrong = Wrong(_not_his_turn(state, step), state, at, step.path)
        wrong.turn = True
        raise wrong
    if step.phase not in (state.phase, "claim") and (step.phase, state.phase) != ("tricks", "play"):
        raise Wrong(
            msg(
                "“{action}” comes in the wrong step: now it is {phase}.",
                action=step.act.action,
                phase=state.phase.value,
            ),
            state,
            at,
            step.path,
        )
    if step.phase == "tricks" and step.trick != rules.cards - state.tricks_left:
        raise Wrong(msg("“{action}” stands in the wrong trick.", action=step.act.action), state, at, step.path)
    action: Action | None = None
    try:
        if step.phase == "claim":
            return claimed(state, step.act.seat, step.act.action)
        action = _action(rules, step, hidden)
        return state.apply(action)
    except BigPepperError as error:
        wrong = Wrong(error.message, state, at, step.path)
        wrong.action = action if isinstance(error, IllegalAction) else None
        raise wrong from None


def _not_his_turn(state: State, step: Step) -> Message:
    action, seat = step.act.action, step.act.seat
    if state.turn is None:
        return msg("“{action}” comes too late: the round is over.", action=action)
    return msg(
        "“{action}” of seat {seat} is out of turn: seat {turn} is to act.", action=action, seat=seat, turn=state.turn
    )


def _action(rules: Rules, step: Step, hidden: Card | None) -> Action:
    return Discard(hidden) if step.act.action == HIDDEN_DISCARD else rules.action(step.act.action)
