"""The commands about seats and the table itself: what each of them brings about."""

from __future__ import annotations

from hmac import compare_digest
from typing import Final

from bigpepper.server import commands, events
from bigpepper.server.cases import Case, Handler, refuse
from bigpepper.server.codes import Code
from bigpepper.server.commands import TableCommand
from bigpepper.server.events import AnyHappening
from bigpepper.server.facts import Facts
from bigpepper.server.table import TABLE_BOTS
from bigpepper.text import listed, msg

NOBODY: Final = ""
"""The host of a table that the host has left alone; whoever sits down next is the host."""

_Brought = tuple[AnyHappening, ...]


def table_bot(name: str) -> str:
    """The name of a bot that may sit at a table. Raises `Refused`."""
    if name not in TABLE_BOTS:
        refuse(
            Code.NO_SUCH_BOT,
            msg("There is no bot “{name}”; there are {names}.", name=name, names=listed(TABLE_BOTS)),
        )
    return name


def may_watch(facts: Facts, player: str | None, code: str | None) -> bool:
    """Whether somebody may see the table: a public one, his own, or one whose invite code he has."""
    known = player is not None and (player == facts.host or facts.seat_of(player) is not None)
    return (
        facts.public
        or known
        or (code is not None and compare_digest(code.encode(errors="replace"), facts.code.encode()))
    )


# --- sitting down and getting up ------------------------------------------------------------------------------------


def _take(case: Case, command: commands.Take) -> _Brought:
    seat = case.any_seat(command.seat)
    _admit(case, command.code)
    if seat.kind != "open":
        full = all(other.kind != "open" for other in case.facts.seats)
        refuse(Code.FULL if full else Code.TAKEN, msg("Somebody has that seat."))
    seated = events.Seated(seat=command.seat, player=case.who.player, program=case.who.program)
    if case.seat is None:
        _check_hands(case, command.seat)
        return (seated, events.Hosted(player=case.who.player)) if case.facts.host == NOBODY else (seated,)
    if case.facts.phase != "open":
        refuse(Code.SETTLED, msg("You have a seat already."))
    return (events.Left(seat=case.seat, player=case.who.player), seated)


def _admit(case: Case, code: str | None) -> None:
    """Refuse whoever may not sit down here, or not now."""
    player, facts = case.who.player, case.facts
    if facts.phase == "finished":
        refuse(Code.FINISHED, msg("The game is over: ask for another one first."))
    if player in facts.removed:
        refuse(Code.REMOVED, msg("The host has taken you off this table."))
    if not may_watch(facts, player, code):
        refuse(Code.NOT_INVITED, msg("This table is private: ask for its invite code."))
    if facts.locked and case.seat is None and not case.is_host:
        refuse(Code.LOCKED, msg("The host has locked the table: nobody new can sit down."))


def _check_hands(case: Case, number: int) -> None:
    """Nobody sees two hands of one game."""
    if any(player == case.who.player and seat != number for player, seat in case.facts.held):
        refuse(
            Code.SEEN_OTHER_HAND,
            msg("You have seen another hand in this game: you can only take that seat again."),
        )


def _leave(case: Case, command: commands.Leave) -> _Brought:
    seat = case.own_seat()
    left = events.Left(seat=seat, player=case.who.player)
    heirs = (other.player for other in case.facts.seats if other.player not in (None, case.who.player))
    if case.is_host:
        return (left, events.Hosted(player=next(heirs, None) or NOBODY))
    return (left,)


def _swap(case: Case, command: commands.Swap) -> _Brought:
    case.any_seat(command.a), case.any_seat(command.b)
    case.be_open()
    if not case.is_host:
        own = case.own_seat()
        other = command.b if own == command.a else command.a
        if own not in (command.a, command.b) or case.facts.seats[other].player is not None:
            refuse(Code.NOT_HOST, msg("You can change places with an open seat or a bot; the host can move others."))
    return () if command.a == command.b else (events.Swapped(seat=command.a, other=command.b),)


# --- what the host does ---------------------------------------------------------------------------------------------


def _put_bot(case: Case, command: commands.Bot) -> _Brought:
    case.be_host()
    if case.any_seat(command.seat).player is not None:
        refuse(Code.TAKEN, msg("A player has that seat."))
    if case.facts.phase == "finished":
        case.be_open()
    return (events.BotSeated(seat=command.seat, bot=table_bot(command.name)),)


def _open(case: Case, command: commands.Open) -> _Brought:
    case.be_host()
    if case.any_seat(command.seat).kind != "bot":
        refuse(Code.TAKEN, msg("No bot has that seat."))
    if case.facts.phase == "finished":
        case.be_open()
    return (events.Opened(seat=command.seat),)


def _lock(case: Case, command: commands.Lock) -> _Brought:
    case.be_host()
    return () if command.on == case.facts.locked else (events.Locked(on=command.on),)


def _remove(case: Case, command: commands.Remove) -> _Brought:
    case.be_host()
    player = case.any_seat(command.seat).player
    if player is None or player == case.who.player:
        refuse(Code.TAKEN, msg("Nobody has that seat whom you could take off it."))
    return (events.Removed(seat=command.seat, player=player),)


def _visibility(case: Case, command: commands.Visibility) -> _Brought:
    case.be_host()
    return () if command.public == case.facts.public else (events.Shown(on=command.public),)


def _clock(case: Case, command: commands.Clock) -> _Brought:
    case.be_host()
    case.be_open()
    return () if command.seconds == case.facts.clock else (events.ClockSet(seconds=command.seconds),)


HANDLERS: Final[dict[type[TableCommand], Handler]] = {
    commands.Take: _take,
    commands.Leave: _leave,
    commands.Swap: _swap,
    commands.Bot: _put_bot,
    commands.Open: _open,
    commands.Lock: _lock,
    commands.Remove: _remove,
    commands.Visibility: _visibility,
    commands.Clock: _clock,
}
