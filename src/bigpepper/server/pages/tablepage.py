"""Everything that the template of a table shows to one viewer, made from his `Seen` and from what was said there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

import segno
from markupsafe import Markup

from bigpepper import explain
from bigpepper.actions import Discard
from bigpepper.errors import InvalidAction
from bigpepper.public import Phase
from bigpepper.server import events
from bigpepper.server.codes import PHRASES
from bigpepper.server.events import Entry
from bigpepper.server.facts import Seat
from bigpepper.server.pages.lobby import clock_choices
from bigpepper.server.pages.result import Finished, finished
from bigpepper.server.pages.scene import Scene, scene
from bigpepper.server.pages.words import WORDS
from bigpepper.server.sayings import said_of
from bigpepper.server.seen import PEPPERS, Seen, labels
from bigpepper.server.table import TABLE_BOTS
from bigpepper.text import Message, msg

_REFRESH: Final = {"open": 5, "playing": 3}
"""Seconds after which a page without scripts is asked for anew, where others are to act."""
_TALK: Final = (
    events.Said,
    events.Seated,
    events.Left,
    events.Removed,
    events.UndoAnswered,
    events.Undone,
    events.Paused,
    events.Resumed,
    events.StoodIn,
    events.Returned,
)
"""What is told beside the play; the latest few."""
_MOST_TALK: Final = 4


class TablePage:
    """The page of one table for one viewer, at `now` (milliseconds of Unix time).

    `code` is the invite code that he came with, `entries` the latest ones.
    """

    def __init__(
        self,
        seen: Seen,
        names: Mapping[str, str],
        language: str,
        origin: str,
        code: str | None,
        entries: Sequence[Entry],
        now: int,
    ) -> None:
        self.seen = seen
        self.facts = seen.facts
        self.names = names
        self.language = language
        self.origin = origin
        self.code = code
        self.entries = entries
        self.now = now
        self.labels = labels(seen.facts, names, language)

    def values(self) -> dict[str, Any]:
        """What the template needs."""
        facts, seen = self.facts, self.seen
        shown = scene(seen, self.labels) if facts.phase != "open" else None
        query = f"?code={quote(self.code)}" if self.code and seen.seat is None else ""
        return {
            "title": self._title(),
            "id": facts.id,
            "seq": facts.seq,
            "n": facts.n,
            "phase": facts.phase,
            "playing": facts.phase == "playing",
            "over": facts.how if facts.phase == "finished" else None,
            "code": self.code or "",
            "query": query,
            "query_more": query.replace("?", "&"),
            "here": f"/t/{facts.id}{query}",
            "scene": shown,
            "news": self._news(shown),
            "refreshes": _REFRESH.get(facts.phase) if not (shown and shown.yours) else None,
            "seat": seen.seat,
            "host": seen.host,
            "paused": facts.paused,
            "talk": tuple(self._talk()),
            "phrases": tuple(PHRASES.items()),
            "seats": tuple(map(self._seat, range(len(facts.seats)))),
            "bots": [(name, PEPPERS.get(name, name)) for name in TABLE_BOTS],
            **(self._waiting() if facts.phase == "open" else self._played(shown)),
        }

    def _title(self) -> Message:
        title, round = explain.title(self.facts.rules), self.facts.round
        if round is None or self.facts.phase == "open":
            return title
        return msg("{title}, round {n}", title=title, n=round.number + 1)

    def _news(self, shown: Scene | None) -> str:
        """What a screen reader is told when the page has changed."""
        said: list[Message] = list(self._talk())[-1:]
        if shown is not None:
            said = [shown.happened, shown.turn, *([shown.reason] if shown.reason else [])]
        return " ".join(line.text(self.language) for line in said)

    def _talk(self) -> Iterator[Message]:
        begins = (n for n, entry in enumerate(self.entries) if isinstance(entry.what, events.Started))
        since = max(begins, default=0) if self.facts.phase != "open" else 0
        told = [entry.what for entry in self.entries[since:] if isinstance(entry.what, _TALK)]
        for what in told[-_MOST_TALK:]:
            line = said_of(what, self.labels, self.names)
            if line is not None:
                yield line

    # --- seats ------------------------------------------------------------------------------------------------------

    def _seat(self, number: int) -> dict[str, Any]:
        facts, seen, seat = self.facts, self.seen, self.facts.seats[number]
        over = facts.phase == "finished"
        return {
            "number": number,
            "name": self.labels[number],
            "tags": tuple(self._tags(seat, number)),
            "takeable": seat.kind == "open" and not over and (seen.seat is None or facts.phase == "open"),
            "bottable": seen.host and seat.kind == "open" and not over,
            "openable": seen.host and seat.kind == "bot" and not over,
            "removable": seen.host and seat.player is not None and seat.player != facts.host,
        }

    def _tags(self, seat: Seat, number: int) -> Iterator[Message]:
        if number == self.seen.seat:
            yield WORDS["its_you"]
        if seat.player is not None and seat.player == self.facts.host:
            yield WORDS["host"]
        if seat.kind in ("bot", "program"):
            yield WORDS[seat.kind]
        if seat.digest is not None:
            yield WORDS["word_in"]

    # --- before the game --------------------------------------------------------------------------------------------

    def _waiting(self) -> dict[str, Any]:
        facts = self.facts
        known = self.seen.host or self.seen.seat is not None
        return {
            "lines": explain.setup_lines(facts.rules),
            "full": all(seat.kind != "open" for seat in facts.seats) and any(seat.player for seat in facts.seats),
            "invite": self._invite() if known else None,
            "commitment": facts.commitment,
            "locked": facts.locked,
            "is_public": facts.public,
            "clock": str(facts.clock or ""),
            "clocks": clock_choices(),
        }

    def _invite(self) -> dict[str, Any]:
        link = f"{self.origin}/join/{self.facts.code}"
        drawn = segno.make(link, micro=False).svg_inline(border=2, omitsize=True, svgclass=None, lineclass=None)
        return {"link": link, "code": self.facts.code, "qr": Markup(drawn)}

    # --- the game ---------------------------------------------------------------------------------------------------

    def _played(self, shown: Scene | None) -> dict[str, Any]:
        facts, seen, now = self.facts, self.seen, self.seen.observation
        rules = facts.rules
        over = facts.phase == "finished"
        return {
            "standing": explain.standing_line(rules, facts.scores, self.labels, seen.seat),
            "winners": explain.winners_line(rules, facts.winners, facts.scores, self.labels, seen.seat)
            if facts.winners
            else None,
            "result": self._result(),
            "practice": facts.practice,
            "choosing": shown is not None and shown.yours and now is not None and now.phase in _CARDS,
            "undo": self._undo(),
            "undoable": seen.seat is not None and facts.undoable == seen.seat and facts.undo is None and not over,
            "claims": tuple(self._claims(shown)),
            "left": self._left(),
            "stood_in": seen.seat is not None and facts.seats[seen.seat].stand_in is not None and not over,
        }

    def _result(self) -> Finished | None:
        """The last finished round, until somebody acts in the next one."""
        facts = self.facts
        fresh = facts.phase == "finished" or (facts.round is not None and facts.round.acts == 0)
        done = finished(self.seen, self.labels) if fresh else ()
        return done[-1] if done else None

    def _left(self) -> int | None:
        """Whole seconds left on the turn clock; None where none runs."""
        facts = self.facts
        if facts.clock is None or facts.paused or facts.turn is None or facts.played_by(facts.turn) is not None:
            return None
        return max(0, -(-(facts.turn_at + 1_000 * facts.clock - self.now) // 1_000))

    def _claims(self, shown: Scene | None) -> Iterator[tuple[str, Message | str]]:
        """What can be claimed, most first: the value for the form, and what it is called."""
        left, rules, seat = shown.claimable if shown else 0, self.facts.rules, self.seen.seat
        if not left or seat is None:
            return
        if rules.sides == 2:
            yield from ((str(tricks), str(tricks)) for tricks in range(left, -1, -1))
            return
        yield str(left), str(left)
        one, other = (number for number in range(rules.players) if number != seat)
        for tricks in range(left, -1, -1):
            split = [0] * rules.players
            split[one], split[other] = tricks, left - tricks
            label = msg(
                "none; {one} {n}, {other} {m}",
                one=self.labels[one],
                n=tricks,
                other=self.labels[other],
                m=left - tricks,
            )
            yield f"0/{' '.join(map(str, split))}", label

    def _undo(self) -> dict[str, Any] | None:
        asking, seat = self.facts.undo, self.seen.seat
        if asking is None:
            return None
        if asking.seat == seat:
            return {"line": WORDS["undo_asked"], "asked": False}
        line = msg("{name} asks to take back the last action.", name=self.labels[asking.seat])
        return {"line": line, "asked": seat in self.facts.waiting()}

    def sure(self, text: str) -> dict[str, Any] | None:
        """What to ask before a trump is discarded; None where nothing has to be asked."""
        now = self.seen.observation
        if now is None:
            return None
        try:
            action = now.rules.action(text)
        except InvalidAction:
            return None
        if not isinstance(action, Discard) or action.card is None or action not in now.legal:
            return None
        return {"warning": explain.discard_warning(now, action.card), "action": str(action)}


_CARDS: Final = (Phase.PLAY, Phase.DISCARD)
"""The phases in which a card of one's hand is chosen."""
