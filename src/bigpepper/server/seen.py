"""What one viewer may know of a table: the only door from a `Table` to what is sent, said or written for somebody.

A `Seen` holds the facts, and Observations of that viewer; no State, no secret.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from bigpepper.observation import Observation
from bigpepper.server.facts import Facts, Seat, Table
from bigpepper.text import SOURCE_LANGUAGE, msg

Names = Mapping[str, str]
"""Player id → name; erased ones are not there."""

PEPPERS: Final = {"random": "Bell", "novice": "Paprika", "club": "Jalapeño", "expert": "Habanero"}
"""What bots are called, milder to hotter with their strength."""


class Seen(Struct, frozen=True, kw_only=True):
    """A table as one viewer sees it."""

    facts: Facts
    seat: int | None
    """His seat; None for a spectator."""
    host: bool
    observation: Observation | None
    """Of the round being played, or the last one; None before the first deal."""
    finished: tuple[Observation, ...]
    """Of finished rounds of this game: the last one, or all where they were asked for."""

    @property
    def rounds_before(self) -> int:
        """How many finished rounds are not among `finished`."""
        return len(self.facts.rounds) - len(self.finished)


def see(table: Table, player: str | None, *, all_rounds: bool = False) -> Seen:
    """What `player` may know, a spectator where he has no seat or is None."""
    facts, hidden = table.facts, table.hidden
    seat = facts.seat_of(player)
    states = hidden.states if all_rounds else hidden.states[-1:]
    return Seen(
        facts=facts,
        seat=seat,
        host=player is not None and player == facts.host,
        observation=hidden.state.observation(seat) if hidden.state else None,
        finished=tuple(state.observation(seat) for state in states),
    )


def view_of(table: Table, seat: int) -> Observation:
    """What the bot of a seat decides by. Raises `ValueError` where nothing is being played."""
    if table.hidden.state is None:
        raise ValueError("no round is being played")
    return table.hidden.state.observation(seat)


def labels(facts: Facts, names: Names, language: str = SOURCE_LANGUAGE) -> tuple[str, ...]:
    """What to call each seat: players by their names, bots by their peppers, told apart by numbers."""
    plain = [_label(seat, number, names, language) for number, seat in enumerate(facts.seats)]
    return tuple(_told_apart(plain, number) for number in range(len(plain)))


def _label(seat: Seat, number: int, names: Names, language: str) -> str:
    if seat.bot:
        return PEPPERS.get(seat.bot, seat.bot)
    if seat.player is None:
        return msg("Open seat").text(language)
    return names.get(seat.player) or msg("Guest {n}", n=number + 1).text(language)


def _told_apart(plain: Sequence[str], number: int) -> str:
    same = [i for i, label in enumerate(plain) if label == plain[number]]
    return f"{plain[number]} {same.index(number) + 1}" if len(same) > 1 else plain[number]
