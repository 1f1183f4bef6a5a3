"""The pages about oneself: name, statistics, another device, one's data."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.di import NamedDependency

from bigpepper import explain
from bigpepper.cards import Card
from bigpepper.rules import Rules, rulebooks
from bigpepper.server.identity import FOUR_COLOURS, Identity, Visitor, suits_header
from bigpepper.server.pages.asking import AskedBy, fields
from bigpepper.server.pages.cards import card_art
from bigpepper.server.pages.render import go, page
from bigpepper.server.pages.track import minus
from bigpepper.server.pages.words import WORDS
from bigpepper.server.people import InvalidName, Statistics
from bigpepper.server.problems import Problem
from bigpepper.server.service import Service
from bigpepper.text import Message, msg

Visiting = NamedDependency[Visitor]
Serving = NamedDependency[Service]
Identifying = NamedDependency[Identity]
_SWATCH: Final = ("AC", "AD", "AH", "AS")
"""The cards by which the colours are shown."""


async def _me(
    service: Service,
    visitor: Visitor,
    *,
    notice: Message | None = None,
    status: int = 200,
    transfer: str | None = None,
) -> Response[str]:
    player = visitor.player
    names = await service.people.names([player]) if player else {}
    counts = await service.people.statistics(player) if player else []
    return page(
        "me.html",
        visitor,
        status=status,
        title=WORDS["you"],
        notice=notice,
        known=player is not None,
        name=names.get(player or "", ""),
        statistics=[_row(one) for one in counts],
        transfer=transfer,
        swatch=[card_art(Card(text)) for text in _SWATCH],
    )


def _row(one: Statistics) -> dict[str, Any]:
    title: Message | str = explain.title(Rules.load(one.rules)) if one.rules in rulebooks() else one.rules
    return {
        "title": title,
        "rounds": one.rounds,
        "points": minus_tenths(one.points, one.rounds),
        "tricks": minus_tenths(one.tricks, one.rounds),
        "bids": msg("{made} of {bids}", made=one.made, bids=one.bids),
        "won": one.games_won,
    }


def minus_tenths(sum: int, rounds: int) -> str:
    """A mean with one decimal."""
    return f"{sum / max(1, rounds):.1f}".replace("-", minus(-1)[0])


@get("/me", include_in_schema=False)
async def me(service: Serving, visitor: Visiting) -> Response[str]:
    """The visitor himself."""
    return await _me(service, visitor)


@post("/me/name", include_in_schema=False)
async def rename(request: AskedBy, service: Serving, visitor: Visiting) -> Response[Any]:
    """Be called something else."""
    name = (await fields(request)).get("name", "")
    try:
        who = await visitor.sure(name) if visitor.who is None else visitor.who
        await service.people.rename(who.player, name)
    except InvalidName as error:
        return await _me(service, visitor, notice=error.message, status=400)
    return go("/me")


@post("/me/suits", include_in_schema=False)
async def suits(request: AskedBy, visitor: Visiting) -> Response[Any]:
    """See the suits in two colours or in four, in this browser."""
    four = (await fields(request)).get("suits") == FOUR_COLOURS
    answer = go("/me")
    answer.headers["set-cookie"] = suits_header(four_colours=four, secure=visitor.secure)
    return answer


@post("/me/transfer", include_in_schema=False, status_code=200)
async def transfer(service: Serving, visitor: Visiting) -> Response[str]:
    """A code for another device."""
    code = await service.people.transfer_code(visitor.known().player)
    return await _me(service, visitor, transfer=code)


@post("/me/redeem", include_in_schema=False)
async def redeem(request: AskedBy, service: Serving, identity: Identifying, visitor: Visiting) -> Response[Any]:
    """Be the player of another device."""
    try:
        visitor.become(await identity.redeem((await fields(request)).get("code", "")[:64], visitor.address))
    except Problem as problem:
        return await _me(service, visitor, notice=problem.message, status=problem.status)
    return go("/me")


@get("/me/export.json", include_in_schema=False)
async def export(service: Serving, visitor: Visiting) -> Response[dict[str, Any]]:
    """All that is kept about the visitor."""
    data = await service.export(visitor.known().player)
    return Response(data, headers={"content-disposition": 'attachment; filename="bigpepper-my-data.json"'})


@post("/me/delete", include_in_schema=False, status_code=200)
async def delete(service: Serving, visitor: Visiting) -> Response[str]:
    """Forget the visitor."""
    await service.forget(visitor.known().player)
    visitor.forget()
    return await _me(service, visitor, notice=WORDS["deleted"])


routes: Final = [me, rename, suits, transfer, redeem, export, delete]
