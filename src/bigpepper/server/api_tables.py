"""The JSON API about tables: all that the socket can do, for those who rather ask than listen; and records."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, nullcontext, suppress
from io import BytesIO
from typing import Annotated, Any, Final

from litestar import Response, Router, get, post
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Meta, Struct

from bigpepper import notation
from bigpepper.notation import GameRecord
from bigpepper.rules import rulebooks
from bigpepper.server.answers import Done, Refused, Snapshot, write_frame
from bigpepper.server.cases import Refusal
from bigpepper.server.codes import Code
from bigpepper.server.commands import Create, TableCommand
from bigpepper.server.described import frames, problems, refusals
from bigpepper.server.fairness import verify
from bigpepper.server.identity import Identity, Visitor
from bigpepper.server.limits import LONGEST_BODY, LONGEST_RECORD, Gauges
from bigpepper.server.problems import STATUS, Problem, refused
from bigpepper.server.service import Service
from bigpepper.server.store import Head
from bigpepper.text import msg

LONGEST_WAIT: Final = 25
"""Seconds for which a request for events may wait for one."""
TableId = Annotated[str, Meta(max_length=64)]
Invite = Annotated[str | None, QueryParameter(max_length=64, description="The invite code of a private table.")]


class NewTable(Struct, frozen=True, kw_only=True):
    """A table that was set up."""

    table: str
    code: str
    """The invite code."""
    url: str
    """Where the table's page is; whoever has this link may sit down."""


class Invited(Struct, frozen=True, kw_only=True):
    """The table of an invite code."""

    table: str


class OpenTable(Struct, frozen=True, kw_only=True):
    """A public table."""

    table: str
    rules: str
    phase: str
    open_seats: int


class Verified(Struct, frozen=True, kw_only=True):
    """How many rounds follow from the secret."""

    rounds: int


async def admit(service: Service, visitor: Visitor, table_id: str, code: str | None) -> None:
    """Raises `Problem` where the visitor may not see the table."""
    _raise(await service.admit(table_id, visitor.player, code))


