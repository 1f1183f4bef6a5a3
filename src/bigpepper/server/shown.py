"""Whether an action showed anything: whether anybody knows a card after it that he did not know before."""

from __future__ import annotations

from bigpepper.actions import Play
from bigpepper.cards import Card
from bigpepper.observation import Observation
from bigpepper.state import State


def shows_cards(before: State, after: State) -> bool:
    """Whether the action between two states showed a card, or who holds one, to anybody.

    A call, a name and a discard do not; a card played does, and so does what ends the auction where the maker takes
    the widow, and what ends the round.
    """
    if after.is_over:
        return True
    seats = (*range(after.rules.players), None)
    return any(_known(after.observation(seat)) - _known(before.observation(seat)) for seat in seats)


def _known(seen: Observation) -> set[Card | str]:
    """The cards that a viewer can place; the holder of the Joker who has to bid shows it (rules §3)."""
    cards: set[Card | str] = {
        *seen.dealt,
        *(turn.action.card for turn in seen.history if isinstance(turn.action, Play)),
    }
    if seen.widow:
        cards.add(seen.widow)
    if seen.view.joker_seat >= 0:
        cards.add("the Joker's holder")
    return cards
