"""A real server for tests, in a thread or in a process of its own, always on loopback and on a free port."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic

import httpx
import uvicorn

from bigpepper.server.app import Server, Settings, open_server
from bigpepper.server.limits import Limits, Rate
from bigpepper.server.run import bind, prepared

FREE = Limits(factor=1_000, messages=Rate(10_000, 10_000))
"""Limits that no test meets by accident."""
COMMAND = [sys.executable, "-m", "bigpepper"]
PATIENCE = 60.0
"""Seconds for whatever a test waits for; only a broken server takes so long."""

OPEN = ExitStack()
"""What closes when a test ends."""


class Serving:
    """A server in a thread of this process. `url` is where it is, `server` what it is made of."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self.uvicorn: uvicorn.Server
        self.server: Server
        self.url = ""

    def start(self) -> Serving:
        """Start it, and wait until it answers."""
        self._thread.start()
        assert self._ready.wait(PATIENCE), "the server does not start"
        return self

    def stop(self) -> None:
        """Stop it, and wait until it has gone."""
        self.uvicorn.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the server does not stop"

    async def _serve(self) -> None:
        with bind("127.0.0.1", 0) as listening:
            self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            async with open_server(self._settings) as self.server:
                self.uvicorn = prepared(self.server, ready=self._ready.set)
                await self.uvicorn.serve([listening])


@contextmanager
def serving(folder: Path, limits: Limits = FREE, **settings: object) -> Iterator[Serving]:
    """A server in a thread, its database in `folder`."""
    server = Serving(Settings(database=str(folder / "tables.sqlite"), limits=limits, **settings))  # type: ignore[arg-type]
    server.start()
    try:
        yield server
    finally:
        server.stop()


class Process:
    """A server in a process of its own, which can be killed and started again on the same database and port."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._folder = folder
        self._options = options
        self._process: subprocess.Popen[str] | None = None
        self.port = 0
        self.said: list[str] = []

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Process:
        """Start it, and wait until it says where it is."""
        options = ["--port", str(self.port), "--limit-factor", "1000", "--db", str(self._folder / "tables.sqlite")]
        with (self._folder / "log").open("a") as log:
            self._process = subprocess.Popen(
                [*COMMAND, "serve", *options, *self._options],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said.append(line.strip())
            if "is served at" in line:
                self.port = int(line.strip().rstrip("/").rpartition(":")[2])
            if "Ctrl-C" in line:
                return self
        raise AssertionError(f"the server does not start: {self.log()}")

    def kill(self) -> None:
        """End it in the midst of whatever it does."""
        self._end(signal.SIGKILL)

    def interrupt(self) -> tuple[int, str]:
        """Press Ctrl-C; returns the exit status and what it said last."""
        return self._end(signal.SIGINT)

    def _end(self, sign: signal.Signals) -> tuple[int, str]:
        if self._process is None:
            return 0, ""
        process, self._process = self._process, None
        process.send_signal(sign)
        said, _ = process.communicate(timeout=PATIENCE)
        return process.returncode, said

    def log(self) -> str:
        """All that it has logged."""
        return (self._folder / "log").read_text()


@contextmanager
def process(folder: Path, *options: str) -> Iterator[Process]:
    """A server in a process of its own, with its database in `folder`."""
    server = Process(folder, *options).start()
    try:
        yield server
    finally:
        server.kill()


def until(come: Callable[[], bool]) -> None:
    """Wait until something has come true that no message tells."""
    end = monotonic() + PATIENCE
    while not come():
        assert monotonic() < end, "it does not come true"
        threading.Event().wait(0.01)


def browser(url: str) -> httpx.Client:
    """Somebody with a cookie jar."""
    return OPEN.enter_context(httpx.Client(base_url=url, timeout=PATIENCE))


def guest(url: str, name: str = "Anna") -> httpx.Client:
    """Somebody with a cookie jar and a name."""
    client = browser(url)
    assert client.post("/api/me", json={"name": name}).status_code == 200
    return client


def program(url: str, name: str = "Robot") -> str:
    """The token of a new program."""
    answer = httpx.post(f"{url}/api/programs", json={"name": name}, timeout=PATIENCE)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


def bearer(token: str) -> dict[str, str]:
    """The header of a program."""
    return {"Authorization": f"Bearer {token}"}
