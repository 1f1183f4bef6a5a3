"""Open-card values before the play: what a deal is worth to whom."""

from __future__ import annotations

from typing import Final

from bigpepper.actions import Bid, Pass
from bigpepper.cards import Strain
from bigpepper.deal import Deal, mask_of
from bigpepper.jit import pack
from bigpepper.kernel import strain_order
from bigpepper.position import InvalidPosition
from bigpepper.rules import Rules
from bigpepper.solve.board import Position
from bigpepper.solve.solution import Solution, solve
from bigpepper.solve.solver import Goal, Solver, values_of
from bigpepper.state import State
from bigpepper.text import msg

_STRAINS = tuple(Strain)


LEADERS: Final = {2: (0, 1), 3: (0, 1, 2), 4: (0, 2, 3, 1)}
"""The order in which the leaders are asked about: partners next to each other, whose values are most often alike."""


def deal_table(rules: Rules, deal: Deal, *, solver: Solver | None = None) -> dict[Strain, tuple[int, ...]]:
    """Tricks that the side of each leader wins, by strain and leader: all strains of the rulebook, all seats.

    The hands are as dealt (a widow stays where it is), nobody is alone, and each seat in turn leads to the first trick;
    with two or three players each side is one seat, played against by all others.
    """
    strains, seats = rules.strains, LEADERS[rules.players]
    positions = pack([_first_lead(rules, deal, strain, seat) for strain in strains for seat in seats])
    values = iter(values_of((solver or Solver()).answers(positions)))
    tricks = {strain: {seat: _tricks_of_leader(rules, seat, next(values)) for seat in seats} for strain in strains}
    return {strain: tuple(tricks[strain][seat] for seat in range(rules.players)) for strain in strains}


def _side_asked(rules: Rules, leader: int) -> int:
    """The side whose tricks are counted when a seat leads: with two sides always the same, so that the leaders of one
    strain share what the table of the solver learns."""
    return rules.side_of(leader) if rules.sides == 3 else 0


def _tricks_of_leader(rules: Rules, leader: int, value: int) -> int:
    return value if rules.side_of(leader) == _side_asked(rules, leader) else rules.cards - value


def _first_lead(rules: Rules, deal: Deal, strain: Strain, leader: int) -> Position:
    t, s = rules.tables, _STRAINS.index(strain)
    p = Position()
    p.players, p.playing, p.turn, p.winner = rules.players, (1 << rules.players) - 1, leader, -1
    p.trump = t.trump[s]
    for seat, hand in enumerate(deal.hands):
        p.hands[seat] = strain_order(t, s, mask_of(rules, hand))
    p.makers = sum(1 << seat for seat in range(rules.players) if rules.side_of(seat) == _side_asked(rules, leader))
    p.payoff[:] = range(9)
    return p


def as_maker(
    rules: Rules,
    deal: Deal,
    maker: int,
    bid: Bid | str,
    *,
    dealer: int = 0,
    goal: Goal = Goal.POINTS,
    solver: Solver | None = None,
) -> Solution:
    """A deal solved for a maker who has the bid: the best strain, whether to go alone, and the best discard.

    Everybody else passes. Raises `InvalidPosition` where the rules let this maker never say this bid.
    """
    return solve(auctioned(rules, deal, maker, bid, dealer=dealer), goal, solver=solver)


def auctioned(rules: Rules, deal: Deal, maker: int, bid: Bid | str, *, dealer: int = 0) -> State:
    """The round in which `maker` is to name the strain after `bid`, everybody else having passed."""
    call = rules.action(bid) if isinstance(bid, str) else bid
    state = State.new(rules, deal=deal, dealer=dealer)
    while not state.is_over and state.phase == "auction":
        wanted = call if state.turn == maker and state.contract is None else Pass()
        if wanted not in state.legal:
            break
        state = state.apply(wanted)
    if state.phase != "naming" or state.maker != maker:
        raise InvalidPosition(
            msg("Seat {seat} cannot be the maker with “{bid}”, all others passing.", seat=maker, bid=call)
        )
    return state
