"""What the table says beside the sentences of `bigpepper.explain`: rounds, seats, answers to what you typed."""

from __future__ import annotations

from collections.abc import Iterator

from bigpepper import explain
from bigpepper.actions import Bid, Name, Pass, Play
from bigpepper.cards import Card
from bigpepper.cli.table.names import Names
from bigpepper.cli.table.session import View
from bigpepper.observation import Observation
from bigpepper.options import Rung
from bigpepper.public import Phase, Trick
from bigpepper.rules import Rules
from bigpepper.text import Message, msg, msgn

# --- what happened --------------------------------------------------------------------------------------------------


def opening(now: Observation, names: Names, number: int) -> Message:
    """The first sentence of a round."""
    if names.is_you(now.dealer):
        return msg("Round {n}. You deal.", n=number)
    return msg("Round {n}. {name} deals.", n=number, name=names.seats[now.dealer])


def narrate(now: Observation, names: Names, start: int = 0) -> Iterator[Message]:
    """What was done from the `start`-th action of the round on: the exchange and the tricks taken included."""
    lines = explain.history_lines(now, names.seats)
    ends = _trick_ends(now)
    last_call = calls(now) - 1
    for i in range(start, len(lines)):
        yield lines[i]
        if i == last_call and (widow := explain.widow_line(now, names.seats)):
            yield widow
        if i in ends:
            yield explain.trick_line(now, ends[i], names.seats)


def calls(now: Observation) -> int:
    """How many actions of the round are calls of the auction."""
    history = now.history
    return next((i for i, turn in enumerate(history) if isinstance(turn.action, Name)), len(history))


def _trick_ends(now: Observation) -> dict[int, Trick]:
    """The action that completed a trick → the trick."""
    plays = [i for i, turn in enumerate(now.history) if isinstance(turn.action, Play)]
    width, tricks = len(now.playing), [trick for trick in now.tricks if trick.cards]
    return {plays[width * (n + 1) - 1]: trick for n, trick in enumerate(tricks) if len(trick.cards) == width}


def result(view: View, past: Observation) -> tuple[Message, ...]:
    """What a finished round has scored, and the score after it."""
    points = past.points or ()
    scores = tuple(score + more for score, more in zip(past.scores, points, strict=True))
    standing = explain.standing_line(view.rules, scores, view.names.seats, view.you)
    return (*explain.score_lines(past, view.names.seats), standing)


def finish(view: View) -> Message:
    """Who has won the game."""
    return explain.winners_line(view.rules, view.winners, view.scores, view.names.seats, view.you)


# --- seats and sides ------------------------------------------------------------------------------------------------


def side_labels(view: View) -> tuple[Message | str, ...]:
    """What the sides are called on the score: we and they, or each player by name."""
    rules = view.rules
    if rules.partners:
        return tuple(msg("We") if side == rules.side_of(view.you) else msg("They") for side in range(2))
    return view.names.seats


def role(view: View, seat: int) -> Message | None:
    """What a seat is in this round beside its name: your partner, the dealer."""
    partner = view.rules.partners and (seat - view.you) % 4 == 2
    if seat == view.now.dealer:
        return msg("your partner, dealer") if partner else msg("dealer")
    return msg("your partner") if partner else None


def standing_of(now: Observation, seat: int) -> Message | str:
    """What a seat has said in the auction so far, or how many tricks it has won."""
    if now.phase is Phase.AUCTION:
        return last_call(now, seat)
    if seat not in now.playing:
        return msg("sits out")
    if now.phase is Phase.PLAY or now.is_over:
        return tricks_taken(now.tricks_won[seat])
    return msg("maker") if seat == now.maker else ""


def tricks_taken(n: int) -> Message:
    """ "2 tricks"."""
    return msgn("one trick", "{n} tricks", n) if n else msg("no trick")


def last_call(now: Observation, seat: int) -> Message | str:
    """The last call of a seat: "passed", "bid 3"; "" before it."""
    said = [turn.action for turn in now.history[: calls(now)] if turn.seat == seat]
    match said[-1] if said else None:
        case Pass():
            return msg("passed")
        case Bid() as bid:
            return msg("bid {bid}", bid=explain.bid_name(bid))
    return ""


