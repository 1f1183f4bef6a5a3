"""The game's words as messages: cards, suits, strains, bids, phases. Whole names, never built from parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bigpepper.actions import Bid
from bigpepper.cards import JOKER, Card, Strain, Suit
from bigpepper.public import Phase
from bigpepper.rules import Rules
from bigpepper.text import Message, msg

_CARDS: Final = {
    "9C": msg("nine of clubs"),
    "TC": msg("ten of clubs"),
    "JC": msg("jack of clubs"),
    "QC": msg("queen of clubs"),
    "KC": msg("king of clubs"),
    "AC": msg("ace of clubs"),
    "9D": msg("nine of diamonds"),
    "TD": msg("ten of diamonds"),
    "JD": msg("jack of diamonds"),
    "QD": msg("queen of diamonds"),
    "KD": msg("king of diamonds"),
    "AD": msg("ace of diamonds"),
    "9H": msg("nine of hearts"),
    "TH": msg("ten of hearts"),
    "JH": msg("jack of hearts"),
    "QH": msg("queen of hearts"),
    "KH": msg("king of hearts"),
    "AH": msg("ace of hearts"),
    "9S": msg("nine of spades"),
    "TS": msg("ten of spades"),
    "JS": msg("jack of spades"),
    "QS": msg("queen of spades"),
    "KS": msg("king of spades"),
    "AS": msg("ace of spades"),
    "JO": msg("Joker"),
}
_RIGHT_BOWERS: Final = {
    Suit.CLUBS: msg("right bower (jack of clubs)"),
    Suit.DIAMONDS: msg("right bower (jack of diamonds)"),
    Suit.HEARTS: msg("right bower (jack of hearts)"),
    Suit.SPADES: msg("right bower (jack of spades)"),
}
_LEFT_BOWERS: Final = {
    Suit.CLUBS: msg("left bower (jack of clubs)"),
    Suit.DIAMONDS: msg("left bower (jack of diamonds)"),
    Suit.HEARTS: msg("left bower (jack of hearts)"),
    Suit.SPADES: msg("left bower (jack of spades)"),
}
_SUITS: Final = {
    Suit.CLUBS: msg("clubs"),
    Suit.DIAMONDS: msg("diamonds"),
    Suit.HEARTS: msg("hearts"),
    Suit.SPADES: msg("spades"),
}
_NO_TRUMP: Final = msg("no-trump")
_RANKS: Final = {
    "9": msg("nine"),
    "T": msg("ten"),
    "J": msg("jack"),
    "Q": msg("queen"),
    "K": msg("king"),
    "A": msg("ace"),
}
_BIDS: Final = {"small": msg("Small Pepper"), "big": msg("Big Pepper")}
_PHASES: Final = {
    Phase.AUCTION: msg("bidding"),
    Phase.NAMING: msg("naming trumps"),
    Phase.DISCARD: msg("discarding"),
    Phase.DEFENCE: msg("defending alone or not"),
    Phase.PLAY: msg("playing"),
    Phase.OVER: msg("the round is over"),
}
_SIGNS: Final = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}


# --- cards ----------------------------------------------------------------------------------------------------------


def card_name(card: Card) -> Message:
    """A card by its print: "jack of hearts"; sentences put "the" before it."""
    return _CARDS[card.text]


def card_name_in(rules: Rules, card: Card, strain: Strain | None) -> Message:
    """A card as it counts under `strain`: "left bower (jack of diamonds)"; by its print before the naming."""
    if is_right_bower(rules, card, strain) and card.suit:
        return _RIGHT_BOWERS[card.suit]
    if is_left_bower(rules, card, strain) and card.suit:
        return _LEFT_BOWERS[card.suit]
    return card_name(card)


def card_sign(card: Card) -> str:
    """A card's index: `J♥`, `10♦`; `Joker`."""
    return "Joker" if card.suit is None else f"{rank_sign(card.rank)}{_SIGNS[card.suit]}"


def suit_sign(suit: Suit) -> str:
    """`♥`."""
    return _SIGNS[suit]


def rank_sign(rank: str) -> str:
    """`A K Q J 10 9`."""
    return "10" if rank == "T" else rank


def rank_name(rank: str) -> Message:
    """ "jack"."""
    return _RANKS[rank]


# --- what the strain makes of a card (asked of the rulebook, rules §2) ------------------------------------------------


def suit_in(rules: Rules, card: Card, strain: Strain | None) -> Suit | None:
    """The suit that a card belongs to under `strain`; None for the Joker where it belongs to none."""
    suits = rules.suits_in_play(strain or Strain.NO_TRUMP)
    return next(suit for suit, cards in suits.items() if card in cards)


def trumps(rules: Rules, strain: Strain | None) -> tuple[Card, ...]:
    """The trumps, lowest first; at no-trump and before the naming the Joker alone, where there is one."""
    suits = rules.suits_in_play(strain or Strain.NO_TRUMP)
    return suits.get(strain.suit if strain else None, ())


def is_right_bower(rules: Rules, card: Card, strain: Strain | None) -> bool:
    """The jack of trumps."""
    return _is_bower(rules, card, strain) and card.suit == suit_in(rules, card, strain)


def is_left_bower(rules: Rules, card: Card, strain: Strain | None) -> bool:
    """The jack that belongs to another suit than its printed one."""
    return _is_bower(rules, card, strain) and card.suit != suit_in(rules, card, strain)


def _is_bower(rules: Rules, card: Card, strain: Strain | None) -> bool:
    trumped = strain is not None and strain.suit is not None and card in trumps(rules, strain)
    return trumped and card.rank == "J"


# --- other words ----------------------------------------------------------------------------------------------------


def suit_name(suit: Suit) -> Message:
    """ "hearts"."""
    return _SUITS[suit]


def strain_name(strain: Strain) -> Message:
    """ "hearts", "no-trump"."""
    return _NO_TRUMP if strain.suit is None else _SUITS[strain.suit]


def bid_name(bid: Bid) -> Message | str:
    """ "4", "Small Pepper", "Big Pepper"; any other name of a bid as the rulebook spells it."""
    return _BIDS.get(bid.name, bid.name)


def phase_name(phase: Phase) -> Message:
    """What the table is doing: "bidding"."""
    return _PHASES[phase]


def signed(points: int) -> str:
    """Points with their sign: `+5`, `−6`, `0`."""
    return f"{points:+d}".replace("-", "−") if points else "0"


def joined(items: Sequence[Message | str]) -> Message | str:
    """Things in a row, as a friend would say them: "clubs, hearts and spades"; "" for nothing."""
    if len(items) < 2:
        return items[0] if items else ""
    return msg("{items} and {item}", items=_with_commas(items[:-1]), item=items[-1])


def either(items: Sequence[Message | str]) -> Message | str:
    """Things to choose from: "clubs, hearts or spades"; "" for nothing."""
    if len(items) < 2:
        return items[0] if items else ""
    return msg("{items} or {item}", items=_with_commas(items[:-1]), item=items[-1])


def _with_commas(items: Sequence[Message | str]) -> Message | str:
    row = items[0]
    for item in items[1:]:
        row = msg("{items}, {item}", items=row, item=item)
    return row


def is_joker(card: Card) -> bool:
    """The Joker."""
    return card is JOKER
