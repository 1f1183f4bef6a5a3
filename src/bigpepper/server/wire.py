"""How sockets are let go of: uvicorn's protocol, and what it lacks against clients that receive nothing."""

from __future__ import annotations

from asyncio import TimerHandle
from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

SLOWEST: Final = 20.0
"""Seconds for which a client may leave what it is sent lying."""
FAREWELL: Final = 10.0
"""Seconds after the end within which a connection is gone, whatever the client does."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """Cuts off a client that does not receive: waiting for it to read would take for ever."""

    slowest = SLOWEST
    _stuck: TimerHandle | None = None

    def pause_writing(self) -> None:
        """The client receives too slowly: let it catch up in time."""
        super().pause_writing()
        if self._stuck is None:
            self._stuck = self.loop.call_later(self.slowest, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has caught up."""
        super().resume_writing()
        self._calm()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        self._calm()
        super().connection_lost(exc)

    async def run_asgi(self) -> None:
        """Run the application, and see to it that the connection ends soon after."""
        try:
            await super().run_asgi()
        finally:
            self.loop.call_later(FAREWELL, self.transport.abort)

    def _calm(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
