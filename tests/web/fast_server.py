"""A table server whose bots move at once: `python fast_server.py PORT DATABASE`."""

from __future__ import annotations

import asyncio
import sys

import uvicorn

from bigpepper.server import pacing
from bigpepper.server.app import Settings, open_server
from bigpepper.server.limits import Limits


def quicken() -> None:
    """Let no bot wait."""
    for name in ("COMFORTABLE", "AFTER_A_ROUND", "THINKING"):
        setattr(pacing, name, 0)


async def serve(port: int, database: str) -> None:
    """Serve until stopped."""
    async with open_server(Settings(database=database, limits=Limits(factor=1000))) as server:
        config = uvicorn.Config(
            server.app,
            host="127.0.0.1",
            port=port,
            ws="websockets-sansio",
            lifespan="off",
            log_level="warning",
            timeout_graceful_shutdown=1,
        )
        await uvicorn.Server(config).serve()


if __name__ == "__main__":
    quicken()
    asyncio.run(serve(int(sys.argv[1]), sys.argv[2]))
