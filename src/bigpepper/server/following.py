"""What follows by the rules from what has happened: the next deal, the end of the game, an undo that all agree to."""

from __future__ import annotations

from typing import Literal

from bigpepper.deal import DealStream
from bigpepper.server import events
from bigpepper.server.events import AnyHappening, Entry
from bigpepper.server.facts import Table
from bigpepper.server.fairness import deals
from bigpepper.server.table import fold


def followed(table: Table, what: tuple[AnyHappening, ...]) -> tuple[AnyHappening, ...]:
    """`what`, and all that follows from it by the rules."""
    for happening in what:
        table = _after(table, happening)
    while (consequence := _consequence(table)) is not None:
        what = (*what, consequence)
        table = _after(table, consequence)
    return what


def _after(table: Table, what: AnyHappening) -> Table:
    return fold(table, Entry(table.facts.seq + 1, table.facts.at, what))


def _consequence(table: Table) -> AnyHappening | None:
    facts, state = table.facts, table.hidden.state
    if facts.phase != "playing":
        return None
    if state is None:
        return _dealt(table, _stream(table).first_dealer())
    if state.is_over:
        return end(table, "finished") if facts.winners else _dealt(table, state.next_dealer())
    if facts.undo and not facts.waiting():
        return events.Undone(n=facts.n, seat=facts.undo.seat)
    return None


def _dealt(table: Table, dealer: int) -> AnyHappening:
    number = len(table.facts.rounds)
    return events.Dealt(round=number, dealer=dealer, deal=str(_stream(table)(number)))


def _stream(table: Table) -> DealStream:
    return deals(table.facts.rules, bytes.fromhex(table.hidden.secret), table.facts.seeds)


def end(table: Table, how: Literal["finished", "abandoned"]) -> AnyHappening:
    """The game is over, and its secret is told."""
    return events.Finished(how=how, secret=table.hidden.secret)
