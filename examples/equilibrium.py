"""OpenSpiel's CFR+ finds an equilibrium of the tiny rulebook. About half a minute.

python examples/equilibrium.py             60 iterations
python examples/equilibrium.py --short     3 iterations: to see that it runs
"""

from __future__ import annotations

import argparse
from typing import Any

import pyspiel

import bigpepper.envs.openspiel


def openings(game: Any, policy: Any) -> dict[str, dict[str, float]]:
    """What the player who speaks first says, with which chance, by hand."""
    found: dict[str, dict[str, float]] = {}
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_chance_node():
            waiting += [state.child(card) for card in state.legal_actions()]
            continue
        hand = " ".join(str(card) for card in state.position.round.hand(0))
        chances = policy.action_probabilities(state)
        found[hand] = {state.action_to_string(action): chance for action, chance in sorted(chances.items())}
    return found


def main(arguments: list[str] | None = None) -> float:
    """Solve and print; returns the exploitability in points a round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="only a few iterations")
    iterations = 3 if parser.parse_args(arguments).short else 60
    game = pyspiel.load_game(f"{bigpepper.envs.openspiel.SHORT_NAME}(rules=tiny)")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    policy = solver.tabular_average_policy()
    exploitability = float(pyspiel.nash_conv(game, policy)) / 2
    print(f"After {iterations} iterations the exploitability is {exploitability:.5f} points a round.")
    print("The player who speaks first:")
    for hand, chances in sorted(openings(game, policy).items()):
        print(f"  {hand}: " + ", ".join(f"{action} {chance:.0%}" for action, chance in chances.items()))
    return exploitability


if __name__ == "__main__":
    main()
