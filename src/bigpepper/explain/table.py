"""What is said at the table: the contract, whose turn it is, what was done. All of it from one seat's observation.

`names` are the players' names, one a seat. The seat of the observation is "you"; a spectator hears names only.
"""

from __future__ import annotations

from collections.abc import Sequence

from bigpepper.actions import Action, Bid, Claim, Defend, Discard, Name, Pass, Play, Turn
from bigpepper.cards import Card, Strain
from bigpepper.explain.terms import bid_name, card_name_in, strain_name
from bigpepper.observation import Observation
from bigpepper.public import Phase, PublicRound, Trick
from bigpepper.text import Message, msg

Names = Sequence[str]


# --- the contract ---------------------------------------------------------------------------------------------------


def contract_line(observation: Observation, names: Names) -> Message:
    """The contract in one line: "You: 4 in hearts, 2 of 4 taken"; before the naming the standing bid."""
    maker, strain = observation.maker, observation.strain
    if maker is None or observation.contract is None:
        return msg("Everybody passed") if observation.is_over else msg("Nobody has bid yet")
    bid = bid_name(observation.contract)
    who = whose(observation, maker, names)
    if observation.phase is Phase.AUCTION:
        return msg("{who}: {bid} so far", who=who, bid=bid)
    if strain is None:
        return msg("{who}: {bid}, trumps not named yet", who=who, bid=bid)
    return _progress(observation, who, contract_name(bid, strain, observation.lone is not None))


def _progress(observation: Observation, who: Message | str, contract: Message) -> Message:
    taken, needed = makers_tricks(observation), tricks_needed(observation)
    fields = {"who": who, "contract": contract, "taken": taken, "needed": needed}
    if taken >= needed:
        return msg("{who}: {contract}, made: {taken} taken", who=who, contract=contract, taken=taken)
    if observation.is_over or taken + observation.tricks_left < needed:
        return msg("{who}: {contract}, lost: {taken} of {needed} taken", **fields)
    return msg("{who}: {contract}, {taken} of {needed} taken", **fields)


def contract_name(bid: Message | str, strain: Strain, alone: bool) -> Message:
    """ "4 in hearts", "Big Pepper in no-trump", "4 in hearts, alone"."""
    if alone:
        return msg("{bid} in {strain}, alone", bid=bid, strain=strain_name(strain))
    return msg("{bid} in {strain}", bid=bid, strain=strain_name(strain))


def whose(observation: Observation, seat: int, names: Names) -> Message | str:
    """Who it is, at the head of a line: "You", "Your partner Paprika", "Paprika"."""
    if seat == observation.seat:
        return msg("You")
    if is_partner(observation, seat):
        return msg("Your partner {name}", name=names[seat])
    return names[seat]


def is_partner(observation: Observation, seat: int) -> bool:
    """Whether `seat` is another seat of the observer's side."""
    own, rules = observation.seat, observation.rules
    return own is not None and seat != own and rules.side_of(seat) == rules.side_of(own)


def makers_tricks(round: PublicRound) -> int:
    """Tricks that the makers have won so far."""
    side = round.rules.side_of(round.maker or 0)
    return sum(won for seat, won in enumerate(round.tricks_won) if round.rules.side_of(seat) == side)


def tricks_needed(round: PublicRound) -> int:
    """Tricks that the contract asks for; 0 before anybody has bid."""
    return next((rung.tricks for rung in round.rules.ladder if Bid(rung.name) == round.contract), 0)


# --- whose turn -----------------------------------------------------------------------------------------------------


def turn_line(observation: Observation, names: Names) -> Message:
    """Whose turn it is, and for what: "Your lead.", "Paprika is to play."."""
    seat = observation.turn
    if seat is None:
        return msg("The round is over.")
    if seat == observation.seat:
        return _your_turn(observation)
    return _turn_of(observation, names[seat])


