"""What the server sends: one JSON text a frame, told apart by `type`. docs/protocol.md explains them."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from bigpepper.notation import ObservationForm
from bigpepper.notation.model import Proof, RoundRecord
from bigpepper.notation.ruleform import RulesForm
from bigpepper.server.codes import Code, snake


class Frame(Struct, frozen=True, kw_only=True, tag_field="type", tag=snake, omit_defaults=True):
    """What all frames have in common: what stands at its default is left out."""


SeatKind: TypeAlias = Literal["open", "person", "program", "bot"]
TablePhase: TypeAlias = Literal["open", "playing", "finished"]
By: TypeAlias = Literal["player", "bot", "stand-in"]


class SeatView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who sits on a seat, as everybody sees it."""

    kind: SeatKind
    name: str
    """The name to show; that of a bot is its pepper's."""
    bot: str | None = None
    """The bot's name for programs, such as `novice`."""
    host: bool = False
    stand_in: str | None = None
    """The bot that plays for him while he is away."""
    seeded: bool = False
    """Whether a word of this seat goes into the deals."""


class UndoView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An asking to take back the last action, that is not settled."""

    seat: int
    waiting: tuple[int, ...]
    """Seats that have not answered."""


class TableView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The public facts of a table, cards apart."""

    id: str
    rules: RulesForm
    """The complete rulebook."""
    seats: tuple[SeatView, ...]
    phase: TablePhase
    public: bool
    locked: bool = False
    paused: bool = False
    clock: int | None = None
    grace: int
    game: int
    """Which game of the table this is, from 1."""
    scores: tuple[int, ...]
    """Points of each side after the finished rounds."""
    winners: tuple[int, ...] = ()
    how: Literal["finished", "abandoned"] | None = None
    undo: UndoView | None = None
    undoable: int | None = None
    """The seat that may ask to take back the last action."""
    practice: bool = False
    """Whether an action of this game was taken back."""
    turn_at: int = 0
    """Since when the seat to act is to act: milliseconds of Unix time."""
    commitment: str
    """SHA-256 of the secret that the deals are made from, hexadecimal."""
    proof: Proof | None = None
    """Once the game is over: all that proves its deals."""
    code: str | None = None
    """The invite code, for those who sit at the table and the host."""


class You(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The viewer himself."""

    seat: int | None = None
    host: bool = False


class RoundView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished round: every card of it, and the result."""

    number: int
    """From 0."""
    record: RoundRecord
    lines: tuple[str, ...] = ()
    """The result in words."""


class Words(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table in sentences."""

    happened: str | None = None
    turn: str | None = None
    contract: str | None = None
    standing: str | None = None


class Snapshot(Frame, frozen=True):
    """All that the viewer may know of the table."""

    seq: int
    """The number of the last event in it."""
    n: int
    """The step that the next act, claim or undo answers."""
    table: TableView
    you: You
    observation: ObservationForm | None = None
    """The viewer's Observation of the round (docs/schema/observation.json); none before the first deal."""
    rounds: tuple[RoundView, ...] = ()
    words: Words | None = None


class Event(Frame, frozen=True):
    """Something has happened. Which of the fields stand depends on `kind`.

    Of several events that came at once only the last carries `observation` and `table`, as they are after all of them.
    """

    seq: int
    n: int
    """The step that the next act, claim or undo answers, after this event."""
    at: int
    """Milliseconds of Unix time."""
    kind: str
    seat: int | None = None
    other: int | None = None
    action: str | None = None
    by: By | None = None
    tricks: tuple[int, ...] | None = None
    round: int | None = None
    dealer: int | None = None
    bot: str | None = None
    phrase: str | None = None
    yes: bool | None = None
    on: bool | None = None
    seconds: int | None = None
    game: int | None = None
    ended: RoundView | None = None
    """The round that has ended."""
    table: TableView | None = None
    you: You | None = None
    """Where `table` stands: the viewer's seat may have changed."""
    undoable: int | None = None
    """In the last event of several: the seat that may ask to take back the last action; left out where none may."""
    turn_at: int | None = None
    """In the last event of several: since when the seat to act is to act."""
    observation: ObservationForm | None = None
    words: Words | None = None


class Done(Frame, frozen=True):
    """A command has taken effect and is stored."""

    id: str | None = None
    seq: int = 0
    """The last event that it brought about."""


class Refused(Frame, frozen=True, kw_only=True):
    """A command has changed nothing."""

    id: str | None = None
    code: Code
    message: str


class Pong(Frame, frozen=True):
    """The answer to `ping`."""

    id: str | None = None


AnyFrame: TypeAlias = Snapshot | Event | Done | Refused | Pong
_ENCODER: Final = msgspec.json.Encoder()


def write_frame(frame: AnyFrame) -> bytes:
    """The JSON of a frame, in one line."""
    return _ENCODER.encode(frame)
