"""What shall we play? The questions before the first deal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from rich.text import Text

from bigpepper import explain, notation
from bigpepper.cli.table import store
from bigpepper.cli.table.lines import Lines
from bigpepper.errors import BigPepperError
from bigpepper.rules import Rules
from bigpepper.text import Message, msg

GAMES: Final = ("pepper-4", "pepper-3", "pepper-2", "hasenpfeffer-traditional", "iowa", "bid-euchre")
"""What is offered; the Hasenpfeffer there stands for all of them."""
HASENPFEFFERS: Final = ("hasenpfeffer-traditional", "hasenpfeffer", "hasenpfeffer-peppers")
LOOKED_AT: Final = 12
"""How many of the newest records are looked at for a game that can go on."""


class Choice(NamedTuple):
    """A line of a menu."""

    key: str
    name: str
    """What may be typed instead of the key."""
    title: Message
    about: Message


class Going(NamedTuple):
    """A saved game or pad that can go on."""

    path: Path
    about: Message


def choose(lines: Lines, going: Going | None, question: Message) -> str | Path:
    """The name of a rulebook, or what is to go on. Raises `EOFError`."""
    choices = [Choice(str(i), name, *_about(name)) for i, name in enumerate(GAMES, 1)]
    if going:
        choices.insert(0, Choice("r", "resume", msg("Go on"), going.about))
    chosen = _ask(lines, question, choices)
    if chosen == "resume" and going:
        return going.path
    return _which_hasenpfeffer(lines) if chosen == "hasenpfeffer-traditional" else chosen


def unfinished(games: Path) -> Going | None:
    """The game that was played last, if it can go on."""
    for path in store.newest(games, ".pep")[:LOOKED_AT]:
        try:
            record = notation.loads(store.read(path))
        except BigPepperError:
            continue
        seat = next((seat for seat, player in enumerate(record.players) if player.bot is None), None)
        if not record.is_over and record.end and seat is not None and record.seed is not None:
            names = [player.name or msg("You").text() for player in record.players]
            standing = explain.standing_line(record.rules, record.end.scores, names, seat)
            title = explain.title(record.rules)
            return Going(path, msg("{title}: {standing}", title=title, standing=standing))
    return None


def _about(name: str) -> tuple[Message, Message]:
    rules = Rules.load(name)
    if name == "hasenpfeffer-traditional":
        return msg("Hasenpfeffer"), msg("Two against two with the Joker and a widow; 10 points win.")
    return explain.title(rules), explain.summary(rules)


def _which_hasenpfeffer(lines: Lines) -> str:
    choices = []
    for i, name in enumerate(HASENPFEFFERS, 1):
        rules = Rules.load(name)
        title = explain.title(rules)
        about = explain.summary(rules)
        if rules.recommended:
            title = msg("{title} (recommended)", title=title)
        choices.append(Choice(str(i), name, title, about))
    return _ask(lines, explain.HASENPFEFFER_CHOICE, choices)


def _ask(lines: Lines, question: Message, choices: Sequence[Choice]) -> str:
    """Show a menu until one of its lines is chosen; Enter takes the first. Raises `EOFError`."""
    lines.write(Text(question.text(lines.language), "bold"))
    lines.write()
    for choice in choices:
        lines.write(Text.assemble((f"{choice.key:>3}  ", "bold"), choice.title.text(lines.language)))
        lines.write(Text(choice.about.text(lines.language), "dim"), indent=5)
    lines.write()
    lines.say(msg("Type a number; Enter takes the first. Ctrl-C leaves."))
    while True:
        answer = lines.read().strip().lower()
        if not answer:
            return choices[0].name
        for choice in choices:
            if answer in (choice.key, choice.name):
                return choice.name
        if answer in HASENPFEFFERS:
            return answer
        lines.say(msg("“{answer}” is none of these. Type one of the numbers on the left.", answer=answer))