def _your_turn(observation: Observation) -> Message:
    match observation.phase:
        case Phase.AUCTION:
            return _your_bid(observation)
        case Phase.NAMING:
            return _your_naming(observation)
        case Phase.DISCARD:
            return msg("Discard one card, face down.")
        case Phase.DEFENCE:
            return msg("Defend alone, or pass?")
    return msg("Your turn.") if observation.trick else msg("Your lead.")


def _your_bid(observation: Observation) -> Message:
    if must_bid_on_joker(observation):
        bid = bid_name_of(observation.legal[0])
        return msg("Everybody passed and you hold the Joker: you must bid {bid}.", bid=bid)
    if Pass() not in observation.legal:
        return msg("Everybody passed and you are the dealer: you must bid.")
    return msg("Your bid.")


def _your_naming(observation: Observation) -> Message:
    rules = observation.rules
    no_trump, alone = Strain.NO_TRUMP in rules.strains, rules.alone != "no"
    if no_trump and alone:
        return msg("Name the trump suit or no-trump, with your partner or alone.")
    if no_trump:
        return msg("Name the trump suit or no-trump.")
    if alone:
        return msg("Name the trump suit, and play with your partner or alone.")
    return msg("Name the trump suit.")


def _turn_of(observation: Observation, name: str) -> Message:
    match observation.phase:
        case Phase.AUCTION if must_bid_on_joker(observation):
            return msg("Everybody passed and {name} holds the Joker: {name} must bid.", name=name)
        case Phase.AUCTION:
            return msg("{name} is to bid.", name=name)
        case Phase.NAMING:
            return msg("{name} is to name trumps.", name=name)
        case Phase.DISCARD:
            return msg("{name} is to discard.", name=name)
        case Phase.DEFENCE:
            return msg("{name} may defend alone.", name=name)
    return msg("{name} is to play.", name=name) if observation.trick else msg("{name} is to lead.", name=name)


def must_bid_on_joker(observation: Observation) -> bool:
    """Whether the seat to act has to bid because it holds the Joker (rules §3)."""
    return observation.phase is Phase.AUCTION and observation.view.joker_seat >= 0


def bid_name_of(action: Action) -> Message | str:
    """The name of the bid that an action is."""
    return bid_name(action) if isinstance(action, Bid) else str(action)


# --- what was done --------------------------------------------------------------------------------------------------


def history_lines(observation: Observation, names: Names) -> tuple[Message, ...]:
    """Every action of the round so far as a sentence, in order; one for each entry of `observation.history`."""
    history = observation.history
    named = _named_at(history)
    return tuple(_action(observation, names, turn, number < named) for number, turn in enumerate(history))


def action_line(observation: Observation, number: int, names: Names) -> Message:
    """What the `number`-th action of the history was, negative numbers from its end: "Paprika passes."."""
    history = observation.history
    return _action(observation, names, history[number], number % len(history) < _named_at(history))


def _named_at(history: Sequence[Turn]) -> int:
    """How many actions come before the naming."""
    return next((number for number, turn in enumerate(history) if isinstance(turn.action, Name)), len(history))


def _action(observation: Observation, names: Names, turn: Turn, in_auction: bool) -> Message:
    yours, name = turn.seat == observation.seat, names[turn.seat]
    match turn.action:
        case Pass() if in_auction:
            return msg("You pass.") if yours else msg("{name} passes.", name=name)
        case Pass():
            return msg("You do not defend alone.") if yours else msg("{name} does not defend alone.", name=name)
        case Bid():
            return _bid(observation, turn.action, None if yours else name)
        case Name():
            return _naming(turn.action, None if yours else name)
        case Defend():
            return msg("You defend alone.") if yours else msg("{name} defends alone.", name=name)
        case Discard():
            return _discard(observation, turn.action, None if yours else name)
        case Play():
            card = card_name_in(observation.rules, turn.action.card, observation.strain)
            if yours:
                return msg("You play the {card}.", card=card)
            return msg("{name} plays the {card}.", name=name, card=card)
    return _claim(turn.action, turn.seat, None if yours else name)


