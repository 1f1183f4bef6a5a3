"""When something happens at a table if nobody does anything: a bot's move, the turn clock, a bot that steps in.

No clock here either: what is due follows from the facts, the time it is due at from the times in the log. A bot always
answers after the same time, so that how long it thought tells nothing.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from bigpepper.server.facts import Facts

COMFORTABLE: Final = 1_000
"""Milliseconds before a bot's move where people sit."""
AFTER_A_ROUND: Final = 4_000
"""Milliseconds more where people sit, before the first call of a round but the first."""
SHORT: Final = 250
"""Milliseconds before a bot's move where only programs sit: above what the slowest bot needs."""
ASKED: Final = 15_000
"""Milliseconds for which bots wait while an undo is asked for."""


class Due(Struct, frozen=True):
    """Something that is due at `at`, milliseconds of Unix time."""

    at: int
    what: Literal["move", "absence", "clock"]
    seat: int


def due(facts: Facts) -> Due | None:
    """What happens next if nobody acts: always about the seat to act. None where the table waits for somebody.

    A table at which no player is present waits: no bot plays on alone. `absence` asks whether the player has been
    seen; of one who has, another `absence` is due, `grace` after that (`again`).
    """
    if facts.turn is None or facts.paused or not any(seat.present for seat in facts.seats):
        return None
    if facts.played_by(facts.turn) is not None:
        return Due(facts.turn_at + move_time(facts), "move", facts.turn)
    clock = [Due(facts.turn_at + 1_000 * facts.clock, "clock", facts.turn)] if facts.clock else []
    others = any(seat.present for number, seat in enumerate(facts.seats) if number != facts.turn)
    absence = [Due(facts.turn_at + 1_000 * facts.grace, "absence", facts.turn)] if others else []
    return min([*clock, *absence], key=lambda one: one.at, default=None)


def again(facts: Facts, seen_at: int) -> Due | None:
    """What is due after a player who was to be asked for has been seen at `seen_at`: the same later, or the clock."""
    first = due(facts)
    if first is None or first.what != "absence":
        return first
    later = Due(max(first.at, seen_at + 1_000 * facts.grace), "absence", first.seat)
    clock = [Due(facts.turn_at + 1_000 * facts.clock, "clock", first.seat)] if facts.clock else []
    return min([later, *clock], key=lambda one: one.at)


def move_time(facts: Facts) -> int:
    """Milliseconds from the beginning of a bot's turn to its move."""
    if not any(seat.kind == "person" and seat.present for seat in facts.seats):
        return SHORT
    begins = facts.round is not None and facts.round.number > 0 and facts.round.acts == 0
    return COMFORTABLE + (AFTER_A_ROUND if begins else 0) + (ASKED if facts.undo else 0)


THINKING: Final = 200
"""Milliseconds before its move is due at which a bot begins to think; what it needs less, it waits."""


def wake_at(one: Due | None) -> int | None:
    """When somebody has to look at the table so that what is due happens in time."""
    if one is None:
        return None
    return one.at - THINKING if one.what == "move" else one.at
