"""The table server as an ASGI application: HTTP JSON with OpenAPI, pages and the socket, behind one guard.

`open_server` opens the store, wakes bots and clocks, and gives the application; whoever serves it (uvicorn, with
`wire.SocketProtocol`) is no part of it.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from importlib import import_module, util
from typing import Any, Final

from litestar import Litestar, Request, Response
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from msgspec import Struct

from bigpepper._version import __version__
from bigpepper.errors import BigPepperError
from bigpepper.server import api_players, api_tables
from bigpepper.server.asgi import App, Receive, Scope, Send
from bigpepper.server.database import Unavailable
from bigpepper.server.guard import VISITOR, Guard
from bigpepper.server.health import health
from bigpepper.server.identity import KEY, Identity, Signer, Visitor
from bigpepper.server.limits import Gauges, Limits
from bigpepper.server.live import Listener, Live
from bigpepper.server.logs import LOG
from bigpepper.server.postgres import CONNECT
from bigpepper.server.problems import FAILURE, Problem, ProblemForm, of_body, of_status, problem_of
from bigpepper.server.security import Hosts, origin_of
from bigpepper.server.service import Service
from bigpepper.server.socket import PATH, Sockets
from bigpepper.server.store import Store
from bigpepper.server.waker import Waker

_API: Final = "/api/"
_DAY: Final = 86_400_000
_PAGES: Final = "bigpepper.server.pages.router"


class Settings(Struct, frozen=True, kw_only=True):
    """How a server is set up."""

    database: str
    """A file, or the URL of a database."""
    public_url: str | None = None
    """Under which URL the world knows it, where that is not the address it listens on."""
    hosts: frozenset[str] = frozenset()
    """More names under which it is reached."""
    limits: Limits = Limits()
    keep: int | None = None
    """Days after which tables and players are deleted; None: never."""


class Server(Struct, frozen=True):
    """A running server."""

    service: Service
    app: App
    gauges: Gauges


@asynccontextmanager
async def open_service(settings: Settings) -> AsyncIterator[Service]:
    """The tables of a database, without anybody at work. Raises `StoreError`."""
    store = await Store.open(settings.database)
    try:
        yield Service(store, Live(), now=now, random=secrets.token_bytes)
    finally:
        await store.close()


@asynccontextmanager
async def open_server(settings: Settings) -> AsyncIterator[Server]:
    """A server that is at work as long as the block lasts. Raises `StoreError`."""
    async with open_service(settings) as service, AsyncExitStack() as stack:
        key = await service.people.secret_key(KEY)
        gauges = Gauges(settings.limits)
        public = origin_of(settings.public_url) if settings.public_url else None
        identity = Identity(service.people, Signer(key, now), gauges, time.monotonic, public)
        for work in _works(service, settings):
            stack.push_async_callback(_stopped, asyncio.create_task(work))
        yield Server(service, application(service, identity, gauges, hosts_of(settings)), gauges)


def now() -> int:
    """Milliseconds of Unix time."""
    return time.time_ns() // 1_000_000


def hosts_of(settings: Settings) -> Hosts:
    """The names and origins that are ours."""
    if settings.public_url is None:
        return Hosts(settings.hosts)
    origin = origin_of(settings.public_url)
    name = origin.partition("://")[2].rpartition(":")[0] or origin.partition("://")[2]
    return Hosts(settings.hosts | {name}, frozenset({origin}))


def _works(service: Service, settings: Settings) -> Iterator[Coroutine[Any, Any, None]]:
    """What a server does all the time: bots and clocks, and what its settings ask for."""
    yield Waker(service, secrets.token_hex(8)).run()
    if service.store.is_shared:
        yield Listener(service.live, _listening(service.store)).run()
    if settings.keep is not None:
        yield _keep_house(service, settings.keep)


async def _keep_house(service: Service, days: int) -> None:
    """Delete what is old, once a day."""
    while True:
        try:
            await prune(service, days)
        except Unavailable as error:
            LOG.warning("not pruned", exc_info=error)
        await asyncio.sleep(_DAY / 1_000)


async def prune(service: Service, days: int) -> tuple[int, int]:
    """Delete tables and players not heard of for so many days; returns how many of each. Raises `Unavailable`."""
    before = service.now() - days * _DAY
    return await service.store.prune(before), await service.people.prune(before)


def _listening(store: Store) -> Callable[[], Awaitable[Any]]:
    """Opens a connection to PostgreSQL beside those of the store."""
    url = store.database.url.set(drivername="postgresql").render_as_string(hide_password=False)
    connect = import_module("asyncpg").connect  # needed with PostgreSQL only
    return lambda: connect(url, timeout=CONNECT)


async def _stopped(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def application(service: Service, identity: Identity, gauges: Gauges, hosts: Hosts) -> Guard:
    """The ASGI application."""
    web = _web(service, identity, gauges)
    sockets = Sockets(service, identity, gauges, time.monotonic)

    async def by_kind(scope: Scope, receive: Receive, send: Send) -> None:
        """Sockets go their own way; the framework has all the rest."""
        if scope["type"] == "websocket" and scope["path"] == PATH:
            await sockets(scope, receive, send)
        else:
            await web(scope, receive, send)  # type: ignore[arg-type]

    return Guard(by_kind, hosts, gauges, time.monotonic)


def _web(service: Service, identity: Identity, gauges: Gauges) -> Litestar:
    pages = import_module(_PAGES) if util.find_spec(_PAGES) else None

    async def visitor(request: Request[Any, Any, Any]) -> Visitor:
        asked = await identity.visitor(request.scope)
        request.scope["state"][VISITOR] = asked
        return asked

    def given(value: object) -> Provide:
        return Provide(lambda: value, sync_to_thread=False)

    return Litestar(
        [api_players.router, api_tables.router, health, *(pages.routes if pages else ())],
        dependencies={
            "service": given(service),
            "identity": given(identity),
            "gauges": given(gauges),
            "visitor": Provide(visitor),
        },
        exception_handlers=_handlers(identity, getattr(pages, "problem_page", None)),
        openapi_config=OpenAPIConfig(
            title="Big Pepper",
            version=__version__,
            description="Tables over HTTP. The socket at /ws, and all messages: docs/protocol.md.",
            path="/api",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            use_handler_docstrings=True,
        ),
        logging_config=None,
    )


def _handlers(identity: Identity, page: Callable[[Visitor, int, Any], str] | None) -> dict[Any, Any]:
    """What becomes of errors."""

    def answer(request: Request[Any, Any, Any], problem: Problem) -> Response[Any]:
        asked = request.scope["state"].get(VISITOR) or Visitor(identity, request.scope)
        if page is not None and not request.scope["path"].startswith(_API):
            body: Any = page(asked, problem.status, problem.message)
            return Response(body, status_code=problem.status, media_type="text/html", headers=_headers(problem))
        form = ProblemForm(problem.code, problem.text(asked.language))
        return Response(form, status_code=problem.status, headers=_headers(problem))

    def known(request: Request[Any, Any, Any], error: BigPepperError) -> Response[Any]:
        return answer(request, problem_of(error))

    def framework(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
        if error.status_code >= 500:
            LOG.error("request failed", exc_info=error)
        response = answer(request, _wrong(error) if error.status_code == 400 else of_status(error.status_code))
        response.headers.update(error.headers or {})
        return response

    def unknown(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
        LOG.error("request failed", exc_info=error)
        return answer(request, Problem(500, "failure", FAILURE))

    return {BigPepperError: known, HTTPException: framework, Exception: unknown}


def _wrong(error: HTTPException) -> Problem:
    """What the framework found wrong with a request."""
    found = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
    where = str(found.get("key", "")) if isinstance(found, dict) else ""
    why = str(found.get("message", "")) if isinstance(found, dict) else ""
    return of_body(f"{where}: {why}" if where not in ("", "data") else why or error.detail)


def _headers(problem: Problem) -> dict[str, str]:
    return {} if problem.after is None else {"retry-after": str(int(problem.after) + 1)}
