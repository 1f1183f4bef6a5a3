"""Frames for one viewer, made from what he may know (`Seen`) and from the log's entries; never from a `Table`.

Of an entry only what `told` names is sent. What somebody did is told to all, but for a discard's card, which only its
own seat is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from bigpepper import explain
from bigpepper.notation import ObservationForm, Proof, observation_form
from bigpepper.notation.model import HIDDEN_DISCARD
from bigpepper.notation.ruleform import form_of
from bigpepper.server import events
from bigpepper.server.answers import Event, RoundView, SeatView, Snapshot, TableView, UndoView, Words, You
from bigpepper.server.events import AnyHappening, Entry
from bigpepper.server.sayings import said_of
from bigpepper.server.seen import Names, Seen, labels
from bigpepper.text import SOURCE_LANGUAGE, Message

LONGEST_GAP: Final = 100
"""Events that a viewer may have missed and still gets one by one; beyond it he gets a snapshot."""

_STEPS: Final = (events.Acted, events.Claimed, events.Undone)
_DISCARD: Final = HIDDEN_DISCARD.removesuffix("??")


class Framer:
    """Makes the frames of one viewer: the table as he sees it, what its players are called, and his language.

    Without `words` no sentences are made. `public` is the form of the round as a spectator sees it at this moment,
    where it is at hand: it is the larger part of what every viewer gets.
    """

    def __init__(
        self,
        seen: Seen,
        names: Names | None = None,
        language: str = SOURCE_LANGUAGE,
        *,
        words: bool = True,
        public: ObservationForm | None = None,
    ) -> None:
        self.seen = seen
        self.public = public
        self.facts = seen.facts
        self.names = names or {}
        self.language = language
        self.words = words
        self.labels = labels(seen.facts, self.names, language)

    # --- frames -----------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """All that he may know. `Seen` has to hold all finished rounds."""
        return Snapshot(
            seq=self.facts.seq,
            n=self.facts.n,
            table=self.table(),
            you=self.you(),
            observation=self._observation(),
            rounds=tuple(self._round(number) for number in range(self.seen.rounds_before, len(self.facts.rounds))),
            words=self._standing_words() if self.words else None,
        )

    def events(self, entries: Sequence[Entry]) -> tuple[Event, ...] | None:
        """One frame for each of the latest entries, the oldest first, up to the table as he sees it.

        None where he needs a snapshot: too many entries, or some of an earlier game.
        """
        if not 0 < len(entries) <= LONGEST_GAP or any(isinstance(e.what, _NEW_GAME) for e in entries):
            return None
        frames = [self._event(*numbered) for numbered in self._numbered(entries)]
        return (*frames[:-1], self._last(frames[-1], entries))

    def _numbered(self, entries: Sequence[Entry]) -> Iterator[tuple[Entry, int, Message | None]]:
        """Each entry with the step after it, and the sentence about the action that it is."""
        n = self.facts.n
        lines = self._actions(entries) if self.words else {}
        numbered = []
        for entry in reversed(entries):
            numbered.append((entry, n, lines.get(entry.seq)))
            n -= isinstance(entry.what, _STEPS)
        yield from reversed(numbered)

    def _actions(self, entries: Sequence[Entry]) -> dict[int, Message]:
        """The sentences about actions, by their entries: from the last one back, each round by what he saw of it."""
        lines: dict[int, Message] = {}
        seen = list(self.seen.finished)
        if self.seen.observation and self.facts.how != "finished":
            seen.append(self.seen.observation)
        back, undone = 0, 0
        for entry in reversed(entries):
            if isinstance(entry.what, events.Undone):
                undone += 1
            elif isinstance(entry.what, events.Dealt) and seen:
                seen.pop()
                back = 0
            elif isinstance(entry.what, (events.Acted, events.Claimed)) and undone:
                undone -= 1
            elif isinstance(entry.what, (events.Acted, events.Claimed)) and seen:
                back -= 1
                lines[entry.seq] = explain.action_line(seen[-1], back, self.labels)
        return lines

    def _event(self, entry: Entry, n: int, line: Message | None) -> Event:
        frame = Event(seq=entry.seq, n=n, at=entry.at, kind=entry.kind, **told(entry.what, self.seen.seat))
        if self.words:
            line = line or said_of(entry.what, self.labels, self.names)
            frame = replace(frame, words=Words(happened=line.text(self.language) if line else None))
        if isinstance(entry.what, events.Dealt) and entry.what.round > self.seen.rounds_before:
            return replace(frame, ended=self._round(entry.what.round - 1))
        if isinstance(entry.what, events.Finished) and entry.what.how == "finished":
            return replace(frame, ended=self._round(len(self.facts.rounds) - 1))
        return frame

    def _last(self, frame: Event, entries: Sequence[Entry]) -> Event:
        """The last frame of several carries how things are after all of them."""
        kinds = {type(entry.what) for entry in entries}
        if kinds <= {events.Said}:
            return frame
        facts = self.facts
        frame = replace(frame, observation=self._observation(), undoable=facts.undoable, turn_at=facts.turn_at)
        if not kinds <= {events.Acted, events.Said}:
            frame = replace(frame, table=self.table(), you=self.you())
        if self.words and frame.words:
            frame = replace(frame, words=replace(self._standing_words(), happened=frame.words.happened))
        return frame

    # --- parts ------------------------------------------------------------------------------------------------------

    def table(self) -> TableView:
        """The public facts."""
        facts, over = self.facts, self.facts.phase == "finished"
        return TableView(
            id=facts.id,
            rules=form_of(facts.rules),
            seats=tuple(self._seat(number) for number in range(len(facts.seats))),
            phase=facts.phase,
            public=facts.public,
            locked=facts.locked,
            paused=facts.paused,
            clock=facts.clock,
            grace=facts.grace,
            game=facts.game,
            scores=facts.scores,
            winners=facts.winners,
            how=facts.how,
            undo=UndoView(seat=facts.undo.seat, waiting=facts.waiting()) if facts.undo else None,
            undoable=facts.undoable,
            practice=facts.practice,
            turn_at=facts.turn_at,
            commitment=facts.commitment,
            proof=self._proof() if over else None,
            code=facts.code if self.seen.host or self.seen.seat is not None else None,
        )

    def you(self) -> You:
        """The viewer himself."""
        return You(seat=self.seen.seat, host=self.seen.host)

    def _seat(self, number: int) -> SeatView:
        seat = self.facts.seats[number]
        return SeatView(
            kind=seat.kind,
            name=self.labels[number],
            bot=seat.bot,
            host=seat.player == self.facts.host,
            stand_in=seat.stand_in,
            seeded=seat.digest is not None,
        )

    def _proof(self) -> Proof:
        return proof_of(self.facts.commitment, self.facts.seeds, self.facts.secret)

    def _observation(self) -> ObservationForm | None:
        return observation_form(self.seen.observation, self.public) if self.seen.observation else None

    def _round(self, number: int) -> RoundView:
        seen = self.seen.finished[number - self.seen.rounds_before]
        lines = self._texts(*explain.score_lines(seen, self.labels)) if self.words else ()
        return RoundView(number=number, record=self.facts.rounds[number], lines=lines)

    # --- words ------------------------------------------------------------------------------------------------------

    def _texts(self, *messages: Message) -> tuple[str, ...]:
        return tuple(message.text(self.language) for message in messages)

    def _standing_words(self) -> Words:
        seen, facts = self.seen.observation, self.facts
        if seen is None or facts.phase == "open":
            return Words()
        if facts.winners:
            line = explain.winners_line(facts.rules, facts.winners, facts.scores, self.labels, self.seen.seat)
            return Words(standing=line.text(self.language))
        turn = explain.turn_line(seen, self.labels) if facts.phase == "playing" else None
        return Words(
            turn=turn.text(self.language) if turn else None,
            contract=explain.contract_line(seen, self.labels).text(self.language),
            standing=explain.standing_line(facts.rules, facts.scores, self.labels, self.seen.seat).text(self.language),
        )


def proof_of(commitment: str, seeds: Sequence[str | None], secret: str | None) -> Proof:
    """What proves the deals of a game, in the form of a record."""
    return Proof(commitment=commitment, seeds=tuple(seeds) if any(seeds) else (), secret=secret)


# --- what is told of an entry ---------------------------------------------------------------------------------------

_NEW_GAME: Final = (events.Created, events.Rematched)


def told(what: AnyHappening, seat: int | None) -> dict[str, Any]:
    """The fields of an `Event` that everybody at the table may know of an entry, as the viewer on `seat` knows it."""
    fields = {name: getattr(what, name) for name in _TOLD.get(type(what), ())}
    if isinstance(what, events.Acted) and what.action.startswith(_DISCARD) and what.seat != seat:
        fields["action"] = HIDDEN_DISCARD
    return fields


_TOLD: Final[dict[type[AnyHappening], tuple[str, ...]]] = {
    events.Seated: ("seat",),
    events.Left: ("seat",),
    events.Removed: ("seat",),
    events.Swapped: ("seat", "other"),
    events.BotSeated: ("seat", "bot"),
    events.Opened: ("seat",),
    events.Locked: ("on",),
    events.Shown: ("on",),
    events.ClockSet: ("seconds",),
    events.Seeded: ("seat",),
    events.Started: ("game",),
    events.Dealt: ("round", "dealer"),
    events.Acted: ("seat", "action", "by"),
    events.Claimed: ("seat", "tricks"),
    events.UndoAsked: ("seat",),
    events.UndoAnswered: ("seat", "yes"),
    events.Undone: ("seat",),
    events.Said: ("seat", "phrase"),
    events.Paused: ("seat",),
    events.Resumed: ("seat",),
    events.StoodIn: ("seat", "bot"),
    events.Returned: ("seat",),
    events.Rematched: ("game",),
}
"""The fields that are no secret, of each kind."""