def _raise(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise refused(refusal.code, refusal.message)


# --- finding and making ---------------------------------------------------------------------------------------------


@get("/rules", summary="The rulebooks", sync_to_thread=False, responses=problems())
def rules() -> list[str]:
    """The names of the rulebooks that come along."""
    return list(rulebooks())


@get("/tables", summary="Public tables", responses=problems())
async def tables(service: NamedDependency[Service]) -> list[OpenTable]:
    """The public tables that are not over, those with the latest events first."""
    return [open_table(head) for head in await service.store.public_tables()]


def open_table(head: Head) -> OpenTable:
    """A table as `tables` shows it."""
    return OpenTable(table=head.id, rules=head.rules, phase=head.phase, open_seats=head.open_seats)


@post("/tables", summary="Set up a table", status_code=201, responses=problems(409, 413))
async def create(
    data: JSONBody[Create],
    service: NamedDependency[Service],
    identity: NamedDependency[Identity],
    visitor: NamedDependency[Visitor],
) -> NewTable:
    """Set up a table; who is nobody yet becomes a guest."""
    spend_table(identity, visitor)
    table = await service.create(await visitor.sure(), data)
    if isinstance(table, Refusal):
        raise refused(table.code, table.message)
    facts = table.facts
    return NewTable(table=facts.id, code=facts.code, url=f"{visitor.origin}/join/{facts.code}")


def spend_table(identity: Identity, visitor: Visitor) -> None:
    """Raises `Problem` where too many tables were set up at the visitor's address."""
    meter, now = identity.gauges.tables, identity.clock()
    if not meter.spend(visitor.address, now):
        sentence = msg("Too many new tables from your address; try again later.")
        raise Problem(429, "too_fast", sentence, after=meter.wait(visitor.address, now))


@get("/invites/{code:str}", summary="The table of an invite code", responses=problems(404))
async def invite(
    code: FromPath[str],
    service: NamedDependency[Service],
    identity: NamedDependency[Identity],
    visitor: NamedDependency[Visitor],
) -> Invited:
    """Which table an invite code is for."""
    identity.check_guesses(visitor.address)
    table = await service.store.table_of_code(code[:64].strip().upper())
    if table is None:
        identity.gauges.guesses.spend(visitor.address, identity.clock())
        raise Problem(404, "no_such_code", msg("No table has this invite code."))
    return Invited(table=table)


# --- one table ------------------------------------------------------------------------------------------------------


@get("/tables/{table_id:str}", summary="A table as I see it", responses=frames(dict[str, Any], "A `snapshot`."))
async def look(
    table_id: FromPath[str],
    service: NamedDependency[Service],
    visitor: NamedDependency[Visitor],
    code: Invite = None,
) -> Response[bytes]:
    """A `snapshot` frame (docs/protocol.md)."""
    await admit(service, visitor, table_id, code)
    await _note(service, visitor, table_id)
    snapshot = await service.snapshot(table_id, visitor.player, visitor.language)
    return _json(write_frame(_there(snapshot)))


def _there(snapshot: Snapshot | None) -> Snapshot:
    """The snapshot of a table that was there a moment ago."""
    if snapshot is None:
        raise Problem(404, "no_such_table", msg("There is no such table."))
    return snapshot


@get(
    "/tables/{table_id:str}/events",
    summary="What has happened since",
    responses=frames(list[dict[str, Any]], "Frames, the oldest first."),
)
async def events(
    table_id: FromPath[str],
    service: NamedDependency[Service],
    gauges: NamedDependency[Gauges],
    visitor: NamedDependency[Visitor],
    since: Annotated[int, QueryParameter(ge=0, le=2**31, description="The last event that is known.")],
    wait: Annotated[int, QueryParameter(ge=0, le=LONGEST_WAIT, description="Seconds to wait for one.")] = 0,
    code: Invite = None,
) -> Response[bytes]:
    """A list of `event` frames, or of one `snapshot`; empty where nothing has happened.

    With `wait` the answer comes once something happens, or empty after so many seconds. Whoever waits counts as a
    socket of his address.
    """
    await admit(service, visitor, table_id, code)
    full = gauges.sockets.refusal(visitor.address) if wait else None
    if full is not None:
        raise Problem(429, Code.TOO_FAST, full, after=1)
    with gauges.sockets.one_more(visitor.address) if wait else nullcontext():
        missed = await _since(service, visitor, table_id, since, wait)
    return _json(f"[{','.join(missed)}]".encode())


async def _note(service: Service, visitor: Visitor, table_id: str) -> None:
    """Note down that the visitor has looked at a table."""
    if visitor.player:
        await service.seen(table_id, visitor.player)


async def _since(service: Service, visitor: Visitor, table_id: str, since: int, wait: int) -> tuple[str, ...]:
    room = await service.rooms.get(table_id, fresh=service.store.is_shared)
    if room is not None and room.seq == since and not wait:
        await _note(service, visitor, table_id)
        return ()
    following = service.follow(table_id, visitor.player, since=since, language=visitor.language, greet=False)
    async with aclosing(following):
        with suppress(TimeoutError):
            async with asyncio.timeout(max(wait, 1)):
                return await anext(following)
    return ()


@post("/tables/{table_id:str}/commands", summary="Do something", status_code=200, responses=refusals())
async def command(
    table_id: FromPath[str],
    data: JSONBody[TableCommand],
    service: NamedDependency[Service],
    identity: NamedDependency[Identity],
    visitor: NamedDependency[Visitor],
) -> Response[Done | Refused]:
    """Carry out a command of the protocol. The answer is `done`: stored; or `refused`, with a status of its own."""
    if not identity.gauges.commands.spend(visitor.address, identity.clock()):
        raise Problem(429, "too_fast", msg("Too many commands from your address; slow down."), after=1)
    answer = await service.do(table_id, await visitor.sure(), data, visitor.language)
    status = STATUS.get(answer.code, 409) if isinstance(answer, Refused) else 200
    return Response(answer, status_code=status)


def _json(body: bytes) -> Response[bytes]:
    return Response(body, media_type=MediaType.JSON)


# --- records --------------------------------------------------------------------------------------------------------


@get("/tables/{table_id:str}/record.pep", summary="The record (.pep)", responses=problems(403, 404))
async def record_pep(
    table_id: FromPath[str],
    service: NamedDependency[Service],
    visitor: NamedDependency[Visitor],
    code: Invite = None,
) -> Response[bytes]:
    """The game as `.pep`: while it is played, what the asker may know of it."""
    record = await record_of(service, visitor, table_id, code)
    return download(notation.dumps(record).encode(), table_id, "pep", "text/plain; charset=utf-8")


@get("/tables/{table_id:str}/record.json", summary="The record (JSON)", responses=problems(403, 404))
async def record_json(
    table_id: FromPath[str],
    service: NamedDependency[Service],
    visitor: NamedDependency[Visitor],
    code: Invite = None,
) -> Response[bytes]:
    """The game as JSON: while it is played, what the asker may know of it."""
    record = await record_of(service, visitor, table_id, code)
    return download(notation.to_json(record), table_id, "json", "application/json")


async def record_of(service: Service, visitor: Visitor, table_id: str, code: str | None) -> GameRecord:
    """The record of a table as the visitor may have it. Raises `Problem`."""
    await admit(service, visitor, table_id, code)
    record = await service.record(table_id, visitor.player)
    if record is None:
        raise Problem(404, "not_started", msg("There is no record yet: no card has been dealt."))
    return record


def download(body: bytes | str, table_id: str, suffix: str, media_type: str) -> Response[Any]:
    """A record as a file."""
    name = f"bigpepper-{table_id[:8]}.{suffix}"
    return Response(body, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'})


class RecordText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record, as `.pep` or JSON."""

    record: Annotated[str, Meta(max_length=LONGEST_RECORD)]


@post(
    "/verify",
    summary="Check the deals of a record",
    status_code=200,
    request_max_body_size=2 * LONGEST_RECORD,
    responses=problems(413),
)
async def check(data: JSONBody[RecordText]) -> Verified:
    """Check that the deals of a finished game follow from the secret that was told."""
    return Verified(rounds=await asyncio.to_thread(verify_text, data.record))


def verify_text(text: str) -> int:
    """How many rounds of a record follow from its proof. Raises `Unfair` and `NotationError`."""
    return sum(verify(record) for record in notation.read(BytesIO(text.encode())))


router = Router(
    "/api",
    route_handlers=[rules, tables, create, invite, look, events, command, record_pep, record_json, check],
    tags=["tables"],
    request_max_body_size=LONGEST_BODY,
)
