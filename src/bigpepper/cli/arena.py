"""`bigpepper arena`: which bot is stronger, by how much, and how sure that is."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bigpepper.arena import Goal, Match, Measure, Sprt
from bigpepper.arena.entrants import Entry
from bigpepper.arena.match import DEALS_A_GAME
from bigpepper.arena.oracle import oracle
from bigpepper.bots import prepare
from bigpepper.cli.arenaboard import live, show, stopped
from bigpepper.cli.edge import in_utf8, language
from bigpepper.cli.rules import find_rules
from bigpepper.cli.signals import stopping
from bigpepper.cli.values import Number, Whole, output, require_distinct, require_writable
from bigpepper.text import msg
from bigpepper.workers import cores


@click.command("arena")
@click.argument("bots", nargs=-1, metavar="A B [C …]")
@click.option(
    "--rules",
    "rulebook",
    default="pepper-4",
    show_default=True,
    metavar="NAME|FILE",
    help="The rulebook: a name, or a .toml file with house rules.",
)
@click.option(
    "--deals",
    type=Whole(0, 10_000_000),
    default=1000,
    show_default=True,
    help="Single rounds, each played from every seating; with --sprt at most so many.",
)
@click.option(
    "--games",
    type=Whole(0, 10_000_000),
    help=f"Whole games, each from every seating.  [default: a game for {DEALS_A_GAME} deals]",
)
@click.option("--seed", default="0", show_default=True, callback=in_utf8, help="All depends on it and nothing else.")
@click.option("--oracle", "oracles", multiple=True, metavar="BOT", help="Enter BOT's oracle too, who sees all cards.")
@click.option("--sprt", is_flag=True, help="Stop as soon as a sequential test of A against B has an answer.")
@click.option(
    "--measure",
    type=click.Choice([str(measure) for measure in Measure]),
    help="What the test is on: points a round, or games won.  [default: points]",
)
@click.option(
    "--h0", type=Number(), help="The test's first hypothesis: no difference.  [default: 0 points, or 0.5 of games]"
)
@click.option("--h1", type=Number(), help="The other: A is so much ahead.  [default: 0.2 points, or 0.53 of games]")
@click.option("--alpha", type=Number(), help="The chance to accept H1 wrongly.  [default: 0.05]")
@click.option("--beta", type=Number(), help="The chance to accept H0 wrongly.  [default: 0.05]")
@click.option("--processes", type=Whole(1, 256), help="How many processes; all cores by default.")
@click.option(
    "--state", type=click.Path(), callback=output, metavar="FILE", help="Keep the match in this file; go on from it."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--plot", type=click.Path(), callback=output, metavar="FILE", help="Draw the result (.png, .svg, .pdf).")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    bots: tuple[str, ...],
    rulebook: str,
    deals: int,
    games: int | None,
    seed: str,
    oracles: tuple[str, ...],
    sprt: bool,
    processes: int | None,
    state: Path | None,
    as_json: bool,
    plot: Path | None,
    **test: float | str | None,
) -> None:
    """Let bots play duplicate matches: every deal from every seating, the same deals for each two bots.

    A bot is named as in `bots.load`, with options of its own: `expert:plays=20`. Reported are points a round (the mean
    of A's sides less that of B's) and games won, each with a 95 % interval by resampling deals; for three bots or more
    ratings too. Ctrl-C, as SIGTERM, prints what is known so far; with --state the same command goes on from there.
    """
    _check_files(state, plot)
    goal = Goal(deals, deals // DEALS_A_GAME if games is None else games)
    entries: list[Entry] = [*bots, *(oracle(name) for name in oracles)]
    with stopping() as signals:
        match = Match(find_rules(rulebook), entries, goal, seed=seed, sprt=_test(sprt, test), path=state)
        prepare([*bots, *oracles])
        interrupted = _played(match, processes or cores())
        result = match.result()
        if as_json:
            click.echo(json.dumps(result.data()))
        else:
            show(result)
        if plot:
            _draw(match, plot)
        if interrupted:
            stopped(match)
            ctx.exit(signals.status)


def _test(wanted: bool, given: dict[str, float | str | None]) -> Sprt | None:
    """The sequential test that the options ask for."""
    values = {key: value for key, value in given.items() if value is not None}
    if not wanted:
        if values:
            option = "--" + next(iter(values))
            raise click.UsageError(
                msg("{option} belongs to --sprt, which is not given.", option=option).text(language())
            )
        return None
    measure = Measure(str(values.pop("measure", Measure.POINTS)))
    numbers = {key: float(value) for key, value in values.items()}
    alpha, beta = numbers.get("alpha", 0.05), numbers.get("beta", 0.05)
    return Sprt.of(measure, numbers.get("h0"), numbers.get("h1"), alpha, beta)


def _played(match: Match, processes: int) -> bool:
    """Play; whether a key or a signal interrupted it."""
    try:
        with live(match) as update:
            for _ in match.play(processes):
                update()
    except KeyboardInterrupt:
        return True
    return False


def _check_files(state: Path | None, plot: Path | None) -> None:
    """Refuse before anything is played what could not be written, or would be written over."""
    require_distinct({"--state": state, "--plot": plot})
    if plot:
        from bigpepper.arena.plot import check

        check(plot)
    for path in (state, plot):
        if path:
            require_writable(path)


def _draw(match: Match, path: Path) -> None:
    from bigpepper.arena.plot import draw

    draw(match, path, language())
