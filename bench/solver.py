"""The exact solver beside bridge DDS (endplay), one core, same run.

endplay solves the same deals, renamed to bridge cards, in batches of 200 with `OptimalOne`: one best card and its
tricks. Making its deal objects is left out of its time; from Python to its answer is in. Ours is `Solver.answers`.
A batch of DDS spreads over all cores by itself: it is held to one thread (`SetMaxThreads(1)`), for solving boards and
for `calc_all_tables`, as ours is. Only the line "two threads" uses two.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from bench.report import Figure, rate, ratio, show
from bigpepper import Rules, Strain
from bigpepper.deal import shuffle
from bigpepper.jit import Rows, pack, rows
from bigpepper.kernel import strain_order
from bigpepper.records import Round
from bigpepper.solve import Position, Search, Solver
from bigpepper.solve.before import LEADERS
from bigpepper.solve.board import Answer
from bigpepper.solve.values import answer_all

BATCH = 200
DEALS = 4_000
STRAINS = tuple(Strain)


def first_leads(name: str, strain: Strain, n: int, seed: int = 1) -> Rows:
    """`n` random deals, led to by the seats in turn, seat 0 a maker, a trick worth one."""
    rules = Rules.load(name)
    return pack([first_lead(rules, strain, dealt(rules, seed, i), i % rules.players) for i in range(n)])


def dealt(rules: Rules, seed: int, i: int) -> Round:
    """The i-th random deal."""
    r = Round()
    shuffle(r, rules.tables, seed * 1_000_003 + i)
    return r


def first_lead(rules: Rules, strain: Strain, deal: Round, leader: int) -> Position:
    """One deal under one strain, before the first lead."""
    t, s = rules.tables, STRAINS.index(strain)
    p = Position()
    p.hands[:] = [strain_order(t, s, hand) for hand in deal.dealt]
    p.players, p.playing, p.turn, p.winner = rules.players, (1 << rules.players) - 1, leader, -1
    p.makers, p.trump = 0b0101 if rules.partners else 1, t.trump[s]
    p.payoff[:] = range(9)
    return p


def solves(positions: Rows, threads: int = 1) -> Callable[[], float]:
    """Positions a second, on a fresh Solver each time."""

    def run() -> float:
        solver = Solver()
        begun = time.perf_counter()
        solver.answers(positions, threads=threads)
        return len(positions) / (time.perf_counter() - begun)

    return run


def nodes(name: str, positions: Rows, at_most: float | None = None) -> Figure:
    """Card decisions a deal."""
    mean = float(Solver().answers(positions)["nodes"].mean())
    return Figure(name, [], "nodes", mean, f"≤ {at_most}" if at_most else "", mean <= at_most if at_most else None)


# --- the peer -------------------------------------------------------------------------------------------------------


def hold_to_one_thread() -> None:
    """DDS takes as many threads as there are cores, unless it is told."""
    from endplay import _dds

    _dds.SetMaxThreads(1)


def as_bridge(position: Any) -> Any:
    """A four-player position as a bridge deal: lane i of strain order is a suit, the top lane spades."""
    from endplay.types import Deal, Denom, Player

    hands = []
    for hand in position["hands"]:
        lanes = [int(hand) >> 16 * lane & 0xFF for lane in (3, 2, 1, 0)]
        hands.append(".".join("".join("98765432"[n] for n in range(8) if lane << n & 0x80) for lane in lanes))
    deal = Deal("N:" + " ".join(hands))
    deal.trump, deal.first = Denom.spades if position["trump"] else Denom.nt, Player(int(position["turn"]))
    return deal


def peer_solves(positions: Rows) -> Callable[[], float]:
    """Deals a second by DDS, in batches."""
    from endplay.dds import solve_all_boards
    from endplay.dds.solve import SolveMode

    deals = [as_bridge(position) for position in positions[:1_000]]

    def run() -> float:
        begun = time.perf_counter()
        for start in range(0, len(deals), BATCH):
            solve_all_boards(deals[start : start + BATCH], SolveMode.OptimalOne)
        return len(deals) / (time.perf_counter() - begun)

    return run


def peer_tables(positions: Rows) -> Callable[[], float]:
    """Tables of all leaders and strains a second by DDS (its values on six-card hands are another matter)."""
    from endplay.dds import calc_all_tables

    deals = [as_bridge(position) for position in positions[:200]]

    def run() -> float:
        begun = time.perf_counter()
        for start in range(0, len(deals), 40):
            calc_all_tables(deals[start : start + 40])
        return len(deals) / (time.perf_counter() - begun)

    return run


# --- whole tables, set-up, compiling --------------------------------------------------------------------------------


def tables(n: int) -> Callable[[], float]:
    """Deals a second, all 20 values of each: 4 leaders × 5 strains, in the order of `deal_table`."""
    rules = Rules.load("pepper-4")
    deals = [dealt(rules, 1, i) for i in range(n)]
    leads = [first_lead(rules, strain, deal, seat) for deal in deals for strain in STRAINS for seat in LEADERS[4]]
    run = solves(pack(leads))
    return lambda: run() / 20


def set_up_time() -> float:
    """Seconds for an empty question: a position in which one card is left to everybody, set-up included."""
    positions = first_leads("pepper-4", Strain.NO_TRUMP, 20_000)
    for position in positions:
        position["hands"] = [int(hand) & -int(hand) for hand in position["hands"]]
    answers, searches = rows(Answer, len(positions)), rows(Search, 1)
    answer_all(positions, answers, searches, 0)
    begun = time.perf_counter()
    answer_all(positions, answers, searches, 0)
    return (time.perf_counter() - begun) / len(positions)


_FIRST_CALL = """
import time
from bigpepper.jit import rows
from bigpepper.solve import Answer, Position, Search
from bigpepper.solve.values import answer_all
import numba
begun = time.perf_counter()
answer_all(rows(Position, 1), rows(Answer, 1), rows(Search, 1), 0)
print(time.perf_counter() - begun)
"""


def compile_times() -> list[Figure]:
    """Seconds of the first call in a process, Numba imported before, with an empty cache and with a filled one."""
    cold, warm = list[float](), list[float]()
    for _ in range(5):
        with tempfile.TemporaryDirectory() as cache:
            environment = {**os.environ, "BIGPEPPER_CACHE": cache}
            for seconds in (cold, warm):
                seconds.append(float(subprocess.check_output([sys.executable, "-c", _FIRST_CALL], env=environment)))
    return [
        Figure("first call, nothing compiled", cold, "s", min(cold), "≤ 8", min(cold) <= 8),
        Figure("first call, compiled before", warm, "s", min(warm), "≤ 0.5", min(warm) <= 0.5),
    ]


def run() -> None:
    """Measure and print."""
    hold_to_one_thread()
    shapes = {
        (name, kind): first_leads(name, strain, DEALS)
        for name in ("pepper-4", "pepper-3", "pepper-2")
        for kind, strain in (("no trump", Strain.NO_TRUMP), ("trump", Strain.HEARTS))
    }
    Solver().answers(shapes["pepper-4", "trump"][:10])
    figures = []
    for kind, times, most in (("no trump", 18, 290), ("trump", 12, 480)):
        positions = shapes["pepper-4", kind]
        ours = rate(f"4 × 6, {kind}", "solves/s", solves(positions))
        peer = rate(f"endplay, OptimalOne, {kind}", "solves/s", peer_solves(positions))
        figures += [ours, nodes(f"4 × 6, {kind}", positions, most), peer, ratio("ours / endplay", ours, peer, times)]
        for name, shape, least in (("pepper-3", "3 × 8", 0.6), ("pepper-2", "2 × 8", 2.0)):
            other = rate(f"{shape}, {kind}", "solves/s", solves(shapes[name, kind]))
            figures += [other, nodes(f"{shape}, {kind}", shapes[name, kind]), ratio("/ 4 × 6", other, ours, least)]
    both = rate("4 × 6, trump, two threads", "solves/s", solves(shapes["pepper-4", "trump"], 2))
    one = rate("4 × 6, trump, one thread", "solves/s", solves(shapes["pepper-4", "trump"]))
    all_values = rate("all 20 values of a deal", "deals/s", tables(400))
    peer = rate("endplay, calc_all_tables", "deals/s", peer_tables(shapes["pepper-4", "no trump"]))
    figures += [both, ratio("two threads / one", both, one, 1.6)]
    figures += [all_values, peer, ratio("ours / endplay", all_values, peer, 5)]
    seconds = set_up_time()
    figures.append(Figure("set-up of a position", [], "s", seconds, "≤ 1e-06", seconds <= 1e-6))
    show("The exact solver", figures + compile_times())


if __name__ == "__main__":
    run()
