"""The score in words: every change of it, where it stands, who has won. The numbers are the kernel's.

`names` are the players' names, one a seat. The seat of the observation is "you"; a spectator hears names only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bigpepper import kernel
from bigpepper.actions import Bid
from bigpepper.explain.table import Names, is_partner, makers_tricks
from bigpepper.explain.terms import bid_name, joined, signed
from bigpepper.observation import Observation
from bigpepper.options import Rung
from bigpepper.rules import Rules
from bigpepper.text import Message, msg


def score_lines(observation: Observation, names: Names) -> tuple[Message, ...]:
    """What a finished round has scored, a sentence for each change and its reason; none before its end.

    "You bid 4 and took 5: +5.", "They took 1: +1.".
    """
    if not observation.is_over:
        return ()
    if observation.thrown_in:
        return (_thrown_in(observation, names),)
    rules, maker = observation.rules, observation.maker or 0
    own = [_makers(_result(observation, names)), *_reasons(observation)]
    others = [side for side in range(rules.sides) if side != rules.side_of(maker)]
    return (*own, *(_defenders(observation, side, names) for side in others))


def _thrown_in(observation: Observation, names: Names) -> Message:
    dealer = kernel.next_dealer(observation.view, observation.rules.tables)
    yours, again = dealer == observation.seat, dealer == observation.dealer
    if again:
        if yours:
            return msg("Everybody passed: no score, and you deal again.")
        return msg("Everybody passed: no score, and {name} deals again.", name=names[dealer])
    if yours:
        return msg("Everybody passed: no score, and you deal next.")
    return msg("Everybody passed: no score, and {name} deals next.", name=names[dealer])


# --- the makers -----------------------------------------------------------------------------------------------------


class _Result(NamedTuple):
    """What the makers bid and did, and how to speak of them."""

    voice: str
    """you, partner, they, single (a player without a partner), pair (partners, told to a spectator)."""
    alone: bool
    tricks: int
    all: bool
    fields: dict[str, object]


def _result(observation: Observation, names: Names) -> _Result:
    rules, maker = observation.rules, observation.maker or 0
    tricks, contract = makers_tricks(observation), observation.contract
    assert contract is not None
    fields: dict[str, object] = {
        "bid": bid_name(contract),
        "n": tricks,
        "points": signed(observation.points_of(maker) or 0),
        "name": names[maker],
    }
    if rules.partners:
        fields["partner"] = names[kernel.partner_of(maker)]
    return _Result(_voice(observation, maker), observation.lone is not None, tricks, tricks == rules.cards > 1, fields)


def _voice(observation: Observation, maker: int) -> str:
    if maker == observation.seat:
        return "you"
    if is_partner(observation, maker):
        return "partner"
    if not observation.rules.partners:
        return "single"
    return "pair" if observation.seat is None else "they"


def _makers(result: _Result) -> Message:
    if result.alone:
        return _lone_all(result) if result.all else _lone_none(result) if not result.tricks else _lone_some(result)
    return _took_all(result) if result.all else _took_none(result) if not result.tricks else _took_some(result)


def _took_some(result: _Result) -> Message:
    fields = result.fields
    match result.voice:
        case "you":
            return msg("You bid {bid} and took {n}: {points}.", **fields)
        case "partner":
            return msg("Your partner {name} bid {bid} and you took {n} together: {points}.", **fields)
        case "they":
            return msg("{name} bid {bid} and they took {n}: {points}.", **fields)
        case "pair":
            return msg("{name} bid {bid} and took {n} with {partner}: {points}.", **fields)
    return msg("{name} bid {bid} and took {n}: {points}.", **fields)


def _took_all(result: _Result) -> Message:
    fields = result.fields
    match result.voice:
        case "you":
            return msg("You bid {bid} and took all {n}: {points}.", **fields)
        case "partner":
            return msg("Your partner {name} bid {bid} and you took all {n} together: {points}.", **fields)
        case "they":
            return msg("{name} bid {bid} and they took all {n}: {points}.", **fields)
        case "pair":
            return msg("{name} bid {bid} and took all {n} with {partner}: {points}.", **fields)
    return msg("{name} bid {bid} and took all {n}: {points}.", **fields)


def _took_none(result: _Result) -> Message:
    fields = result.fields
    match result.voice:
        case "you":
            return msg("You bid {bid} and took no trick: {points}.", **fields)
        case "partner":
            return msg("Your partner {name} bid {bid} and you took no trick together: {points}.", **fields)
        case "they":
            return msg("{name} bid {bid} and they took no trick: {points}.", **fields)
        case "pair":
            return msg("{name} bid {bid} and took no trick with {partner}: {points}.", **fields)
    return msg("{name} bid {bid} and took no trick: {points}.", **fields)


def _lone_some(result: _Result) -> Message:
    fields = result.fields
    match result.voice:
        case "you":
            return msg("You bid {bid}, went alone and took {n}: {points}.", **fields)
        case "partner":
            return msg("Your partner {name} bid {bid}, went alone and took {n}: {points}.", **fields)
    return msg("{name} bid {bid}, went alone and took {n}: {points}.", **fields)


def _lone_all(result: _Result) -> Message:
    fields = result.fields
    match result.voice:
        case "you":
            return msg("You bid {bid}, went alone and took all {n}: {points}.", **fields)
        case "partner":
            return msg("Your partner {name} bid {bid}, went alone and took all {n}: {points}.", **fields)
    return msg("{name} bid {bid}, went alone and took all {n}: {points}.", **fields)


def _lone_none(result: _Result) -> Message:
    fields = result.fields
    match result.voice:
        case "you":
            return msg("You bid {bid}, went alone and took no trick: {points}.", **fields)
        case "partner":
            return msg("Your partner {name} bid {bid}, went alone and took no trick: {points}.", **fields)
    return msg("{name} bid {bid}, went alone and took no trick: {points}.", **fields)


# --- why so many ----------------------------------------------------------------------------------------------------


def _reasons(observation: Observation) -> Iterator[Message]:
    """Why the makers score what they do, where it is not simply a point a trick."""
    rung = rung_of(observation.rules, observation.contract)
    if makers_tricks(observation) < rung.tricks:
        yield failed_line(rung)
        return
    if rung.made.text != "tricks-won":
        yield made_line(rung)
    if _doubled(observation):
        yield stakes_line(observation.rules.alone_stakes)


def _doubled(observation: Observation) -> bool:
    rules = observation.rules
    return observation.lone is not None and rules.alone_stakes != 1 and makers_tricks(observation) == rules.cards


def rung_of(rules: Rules, bid: Bid | None) -> Rung:
    """The ladder's rung of a bid."""
    return next(rung for rung in rules.ladder if Bid(rung.name) == bid)


