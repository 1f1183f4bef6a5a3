"""Whether the cards of a round's record add up: as many as the rulebook deals, each once, in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NoReturn

from bigpepper.notation.model import UNKNOWN, RoundRecord
from bigpepper.rules import Rules
from bigpepper.text import Message, listed, msg

Refuse = Callable[[str, Message], NoReturn]
"""Told the place in the round and what is wrong there."""


def check_deal(rules: Rules, round: RoundRecord, refuse: Refuse) -> None:
    """Refuse a deal that does not fit the rulebook; unknown cards count as cards."""
    _check_counts(rules, round, refuse)
    names = {str(card) for card in rules.deck}
    seen: dict[str, Message] = {}
    for part, where, card in _cards(round):
        if card == UNKNOWN:
            continue
        if card not in names:
            refuse(
                part,
                msg(
                    "{card} is not in the deck of {rules}: {deck}.",
                    card=card,
                    rules=rules.name,
                    deck=listed(rules.deck),
                ),
            )
        if card in seen:
            refuse(part, msg("{card} is dealt twice: {first} and {second}.", card=card, first=seen[card], second=where))
        seen[card] = where
    _check_order(rules, round, refuse)


def _cards(round: RoundRecord) -> Iterator[tuple[str, Message, str]]:
    """Each card with its place in the data and in words."""
    for seat, hand in enumerate(round.hands):
        yield from ((f"hands[{seat}][{n}]", msg("to seat {seat}", seat=seat), card) for n, card in enumerate(hand))
    if round.widow:
        yield "widow", msg("to the widow"), round.widow
    yield from ((f"dead[{n}]", msg("to the dead hand"), card) for n, card in enumerate(round.dead))


def _check_counts(rules: Rules, round: RoundRecord, refuse: Refuse) -> None:
    if len(round.hands) != rules.players:
        refuse(
            "hands",
            msg(
                "There are {given} hands; {rules} has {n} players.",
                given=len(round.hands),
                rules=rules.name,
                n=rules.players,
            ),
        )
    for seat, hand in enumerate(round.hands):
        if len(hand) != rules.cards:
            refuse(
                f"hands[{seat}]",
                msg("Seat {seat} is dealt {given} cards; it gets {n}.", seat=seat, given=len(hand), n=rules.cards),
            )
    if rules.joker and not round.widow:
        refuse("widow", msg("The widow is missing: with the Joker one card is left over."))
    if not rules.joker and round.widow:
        refuse(
            "widow", msg("The widow {card} is one card too many: {rules} has none.", card=round.widow, rules=rules.name)
        )
    dead = rules.cards if rules.dead_hand else 0
    if len(round.dead) != dead:
        refuse(
            "dead",
            msg(
                "The dead hand has {given} cards; in {rules} it has {n}.",
                given=len(round.dead),
                rules=rules.name,
                n=dead,
            ),
        )


def _check_order(rules: Rules, round: RoundRecord, refuse: Refuse) -> None:
    order = {str(card): number for card, number in rules.card_number.items()}
    groups = [*((f"hands[{seat}]", hand) for seat, hand in enumerate(round.hands)), ("dead", round.dead)]
    for part, cards in groups:
        right = sorted(cards, key=lambda card: order.get(card, len(order)))
        if list(cards) != right:
            refuse(part, msg("The cards stand in the order of the printed deck: {right}.", right=" ".join(right)))
