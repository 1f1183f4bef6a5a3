"""Record → text. Strict: one canonical form, and nothing that the reader would not give back as it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby

from bigpepper.notation.model import VERSION, Act, End, GameRecord, RoundRecord, Step
from bigpepper.notation.ruleform import differences, option_text
from bigpepper.notation.scanner import escaped
from bigpepper.notation.tokens import action_text, bot_text, comment_text, end_text, result_text, takeover_text
from bigpepper.notation.verify import verify


def dumps(record: GameRecord) -> str:
    """The record as text. Raises `NotationError` where it contradicts the rules or itself."""
    return "".join(blocks(record))


def digest(record: GameRecord) -> str:
    """SHA-256 of the record's canonical form, 64 hex digits."""
    return sha256(dumps(record).encode()).hexdigest()


def blocks(record: GameRecord) -> list[str]:
    """The text in the blocks in which it grows: the header, each round, and the end. Raises `NotationError`.

    Whoever writes while a game is being played appends a block when a round ends.
    """
    verify(record)
    parts = [_lines(_header(record))]
    parts += ["\n" + _lines(_round(record, n, round)) for n, round in enumerate(record.rounds)]
    if record.end:
        parts.append("\n" + _lines(_end(record, record.end)) + "\n")
    return parts


def _lines(lines: Iterator[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _header(record: GameRecord) -> Iterator[str]:
    yield f"BigPepper {VERSION}"
    yield f"Rules: {record.form.name}"
    for key, value in differences(record.rules).items():
        yield f"Option: {option_text(key, value)}"
    if record.date:
        yield f"Date: {record.date}"
    if record.event:
        yield f"Event: {escaped(record.event)}"
    yield from _players(record)
    yield from (f"Tag: {escaped(tag)}" for tag in record.tags)
    if record.proof:
        yield f"Commitment: {record.proof.commitment}"
        yield from (f"Client-seed {seat}: {escaped(seed)}" for seat, seed in enumerate(record.proof.seeds) if seed)
    if record.view is not None:
        yield f"View: {record.view}"
    yield from map(comment_text, record.comments)


def _players(record: GameRecord) -> Iterator[str]:
    for seat, player in enumerate(record.players):
        if player.name:
            yield f"Player {seat}: {escaped(player.name)}"
        if player.bot:
            yield f"Bot {seat}: {bot_text(player)}"


def _end(record: GameRecord, end: End) -> Iterator[str]:
    """The end, and what is not told before it."""
    yield f"End: {end_text(end)}"
    if record.proof and record.proof.secret:
        yield f"Secret: {record.proof.secret}"
    if record.seed is not None:
        yield f"Seed: {escaped(record.seed)}"
    for seat, player in enumerate(record.players):
        if player.seed is not None:
            yield f"Bot-seed {seat}: {player.seed}"


def _round(record: GameRecord, n: int, round: RoundRecord) -> Iterator[str]:
    scores = " ".join(map(str, round.scores))
    yield f"Round {record.first_round + n}: dealer {round.dealer}, scores {scores}"
    yield from map(comment_text, round.comments)
    for seat, hand in enumerate(round.hands):
        yield f"Hand {seat}: {' '.join(hand)}"
    if round.widow:
        yield f"Widow: {round.widow}"
    if round.dead:
        yield f"Dead: {' '.join(round.dead)}"
    yield from _actions(round, len(round.hands))
    if round.result:
        yield f"Result: {result_text(round.result)}"


_HEADS = {"auction": "Auction", "naming": "Naming", "discard": "Discard", "defence": "Defence", "claim": "Claim"}


def _actions(round: RoundRecord, players: int) -> Iterator[str]:
    """A line for each step of the round, a trick a line; takeovers stand before the action that follows them."""
    takeovers: dict[int, list[str]] = {}
    for takeover in round.takeovers:
        takeovers.setdefault(takeover.at, []).append(takeover_text(takeover))
    at = 0
    line = ""
    for _, group in groupby(round.steps(), key=lambda step: (step.phase, step.trick)):
        if line:
            yield line
        steps = list(group)
        texts = _texts(steps, players)
        words = [word for i, text in enumerate(texts) for word in [*takeovers.get(at + i, ()), text]]
        line = " ".join([_head(steps[0]), *words])
        at += len(steps)
    last = [line or "Auction:"] if at in takeovers or line else []
    if last:
        yield " ".join([*last, *takeovers.get(at, ())])


def _head(step: Step) -> str:
    return f"{_HEADS[step.phase]}:" if step.phase != "tricks" else f"Lead {step.act.seat}:"


def _texts(steps: Sequence[Step], players: int) -> list[str]:
    if steps[0].phase != "tricks":
        return [action_text(step.act, seat=True) for step in steps]
    acts = [step.act for step in steps]
    return [_dashes(before, act, players) + action_text(act, seat=False) for before, act in _pairs(acts)]


def _pairs(acts: list[Act]) -> Iterator[tuple[Act | None, Act]]:
    return zip([None, *acts[:-1]], acts, strict=True)


def _dashes(before: Act | None, act: Act, players: int) -> str:
    """A dash for each seat that sits out between two plays."""
    return "- " * ((act.seat - before.seat) % players - 1) if before else ""
