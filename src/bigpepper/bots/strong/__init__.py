"""`club` (Jalapeño) and `expert` (Habanero): worlds, weighed by what the others did, and the exact solver in each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache


from bigpepper.actions import Action
from bigpepper.bots.novice import Novice
from bigpepper.bots.strong.before import best_choice, bits_of
from bigpepper.bots.strong.budget import CLUB, EXPERT, Budget
from bigpepper.bots.strong.play import EVEN, card_values
from bigpepper.bots.strong.thought import Thought
from bigpepper.choices import choices
from bigpepper.observation import Observation
from bigpepper.records import PLAY
from bigpepper.solve import Solver


@cache
def _solver() -> Solver:
    """One for all bots of the process: its tables depend on nobody."""
    return Solver()


@dataclass(frozen=True, slots=True)
class Strong:
    """Plays for the chance to win the game."""

    seed: int = 0
    budget: Budget = field(default=EXPERT, kw_only=True)

    def act(self, observation: Observation) -> Action:
        """One of the legal actions."""
        v = observation.view
        if v.legal & (v.legal - 1) == 0:
            return observation.legal[0]
        if not (self.budget.plays if v.phase == PLAY else self.budget.calls):
            return Novice().act(observation)
        return choices(observation.rules, v).action(self.choose(observation))

    def choose(self, observation: Observation) -> int:
        """The bit of the choice, in the phase's space."""
        thought = Thought.of(observation, self.seed)
        if thought.v.phase != PLAY:
            return best_choice(thought, _solver(), self.budget.drawn, self.budget.calls)
        values = card_values(thought, _solver(), self.budget)
        return self._of_the_best(observation, bits_of(thought.v.legal), list(values))

    def _of_the_best(self, observation: Observation, bits: list[int], values: list[float]) -> int:
        """Among cards that are as good as the best: what a player by rules of thumb would take, else the lowest."""
        best = [bit for bit, value in zip(bits, values, strict=True) if value >= max(values) - EVEN]
        thumb = choices(observation.rules, observation.view).bit(Novice().act(observation))
        return thumb if thumb in best else best[0]


def club(seed: int = 0, **budget: int) -> Strong:
    """Jalapeño: quick, and better than most at a table. The options are those of `Budget`."""
    return Strong(seed, budget=replace(CLUB, **budget))


def expert(seed: int = 0, **budget: int) -> Strong:
    """Habanero: the strongest. The options are those of `Budget`."""
    return Strong(seed, budget=replace(EXPERT, **budget))
