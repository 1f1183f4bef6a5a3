"""Bots by name: `load("novice", seed=1)`; with options of theirs: `load("name:key=value")`.

Other packages add theirs through the entry-point group `bigpepper.bots`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Final

from bigpepper.errors import BigPepperError, UnknownBot, reason_of
from bigpepper.game import Bot
from bigpepper.text import Message, listed, msg

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN: Final = {
    "random": "bigpepper.bots.random:Random",
    "first": "bigpepper.bots.first:First",
    "novice": "bigpepper.bots.novice:Novice",
    "club": "bigpepper.bots.strong:club",
    "expert": "bigpepper.bots.strong:expert",
}
"""The package's own bots, weakest first, and where each is; imported when it is loaded."""

ENTRY_POINTS: Final = "bigpepper.bots"


def load(name: str, seed: int = 0) -> Bot:
    """The bot of that name; `name:key=value,key=value` sets options of its own, such as a budget.

    An entry point of another package gives a callable that takes `seed`, and its options by their names. A value is
    read as a whole number, a number, true or false, or else a text. Raises `UnknownBot`, also where another package's
    code fails; its error is the cause.
    """
    kind, colon, options = name.partition(":")
    if kind in BUILT_IN:
        module, _, attribute = BUILT_IN[kind].partition(":")
        return _made(kind, getattr(import_module(module), attribute), seed, options if colon else None)
    point = _entry_point(kind)
    with _named(point, msg("cannot be loaded")):
        factory = point.load()
    with _named(point, msg("cannot be made from a seed and its options")):
        bot = _made(kind, factory, seed, options if colon else None)
    if not callable(getattr(bot, "act", None)):
        raise UnknownBot(
            msg(
                "The bot “{name}” of the package {package} is no bot: {given} has no method “act”.",
                name=kind,
                package=_package(point),
                given=type(bot).__name__,
            )
        )
    return bot


def prepare(names: Iterable[str]) -> None:
    """Let bots that compile something do it now, and say so, rather than at their first decision.

    For whoever is about to show a screen, or to begin other processes. Other packages' bots prepare themselves.
    """
    modules = {BUILT_IN[kind].partition(":")[0] for name in names if (kind := name.partition(":")[0]) in BUILT_IN}
    for module in sorted(modules):
        ready: Callable[[], None] | None = getattr(import_module(module), "prepare", None)
        if ready:
            ready()


def split(names: str) -> list[str]:
    """The names in a text with commas between them; options, which have commas between them too, stay with theirs.

    Blanks around names, options and values go.
    """
    found: list[str] = []
    for part in (re.sub(r"\s*([:=])\s*", r"\1", part.strip()) for part in names.split(",")):
        if found and ":" in found[-1] and ":" not in part and "=" in part:
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def _entry_point(kind: str) -> EntryPoint:
    from importlib.metadata import entry_points

    others = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    if kind not in others:
        raise UnknownBot(
            msg("There is no bot “{name}”; there are {names}.", name=kind, names=listed({**BUILT_IN, **others}))
        )
    return others[kind]


@contextmanager
def _named(point: EntryPoint, what: Message) -> Iterator[None]:
    """What goes wrong in another package's code is told as `what` of its bot; the error itself is the cause."""
    try:
        yield
    except (BigPepperError, KeyboardInterrupt):
        raise
    except BaseException as error:  # SystemExit too: a package must not end the program
        raise UnknownBot(
            msg(
                "The bot “{name}” of the package {package} {what}: {reason}",
                name=point.name,
                package=_package(point),
                what=what,
                reason=reason_of(error),
            )
        ) from error


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.value


def _made(kind: str, factory: Callable[..., Bot], seed: int, options: str | None) -> Bot:
    return factory(seed=seed, **({} if options is None else _options(kind, factory, options)))


def _options(kind: str, factory: Callable[..., Bot], text: str) -> dict[str, object]:
    """The options in `text`, checked against what the factory takes."""
    given: dict[str, object] = {}
    for key, value in (_pair(kind, part.strip()) for part in text.split(",")):
        if key in given:
            raise UnknownBot(
                msg("The bot “{name}” is given its option “{key}” twice; leave one out.", name=kind, key=key)
            )
        given[key] = value
    from inspect import Parameter, signature

    taken = signature(factory).parameters
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in taken.values()):
        return given
    known = [key for key in taken if key != "seed"]
    for key in given:
        if key not in known:
            raise UnknownBot(
                msg("The bot “{name}” has no option “{key}”; it takes {keys}.", name=kind, key=key, keys=listed(known))
                if known
                else msg("The bot “{name}” has no option “{key}”; it takes none.", name=kind, key=key)
            )
    return given


def _pair(kind: str, part: str) -> tuple[str, object]:
    key, equals, value = (piece.strip() for piece in part.partition("="))
    if not key or not equals or not value:
        if not part:
            raise UnknownBot(
                msg(
                    "An option of the bot “{name}” is missing: options are written as {form}.",
                    name=kind,
                    form=kind + ":key=value,key=value",
                )
            )
        raise UnknownBot(
            msg(
                "“{part}” is no option of the bot “{name}”: options are written as {form}.",
                part=part,
                name=kind,
                form=kind + ":key=value,key=value",
            )
        )
    return key, _value(value)


def _value(text: str) -> object:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text
