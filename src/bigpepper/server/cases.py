"""One command at one table: who gives it, and what has to hold before it is even looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

from msgspec import Struct

from bigpepper.errors import BigPepperError
from bigpepper.server.codes import Code
from bigpepper.server.events import AnyHappening
from bigpepper.server.facts import Facts, Seat, Table
from bigpepper.text import Message, msg


class Who(Struct, frozen=True):
    """Who gives a command."""

    player: str
    """Player id."""
    program: bool = False


class Refusal(Struct, frozen=True):
    """Why a command changes nothing."""

    code: Code
    message: Message


class Refused(BigPepperError):
    """Raised where a command cannot be; `decide` gives it back as a `Refusal`."""

    def __init__(self, code: Code, message: Message) -> None:
        super().__init__(message)
        self.code = code


def refuse(code: Code, message: Message) -> NoReturn:
    """Raise `Refused`."""
    raise Refused(code, message)


class Case:
    """One command at one table, by one player."""

    def __init__(self, table: Table, who: Who, names: tuple[str, ...], random: bytes) -> None:
        self.table = table
        self.who = who
        self.names = names
        self.random = random

    @property
    def facts(self) -> Facts:
        """What is no secret."""
        return self.table.facts

    @property
    def seat(self) -> int | None:
        """The seat of whoever gives the command."""
        return self.facts.seat_of(self.who.player)

    @property
    def is_host(self) -> bool:
        """Whether the host gives it."""
        return self.who.player == self.facts.host

    @property
    def stood_in(self) -> bool:
        """Whether a bot plays for him at present."""
        return self.seat is not None and self.facts.seats[self.seat].stand_in is not None

    def own_seat(self) -> int:
        """His seat; refuses who has none."""
        if self.seat is None:
            refuse(Code.NOT_YOUR_SEAT, msg("You do not sit at this table: take a seat first."))
        return self.seat

    def any_seat(self, number: int) -> Seat:
        """The seat of that number; refuses one that is not there."""
        if number >= self.facts.rules.players:
            refuse(Code.NO_SUCH_SEAT, msg("There are the seats 1 to {n}.", n=self.facts.rules.players))
        return self.facts.seats[number]

    def be_host(self) -> None:
        """Refuse all but the host."""
        if not self.is_host:
            refuse(Code.NOT_HOST, msg("Only who set the table up can do that."))

    def be_open(self) -> None:
        """Refuse what can be done before the start only."""
        if self.facts.phase == "playing":
            refuse(Code.STARTED, msg("The game has begun: it can be done before the start only."))
        if self.facts.phase == "finished":
            refuse(Code.FINISHED, msg("The game is over: ask for another one first."))

    def be_going(self) -> None:
        """Refuse what needs a game."""
        if self.facts.phase == "open":
            refuse(Code.NOT_STARTED, msg("The game has not begun yet."))
        if self.facts.phase == "finished":
            refuse(Code.FINISHED, msg("The game is over."))

    def be_playing(self) -> None:
        """Refuse what needs a game that is not paused."""
        self.be_going()
        if self.facts.paused:
            refuse(Code.PAUSED, msg("The game rests: let it go on first."))

    def answer(self, n: int) -> None:
        """Refuse a command that answers another step than the one at hand."""
        if n < self.facts.n:
            refuse(Code.STALE, msg("That comes too late: step {n} has been taken.", n=n))
        if n > self.facts.n:
            refuse(Code.AHEAD, msg("Step {n} is still to come; now step {now} is.", n=n, now=self.facts.n))


Handler: TypeAlias = Callable[[Case, Any], tuple[AnyHappening, ...]]
"""What a command itself brings about. Raises `Refused`."""
