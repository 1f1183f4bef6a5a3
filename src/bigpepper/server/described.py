"""What the OpenAPI says about answers beyond the type of the usual one."""

from __future__ import annotations

from typing import Any, Final

from litestar.openapi.datastructures import ResponseSpec

from bigpepper.server.problems import ProblemForm

_PROBLEMS: Final[dict[int, str]] = {
    400: "The request is wrong; the message says what.",
    401: "Nobody is known by this cookie or token.",
    403: "Not for you.",
    404: "There is no such thing.",
    409: "It does not fit what is going on at the table.",
    413: "Too large.",
    429: "Too fast; `Retry-After` says for how long.",
    503: "The database does not answer; `Retry-After` says for how long.",
}


def problems(*more: int) -> dict[int, ResponseSpec]:
    """The problems that any request can meet, and `more` of them."""
    statuses = sorted({400, 401, 429, 503, *more})
    return {status: _spec(ProblemForm, _PROBLEMS[status]) for status in statuses}


def frames(kind: Any, description: str) -> dict[int, ResponseSpec]:
    """An answer made of the protocol's frames, at which one may look only when one may see the table."""
    return {200: _spec(kind, description), **problems(403, 404)}


def refusals() -> dict[int, ResponseSpec]:
    """The answers to a command that changed nothing: frames, or problems before it came so far."""
    statuses = (400, 401, 403, 404, 409, 413, 429, 503)
    either: Any = dict[str, Any]
    return {status: _spec(either, f"`refused`, or a problem. {_PROBLEMS[status]}") for status in statuses}


def _spec(kind: Any, description: str) -> ResponseSpec:
    return ResponseSpec(data_container=kind, description=description, generate_examples=False)
