"""Whether the actions of a round's record are written as they should be; whether they are legal is seen in play."""

from __future__ import annotations

from typing import Final

from bigpepper.actions import Action, Bid, Defend, Discard, Name, Pass, Play
from bigpepper.errors import InvalidAction
from bigpepper.notation.dealt import Refuse
from bigpepper.notation.model import HIDDEN_DISCARD, Evaluation, RoundRecord, Step
from bigpepper.notation.scanner import text_fault
from bigpepper.rules import Rules
from bigpepper.text import msg

_KINDS: Final[dict[str, tuple[type[Action], ...]]] = {
    "auction": (Pass, Bid),
    "naming": (Name,),
    "discard": (Discard,),
    "defence": (Pass, Defend),
    "tricks": (Play,),
}


def check_steps(rules: Rules, round: RoundRecord, refuse: Refuse) -> None:
    """Refuse actions that are not written in their one form, or that do not stand among their kind."""
    if not all(round.tricks):
        refuse("tricks", msg("A trick is empty; the leader's card is missing."))
    for step in round.steps():
        _check_remarks(rules, step, refuse)
        hidden = step.phase == "discard" and step.act.action == HIDDEN_DISCARD
        if step.phase != "claim" and not hidden:
            _check_action(rules, step, refuse)


def _check_action(rules: Rules, step: Step, refuse: Refuse) -> None:
    text = step.act.action
    try:
        action = rules.action(text)
    except InvalidAction as error:
        refuse(step.path, error.message)
    if str(action) != text:
        refuse(step.path, msg("“{given}” is written “{right}”.", given=text, right=action))
    if not isinstance(action, _KINDS[step.phase]):
        refuse(step.path, msg("“{action}” does not belong here.", action=text))


def _check_remarks(rules: Rules, step: Step, refuse: Refuse) -> None:
    for i, comment in enumerate(step.act.comments):
        if fault := text_fault(comment, lines=True):
            refuse(f"{step.path}.comments[{i}]", fault)
    if step.act.evaluation:
        _check_evaluation(rules, step, step.act.evaluation, refuse)


def _check_evaluation(rules: Rules, step: Step, value: Evaluation, refuse: Refuse) -> None:
    numbers = [number for number in (value.points, value.tricks) if number is not None]
    if not numbers and value.best is None:
        refuse(step.path, msg("The evaluation is empty; leave it out instead."))
    if not all(abs(number) <= 1e6 for number in numbers):
        refuse(step.path, msg("A number of the evaluation is out of range: up to a million."))
    if value.best is not None and value.best not in set(map(str, rules.actions)):
        refuse(step.path, msg("“{action}” is no action of {rules}.", action=value.best, rules=rules.name))
