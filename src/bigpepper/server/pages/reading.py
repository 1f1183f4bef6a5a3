"""Pages to read: the rules, privacy, and checking a finished game."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from bigpepper import explain, notation
from bigpepper.errors import BigPepperError
from bigpepper.explain.page import Block, Picture
from bigpepper.rules import Rules
from bigpepper.server.api_tables import record_of, verify_text
from bigpepper.server.identity import Visitor
from bigpepper.server.limits import LONGEST_RECORD
from bigpepper.server.pages.asking import AskedBy, fields, games, rulebook
from bigpepper.server.pages.cards import card_art
from bigpepper.server.pages.render import page
from bigpepper.server.pages.words import PRIVACY, WORDS
from bigpepper.server.service import Service
from bigpepper.text import Message, msgn

Visiting = NamedDependency[Visitor]
Serving = NamedDependency[Service]
_SHORT: Final = 64


@get("/rules", include_in_schema=False, sync_to_thread=False)
def rules(visitor: Visiting) -> Response[str]:
    """All rulebooks."""
    choice = explain.HASENPFEFFER_CHOICE
    return page("rules.html", visitor, title=WORDS["rules"], games=games(), choice=choice)


@get("/rules/{name:str}", include_in_schema=False, sync_to_thread=False)
def rules_of(name: FromPath[str], visitor: Visiting) -> Response[Any]:
    """One rulebook, explained; with `.toml` behind its name as data."""
    found = rulebook(name.removesuffix(".toml"))
    if name.endswith(".toml"):
        return Response(found.to_toml(), media_type="application/toml")
    return rule_page(found, visitor, file=f"/rules/{name}.toml")


def rule_page(rules: Rules, visitor: Visitor, *, file: str, back: str = "") -> Response[str]:
    """Any rulebook, explained. `file` is where it is found as data, `back` where the reader comes from."""
    sheet = explain.rule_page(rules)
    sections = [
        {"heading": section.heading, "blocks": [_block(block) for block in section.blocks]}
        for section in sheet.sections
    ]
    shown = {"title": sheet.title, "summary": sheet.summary, "sections": sections}
    name, title = rules.name, sheet.title
    return page("rulebook.html", visitor, title=title, sheet=shown, name=name, file=file, back=back)


def _block(block: Block) -> dict[str, Any]:
    if not isinstance(block, Picture):
        return {"kind": type(block).__name__, "data": block}
    rows = [
        {
            "label": row.label,
            "cards": [
                {"art": card_art(card), "name": explain.card_name(card), "mark": dict(row.marks).get(card, "")}
                for card in row.cards
            ],
        }
        for row in block.rows
    ]
    return {"kind": "Picture", "data": rows}


@get("/privacy", include_in_schema=False, sync_to_thread=False)
def privacy(visitor: Visiting) -> Response[str]:
    """What is kept about players."""
    return page("privacy.html", visitor, title=WORDS["privacy"], sections=PRIVACY)


# --- fair deals -----------------------------------------------------------------------------------------------------


@get("/verify", include_in_schema=False)
async def verify(
    service: Serving,
    visitor: Visiting,
    table: Annotated[str | None, QueryParameter(max_length=_SHORT)] = None,
    code: Annotated[str | None, QueryParameter(max_length=_SHORT)] = None,
) -> Response[str]:
    """Check a game of this server, or one that is pasted in."""
    if table is None:
        return _verify(visitor, "", None)
    text = notation.dumps(await record_of(service, visitor, table, code))
    return _verify(visitor, text, await _checked(text))


@post("/verify", include_in_schema=False, status_code=200, request_max_body_size=3 * LONGEST_RECORD)
async def check(request: AskedBy, visitor: Visiting) -> Response[str]:
    """Check a record that was pasted in."""
    text = (await fields(request)).get("record", "")[:LONGEST_RECORD]
    return _verify(visitor, text, await _checked(text))


async def _checked(text: str) -> Message:
    """What came of checking a record."""
    try:
        rounds = await asyncio.to_thread(verify_text, text.replace("\r\n", "\n"))
    except BigPepperError as error:
        return error.message
    return msgn(
        "The deal of the one round follows from the secret, which was fixed before the game.",
        "The deals of all {n} rounds follow from the secret, which was fixed before the game.",
        rounds,
    )


def _verify(visitor: Visitor, record: str, answer: Message | None) -> Response[str]:
    return page("verify.html", visitor, title=WORDS["verify"], record=record, answer=answer)


routes: Final = [rules, rules_of, privacy, verify, check]
