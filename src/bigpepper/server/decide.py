"""What a command brings about: entries for the table's log, or a refusal. Pure, as `table` is.

The seat is checked before anything else, and what is said about an action follows from that seat's Observation. A
handler says what the command itself brings about; what follows by the rules (a deal, the end of the game, an undo that
nobody is asked about any more) is added by `following`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from bigpepper.errors import InvalidRules
from bigpepper.rules import Rules
from bigpepper.server import commands, events, playing, seating
from bigpepper.server.answers import By
from bigpepper.server.cases import Case, Handler, Refusal, Refused, Who, refuse
from bigpepper.server.codes import Code
from bigpepper.server.commands import TableCommand
from bigpepper.server.events import AnyHappening
from bigpepper.server.facts import STAND_IN, Table
from bigpepper.server.fairness import commitment
from bigpepper.server.following import followed
from bigpepper.server.seating import table_bot
from bigpepper.server.seen import labels
from bigpepper.text import msg

_HANDLERS: Final[dict[type[TableCommand], Handler]] = {**playing.HANDLERS, **seating.HANDLERS}

Decision: TypeAlias = tuple[AnyHappening, ...] | Refusal
"""What is to be appended to the log, maybe nothing; or why nothing is."""


def decide(
    table: Table, who: Who, command: commands.TableCommand, *, names: Sequence[str] = (), random: bytes = b""
) -> Decision:
    """What the command of a player brings about.

    `names` is what to call the seats; `random` are `SECRET_BYTES` fresh random bytes, used by a rematch alone.
    """
    case = Case(table, who, tuple(names) or labels(table.facts, {}), random)
    try:
        what = _HANDLERS[type(command)](case, command)
    except Refused as refused:
        return Refusal(refused.code, refused.message)
    if case.stood_in and not isinstance(command, commands.Leave):
        what = (events.Returned(seat=case.own_seat()), *what)
    return followed(table, what)


def decide_move(table: Table, seat: int, action: str, n: int) -> Decision:
    """What the move of the bot that plays a seat brings about, `n` being the step it answers."""
    facts = table.facts
    if facts.n != n or facts.turn != seat or facts.paused or facts.played_by(seat) is None:
        return Refusal(Code.STALE, msg("The table has moved on."))
    by: By = "bot" if facts.seats[seat].kind == "bot" else "stand-in"
    return followed(table, (events.Acted(n=n, seat=seat, action=action, by=by),))


def decide_absence(table: Table, seat: int) -> Decision:
    """A bot steps in for the player who is to act, and who is away or has used up his time."""
    facts = table.facts
    if facts.turn != seat or facts.paused or not facts.seats[seat].present:
        return Refusal(Code.STALE, msg("The table has moved on."))
    return followed(table, (events.StoodIn(seat=seat, bot=STAND_IN),))


def decide_return(table: Table, player: str) -> Decision:
    """The player has been seen again: his seat is his."""
    seat = table.facts.seat_of(player)
    if seat is None or table.facts.seats[seat].stand_in is None:
        return ()
    return followed(table, (events.Returned(seat=seat),))


def create(command: commands.Create, who: Who, *, code: str, random: bytes) -> Decision:
    """The first entries of a new table; `code` is its invite code, `random` are `SECRET_BYTES` fresh random bytes."""
    try:
        rules = Rules.load(command.rules) if command.toml is None else Rules.from_toml(command.toml)
    except InvalidRules as error:
        return Refusal(Code.WRONG_RULES, error.message)
    created = events.Created(
        rules=rules.to_toml(),
        host=who.player,
        code=code,
        public=command.public,
        clock=command.clock,
        grace=command.grace,
        secret=random.hex(),
        commitment=commitment(random),
    )
    try:
        return (created, *_first_seats(rules, command.seats, who))
    except Refused as refused:
        return Refusal(refused.code, refused.message)


def _first_seats(rules: Rules, seats: Sequence[str], who: Who) -> tuple[AnyHappening, ...]:
    if len(seats) > rules.players or seats.count("me") > 1:
        refuse(Code.NO_SUCH_SEAT, msg("There are {n} seats, and you can have one of them.", n=rules.players))
    what: list[AnyHappening] = []
    for number, seat in enumerate(seats):
        if seat == "me":
            what.append(events.Seated(seat=number, player=who.player, program=who.program))
        elif seat != "open":
            what.append(events.BotSeated(seat=number, bot=table_bot(seat)))
    return tuple(what)
