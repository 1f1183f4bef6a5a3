"""Gymnasium: one seat learns, bots play the others. Importing this module registers an environment for each rulebook.

>>> import gymnasium
>>> import bigpepper.envs.gymnasium
>>> env = gymnasium.make("BigPepper/Pepper4-v0", opponents="novice")
>>> observation, info = env.reset(seed=7)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample(observation["action_mask"]))

`gymnasium.make("bigpepper.envs.gymnasium:BigPepper/Pepper4-v0")` does without the import.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces

from bigpepper import bots
from bigpepper.actions import Action
from bigpepper.deal import MASK62
from bigpepper.envs.bounds import most_points
from bigpepper.envs.encode import Encoder, encoder
from bigpepper.envs.episode import Episodes
from bigpepper.envs.render import FRAMES_A_SECOND, RENDER_MODES, checked_mode, rendered, seat_names
from bigpepper.envs.settings import InvalidSetting, one_of
from bigpepper.errors import IllegalAction
from bigpepper.game import Bot
from bigpepper.observation import Observation
from bigpepper.rules import Rules, rulebooks
from bigpepper.text import msg

Opponents: TypeAlias = str | Bot | Sequence[str | Bot]
"""A bot or the name of one, for all other seats; or one for each, from the learner's left on."""

ILLEGAL: Final = ("end", "error")
"""What an action that is not legal does."""


class Table(gymnasium.Env[dict[str, Any], np.int64]):
    """One seat of a round or of a game; the others are played by bots between its turns.

    - `rules`: the name of a shipped rulebook, the TOML of one, or a `Rules`;
    - `episode`: `round` or `game`;
    - `reward`: `points`, `difference` or `win` (see `rewards`): at the end of a round, or in games round by round;
    - `opponents`: bots by name, or objects with `act(observation)`; the partner is one of them. A bot given by name
      is loaded with a seed of its own at each reset with a seed;
    - `seat`: the learner's; the deal goes round from episode to episode;
    - `illegal`: `end` (an action that is not legal ends the episode with the reward `illegal_reward`; `info["illegal"]`
      says why) or `error` (it raises `IllegalAction`). A learner that samples by the mask never meets it;
    - `render_mode`: `human`, `ansi`, `rgb_array`.

    An observation is a dict of `observation` (`float32[size]`, see docs/observations.md) and `action_mask`
    (`int8[actions]`, 1 for what is legal); the mask stands in `info["action_mask"]` too. The actions are the places in
    `rules.actions`. Rounds that end before the learner is asked anything are passed over.

    `reset(seed=…)` begins the same deals on every platform (see `Episodes`); without a seed the next ones. Its options
    are `deal`, `dealer` and `scores`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium declares it so
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_A_SECOND,
    }

    def __init__(
        self,
        rules: Rules | str = "pepper-4",
        episode: str = "round",
        *,
        reward: str = "points",
        opponents: Opponents = "random",
        seat: int = 0,
        illegal: str = "end",
        illegal_reward: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.episodes = Episodes(rules, episode, reward)
        self.rules: Rules = self.episodes.rules
        self.encoder: Encoder = encoder(self.rules)
        self.seat: int = _checked_seat(self.rules, seat)
        self.raises: bool = one_of("illegal", illegal, ILLEGAL) == 1
        self.illegal_reward: float = _dearest(self.rules, reward) if illegal_reward is None else float(illegal_reward)
        self.render_mode = checked_mode(render_mode)
        self._wanted = _each_seat(self.rules, self.seat, opponents)
        self._bots: dict[int, Bot] = {}
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(self.encoder.low, self.encoder.high, dtype=np.float32),
                "action_mask": spaces.Box(0, 1, (self.encoder.actions,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(self.encoder.actions)

    @property
    def sight(self) -> Observation:
        """What the learner may know, as an Observation: what the package's bots act on."""
        return self.episodes.state.observation(self.seat)

    # --- going on ---------------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode and play on to the learner's turn."""
        super().reset(seed=seed)
        if seed is None and not self.episodes.is_begun:
            seed = int(self.np_random.integers(MASK62))
        if seed is not None:
            self._bots = {seat: _loaded(bot, seed * 4 + seat) for seat, bot in self._wanted.items()}
        self.episodes.begin(seed, options)
        self._let_others_play()
        while self.episodes.is_over:
            self.episodes.begin()
            self._let_others_play()
        return self._arrays(), self._info()

    def step(self, action: np.int64 | int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """The learner does the action with this number, and the others play on to his next turn."""
        chosen = self.rules.actions[int(action)]
        if self.episodes.is_over or self.episodes.turn != self.seat:
            raise InvalidSetting(msg("The episode is over: reset the environment."))
        if not self.raises and chosen not in self.sight.legal:
            return self._refused(chosen)
        self.episodes.apply(chosen)
        reward = self.episodes.earned[self.seat] + self._let_others_play()
        return self._arrays(), reward, self.episodes.is_over, False, self._info()

    def _let_others_play(self) -> float:
        """The bots act until it is the learner's turn or all is over; returns what that earned the learner."""
        earned = 0.0
        while not self.episodes.is_over and self.episodes.turn != self.seat:
            seat = self.episodes.turn
            assert seat is not None
            self.episodes.apply(self._bots[seat].act(self.episodes.state.observation(seat)))
            earned += self.episodes.earned[self.seat]
        if self.render_mode == "human":
            self.render()
        return earned

    def _refused(self, action: Action) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """End the episode; nothing has been done."""
        try:
            self.episodes.state.apply(action)
        except IllegalAction as refusal:
            info = {**self._info(), "illegal": str(refusal)}
        arrays = self._arrays()
        self.episodes.abandon()
        return arrays, self.illegal_reward, True, False, info

    def _arrays(self) -> dict[str, Any]:
        sight = self.sight
        return {"observation": self.encoder.encode(sight), "action_mask": self.encoder.mask(sight)}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.encoder.mask(self.sight)}

    # --- showing ----------------------------------------------------------------------------------------------------

    def render(self) -> Any:
        """The learner's table: a picture (`rgb_array`), or sentences returned (`ansi`) or written (`human`)."""
        return rendered(self.sight, seat_names(self.rules.players), self.render_mode)


