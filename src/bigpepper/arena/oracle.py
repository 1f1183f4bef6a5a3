"""The oracle: a measuring device that sees all cards. It is no bot, and `bots.load` cannot find it.

It is the one stated exception to the invariant that whatever decides for a seat gets an Observation: it calls, names
and discards as a given bot, from what that bot may see, and then plays each card by the exact solver on the true deal.
So the difference between it and the bot is what a better play of the cards could win, given the bot's own bidding and
opponents who play as well as can be. Against weaker ones it leaves points on the table: it trusts nobody to err.
"""

from __future__ import annotations

from functools import partial

from bigpepper.actions import Action
from bigpepper.arena.entrants import Entrant, Entry, Player, entrant
from bigpepper.choices import choices
from bigpepper.jit import lowest, pack, unpack
from bigpepper.records import PLAY
from bigpepper.rules import Rules
from bigpepper.solve import Answer, Goal, Solver
from bigpepper.state import State

_solver = Solver()
"""Of this process; values never depend on what it has solved before."""


def oracle(entry: Entry) -> Entrant:
    """The oracle that calls, names and discards as this bot. Raises `UnknownBot`."""
    bidder = entrant(entry)
    return Entrant(f"oracle({bidder.name})", partial(_make, bidder))


def _make(bidder: Entrant, seed: int) -> Player:
    return Oracle(bidder.make(seed))


class Oracle:
    """A player who sees the whole State, but until the first lead leaves everything to another one."""

    __slots__ = ("_bidder",)

    def __init__(self, bidder: Player) -> None:
        self._bidder = bidder

    def act(self, state: State, seat: int) -> Action:
        """As the bot up to the play; then a card of the best open-card value in points of the rulebook (the makers'
        less those of all defenders), the bot's own card where that is one of them.
        """
        legal = state.legal
        if len(legal) == 1:
            return legal[0]
        chosen = self._bidder.act(state, seat)
        if state.record.phase != PLAY:
            return chosen
        best = best_cards(state)
        return chosen if chosen in best else best[0]


def best_cards(state: State) -> list[Action]:
    """The legal cards of the best open-card value for the side of the seat to play, in the order of `legal`."""
    values = card_values(state.rules, state)
    makers = state.rules.side_of(state.record.turn) == state.rules.side_of(state.record.maker)
    best = max(values.values()) if makers else min(values.values())
    return [action for action, value in values.items() if value == best]


def card_values(rules: Rules, state: State) -> dict[Action, int]:
    """The open-card value after each legal card."""
    r = state.record
    answer = unpack(Answer, _solver.rounds(rules, pack([r]), goal=Goal.POINTS, each_card=True)[0])
    here, values, left = choices(rules, r), {}, answer.legal
    for value in answer.values:
        if not left:
            break
        bit = lowest(left)
        left &= ~bit
        values[here.action(bit)] = value
    return values
