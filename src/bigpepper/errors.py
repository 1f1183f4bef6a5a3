"""The package's own errors. Each carries a `Message`: what was given, why it cannot be, what would be right."""

from __future__ import annotations

import pickle
from contextlib import suppress
from typing import Final

from bigpepper.text import Message

_LONGEST_REASON: Final = 200
"""Letters of what an error says."""


class BigPepperError(Exception):
    """The root of all errors that this package raises on purpose; `message` holds its sentence."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message.text()

    def text(self, language: str) -> str:
        """The sentence in `language`."""
        return self.message.text(language)


class InvalidCard(BigPepperError):
    """A text that is no card."""


class InvalidAction(BigPepperError):
    """A text or number that is no action of the rulebook."""


class InvalidRules(BigPepperError):
    """A rulebook that is unknown, misspelt or contradicts itself; `key` names the option to blame.

    Also what is no `Rules` where rules are wanted, such as a name.
    """

    def __init__(self, message: Message, key: str = "") -> None:
        super().__init__(message)
        self.key = key


class InvalidDeal(BigPepperError):
    """A deal that does not fit its rulebook: wrong counts, a card twice, a card that is not in the deck."""


class IllegalAction(BigPepperError):
    """An action that the rules do not allow at this moment."""


class InvalidClaim(BigPepperError):
    """A claim of tricks that cannot be: outside of the play, or more tricks than are left."""


class InvalidGame(BigPepperError):
    """A game that cannot be set up or played on as asked: scores, dealer, number of bots, a finished game."""


class UnknownBot(BigPepperError):
    """A name that no bot has, an option that its bot does not take, or what is no bot where one is wanted."""


class BotFailed(BigPepperError):
    """A bot that raised something, or did what it may not, in a match of the arena; `error` is what was raised.

    It is the `__cause__` too. From another process comes a copy, or a `RuntimeError` with its text where it cannot be
    sent; the traceback is then, as text, the cause of that.
    """

    def __init__(self, message: Message, error: BaseException) -> None:
        super().__init__(message)
        self.error = error

    def __reduce__(self) -> tuple[object, ...]:
        return _received, (self.message, *_sent(self.error))


def _sent(error: BaseException) -> tuple[bytes, str]:
    """An error for another process, and its text in case that it cannot be read there."""
    text = type(error).__name__
    with suppress(Exception):
        text = f"{text}: {error}"
    with suppress(Exception):
        return pickle.dumps(error), text
    return b"", text


def _received(message: Message, sent: bytes, text: str) -> BotFailed:
    with suppress(Exception):
        error = pickle.loads(sent)
        if isinstance(error, BaseException):
            return BotFailed(message, error)
    return BotFailed(message, RuntimeError(text))


class NotConforming(BigPepperError):
    """A rulebook or a bot that breaks one of the conformance laws."""


def reason_of(error: BaseException) -> Message | str:
    """What an error says, on one line; an own one in every language."""
    if isinstance(error, BigPepperError):
        return error.message
    name = type(error).__name__
    with suppress(Exception):  # of its own text too
        text = " ".join(str(error).split())
        return f"{name}: {text[:_LONGEST_REASON]}" if text else name
    return name
