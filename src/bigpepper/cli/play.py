"""`bigpepper play`: a game against bots, in this terminal."""

from __future__ import annotations

import secrets
import sys
from contextlib import closing
from pathlib import Path

import click

from bigpepper.cli.edge import language
from bigpepper.cli.rules import find_rules
from bigpepper.cli.table import saved, store, words
from bigpepper.cli.table.cards import COLOURS
from bigpepper.cli.table.lines import Lines
from bigpepper.cli.table.menu import choose, unfinished
from bigpepper.cli.table.plain import Plain
from bigpepper.cli.table.play import End, Table
from bigpepper.cli.table.screen import SPEEDS, Screen
from bigpepper.cli.table.session import Session, Setup
from bigpepper.cli.table.terminal import console, letters, on_screen
from bigpepper.text import msg


@click.command("play")
@click.option(
    "--rules", "rulebook", metavar="NAME|FILE", help="The rulebook: a name, or a .toml file with house rules."
)
@click.option("--seat", default=0, show_default=True, metavar="N", help="Your seat, from 0.")
@click.option("--bots", default="novice", show_default=True, metavar="A,B,…", help="The others, from your left.")
@click.option("--seed", metavar="TEXT", help="The same seed gives the same deals.  [default: drawn]")
@click.option("--speed", type=click.Choice(list(SPEEDS)), default="normal", show_default=True, help="Of the others.")
@click.option("--plain", is_flag=True, help="Line by line, without boxes, as for a screen reader.")
@click.option("--colours", type=click.Choice(list(COLOURS)), default="two", show_default=True, help="Of the suits.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Letters in place of suit signs and lines.")
@click.option("--resume", type=click.Path(path_type=Path), metavar="FILE", help="Go on with a saved game.")
def command(
    rulebook: str | None,
    seat: int,
    bots: str,
    seed: str | None,
    speed: str,
    plain: bool,
    colours: str,
    ascii_only: bool,
    resume: Path | None,
) -> None:
    """Play against bots. Without --rules and --resume you are asked what to play.

    At the table, ? tells what you can type. Every action of yours is saved; when input ends or Ctrl-C stops the
    game, the command to go on is printed. When input is no terminal, actions are read from it line by line.
    """
    only_letters = ascii_only or letters()
    lines = Lines(only_letters, language())
    if resume is None and rulebook is None:
        try:
            chosen = choose(lines, unfinished(games()), msg("What shall we play?"))
        except EOFError:
            lines.say(msg("No game was begun."))
            return
        resume, rulebook = (chosen, None) if isinstance(chosen, Path) else (None, chosen)
    if resume is not None:
        path, session = resume, saved.load(store.read(resume))
    else:
        rules = find_rules(rulebook or "")
        setup = Setup.of(rules, seed or secrets.token_hex(8), seat, [bot.strip() for bot in bots.split(",")])
        path, session = store.new_path(games(), rules.name, ".pep"), Session(setup)
    if on_screen(plain):
        with closing(Screen(console(), speed, COLOURS[colours], only_letters, language())) as face:
            end = Table(session, face, path, language()).run()
    else:
        script = not sys.stdin.isatty()
        end = Table(session, Plain(lines, sure=script), path, language(), script).run()
    _farewell(lines, session, path, end)


def games() -> Path:
    """The folder of games."""
    return store.data_folder() / "games"


def resume_command(path: Path) -> str:
    """What to type to go on with a saved game."""
    from shlex import quote

    return f"bigpepper play --resume {quote(str(path))}"


def _farewell(lines: Lines, session: Session, path: Path, end: End) -> None:
    """Say how it ended or how to go on; after Ctrl-C the exit status is 130."""
    if end is End.OVER:
        lines.say(words.finish(session.view()))
        lines.say(msg("The game is kept in {path}", path=path))
    else:
        lines.say(msg("The game is saved. To go on:"))
        lines.command(resume_command(path))
    if end is End.KEY:
        sys.exit(130)
