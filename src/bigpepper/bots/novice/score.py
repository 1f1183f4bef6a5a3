"""What an outcome is worth: the chance to win the game from the score it leads to, scored by the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import erf, exp, sqrt
from typing import Final

from bigpepper import kernel
from bigpepper.jit import count
from bigpepper.records import Public, Round
from bigpepper.rules import Rules

_MOST_OUTCOMES: Final = 50_000


def outcome(rules: Rules, v: Public, side: int, bid: int, maker: int, won: Sequence[int], lone: int = -1) -> float:
    """Worth for `side`, 0 to 1, of ending this round with `won` tricks a seat under that contract."""
    known: dict[object, float] = rules.memo.setdefault("novice outcomes", {})
    key = (side, bid, maker, lone, *won, *v.scores)
    found = known.get(key)
    if found is None:
        if len(known) >= _MOST_OUTCOMES:
            known.clear()
        r = Round()
        r.scores[:] = v.scores
        r.bid, r.maker, r.lone = bid, maker, lone
        r.won[: len(won)] = won
        kernel.score(r, rules.tables)
        found = known[key] = _worth(rules, r, side)
    return found


def standing(rules: Rules, v: Public, side: int) -> float:
    """Worth of the score as it is, when the round is thrown in."""
    r = Round()
    r.scores[:] = v.scores
    return _hopes(rules, r.scores)[side]


def _worth(rules: Rules, r: Round, side: int) -> float:
    winners = kernel.winners(r, rules.tables, 0)
    if winners:
        return (winners >> side & 1) / count(winners)
    return _hopes(rules, [a + b for a, b in zip(r.scores, r.points, strict=True)])[side]


def _hopes(rules: Rules, scores: Sequence[int]) -> list[float]:
    """Each side's chance to win, by how much it lacks of the target and how many rounds that may take."""
    need = [max(1, rules.target - score) for score in scores[: rules.sides]]
    swing = swing_of(rules)
    scale = 0.8 * swing * sqrt(max(1.0, min(need) / (0.6 * swing)))
    least = min(need)
    weights = [exp((least - lack) / scale) for lack in need]
    return [weight / sum(weights) for weight in weights]


def swing_of(rules: Rules) -> float:
    """Points that a bid brings when it is just made, the mean of the ladder; at least 1."""
    known: float | None = rules.memo.get("novice swing")
    if known is None:
        points = [rung.made.points(rung.tricks) + rung.made.each * rung.tricks for rung in rules.ladder]
        known = rules.memo["novice swing"] = max(1.0, sum(points) / len(points))
    return known


def chances(mean: float, spread: float, most: int) -> tuple[float, ...]:
    """How likely 0, 1, … `most` tricks are: a bell around `mean`, cut at both ends."""
    return _chances(round(20 * mean), round(20 * spread), most)


@lru_cache(maxsize=20_000)
def _chances(mean: int, spread: int, most: int) -> tuple[float, ...]:
    below = [0.0, *(_bell((20 * (k - 0.5) - mean) / max(1, spread)) for k in range(1, most + 1)), 1.0]
    return tuple(high - low for low, high in pairwise(below))


def _bell(x: float) -> float:
    return 0.5 * (1 + erf(x / sqrt(2)))
