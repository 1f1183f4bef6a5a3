"""`bigpepper play`: a game against bots, in this terminal."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from shlex import quote

import click
from rich.console import Console

from bigpepper.bots import prepare, split
from bigpepper.cli.edge import language
from bigpepper.cli.rules import find_rules
from bigpepper.cli.signals import Signals
from bigpepper.cli.table import saved, store, words
from bigpepper.cli.table.cards import COLOURS
from bigpepper.cli.table.kept import Kept
from bigpepper.cli.table.lines import Lines
from bigpepper.cli.table.menu import choose, unfinished
from bigpepper.cli.table.plain import Plain
from bigpepper.cli.table.play import End, Table
from bigpepper.cli.table.screen import SPEEDS, Screen
from bigpepper.cli.table.session import Session, Setup
from bigpepper.cli.table.terminal import accept_any_bytes, called, console, is_terminal, letters, on_screen
from bigpepper.cli.values import Whole
from bigpepper.text import msg


def _readable(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """The value, if it is text. Raises `click.BadParameter`."""
    try:
        (value or "").encode()
    except UnicodeEncodeError:
        raise click.BadParameter(msg("It is no UTF-8 text.").text(language())) from None
    return value


def _file(context: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
    """The file, if one is named. Raises `click.BadParameter`."""
    if value == "":
        raise click.BadParameter(msg("It needs the file of a saved game.").text(language()))
    return None if value is None else Path(value)


@click.command("play")
@click.option(
    "--rules",
    "rulebook",
    callback=_readable,
    metavar="NAME|FILE",
    help="The rulebook: a name, or a .toml file with house rules.",
)
@click.option("--seat", type=Whole(), default=0, show_default=True, metavar="N", help="Your seat, from 0.")
@click.option(
    "--bots",
    callback=_readable,
    default="novice",
    show_default=True,
    metavar="A,B,…",
    help="The others, from your left.",
)
@click.option(
    "--seed", callback=_readable, metavar="TEXT", help="The same seed gives the same deals.  [default: drawn]"
)
@click.option(
    "--speed", type=click.Choice(list(SPEEDS)), default="normal", show_default=True, help="How fast the others play."
)
@click.option("--plain", is_flag=True, help="Line by line, without boxes, as for a screen reader.")
@click.option(
    "--colours", type=click.Choice(list(COLOURS)), default="two", show_default=True, help="The colours of the suits."
)
@click.option("--ascii", "ascii_only", is_flag=True, help="Letters in place of suit signs and lines.")
@click.option("--resume", type=click.Path(), callback=_file, metavar="FILE", help="Go on with a saved game.")
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
    accept_any_bytes()
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
        kept, session = Kept.opened(resume)
    else:
        rules = find_rules(rulebook or "")
        setup = Setup.of(rules, seed or secrets.token_hex(8), seat, split(bots))
        session = Session(setup)
        saved.dump(session)  # what cannot be saved is refused before the first card
        kept = Kept.begun(games(), rules.name)
    prepare(session.setup.bots)
    screen = partial(Screen, speed=speed, colours=COLOURS[colours], letters=only_letters, language=language())
    try:
        _play(lines, session, kept, screen if on_screen(plain) else None)
    finally:
        if resume is None:
            store.release(kept.path)


def _play(lines: Lines, session: Session, kept: Kept, screen: Callable[[Console], Screen] | None) -> None:
    """Play and say how it ended; signals end it as Ctrl-C does. Raises `NotKept`."""
    with Signals() as signals:
        try:
            if screen:
                with closing(screen(console())) as face:
                    table = Table(session, face, kept, language())
                    end = table.run()
            else:
                script = not is_terminal(sys.stdin)
                table = Table(session, Plain(lines, sure=script), kept, language(), script)
                end = table.run()
            _farewell(lines, table, end)
        except OSError:  # after SIGHUP there is nobody left to be told
            if signals.number is None:
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            end = End.KEY
        if end is End.KEY:
            sys.exit(signals.status)


def games() -> Path:
    """The folder of games."""
    return store.data_folder() / "games"


def resume_command(path: Path) -> str:
    """What to type to go on with a saved game."""
    return f"{called()} play --resume {quote(str(path))}"


def _farewell(lines: Lines, table: Table, end: End) -> None:
    """Say how it ended, or how to go on. Raises `NotKept` for a game that could not be saved."""
    if end is End.OVER:
        lines.say(words.finish(table.session.view()))
    if table.lost:
        raise table.lost
    if table.parting:
        lines.say(table.parting)
    if end is End.OVER:
        lines.say(msg("The game is kept in {path}", path=table.kept.path))
    else:
        lines.say(msg("The game is saved. To go on:"))
        lines.command(resume_command(table.kept.path))
