"""Who enters a match: a bot by name, a bot by a factory of one's own, or the oracle of a bot."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple, Protocol, TypeAlias

from bigpepper import bots
from bigpepper.actions import Action
from bigpepper.errors import InvalidGame, UnknownBot
from bigpepper.game import Bot, require_bot
from bigpepper.options import shown
from bigpepper.state import State
from bigpepper.text import msg


class Player(Protocol):
    """Whoever sits at a table of the arena."""

    def act(self, state: State, seat: int, /) -> Action:
        """What `seat`, whose turn it is, does."""
        ...


class Seated:
    """A bot at the table: it is handed its observation and nothing else."""

    __slots__ = ("_bot",)

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def act(self, state: State, seat: int) -> Action:
        """What the bot does."""
        return self._bot.act(state.observation(seat))


class Entrant(NamedTuple):
    """A name for the tables of results, and how its player for one seat is made from a seed, 0 to 2⁶² - 1."""

    name: str
    make: Callable[[int], Player]


Entry: TypeAlias = str | Callable[[int], Bot] | Entrant
"""What may be entered: a name for `bots.load`, with options; a factory that takes a seed; an `Entrant`."""


def entrant(entry: Entry) -> Entrant:
    """The entrant of an entry. A factory must be picklable where there are several processes: a class, a function of
    a module, a `partial` of one. Raises `UnknownBot`.
    """
    if isinstance(entry, Entrant):
        return entry
    if isinstance(entry, str):
        bots.load(entry)
        return Entrant(entry, partial(_seat_named, entry))
    if not callable(entry):
        raise UnknownBot(
            msg(
                "A match takes the name of a bot or a factory that makes one from a seed, not {given}.",
                given=type(entry).__name__,
            )
        )
    return Entrant(getattr(entry, "__name__", None) or repr(entry), partial(_seat_made, entry))


def listed_entries(entries: Iterable[Entry]) -> list[Entry]:
    """The entries as a list. Raises `InvalidGame` for what is none, such as one name."""
    if isinstance(entries, str) or not isinstance(entries, Iterable):
        raise InvalidGame(msg("The bots of a match are a list; given: {bots}.", bots=shown(entries)))
    return list(entries)


def entrants(entries: Iterable[Entry]) -> tuple[Entrant, ...]:
    """At least two entrants; those of one name are told apart by numbers. Raises `UnknownBot`, `InvalidGame`."""
    given = listed_entries(entries)
    if len(given) < 2:
        raise InvalidGame(msg("A match takes at least two bots; given: {n}.", n=len(given)))
    found = [entrant(entry) for entry in given]
    names = [one.name for one in found]
    return tuple(
        one._replace(name=f"{one.name} #{names[: i + 1].count(one.name)}") if names.count(one.name) > 1 else one
        for i, one in enumerate(found)
    )


def _seat_named(name: str, seed: int) -> Player:
    return _seat(bots.load(name, seed))


def _seat_made(factory: Callable[[int], Bot], seed: int) -> Player:
    return _seat(factory(seed))


def _seat(bot: Bot) -> Player:
    require_bot(bot)
    return Seated(bot)