def shown_trick(now: Observation) -> Trick | None:
    """The trick on the table: the one being played, or until the next lead the last one."""
    return now.trick or (now.tricks[-1] if now.tricks and now.tricks[-1].cards else None)


# --- cards ----------------------------------------------------------------------------------------------------------


def hand_groups(now: Observation) -> tuple[tuple[Card, ...], ...]:
    """The hand suit by suit as it is in play, trumps first."""
    return explain.hand_order(now.rules, now.hand, now.strain)


def hand_row(now: Observation) -> tuple[Card, ...]:
    """The hand as one row; a card's number is its place in it, from 1."""
    return tuple(card for group in hand_groups(now) for card in group)


def caption(now: Observation, card: Card) -> Message | None:
    """What must be said of a card beside its print: right or left bower."""
    if explain.terms.is_right_bower(now.rules, card, now.strain):
        return msg("right")
    if explain.terms.is_left_bower(now.rules, card, now.strain):
        return msg("left")
    if card.is_joker:
        return msg("Joker")
    return msg("trump") if now.strain and card in explain.terms.trumps(now.rules, now.strain) else None


# --- answers to words -----------------------------------------------------------------------------------------------


def help_lines(view: View) -> list[Message]:
    """What can be typed."""
    return [
        *_help_now(view.now),
        msg("rules: the rules of this game. score: every round so far."),
        msg("last: the last trick. log: this round from its beginning."),
        msg("undo: take back what you did last (undo 3: the last three). The game is then marked as practice."),
        msg("save: where the game is kept. save FILE: a copy. quit: leave; the game is kept and can go on."),
        msg("speed slow, normal, fast or instant: how fast the others play."),
    ]


def _help_now(now: Observation) -> list[Message]:
    match now.phase:
        case Phase.AUCTION:
            return [msg("Type a bid as it stands on the ladder, or its number; 0 or pass to pass.")]
        case Phase.NAMING:
            return [msg("Type the number of what you name, or its text: H or hearts, NT for no-trump, H-alone.")]
        case Phase.DEFENCE:
            return [msg("Type 1 or defend to play alone against the maker, 0 or pass to play on with your partner.")]
        case Phase.DISCARD:
            return [msg("Type the number of a card in your hand, or the card: 9C, JH, 10S."), *_help_joker(now)]
    return [msg("Type the number under a card, or the card: 9C, JH, 10S."), *_help_joker(now)]


def _help_joker(now: Observation) -> list[Message]:
    return [msg("JO is the Joker.")] if now.rules.joker else []


def score_lines(view: View) -> list[Message]:
    """Every round so far in a line, and the score."""
    lines = [_round_line(view, number, past) for number, past in enumerate(view.past, 1)]
    return [*lines, explain.standing_line(view.rules, view.scores, view.names.seats, view.you)]


def outcome(view: View, past: Observation) -> Message:
    """A finished round in short: who bid what, and what came of it."""
    if past.thrown_in:
        return msg("thrown in")
    return explain.contract_line(past, view.names.seats)


def _round_line(view: View, number: int, past: Observation) -> Message:
    said: Message | str = ""
    for line in explain.score_lines(past, view.names.seats):
        said = msg("{said} {line}", said=said, line=line) if said else line
    return msg("Round {n}: {said}", n=number, said=said)


def last_lines(view: View) -> list[Message]:
    """The last trick, card by card."""
    done = [trick for trick in view.now.tricks if trick.cards]
    if not done:
        return [msg("No trick has been taken in this round yet.")]
    now, names = view.now, view.names
    lines = list(explain.history_lines(now, names.seats))
    end = {trick: i for i, trick in _trick_ends(now).items()}[done[-1]]
    return [*lines[end + 1 - len(now.playing) : end + 1], explain.trick_line(now, done[-1], names.seats)]


def log_lines(view: View) -> list[Message]:
    """This round so far."""
    return [opening(view.now, view.names, view.round), *narrate(view.now, view.names)]


def standing(view: View) -> Message:
    """The score: "You 12, they 7. 30 wins."."""
    return explain.standing_line(view.rules, view.scores, view.names.seats, view.you)


