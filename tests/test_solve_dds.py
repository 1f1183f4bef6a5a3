"""The solver beside bridge DDS (`endplay`), on four-player deals whose cards are renamed to bridge cards."""

from __future__ import annotations

from typing import Any

import pytest

from bigpepper.jit import Rows
from bigpepper.solve import Solver
from bigpepper.solve.solver import values_of
from solve_deals import deals_of

endplay = pytest.importorskip("endplay.types")
dds = pytest.importorskip("endplay.dds")

BATCH = 200


def as_bridge(position: Any) -> Any:
    """A position in strain order as a bridge deal: lane i is the i-th suit, spades (trumps) the top lane."""
    hands = []
    for hand in position["hands"]:
        suits = [
            "".join("23456789"[n] for n in range(7, -1, -1) if int(hand) >> 16 * lane + n & 1) for lane in range(4)
        ]
        hands.append(".".join(reversed(suits)))
    deal = endplay.Deal("N:" + " ".join(hands))
    deal.trump = endplay.Denom.spades if position["trump"] else endplay.Denom.nt
    deal.first = endplay.Player(int(position["turn"]))
    return deal


def dds_values(positions: Rows) -> list[int]:
    """Tricks of the side of seats 0 and 2, by DDS, one thread."""
    values: list[int] = []
    for start in range(0, len(positions), BATCH):
        part = positions[start : start + BATCH]
        for position, solved in zip(
            part, dds.solve_all_boards([as_bridge(p) for p in part], dds.solve.SolveMode.OptimalOne), strict=True
        ):
            tricks = next(iter(solved))[1]
            values.append(tricks if position["turn"] % 2 == 0 else 6 - tricks)
    return values


def check(shape: str, n: int, seed: int) -> None:
    positions = deals_of(shape, n, seed)
    assert values_of(Solver().answers(positions)) == dds_values(positions)


@pytest.mark.parametrize("shape", ["4 × 6", "4 × 6, trump"])
def test_a_sample_equals_bridge_dds(shape: str) -> None:
    check(shape, 400, 11)


@pytest.mark.soak
@pytest.mark.parametrize("shape", ["4 × 6", "4 × 6, trump"])
def test_twenty_thousand_deals_equal_bridge_dds(shape: str) -> None:
    for seed in range(10):
        check(shape, 1000, 100 + seed)