def made_line(rung: Rung) -> Message:
    """What a made bid is worth: "A made Big Pepper is worth 12."."""
    bid = bid_name(Bid(rung.name))
    if rung.made.unit == "tricks-won":
        return msg("A made {bid} is worth {points} a trick.", bid=bid, points=rung.made.each)
    return msg("A made {bid} is worth {points}.", bid=bid, points=rung.made.points(rung.tricks))


def failed_line(rung: Rung) -> Message:
    """What a failed bid costs: "A failed 4 costs 6."."""
    bid = bid_name(Bid(rung.name))
    match rung.failed.unit:
        case "tricks-won":
            if rung.failed.factor == 1:
                return msg("A failed {bid} costs one point for each trick taken.", bid=bid)
            return msg("A failed {bid} costs {points} points for each trick taken.", bid=bid, points=rung.failed.each)
        case "bid" if rung.failed.factor == 1:
            return msg("A failed {bid} costs what was bid: {points}.", bid=bid, points=rung.failed.points(rung.tricks))
        case "bid" if rung.failed.factor == 2:
            points = rung.failed.points(rung.tricks)
            return msg("A failed {bid} costs twice what was bid: {points}.", bid=bid, points=points)
    return msg("A failed {bid} costs {points}.", bid=bid, points=rung.failed.points(rung.tricks))


def stakes_line(stakes: int) -> Message:
    """What going alone is worth with all tricks."""
    if stakes == 2:
        return msg("Alone with all tricks counts double.")
    return msg("Alone with all tricks counts {stakes} times.", stakes=stakes)


# --- the defenders --------------------------------------------------------------------------------------------------


def _defenders(observation: Observation, side: int, names: Names) -> Message:
    rules = observation.rules
    seats = range(side, rules.players, rules.sides)
    tricks = sum(observation.tricks_won[seat] for seat in seats)
    points = observation.points[side] if observation.points else 0
    who = "you" if observation.seat in seats else "they" if rules.partners and observation.seat is not None else "name"
    return _took(who, joined([names[seat] for seat in seats]), tricks, points)