def _bid(observation: Observation, bid: Bid, name: str | None) -> Message:
    said = bid_name(bid)
    if observation.view.joker_seat >= 0:
        if name is None:
            return msg("You hold the Joker and bid {bid}.", bid=said)
        return msg("{name} holds the Joker and bids {bid}.", name=name, bid=said)
    if name is None:
        return msg("You bid {bid}.", bid=said)
    return msg("{name} bids {bid}.", name=name, bid=said)


def _naming(action: Name, name: str | None) -> Message:
    strain = strain_name(action.strain)
    if name is None:
        if action.alone:
            return msg("You name {strain} and go alone.", strain=strain)
        return msg("You name {strain}.", strain=strain)
    if action.alone:
        return msg("{name} names {strain} and goes alone.", name=name, strain=strain)
    return msg("{name} names {strain}.", name=name, strain=strain)


def _discard(observation: Observation, action: Discard, name: str | None) -> Message:
    if name is not None:
        return msg("{name} discards a card, face down.", name=name)
    if action.card is None:
        return msg("You discard a card, face down.")
    card = card_name_in(observation.rules, action.card, observation.strain)
    return msg("You discard the {card}, face down.", card=card)


def _claim(claim: Claim, seat: int, name: str | None) -> Message:
    own = claim.tricks[seat]
    if own == sum(claim.tricks):
        return (
            msg("You claim all tricks that are left.")
            if name is None
            else msg("{name} claims all tricks that are left.", name=name)
        )
    if name is None:
        return msg("You claim {n} of the tricks that are left.", n=own)
    return msg("{name} claims {n} of the tricks that are left.", name=name, n=own)


def widow_line(observation: Observation, names: Names) -> Message | None:
    """That the maker has taken the widow, and for himself which card it is; None when nobody has."""
    if observation.rules.widow != "pick-up" or observation.phase is Phase.AUCTION or observation.maker is None:
        return None
    if observation.widow is None:
        return msg("{name} takes the widow.", name=names[observation.maker])
    return msg(
        "You take the widow: the {card}.", card=card_name_in(observation.rules, observation.widow, observation.strain)
    )


def trick_line(observation: Observation, trick: Trick, names: Names) -> Message:
    """Who has won a trick, or is winning it, and with which card."""
    seat, card = winning_play(observation, trick)
    name = card_name_in(observation.rules, card, observation.strain)
    if trick.winner is None:
        if seat == observation.seat:
            return msg("Your {card} is winning.", card=name)
        return msg("{name} is winning with the {card}.", name=names[seat], card=name)
    if seat == observation.seat:
        return msg("You take the trick with the {card}.", card=name)
    return msg("{name} takes the trick with the {card}.", name=names[seat], card=name)


def winning_play(observation: Observation, trick: Trick) -> tuple[int, Card]:
    """The seat and card that won a trick, or are winning it so far."""
    seat = observation.view.winner if trick.winner is None else trick.winner
    return next((who, card) for who, card in trick.cards if who == seat)


# --- what could be done ---------------------------------------------------------------------------------------------


def choice_name(observation: Observation, action: Action) -> Message:
    """A legal action as a choice to offer: "Pass", "Bid 4", "hearts, alone"."""
    match action:
        case Bid():
            return msg("Bid {bid}", bid=bid_name(action))
        case Name(strain, alone):
            name = strain_name(strain)
            return msg("{strain}, alone", strain=name) if alone else name
        case Defend():
            return msg("Defend alone")
        case Discard(card) | Play(card) if card is not None:
            name = card_name_in(observation.rules, card, observation.strain)
            if isinstance(action, Play):
                return msg("Play the {card}", card=name)
            return msg("Discard the {card}", card=name)
    return msg("Pass")
