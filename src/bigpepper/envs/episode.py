"""Episodes: a round, or a game until somebody wins, dealt one after another from a seed, with a reward for every seat.

What `pettingzoo` and `gymnasium` have in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from secrets import randbits
from typing import Any, Final

from bigpepper.actions import Action
from bigpepper.deal import DealStream, Seed
from bigpepper.envs.rewards import rewards
from bigpepper.envs.settings import REWARDS, InvalidSetting, one_of
from bigpepper.game import Game
from bigpepper.rules import Rules, rulebooks
from bigpepper.state import State
from bigpepper.text import msg

EPISODES: Final = ("round", "game")
"""What an episode is."""

OPTIONS: Final = ("deal", "dealer", "scores")
"""What `reset(options=…)` understands: how the (first) round of the episode begins. Other keys are left alone."""


def rules_of(rules: Rules | str) -> Rules:
    """A rulebook from a value, the name of a shipped one, or TOML. Raises `InvalidRules`."""
    if isinstance(rules, Rules):
        return rules
    return Rules.load(rules) if rules in rulebooks() or "=" not in rules else Rules.from_toml(rules)


class Episodes:
    """The episodes of an environment, one at a time. Each is a pure function of rulebook, seed and number.

    Rounds: number k has the deal `DealStream(rules, seed)(k)` and is dealt by the k-th seat from the stream's first
    dealer on. Games: number 0 is `Game.new(rules, seed=seed)`, number k that of the seed "<seed>:<k>"; a game ends
    after 200 rounds unless the rulebook has a limit of its own (rules §5).
    """

    def __init__(self, rules: Rules | str, episode: str = "round", reward: str = "points") -> None:
        self.of_games: bool = one_of("episode", episode, EPISODES) == 1
        self.rules: Rules = rules_of(rules).for_programs() if self.of_games else rules_of(rules)
        """The rulebook in force; for games with the round limit of games that programs play."""
        self.reward: str = REWARDS[one_of("reward", reward, REWARDS)]
        self._seed: Seed | None = None
        self._number = 0
        self._abandoned = False
        self.game: Game | None = None
        """The game, where episodes are games."""
        self._round: State | None = None
        self.earned: list[float] = [0.0] * self.rules.players
        """What the last action earned each seat."""

    # --- where it stands --------------------------------------------------------------------------------------------

    @property
    def is_begun(self) -> bool:
        """Whether there has been a `begin`."""
        return self._round is not None

    @property
    def state(self) -> State:
        """The round being played; the last one when the episode is over. Raises `InvalidSetting` before the first."""
        if self._round is None:
            raise InvalidSetting(msg("Nothing has been dealt yet: reset the environment first."))
        return self._round

    @property
    def turn(self) -> int | None:
        """The seat to act; None when the episode is over."""
        return None if self._abandoned else self.state.turn

    @property
    def is_over(self) -> bool:
        """Whether the episode is over."""
        return self._abandoned or self.state.is_over

    @property
    def seed(self) -> Seed:
        """The seed of the episodes; drawn from the system where nobody gave one."""
        if self._seed is None:
            self._seed = randbits(62)
        return self._seed

    # --- going on ---------------------------------------------------------------------------------------------------

    def begin(self, seed: Seed | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode: number 0 of `seed`; without a seed the next one.

        `options`: `deal` (a Deal), `dealer` (a seat), `scores` (points a side) of its first round, instead of those
        that the seed gives.
        """
        if seed is not None:
            self._seed, self._number = seed, 0
        elif self.is_begun:
            self._number += 1
        self._abandoned = False
        chosen = {key: value for key, value in (options or {}).items() if key in OPTIONS and value is not None}
        self.earned = [0.0] * self.rules.players
        self.game = self._new_game(chosen) if self.of_games else None
        self._round = self.game.state if self.game else self._new_round(chosen)

    def _new_round(self, chosen: Mapping[str, Any]) -> State:
        stream = DealStream(self.rules, self.seed)
        dealer = (stream.first_dealer() + self._number) % self.rules.players
        return State.new(self.rules, **{"deal": stream(self._number), "dealer": dealer, **chosen})

    def _new_game(self, chosen: Mapping[str, Any]) -> Game:
        rules, seed = self.rules, f"{self.seed!s}:{self._number}" if self._number else self.seed
        if "deal" not in chosen:
            return Game.new(rules, seed=seed, **chosen)
        stream, first = DealStream(rules, seed), chosen["deal"]
        others = {"dealer": stream.first_dealer(), **chosen}
        del others["deal"]
        return Game.new(rules, deals=lambda number: stream(number) if number else first, **others)

    def abandon(self) -> None:
        """The episode is over where it stands."""
        self._abandoned = True

    def apply(self, action: Action | str) -> None:
        """The seat to act does `action`. Raises `IllegalAction`."""
        before = self.state
        if self.game is None:
            self._round = before.apply(action)
            self.earned = self._worth(self._round.points) if self._round.is_over else [0.0] * self.rules.players
            return
        rounds = len(self.game.rounds)
        self.game = self.game.apply(action)
        self._round = self.game.state
        self.earned = self._earned_in_game(self.game, len(self.game.rounds) > rounds)

    def _earned_in_game(self, game: Game, round_ended: bool) -> list[float]:
        """Points and differences are earned round by round and add up to the final ones; a win at the end."""
        if self.reward != "win":
            return self._worth(game.rounds[-1].points) if round_ended else [0.0] * self.rules.players
        won = [int(side in game.winners) for side in range(self.rules.sides)]
        return self._worth(tuple(won))

    def _worth(self, points: tuple[int, ...] | None) -> list[float]:
        assert points is not None
        by_side = rewards(points, self.reward)
        return [by_side[self.rules.side_of(seat)] for seat in range(self.rules.players)]
