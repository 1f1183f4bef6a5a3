"""How much a strong bot looks at: numbers of worlds, never a clock."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from bigpepper.errors import UnknownBot
from bigpepper.options import is_whole, shown
from bigpepper.text import msg

MOST: Final = 100_000


@dataclass(frozen=True, slots=True)
class Budget:
    """Worlds that are looked at for one decision."""

    drawn: int
    """Worlds that are drawn and weighed by what the others have done …"""
    calls: int
    """… of which so many are looked at for a decision before the play …"""
    plays: int
    """… and so many for a card. With 0 for either, these decisions are left to rules of thumb."""

    weighed: int = 0
    """Worlds that are weighed by the cards the others have played, too …"""
    back: int = 0
    """… of which the last so many are looked at."""
    own: int = 0
    """How much a trick counts that one of two defenders can win for himself, in % of its worth; costs a solve more."""

    def __post_init__(self) -> None:
        for part in fields(self):
            value = getattr(self, part.name)
            if not is_whole(value) or not 0 <= value <= MOST:
                raise UnknownBot(
                    msg(
                        "The option “{key}” takes a whole number from 0 to {most}, not {value}.",
                        key=part.name,
                        most=MOST,
                        value=shown(value),
                    )
                )


CLUB = Budget(drawn=100, calls=40, plays=12)
EXPERT = Budget(drawn=1_000, calls=300, plays=80, weighed=160, back=12, own=50)
