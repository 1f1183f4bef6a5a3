"""The board of a match: its running state while it is played, and what it has come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from rich.console import Group, RenderableType
from rich.text import Text

from bigpepper.arena import Estimate, Match, Measure, Result, Verdict
from bigpepper.arena.duplicate import pairings
from bigpepper.arena.estimate import Values, error_of
from bigpepper.arena.match import DEALS_A_GAME
from bigpepper.cli.edge import language, say
from bigpepper.cli.running import running
from bigpepper.cli.sheet import Sheet
from bigpepper.text import Message, msg, msgn

# --- while it is played ---------------------------------------------------------------------------------------------


def live(match: Match) -> AbstractContextManager[Callable[[], None]]:
    """The running means on standard error, when that is a terminal; call what it gives after each step."""
    goal = match.goal
    total = goal.deals + DEALS_A_GAME * goal.games
    return running(total, lambda: _done(match), lambda: _so_far(match), lambda: _running(match))


def _done(match: Match) -> int:
    """What is played, in deals."""
    return len(match.tally.deals) + DEALS_A_GAME * len(match.tally.games)


def _so_far(match: Match) -> Message:
    deals, games, goal = len(match.tally.deals), len(match.tally.games), match.goal
    return msg("deals {deals}/{all}, games {games}/{of}", deals=deals, all=goal.deals, games=games, of=goal.games)


def _running(match: Match) -> RenderableType:
    """A line a pairing: the means so far, give or take what the 95 % interval comes to."""
    sheet = Sheet(msg("So far"), msg("Points a round"), msg("Games won, %"))
    names = [one.name for one in match.work.entrants]
    for number, (first, second) in enumerate(pairings(len(names))):
        points, games = (match.values(measure, number) for measure in (Measure.POINTS, Measure.GAMES))
        sheet.add(
            _words(_against(names[first], names[second])),
            _give_or_take(points, 1, "+.2f", ".2f"),
            _give_or_take(games, 100, ".1f", ".1f"),
        )
    if (verdict := match.verdict) is None:
        return sheet
    return Group(sheet, Text(_words(_ratio(verdict))))


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
    say(told, err=True)


# --- what it has come to --------------------------------------------------------------------------------------------


def show(result: Result) -> None:
    """Print the result for people."""
    title = msg(
        "{rules}: {deals} and {games}, each from every seating",
        rules=result.rules.name,
        deals=msgn("{n} deal", "{n} deals", result.deals),
        games=msgn("{n} game", "{n} games", result.games),
    )
    sheet = Sheet(msg("Pairing"), msg("Points a round"), msg("95 %"), msg("Games, %"), msg("95 %"))
    for pairing in result.pairings:
        sheet.add(_words(_against(*pairing.bots)), *_cells(pairing.points, _points), *_cells(pairing.games, _percent))
    sheet.print(title)
    if result.ratings:
        _show_ratings(result)
    if result.verdict:
        say(_told(result.verdict, result.bots))


def _show_ratings(result: Result) -> None:
    sheet = Sheet(msg("Bot"), msg("Rating"), msg("95 %"))
    for one in result.ratings:
        sheet.add(one.bot, *_cells(one.rating, lambda value: f"{round(value):+d}"))
    sheet.print()


def _told(verdict: Verdict, bots: Sequence[str]) -> Message:
    """What the sequential test has found."""
    fields = {"first": bots[0], "second": bots[1], "h0": verdict.test.h0, "h1": verdict.test.h1}
    if verdict.test.measure is Measure.POINTS:
        after: dict[str, object] = {"after": msgn("{n} deal", "{n} deals", verdict.n), **fields}
        if verdict.accepted is None:
            return msg("The test is undecided after {after}: {h0} or {h1} points a round.", **after)
        if verdict.accepted == "H1":
            return msg("The test, after {after}: {first} scores more than {second} (H1, by {h1} a round).", **after)
        return msg("The test, after {after}: {first} does not score {h1} a round more than {second} (H0).", **after)
    after = {"after": msgn("{n} game", "{n} games", verdict.n), **fields}
    if verdict.accepted is None:
        return msg("The test is undecided after {after}: {h0} or {h1} of them are won.", **after)
    if verdict.accepted == "H1":
        return msg("The test, after {after}: {first} wins more of them than {second} (H1, {h1}).", **after)
    return msg("The test, after {after}: {first} does not win {h1} of them against {second} (H0).", **after)


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


def _words(message: Message) -> str:
    return message.text(language())
