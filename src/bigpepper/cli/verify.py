"""`bigpepper verify FILE`: check the deals of finished games against the secret that was told."""

from __future__ import annotations

import sys

import click

from bigpepper.cli.edge import say
from bigpepper.notation import read
from bigpepper.server import fairness
from bigpepper.text import msg, msgn


@click.command("verify")
@click.argument("file")
def command(file: str) -> None:
    """Check that the deals of a finished game follow from its secret and the words of its players.

    FILE is a record from a table server (.pep or JSON, any number of games); - reads from standard input. The first
    thing that is wrong is told; the exit status is 1 then. docs/fairness.md tells how to do it without this program.
    """
    for number, record in enumerate(read(sys.stdin.buffer if file == "-" else file), start=1):
        rounds = msgn("one round", "{n} rounds", fairness.verify(record))
        say(msg("Game {n}: fair. All deals follow from the secret ({rounds}).", n=number, rounds=rounds))
