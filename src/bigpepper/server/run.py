"""Serving the application: uvicorn with our socket protocol, one process, and a clean end."""

from __future__ import annotations

import gc
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Final

import uvicorn

from bigpepper.errors import BigPepperError
from bigpepper.server.app import Server
from bigpepper.server.socket import LONGEST_FRAME
from bigpepper.server.wire import SocketProtocol
from bigpepper.text import msg

PORT: Final = 8420
"""The port that is taken where it is free."""
_BACKLOG: Final = 2_048
_PING: Final = 20.0
"""Seconds between pings, and for each answer: a client that is gone is noticed within twice that."""
_PATIENCE: Final = 3
"""Seconds for which requests may still be answered when the server stops."""


_COLLECT: Final = (10_000, 20, 50)
"""How rarely Python looks for garbage in circles: looking through all tables takes a quarter of a second."""


def calm_collector() -> None:
    """Keep Python's collector from holding up everybody: there is hardly anything for it to find."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT)


class NotBound(BigPepperError):
    """A port on which nothing can listen."""


def bind(host: str, port: int | None) -> socket.socket:
    """A listening socket; without a `port`, `PORT` or any free one. Raises `NotBound`."""
    if port is not None:
        return _bind(host, port)
    try:
        return _bind(host, PORT)
    except NotBound:
        return _bind(host, 0)


def _bind(host: str, port: int) -> socket.socket:
    listening = None
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        if listening is not None:
            listening.close()
        why = getattr(error, "strerror", None) or str(error)
        raise NotBound(
            msg("The server cannot listen at {host}, port {port}: {why}.", host=host, port=port, why=why)
        ) from None
    listening.setblocking(False)
    return listening


class _Uvicorn(uvicorn.Server):
    """Says when it answers, and ends when a signal asks for it, without passing the signal on."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; at a second Ctrl-C at once."""
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True


def prepared(server: Server, *, ready: Callable[[], None], proxies: str = "127.0.0.1") -> uvicorn.Server:
    """What serves the application. `ready` is called once answers come; `proxies` are believed who a client is."""
    config = uvicorn.Config(
        server.app,
        ws=SocketProtocol,
        ws_max_size=LONGEST_FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=_PING,
        ws_ping_timeout=_PING,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=proxies,
        limit_concurrency=server.gauges.limits.sockets + 1_000,
        timeout_graceful_shutdown=_PATIENCE,
    )
    return _Uvicorn(config, ready)