def _checked_seat(rules: Rules, seat: int) -> int:
    if not 0 <= seat < rules.players:
        raise InvalidSetting(
            msg("The learner is a seat from 0 to {last}, not {seat}.", last=rules.players - 1, seat=seat)
        )
    return seat


def _each_seat(rules: Rules, own: int, opponents: Opponents) -> dict[int, str | Bot]:
    """Seat → the bot wanted there."""
    others = [(own + k) % rules.players for k in range(1, rules.players)]
    wanted = _listed(opponents, len(others))
    if len(wanted) != len(others):
        raise InvalidSetting(
            msg("There are {given} opponents; {n} other seats are to be filled.", given=len(wanted), n=len(others))
        )
    for bot in wanted:
        _loaded(bot, 0)
    return dict(zip(others, wanted, strict=True))


def _listed(opponents: Opponents, others: int) -> list[str | Bot]:
    if isinstance(opponents, str):
        return [opponents] * others
    return list(opponents) if isinstance(opponents, Sequence) else [opponents] * others


def _loaded(bot: str | Bot, seed: int) -> Bot:
    return bots.load(bot, seed=seed) if isinstance(bot, str) else bot


def _dearest(rules: Rules, reward: str) -> float:
    """A reward below that of any round."""
    return -1.0 if reward == "win" else -float(most_points(rules))


# --- registration ---------------------------------------------------------------------------------------------------


def environment_id(rulebook: str) -> str:
    """ "pepper-4" → "BigPepper/Pepper4-v0"."""
    return f"BigPepper/{''.join(part.capitalize() for part in rulebook.split('-'))}-v0"


def register() -> None:
    """Make `gymnasium.make` and `make_vec` know an environment for each rulebook; once is enough."""
    for name in rulebooks():
        if environment_id(name) not in gymnasium.registry:
            gymnasium.register(
                environment_id(name),
                entry_point="bigpepper.envs.gymnasium:Table",
                vector_entry_point="bigpepper.envs.gym_vector:VectorEnv",
                kwargs={"rules": name},
            )


register()
