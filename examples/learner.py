"""A small learner that beats `random` in Pepper for two, with its learning curve drawn. About two minutes.

    python examples/learner.py                 writes learner.png
    python examples/learner.py --short         a few seconds: to see that it runs

Monte-Carlo control: one network (scikit-learn's MLPRegressor) guesses, from an observation and an action, how the round
will end for the learner. It plays what it thinks best, sometimes something else, and is fitted to what came of it.
The rounds are those of `bigpepper.envs.vector`: many at once, dealt anew when they end.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final, NamedTuple

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray
from sklearn.neural_network import MLPRegressor

import bigpepper as bp
from bigpepper.envs.vector import Rounds, new_buffers

ROWS: Final = 512
"""Rounds played side by side."""
EXPLORE: Final = 0.1
"""How often something else than the best is tried, at least; at first always."""
UNIT: Final = 10.0
"""Points that the network counts as 1."""


class Decisions(NamedTuple):
    """What was seen and done, and what came of it."""

    inputs: NDArray[np.float32]
    outcomes: NDArray[np.float32]


class Learner:
    """The network, and how it acts."""

    def __init__(self, rules: bp.Rules, seed: int) -> None:
        self.actions = np.eye(len(rules.actions), dtype=np.float32)
        self.network = MLPRegressor(hidden_layer_sizes=(128,), learning_rate_init=0.002, alpha=1e-4, random_state=seed)
        self.dice = np.random.default_rng(seed)
        self.is_blank = True

    def inputs(self, observations: NDArray[Any], actions: NDArray[Any]) -> NDArray[np.float32]:
        """What the network is given: observations beside actions, one hot."""
        return np.hstack([observations, self.actions[actions]])

    def best(self, rounds: Rounds) -> NDArray[np.int64]:
        """For each row the legal action that promises most."""
        row, action = np.nonzero(rounds.masks)
        promise = np.full(rounds.masks.shape, -np.inf)
        promise[row, action] = self.network.predict(self.inputs(rounds.observations[row], action))
        best: NDArray[np.int64] = promise.argmax(axis=1)
        return best

    def act(self, rounds: Rounds, explore: float) -> NDArray[np.int64]:
        """The best action, or sometimes any legal one."""
        other = rounds.sample(int(self.dice.integers(2**60)))
        if self.is_blank:
            return other
        return np.where(self.dice.random(len(rounds)) < explore, other, self.best(rounds))

    def learn(self, decisions: Decisions) -> None:
        """Fit the network to what came of its decisions."""
        order = self.dice.permutation(len(decisions.outcomes))
        self.network.partial_fit(decisions.inputs[order], decisions.outcomes[order])
        self.is_blank = False


def rounds_against_random(rules: bp.Rules, seed: int, rows: int = ROWS) -> Rounds:
    """Rounds in which seat 0 learns."""
    buffers = new_buffers(rules, rows, dtype=np.float32)
    return Rounds(rules, rows, seed=seed, reward="difference", buffers=buffers, learner=0)


def gather(learner: Learner, rounds: Rounds, steps: int, explore: float) -> Decisions:
    """Play `steps` decisions in every row; those of rounds that have ended, with their ends."""
    inputs, rewards, dones = [], [], []
    for _ in range(steps):
        actions = learner.act(rounds, explore)
        inputs.append(learner.inputs(rounds.observations, actions))
        rounds.step(actions)
        rewards.append(rounds.rewards[:, 0].copy())
        dones.append(rounds.dones.copy())
    outcomes = np.full((steps, len(rounds)), np.nan, np.float32)
    end = np.full(len(rounds), np.nan, np.float32)
    for step in reversed(range(steps)):
        end = np.where(dones[step], rewards[step] / UNIT, end)
        outcomes[step] = end
    known = ~np.isnan(outcomes)
    return Decisions(np.stack(inputs)[known], outcomes[known])


def measure(learner: Learner, rules: bp.Rules, least: int) -> tuple[float, float]:
    """Mean difference of points a round against `random`, on deals it has not learned from; and its standard error."""
    rounds = rounds_against_random(rules, seed=987_654, rows=256)
    ends: list[float] = []
    while len(ends) < least:
        rounds.step(rounds.sample(len(ends)) if learner.is_blank else learner.best(rounds))
        ends += rounds.rewards[rounds.dones, 0].tolist()
    return float(np.mean(ends)), float(np.std(ends) / np.sqrt(len(ends)))


def learn(rules: bp.Rules, turns: int, steps: int, least: int) -> list[tuple[int, float, float]]:
    """The learning curve: rounds played, mean difference, standard error."""
    learner, rounds = Learner(rules, seed=1), rounds_against_random(rules, seed=1)
    played, curve = 0, [(0, *measure(learner, rules, least))]
    for turn in range(turns):
        decisions = gather(learner, rounds, steps, explore=max(EXPLORE, 0.5 - turn / turns))
        learner.learn(decisions)
        played = sum(rounds.episode(row) for row in range(len(rounds)))
        curve.append((played, *measure(learner, rules, least)))
        print(f"{played:7d} rounds: {curve[-1][1]:+.2f} ± {1.96 * curve[-1][2]:.2f} points a round against random")
    return curve


def draw(curve: list[tuple[int, float, float]], path: Path) -> None:
    """Draw the learning curve."""
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    played, mean, error = (np.array(column) for column in zip(*curve, strict=True))
    figure, axes = plt.subplots(figsize=(8, 4.5), facecolor="#f6f1e7", layout="constrained")
    axes.set_facecolor("#f6f1e7")
    axes.fill_between(played, mean - 1.96 * error, mean + 1.96 * error, color="#1e1b18", alpha=0.15, linewidth=0)
    axes.plot(played, mean, color="#1e1b18", linewidth=1.8)
    axes.axhline(0, color="#cdc3af", linewidth=1)
    axes.set_xlabel("rounds played")
    axes.set_ylabel("points a round, own minus the other's")
    axes.set_title("A learner against random, Pepper for two", loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> float:
    """Learn, print and draw; returns the last mean."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="only a few rounds")
    parser.add_argument("--plot", type=Path, default=Path("learner.png"), help="where the curve is drawn")
    chosen = parser.parse_args(arguments)
    turns, steps, least = (3, 20, 300) if chosen.short else (40, 64, 4000)
    curve = learn(bp.Rules.load("pepper-2"), turns, steps, least)
    draw(curve, chosen.plot)
    return curve[-1][1]


if __name__ == "__main__":
    main()
