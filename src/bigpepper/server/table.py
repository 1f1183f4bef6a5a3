"""What has happened at a table, folded: `fold(table, entry)` is the table after one more entry of its log.

No I/O, no clock, no chance: the same log gives the same table everywhere. Entries are trusted; whether something may
happen is decided in `decide`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from bigpepper.bots import BUILT_IN
from bigpepper.deal import Deal
from bigpepper.notation import Takeover, round_of
from bigpepper.rules import Rules
from bigpepper.server import events
from bigpepper.server.events import AnyHappening, Entry
from bigpepper.server.facts import Asking, Facts, Hidden, Round, Seat, Table
from bigpepper.server.shown import shows_cards
from bigpepper.state import State

TABLE_BOTS: Final = tuple(name for name in BUILT_IN if name != "first")
"""Bots that may sit at a table: those that get to the end of a game."""

_T = TypeVar("_T")


def fold(table: Table | None, entry: Entry, table_id: str = "") -> Table:
    """The table after `entry`. The first entry, `Created`, makes it, with the id `table_id`.

    Raises `ValueError` for an entry out of order.
    """
    if table is None:
        if not isinstance(entry.what, events.Created) or entry.seq != 1:
            raise ValueError(f"a log begins with entry 1, created, not with {entry.seq}, {entry.kind}")
        return _created(table_id, entry.at, entry.what)
    if entry.seq != table.facts.seq + 1:
        raise ValueError(f"entry {entry.seq} does not follow entry {table.facts.seq}")
    new = _FOLDS[type(entry.what)](table, entry.what)
    turn_at = table.facts.turn_at if _turn(new.facts) == _turn(table.facts) else entry.at
    return Table(replace(new.facts, seq=entry.seq, at=entry.at, turn_at=turn_at), new.hidden)


def fold_all(entries: Iterable[Entry], table_id: str = "", table: Table | None = None) -> Table:
    """The table after all `entries`. Raises `ValueError` where there are none."""
    for entry in entries:
        table = fold(table, entry, table_id)
    if table is None:
        raise ValueError("an empty log is no table")
    return table


def _turn(facts: Facts) -> tuple[object, ...]:
    """What begins a turn anew when it changes."""
    turn = facts.turn
    who = None if turn is None else (facts.played_by(turn), facts.seats[turn].player)
    return facts.n, turn, who, facts.paused, facts.round and facts.round.number


# --- the kinds of entries -------------------------------------------------------------------------------------------

_Fold = Callable[[Table, Any], Table]
_FOLDS: Final[dict[type[AnyHappening], _Fold]] = {}


def _folds(kind: type[AnyHappening]) -> Callable[[_Fold], _Fold]:
    """Fold entries of this kind with the function."""

    def add(function: _Fold) -> _Fold:
        _FOLDS[kind] = function
        return function

    return add


def _with(table: Table, **facts: Any) -> Table:
    return Table(replace(table.facts, **facts), table.hidden)


def _with_seat(table: Table, number: int, seat: Seat, **facts: Any) -> Table:
    return _with(table, seats=_put(table.facts.seats, number, seat), **facts)


def _put(values: tuple[_T, ...], number: int, value: _T) -> tuple[_T, ...]:
    return (*values[:number], value, *values[number + 1 :])


def _created(table_id: str, at: int, what: events.Created) -> Table:
    rules = Rules.from_toml(what.rules)
    facts = Facts(
        id=table_id,
        seq=1,
        rules=rules,
        host=what.host,
        code=what.code,
        public=what.public,
        clock=what.clock,
        grace=what.grace,
        seats=(Seat(),) * rules.players,
        created_at=at,
        at=at,
        turn_at=at,
        commitment=what.commitment,
        seeds=(None,) * rules.players,
        scores=(0,) * rules.sides,
    )
    return Table(facts, Hidden(secret=what.secret, latest=(None,) * rules.players))


@_folds(events.Created)
def _created_twice(table: Table, what: events.Created) -> Table:
    raise ValueError("a table is created once")


# --- seats ----------------------------------------------------------------------------------------------------------


@_folds(events.Seated)
def _seated(table: Table, what: events.Seated) -> Table:
    seat = Seat(kind="program" if what.program else "person", player=what.player)
    held = {*table.facts.held, (what.player, what.seat)} if table.facts.phase == "playing" else table.facts.held
    return _taken_over(_with_seat(table, what.seat, seat, held=tuple(sorted(held))), what.seat)


@_folds(events.Left)
def _left(table: Table, what: events.Left) -> Table:
    return _taken_over(_with_seat(table, what.seat, Seat()), what.seat)


@_folds(events.Removed)
def _removed(table: Table, what: events.Removed) -> Table:
    return _taken_over(_with_seat(table, what.seat, Seat(), removed=table.facts.removed | {what.player}), what.seat)


@_folds(events.Swapped)
def _swapped(table: Table, what: events.Swapped) -> Table:
    seats = table.facts.seats
    one, other = seats[what.seat], seats[what.other]
    return _with(table, seats=_put(_put(seats, what.seat, other), what.other, one))


@_folds(events.BotSeated)
def _bot_seated(table: Table, what: events.BotSeated) -> Table:
    return _taken_over(_with_seat(table, what.seat, Seat(kind="bot", bot=what.bot)), what.seat)


@_folds(events.Opened)
def _opened(table: Table, what: events.Opened) -> Table:
    return _taken_over(_with_seat(table, what.seat, Seat()), what.seat)


@_folds(events.StoodIn)
def _stood_in(table: Table, what: events.StoodIn) -> Table:
    return _taken_over(_with_stand_in(table, what.seat, what.bot), what.seat)


@_folds(events.Returned)
def _returned(table: Table, what: events.Returned) -> Table:
    return _taken_over(_with_stand_in(table, what.seat, None), what.seat)


def _with_stand_in(table: Table, number: int, bot: str | None) -> Table:
    return _with_seat(table, number, replace(table.facts.seats[number], stand_in=bot))


def _taken_over(table: Table, number: int) -> Table:
    """Write down that somebody else acts for a seat from now on."""
    facts = table.facts
    if facts.phase != "playing" or facts.round is None:
        return table
    takeover = Takeover(at=facts.round.acts, seat=number, bot=facts.played_by(number))
    return _with(table, takeovers=(*facts.takeovers[:-1], (*facts.takeovers[-1], takeover)))


@_folds(events.Hosted)
def _hosted(table: Table, what: events.Hosted) -> Table:
    return _with(table, host=what.player)


@_folds(events.Locked)
def _locked(table: Table, what: events.Locked) -> Table:
    return _with(table, locked=what.on)


@_folds(events.Shown)
def _shown(table: Table, what: events.Shown) -> Table:
    return _with(table, public=what.on)


@_folds(events.ClockSet)
def _clock_set(table: Table, what: events.ClockSet) -> Table:
    return _with(table, clock=what.seconds)


@_folds(events.Said)
def _said(table: Table, what: events.Said) -> Table:
    return table


# --- the game -------------------------------------------------------------------------------------------------------


@_folds(events.Seeded)
def _seeded(table: Table, what: events.Seeded) -> Table:
    return _with_seat(table, what.seat, replace(table.facts.seats[what.seat], digest=what.digest))


@_folds(events.Started)
def _started(table: Table, what: events.Started) -> Table:
    seats = table.facts.seats
    held = sorted((seat.player, number) for number, seat in enumerate(seats) if seat.player is not None)
    return _with(table, phase="playing", seeds=tuple(seat.digest for seat in seats), held=tuple(held))


@_folds(events.Dealt)
def _dealt(table: Table, what: events.Dealt) -> Table:
    facts = table.facts
    deal = Deal.parse(facts.rules, what.deal)
    state = State.new(facts.rules, deal=deal, dealer=what.dealer, scores=facts.scores)
    round = Round(what.round, what.dealer, state.turn, 0)
    return Table(
        replace(facts, round=round, takeovers=(*facts.takeovers, ()), undo=None, undoable=None),
        replace(table.hidden, state=state, before=None),
    )


@_folds(events.Acted)
def _acted(table: Table, what: events.Acted) -> Table:
    before = _state(table)
    after = before.apply(what.action)
    back = what.by == "player" and not shows_cards(before, after)
    latest = (what.n, what.action) if what.by == "player" else None
    hidden = replace(
        table.hidden,
        before=before if back else None,
        latest=_put(table.hidden.latest, what.seat, latest),
    )
    return _step(Table(replace(table.facts, undoable=what.seat if back else None), hidden), after, 1)


@_folds(events.Claimed)
def _claimed(table: Table, what: events.Claimed) -> Table:
    after = _state(table).claim(what.seat, what.tricks, what.split)
    hidden = replace(table.hidden, before=None)
    return _step(Table(replace(table.facts, undoable=None), hidden), after, 0)


@_folds(events.Undone)
def _undone(table: Table, what: events.Undone) -> Table:
    before = table.hidden.before
    if before is None:
        raise ValueError("there is no action to take back")
    hidden = replace(table.hidden, before=None, latest=_put(table.hidden.latest, what.seat, None))
    return _step(Table(replace(table.facts, undoable=None, practice=True), hidden), before, -1)


def _state(table: Table) -> State:
    if table.hidden.state is None:
        raise ValueError("there is no round to act in")
    return table.hidden.state


def _step(table: Table, state: State, acts: int) -> Table:
    """The table with the round at `state`, one step later; `acts` is how many actions the round has more."""
    facts = table.facts
    assert facts.round is not None
    round = Round(facts.round.number, facts.round.dealer, state.turn, facts.round.acts + acts)
    new = Table(replace(facts, n=facts.n + 1, round=round, undo=None), replace(table.hidden, state=state))
    return _scored(new, state) if state.is_over else new


def _scored(table: Table, state: State) -> Table:
    """The table after the round `state` has ended."""
    facts, states = table.facts, (*table.hidden.states, state)
    assert state.points is not None
    scores = tuple(score + points for score, points in zip(facts.scores, state.points, strict=True))
    rounds = (*facts.rounds, round_of(state))
    return Table(
        replace(facts, rounds=rounds, scores=scores, winners=state.winners(len(states))),
        replace(table.hidden, states=states),
    )


@_folds(events.UndoAsked)
def _undo_asked(table: Table, what: events.UndoAsked) -> Table:
    return _with(table, undo=Asking(what.seat))


@_folds(events.UndoAnswered)
def _undo_answered(table: Table, what: events.UndoAnswered) -> Table:
    asking = table.facts.undo
    if asking is None or not what.yes:
        return _with(table, undo=None)
    return _with(table, undo=Asking(asking.seat, asking.agreed | {what.seat}))


@_folds(events.Paused)
def _paused(table: Table, what: events.Paused) -> Table:
    return _with(table, paused=True)


@_folds(events.Resumed)
def _resumed(table: Table, what: events.Resumed) -> Table:
    return _with(table, paused=False)


@_folds(events.Finished)
def _finished(table: Table, what: events.Finished) -> Table:
    gone = {"undo": None, "undoable": None, "paused": False}
    new = _with(table, phase="finished", how=what.how, secret=what.secret, **gone)
    return Table(new.facts, replace(new.hidden, before=None))


@_folds(events.Rematched)
def _rematched(table: Table, what: events.Rematched) -> Table:
    facts = replace(
        table.facts,
        phase="open",
        game=what.game,
        commitment=what.commitment,
        secret=None,
        how=None,
        winners=(),
        scores=(0,) * table.facts.rules.sides,
        seats=tuple(replace(seat, stand_in=None, digest=None) for seat in table.facts.seats),
        seeds=(None,) * table.facts.rules.players,
        round=None,
        rounds=(),
        takeovers=(),
        held=(),
        practice=False,
    )
    return Table(facts, Hidden(secret=what.secret, latest=table.hidden.latest))
