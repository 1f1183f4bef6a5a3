"""Finished rounds for review: the result in sentences, all hands, every trick. Public once the round is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bigpepper import explain
from bigpepper.cards import Card
from bigpepper.notation import RoundRecord
from bigpepper.observation import Observation
from bigpepper.server.pages import saying
from bigpepper.server.pages.cards import card_art
from bigpepper.server.pages.words import WORDS
from bigpepper.server.seen import Seen
from bigpepper.text import Message


@dataclass(frozen=True)
class Shown:
    """A card to look at."""

    art: Markup
    name: Message


@dataclass(frozen=True)
class Hand:
    """What a seat was dealt."""

    name: Message | str
    cards: tuple[Shown, ...]


@dataclass(frozen=True)
class Finished:
    """A finished round."""

    number: int
    """From 1."""
    contract: Message
    lines: tuple[Message, ...]
    hands: tuple[Hand, ...]
    widow: Shown | None
    log: tuple[Message, ...]


def finished(seen: Seen, names: Sequence[str]) -> tuple[Finished, ...]:
    """The rounds of the game that are over and that `seen` holds, the oldest first."""
    before = seen.rounds_before
    records = seen.facts.rounds[before:]
    pairs = zip(records, seen.finished, strict=True)
    return tuple(_round(record, round, names, number) for number, (record, round) in enumerate(pairs, before + 1))


def _round(record: RoundRecord, over: Observation, names: Sequence[str], number: int) -> Finished:
    return Finished(
        number=number,
        contract=explain.contract_line(over, names),
        lines=explain.score_lines(over, names),
        hands=tuple(_hand(hand, over, seat, names) for seat, hand in enumerate(record.hands)),
        widow=_shown(Card(record.widow), over) if record.widow else None,
        log=tuple(saying.log_lines(over, names, number)),
    )


def _hand(cards: Sequence[str], over: Observation, seat: int, names: Sequence[str]) -> Hand:
    groups = explain.hand_order(over.rules, [Card(card) for card in cards], over.strain)
    name = WORDS["you"] if seat == over.seat else names[seat]
    return Hand(name, tuple(_shown(card, over) for group in groups for card in group))


def _shown(card: Card, over: Observation) -> Shown:
    return Shown(card_art(card), explain.terms.card_name_in(over.rules, card, over.strain))
