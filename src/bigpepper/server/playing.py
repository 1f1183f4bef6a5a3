"""The game's commands: what each of them brings about, what follows from it apart."""

from __future__ import annotations

from typing import Final

from bigpepper import explain
from bigpepper.errors import InvalidAction, InvalidClaim
from bigpepper.server import commands, events
from bigpepper.server.cases import Case, Handler, refuse
from bigpepper.server.claims import proven
from bigpepper.server.codes import PHRASES, Code
from bigpepper.server.commands import TableCommand
from bigpepper.server.events import AnyHappening
from bigpepper.server.fairness import SECRET_BYTES, commitment, digest
from bigpepper.server.following import end
from bigpepper.server.seen import view_of
from bigpepper.text import listed, msg


def _act(case: Case, command: commands.Act) -> tuple[AnyHappening, ...]:
    seat = case.own_seat()
    if case.table.hidden.latest[seat] == (command.n, command.action):
        refuse(Code.DUPLICATE, msg("You have done that already."))
    case.answer(command.n)
    case.be_playing()
    if case.facts.turn != seat:
        refuse(Code.NOT_YOUR_TURN, msg("It is not your turn."))
    return (events.Acted(n=command.n, seat=seat, action=_legal(case, seat, command.action), by="player"),)


def _legal(case: Case, seat: int, text: str) -> str:
    """The text of a legal action in its usual form."""
    seen = view_of(case.table, seat)
    try:
        action = seen.rules.action(text)
    except InvalidAction as error:
        refuse(Code.ILLEGAL, error.message)
    why = explain.why_not(seen, action, case.names)
    if why is not None:
        refuse(Code.ILLEGAL, why)
    return str(action)


def _claim(case: Case, command: commands.Claim) -> tuple[AnyHappening, ...]:
    seat = case.own_seat()
    case.answer(command.n)
    case.be_playing()
    state = case.table.hidden.state
    assert state is not None
    try:
        state.claim(seat, command.tricks, command.split)  # says only what everybody knows
    except InvalidClaim as error:
        refuse(Code.ILLEGAL, error.message)
    if not proven(view_of(case.table, seat), command.tricks, command.split):
        refuse(Code.NOT_PROVEN, msg("Not proven yet: play on."))
    return (events.Claimed(n=command.n, seat=seat, tricks=command.tricks, split=command.split),)


def _undo(case: Case, command: commands.Undo) -> tuple[AnyHappening, ...]:
    seat = case.own_seat()
    case.answer(command.n)
    case.be_playing()
    if case.facts.undo is not None:
        refuse(Code.SETTLED, msg("That is being asked already."))
    if case.facts.undoable != seat:
        refuse(
            Code.NO_UNDO,
            msg("Only your own last action can be taken back, before anybody acts and before it shows a card."),
        )
    return (events.UndoAsked(seat=seat),)


def _answer_undo(case: Case, command: commands.AnswerUndo) -> tuple[AnyHappening, ...]:
    seat = case.own_seat()
    case.answer(command.n)
    case.be_playing()
    if case.stood_in or seat not in case.facts.waiting():
        refuse(Code.NO_UNDO, msg("You are not asked to let an action be taken back."))
    return (events.UndoAnswered(seat=seat, yes=command.yes),)


def _say(case: Case, command: commands.Say) -> tuple[AnyHappening, ...]:
    seat = case.own_seat()
    if command.phrase not in PHRASES:
        refuse(
            Code.NO_SUCH_PHRASE,
            msg("There is no phrase “{id}”; there are {ids}.", id=command.phrase, ids=listed(PHRASES)),
        )
    return (events.Said(seat=seat, phrase=command.phrase),)


def _seed(case: Case, command: commands.Seed) -> tuple[AnyHappening, ...]:
    seat = case.own_seat()
    case.be_open()
    return (events.Seeded(seat=seat, digest=digest(command.word)),)


def _start(case: Case, command: commands.Start) -> tuple[AnyHappening, ...]:
    case.be_host()
    case.be_open()
    seats = case.facts.seats
    if any(seat.kind == "open" for seat in seats):
        refuse(Code.OPEN_SEATS, msg("A seat is still open: let somebody or a bot sit down."))
    if not any(seat.player for seat in seats):
        refuse(Code.OPEN_SEATS, msg("Bots alone do not begin: a player has to sit at the table."))
    return (events.Started(game=case.facts.game),)


def _pause(case: Case, command: commands.Pause) -> tuple[AnyHappening, ...]:
    seat = case.own_seat()
    case.be_going()
    return () if case.facts.paused else (events.Paused(seat=seat),)


def _resume(case: Case, command: commands.Resume) -> tuple[AnyHappening, ...]:
    seat = case.own_seat()
    case.be_going()
    return (events.Resumed(seat=seat),) if case.facts.paused else ()


def _rematch(case: Case, command: commands.Rematch) -> tuple[AnyHappening, ...]:
    if not case.is_host:
        case.own_seat()
    if case.facts.phase != "finished":
        refuse(Code.STARTED, msg("This game is not over yet."))
    if len(case.random) != SECRET_BYTES:
        raise ValueError(f"a rematch needs {SECRET_BYTES} random bytes")
    promise = commitment(case.random)
    return (events.Rematched(game=case.facts.game + 1, secret=case.random.hex(), commitment=promise),)


def _abandon(case: Case, command: commands.Abandon) -> tuple[AnyHappening, ...]:
    case.be_host()
    case.be_going()
    return (end(case.table, "abandoned"),)


def _back(case: Case, command: commands.Back) -> tuple[AnyHappening, ...]:
    case.own_seat()
    return ()


HANDLERS: Final[dict[type[TableCommand], Handler]] = {
    commands.Act: _act,
    commands.Claim: _claim,
    commands.Undo: _undo,
    commands.AnswerUndo: _answer_undo,
    commands.Say: _say,
    commands.Seed: _seed,
    commands.Start: _start,
    commands.Pause: _pause,
    commands.Resume: _resume,
    commands.Rematch: _rematch,
    commands.Abandon: _abandon,
    commands.Back: _back,
}
