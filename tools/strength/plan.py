"""What each section plays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Final, NamedTuple

import bigpepper as bp
from bigpepper.arena import Entrant, Goal, Sprt
from bigpepper.arena.entrants import entrant
from bigpepper.arena.oracle import oracle

SEED: Final = "strength"
LADDER: Final = ("random", "novice", "club", "expert")
"""Weakest first; those that are not there yet are left out."""
RULEBOOKS: Final = tuple(name for name in bp.rulebooks() if name != "tiny")
"""`tiny` is two cards each: luck decides."""
OF_ORACLE: Final = ("pepper-4", "hasenpfeffer-traditional", "pepper-3")
OF_BUDGETS: Final = "pepper-4"

LADDER_TEST: Final = Sprt.of(least=100)
LADDER_GOAL: Final = Goal(20_000, 2000)
ORACLE_GOAL: Final = Goal(1000, 0)
BUDGET_GOAL: Final = Goal(1000, 0)
SELF_GAMES: Final = 200

WORLDS: Final = (
    "expert:drawn=25,calls=4,plays=3",
    "expert:drawn=50,calls=8,plays=5",
    "expert:drawn=100,calls=15,plays=10",
    "expert:drawn=200,calls=30,plays=20",
    "expert",
    "expert:drawn=800,calls=120,plays=80",
)
"""`expert` with fewer and with more worlds."""
REFERENCE: Final = "novice"
"""Whom all budgets are measured against, on the same deals."""

PARTS: Final = {
    "many worlds drawn to choose from": "expert:drawn=60",
    "many worlds for bids": "expert:calls=12",
    "many worlds for cards": "expert:plays=8",
}
"""What `expert` has → `expert` without it."""


class Planned(NamedTuple):
    """One match of a section."""

    name: str
    """What it is for; unique in its section."""
    rules: bp.Rules
    bots: tuple[Entrant, ...]
    goal: Goal
    test: Sprt | None = None


def there(spec: str) -> bool:
    """Whether there is such a bot, with such options."""
    with suppress(bp.UnknownBot):
        bp.bots.load(spec)
        return True
    return False


def ladder() -> list[str]:
    """The bots of the ladder that are there, weakest first."""
    return [name for name in LADDER if there(name)]


def matches(section: str) -> list[Planned]:
    """The matches of a section."""
    return list(_PLANS[section]())


def _ladder() -> Iterator[Planned]:
    """Pair by pair, the weakest first: they are soon decided, and leave their time to the others."""
    for weaker, stronger in pairwise(ladder()):
        for name in RULEBOOKS:
            bots = (entrant(stronger), entrant(weaker))
            yield Planned(f"{name}: {weaker} < {stronger}", bp.Rules.load(name), bots, LADDER_GOAL, LADDER_TEST)


def _oracle() -> Iterator[Planned]:
    best = ladder()[-1]
    for name in OF_ORACLE:
        bots = tuple(entrant(bot) for bot in dict.fromkeys(["novice", best]))
        yield Planned(name, bp.Rules.load(name), (oracle(best), *bots), ORACLE_GOAL)


def _worlds() -> Iterator[Planned]:
    for spec in filter(there, WORLDS):
        bots = (entrant(spec), entrant(REFERENCE))
        yield Planned(spec, bp.Rules.load(OF_BUDGETS), bots, BUDGET_GOAL)


def _parts() -> Iterator[Planned]:
    for part, spec in PARTS.items():
        if there(spec):
            yield Planned(part, bp.Rules.load(OF_BUDGETS), (entrant("expert"), entrant(spec)), BUDGET_GOAL)


_PLANS: Final = {"ladder": _ladder, "oracle": _oracle, "worlds": _worlds, "parts": _parts}
