"""What a player can do, as values with a short text form (no spaces): `pass 4 small H NT H-alone defend discard-9C JH`.

Which actions a rulebook has, and their numbers, is told by `Rules.actions`; `Rules.action` reads the texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from bigpepper.cards import Card, Strain


@dataclass(frozen=True, slots=True)
class Pass:
    """To pass: in the auction, or when asked whether to defend alone."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Bid:
    """To bid; `name` is a name on the rulebook's ladder, such as "4" or "small"."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Name:
    """The maker names the strain, with or without going alone."""

    strain: Strain
    alone: bool = False

    def __str__(self) -> str:
        return f"{self.strain}-alone" if self.alone else str(self.strain)


@dataclass(frozen=True, slots=True)
class Defend:
    """A defender plays alone against a lone maker (rules §4)."""

    def __str__(self) -> str:
        return "defend"


@dataclass(frozen=True, slots=True)
class Discard:
    """The maker lays a card away face down. `card` is None where it is hidden from whoever looks: `discard-??`."""

    card: Card | None

    def __str__(self) -> str:
        return f"discard-{self.card or '??'}"


@dataclass(frozen=True, slots=True)
class Play:
    """To play a card to the trick."""

    card: Card

    def __str__(self) -> str:
        return str(self.card)


Action: TypeAlias = Pass | Bid | Name | Defend | Discard | Play


class Claim(NamedTuple):
    """The irregular end of a round: `tricks` a seat, of those that were left, as the claim gives them.

    Not an action of the rules: it has no number, and whoever makes it has proven it.
    """

    tricks: tuple[int, ...]

    def __str__(self) -> str:
        return "claim-" + "-".join(str(n) for n in self.tricks)


class Turn(NamedTuple):
    """One entry of a round's history: who did what."""

    seat: int
    action: Action | Claim

    def __str__(self) -> str:
        return f"{self.seat}:{self.action}"
