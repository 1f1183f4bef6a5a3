"""What has happened at a table, in sentences: all but the actions of the game, which `explain` tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from bigpepper.server import events
from bigpepper.server.codes import PHRASES
from bigpepper.server.events import AnyHappening
from bigpepper.server.seen import Names
from bigpepper.text import Message, msg


def said_of(what: AnyHappening, labels: Sequence[str], names: Names) -> Message | None:
    """The sentence about an entry; None where nothing needs to be said. `labels` is what to call each seat."""
    saying = _SAYINGS.get(type(what))
    return saying(what, labels, names) if saying else None


def _left(what: events.Left | events.Removed, labels: Sequence[str], names: Names) -> Message:
    name = names.get(what.player) or msg("Guest {n}", n=what.seat + 1)
    if isinstance(what, events.Removed):
        return msg("The host has taken {name} off the table.", name=name)
    return msg("{name} leaves the table.", name=name)


def _said(what: events.Said, labels: Sequence[str], names: Names) -> Message | None:
    phrase = PHRASES.get(what.phrase)  # one that an older version had may be gone
    return msg("{name}: {phrase}", name=labels[what.seat], phrase=phrase) if phrase else None


def _answered(what: events.UndoAnswered, labels: Sequence[str], names: Names) -> Message:
    if what.yes:
        return msg("{name} agrees.", name=labels[what.seat])
    return msg("{name} does not agree: the action stands.", name=labels[what.seat])


def _finished(what: events.Finished, labels: Sequence[str], names: Names) -> Message:
    return msg("The game is over.") if what.how == "finished" else msg("The game has been given up.")


def _lock(what: events.Locked, labels: Sequence[str], names: Names) -> Message:
    return msg("The table is locked: nobody new can sit down.") if what.on else msg("The table is no longer locked.")


def _shown(what: events.Shown, labels: Sequence[str], names: Names) -> Message:
    return msg("The table is public now.") if what.on else msg("The table is private now.")


def _clock(what: events.ClockSet, labels: Sequence[str], names: Names) -> Message:
    if what.seconds is None:
        return msg("There is no turn clock any more.")
    return msg("Each turn has {n} seconds now.", n=what.seconds)


def _by(sentence: Callable[[str], Message]) -> Callable[..., Message]:
    """A sentence about the seat of an entry."""
    return lambda what, labels, names: sentence(labels[what.seat])


_SAYINGS: Final[dict[type[AnyHappening], Callable[[Any, Sequence[str], Names], Message | None]]] = {
    events.Seated: _by(lambda name: msg("{name} sits down.", name=name)),
    events.BotSeated: _by(lambda name: msg("{name} sits down.", name=name)),
    events.Left: _left,
    events.Removed: _left,
    events.Opened: _by(lambda name: msg("A bot has left the table.")),
    events.Swapped: lambda what, labels, names: msg(
        "{one} and {other} have changed places.", one=labels[what.seat], other=labels[what.other]
    ),
    events.Locked: _lock,
    events.Shown: _shown,
    events.ClockSet: _clock,
    events.Seeded: _by(lambda name: msg("{name} adds a word to the deals.", name=name)),
    events.Started: lambda what, labels, names: msg("The game begins."),
    events.Dealt: lambda what, labels, names: msg("{name} deals.", name=labels[what.dealer]),
    events.UndoAsked: _by(lambda name: msg("{name} asks to take back the last action.", name=name)),
    events.UndoAnswered: _answered,
    events.Undone: _by(lambda name: msg("The last action of {name} is taken back.", name=name)),
    events.Said: _said,
    events.Paused: _by(lambda name: msg("{name} asks for a pause.", name=name)),
    events.Resumed: _by(lambda name: msg("The game goes on.")),
    events.StoodIn: _by(lambda name: msg("{name} is away: a bot steps in.", name=name)),
    events.Returned: _by(lambda name: msg("{name} is back.", name=name)),
    events.Finished: _finished,
    events.Rematched: lambda what, labels, names: msg("Another game is set up."),
}
