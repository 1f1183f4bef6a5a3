"""What a record says besides the game itself (times, evaluations, comments), kept when the game goes on."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from bigpepper.notation import GameRecord
from bigpepper.notation.model import Act, RoundRecord


def with_remarks(record: GameRecord, before: GameRecord) -> GameRecord:
    """`record` with the remarks of `before`, an earlier record of the same game, on all that both have in common.

    Where another action was chosen after taking one back, what followed has no remarks.
    """
    rounds = list(record.rounds)
    for i, (now, then) in enumerate(zip(record.rounds, before.rounds, strict=False)):
        acts = list(_common(now, then))
        rounds[i] = _with_acts(now, then, acts)
        if len(acts) < len(then.acts):
            break
    return replace(record, comments=before.comments, rounds=tuple(rounds))


def _common(now: RoundRecord, then: RoundRecord) -> Iterator[Act]:
    """The actions that both begin with, as they were recorded then."""
    for act, old in zip(now.acts, then.acts, strict=False):
        if (act.seat, act.action) != (old.seat, old.action):
            return
        yield old


def _with_acts(now: RoundRecord, then: RoundRecord, acts: list[Act]) -> RoundRecord:
    """The round with these actions in place of its first ones."""
    old = iter(acts)

    def of(these: tuple[Act, ...]) -> tuple[Act, ...]:
        return tuple(next(old, act) for act in these)

    def one(act: Act | None) -> Act | None:
        return next(old, act) if act else None

    return replace(
        now,
        auction=of(now.auction),
        naming=one(now.naming),
        discard=one(now.discard),
        defence=of(now.defence),
        tricks=tuple(of(trick) for trick in now.tricks),
        claim=one(now.claim),
        takeovers=tuple(takeover for takeover in then.takeovers if takeover.at <= len(acts)),
        comments=then.comments,
    )
