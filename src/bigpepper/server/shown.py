"""Whether an action showed anything: whether anybody knows a card after it that he did not know before."""

from __future__ import annotations

from bigpepper.cards import Card
from bigpepper.observation import Observation
from bigpepper.public import Phase
from bigpepper.state import State


def shows_cards(before: State, after: State) -> bool:
    """Whether the action between two states showed a card, or who holds one, to anybody.

    A call, a name and a discard do not; a card played does, and so does what ends the auction where the maker takes
    the widow, and what ends the round.
    """
    if after.is_over or before.phase is Phase.PLAY:
        return True
    seats = (*range(after.rules.players), None)
    return any(
        (now := _known(after.observation(seat))) and now - _known(before.observation(seat))  # often nothing is known
        for seat in seats
    )


def _known(seen: Observation) -> set[Card | str]:
    """What a viewer can place before any card is played, besides the hand that he was dealt.

    Who has to bid on the Joker shows it (rules §3).
    """
    cards: set[Card | str] = set()
    if seen.widow:
        cards.add(seen.widow)
    if seen.view.joker_seat >= 0:
        cards.add("the Joker's holder")
    return cards
