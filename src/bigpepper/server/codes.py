"""What commands and frames share: the version, the limits, the phrases, and why something is refused."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from bigpepper.text import Message, msg

PROTOCOL: Final = 1
LONGEST_MESSAGE: Final = 8_192
"""Bytes of a command; the rules of a new table take most of it."""

PHRASES: Final[dict[str, Message]] = {
    "hello": msg("Hello!"),
    "good-luck": msg("Good luck!"),
    "well-played": msg("Well played!"),
    "nice-bid": msg("Brave bid!"),
    "oops": msg("Oops!"),
    "thanks": msg("Thank you!"),
    "sorry": msg("Sorry!"),
    "moment": msg("One moment, please."),
    "back": msg("I am back."),
    "hurry": msg("Your turn, take heart!"),
    "again": msg("Another game?"),
    "good-game": msg("Good game!"),
    "bye": msg("Good night!"),
}
"""What may be said at a table, by id."""


def snake(name: str) -> str:
    """The tag of a message: `AnswerUndo` is `answer_undo`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Code(StrEnum):
    """Why something was refused, for programs."""

    NOT_HOST = "not_host"
    """Only the host can do that."""
    AHEAD = "ahead"
    """The step that it answers is still to come."""
    BAD_MESSAGE = "bad_message"
    """The message is not of this protocol."""
    BAD_TOKEN = "bad_token"
    """No program has that token."""
    DUPLICATE = "duplicate"
    """The same player has done just this already."""
    FINISHED = "finished"
    """The game is over."""
    FULL = "table_full"
    """No seat is open."""
    ILLEGAL = "illegal"
    """The rules do not allow it now."""
    LOCKED = "locked"
    """Nobody new may sit down."""
    NO_SUCH_BOT = "no_such_bot"
    """No bot has that name."""
    NO_SUCH_PHRASE = "no_such_phrase"
    """No phrase has that id."""
    NO_SUCH_SEAT = "no_such_seat"
    """The rulebook has fewer seats."""
    NO_SUCH_TABLE = "no_such_table"
    """There is no such table, or not any more."""
    NO_UNDO = "no_undo"
    """There is nothing that this seat may take back, or agree to."""
    NOT_INVITED = "not_invited"
    """The table is private."""
    NOT_PROVEN = "not_proven"
    """The claim is not proven yet."""
    NOT_STARTED = "not_started"
    """The game has not begun."""
    NOT_YOUR_SEAT = "not_your_seat"
    """The player does not sit at the table."""
    NOT_YOUR_TURN = "not_your_turn"
    """Another seat is to act."""
    OPEN_SEATS = "open_seats"
    """A seat is open, or only bots sit at the table."""
    OTHER_PROTOCOL = "other_protocol"
    """The client speaks another version."""
    PAUSED = "paused"
    """The game rests."""
    REMOVED = "removed"
    """The host has taken the player off the table."""
    SEEN_OTHER_HAND = "seen_other_hand"
    """The player has seen another hand of this game."""
    SETTLED = "settled"
    """It is so already."""
    STALE = "stale"
    """The step that it answers has been taken."""
    STARTED = "started"
    """The game has begun."""
    TAKEN = "seat_taken"
    """The seat is not free, or not such a one."""
    TOO_FAST = "too_fast"
    """More commands than are allowed."""
    TOO_LARGE = "too_large"
    """The message is too long."""
    UNAVAILABLE = "unavailable"
    """Nothing can be stored just now; try again."""
    WRONG_RULES = "wrong_rules"
    """The rulebook cannot be."""
