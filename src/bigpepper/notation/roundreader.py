"""The lines of one round → its record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Final

from msgspec.structs import replace

from bigpepper.cards import Card
from bigpepper.errors import InvalidAction, InvalidCard
from bigpepper.notation.errors import NotationError, Place
from bigpepper.notation.model import HIDDEN_DISCARD, UNKNOWN, Act, Evaluation, Result, RoundRecord, Takeover
from bigpepper.notation.scanner import Line, Piece
from bigpepper.notation.tokens import (
    LONGEST_WORD,
    not_understood,
    read_action,
    read_comment,
    read_evaluation,
    read_result,
    read_round,
    read_takeover,
)
from bigpepper.rules import Rules
from bigpepper.text import msg

_SINGLE: Final = ("naming", "discard", "claim")


@dataclass
class Draft:
    """An action, to which something may still be added."""

    act: Act
    evaluation: Evaluation | None = None
    comments: list[str] = field(default_factory=list)

    def done(self) -> Act:
        """The action with all that is said about it."""
        return replace(self.act, evaluation=self.evaluation, comments=tuple(self.comments))


class RoundReader:
    """Takes the lines of a round, one by one; writes the places of all parts into `places`."""

    LINES: ClassVar[dict[str, Callable[[RoundReader, Line], None]]]
    """The lines of a round, by keyword."""

    def __init__(self, rules: Rules, line: Line, path: str, places: dict[str, Place]) -> None:
        self._rules, self._path, self._places = rules, path, places
        self._places[path] = line.place
        self._dealer, self._scores = read_round(line.plain(), Piece("", line.place))
        self._hands: dict[int, tuple[str, ...]] = {}
        self._widow: str | None = None
        self._dead: tuple[str, ...] = ()
        self._steps: dict[str, list[Draft]] = {"auction": [], "naming": [], "discard": [], "defence": [], "claim": []}
        self._tricks: list[list[Draft]] = []
        self._last: Draft | None = None
        self._acts = 0
        self._takeovers: list[Takeover] = []
        self._result: Result | None = None
        self._comments: list[str] = []
        for brace in line.braces():
            self.comment(brace)

    def add(self, line: Line) -> None:
        """Take a line."""
        if self._result:
            raise NotationError(msg("The round has ended before; a new one begins with “Round …”."), line.place)
        RoundReader.LINES[line.keyword](self, line)

    def comment(self, brace: Piece) -> None:
        """Take a comment on the round, or on the action before it."""
        evaluation = read_evaluation(brace)
        if evaluation is None:
            self._remark(brace)
        elif self._last is None or self._last.evaluation:
            raise NotationError(msg("An evaluation stands after an action, one at most."), brace.place)
        else:
            self._last.evaluation = evaluation

    def _remark(self, brace: Piece) -> None:
        comments = self._comments if self._last is None else self._last.comments
        comments.append(read_comment(brace))

    # --- the deal ---------------------------------------------------------------------------------------------------

    def _hand(self, line: Line) -> None:
        seat = line.number
        if seat is None or seat >= self._rules.players:
            right = self._rules.players - 1
            raise NotationError(msg("A hand names its seat, from 0 to {last}: “Hand 0: …”.", last=right), line.place)
        if seat in self._hands:
            raise NotationError(msg("The hand of seat {seat} is given twice.", seat=seat), line.place)
        self._hands[seat] = self._cards(line, f"hands[{seat}]")

    def _read_dead(self, line: Line) -> None:
        if self._dead:
            raise NotationError(msg("The dead hand is given twice."), line.place)
        self._dead = self._cards(line, "dead")

    def _read_widow(self, line: Line) -> None:
        cards = self._cards(line, "widow")
        if len(cards) != 1 or self._widow:
            raise NotationError(msg("The widow is one card, given once."), line.place)
        self._widow = cards[0]
        self._put("widow", self._places.pop(f"{self._path}.widow[0]"))

    def _cards(self, line: Line, path: str) -> tuple[str, ...]:
        """The cards of a line, in the order of the printed deck, unknown ones last."""
        self._put(path, line.place)
        found = [(self._card(word), word.place) for word in line.plain()]
        order = {str(card): number for card, number in self._rules.card_number.items()}
        found.sort(key=lambda pair: (order.get(pair[0], 98 + (pair[0] == UNKNOWN)), pair[1]))
        for n, (_, place) in enumerate(found):
            self._put(f"{path}[{n}]", place)
        self._braces(line)
        return tuple(card for card, _ in found)

    def _card(self, word: Piece) -> str:
        if word.text == UNKNOWN:
            return UNKNOWN
        if len(word.text) > LONGEST_WORD:
            raise not_understood(word, msg("a card, such as JH"))
        try:
            return str(Card(word.text))
        except InvalidCard as error:
            raise NotationError(error.message, word.place) from None

    def _put(self, path: str, place: Place) -> None:
        self._places[f"{self._path}.{path}"] = place

    def _braces(self, line: Line) -> None:
        for brace in line.braces():
            self.comment(brace)

    # --- what is done -----------------------------------------------------------------------------------------------

    def _step(self, line: Line) -> None:
        """The auction and the steps before and after the play: `seat:action`."""
        acts = self._steps[line.keyword]
        for word in self._words(line):
            if acts and line.keyword in _SINGLE:
                raise not_understood(word, msg("there is one action of this kind in a round"))
            path = line.keyword if line.keyword in _SINGLE else f"{line.keyword}[{len(acts)}]"
            self._done(acts, path, word, None)

    def _lead(self, line: Line) -> None:
        """A trick: the leader's card, then the others' clockwise; a dash for a seat that sits out."""
        players = self._rules.players
        if line.number is None or line.number >= players:
            raise NotationError(msg("A trick names its leader: “Lead 0: …”."), line.place)
        leader = seat = line.number
        trick: list[Draft] = []
        self._put(f"tricks[{len(self._tricks)}]", line.place)
        self._tricks.append(trick)
        for n, word in enumerate(self._words(line)):
            if n == players:
                raise not_understood(word, msg("at most {n} cards to a trick", n=players))
            if word.text != "-":
                self._done(trick, f"tricks[{len(self._tricks) - 1}][{len(trick)}]", word, seat)
            elif not trick:
                raise not_understood(word, msg("the leader's card"))
            seat = (leader + n + 1) % players
        if not trick:
            raise NotationError(msg("The trick is empty; the leader's card is missing."), line.place)

    def _words(self, line: Line) -> Iterator[Piece]:
        """The words that stand for actions, one by one; comments and takeovers go where they belong in between."""
        for word in line.words():
            if word.brace:
                self.comment(word)
            elif word.text.startswith("["):
                self._put(f"takeovers[{len(self._takeovers)}]", word.place)
                self._takeovers.append(read_takeover(word, self._acts))
            else:
                yield word

    def _done(self, acts: list[Draft], path: str, word: Piece, seat: int | None) -> None:
        act = read_action(word, seat)
        self._put(path, word.place)
        self._last = Draft(replace(act, action=self._canonical(act.action, word)))
        acts.append(self._last)
        self._acts += 1

    def _canonical(self, text: str, word: Piece) -> str:
        if text.lower() == HIDDEN_DISCARD or text.lower().startswith("claim-"):
            return text.lower()
        try:
            return str(self._rules.action(text))
        except InvalidAction as error:
            raise NotationError(error.message, word.place) from None

    # --- the end ----------------------------------------------------------------------------------------------------

    def _read_result(self, line: Line) -> None:
        words = line.plain()
        self._result = read_result(words, Piece("", line.place), self._rules.players, self._rules.sides)
        self._put("result", words[0].place)
        self._braces(line)

    def finish(self) -> RoundRecord:
        """The record of the round; whether it makes sense is seen when it is played again."""
        steps = {phase: tuple(draft.done() for draft in drafts) for phase, drafts in self._steps.items()}
        return RoundRecord(
            dealer=self._dealer,
            scores=self._scores,
            hands=tuple(self._hands.get(seat, ()) for seat in range(self._rules.players)),
            widow=self._widow,
            dead=self._dead,
            auction=steps["auction"],
            naming=next(iter(steps["naming"]), None),
            discard=next(iter(steps["discard"]), None),
            defence=steps["defence"],
            tricks=tuple(tuple(draft.done() for draft in trick) for trick in self._tricks),
            claim=next(iter(steps["claim"]), None),
            takeovers=tuple(self._takeovers),
            result=self._result,
            comments=tuple(self._comments),
        )


RoundReader.LINES = {
    "hand": RoundReader._hand,
    "widow": RoundReader._read_widow,
    "dead": RoundReader._read_dead,
    "auction": RoundReader._step,
    "naming": RoundReader._step,
    "discard": RoundReader._step,
    "defence": RoundReader._step,
    "lead": RoundReader._lead,
    "claim": RoundReader._step,
    "result": RoundReader._read_result,
}
