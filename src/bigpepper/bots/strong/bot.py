"""The strong bots themselves."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from bigpepper.actions import Action
from bigpepper.bots.novice import Novice
from bigpepper.bots.strong.before import best_choice, bits_of
from bigpepper.bots.strong.budget import CLUB, EXPERT, Budget
from bigpepper.bots.strong.compiling import prepare as prepare
from bigpepper.bots.strong.play import EVEN, card_values
from bigpepper.bots.strong.telling import least_told
from bigpepper.bots.strong.thought import Thought
from bigpepper.choices import choices
from bigpepper.observation import Observation
from bigpepper.records import PLAY
from bigpepper.solve import Solver


@dataclass(frozen=True, slots=True)
class Strong:
    """Plays for the chance to win the game; what it does depends on the seed, the budget and the observation alone."""

    seed: int = 0
    budget: Budget = field(default=EXPERT, kw_only=True)

    def act(self, observation: Observation) -> Action:
        """One of the legal actions."""
        observation.require_turn()
        v = observation.view
        if v.legal & (v.legal - 1) == 0:
            return observation.legal[0]
        if not (self.budget.plays if v.phase == PLAY else self.budget.calls):
            return Novice().act(observation)
        prepare()
        return choices(observation.rules, v).action(choose(observation, self.seed, self.budget))


def choose(observation: Observation, seed: int, budget: Budget) -> int:
    """The bit of the choice, in the phase's space."""
    thought = Thought.of(observation, seed)
    if thought.v.phase != PLAY:
        return best_choice(thought, _solver(), budget.drawn, budget.calls)
    values = card_values(thought, _solver(), budget)
    best = [bit for bit, value in zip(bits_of(thought.v.legal), values, strict=True) if value >= max(values) - EVEN]
    return least_told(thought, _by_thumb(observation, best))


def _by_thumb(observation: Observation, best: list[int]) -> int:
    """Among cards that are as good as the best: what a player by rules of thumb would take, else the lowest."""
    thumb = choices(observation.rules, observation.view).bit(Novice().act(observation))
    return thumb if thumb in best else best[0]


@cache
def _solver() -> Solver:
    """One for all bots of the process: its tables depend on nobody."""
    return Solver()


def club(
    seed: int = 0,
    *,
    drawn: int = CLUB.drawn,
    calls: int = CLUB.calls,
    plays: int = CLUB.plays,
    weighed: int = CLUB.weighed,
    back: int = CLUB.back,
    own: int = CLUB.own,
) -> Strong:
    """Jalapeño: quick, and better than most at a table. The options are those of `Budget`."""
    return Strong(seed, budget=Budget(drawn, calls, plays, weighed, back, own))


def expert(
    seed: int = 0,
    *,
    drawn: int = EXPERT.drawn,
    calls: int = EXPERT.calls,
    plays: int = EXPERT.plays,
    weighed: int = EXPERT.weighed,
    back: int = EXPERT.back,
    own: int = EXPERT.own,
) -> Strong:
    """Habanero: the strongest. The options are those of `Budget`."""
    return Strong(seed, budget=Budget(drawn, calls, plays, weighed, back, own))
