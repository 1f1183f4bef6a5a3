"""`bigpepper simulate`: games between bots, on all cores. The same seed gives the same games, whatever the cores."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import IO, Final, NamedTuple

import click

from bigpepper import bots
from bigpepper._version import __version__
from bigpepper.cli.edge import in_utf8, language, say
from bigpepper.cli.signals import stopping
from bigpepper.cli.values import Whole, output
from bigpepper.errors import BigPepperError
from bigpepper.game import Game, play
from bigpepper.notation import Player, dumps, from_game
from bigpepper.rules import Rules
from bigpepper.text import msg, msgn
from bigpepper.workers import cores, results

_BATCH: Final = 4
"""Games a task, so that the cores are even and little is sent between them."""


class Job(NamedTuple):
    """A run of games, as every process needs it."""

    rules: Rules
    bots: tuple[str, ...]
    """One name a seat."""
    seed: str
    recorded: bool


class Batch(NamedTuple):
    """What came out of some games in a row."""

    games: int
    counts: Counter[tuple[str, int]]
    """By what is counted, and side or seat."""
    records: str


@click.command("simulate")
@click.option(
    "--rules",
    "rulebook",
    default="pepper-4",
    show_default=True,
    metavar="NAME|FILE",
    help="The rulebook: a name, or a .toml file with house rules.",
)
@click.option("--games", type=Whole(1, 10_000_000), default=100, show_default=True, help="How many games.")
@click.option("--bots", "names", default="random", show_default=True, help="A bot a seat, with commas; fewer: in turn.")
@click.option(
    "--seed",
    default="0",
    show_default=True,
    callback=in_utf8,
    help="Deals and bots depend on it and on nothing else.",
)
@click.option(
    "--record", type=click.Path(), callback=output, metavar="FILE", help="Write the games to this new file (.pep)."
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("--processes", type=Whole(1, 256), help="How many processes; all cores by default.")
def command(
    rulebook: str, games: int, names: str, seed: str, record: Path | None, as_json: bool, processes: int | None
) -> None:
    """Play games between bots and count who wins."""
    from bigpepper.cli.rules import find_rules  # here, so that the other processes need not load it

    rules = find_rules(rulebook)
    job = Job(rules.for_programs(), _seats(rules, names), seed, record is not None)
    for name in job.bots:
        bots.load(name)
    if job.recorded:
        _check_record(job)
    with stopping():
        bots.prepare(job.bots)
        with _opened(record) as file, _progress(games) as advance:
            summary = run(job, games, processes or cores(), file, advance)
    if as_json:
        click.echo(json.dumps(summary_data(job, summary)))
    else:
        _print(job, summary)


def _seats(rules: Rules, names: str) -> tuple[str, ...]:
    """A bot for each seat: as given, or the given ones in turn where that comes out even."""
    given = bots.split(names)
    if len(given) > rules.players or rules.players % len(given):
        raise click.BadParameter(
            msg(
                "{given} bots do not fit {n} seats; name one for all, or one a seat.", given=len(given), n=rules.players
            ).text(language()),
            param_hint="--bots",
        )
    return tuple(given[seat % len(given)] for seat in range(rules.players))


# --- playing --------------------------------------------------------------------------------------------------------


def run(job: Job, games: int, processes: int, file: IO[bytes] | None, advance: Callable[[int], None]) -> Batch:
    """Play the games; their records go to `file`, in order. Returns the counts of all."""
    counts: Counter[tuple[str, int]] = Counter()
    tasks = [range(start, min(start + _BATCH, games)) for start in range(0, games, _BATCH)]
    with closing(results(partial(play_batch, job), tasks, processes)) as batches:
        for batch in batches:
            counts.update(batch.counts)
            if file:
                file.write(batch.records.encode())
            advance(batch.games)
    return Batch(games, counts, "")


def play_batch(job: Job, numbers: range) -> Batch:
    """Play the games with these numbers."""
    counts: Counter[tuple[str, int]] = Counter()
    records = []
    for number in numbers:
        seeds = [_bot_seed(job.seed, number, seat) for seat in range(job.rules.players)]
        seated = [bots.load(name, seed) for name, seed in zip(job.bots, seeds, strict=True)]
        game = play(job.rules, seated, seed=f"{job.seed}/{number}")
        _count(counts, game)
        if job.recorded:
            records.append(dumps(from_game(game, players=_players(job, seeds), seed=f"{job.seed}/{number}")))
    return Batch(len(numbers), counts, "".join(records))


def _check_record(job: Job) -> None:
    """Refuse before anything is played what a record cannot hold. Raises `NotationError`."""
    seeds = [0] * job.rules.players
    dumps(from_game(Game.new(job.rules, seed=f"{job.seed}/0"), players=_players(job, seeds), seed=f"{job.seed}/0"))


def _bot_seed(seed: str, game: int, seat: int) -> int:
    """The seed of a bot, 0 to 2⁶² - 1, of its own for each game and seat."""
    return int.from_bytes(sha256(f"{seed}/{game}/{seat}".encode()).digest()[:8], "big") >> 2


def _players(job: Job, seeds: Sequence[int]) -> list[Player]:
    return [
        Player(bot=name, version=__version__ if name.partition(":")[0] in bots.BUILT_IN else None, seed=seed)
        for name, seed in zip(job.bots, seeds, strict=True)
    ]


def _count(counts: Counter[tuple[str, int]], game: Game) -> None:
    for side in game.winners:
        counts["won", side] += 1
        counts["won alone", side] += len(game.winners) == 1
    for state in game.rounds:
        counts["rounds", 0] += 1
        counts["thrown in", 0] += state.thrown_in
        assert state.points is not None
        for side, points in enumerate(state.points):
            counts["points", side] += points
        if state.maker is not None:
            makers = game.rules.side_of(state.maker)
            counts["bids", makers] += 1
            counts["made", makers] += bool(state.made)


# --- the summary ----------------------------------------------------------------------------------------------------


def summary_data(job: Job, batch: Batch) -> dict[str, object]:
    """The summary as data; nothing in it depends on the machine."""
    counts, rounds = batch.counts, batch.counts["rounds", 0]
    return {
        "rules": job.rules.name,
        "bots": list(job.bots),
        "seed": job.seed,
        "games": batch.games,
        "rounds": rounds,
        "thrown_in": counts["thrown in", 0] / rounds,
        "sides": [
            {
                "bots": [name for seat, name in enumerate(job.bots) if job.rules.side_of(seat) == side],
                "won": counts["won", side],
                "won_alone": counts["won alone", side],
                "points_a_round": counts["points", side] / rounds,
                "bids": counts["bids", side],
                "bids_made": counts["made", side],
            }
            for side in range(job.rules.sides)
        ],
    }


def _print(job: Job, batch: Batch) -> None:
    from bigpepper.cli.sheet import Sheet

    counts, rounds = batch.counts, batch.counts["rounds", 0]
    title = msg(
        "{rules}: {games}, {rounds}",
        rules=job.rules.name,
        games=msgn("{n} game", "{n} games", batch.games),
        rounds=msgn("{n} round", "{n} rounds", rounds),
    )
    sheet = Sheet(
        *(msg("Side"), msg("Bots"), msg("Games won"), msg("Points a round"), msg("Contracts"), msg("Made")), names=1
    )
    for side in range(job.rules.sides):
        names = [name for seat, name in enumerate(job.bots) if job.rules.side_of(seat) == side]
        bids, made = counts["bids", side], counts["made", side]
        sheet.add(
            str(side),
            ", ".join(names),
            f"{counts['won', side]} ({_percent(counts['won', side], batch.games)})",
            f"{counts['points', side] / rounds:+.2f}",
            str(bids),
            _percent(made, bids),
        )
    sheet.print(title)
    say(msg("Thrown in: {share} of the rounds.", share=_percent(counts["thrown in", 0], rounds)))


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


# --- around it ------------------------------------------------------------------------------------------------------


@contextmanager
def _opened(path: Path | None) -> Iterator[IO[bytes] | None]:
    """A file that is there when all is written, or not at all; what is no regular file is written directly."""
    if path is None:
        yield None
        return
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
        else:
            with _beside(path) as file:
                yield file
    except OSError as error:
        reason = error.strerror or str(error)
        raise BigPepperError(msg("{path} cannot be written: {reason}.", path=path, reason=reason)) from None


@contextmanager
def _beside(path: Path) -> Iterator[IO[bytes]]:
    """A file next to `path` that takes its name in the end. Raises `BigPepperError` where a file has the name."""
    _refuse_existing(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("xb") as file:
            yield file
        _refuse_existing(path)  # begun meanwhile
        beside.rename(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _refuse_existing(path: Path) -> None:
    if path.exists() or path.is_symlink():
        raise BigPepperError(msg("{path} is there already: choose another name.", path=path))


@contextmanager
def _progress(games: int) -> Iterator[Callable[[int], None]]:
    """How far it is, on standard error when that is a terminal."""
    from bigpepper.cli.running import running  # here, so that the other processes need not load it

    played = 0
    with running(games, lambda: played, lambda: msg("games {done}/{all}", done=played, all=games)) as update:

        def advance(done: int) -> None:
            nonlocal played
            played += done
            update()

        yield advance
