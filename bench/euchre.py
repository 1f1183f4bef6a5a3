"""Whole random rounds beside OpenSpiel's Euchre: decisions and rounds a second, one core, same run.

Dealing is in everybody's time, but no deal counts as a decision. OpenSpiel is asked from Python, as its users do.
"""

from __future__ import annotations

import random
import time
from typing import Any

from bench.report import Figure, rate, ratio, show
from bench.rounds import random_rounds
from bigpepper import Rules, State, jit
from bigpepper.records import Round

RULEBOOK = "pepper-4"


def spiel_rounds(game: Any, rounds: int, rng: random.Random) -> tuple[int, float]:
    """Decisions and seconds of `rounds` random rounds of OpenSpiel's Euchre, deals included."""
    decisions = 0
    begun = time.perf_counter()
    for _ in range(rounds):
        state = game.new_initial_state()
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
    return decisions, time.perf_counter() - begun


def state_rounds(rules: Rules, rounds: int, rng: random.Random) -> tuple[int, float]:
    """Actions and seconds of `rounds` random rounds through `State.legal` and `State.apply`, deals included."""
    actions = 0
    begun = time.perf_counter()
    for i in range(rounds):
        state = State.new(rules, seed=i)
        while not state.is_over:
            legal = state.legal
            state = state.apply(legal[int(rng.random() * len(legal))])
            actions += 1
    return actions, time.perf_counter() - begun


def compiled_rounds(rules: Rules, rounds: int) -> tuple[int, float]:
    """Actions and seconds of `rounds` compiled random rounds, deals included."""
    records, tables = jit.rows(Round, 16), jit.pack([rules.tables])
    begun = time.perf_counter()
    actions = random_rounds(records, tables, rounds, 5)
    return actions, time.perf_counter() - begun


def run() -> None:
    """Measure and print."""
    import pyspiel

    rules, game, rng = Rules.load(RULEBOOK), pyspiel.load_game("euchre"), random.Random(1)
    compiled_rounds(rules, 100)
    per_round: dict[str, float] = {}

    def a_second(name: str, result: tuple[int, float], rounds: int) -> float:
        actions, seconds = result
        per_round[name] = actions / rounds
        return actions / seconds

    theirs = rate(
        "OpenSpiel Euchre, Python loop", "decisions/s", lambda: a_second("spiel", spiel_rounds(game, 4_000, rng), 4_000)
    )
    ours = rate(
        "bigpepper, compiled batch", "decisions/s", lambda: a_second("ours", compiled_rounds(rules, 400_000), 400_000)
    )
    single = rate(
        "bigpepper, State.legal and apply",
        "decisions/s",
        lambda: a_second("state", state_rounds(rules, 1_500, rng), 1_500),
        100_000,
    )

    def rounds(figure: Figure, name: str) -> Figure:
        values = [value / per_round[name] for value in figure.values]
        return figure._replace(values=values, best=max(values), unit="rounds/s", target="", met=None)

    their_rounds, our_rounds = rounds(theirs, "spiel"), rounds(ours, "ours")
    figures = [
        theirs,
        ours,
        ratio("compiled / OpenSpiel, decisions", ours, theirs, 50),
        their_rounds,
        our_rounds,
        ratio("compiled / OpenSpiel, rounds", our_rounds, their_rounds, 50),
        single,
    ]
    show(f"Random rounds of {RULEBOOK}", figures)
