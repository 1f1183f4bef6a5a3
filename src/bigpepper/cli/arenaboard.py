"""The board of a match: its running state while it is played, and what it has come to."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import click
from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from bigpepper.arena import Estimate, Match, Measure, Result, Verdict
from bigpepper.arena.duplicate import pairings
from bigpepper.arena.estimate import Values, error_of
from bigpepper.arena.match import DEALS_A_GAME
from bigpepper.cli.edge import language, say
from bigpepper.cli.printer import Printer
from bigpepper.text import Message, msg

_SECONDS_A_PICTURE: Final = 0.25


# --- while it is played ---------------------------------------------------------------------------------------------


@contextmanager
def live(match: Match) -> Iterator[Callable[[], None]]:
    """The running means on standard error, when that is a terminal; call what it gives after each step."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.live import Live

    bar = Progress(BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    goal = match.goal
    task = bar.add_task("", total=goal.deals + DEALS_A_GAME * goal.games, completed=_done(match))
    shown = 0.0
    with Live(Group(_running(match), bar), console=Console(stderr=True), transient=True, auto_refresh=False) as screen:

        def update() -> None:
            nonlocal shown
            if time.monotonic() < shown + _SECONDS_A_PICTURE:
                return
            shown = time.monotonic()
            bar.update(task, completed=_done(match), description=_words(_so_far(match)))
            screen.update(Group(_running(match), bar), refresh=True)

        yield update


def _done(match: Match) -> int:
    """What is played, in deals."""
    return len(match.tally.deals) + DEALS_A_GAME * len(match.tally.games)


def _so_far(match: Match) -> Message:
    deals, games, goal = len(match.tally.deals), len(match.tally.games), match.goal
    return msg("deals {deals}/{all}, games {games}/{of}", deals=deals, all=goal.deals, games=games, of=goal.games)


def _running(match: Match) -> RenderableType:
    """A line a pairing: the means so far, give or take what the 95 % interval comes to."""
    table = _table(msg("So far"), msg("Points a round"), msg("Games won, %"))
    names = [one.name for one in match.work.entrants]
    for number, (first, second) in enumerate(pairings(len(names))):
        points, games = (match.values(measure, number) for measure in (Measure.POINTS, Measure.GAMES))
        table.add_row(
            Text(_words(_against(names[first], names[second]))),
            _give_or_take(points, 1, "+.2f", ".2f"),
            _give_or_take(games, 100, ".1f", ".1f"),
        )
    if (verdict := match.verdict) is None:
        return table
    return Group(table, Text(_words(_ratio(verdict))))


def _give_or_take(values: Values, scale: int, form: str, error_form: str) -> str:
    if not len(values):
        return "–"
    mean, error = scale * float(values.mean()), 1.96 * scale * error_of(values)
    return f"{mean:{form}} ± {error:{error_form}}" if len(values) > 1 else f"{mean:{form}}"


def _ratio(verdict: Verdict) -> Message:
    return msg(
        "Test: {ratio}; H0 is accepted at {lower}, H1 at {upper}.",
        ratio=_points(verdict.ratio),
        lower=_points(verdict.lower),
        upper=_points(verdict.upper),
    )


def stopped(match: Match) -> None:
    """Say on standard error that the match was stopped, and how to go on."""
    if match.path:
        told = msg("Stopped; kept in {path}. The same command goes on from there.", path=match.path)
    else:
        told = msg("Stopped. With --state FILE a match is kept, and the same command goes on from there.")
    click.echo(_words(told), err=True)


# --- what it has come to --------------------------------------------------------------------------------------------


def show(result: Result) -> None:
    """Print the result for people."""
    console = Printer(file=sys.stdout, highlight=False)
    title = msg(
        "{rules}: {deals} deals and {games} games, each from every seating",
        rules=result.rules.name,
        deals=result.deals,
        games=result.games,
    )
    table = _table(msg("Pairing"), msg("Points a round"), msg("95 %"), msg("Games, %"), msg("95 %"))
    table.title, table.title_justify = Text(_words(title)), "left"
    for pairing in result.pairings:
        table.add_row(
            Text(_words(_against(*pairing.bots))), *_cells(pairing.points, _points), *_cells(pairing.games, _percent)
        )
    console.print(table)
    if result.ratings:
        _show_ratings(console, result)
    if result.verdict:
        say(_told(result.verdict, result.bots))


def _show_ratings(console: Console, result: Result) -> None:
    table = _table(msg("Bot"), msg("Rating"), msg("95 %"))
    for one in result.ratings:
        table.add_row(Text(one.bot), *_cells(one.rating, lambda value: f"{round(value):+d}"))
    console.print(table)


def _told(verdict: Verdict, bots: Sequence[str]) -> Message:
    """What the sequential test has found."""
    fields = {"first": bots[0], "second": bots[1], "n": verdict.n, "h0": verdict.test.h0, "h1": verdict.test.h1}
    if verdict.test.measure is Measure.POINTS:
        if verdict.accepted is None:
            return msg("The test is undecided after {n} deals: {h0} or {h1} points a round.", **fields)
        if verdict.accepted == "H1":
            return msg("The test, after {n} deals: {first} scores more than {second} (H1, by {h1} a round).", **fields)
        return msg("The test, after {n} deals: {first} does not score {h1} a round more than {second} (H0).", **fields)
    if verdict.accepted is None:
        return msg("The test is undecided after {n} games: {h0} or {h1} of them are won.", **fields)
    if verdict.accepted == "H1":
        return msg("The test, after {n} games: {first} wins more of them than {second} (H1, {h1}).", **fields)
    return msg("The test, after {n} games: {first} does not win {h1} of them against {second} (H0).", **fields)


def _cells(estimate: Estimate | None, form: Callable[[float], str]) -> tuple[str, str]:
    if estimate is None:
        return "–", ""
    return form(estimate.mean), f"{form(estimate.low)} … {form(estimate.high)}"


def _points(value: float) -> str:
    return f"{value:+.2f}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _against(first: str, second: str) -> Message:
    return msg("{first} – {second}", first=first, second=second)


def _table(*heads: Message) -> Table:
    table = Table()
    for head in heads:
        numbers = bool(table.columns)
        table.add_column(_words(head), justify="right" if numbers else "left", no_wrap=numbers)
    return table


def _words(message: Message) -> str:
    return message.text(language())
