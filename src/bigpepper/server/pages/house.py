"""House rules on a form: the options of a rulebook that a table may set, with a sentence for every value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bigpepper.errors import InvalidRules
from bigpepper.explain.sentences import option_sentences
from bigpepper.rules import Rules
from bigpepper.text import Message, msg

_CHOICES: Final = {
    "auction": ("re-entry", "final-pass", "one-round"),
    "all_pass": ("throw-in", "same-dealer", "stick-dealer", "joker-bids-3"),
    "defenders": ("per-trick", "none"),
    "lead": ("maker", "left-of-dealer"),
    "widow": ("pick-up", "dead"),
    "alone": ("no", "makers", "makers-and-defender"),
    "finish": ("highest", "makers-first"),
}
_LABELS: Final = {
    "auction": msg("The auction"),
    "all_pass": msg("If everybody passes"),
    "minimum_bid": msg("The lowest bid"),
    "defenders": msg("The defenders' score"),
    "lead": msg("The first lead"),
    "widow": msg("The card that is left over"),
    "alone": msg("Going alone"),
    "finish": msg("The end of the game"),
}
_NUMBERS: Final = ("target", "alone_stakes")


@dataclass(frozen=True)
class House:
    """An option with its values: (value, what it means, whether the rulebook has it)."""

    key: str
    label: Message
    values: tuple[tuple[str, Message, bool], ...]


def house(rules: Rules) -> tuple[House, ...]:
    """The options that can be set otherwise in a rulebook."""
    keys = [*_CHOICES, "minimum_bid"]
    found = (House(key, _LABELS[key], tuple(_values(rules, key))) for key in keys)
    return tuple(one for one in found if len(one.values) > 1)


def _values(rules: Rules, key: str) -> Iterator[tuple[str, Message, bool]]:
    known = getattr(rules, key)
    values = _CHOICES.get(key) or tuple(rung.name for rung in rules.ladder)
    for value in values:
        try:
            changed = rules.replace(**{key: value})
        except InvalidRules:
            continue  # it contradicts the rest of this rulebook
        sentences = option_sentences(changed, key)
        if sentences:
            yield value, sentences[0], value == known


def with_house_rules(rules: Rules, fields: Mapping[str, str]) -> Rules:
    """The rulebook with what a form sets otherwise. Raises `InvalidRules`."""
    changes: dict[str, object] = {}
    for key in (*_CHOICES, "minimum_bid"):
        if fields.get(key) and fields[key] != getattr(rules, key):
            changes[key] = fields[key]
    for key in _NUMBERS:
        text = fields.get(key, "").strip()
        if text and text != str(getattr(rules, key)):
            changes[key] = int(text) if text.isdecimal() and len(text) < 6 else text
    return rules.replace(**changes) if changes else rules
