"""A table as a value, in two parts: the facts, which hold no card that anybody may not see, and what is hidden.

Whatever is told to somebody is made from the facts and from his own Observation (`seen`), so it cannot hold more.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from bigpepper.notation import RoundRecord, Takeover
from bigpepper.rules import Rules
from bigpepper.server.answers import SeatKind, TablePhase
from bigpepper.state import State


class Seat(Struct, frozen=True, kw_only=True):
    """Who plays a seat."""

    kind: SeatKind = "open"
    player: str | None = None
    """The player id of a person or program; it never leaves the server."""
    bot: str | None = None
    """The name of the bot on a bot's seat."""
    stand_in: str | None = None
    """The bot that plays while the player is away."""
    digest: str | None = None
    """SHA-256 of the word that the seat adds to the deals."""

    @property
    def present(self) -> bool:
        """Whether a player has the seat, and it is not played for him."""
        return self.player is not None and self.stand_in is None


class Asking(Struct, frozen=True):
    """An undo that is asked for."""

    seat: int
    agreed: frozenset[int] = frozenset()


class Round(Struct, frozen=True):
    """What everybody knows of the round being played, and the whole of finished ones."""

    number: int
    dealer: int
    turn: int | None
    acts: int
    """Actions so far."""


class Facts(Struct, frozen=True, kw_only=True):
    """All of a table that is no secret among those who sit at it."""

    id: str
    seq: int
    rules: Rules
    host: str
    code: str
    public: bool
    locked: bool = False
    clock: int | None
    grace: int
    seats: tuple[Seat, ...]
    phase: TablePhase = "open"
    paused: bool = False
    created_at: int
    """Milliseconds of Unix time, as all times."""
    at: int
    """Of the last event."""
    turn_at: int
    """Since when whoever is to act is to act."""
    game: int = 1
    commitment: str
    seeds: tuple[str | None, ...]
    """Digests of the words, a seat, of the game being played."""
    n: int = 0
    """Steps taken: actions, claims, undos; it never falls."""
    round: Round | None = None
    rounds: tuple[RoundRecord, ...] = ()
    """The finished rounds of this game, whole."""
    scores: tuple[int, ...]
    winners: tuple[int, ...] = ()
    how: Literal["finished", "abandoned"] | None = None
    secret: str | None = None
    """Hexadecimal, once the game is over."""
    undo: Asking | None = None
    undoable: int | None = None
    """The seat that may take back the last action."""
    practice: bool = False
    takeovers: tuple[tuple[Takeover, ...], ...] = ()
    """Of each round of this game, the one being played last."""
    removed: frozenset[str] = frozenset()
    held: tuple[tuple[str, int], ...] = ()
    """Which player has seen which seat's cards in this game."""

    @property
    def turn(self) -> int | None:
        """The seat to act; None where nobody is."""
        return self.round.turn if self.round and self.phase == "playing" else None

    def seat_of(self, player: str | None) -> int | None:
        """The seat that a player has."""
        if player is None:
            return None
        return next((number for number, seat in enumerate(self.seats) if seat.player == player), None)

    def played_by(self, number: int) -> str | None:
        """The bot that acts for a seat now; None where a player does. An open seat is played by one too."""
        seat = self.seats[number]
        return seat.bot or seat.stand_in or (STAND_IN if seat.kind == "open" else None)

    def waiting(self) -> tuple[int, ...]:
        """The seats whose answer to an undo is still missing: other people's; bots and programs always agree."""
        if self.undo is None:
            return ()
        people = (n for n, seat in enumerate(self.seats) if seat.kind == "person" and seat.present)
        return tuple(n for n in people if n != self.undo.seat and n not in self.undo.agreed)


STAND_IN = "novice"
"""The bot that plays where nobody does."""


class Hidden(Struct, frozen=True, kw_only=True):
    """What nobody may be told: the truth about the cards, and where later ones come from."""

    secret: str
    """Hexadecimal; deals and the bots' seeds follow from it."""
    state: State | None = None
    """The round being played; the last one when the game is over."""
    states: tuple[State, ...] = ()
    """The finished rounds of this game."""
    before: State | None = None
    """Before the last action, while that may be taken back."""
    latest: tuple[tuple[int, str] | None, ...] = ()
    """The step and text of each seat's last action, where the player did it himself."""


class Table(Struct, frozen=True):
    """A table, as its log tells."""

    facts: Facts
    hidden: Hidden
