"""`bigpepper solve`: what a position or a deal is worth when everybody sees all cards."""

from __future__ import annotations

import json
from collections.abc import Mapping

import click
from rich.console import Console
from rich.table import Table

from bigpepper.cards import Strain
from bigpepper.cli.edge import language, say
from bigpepper.cli.printer import Printer
from bigpepper.cli.rules import find_rules
from bigpepper.deal import Deal
from bigpepper.position import Ending, line_of, parse
from bigpepper.rules import Rules
from bigpepper.solve import Goal, Solution, Solver, deal_table, solve
from bigpepper.state import State
from bigpepper.text import Message, msg


@click.command
@click.argument("position", required=False)
@click.option("--deal", help="A deal instead of a position: hands with “/” between them, “+ JO” for the widow.")
@click.option("--table", is_flag=True, help="With --deal: tricks for every leader and strain.")
@click.option("--rules", "rulebook", help="The rulebook: a name, or a TOML file with house rules.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(position: str | None, deal: str | None, table: bool, rulebook: str | None, as_json: bool) -> None:
    """Solve POSITION exactly, all cards open: its value in tricks and points, that of every action, and a best line.

    POSITION is one line, such as "pepper-4 | H | maker 0 | bid 4 | leader 0 | won 2,2,0,0 | JH AH / … / … / …", or a
    round so far: "pepper-4 | dealer 3 | deal | 0:4 1:pass …".
    """
    rules = find_rules(rulebook) if rulebook else None
    if (position is None) == (deal is None) or table != (deal is not None):
        raise click.UsageError(msg("Give either a position, or --deal “…” --table.").text(language()))
    if position is None:
        chosen = rules or Rules.load("pepper-4")
        _print_table(deal_table(chosen, Deal.parse(chosen, deal or "")), as_json)
    else:
        _print_solutions(parse(position, rules), as_json)


# --- a position -----------------------------------------------------------------------------------------------------


def _print_solutions(position: State | Ending, as_json: bool) -> None:
    solver = Solver()
    tricks, points = (solve(position, goal, solver=solver) for goal in (Goal.TRICKS, Goal.POINTS))
    if as_json:
        text = line_of(position) if isinstance(position, State) else str(position)
        click.echo(json.dumps({"position": text, "tricks": _plain(tricks), "points": _plain(points)}, indent=2))
        return
    _print_values(tricks, points)
    say(msg("For tricks the makers can win {n} of the round.", n=tricks.value))
    say(msg("For points the makers can end {n} ahead of all defenders together.", n=_signed(points.value)))
    say(msg("A best line for points; points of each side: {points}.", points=_row(points.points)))
    for sentence in points.sentences:
        click.echo("  " + sentence.text(language()))


def _plain(solution: Solution) -> dict[str, object]:
    return {
        "value": solution.value,
        "values": {str(action): value for action, value in solution.values.items()},
        "line": [str(turn) for turn in solution.line],
        "points": list(solution.points),
        "tricks": list(solution.tricks),
        "sentences": [sentence.text(language()) for sentence in solution.sentences],
    }


def _print_values(tricks: Solution, points: Solution) -> None:
    table = _table(msg("action"), msg("makers' tricks"), msg("makers' points less defenders'"))
    for action, value in tricks.values.items():
        table.add_row(str(action), str(value), _signed(points.values[action]))
    _console().print(table)


# --- a deal ---------------------------------------------------------------------------------------------------------


def _print_table(values: Mapping[Strain, tuple[int, ...]], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({str(strain): list(row) for strain, row in values.items()}, indent=2))
        return
    seats = range(len(next(iter(values.values()))))
    table = _table(msg("strain"), *(msg("seat {seat} leads", seat=seat) for seat in seats))
    for strain, row in values.items():
        table.add_row(str(strain), *map(str, row))
    _console().print(table)
    say(msg("Tricks for the side of the seat that leads."))


def _table(*headings: Message) -> Table:
    table = Table()
    for number, heading in enumerate(headings):
        table.add_column(heading.text(language()), justify="right" if number else "left")
    return table


def _console() -> Console:
    return Printer(highlight=False)


def _signed(n: int) -> str:
    return f"{n:+d}".replace("-", "−") if n else "0"


def _row(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(_signed, numbers))
