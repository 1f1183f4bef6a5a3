"""The table line by line: for a screen reader, a script, a small terminal. Nothing is repainted."""

from __future__ import annotations

from collections.abc import Iterable

from bigpepper import explain
from bigpepper.cards import Card
from bigpepper.cli.table import words
from bigpepper.cli.table.lines import Lines
from bigpepper.cli.table.prompt import Option, options
from bigpepper.cli.table.session import View
from bigpepper.observation import Observation
from bigpepper.public import Phase
from bigpepper.text import Message, msg


class Plain:
    """Tells every event as a line of its own, once, and cards by their names."""

    def __init__(self, lines: Lines, sure: bool = False) -> None:
        """`sure`: nobody is there to be asked twice."""
        self._lines = lines
        self._say = lines.say
        self._read_line = lines.read
        self._sure = sure
        self._round = 0
        self._told = 0

    def begin(self, view: View) -> None:
        """Say what is played, who sits where, and how the game stands."""
        self.tell(words.setup(view))

    def show(self, view: View) -> None:
        """Tell what has happened in this round since the last time."""
        self._tell(view, view.now, view.round)

    def end_round(self, view: View) -> None:
        """Tell the rest of the round that has just ended, and what it scored."""
        self._tell(view, view.past[-1], len(view.past))
        self.tell(words.result(view, view.past[-1]))

    def took_back(self, view: View) -> None:
        """Say where the game is after something was taken back; what comes is told as if it were new."""
        self._round, self._told = view.round, len(view.now.history)
        self._say(words.taken_back(view))

    def tell(self, sentences: Iterable[Message]) -> None:
        """Say these."""
        for sentence in sentences:
            self._say(sentence)

    def show_rules(self, view: View) -> None:
        """The page of the rulebook."""
        self._lines.write(explain.markdown(explain.rule_page(view.rules), self._lines.language))

    def show_score(self, view: View) -> None:
        """A line a round, and the score."""
        self.tell(words.score_lines(view))

    def ask(self, view: View) -> str:
        """Say what is to be chosen, and read a line. Raises `EOFError`."""
        self.tell(question(view))
        return self._read_line()

    def confirm(self, question: Message) -> bool:
        """Ask for a yes."""
        if self._sure:
            return True
        self._say(msg("{question} Type y for yes, n for no.", question=question))
        return self._read_line().strip().lower() in ("y", "yes")

    def set_speed(self, speed: str) -> bool:
        """Lines come at once, at any speed."""
        return False

    def close(self) -> None:
        """Nothing to put away."""

    def _tell(self, view: View, now: Observation, number: int) -> None:
        if number > self._round:
            self._round, self._told = number, 0
            self._say(words.opening(now, view.names, number))
            self._say(msg("Your cards: {cards}.", cards=_cards(view, words.dealt_row(now))))
        self.tell(words.narrate(now, view.names, self._told))
        self._told = len(now.history)


def question(view: View) -> list[Message]:
    """The contract, your cards and your choices, with their numbers."""
    now = view.now
    lines = [msg("{line}.", line=explain.contract_line(now, view.names.seats))]
    lines.append(explain.turn_line(now, view.names.seats))
    found = options(now)
    if now.phase is Phase.PLAY:
        return [*lines, *_playable(view, found)]
    if now.phase is not Phase.DISCARD:
        lines.append(msg("Your hand: {cards}.", cards=_cards(view, words.hand_row(now))))
    choices = [msg("{key} {name}", key=o.key, name=explain.choice_name(now, o.action)) for o in found if o.legal]
    return [*lines, msg("Choose: {choices}.", choices=words.row(choices))]


def _playable(view: View, found: Iterable[Option]) -> list[Message]:
    """The cards that may be played, and those that may not."""
    now = view.now
    cards = list(zip(words.hand_row(now), found, strict=True))
    named = {o.legal: [] for _, o in cards}  # type: dict[bool, list[Message]]
    for card, option in cards:
        named[option.legal].append(msg("{key} {name}", key=option.key, name=_card(view, card)))
    lines = [msg("You may play: {cards}.", cards=words.row(named[True]))]
    if False in named:
        lines.append(msg("Not now: {cards}.", cards=words.row(named[False])))
    return lines


def _cards(view: View, cards: Iterable[Card]) -> Message | str:
    return words.row([_card(view, card) for card in cards])


def _card(view: View, card: Card) -> Message:
    return explain.card_name_in(view.rules, card, view.now.strain)
