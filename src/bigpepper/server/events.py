"""What can happen at a table: the entries of its log. Each kind is a struct with a version `v` of its own.

The log is never rewritten. When a kind changes, its version rises and `UPGRADES` says how the old form becomes the new
one; tests/fixtures/events keeps an example of every version. Players stand as opaque ids, never as names. Some entries
hold what nobody may see yet (deals, the secret, a discard): what is sent of them is said in `frames` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from bigpepper.server.answers import By
from bigpepper.server.codes import snake


class Happening(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag=snake):
    """What all kinds have in common."""

    v: Literal[1] = 1


# --- the table and its seats ----------------------------------------------------------------------------------------


class Created(Happening, frozen=True, kw_only=True):
    """The table is set up: the complete rules, and the first game's commitment with the secret behind it."""

    rules: str
    """TOML."""
    host: str
    """Player id."""
    code: str
    """The invite code."""
    public: bool
    clock: int | None
    """Seconds an action."""
    grace: int
    """Seconds until a bot steps in."""
    secret: str
    """Hexadecimal; for nobody until the game is over."""
    commitment: str


class Seated(Happening, frozen=True, kw_only=True):
    """A player sits down on an open seat."""

    seat: int
    player: str
    program: bool


class Left(Happening, frozen=True, kw_only=True):
    """A player gets up; the seat is open."""

    seat: int
    player: str


class Removed(Happening, frozen=True, kw_only=True):
    """The host takes a player's seat; he cannot come back."""

    seat: int
    player: str


class Swapped(Happening, frozen=True, kw_only=True):
    """Two seats change places."""

    seat: int
    other: int


class BotSeated(Happening, frozen=True, kw_only=True):
    """A bot sits down. Its seed follows from the game's secret."""

    seat: int
    bot: str


class Opened(Happening, frozen=True, kw_only=True):
    """A bot gets up; the seat is open."""

    seat: int


class Hosted(Happening, frozen=True, kw_only=True):
    """Another player is the host."""

    player: str


class Locked(Happening, frozen=True, kw_only=True):
    """Whether anybody new may sit down."""

    on: bool


class Shown(Happening, frozen=True, kw_only=True):
    """Whether the table is public."""

    on: bool


class ClockSet(Happening, frozen=True, kw_only=True):
    """The turn clock, in seconds; None for none."""

    seconds: int | None


# --- the game -------------------------------------------------------------------------------------------------------


class Seeded(Happening, frozen=True, kw_only=True):
    """A seat adds a word to the deals; the log holds its SHA-256."""

    seat: int
    digest: str


class Started(Happening, frozen=True, kw_only=True):
    """The game begins: no word is taken any more."""

    game: int
    """1, 2, … at this table."""


class Dealt(Happening, frozen=True, kw_only=True):
    """A round begins: the whole deal, fixed before the first bid."""

    round: int
    """0, 1, 2, … in this game."""
    dealer: int
    deal: str
    """As `Deal.parse` reads it; for nobody until the round is over."""


class Acted(Happening, frozen=True, kw_only=True):
    """A seat did something."""

    n: int
    """The step that it is."""
    seat: int
    action: str
    """Its text; a discard with its card."""
    by: By


class Claimed(Happening, frozen=True, kw_only=True):
    """A proven claim ends the round."""

    n: int
    seat: int
    tricks: int
    split: tuple[int, ...] | None = None


class UndoAsked(Happening, frozen=True, kw_only=True):
    """A seat asks to take back its last action."""

    seat: int


class UndoAnswered(Happening, frozen=True, kw_only=True):
    """Another agrees, or not."""

    seat: int
    yes: bool


class Undone(Happening, frozen=True, kw_only=True):
    """The last action is taken back; that is a step too."""

    n: int
    seat: int


class Said(Happening, frozen=True, kw_only=True):
    """A preset phrase."""

    seat: int
    phrase: str


class Paused(Happening, frozen=True, kw_only=True):
    """The game rests."""

    seat: int


class Resumed(Happening, frozen=True, kw_only=True):
    """The game goes on."""

    seat: int


class StoodIn(Happening, frozen=True, kw_only=True):
    """A bot plays for a player who is away."""

    seat: int
    bot: str


class Returned(Happening, frozen=True, kw_only=True):
    """The player has his seat back."""

    seat: int


class Finished(Happening, frozen=True, kw_only=True):
    """The game is over; the secret is told."""

    how: Literal["finished", "abandoned"]
    secret: str


class Rematched(Happening, frozen=True, kw_only=True):
    """The same players set up another game."""

    game: int
    secret: str
    commitment: str


AnyHappening: TypeAlias = (
    Created
    | Seated
    | Left
    | Removed
    | Swapped
    | BotSeated
    | Opened
    | Hosted
    | Locked
    | Shown
    | ClockSet
    | Seeded
    | Started
    | Dealt
    | Acted
    | Claimed
    | UndoAsked
    | UndoAnswered
    | Undone
    | Said
    | Paused
    | Resumed
    | StoodIn
    | Returned
    | Finished
    | Rematched
)


class Entry(NamedTuple):
    """One entry of a table's log."""

    seq: int
    """1, 2, … without gaps."""
    at: int
    """Milliseconds of Unix time."""
    what: AnyHappening

    @property
    def kind(self) -> str:
        """The kind, as its column in the log has it."""
        return snake(type(self.what).__name__)


Upgrade: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
UPGRADES: Final[dict[tuple[str, int], Upgrade]] = {}
"""(kind, version) → how its data become those of the next version. Empty while every kind has its first."""

_DECODER: Final = msgspec.json.Decoder(AnyHappening)
_ENCODER: Final = msgspec.json.Encoder()


def write(what: AnyHappening) -> str:
    """What happened as JSON text, for the log."""
    return _ENCODER.encode(what).decode()


def read(text: str) -> AnyHappening:
    """What happened, of its JSON in any version. Raises `msgspec.DecodeError` for what no version has written."""
    if not UPGRADES:
        return _DECODER.decode(text)
    data: dict[str, Any] = msgspec.json.decode(text)
    while upgrade := UPGRADES.get((data["kind"], data["v"])):
        data = upgrade(data)
    return _DECODER.decode(msgspec.json.encode(data))
