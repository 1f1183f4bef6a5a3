"""What each section plays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import bigpepper as bp
from bigpepper.arena import Entrant, Goal, Sprt
from bigpepper.arena.entrants import entrant
from bigpepper.arena.oracle import oracle

SEED: Final = "strength"
LADDER: Final = ("random", "novice", "club", "expert")
"""Weakest first."""
RULEBOOKS: Final = tuple(name for name in bp.rulebooks() if name != "tiny")
"""`tiny` is two cards each: luck decides."""
OF_ORACLE: Final = ("pepper-4", "hasenpfeffer-traditional", "pepper-3")
OF_BUDGETS: Final = "pepper-4"

LADDER_TEST: Final = Sprt.of(least=100)
LADDER_TEST_OF_THREE: Final = Sprt.of(h1=0.1, least=100)
"""For the last rung with three players: points are set against the mean of two others', of both sorts."""
LADDER_GOAL: Final = Goal(20_000, 2000)
ORACLE_GOAL: Final = Goal(1000, 0)
BUDGET_GOAL: Final = Goal(1000, 0)
SELF_GAMES: Final = 200

WORLDS: Final = (
    "expert:drawn=60,calls=20,plays=5,weighed=10",
    "expert:drawn=125,calls=40,plays=10,weighed=20",
    "expert:drawn=250,calls=75,plays=20,weighed=40",
    "expert:drawn=500,calls=150,plays=40,weighed=80",
    "expert",
    "expert:drawn=2000,calls=600,plays=160,weighed=320",
)
"""`expert` with fewer and with more worlds."""
REFERENCE: Final = "novice"
"""Whom all budgets are measured against, on the same deals."""

PARTS: Final = {
    "calls by worlds": "expert:calls=0",
    "cards by worlds": "expert:plays=0",
    "looking back at the others' cards": "expert:back=0",
    "many worlds for calls": "expert:calls=40",
    "many worlds for cards": "expert:plays=10",
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


def matches(section: str) -> list[Planned]:
    """The matches of a section."""
    return list(_PLANS[section]())


def _ladder() -> Iterator[Planned]:
    """Pair by pair, the weakest first: they are soon decided, and leave their time to the others."""
    for weaker, stronger in pairwise(LADDER):
        for name in RULEBOOKS:
            bots = (entrant(stronger), entrant(weaker))
            rules = bp.Rules.load(name)
            test = LADDER_TEST_OF_THREE if rules.sides == 3 and stronger == LADDER[-1] else LADDER_TEST
            yield Planned(f"{name}: {weaker} < {stronger}", rules, bots, LADDER_GOAL, test)


def _oracle() -> Iterator[Planned]:
    best = LADDER[-1]
    for name in OF_ORACLE:
        bots = tuple(entrant(bot) for bot in dict.fromkeys(["novice", best]))
        yield Planned(name, bp.Rules.load(name), (oracle(best), *bots), ORACLE_GOAL)


def _worlds() -> Iterator[Planned]:
    for spec in WORLDS:
        bots = (entrant(spec), entrant(REFERENCE))
        yield Planned(spec, bp.Rules.load(OF_BUDGETS), bots, BUDGET_GOAL)


def _parts() -> Iterator[Planned]:
    for part, spec in PARTS.items():
        yield Planned(part, bp.Rules.load(OF_BUDGETS), (entrant("expert"), entrant(spec)), BUDGET_GOAL)


_PLANS: Final = {"ladder": _ladder, "oracle": _oracle, "worlds": _worlds, "parts": _parts}
