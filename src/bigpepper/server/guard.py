"""The outermost part of the server: sees every request and handshake first, and every answer last.

It turns away foreign hosts and origins and whoever asks too fast, adds the security headers and the visitor's cookie,
gives up on bodies that do not come, and logs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import msgspec

from bigpepper.server.asgi import App, Event, Receive, Scope, Send, address_of, headers_of, is_secure, scheme_of
from bigpepper.server.identity import Visitor
from bigpepper.server.limits import Gauges
from bigpepper.server.logs import LOG, tell
from bigpepper.server.problems import FAILURE, Problem, ProblemForm
from bigpepper.server.security import Hosts, foreign, response_headers
from bigpepper.text import SOURCE_LANGUAGE, msg

VISITOR: Final = "visitor"
"""Under this key of `scope["state"]` the visitor is left for the answer's cookie."""
BODY_TIME: Final = 20.0
"""Seconds to wait for the next part of a body."""
_QUIET: Final = frozenset({"/health"})


class Guard:
    """An ASGI application around another. `clock` gives seconds."""

    def __init__(self, app: App, hosts: Hosts, gauges: Gauges, clock: Callable[[], float]) -> None:
        self._app = app
        self._hosts = hosts
        self._gauges = gauges
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        scope.setdefault("state", {})
        answer = _Answer(scope, send, self._clock)
        problem = self._problem(scope)
        if problem is not None:
            await answer.refuse(problem)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._request(scope, receive, answer)

    async def _request(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        try:
            await self._app(scope, _patient(receive), answer.send)
        except Exception:  # noqa: BLE001 - whatever it is, the client gets an answer and the log its place
            LOG.exception("request failed")
            if not answer.begun:
                await answer.refuse(Problem(500, "failure", FAILURE))

    def _problem(self, scope: Scope) -> Problem | None:
        """Why a connection is turned away; None where it is not."""
        headers = headers_of(scope)
        wrong_host = self._hosts.refusal(headers.get("host", ""))
        if wrong_host is not None:
            return Problem(421, "wrong_host", wrong_host)
        method = scope.get("method", "WEBSOCKET")
        not_ours = foreign(self._hosts, method, scheme_of(scope), headers)
        if not_ours is not None:
            return Problem(403, "foreign_origin", not_ours)
        return self._too_fast(address_of(scope))

    def _too_fast(self, address: str) -> Problem | None:
        requests, now = self._gauges.requests, self._clock()
        if requests.spend(address, now):
            return None
        sentence = msg("Too many requests from your address; slow down.")
        return Problem(429, "too_fast", sentence, after=requests.wait(address, now))


def _patient(receive: Receive) -> Receive:
    """Receive, but give up on a body whose next part does not come; afterwards wait as long as it takes."""
    done = False

    async def receive_in_time() -> Event:
        nonlocal done
        if done:
            return await receive()
        try:
            event = await asyncio.wait_for(receive(), BODY_TIME)
        except TimeoutError:
            event = {"type": "http.disconnect"}
        done = not event.get("more_body", False)
        return event

    return receive_in_time


class _Answer:
    """One answer on its way out."""

    def __init__(self, scope: Scope, send: Send, clock: Callable[[], float]) -> None:
        self._scope = scope
        self._send = send
        self._clock = clock
        self._since = clock()
        self.begun = False

    async def send(self, event: Event) -> None:
        """Pass an event on, the beginning of the answer with what it lacks."""
        if event["type"] == "http.response.start":
            self.begun = True
            event["headers"] = [*event.get("headers", ()), *self._added(event)]
            self._tell(event["status"])
        await self._send(event)

    def _added(self, event: Event) -> list[tuple[bytes, bytes]]:
        present = frozenset(name.decode("latin-1").lower() for name, _ in event.get("headers", ()))
        added = response_headers(present, secure=is_secure(self._scope))
        visitor = self._scope["state"].get(VISITOR)
        if isinstance(visitor, Visitor) and visitor.cookie is not None:
            added["set-cookie"] = visitor.cookie
        return [(name.encode(), value.encode()) for name, value in added.items()]

    def _tell(self, status: int) -> None:
        route = self._scope.get("path_template", "")
        tell(
            "request",
            logging.DEBUG if route in _QUIET else logging.INFO,
            method=self._scope.get("method"),
            route=route,
            status=status,
            ms=round(1_000 * (self._clock() - self._since), 1),
        )

    async def refuse(self, problem: Problem) -> None:
        """Answer with a problem: in place of a page, or of a handshake's yes."""
        kind = "websocket.http.response" if self._scope["type"] == "websocket" else "http.response"
        headers = [(b"content-type", b"application/json")]
        if problem.after is not None:
            headers.append((b"retry-after", str(int(problem.after) + 1).encode()))
        start: Event = {"type": f"{kind}.start", "status": problem.status, "headers": headers}
        start["headers"] = [*headers, *self._added(start)]
        self._tell(problem.status)
        body = msgspec.json.encode(ProblemForm(problem.code, problem.text(SOURCE_LANGUAGE)))
        await self._send(start)
        await self._send({"type": f"{kind}.body", "body": body})
