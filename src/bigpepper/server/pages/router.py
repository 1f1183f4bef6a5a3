"""All handlers of pages, and the page for everything that goes wrong."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, Router, get
from litestar.params import FromPath

from bigpepper.server.identity import Visitor
from bigpepper.server.limits import LONGEST_BODY
from bigpepper.server.pages import lobby, persons, reading, tables
from bigpepper.server.pages.render import TYPES, html
from bigpepper.server.pages.render import static as content
from bigpepper.server.problems import of_status
from bigpepper.text import Message

_FOR_GOOD: Final = "public, max-age=31536000, immutable"


@get("/static/{digest:str}/{name:str}", include_in_schema=False, sync_to_thread=False)
def static(digest: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """A file that pages fetch; its address changes with it."""
    if name not in TYPES:
        raise of_status(404)
    return Response(content(name), media_type=TYPES[name], headers={"cache-control": _FOR_GOOD})


def problem_page(visitor: Visitor, status: int, message: Message) -> str:
    """The page that says what went wrong."""
    return html("problem.html", visitor.language, {"title": message, "message": message, "status": status})


_HANDLERS: Final = [static, *lobby.routes, *tables.routes, *persons.routes, *reading.routes]
routes: Final[list[Any]] = [Router("/", route_handlers=_HANDLERS, request_max_body_size=LONGEST_BODY)]
