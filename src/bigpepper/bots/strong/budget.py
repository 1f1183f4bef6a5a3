"""How much a strong bot looks at: numbers of worlds, never a clock."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """Worlds that are looked at for one decision."""

    drawn: int
    """Worlds that are drawn and weighed by what the others have done …"""
    calls: int
    """… of which so many are looked at for a decision before the play …"""
    plays: int
    """… and so many for a card. With 0 for either, these decisions are left to rules of thumb."""


CLUB = Budget(drawn=60, calls=12, plays=8)
EXPERT = Budget(drawn=400, calls=60, plays=40)
