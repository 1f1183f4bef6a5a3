"""Rounds by their numbers alone: worked examples for the rule pages, and the score of people with real cards.

The points are the kernel's: a round is filled in and handed to `kernel.score`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bigpepper import kernel
from bigpepper.actions import Bid
from bigpepper.cards import Strain
from bigpepper.errors import InvalidGame
from bigpepper.options import Rung
from bigpepper.records import OVER, Round
from bigpepper.rules import Rules
from bigpepper.state import State
from bigpepper.text import listed, msg


def scored_round(
    rules: Rules,
    *,
    maker: int,
    bid: Bid,
    tricks: Sequence[int],
    strain: Strain | None = None,
    alone: bool = False,
    dealer: int = 0,
    scores: Sequence[int] | None = None,
) -> State:
    """A finished round of which only the contract and the tricks (one value a seat) are known; no deal, no history.

    Raises `InvalidGame` where the rulebook has no such round.
    """
    strain = strain or rules.strains[0]
    _check(rules, maker, bid, tricks, strain, alone)
    r = Round()
    r.scores[: rules.sides] = scores or [0] * rules.sides
    r.dealer, r.maker, r.bid, r.strain = dealer, maker, rules.bids.index(bid), tuple(Strain).index(strain)
    r.lone = maker if alone else -1
    r.lone_defender = r.joker_seat = r.claimer = r.leader = r.winner = r.discarded = r.widow = -1
    r.playing = (1 << rules.players) - 1 & ~(1 << kernel.partner_of(maker) if alone else 0)
    r.won[: rules.players] = tricks
    kernel.score(r, rules.tables)
    return State.of_record(rules, r)


def thrown_in_round(rules: Rules, *, dealer: int = 0, scores: Sequence[int] | None = None) -> State:
    """A round in which everybody passed."""
    r = Round()
    r.scores[: rules.sides] = scores or [0] * rules.sides
    r.dealer, r.thrown = dealer, 1
    r.bid = r.maker = r.strain = r.lone = r.lone_defender = r.joker_seat = -1
    r.claimer = r.leader = r.winner = r.discarded = r.widow = r.turn = -1
    r.phase = OVER
    return State.of_record(rules, r)


def _check(rules: Rules, maker: int, bid: Bid, tricks: Sequence[int], strain: Strain, alone: bool) -> None:
    if not 0 <= maker < rules.players:
        raise InvalidGame(msg("There is no seat {seat}; seats are 0 to {last}.", seat=maker, last=rules.players - 1))
    permitted = [other for i, other in enumerate(rules.bids) if rules.tables.bids_mask >> (i + 1) & 1]
    if bid not in permitted:
        raise InvalidGame(msg("“{bid}” cannot be bid; the bids are {bids}.", bid=bid, bids=listed(permitted)))
    if strain not in rules.strains:
        raise InvalidGame(
            msg("“{strain}” cannot be named; there are {strains}.", strain=strain, strains=listed(rules.strains))
        )
    if len(tricks) != rules.players or min(tricks) < 0 or sum(tricks) != rules.cards:
        raise InvalidGame(
            msg(
                "The tricks {tricks} do not fit: one number for each of {players} players, {n} tricks in all.",
                tricks=listed(tricks),
                players=rules.players,
                n=rules.cards,
            )
        )
    if alone and rules.alone == "no":
        raise InvalidGame(msg("Nobody goes alone in these rules."))


# --- worked examples ------------------------------------------------------------------------------------------------


class Example(NamedTuple):
    """A contract of seat 0 and what its side took."""

    rung: Rung
    tricks: int
    alone: bool = False


def worked(rules: Rules) -> tuple[State, ...]:
    """A few telling rounds: a middling bid made and failed, the highest bids made and failed, alone with all tricks."""
    return tuple(_played(rules, example) for example in dict.fromkeys(_examples(rules)))


def _examples(rules: Rules) -> list[Example]:
    rungs = [rung for i, rung in enumerate(rules.ladder) if rules.tables.bids_mask >> (i + 1) & 1]
    middle = min(rungs, key=lambda rung: abs(3 * rung.tricks - 2 * rules.cards))
    top, second = rungs[-1], rungs[-2:][0]
    shown = [
        Example(middle, min(middle.tricks + 1, rules.cards)),
        Example(middle, middle.tricks - 1),
        Example(second, second.tricks),
        Example(top, rules.cards),
        Example(top, top.tricks - 1),
    ]
    if rules.alone != "no":
        shown += [Example(middle, rules.cards, True), Example(middle, middle.tricks - 1, True)]
    return shown


def _played(rules: Rules, example: Example, scores: Sequence[int] | None = None) -> State:
    bid = Bid(example.rung.name)
    tricks = spread(rules, example.tricks)
    return scored_round(rules, maker=0, bid=bid, tricks=tricks, alone=example.alone, scores=scores)


def spread(rules: Rules, own: int) -> list[int]:
    """Tricks a seat when seat 0 took `own`: the rest are shared by the players of the other sides, one each in turn."""
    tricks = [0] * rules.players
    tricks[0] = own
    for i in range(rules.cards - own):
        tricks[1 + i % (rules.sides - 1)] += 1
    return tricks


def photo_finish(rules: Rules) -> State | None:
    """A last round after which makers and defenders reach the target with equal scores; None if there is none."""
    for example in _examples(rules):
        points = _played(rules, example).points or ()
        if not example.alone and points[0] > 0 and points[1] > 0:
            before = [rules.target - points[0], rules.target - points[1], *[0] * (rules.sides - 2)]
            return _played(rules, example, before)
    return None
