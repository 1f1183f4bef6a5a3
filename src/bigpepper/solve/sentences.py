"""A line of play in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bigpepper import kernel
from bigpepper.actions import Defend, Discard, Name, Pass, Turn
from bigpepper.choices import choices
from bigpepper.records import PLAY, Round
from bigpepper.rules import Rules
from bigpepper.text import Message, msg


def line_sentences(rules: Rules, r: Round, line: Sequence[Turn]) -> Iterator[Message]:
    """A sentence for each trick of the line that begins at `r`, and for each step before the play."""
    r = r.copy()
    played: list[str] = []
    for turn in line:
        seat, action, in_play, before = turn.seat, turn.action, r.phase == PLAY, list(r.won)
        kernel.apply(r, rules.tables, choices(rules, r).bit(action))  # type: ignore[arg-type]
        if not in_play:
            yield _step(seat, action)
            continue
        played.append(str(turn))
        if r.won != before:
            winner = next(seat for seat in range(rules.players) if r.won[seat] != before[seat])
            yield msg("{cards}: seat {seat} takes the trick.", cards=" ".join(played), seat=winner)
            played.clear()


def _step(seat: int, action: object) -> Message:
    """A step between the auction and the first lead (rules §4)."""
    if isinstance(action, Name):
        if action.alone:
            return msg("Seat {seat} names {strain} and goes alone.", seat=seat, strain=action.strain)
        return msg("Seat {seat} names {strain}.", seat=seat, strain=action.strain)
    if isinstance(action, Discard):
        return msg("Seat {seat} discards {card}.", seat=seat, card=action.card)
    if isinstance(action, Defend):
        return msg("Seat {seat} defends alone.", seat=seat)
    assert isinstance(action, Pass)
    return msg("Seat {seat} does not defend alone.", seat=seat)
