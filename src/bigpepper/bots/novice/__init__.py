"""`novice` (Paprika): a sound player by rules of thumb, in every rulebook, at once and without a search."""

from __future__ import annotations

from dataclasses import dataclass

from bigpepper.actions import Action
from bigpepper.bots.novice.aim import aim
from bigpepper.bots.novice.bidding import call
from bigpepper.bots.novice.follow import follow_suit
from bigpepper.bots.novice.lead import lead
from bigpepper.bots.novice.naming import defends_alone, discard, name
from bigpepper.bots.novice.sight import Sight
from bigpepper.choices import choices
from bigpepper.observation import Observation
from bigpepper.records import AUCTION, DEFENCE, DISCARD, NAMING, View
from bigpepper.rules import Rules


@dataclass(frozen=True, slots=True)
class Novice:
    """Counts likely tricks, bids what the rulebook's scoring and the score of the game make of them, plays by rules."""

    seed: int = 0
    """Of no effect: the same position gives the same action."""

    def act(self, observation: Observation) -> Action:
        """One of the legal actions."""
        observation.require_turn()
        rules, v = observation.rules, observation.view
        if v.legal & (v.legal - 1) == 0:
            return observation.legal[0]
        return choices(rules, v).action(_choose(rules, v))


def _choose(rules: Rules, v: View) -> int:
    """The bit of the choice, in the phase's space."""
    if v.phase == AUCTION:
        return call(rules, v)
    if v.phase == NAMING:
        return name(rules, v)
    if v.phase == DISCARD:
        return discard(rules, v)
    if v.phase == DEFENCE:
        return 0b10 if defends_alone(rules, v) else 0b01
    sight = Sight(rules, v)
    return follow_suit(sight, aim(sight)) if v.best else lead(sight, aim(sight))
