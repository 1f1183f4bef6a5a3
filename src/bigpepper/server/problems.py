"""What went wrong with an HTTP request: a status, a code for programs and a sentence."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from msgspec import Struct

from bigpepper.errors import BigPepperError
from bigpepper.server.codes import Code
from bigpepper.server.database import Unavailable
from bigpepper.text import Message, msg


class Problem(BigPepperError):
    """An answer other than the one that was asked for; `after` is in how many seconds to try again."""

    def __init__(self, status: int, code: str, message: Message, *, after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.after = after


class ProblemForm(Struct, frozen=True):
    """A problem as JSON."""

    code: str
    message: str


STATUS: Final[dict[str, int]] = {
    Code.NO_SUCH_TABLE: 404,
    Code.NOT_INVITED: 403,
    Code.NOT_HOST: 403,
    Code.NOT_YOUR_SEAT: 403,
    Code.REMOVED: 403,
    Code.BAD_MESSAGE: 400,
    Code.WRONG_RULES: 400,
    Code.NO_SUCH_BOT: 400,
    Code.NO_SUCH_SEAT: 400,
    Code.NO_SUCH_PHRASE: 400,
    Code.TOO_LARGE: 413,
    Code.TOO_FAST: 429,
    Code.UNAVAILABLE: 503,
}
"""The HTTP status of a refusal; 409 for all others: the command does not fit what is going on at the table."""


def refused(code: str, message: Message, *, after: float | None = None) -> Problem:
    """The problem of a refusal."""
    return Problem(STATUS.get(code, 409), code, message, after=after)


def problem_of(error: BigPepperError) -> Problem:
    """An error of the package as a problem."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, Unavailable):
        return Problem(503, Code.UNAVAILABLE, error.message, after=1)
    return Problem(400, "bad_request", error.message)


_SENTENCES: Final[dict[int, Message]] = {
    400: msg("This request cannot be understood."),
    404: msg("There is nothing here."),
    405: msg("That cannot be done here."),
    413: msg("That is too large."),
}


def of_body(why: str) -> Problem:
    """The problem of a request whose body or parameters are wrong."""
    return Problem(400, Code.BAD_MESSAGE, msg("This request cannot be understood: {why}.", why=why.rstrip(".")))


def of_status(status: int) -> Problem:
    """The problem of a request that no handler took, by its HTTP status."""
    try:
        code = HTTPStatus(status).phrase.lower().replace(" ", "_").replace("-", "_")
    except ValueError:
        code = "error"
    sentence = _SENTENCES.get(status, _SENTENCES[400] if status < 500 else FAILURE)
    return Problem(status, code, sentence)


FAILURE: Final = msg("Something went wrong in the server. Nothing that was stored is lost.")
