"""Templates into pages: every `Message` is turned into words here, in the visitor's language, and escaped."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from litestar import MediaType, Response
from litestar.response import Redirect

from bigpepper.server.identity import Visitor
from bigpepper.server.pages.cards import card_back
from bigpepper.server.pages.drawing import sprite, suit_icon
from bigpepper.server.pages.words import WORDS
from bigpepper.text import Message

_STATIC: Final = files("bigpepper.server.pages") / "static"
_STYLES: Final = ("theme.css", "base.css", "table.css", "cards.css")
TYPES: Final = {
    "style.css": "text/css; charset=utf-8",
    "table.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
"""The files that pages fetch, with their types."""


@lru_cache(maxsize=len(TYPES))
def static(name: str) -> bytes:
    """The content of a static file. Raises `KeyError` for one that is none."""
    if name not in TYPES:
        raise KeyError(name)
    if name == "style.css":
        return b"\n".join([*((_STATIC / part).read_bytes() for part in _STYLES), _places().encode()])
    return (_STATIC / name).read_bytes()


def _places() -> str:
    """Classes for the hundredths of a line: a strict policy forbids inline styles."""
    return "\n".join(f".at-{n}{{left:{n}%;transform:translateX(-{n}%)}}.mid-{n}{{left:{n}%}}" for n in range(101))


@lru_cache(maxsize=len(TYPES))
def address(name: str) -> str:
    """Where a static file is found: its digest is in the address, so that it may be kept for good."""
    return f"/static/{sha256(static(name)).hexdigest()[:12]}/{name}"


class _Words:
    """The fixed words of the pages in one language: `w.play_now`."""

    def __init__(self, language: str) -> None:
        self._language = language

    def __getattr__(self, name: str) -> str:
        try:
            return WORDS[name].text(self._language)
        except KeyError:
            raise AttributeError(name) from None


@pass_context
def _spoken(context: Context, value: object) -> object:
    """A message in the language of the page; anything else as it is."""
    return value.text(context["language"]) if isinstance(value, Message) else value


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("bigpepper.server.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_spoken,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals |= {"address": address, "back": card_back, "sprite": sprite, "suit_icon": suit_icon}
    return environment


def html(template: str, language: str, values: Mapping[str, Any]) -> str:
    """A whole page."""
    given = {"language": language, "w": _Words(language), "notice": None, "four_colours": False, **values}
    return _environment().get_template(template).render(given)


def page(template: str, visitor: Visitor, *, status: int = 200, **values: Any) -> Response[str]:
    """A page as an answer, in the visitor's language and colours."""
    body = html(template, visitor.language, {"four_colours": visitor.four_colours, **values})
    return Response(body, media_type=MediaType.HTML, status_code=status)


def go(path: str) -> Redirect:
    """Where to look after a form was sent: the page is asked for anew, so that reloading it repeats nothing."""
    return Redirect(path, status_code=303)