def _took(who: str, name: Message | str, n: int, points: int) -> Message:
    if n == 0:
        return _took_nothing(who, name)
    if points == 0:
        return _took_for_nothing(who, name, n)
    if who == "you":
        return msg("You took {n}: {points}.", n=n, points=signed(points))
    if who == "they":
        return msg("They took {n}: {points}.", n=n, points=signed(points))
    return msg("{name} took {n}: {points}.", name=name, n=n, points=signed(points))


def _took_nothing(who: str, name: Message | str) -> Message:
    if who == "you":
        return msg("You took no trick.")
    return msg("They took no trick.") if who == "they" else msg("{name} took no trick.", name=name)


def _took_for_nothing(who: str, name: Message | str, n: int) -> Message:
    if who == "you":
        return msg("You took {n}; defenders score nothing.", n=n)
    if who == "they":
        return msg("They took {n}; defenders score nothing.", n=n)
    return msg("{name} took {n}; defenders score nothing.", name=name, n=n)


# --- where the game stands ------------------------------------------------------------------------------------------


def side_names(rules: Rules, names: Names) -> tuple[Message | str, ...]:
    """Each side by its players: "Anna and Bert"."""
    sides = range(rules.sides)
    return tuple(joined([names[seat] for seat in range(side, rules.players, rules.sides)]) for side in sides)


def standing_line(rules: Rules, scores: Sequence[int], names: Names, seat: int | None) -> Message:
    """The score: "You 12, they 7. 30 wins."; `seat` is whose view it is, None for a spectator."""
    points, target, sides = [shown(score) for score in scores], rules.target, side_names(rules, names)
    if seat is None and rules.sides == 2:
        a, b = sides
        return msg("{a} {x}, {b} {y}. {target} wins.", a=a, x=points[0], b=b, y=points[1], target=target)
    if seat is None:
        a, b, c = sides
        x, y, z = points
        return msg("{a} {x}, {b} {y}, {c} {z}. {target} wins.", a=a, b=b, c=c, x=x, y=y, z=z, target=target)
    own = rules.side_of(seat)
    others = [side % rules.sides for side in range(own + 1, own + rules.sides)]
    return _your_standing(rules, points[own], [(sides[side], points[side]) for side in others])


def _your_standing(rules: Rules, own: str, others: list[tuple[Message | str, str]]) -> Message:
    target, (a, x) = rules.target, others[0]
    if rules.partners:
        return msg("You {own}, they {x}. {target} wins.", own=own, x=x, target=target)
    if len(others) == 1:
        return msg("You {own}, {a} {x}. {target} wins.", own=own, a=a, x=x, target=target)
    b, y = others[1]
    return msg("You {own}, {a} {x}, {b} {y}. {target} wins.", own=own, a=a, x=x, b=b, y=y, target=target)


def shown(score: int) -> str:
    """A score with a proper minus."""
    return str(score).replace("-", "−")


def winners_line(
    rules: Rules, winners: Sequence[int], scores: Sequence[int], names: Names, seat: int | None
) -> Message:
    """Who has won, jointly too: "You win with 32."; `winners` are sides, as in `Game.winners`."""
    score, own = shown(scores[winners[0]]), None if seat is None else rules.side_of(seat)
    if len(winners) > 1:
        return _joint(rules, winners, score, names, own)
    if winners[0] == own:
        return msg("You win with {score}.", score=score)
    if rules.partners and own is not None:
        return msg("They win with {score}.", score=score)
    name = side_names(rules, names)[winners[0]]
    if rules.partners:
        return msg("{names} win with {score}.", names=name, score=score)
    return msg("{name} wins with {score}.", name=name, score=score)


def _joint(rules: Rules, winners: Sequence[int], score: str, names: Names, own: int | None) -> Message:
    if rules.partners:
        return msg("Both sides have {score} and win jointly.", score=score)
    if len(winners) == 3:
        return msg("All three have {score} and win jointly.", score=score)
    sides = side_names(rules, names)
    others = [sides[side] for side in winners if side != own]
    if own in winners:
        return msg("You and {name} have {score} and win jointly.", name=others[0], score=score)
    return msg("{a} and {b} have {score} and win jointly.", a=others[0], b=others[1], score=score)