def setup(view: View) -> list[Message]:
    """What whoever sits down is told: the game, its auction, who sits where, or how the game stands."""
    rules = view.rules
    lines = [msg("{title}, to {target} points.", title=explain.title(rules), target=rules.target)]
    if view.past or view.now.history:
        return [*lines, msg("The game goes on. {standing}", standing=standing(view)), *seating(view)]
    return [*lines, *explain.setup_lines(rules), *seating(view)]


def seating(view: View) -> list[Message]:
    """Who sits where, clockwise from your left."""
    names = view.names
    lines = []
    for i in range(1, len(names.seats)):
        seat = (view.you + i) % len(names.seats)
        lines.append(_seated(names.place(seat), names.seats[seat], view.rules.partners))
    return lines


def _seated(place: int, name: str, partners: bool) -> Message:
    if place == 1:
        return msg("{name} sits on your left.", name=name)
    if place == 3:
        return msg("{name} sits on your right.", name=name)
    if partners:
        return msg("{name} sits opposite, your partner.", name=name)
    return msg("{name} sits opposite.", name=name)


def taken_back(view: View) -> Message:
    """That something was taken back, and where the game is now."""
    return msg("Taken back. {turn}", turn=explain.turn_line(view.now, view.names.seats))


def dealt_row(now: Observation) -> tuple[Card, ...]:
    """The hand as dealt, in one row."""
    return tuple(card for group in explain.hand_order(now.rules, now.dealt, None) for card in group)


def row(items: list[Message]) -> Message | str:
    """Things with commas between them."""
    joined: Message | str = items[0] if items else ""
    for item in items[1:]:
        joined = msg("{items}, {item}", items=joined, item=item)
    return joined


# --- for a full screen ----------------------------------------------------------------------------------------------


def heading(now: Observation, names: Names, number: int) -> Message:
    """Game, round and dealer."""
    game = explain.title(now.rules)
    if names.is_you(now.dealer):
        return msg("{game} · round {n} · you deal", game=game, n=number)
    return msg("{game} · round {n} · {name} deals", game=game, n=number, name=names.seats[now.dealer])


def corner(view: View) -> Message:
    """What stands in the corner of the screen."""
    return msg("practice · ? help") if view.practice else msg("? help")


def go_on(view: View) -> Message:
    """What Enter does at the end of a round."""
    return msg("Enter: leave the table.") if view.winners else msg("Enter: the next round.")


def happened(view: View) -> Message | str:
    """One line on what has just happened, beside what the table shows anyway."""
    now = view.now
    done = [trick for trick in now.tricks if trick.cards]
    if done and now.trick:
        return _last_trick(view, done[-1])
    if done:
        return explain.trick_line(now, done[-1], view.names.seats)
    said = [line for line, played in zip(narrate(now, view.names), _plays_last(now), strict=False) if not played]
    return said[-1] if said and now.phase is not Phase.AUCTION else ""


def _plays_last(now: Observation) -> Iterator[bool]:
    """For each sentence of the narration before the first trick is complete: whether it tells a play."""
    last_call = calls(now) - 1
    for i, turn in enumerate(now.history):
        yield isinstance(turn.action, Play)
        if i == last_call and now.rules.widow == "pick-up":
            yield False


def _last_trick(view: View, trick: Trick) -> Message:
    cards = " ".join(explain.card_sign(card) for _, card in trick.cards)
    if trick.winner is None or view.names.is_you(trick.winner):
        return msg("Last trick: {cards}. You took it.", cards=cards)
    return msg("Last trick: {cards}. {name} took it.", cards=cards, name=view.names.seats[trick.winner])


def seat_name(view: View, seat: int) -> Message | str:
    """A seat as one speaks of it."""
    return view.names.seats[seat]


def worth(rules: Rules, rung: Rung) -> Message | str:
    """What a bid asks for and brings, where its name does not say it."""
    if rung.name == str(rung.tricks):
        return ""
    fixed = rung.made.text if isinstance(rung.made.text, int) else None
    everything = rung.tricks == rules.cards
    if fixed is not None:
        if everything:
            return msg("all {n}, for {points}", n=rung.tricks, points=fixed)
        return msg("{n} or more, for {points}", n=rung.tricks, points=fixed)
    return msg("all {n}", n=rung.tricks) if everything else msg("{n} or more", n=rung.tricks)
