"""Why something may not be done now, and a warning before a trump is discarded.

What is legal comes with the observation, and what suit a card belongs to from the rulebook: nothing is decided here.
"""

from __future__ import annotations

from typing import Final

from bigpepper.actions import Action, Bid, Discard, Pass, Play
from bigpepper.cards import Card, Suit
from bigpepper.explain.table import Names, bid_name_of, must_bid_on_joker, turn_line
from bigpepper.explain.terms import (
    card_name,
    card_name_in,
    is_joker,
    is_left_bower,
    suit_in,
    suit_name,
    trumps,
)
from bigpepper.observation import Observation
from bigpepper.public import Phase
from bigpepper.text import Message, msg

_LED: Final = {
    Suit.CLUBS: msg("Clubs were led: you must follow."),
    Suit.DIAMONDS: msg("Diamonds were led: you must follow."),
    Suit.HEARTS: msg("Hearts were led: you must follow."),
    Suit.SPADES: msg("Spades were led: you must follow."),
}
_TRUMPS_LED: Final = {
    Suit.CLUBS: msg("Clubs are trumps and were led: you must follow."),
    Suit.DIAMONDS: msg("Diamonds are trumps and were led: you must follow."),
    Suit.HEARTS: msg("Hearts are trumps and were led: you must follow."),
    Suit.SPADES: msg("Spades are trumps and were led: you must follow."),
}


def why_not(observation: Observation, action: Action, names: Names) -> Message | None:
    """Why `action` is not legal now, in words, with what to do instead; None when it is legal."""
    if action in observation.legal:
        return None
    if observation.is_over:
        return msg("The round is over.")
    if observation.turn != observation.seat:
        return msg("It is not your turn: {turn}", turn=turn_line(observation, names))
    match action:
        case Bid() if observation.phase is Phase.AUCTION:
            return _why_no_bid(observation, action, names)
        case Pass() if observation.phase is Phase.AUCTION:
            return turn_line(observation, names)
        case Play(card) | Discard(card) if _is_its_phase(observation, action) and card is not None:
            return _why_no_card(observation, card)
    return _not_now(observation)


def _is_its_phase(observation: Observation, action: Play | Discard) -> bool:
    return observation.phase is (Phase.PLAY if isinstance(action, Play) else Phase.DISCARD)


# --- bids -----------------------------------------------------------------------------------------------------------


def _why_no_bid(observation: Observation, bid: Bid, names: Names) -> Message:
    lowest = next((action for action in observation.legal if isinstance(action, Bid)), None)
    if bid not in observation.rules.bids or lowest is None:
        return _not_now(observation)
    if must_bid_on_joker(observation):
        return turn_line(observation, names)
    if observation.contract is None:
        return msg("The lowest bid is {bid}.", bid=bid_name_of(lowest))
    standing, maker = bid_name_of(observation.contract), observation.maker or 0
    return msg("{name} has bid {bid}: bid higher, or pass.", name=names[maker], bid=standing)


def _not_now(observation: Observation) -> Message:
    match observation.phase:
        case Phase.AUCTION:
            return msg("First the bidding: bid or pass.")
        case Phase.NAMING:
            return msg("First name trumps.")
        case Phase.DISCARD:
            return msg("First discard one card.")
        case Phase.DEFENCE:
            return msg("First say whether you defend alone: defend or pass.")
    return msg("Now a card is to be played.")


# --- cards ----------------------------------------------------------------------------------------------------------


def _why_no_card(observation: Observation, card: Card) -> Message:
    if card not in observation.hand or observation.trick is None:
        return msg("You do not hold the {card}.", card=card_name(card))
    led = observation.trick.cards[0][1]
    suit = suit_in(observation.rules, led, observation.strain)
    assert suit is not None, "nothing has to be followed, so every card in hand is legal"
    if is_left_bower(observation.rules, card, observation.strain):
        return _why_not_the_left_bower(observation, card, suit)
    return _follow(observation, led, suit)


def _why_not_the_left_bower(observation: Observation, card: Card, led: Suit) -> Message:
    trump = suit_in(observation.rules, card, observation.strain)
    assert trump is not None
    return msg(
        "The {card} is the left bower and belongs to {trump}, the trumps. You must follow {led}.",
        card=card_name(card),
        trump=suit_name(trump),
        led=suit_name(led),
    )


def _follow(observation: Observation, led: Card, suit: Suit) -> Message:
    """That the suit led must be followed, and what makes it that suit where the cards' print says something else."""
    rules, strain = observation.rules, observation.strain
    if is_joker(led):
        return msg("The Joker was led, the highest trump: you must follow with a trump.")
    if is_left_bower(rules, led, strain):
        return msg(
            "The {card} was led. It is the left bower and belongs to {trump}: you must follow with a trump.",
            card=card_name(led),
            trump=suit_name(suit),
        )
    if bower := _only_the_left_bower(observation):
        return msg(
            "Trumps were led, and your {card} is the left bower, a trump: you must play it.", card=card_name(bower)
        )
    return _TRUMPS_LED[suit] if led in trumps(rules, strain) else _LED[suit]


def _only_the_left_bower(observation: Observation) -> Card | None:
    """The left bower, where it is the only card that may be played."""
    cards = [action.card for action in observation.legal if isinstance(action, Play)]
    return cards[0] if len(cards) == 1 and is_left_bower(observation.rules, cards[0], observation.strain) else None


def discard_warning(observation: Observation, card: Card) -> Message | None:
    """What to ask before `card` is discarded, where it is a trump (rules §4); None for any other card."""
    rules, strain = observation.rules, observation.strain
    if card not in trumps(rules, strain):
        return None
    if is_joker(card):
        return msg("The Joker is the highest card of all. Discard it all the same?")
    if card.rank == "J":
        return msg("The {card} is a high trump. Discard it all the same?", card=card_name_in(rules, card, strain))
    return msg("The {card} is a trump. Discard it all the same?", card=card_name(card))
