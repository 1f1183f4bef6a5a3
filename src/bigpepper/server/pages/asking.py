"""What the handlers of all pages share: forms as plain text fields, games by name, lists of tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from litestar import Request

from bigpepper import explain
from bigpepper.rules import Rules, rulebooks
from bigpepper.server.problems import Problem
from bigpepper.server.store import Head
from bigpepper.text import Message, msg, msgn

AskedBy = Request[Any, Any, Any]
_NOT_FOR_FUN: Final = ("tiny",)


@dataclass(frozen=True)
class Game:
    """A rulebook to choose."""

    name: str
    title: Message
    summary: Message
    recommended: bool


@dataclass(frozen=True)
class Listed:
    """A table in a list."""

    id: str
    title: Message
    state: Message


async def fields(request: AskedBy) -> dict[str, str]:
    """The fields of a form; of one that comes several times the last, files left out."""
    form = await request.form()
    return {key: value for key, value in form.multi_items() if isinstance(value, str)}


@lru_cache(maxsize=1)
def games() -> tuple[Game, ...]:
    """The shipped rulebooks that people play: first one of each kind, the recommended one where there is a choice."""
    known = [Rules.load(name) for name in rulebooks() if name not in _NOT_FOR_FUN]
    first = {}
    for rules in known:
        if rules.recommended or root(rules) not in first:
            first[root(rules)] = rules
    return tuple(map(game_of, [*first.values(), *(rules for rules in known if rules not in first.values())]))


def root(rules: Rules) -> str:
    """The rulebook from which this one and its kin were made."""
    return rules.name if rules.based_on is None else root(Rules.load(rules.based_on))


def game_of(rules: Rules) -> Game:
    """A rulebook as a choice."""
    return Game(rules.name, explain.title(rules), explain.summary(rules), rules.recommended)


def rulebook(name: str) -> Rules:
    """The shipped rulebook of that name. Raises `Problem`."""
    if name not in rulebooks():
        raise Problem(404, "no_such_rules", msg("There is no such game here."))
    return Rules.load(name)


def listed(heads: Iterable[Head]) -> tuple[Listed, ...]:
    """Tables as lists show them."""
    return tuple(Listed(head.id, _title(head), _state(head)) for head in heads)


def _title(head: Head) -> Message:
    if head.rules in rulebooks():
        return explain.title(Rules.load(head.rules))
    return msg("House rules “{name}”", name=head.rules)


def _state(head: Head) -> Message:
    if head.phase == "finished":
        return msg("over")
    if head.phase == "open":
        return msgn("one seat open", "{n} seats open", head.open_seats) if head.open_seats else msg("about to begin")
    return msg("being played")
