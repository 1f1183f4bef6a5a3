"""The JSON API about players: who one is, another device, programs, one's games, figures and data."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, Router, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta, Struct

from bigpepper.server.described import problems
from bigpepper.server.identity import Identity, Visitor
from bigpepper.server.limits import LONGEST_BODY
from bigpepper.server.people import TRANSFER_TIME, Statistics, checked_name
from bigpepper.server.service import Service
from bigpepper.server.store import Head

GivenName = Annotated[str, Meta(max_length=200)]


class Me(Struct, frozen=True, kw_only=True):
    """Who one is; nobody yet where `known` is false."""

    known: bool
    name: str | None = None
    program: bool = False


class Named(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A name to be called by: 1 to 24 letters, digits, spaces and a few signs."""

    name: GivenName


class MaybeNamed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A name to be called by, or none."""

    name: GivenName | None = None


class Program(Struct, frozen=True, kw_only=True):
    """A new player that is a program; the token is told this once."""

    name: str
    token: str


class Transfer(Struct, frozen=True, kw_only=True):
    """A code that makes another device the same player, once."""

    code: str
    seconds: int


class Redeem(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A code of another device."""

    code: Annotated[str, Meta(max_length=64)]


class GameOf(Struct, frozen=True, kw_only=True):
    """A table at which one has sat."""

    table: str
    rules: str
    phase: str
    minute: int
    """Of the last event: minutes of Unix time."""


async def me_of(service: Service, visitor: Visitor) -> Me:
    """Who a visitor is."""
    if visitor.who is None:
        return Me(known=False)
    names = await service.people.names([visitor.who.player])
    return Me(known=True, name=names.get(visitor.who.player), program=visitor.who.program)


@get("/me", summary="Who am I?", responses=problems())
async def me(service: NamedDependency[Service], visitor: NamedDependency[Visitor]) -> Me:
    """Who the cookie or token belongs to."""
    return await me_of(service, visitor)


@post("/me", summary="Be a guest", status_code=200, responses=problems(413))
async def become(
    data: JSONBody[MaybeNamed], service: NamedDependency[Service], visitor: NamedDependency[Visitor]
) -> Me:
    """Become a guest, known by a cookie; who is known stays who he is."""
    await visitor.sure(data.name)
    return await me_of(service, visitor)


@patch("/me", summary="Take a name", responses=problems(413))
async def rename(data: JSONBody[Named], service: NamedDependency[Service], visitor: NamedDependency[Visitor]) -> Me:
    """Be called something else."""
    await service.people.rename(visitor.known().player, data.name)
    return await me_of(service, visitor)


@delete("/me", summary="Delete my data", status_code=200, responses=problems())
async def forget(service: NamedDependency[Service], visitor: NamedDependency[Visitor]) -> Me:
    """Leave all tables, and have the name, the tokens and the figures deleted."""
    await service.forget(visitor.known().player)
    visitor.forget()
    return Me(known=False)


@get("/me/export", summary="Export my data", responses=problems())
async def export(service: NamedDependency[Service], visitor: NamedDependency[Visitor]) -> Response[dict[str, Any]]:
    """All that is kept about the player, his games as he may have them."""
    data = await service.export(visitor.known().player)
    return Response(data, headers={"content-disposition": 'attachment; filename="bigpepper-my-data.json"'})


@get("/me/games", summary="My games", responses=problems())
async def games(service: NamedDependency[Service], visitor: NamedDependency[Visitor]) -> list[GameOf]:
    """The tables at which the player has sat, the latest first."""
    return [game_of(head) for head in await service.store.tables_of(visitor.known().player)]


def game_of(head: Head) -> GameOf:
    """A table as `games` shows it."""
    return GameOf(table=head.id, rules=head.rules, phase=head.phase, minute=head.minute)


@get("/me/statistics", summary="My figures", responses=problems())
async def statistics(service: NamedDependency[Service], visitor: NamedDependency[Visitor]) -> list[Statistics]:
    """What the player has done, by rulebook."""
    return await service.people.statistics(visitor.known().player)


@post("/me/transfer", summary="Go on at another device", status_code=200, responses=problems(413))
async def transfer(service: NamedDependency[Service], visitor: NamedDependency[Visitor]) -> Transfer:
    """A code to type at the other device, good once and for ten minutes."""
    code = await service.people.transfer_code(visitor.known().player)
    return Transfer(code=code, seconds=TRANSFER_TIME // 1_000)


@post("/transfer", summary="Come from another device", status_code=200, responses=problems(404, 413))
async def redeem(
    data: JSONBody[Redeem],
    service: NamedDependency[Service],
    identity: NamedDependency[Identity],
    visitor: NamedDependency[Visitor],
) -> Me:
    """Be the player whose other device has told the code."""
    visitor.become(await identity.redeem(data.code, visitor.address))
    return await me_of(service, visitor)


@post("/programs", summary="A token for a program", status_code=201, responses=problems(413))
async def program(
    data: JSONBody[Named], service: NamedDependency[Service], visitor: NamedDependency[Visitor]
) -> Program:
    """A new player that is a program, with the token by which it is known."""
    name = checked_name(data.name)
    visitor.spend_player()
    who = await service.people.new(name, program=True)
    return Program(name=name, token=await service.people.new_token(who.player))


router = Router(
    "/api",
    route_handlers=[me, become, rename, forget, export, games, statistics, transfer, redeem, program],
    tags=["players"],
    request_max_body_size=LONGEST_BODY,
)
