"""The rulebooks by name: titles, one-line summaries, and what sets one apart from its parent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bigpepper.explain.sentences import (
    bid_sentences,
    failed_sentences,
    made_sentences,
    option_sentences,
    promise_sentences,
)
from bigpepper.options import OPTIONS
from bigpepper.rules import Rules, rulebooks
from bigpepper.text import Message, msg

_TITLES: Final = {
    "pepper-4": msg("Pepper for four"),
    "pepper-3": msg("Pepper for three"),
    "pepper-2": msg("Pepper for two"),
    "hasenpfeffer": msg("Hasenpfeffer as written"),
    "hasenpfeffer-peppers": msg("Hasenpfeffer as written, with peppers"),
    "hasenpfeffer-traditional": msg("Traditional Hasenpfeffer"),
    "iowa": msg("Iowa Pepper"),
    "bid-euchre": msg("Bid Euchre"),
    "tiny": msg("Tiny"),
}
_SUMMARIES: Final = {
    "pepper-4": msg("Two against two, six cards each; a failed bid costs 6, Big Pepper 12, and 30 points win."),
    "pepper-3": msg("Each for themselves, eight cards each; a failed bid costs 8, Big Pepper 16, and 30 points win."),
    "pepper-2": msg("One against one, eight cards each, a third hand face down; 30 points win."),
    "hasenpfeffer": msg("Joker and widow; a failed bid costs one point a trick won, and 10 points win."),
    "hasenpfeffer-peppers": msg("As written, with Small and Big Pepper above 5."),
    "hasenpfeffer-traditional": msg(
        "Joker and widow; a failed bid costs what was bid, Big Pepper twice that; the defenders score, and 10 points "
        "win."
    ),
    "iowa": msg("Pepper for four in which everybody speaks once."),
    "bid-euchre": msg(
        "Pepper for four with bids from 3; a failed bid costs what was bid, Big Pepper twice that, and 32 points win."
    ),
    "tiny": msg("Two cards each: for exact studies, not for fun."),
}
HASENPFEFFER_CHOICE: Final = msg(
    "If you fail, the traditional game (recommended) costs you what you bid; the game as written costs you only one "
    "point for each trick you won."
)
"""What whoever sets up a table of Hasenpfeffer is told (rules §1)."""


def title(rules: Rules) -> Message:
    """The rulebook's name as people say it: "Pepper for four"."""
    if rules.name in rulebooks():
        name = _TITLES[rules.name]
        return name if _is_shipped(rules) else msg("{title} with house rules", title=name)
    return msg("House rules “{name}”", name=rules.name)


def summary(rules: Rules) -> Message:
    """The rulebook in one sentence."""
    if _is_shipped(rules):
        return _SUMMARIES[rules.name]
    base = parent(rules)
    return msg("House rules.") if base is None else msg("House rules after {title}.", title=title(base))


def _is_shipped(rules: Rules) -> bool:
    return rules.name in rulebooks() and Rules.load(rules.name).options() == rules.options()


def parent(rules: Rules) -> Rules | None:
    """The shipped rulebook to compare with: the one `replace` changed, or the one this is based on; None if none."""
    if rules.name in rulebooks() and not _is_shipped(rules):
        return Rules.load(rules.name)
    return Rules.load(rules.based_on) if rules.based_on else None


def ancestors(rules: Rules) -> Iterator[Rules]:
    """The rulebook, its parent, the parent's parent …"""
    kin: Rules | None = rules
    while kin is not None:
        yield kin
        kin = parent(kin)


def differences(rules: Rules) -> tuple[Message, ...]:
    """What a player who knows the parent has to be told; empty without a parent."""
    base = parent(rules)
    return () if base is None else tuple(_differences(rules, base))


def _differences(rules: Rules, base: Rules) -> Iterator[Message]:
    for key in OPTIONS:
        if getattr(rules, key) != getattr(base, key) and not (key == "alone_stakes" and rules.alone == "no"):
            yield from _ladder_differences(rules, base) if key == "ladder" else option_sentences(rules, key)


def _ladder_differences(rules: Rules, base: Rules) -> Iterator[Message]:
    for aspect in (bid_sentences, promise_sentences):
        known = aspect(base)
        yield from (sentence for sentence in aspect(rules) if sentence not in known)
    yield from made_sentences(rules, base)
    yield from failed_sentences(rules, base)


def recommended_lines(rules: Rules) -> tuple[Message, ...]:
    """For a Hasenpfeffer as written: which form is recommended, and how it differs; empty for all others."""
    if not _is_shipped(rules):
        return ()
    lines = {
        "hasenpfeffer": (
            msg(
                "We recommend Traditional Hasenpfeffer: there a failed bid costs what was bid, Big Pepper twice that, "
                "the defenders score, Small and Big Pepper stand above 5 in place of 6, and if everybody passes, "
                "whoever holds the Joker must bid 3."
            ),
        ),
        "hasenpfeffer-peppers": (
            msg(
                "We recommend Traditional Hasenpfeffer: there a failed bid costs what was bid, Big Pepper twice that, "
                "the defenders score, and if everybody passes, whoever holds the Joker must bid 3."
            ),
        ),
    }
    return lines.get(rules.name, ())


def auction_line(rules: Rules) -> Message:
    """The auction's mode, shown when a table is set up (rules §3)."""
    return option_sentences(rules, "auction")[0]


def setup_lines(rules: Rules) -> tuple[Message, ...]:
    """What whoever sets up a table is told: what is special, the auction's mode, and a choice that is his."""
    choice = [HASENPFEFFER_CHOICE] if any(kin.name == "hasenpfeffer" for kin in ancestors(rules)) else []
    return (summary(rules), auction_line(rules), *choice)
