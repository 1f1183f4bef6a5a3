"""OpenSpiel: the game `bigpepper`, registered by importing this module.

>>> import pyspiel
>>> import bigpepper.envs.openspiel
>>> game = pyspiel.load_game("bigpepper(rules=pepper-4)")
>>> state = game.new_initial_state()

Parameters:
- `rules`: the name of a shipped rulebook, or of any other what `rules_parameter` makes of it;
- `episode`: `round` (default) or `game`, which ends after 200 rounds unless the rulebook has a limit of its own;
- `target`: of a game; 0 (default) leaves the rulebook's.

Chance deals card by card, each uniformly among the cards that are left: seat 0's hand, then seat 1's, and so on; what
is left then is the widow and the dead hand. In a round the last seat deals, so that player 0 speaks first; in a game
chance first draws the dealer. Chance's actions are cards' places in the printed deck (or the dealer's seat), players'
actions are places in `rules.actions`.

Utilities, which sum up to zero: the points of a player's side minus the mean of the other sides' (with two sides: minus
the other's), of the round, or of the game's final scores. Partners get the same.

What a player knows (strings, tensors) is made from its Observation alone.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from random import Random
from typing import Any, Final

import pyspiel

from bigpepper.envs.bounds import longest_round, most_points
from bigpepper.envs.episode import EPISODES, rules_of
from bigpepper.envs.position import Position, relived
from bigpepper.envs.rewards import rewards
from bigpepper.envs.settings import one_of
from bigpepper.envs.spielobserver import SpielObserver
from bigpepper.rules import PROGRAM_ROUND_LIMIT, Rules, rulebooks

SHORT_NAME: Final = "bigpepper"
DEFAULTS: Final = {"rules": "pepper-4", "episode": "round", "target": 0}


def game_type(of_games: bool = False) -> pyspiel.GameType:
    """What OpenSpiel is told of the game.

    A whole game has no information state tensor: its rounds, up to 200, make none of a sensible size.
    """
    return pyspiel.GameType(
        short_name=SHORT_NAME,
        long_name="Big Pepper",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=not of_games,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
        default_loadable=True,
        provides_factored_observation_string=True,
    )


def rules_parameter(rules: Rules) -> str:
    """The parameter `rules` for any rulebook: the name of a shipped one, otherwise its TOML in base64."""
    if rules.name in rulebooks() and rules == Rules.load(rules.name):
        return rules.name
    return _ENCODED + urlsafe_b64encode(rules.to_toml().encode()).decode().rstrip("=")


_ENCODED: Final = "toml."


def _rules_of_parameter(text: str) -> Rules:
    if not text.startswith(_ENCODED):
        return rules_of(text)
    code = text.removeprefix(_ENCODED)
    return Rules.from_toml(urlsafe_b64decode(code + "=" * (-len(code) % 4)).decode())


class BigPepperGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel is typed as Any
    """The game, for a rulebook."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**DEFAULTS, **(params or {})}
        self.of_games: bool = one_of("episode", given["episode"], EPISODES) == 1
        self.rules: Rules = _rules_in_force(given["rules"], self.of_games, given["target"])
        super().__init__(game_type(self.of_games), self._info(), params or {})

    def _info(self) -> pyspiel.GameInfo:
        rounds = self._most_rounds()
        return pyspiel.GameInfo(
            num_distinct_actions=len(self.rules.actions),
            max_chance_outcomes=len(self.rules.deck),
            num_players=self.rules.players,
            min_utility=-float(rounds * most_points(self.rules)),
            max_utility=float(rounds * most_points(self.rules)),
            utility_sum=0.0,
            max_game_length=rounds * longest_round(self.rules),
        )

    def _most_rounds(self) -> int:
        return (self.rules.round_limit or PROGRAM_ROUND_LIMIT) if self.of_games else 1

    def max_chance_nodes_in_history(self) -> int:
        """A card each for every seat; in games the dealer too."""
        return self._most_rounds() * self.rules.players * self.rules.cards + int(self.of_games)

    def new_initial_state(self) -> BigPepperState:
        """Before the first card."""
        return BigPepperState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> SpielObserver:
        """What a player sees, as strings and tensors."""
        return SpielObserver(
            self.rules, self.of_games, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params
        )


def _rules_in_force(text: str, of_games: bool, target: int) -> Rules:
    rules = _rules_of_parameter(text)
    if target:
        rules = rules.replace(target=target)
    return rules.for_programs() if of_games else rules


class BigPepperState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel is typed as Any
    """A moment of a round or a game. All of it is one immutable value, `position`."""

    def __init__(self, game: BigPepperGame) -> None:
        super().__init__(game)
        self.position = Position.new(game.rules, game.of_games)

    def current_player(self) -> int:
        """The player to act, or one of OpenSpiel's ids for chance and the end."""
        if self.position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        turn = self.position.turn
        return int(pyspiel.PlayerId.CHANCE) if turn is None else turn

    def is_terminal(self) -> bool:
        """Whether it is all over."""
        return self.position.is_over

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance can do, each with the same probability."""
        legal = self.position.legal
        return [(outcome, 1 / len(legal)) for outcome in legal]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.apply(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.position.chance_text(action)
        return str(self.position.rules.actions[action])

    def returns(self) -> list[float]:
        """The utilities; zeros before the end."""
        rules = self.position.rules
        if not self.position.is_over:
            return [0.0] * rules.players
        by_side = rewards(self.position.scores, "difference")
        return [by_side[rules.side_of(seat)] for seat in range(rules.players)]

    def resample_from_infostate(self, player: int, probability: Callable[[], float]) -> BigPepperState:
        """A state that looks the same to `player`, uniform over the deals and discards that fit (see `worlds`)."""
        state: BigPepperState = self.get_game().new_initial_state()
        for action in relived(self.position, player, Random(int(probability() * 2**53))):
            state.apply_action(action)
        return state

    def __str__(self) -> str:
        return str(self.position)


def resampler(state: BigPepperState, player: int, rng: Random | None = None) -> BigPepperState:
    """For OpenSpiel's search bots: `bot.set_resampler(resampler)`."""
    return state.resample_from_infostate(player, (rng or Random()).random)


pyspiel.register_game(game_type(), BigPepperGame)
