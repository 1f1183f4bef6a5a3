"""Rounds stepped side by side, with encodings and masks, beside OpenSpiel's Euchre with its information state tensor.

Decisions a second, one core, same run; deals are in everybody's time and count as no decision. OpenSpiel is asked from
Python, as its users do. A step is one decision in one row.
"""

from __future__ import annotations

import random
import time
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from bench.report import Figure, rate, ratio, show
from bigpepper import Rules
from bigpepper.envs.vector import Rounds, new_buffers

RULEBOOK = "pepper-4"
ROWS = 4096
WAYS = (
    ("no encodings, no masks", None, False, 1, 10e6),
    ("compact encodings and masks", np.int8, True, 1, 5e6),
    ("float encodings and masks", np.float32, True, 1, None),
    ("compact encodings and masks, two threads", np.int8, True, 2, None),
)
"""What is measured: name, type of the observations, whether masks are wanted, threads, and the target."""


def batch(n: int, dtype: DTypeLike | None, masks: bool, threads: int = 1) -> Rounds:
    """A batch in which rounds are at all their stages."""
    rules = Rules.load(RULEBOOK)
    env = Rounds(rules, n, seed=1, threads=threads, buffers=new_buffers(rules, n, dtype=dtype, masks=masks))
    for step in range(100):
        env.step(env.sample(step))
    return env


def stepped(env: Rounds, steps: int) -> float:
    """Decisions a second of `step` alone, by the median step: what else the machine does hardly counts."""
    actions, seconds = np.empty(len(env), np.int64), []
    for step in range(steps):
        env.sample(step, actions)
        begun = time.perf_counter()
        env.step(actions)
        seconds.append(time.perf_counter() - begun)
    return len(env) / median(seconds)


def played(env: Rounds, steps: int) -> float:
    """Decisions a second of a whole loop: a random legal action for each row, then `step`."""
    actions = np.empty(len(env), np.int64)
    begun = time.perf_counter()
    for step in range(steps):
        env.step(env.sample(step, actions))
    return steps * len(env) / (time.perf_counter() - begun)


def spiel_with_tensors(game: Any, rounds: int, rng: random.Random) -> float:
    """Decisions a second of random rounds in which each decision asks for tensor and legal actions."""
    decisions = 0
    begun = time.perf_counter()
    for _ in range(rounds):
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                state.information_state_tensor()
                decisions += 1
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
    return decisions / (time.perf_counter() - begun)


def run() -> None:
    """Measure and print."""
    import pyspiel

    game, rng = pyspiel.load_game("euchre"), random.Random(1)
    theirs = rate(
        "OpenSpiel Euchre, tensor and legal actions", "decisions/s", lambda: spiel_with_tensors(game, 500, rng)
    )
    env = batch(ROWS, np.int8, True)
    whole = rate("bigpepper, compact and masks, random policy", "decisions/s", lambda: played(env, 300))
    figures = [theirs, whole, ratio("bigpepper / OpenSpiel", whole, theirs, 30)]
    figures += [alone(*way) for way in WAYS]
    show(f"{ROWS} rounds of {RULEBOOK} side by side, {env.encoder.size} slots", figures)


def alone(name: str, dtype: DTypeLike | None, masks: bool, threads: int, at_least: float | None) -> Figure:
    """The figure of `step` for a batch of its own, so that no two share the processor's cache."""
    env = batch(ROWS, dtype, masks, threads)
    figure = rate(f"step: {name}", "decisions/s", lambda: stepped(env, 300), at_least)
    env.close()
    return figure
