"""`bigpepper score`: a score pad for people with real cards."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click
from rich.table import Table
from rich.text import Text

from bigpepper import explain
from bigpepper.cli.edge import in_utf8, language
from bigpepper.cli.rules import find_rules
from bigpepper.cli.table import pad as pads
from bigpepper.cli.table import store
from bigpepper.cli.table.entry import Told, seat_of
from bigpepper.cli.table.lines import Lines
from bigpepper.cli.table.menu import Going, choose
from bigpepper.cli.table.pad import Pad, named
from bigpepper.cli.table.terminal import letters
from bigpepper.errors import BigPepperError
from bigpepper.rules import Rules
from bigpepper.text import Message, msg

SUFFIX: Final = ".pad"
PLACES: Final = {2: "South North", 3: "South West East", 4: "South West North East"}
"""Names for those who give none."""


@click.command("score")
@click.option(
    "--rules", "rulebook", metavar="NAME|FILE", help="The rulebook: a name, or a .toml file with house rules."
)
@click.option("--names", callback=in_utf8, metavar="A,B,…", help="The players, clockwise; partners sit opposite.")
@click.option("--dealer", callback=in_utf8, metavar="NAME", help="Who deals first.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Letters in place of signs.")
@click.option("--resume", type=click.Path(path_type=Path), metavar="FILE", help="Go on with a pad.")
def command(rulebook: str | None, names: str | None, dealer: str | None, ascii_only: bool, resume: Path | None) -> None:
    """Keep the score for people with real cards: who bid what, the strain, the tricks; the points follow.

    A round is told in one line, “Anna 4 hearts 5”, or bit by bit. It is kept after every line.
    """
    lines = Lines(ascii_only or letters(), language())
    try:
        if resume is None and rulebook is None:
            chosen = choose(lines, unfinished(), msg("What is being played?"))
            resume, rulebook = (chosen, None) if isinstance(chosen, Path) else (None, chosen)
        if resume is not None:
            path, pad = resume, pads.load(store.read(resume))
        else:
            pad = _begin(lines, find_rules(rulebook or ""), names, dealer)
            path = store.new_path(folder(), pad.rules.name, SUFFIX)
    except EOFError:
        lines.say(msg("No pad was begun."))
        return
    sys.exit(Desk(lines, pad, path).run())


def folder() -> Path:
    """The folder of pads."""
    return store.data_folder() / "pads"


def unfinished() -> Going | None:
    """The pad that was written last, if its game goes on."""
    for path in store.newest(folder(), SUFFIX)[:1]:
        try:
            pad = pads.load(store.read(path))
        except BigPepperError:
            continue
        if not pad.winners:
            title, standing = explain.title(pad.rules), pad.standing()
            return Going(path, msg("{title}: {standing}", title=title, standing=standing))
    return None


def _begin(lines: Lines, rules: Rules, names: str | None, dealer: str | None) -> Pad:
    """A new pad; what the call did not give is asked, but only a person. Raises `InvalidGame`, `EOFError`."""
    if names is None and sys.stdin.isatty():
        lines.say(
            msg("Who plays? Names clockwise, partners opposite; Enter for {places}.", places=PLACES[rules.players])
        )
        names = lines.read()
    players = named(rules, (names or "").replace(",", " ").split() or PLACES[rules.players].split())
    if dealer is None and sys.stdin.isatty():
        lines.say(msg("Who deals first? Enter for {name}.", name=players[0]))
        dealer = lines.read().strip()
    return Pad(rules, players, seat_of(players, dealer) if dealer else 0)


class Desk:
    """A pad with a pen: reads rounds and words, line by line, and keeps the file."""

    def __init__(self, lines: Lines, pad: Pad, path: Path) -> None:
        self.lines = lines
        self.pad = pad
        self.path = path

    def run(self) -> int:
        """Until you leave; the exit status."""
        self.lines.write(Text(explain.title(self.pad.rules).text(self.lines.language), "bold"))
        self._history()
        self._next()
        status = 0
        try:
            while self._line(self.lines.read().strip()):
                pass
        except EOFError:
            pass
        except KeyboardInterrupt:
            self.lines.write()
            status = 130
        self._save()
        self.lines.say(msg("The pad is kept. To go on:"))
        self.lines.command(resume_command(self.path))
        return status

    def _line(self, line: str) -> bool:
        """Do what a line says; false to leave."""
        words = {"undo": self._undo, "history": self._history, "score": self._standing, "new": self._new}
        try:
            if line.lower() in ("quit", "q") or (not line and self.pad.winners):
                return False
            if line.lower() in ("?", "help"):
                self._help()
            elif line.lower() in words:
                words[line.lower()]()
            elif line:
                self._round(line)
        except BigPepperError as error:
            self.lines.say(error.message)
        return True

    def _round(self, line: str) -> None:
        self.pad = self.pad.add(Told(self.pad, line, self._ask, self.lines.say, self.lines.language).round())
        self._save()
        for sentence in self.pad.said(len(self.pad.rounds) - 1):
            self.lines.say(sentence)
        self._standing()
        self._next()

    def _ask(self, question: Message) -> str:
        self.lines.say(question)
        return self.lines.read()

    def _undo(self) -> None:
        self.pad = self.pad.without_last()
        self._save()
        self.lines.say(msg("The last round is taken back."))
        self._standing()
        self._next()

    def _new(self) -> None:
        self._save()
        self.pad, self.path = self.pad.again(), store.new_path(folder(), self.pad.rules.name, SUFFIX)
        self._next()

    def _standing(self) -> None:
        self.lines.say(self.pad.standing())

    def _next(self) -> None:
        """Who deals now, or who has won."""
        if self.pad.winners:
            self.lines.write(Text(self.pad.finish().text(self.lines.language), "bold"))
            self.lines.say(msg("Enter leaves; “undo” takes the last round back, “new” begins another game."))
            return
        number, name = len(self.pad.rounds) + 1, self.pad.names[self.pad.next_dealer]
        self.lines.say(msg("Round {n}, {name} deals. Who bid what? (? helps)", n=number, name=name))

    def _history(self) -> None:
        if not self.pad.rounds:
            return
        if not self.lines.drawn:
            for number in range(len(self.pad.rounds)):
                for sentence in self.pad.said(number):
                    self.lines.say(msg("Round {n}: {line}", n=number + 1, line=sentence))
            self._standing()
            return
        self.lines.write(self._sheet())

    def _sheet(self) -> Table:
        """The pad as it would look on paper: points and sums, a column a side."""
        words = self.lines.text
        table = Table(box=None, padding=(0, 3, 0, 0), header_style="dim")
        table.add_column(words(msg("Round")), justify="right")
        table.add_column(words(msg("Contract")))
        for side in explain.side_names(self.pad.rules, self.pad.names):
            table.add_column(words(side), justify="right")
        for number, state in enumerate(self.pad.rounds, 1):
            cells = [
                f"{explain.signed(n)}  {score + n:>4}"
                for n, score in zip(state.points or (), state.scores, strict=True)
            ]
            line = explain.contract_line(state.observation(None), self.pad.names)
            table.add_row(str(number), words(msg("thrown in") if state.thrown_in else line), *cells)
        return table

    def _help(self) -> None:
        rules = self.pad.rules
        name = self.pad.names[0]
        alone = rules.alone != "no"
        self.lines.say(
            msg("A round in one line: who bid, what, the suit, the tricks. Or begin it and be asked for the rest.")
        )
        if rules.sides == 3:
            self.lines.say(msg("For example: {name} 4 hearts 5 2 (then the tricks of the next player).", name=name))
        else:
            self.lines.say(msg("For example: {name} 4 hearts 5", name=name))
        if alone:
            self.lines.say(msg("Alone: {name} 4 hearts alone 6", name=name))
        self.lines.say(msg("thrown: nobody bid, the round was thrown in."))
        self.lines.say(msg("undo: take the last round back. history: all rounds. score. new: another game. quit."))

    def _save(self) -> None:
        store.write(self.path, pads.dump(self.pad))


def resume_command(path: Path) -> str:
    """What to type to go on with a pad."""
    from shlex import quote

    return f"bigpepper score --resume {quote(str(path))}"
