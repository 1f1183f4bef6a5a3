"""A score pad for people with real cards: the rounds as they were told, and what the kernel makes of them. A value."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from bigpepper import explain
from bigpepper.actions import Bid
from bigpepper.cards import Strain
from bigpepper.cli.table.store import NotKept
from bigpepper.errors import InvalidGame
from bigpepper.explain import scored_round, thrown_in_round
from bigpepper.rules import Rules
from bigpepper.state import State
from bigpepper.text import Message, msg

FORMAT: Final = "bigpepper-pad-1"
LONGEST_NAME: Final = 20
THROWN_IN: Final = ("thrown", "thrown-in", "pass", "passed", "t")
COMMANDS: Final = ("undo", "history", "score", "new", "quit", "q", "help", "?")
"""What a line of a pad may say besides a round: none of it can be a name, nor can `THROWN_IN`."""


@dataclass(frozen=True)
class Entry:
    """One round as it was told: its contract and the tricks of each seat."""

    maker: int
    bid: str
    strain: Strain
    alone: bool
    tricks: tuple[int, ...]


@dataclass(frozen=True)
class Pad:
    """Who plays what, and the rounds so far; None for a round that was thrown in."""

    rules: Rules
    names: tuple[str, ...]
    """One a seat, clockwise."""
    dealer: int
    """The seat that dealt first."""
    entries: tuple[Entry | None, ...] = ()

    @cached_property
    def rounds(self) -> tuple[State, ...]:
        """The rounds as finished States, scored by the kernel. Raises `InvalidGame` for one that cannot be."""
        rounds: list[State] = []
        dealer, scores = self.dealer, (0,) * self.rules.sides
        for entry in self.entries:
            state = _scored(self.rules, entry, dealer, scores)
            rounds.append(state)
            dealer, scores = state.next_dealer(), _after(state)
        return tuple(rounds)

    @property
    def scores(self) -> tuple[int, ...]:
        """Points a side."""
        return _after(self.rounds[-1]) if self.rounds else (0,) * self.rules.sides

    @property
    def next_dealer(self) -> int:
        """The seat that deals now."""
        return self.rounds[-1].next_dealer() if self.rounds else self.dealer

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides that have won; empty while the game goes on."""
        return self.rounds[-1].winners(len(self.rounds)) if self.rounds else ()

    def add(self, entry: Entry | None) -> Pad:
        """With one more round. Raises `InvalidGame` for one that cannot be, or after the end."""
        if self.winners:
            raise InvalidGame(msg("The game is over. “undo” takes the last round back, “new” begins another game."))
        if entry is None and self.rules.all_pass == "stick-dealer":
            raise InvalidGame(msg("In these rules the dealer has to bid, so no round is thrown in."))
        pad = replace(self, entries=(*self.entries, entry))
        assert pad.rounds
        return pad

    def without_last(self) -> Pad:
        """Without the last round. Raises `InvalidGame` when there is none."""
        if not self.entries:
            raise InvalidGame(msg("There is no round to take back."))
        return replace(self, entries=self.entries[:-1])

    def again(self) -> Pad:
        """A new game of the same people; the deal goes on."""
        return replace(self, dealer=self.next_dealer, entries=())

    # --- in words ---------------------------------------------------------------------------------------------------

    def said(self, number: int) -> tuple[Message, ...]:
        """What a round scored, 0 for the first."""
        return explain.score_lines(self.rounds[number].observation(None), self.names)

    def standing(self) -> Message:
        """The score in a line."""
        return explain.standing_line(self.rules, self.scores, self.names, None)

    def finish(self) -> Message:
        """Who has won."""
        return explain.winners_line(self.rules, self.winners, self.scores, self.names, None)


def named(rules: Rules, names: Sequence[str]) -> tuple[str, ...]:
    """Names for a pad, one a seat. Raises `InvalidGame` for too few, too many, equal or impossible ones."""
    clean = _distinct(rules, names)
    for name in clean:
        if name.lower() in (*THROWN_IN, *COMMANDS):
            raise InvalidGame(msg("“{name}” means something else on the pad: choose a longer name.", name=name))
    return clean


def _distinct(rules: Rules, names: Sequence[str]) -> tuple[str, ...]:
    clean = tuple(" ".join(name.split()) for name in names)
    if len(clean) != rules.players:
        raise InvalidGame(msg("There are {given} names; this game has {n} players.", given=len(clean), n=rules.players))
    for name in clean:
        if not name or len(name) > LONGEST_NAME or not name[0].isalpha() or not name.isprintable() or " " in name:
            raise InvalidGame(
                msg(
                    "“{name}” cannot stand on the pad: one word of up to {n} letters.",
                    name=quoted(name),
                    n=LONGEST_NAME,
                )
            )
    if len({name.lower() for name in clean}) < len(clean):
        raise InvalidGame(msg("Two players have the same name: make them different."))
    return clean


def quoted(word: str) -> str:
    """A wrong word as a sentence may repeat it: not too long, and nothing that a terminal would obey."""
    short = word if len(word) <= 2 * LONGEST_NAME else word[: 2 * LONGEST_NAME] + "…"
    return "".join(sign if sign.isprintable() else "?" for sign in short)


def _scored(rules: Rules, entry: Entry | None, dealer: int, scores: tuple[int, ...]) -> State:
    if entry is None:
        return thrown_in_round(rules, dealer=dealer, scores=scores)
    return scored_round(
        rules,
        maker=entry.maker,
        bid=Bid(entry.bid),
        tricks=entry.tricks,
        strain=entry.strain,
        alone=entry.alone,
        dealer=dealer,
        scores=scores,
    )


def _after(state: State) -> tuple[int, ...]:
    return tuple(score + points for score, points in zip(state.scores, state.points or (), strict=True))


# --- as text --------------------------------------------------------------------------------------------------------


def dump(pad: Pad) -> str:
    """The pad as JSON."""
    data = {
        "format": FORMAT,
        "rules": pad.rules.to_toml(),
        "names": list(pad.names),
        "dealer": pad.dealer,
        "rounds": [_data(entry) for entry in pad.entries],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _data(entry: Entry | None) -> dict[str, Any] | None:
    if entry is None:
        return None
    return {
        "maker": entry.maker,
        "bid": entry.bid,
        "strain": str(entry.strain),
        "alone": entry.alone,
        "tricks": list(entry.tricks),
    }


def load(text: str) -> Pad:
    """What `dump` wrote. Raises `NotKept` for anything else, `InvalidRules`, `InvalidGame`."""
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise ValueError
        rules = Rules.from_toml(data["rules"])
        names = _distinct(rules, data["names"])  # a pad that has one of our words for a name can still go on
        pad = Pad(rules, names, int(data["dealer"]) % rules.players)
        entries = [None if entry is None else _entry(rules, entry) for entry in data["rounds"]]
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        raise NotKept(msg("This file is no score pad that bigpepper has kept.")) from None
    for entry in entries:
        pad = pad.add(entry)
    return pad


def _entry(rules: Rules, data: dict[str, Any]) -> Entry:
    maker, tricks = int(data["maker"]), tuple(int(n) for n in data["tricks"])
    if not 0 <= maker < rules.players or len(tricks) != rules.players or not all(0 <= n <= rules.cards for n in tricks):
        raise ValueError
    return Entry(maker, str(data["bid"]), Strain(data["strain"]), bool(data["alone"]), tricks)
