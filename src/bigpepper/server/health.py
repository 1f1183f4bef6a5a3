"""Whether the server works, for whoever watches it: `GET /health`."""

from __future__ import annotations

from typing import Literal

from litestar import Response, get
from litestar.di import NamedDependency
from msgspec import Struct

from bigpepper._version import __version__
from bigpepper.server.database import Unavailable
from bigpepper.server.limits import Gauges
from bigpepper.server.service import Service


class Health(Struct, frozen=True, kw_only=True):
    """How the server is; the status is 503 where it cannot serve."""

    status: Literal["ok", "database"]
    """`database`: the database does not answer."""
    version: str
    sockets: int
    """Open sockets."""
    watchers: int
    """Sockets and requests that follow a table."""


@get("/health", summary="Is all well?", tags=["server"])
async def health(service: NamedDependency[Service], gauges: NamedDependency[Gauges]) -> Response[Health]:
    """Asks the database, and counts."""
    try:
        await service.store.check()
        well = True
    except Unavailable:
        well = False
    body = Health(
        status="ok" if well else "database",
        version=__version__,
        sockets=gauges.sockets.open,
        watchers=service.live.watchers,
    )
    return Response(body, status_code=200 if well else 503)
