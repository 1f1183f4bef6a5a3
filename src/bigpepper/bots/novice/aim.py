"""What this side plays for: whether a trick helps or hurts, by the contract, the rulebook's scoring and the score."""

from __future__ import annotations

from typing import NamedTuple

from bigpepper.bots.novice.score import outcome
from bigpepper.bots.novice.sight import Sight

_EVEN: float = 1e-9


class Aim(NamedTuple):
    """Whose tricks this side wants."""

    wins: bool
    """Whether the side wants tricks itself; if not, it plays to lose them."""
    fellow: float
    """Worth of a trick to a fellow defender (three players), 0 as bad as one to the maker, 1 as good as an own one."""


def aim(sight: Sight) -> Aim:
    """Compare what the rest of the tricks would be worth in each side's hands."""
    v, rules = sight.v, sight.rules
    mine = _rest_to(sight, sight.seat)
    maker = v.maker
    if rules.tables.sides == 2:
        return Aim(mine >= _rest_to(sight, sight.opponents[0]) - _EVEN, 0.0)
    others = [_rest_to(sight, seat) for seat in sight.opponents]
    if maker == sight.seat:
        return Aim(mine >= min(others) - _EVEN, 0.0)
    to_maker = _rest_to(sight, maker)
    to_fellow = next(_rest_to(sight, seat) for seat in sight.opponents if seat != maker)
    if mine <= to_maker + _EVEN:
        return Aim(mine >= to_maker - _EVEN, 1.0)
    return Aim(True, max(0.0, min(1.0, (to_fellow - to_maker) / (mine - to_maker))))


def _rest_to(sight: Sight, seat: int) -> float:
    v = sight.v
    won = v.won[: sight.rules.players]
    won[seat] += v.left
    return outcome(sight.rules, v, sight.side, v.bid, v.maker, won, v.lone)
