"""`bigpepper prune`: delete old tables and players from a table server's database."""

from __future__ import annotations

import asyncio

import click

from bigpepper.cli.edge import say
from bigpepper.cli.table.store import data_folder
from bigpepper.cli.values import Whole
from bigpepper.text import msg


@click.command("prune")
@click.option("--days", type=Whole(1), required=True, help="How much to keep, in days.")
@click.option("--db", metavar="FILE|URL", help="The database, as of serve.  [default: in your data folder]")
def command(days: int, db: str | None) -> None:
    """Delete the tables at which nothing has happened for so many days, and the players who have not come back.

    A SQLite database must not be in use by a server: stop it first, or let it do this itself with serve --keep.
    """
    tables, players = asyncio.run(_prune(db or str(data_folder() / "server.sqlite"), days))
    say(msg("Deleted: tables {tables}, players {players}.", tables=tables, players=players))


async def _prune(database: str, days: int) -> tuple[int, int]:
    from bigpepper.server.app import Settings, open_service, prune

    async with open_service(Settings(database=database)) as service:
        return await prune(service, days)
