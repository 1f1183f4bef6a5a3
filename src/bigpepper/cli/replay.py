"""`bigpepper replay FILE`: play the games of a record again, by the rules."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

import click

from bigpepper.cli.edge import in_unicode, language, say
from bigpepper.notation import GameRecord, Replay, read, verify
from bigpepper.rules import Rules
from bigpepper.state import State
from bigpepper.text import Message, listed, msg


@click.command("replay")
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a game, one a line.")
def command(file: str, as_json: bool) -> None:
    """Play a record again by the rules; print the score of each round and of the game.

    FILE is a .pep file or its JSON form, with any number of games; - reads from standard input. The first thing that
    is wrong is named with its line and column; the exit status is 1 then.
    """
    for number, record in enumerate(read(sys.stdin.buffer if file == "-" else file), start=1):
        replay = verify(record)
        if as_json:
            click.echo(json.dumps(game_data(number, record, replay), ensure_ascii=not in_unicode()))
        else:
            _print(number, record, replay)


# --- as data --------------------------------------------------------------------------------------------------------


def game_data(number: int, record: GameRecord, replay: Replay) -> dict[str, object]:
    """What `--json` prints of a game."""
    return {
        "game": number,
        "rules": replay.rules.name,
        "players": [player.name or player.bot for player in record.players],
        "rounds": [_round_data(record.first_round + n, walk.last) for n, walk in enumerate(replay.rounds)],
        "scores": list(replay.scores),
        "winners": list(replay.winners),
        "end": record.end.how if record.end else None,
    }


def _round_data(number: int, state: State) -> dict[str, object]:
    return {
        "round": number,
        "dealer": state.dealer,
        "maker": state.maker,
        "contract": None if state.contract is None else str(state.contract),
        "strain": None if state.strain is None else str(state.strain),
        "alone": state.lone is not None,
        "thrown_in": state.thrown_in,
        "tricks": list(state.tricks_won),
        "points": None if state.points is None else list(state.points),
        "scores": list(_after(state)),
    }


def _after(state: State) -> Iterable[int]:
    points = state.points or (0,) * len(state.scores)
    return [score + more for score, more in zip(state.scores, points, strict=True)]


# --- for people -----------------------------------------------------------------------------------------------------


def _print(number: int, record: GameRecord, replay: Replay) -> None:
    from rich.table import Table
    from rich.text import Text

    from bigpepper.cli.printer import Printer

    sides = range(replay.rules.sides)
    table = Table(title=Text(_words(_title(number, record, replay.rules))), title_justify="left")
    heads = [msg("Round"), msg("Dealer"), msg("Contract"), msg("Tricks"), msg("Points"), msg("Score")]
    for i, head in enumerate(heads):
        table.add_column(_words(head), justify="left" if i == 2 else "right")
    for n, walk in enumerate(replay.rounds):
        state = walk.last
        table.add_row(str(record.first_round + n), str(state.dealer), *map(Text, _cells(state)))
    Printer(file=sys.stdout, highlight=False).print(table)
    names = [_side_name(record, replay.rules, side) for side in sides]
    for name, score in zip(names, replay.scores, strict=False):
        say(msg("{side}: {score}", side=name, score=score))
    say(_outcome(record, [names[side] for side in replay.winners]))


def _cells(state: State) -> list[str]:
    contract = _words(_contract(state))
    tricks = " ".join(map(str, state.tricks_won))
    points = " ".join(f"{n:+}" if n else "0" for n in state.points) if state.points is not None else "–"
    return [contract, tricks, points, " ".join(map(str, _after(state)))]


def _title(number: int, record: GameRecord, rules: Rules) -> Message:
    event = record.event or record.date
    if event:
        return msg("Game {n}: {rules}, {event}", n=number, rules=rules.name, event=event)
    return msg("Game {n}: {rules}", n=number, rules=rules.name)


def _contract(state: State) -> Message:
    if state.thrown_in:
        return msg("thrown in")
    fields = {"seat": state.maker, "bid": state.contract, "strain": state.strain}
    if state.maker is None:
        return msg("no bid yet")
    if state.strain is None:
        return msg("{bid} by seat {seat}", **fields)
    if state.lone is not None:
        return msg("{bid} {strain} alone by seat {seat}", **fields)
    return msg("{bid} {strain} by seat {seat}", **fields)


def _side_name(record: GameRecord, rules: Rules, side: int) -> Message:
    seats = [seat for seat in range(rules.players) if rules.side_of(seat) == side]
    names = [(record.players[seat].name or record.players[seat].bot) if record.players else None for seat in seats]
    if all(names):
        return msg("Side {side} ({names})", side=side, names=listed(names))
    return (
        msg("Side {side} (seats {seats})", side=side, seats=listed(seats))
        if len(seats) > 1
        else msg("Side {side}", side=side)
    )


def _outcome(record: GameRecord, winners: list[Message]) -> Message:
    if len(winners) == 1:
        return msg("Won by {winner}.", winner=winners[0])
    if winners:
        return msg("Won jointly by {winners}.", winners=listed(map(_words, winners)))
    if record.end and record.end.how == "abandoned":
        return msg("The game was abandoned.")
    return msg("The game is not over yet.")


def _words(message: Message) -> str:
    return message.text(language())
