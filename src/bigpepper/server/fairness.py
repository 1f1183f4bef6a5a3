"""Fair deals: fixed by a secret before anybody adds a word, and checkable by everybody afterwards. docs/fairness.md.

The server commits itself to a secret (its SHA-256 is told), each seat may add a word, and the deals follow from both.
Once the game is over the secret is told, and `verify` deals the game again.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NoReturn

from bigpepper import notation
from bigpepper.deal import DealStream
from bigpepper.errors import BigPepperError
from bigpepper.notation import GameRecord, Proof
from bigpepper.rules import Rules
from bigpepper.text import Message, msg

SECRET_BYTES: Final = 32
_LABEL: Final = b"bigpepper-deals-1"
_BOT_LABEL: Final = b"bigpepper-bot-1"


class Unfair(BigPepperError):
    """A record whose deals do not follow from its proof, or that has none."""


def commitment(secret: bytes) -> str:
    """What is told before the game: SHA-256 of the secret, hexadecimal."""
    return sha256(secret).hexdigest()


def digest(word: str) -> str:
    """What becomes of a word or a program's seed: SHA-256 of its UTF-8, hexadecimal."""
    return sha256(word.encode()).hexdigest()


def deal_seed(secret: bytes, seeds: Sequence[str | None]) -> bytes:
    """The seed of `DealStream`: HMAC-SHA256 under the secret of a label and 32 bytes a seat, zeros without a word."""
    words = b"".join(bytes(32) if seed is None else bytes.fromhex(seed) for seed in seeds)
    return hmac.digest(secret, _LABEL + words, "sha256")


def deals(rules: Rules, secret: bytes, seeds: Sequence[str | None]) -> DealStream:
    """The deals of a game, and its first dealer."""
    return DealStream(rules, deal_seed(secret, seeds))


def bot_seed(secret: bytes, seat: int) -> int:
    """The seed of whatever bot plays `seat` in the game of this secret: 62 bits, secret as long as it is."""
    return int.from_bytes(hmac.digest(secret, _BOT_LABEL + bytes([seat]), "sha256")[:8], "big") >> 2


def verify(record: GameRecord) -> int:
    """Check that the deals of a finished game follow from its proof; returns how many rounds were checked.

    Raises `Unfair` with the reason, and `NotationError` where the record contradicts itself or its commitment.
    """
    proof = record.proof or Proof()
    if proof.secret is None:
        refuse(msg("The record does not tell the secret of its deals; it is told once the game is over."))
    if record.first_round != 1 or not record.is_complete:
        refuse(msg("The record is not complete: every round from the first is needed, and every card."))
    replay = notation.verify(record)  # the commitment too
    stream = deals(replay.rules, bytes.fromhex(proof.secret), proof.seeds or (None,) * replay.rules.players)
    states = [round.last for round in replay.rounds]
    if states and states[0].dealer != stream.first_dealer():
        refuse(msg("Seat {seat} dealt first, and that does not follow from the secret.", seat=states[0].dealer))
    for number, state in enumerate(states):
        if state.deal != stream(number):
            refuse(msg("The deal of round {n} does not follow from the secret.", n=number + 1))
    return len(states)


def refuse(why: Message) -> NoReturn:
    """Raise `Unfair`."""
    raise Unfair(why)
