"""A tournament of an agent of one's own against the package's bots, at PettingZoo's table. About a minute.

    python examples/tournament.py              300 deals, each played twice with seats swapped
    python examples/tournament.py --short      a few seconds: to see that it runs

Whatever has `act(observation)` can play; `Careful` below is a start of one's own.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from statistics import mean, stdev

from rich.console import Console
from rich.table import Table

import bigpepper as bp
from bigpepper.envs.pettingzoo import env


@dataclass(frozen=True)
class Careful:
    """Bids one trick for each ace and jack he holds, names the suit he holds most of, leads high and follows low."""

    def act(self, observation: bp.Observation) -> bp.Action:
        """One of the legal actions."""
        if observation.phase is bp.Phase.AUCTION:
            return self.call(observation)
        if observation.phase is bp.Phase.NAMING:
            return max(observation.legal, key=lambda action: self.held(observation, action))
        return observation.legal[0 if observation.trick else -1]

    def call(self, observation: bp.Observation) -> bp.Action:
        """The lowest bid that is legal, when the hand is good for it."""
        tricks = sum(card.rank in ("A", "J") for card in observation.hand)
        bids = [action for action in observation.legal if isinstance(action, bp.Bid)]
        promised = {rung.name: rung.tricks for rung in observation.rules.ladder}
        return bids[0] if bids and promised[bids[0].name] <= tricks else observation.legal[0]

    def held(self, observation: bp.Observation, action: bp.Action) -> int:
        """Cards held of the suit that an action names; no-trump and going alone are not for the careful."""
        if not isinstance(action, bp.Name) or action.alone or action.strain.suit is None:
            return -1
        return sum(card.suit is action.strain.suit for card in observation.hand)


def play_round(rules: bp.Rules, bots: list[bp.Bot], seed: int) -> float:
    """One round; the difference of points for the side of seat 0."""
    table = env(rules=rules, reward="difference")
    table.reset(seed=seed)
    difference = 0.0
    for agent in table.agent_iter():
        _, reward, over, _, _ = table.last()
        seat = table.unwrapped.possible_agents.index(agent)
        difference += reward if seat == 0 else 0
        choice = None if over else bots[seat].act(table.unwrapped.sight(agent))
        table.step(None if choice is None else rules.number_of[choice])
    return difference


def duel(rules: bp.Rules, one: bp.Bot, other: bp.Bot, deals: int) -> list[float]:
    """What `one` wins a deal, each played twice with seats swapped: luck of the cards cancels out."""
    straight = [(one, other)[rules.side_of(seat)] for seat in range(rules.players)]
    swapped = [(other, one)[rules.side_of(seat)] for seat in range(rules.players)]
    return [(play_round(rules, straight, seed) - play_round(rules, swapped, seed)) / 2 for seed in range(deals)]


def main(arguments: list[str] | None = None) -> dict[str, float]:
    """Play and print the table; returns the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="only a few deals")
    parser.add_argument("--rules", default="pepper-4", help="a rulebook for two or four players")
    chosen = parser.parse_args(arguments)
    rules, deals = bp.Rules.load(chosen.rules), 15 if chosen.short else 300
    table, means = Table(title=f"Careful in {rules.name}, {deals} deals, both ways"), {}
    for heading in ("against", "points a round", "95 % interval"):
        table.add_column(heading, justify="left" if heading == "against" else "right")
    for name in ("random", "first", "novice"):
        won = duel(rules, Careful(), bp.bots.load(name, seed=1), deals)
        half = 1.96 * stdev(won) / deals**0.5
        means[name] = mean(won)
        table.add_row(name, f"{means[name]:+.2f}", f"{means[name] - half:+.2f} … {means[name] + half:+.2f}")
    Console().print(table)
    return means


if __name__ == "__main__":
    main()
