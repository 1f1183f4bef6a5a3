"""The page of a table: waiting room, play, review; and all that is done there, each a form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final
from urllib.parse import quote

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from bigpepper import explain
from bigpepper.server.answers import Refused
from bigpepper.server.api_tables import admit
from bigpepper.server.codes import Code
from bigpepper.server.commands import TableCommand
from bigpepper.server.events import Entry
from bigpepper.server.identity import Identity, Visitor
from bigpepper.server.pages.asking import AskedBy, fields
from bigpepper.server.pages.reading import rule_page
from bigpepper.server.pages.render import go, page
from bigpepper.server.pages.result import finished
from bigpepper.server.pages.tablepage import TablePage
from bigpepper.server.pages.words import WORDS
from bigpepper.server.problems import STATUS, Problem
from bigpepper.server.seen import Seen, labels, see
from bigpepper.server.service import Service
from bigpepper.text import Message, msg

Visiting = NamedDependency[Visitor]
Serving = NamedDependency[Service]
Identifying = NamedDependency[Identity]
TableId = FromPath[str]
Invite = Annotated[str | None, QueryParameter(max_length=64)]
_GONE: Final = msg("There is no such table.")


async def _look(
    service: Service, visitor: Visitor, table_id: str, code: str | None, *, all_rounds: bool = False
) -> tuple[Seen, dict[str, str], Sequence[Entry]]:
    """The table as the visitor may see it, the names of its players, its latest entries. Raises `Problem`."""
    await admit(service, visitor, table_id, code)
    if visitor.player:
        await service.seen(table_id, visitor.player)
    room = await service.rooms.get(table_id, fresh=service.store.is_shared)
    if room is None:
        raise Problem(404, Code.NO_SUCH_TABLE, _GONE)
    seen = see(room.table, visitor.player, all_rounds=all_rounds)
    return seen, await service.names(seen.facts), tuple(room.tail)


async def _show(
    service: Service,
    visitor: Visitor,
    table_id: str,
    code: str | None,
    *,
    refused: Message | str | None = None,
    status: int = 200,
    sure: str | None = None,
) -> Response[str]:
    seen, names, entries = await _look(service, visitor, table_id, code)
    shown = TablePage(seen, names, visitor.language, visitor.origin, code, entries, service.now())
    values = shown.values() | {"refused": refused, "sure": shown.sure(sure) if sure else None}
    return page("table.html", visitor, status=status, **values)


@get("/t/{table_id:str}", include_in_schema=False)
async def table(table_id: TableId, service: Serving, visitor: Visiting, code: Invite = None) -> Response[str]:
    """The table as the visitor sees it."""
    return await _show(service, visitor, table_id, code)


@get("/t/{table_id:str}/rounds", include_in_schema=False)
async def rounds(table_id: TableId, service: Serving, visitor: Visiting, code: Invite = None) -> Response[str]:
    """The finished rounds: every hand and every trick."""
    seen, names, _ = await _look(service, visitor, table_id, code, all_rounds=True)
    called = labels(seen.facts, names, visitor.language)
    return page(
        "rounds.html",
        visitor,
        title=WORDS["rounds"],
        rounds=reversed(finished(seen, called)),
        standing=explain.standing_line(seen.facts.rules, seen.facts.scores, called, seen.seat),
        here=f"/t/{table_id}" + (f"?code={quote(code)}" if code else ""),
    )


@get("/t/{table_id:str}/rules", include_in_schema=False)
async def rules(
    table_id: TableId,
    service: Serving,
    visitor: Visiting,
    code: Invite = None,
    toml: Annotated[bool, QueryParameter()] = False,
) -> Response[Any]:
    """The rules of the table, house rules included; explained, or as data."""
    seen, _, _ = await _look(service, visitor, table_id, code)
    if toml:
        return Response(seen.facts.rules.to_toml(), media_type="application/toml")
    query = f"code={quote(code)}" if code else ""
    file = f"/t/{table_id}/rules?toml=true" + (f"&{query}" if query else "")
    return rule_page(seen.facts.rules, visitor, file=file, back=f"/t/{table_id}" + (f"?{query}" if query else ""))


# --- doing something ------------------------------------------------------------------------------------------------


@post("/t/{table_id:str}/sure", include_in_schema=False)
async def sure(table_id: TableId, request: AskedBy, service: Serving, visitor: Visiting) -> Response[Any]:
    """Ask before a trump is discarded."""
    action = (await fields(request)).get("action", "")
    return await _show(service, visitor, table_id, None, sure=action[:32])


@post("/t/{table_id:str}/{do:str}", include_in_schema=False)
async def act(
    table_id: TableId,
    do: FromPath[str],
    request: AskedBy,
    service: Serving,
    identity: Identifying,
    visitor: Visiting,
) -> Response[Any]:
    """Carry out a command of the protocol that came as a form; then look at the table, or go home after leaving."""
    if not identity.gauges.commands.spend(visitor.address, identity.clock()):
        raise Problem(429, "too_fast", msg("Too many commands from your address; slow down."), after=1)
    given = await fields(request)
    code = given.get("code") or None
    command = command_of(do, given)
    answer = await service.do(table_id, await visitor.sure(), command, visitor.language)
    if isinstance(answer, Refused):
        if answer.code == Code.NO_SUCH_TABLE:
            raise Problem(404, Code.NO_SUCH_TABLE, _GONE)
        return await _show(
            service, visitor, table_id, code, refused=answer.message, status=STATUS.get(answer.code, 409)
        )
    return go("/" if do == "leave" else f"/t/{table_id}")


@get("/t/{table_id:str}/{do:str}", include_in_schema=False, sync_to_thread=False)
def looked_again(table_id: TableId, do: FromPath[str]) -> Response[Any]:
    """Who reloads the answer to a form looks at the table."""
    return go(f"/t/{table_id}")


def command_of(do: str, given: dict[str, str]) -> TableCommand:
    """The command of a form. Raises `Problem`."""
    values: dict[str, object] = {"type": do, **given}
    if do == "clock" and not given.get("seconds"):
        values["seconds"] = None
    if do != "take":
        values.pop("code", None)
    if do not in _WITH_STEP:
        values.pop("n", None)
    if do == "claim":
        values |= _claimed(given.get("tricks", ""))
    try:
        return msgspec.convert(values, TableCommand, strict=False)  # type: ignore[no-any-return]
    except msgspec.ValidationError as error:
        raise Problem(400, Code.BAD_MESSAGE, msg("This form cannot be read: {why}.", why=str(error))) from None


_WITH_STEP: Final = ("act", "claim", "undo", "answer_undo")


def _claimed(text: str) -> dict[str, object]:
    """The tricks of a claim, and after a slash how they fall when one gets none: `0/0 3 2`."""
    tricks, _, split = text.partition("/")
    return {"tricks": tricks, **({"split": split.split()} if split else {})}


routes: Final = [table, rounds, rules, sure, act, looked_again]
