"""What clients may send: one JSON text a command, told apart by `type`. docs/protocol.md explains them.

A command may carry `id`, a text of the client's own; the answer to it (`done`, `refused` or `pong`) carries it back.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct

from bigpepper.errors import BigPepperError
from bigpepper.server.codes import LONGEST_MESSAGE, Code, snake
from bigpepper.text import Message, msg

SeatNumber = Annotated[int, Meta(ge=0, le=3)]
Step = Annotated[int, Meta(ge=0, le=2**31)]
"""The number of a game step (action, claim or undo) at a table: how many were taken before it."""
Own = Annotated[str, Meta(max_length=64)]
Secret = Annotated[str, Meta(max_length=128)]

Phrase = Annotated[str, Meta(max_length=32)]


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag=snake):
    """What all commands have in common."""

    id: Own | None = None
    """The client's own mark; the answer carries it back."""


class Hello(Command, frozen=True):
    """The first message on a socket. The answer is a snapshot, or with `since` the events that were missed."""

    protocol: int
    table: Own
    token: Secret | None = None
    """A program's token; a browser is known by its cookie."""
    code: Own | None = None
    """The invite code: needed to see a private table that one does not sit at."""
    since: Annotated[int, Meta(ge=0)] | None = None
    """The last event that the client knows."""
    language: Annotated[str, Meta(max_length=16)] = "en"
    words: bool = True
    """Whether frames carry sentences; programs do without."""


class Act(Command, frozen=True):
    """One action of the game: the text of one of the observation's legal actions."""

    n: Step
    """The step that it takes, as the latest frame told it."""
    action: Own


class Claim(Command, frozen=True):
    """The claimant's side takes exactly `tricks` of those that are left, whatever the others hold and play."""

    n: Step
    tricks: Annotated[int, Meta(ge=0, le=8)]
    split: Annotated[tuple[Annotated[int, Meta(ge=0, le=8)], ...], Meta(max_length=4)] | None = None
    """Three players, `tricks` 0: the tricks a seat."""


class Undo(Command, frozen=True):
    """Ask to take back one's own last action, `n` counting it."""

    n: Step


class AnswerUndo(Command, frozen=True):
    """Agree or not to another's asking."""

    n: Step
    yes: bool


class Say(Command, frozen=True):
    """Say one of the preset phrases."""

    phrase: Phrase


class Seed(Command, frozen=True):
    """Add a word, or a program's seed, to what the deals are made from. Before the start."""

    word: Annotated[str, Meta(min_length=1, max_length=128)]


class Ping(Command, frozen=True):
    """Answered by `pong`."""


class Back(Command, frozen=True):
    """Take one's seat back from the bot that stood in. Every other command of the player does so too."""


class Take(Command, frozen=True):
    """Sit down on an open seat; before the start also move to one."""

    seat: SeatNumber
    code: Own | None = None
    """The invite code: needed at a private table."""


class Leave(Command, frozen=True):
    """Get up."""


class Swap(Command, frozen=True):
    """Two seats change places, before the start: the host any two, others their own with one that no person has."""

    a: SeatNumber
    b: SeatNumber


class Bot(Command, frozen=True):
    """The host puts a bot on a seat that no person has."""

    seat: SeatNumber
    name: Own


class Open(Command, frozen=True):
    """The host takes a bot away."""

    seat: SeatNumber


class Lock(Command, frozen=True):
    """The host lets nobody new sit down, or again."""

    on: bool


class Remove(Command, frozen=True):
    """The host takes a player's seat from him, for good."""

    seat: SeatNumber


class Visibility(Command, frozen=True):
    """The host makes the table public or private."""

    public: bool


class Clock(Command, frozen=True):
    """The host sets the turn clock, before the start; null takes it away."""

    seconds: Annotated[int, Meta(ge=5, le=86_400)] | None


class Start(Command, frozen=True):
    """The host begins the game."""


class Pause(Command, frozen=True):
    """Nobody acts, and no clock runs, until somebody says `resume`."""


class Resume(Command, frozen=True):
    """The game goes on."""


class Rematch(Command, frozen=True):
    """Another game of the same players, after one has ended; the host starts it."""


class Abandon(Command, frozen=True):
    """The host ends the game without a winner."""


TableCommand: TypeAlias = (
    Act
    | Claim
    | Undo
    | AnswerUndo
    | Say
    | Seed
    | Back
    | Take
    | Leave
    | Swap
    | Bot
    | Open
    | Lock
    | Remove
    | Visibility
    | Clock
    | Start
    | Pause
    | Resume
    | Rematch
    | Abandon
)
"""What a table decides on."""
AnyCommand: TypeAlias = Hello | Ping | TableCommand


class Create(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new table (HTTP only). `rules` is a rulebook's name; `toml` a whole rulebook instead."""

    rules: Annotated[str, Meta(max_length=40)] = "pepper-4"
    toml: Annotated[str, Meta(max_length=LONGEST_MESSAGE)] | None = None
    seats: Annotated[tuple[Own, ...], Meta(max_length=4)] = ()
    """What each seat begins with: `me`, `open` or the name of a bot; left out, seats are open."""
    public: bool = False
    clock: Annotated[int, Meta(ge=5, le=86_400)] | None = None
    """Seconds for each action; null: no clock."""
    grace: Annotated[int, Meta(ge=5, le=86_400)] = 120
    """Seconds after which a bot steps in for a player who is not there."""


class BadMessage(BigPepperError):
    """A message that is no command; `code` says why, for programs."""

    def __init__(self, code: Code, message: Message) -> None:
        super().__init__(message)
        self.code = code


_COMMANDS: Final = msgspec.json.Decoder(AnyCommand)


def read_command(text: str | bytes) -> AnyCommand:
    """The command of a message. Raises `BadMessage`."""
    if len(text) > LONGEST_MESSAGE:
        raise BadMessage(Code.TOO_LARGE, msg("A message has at most {n} bytes.", n=LONGEST_MESSAGE))
    try:
        return _COMMANDS.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadMessage(Code.BAD_MESSAGE, msg("This is no message of the protocol: {why}.", why=str(error))) from None


class _Marked(Struct, frozen=True):
    """What is read of a message that is not carried out."""

    id: Own | None = None


_MARKS: Final = msgspec.json.Decoder(_Marked)


def mark_of(text: str | bytes) -> str | None:
    """The `id` of a message that is refused whatever it says; None where there is none, or it cannot be read."""
    if len(text) > LONGEST_MESSAGE:
        return None
    try:
        return _MARKS.decode(text).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
