"""What stands on a table page beside the sentences of `explain`: seats, rungs, what happened. All from Observations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bigpepper import explain
from bigpepper.actions import Bid, Name, Pass, Play
from bigpepper.cards import Card
from bigpepper.explain.table import is_partner
from bigpepper.observation import Observation
from bigpepper.options import Rung
from bigpepper.public import Phase, Trick
from bigpepper.rules import Rules
from bigpepper.text import Message, msg, msgn

Word = Message | str
Names = Sequence[str]


# --- seats ----------------------------------------------------------------------------------------------------------


def role(now: Observation, seat: int) -> Word:
    """What a seat is in this round beside its name; "" for nothing."""
    if is_partner(now, seat):
        return msg("partner, dealer") if seat == now.dealer else msg("partner")
    return msg("dealer") if seat == now.dealer else ""


def standing(now: Observation, seat: int) -> Word:
    """What a seat has said in the auction, or how many tricks it has won."""
    if now.phase is Phase.AUCTION:
        return last_call(now, seat)
    if seat not in now.playing:
        return msg("sits out")
    if now.phase is Phase.PLAY or now.is_over:
        won = now.tricks_won[seat]
        return msgn("one trick", "{n} tricks", won) if won else msg("no trick")
    return msg("maker") if seat == now.maker else ""


def last_call(now: Observation, seat: int) -> Word:
    """ "passed", "bid 3"; "" before the seat has spoken."""
    said = [turn.action for turn in now.history[: calls(now)] if turn.seat == seat]
    match said[-1] if said else None:
        case Pass():
            return msg("passed")
        case Bid() as bid:
            return msg("bid {bid}", bid=explain.bid_name(bid))
    return ""


def calls(now: Observation) -> int:
    """How many actions of the round are calls of the auction."""
    history = now.history
    return next((i for i, turn in enumerate(history) if isinstance(turn.action, Name)), len(history))


# --- bids -----------------------------------------------------------------------------------------------------------


def worth(rules: Rules, rung: Rung) -> Word:
    """What a bid asks for and brings, where its name does not say it."""
    if rung.name == str(rung.tricks):
        return msgn("one trick", "{n} tricks", rung.tricks)
    fixed = rung.made.text if isinstance(rung.made.text, int) else None
    everything = rung.tricks == rules.cards
    if fixed is not None:
        if everything:
            return msg("all {n}, for {points}", n=rung.tricks, points=fixed)
        return msg("{n} or more, for {points}", n=rung.tricks, points=fixed)
    return msg("all {n}", n=rung.tricks) if everything else msg("{n} or more", n=rung.tricks)


# --- cards ----------------------------------------------------------------------------------------------------------


def caption(now: Observation, card: Card) -> Word:
    """What has to be said of a card beside its print: right or left bower, the Joker, a trump."""
    if explain.terms.is_right_bower(now.rules, card, now.strain):
        return msg("right")
    if explain.terms.is_left_bower(now.rules, card, now.strain):
        return msg("left")
    if card.is_joker:
        return msg("Joker")
    return msg("trump") if now.strain and card in explain.terms.trumps(now.rules, now.strain) else ""


# --- what happened --------------------------------------------------------------------------------------------------


def opening(now: Observation, names: Names, number: int) -> Message:
    """The first sentence of a round."""
    if now.dealer == now.seat:
        return msg("Round {n}. You deal.", n=number)
    return msg("Round {n}. {name} deals.", n=number, name=names[now.dealer])


def log_lines(now: Observation, names: Names, number: int) -> list[Message]:
    """The round from its beginning, the exchange and the tricks taken included."""
    return [opening(now, names, number), *(line for line, _ in _narrated(now, names))]


def _narrated(now: Observation, names: Names) -> Iterator[tuple[Message, bool]]:
    """Each sentence of a round, and whether it tells of a card played."""
    lines, ends, last_call = explain.history_lines(now, names), _trick_ends(now), calls(now) - 1
    for i, turn in enumerate(now.history):
        yield lines[i], isinstance(turn.action, Play)
        if i == last_call and (widow := explain.widow_line(now, names)):
            yield widow, False
        if i in ends:
            yield explain.trick_line(now, ends[i], names), False


def happened(now: Observation, names: Names, number: int) -> Message:
    """The latest news that the table itself does not show: the last trick taken, else the last thing said."""
    told = [line for line, plays in _narrated(now, names) if not plays]
    return told[-1] if told else opening(now, names, number)


def _trick_ends(now: Observation) -> dict[int, Trick]:
    """The action that completed a trick → the trick."""
    plays = [i for i, turn in enumerate(now.history) if isinstance(turn.action, Play)]
    width, tricks = len(now.playing), [trick for trick in now.tricks if trick.cards]
    return {plays[width * (n + 1) - 1]: trick for n, trick in enumerate(tricks) if len(trick.cards) == width}


def side_labels(rules: Rules, names: Names, seat: int | None) -> tuple[Word, ...]:
    """What the sides are called on the score track."""
    if rules.partners:
        if seat is None:
            return explain.side_names(rules, names)
        return tuple(msg("We") if side == rules.side_of(seat) else msg("They") for side in range(2))
    return tuple(msg("You") if number == seat else name for number, name in enumerate(names))
