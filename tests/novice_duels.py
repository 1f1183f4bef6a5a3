"""How `novice` does against the simplest opponents, and how novices bid among themselves.

    python tests/novice_duels.py [--rules pepper-4 …] [--against random first simple] [--deals 400] [--games 60]

prints points a round and games won in the arena against each opponent, with 95 % intervals, times, and habits.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import click

from bigpepper.actions import Action, Bid, Play
from bigpepper.arena import duel
from bigpepper.arena.entrants import Entry
from bigpepper.bots.novice import Novice
from bigpepper.deal import DealStream
from bigpepper.game import Bot, Game
from bigpepper.observation import Observation
from bigpepper.rules import Rules, rulebooks
from bigpepper.state import State


@dataclass(frozen=True)
class Simple:
    """Makes the lowest legal bid and plays its highest legal card, by printed rank."""

    seed: int = 0

    def act(self, observation: Observation) -> Action:
        """One of the legal actions."""
        legal = observation.legal
        plays = [action for action in legal if isinstance(action, Play)]
        if plays:
            return max(plays, key=lambda play: ("9TJQKA".find(play.card.rank) if play.card.rank else 99, play.card))
        bids = [action for action in legal if isinstance(action, Bid)]
        return bids[0] if bids else legal[0]


def opponent(name: str) -> Entry:
    """An opponent for a duel: a bot's name, or `simple`."""
    return Simple if name == "simple" else name


def play_game(rules: Rules, table: Sequence[Bot], seed: str) -> Game:
    """A whole game."""
    game = Game.new(rules, seed=seed)
    while not game.is_over:
        assert game.state.turn is not None
        game = game.apply(table[game.state.turn].act(game.state.observation(game.state.turn)))
    return game


# --- how novices bid among themselves -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Habits:
    """What happened in a number of games."""

    games: int
    rounds: list[State]

    def __str__(self) -> str:
        played = [state for state in self.rounds if not state.thrown_in]
        bids = Counter(str(state.contract) for state in played)
        made = Counter(str(state.contract) for state in played if is_made(state))
        each = ", ".join(
            f"{bid} {n} ({100 * made[bid] / n:.0f}%)" for bid, n in sorted(bids.items(), key=lambda x: -x[1])
        )
        score = sum((s.points_of(s.maker) or 0) for s in played if s.maker is not None) / max(1, len(played))
        alone = sum(state.lone is not None for state in played)
        return (
            f"{len(self.rounds) / self.games:.1f} rounds a game, {len(self.rounds) - len(played)} thrown in, "
            f"made {100 * sum(made.values()) / max(1, len(played)):.0f}%, makers {score:+.2f}, alone {alone}; {each}"
        )


def is_made(state: State) -> bool:
    """Whether the makers reached their contract."""
    assert state.maker is not None
    assert state.contract is not None
    rules, maker = state.rules, state.maker
    took = sum(n for seat, n in enumerate(state.tricks_won) if rules.side_of(seat) == rules.side_of(maker))
    return took >= rules.ladder[rules.bids.index(state.contract)].tricks


def habits(rules: Rules, bot: Bot, games: int, seed: str) -> Habits:
    """Games of one bot with itself."""
    rules = rules.for_programs()
    rounds: list[State] = []
    for i in range(games):
        rounds += play_game(rules, [bot] * rules.players, f"{seed} {i}").rounds
    return Habits(games, rounds)


def times(rules: Rules, bot: Bot, rounds: int, seed: str) -> list[float]:
    """Seconds of computing that each decision took, rising; other scores in every round."""
    taken = []
    stream = DealStream(rules, seed)
    for i in range(rounds):
        scores = [7 * (i + 1) * (side + 1) % rules.target for side in range(rules.sides)]
        state = State.new(rules, deal=stream(i), dealer=i % rules.players, scores=scores)
        while state.turn is not None:
            seen = state.observation(state.turn)
            start = time.thread_time()
            action = bot.act(seen)
            taken.append(time.thread_time() - start)
            state = state.apply(action)
    return sorted(taken)


def main() -> None:
    """Print a line for each rulebook and opponent."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rules", nargs="*", default=[name for name in rulebooks() if name != "tiny"])
    parser.add_argument("--against", nargs="*", default=["random", "first", "simple"])
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--games", type=int, default=40)
    given = parser.parse_args()
    for name in given.rules:
        rules = Rules.load(name)
        taken = times(rules, Novice(), 60, "times")
        click.echo(
            f"{name}: mean {1e3 * sum(taken) / len(taken):.2f} ms, p99 {1e3 * taken[len(taken) * 99 // 100]:.2f} ms, "
            f"most {1e3 * taken[-1]:.2f} ms"
        )
        click.echo(f"  itself: {habits(rules, Novice(), given.games, 'habits')}")
        for other in given.against:
            result = duel(rules, ("novice", opponent(other)), deals=given.deals, games=given.games, seed="duels")
            click.echo(f"  {other:8} points {result.points}   games {result.games_won}")


if __name__ == "__main__":
    main()
