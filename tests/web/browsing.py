"""A server to browse, the windows to look at it through, and what is asked of a page."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Locator, Page, Position

PHONE, SMALL, DESKTOP = (390, 844), (320, 640), (1280, 800)
WCAG = ("wcag2a", "wcag2aa", "wcag21aa", "wcag22aa")
PAGES = (
    "/",
    "/new",
    "/new/hasenpfeffer",
    "/tables",
    "/games",
    "/me",
    "/rules",
    "/rules/pepper-4",
    "/verify",
    "/privacy",
)
"""The pages that need no table."""
Visit = Callable[..., Page]
Check = Callable[[Page], None]


class Look(NamedTuple):
    """How somebody looks at the pages."""

    size: tuple[int, int]
    dark: bool


looks = pytest.mark.parametrize(
    "look",
    [Look(size, dark) for size in (SMALL, DESKTOP) for dark in (False, True)],
    ids=["small light", "small dark", "desktop light", "desktop dark"],
)
"""A test for each size and light."""


def follow(link: Locator, position: Position | None = None) -> None:
    """Click what leads to another page, and wait for all of that page: a click alone returns before it is read."""
    with link.page.expect_navigation():
        link.click(position=position)


class Site:
    """A server in a process of its own, that can be started again."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._database = folder / "tables.db"
        self._log = folder / "log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        script = Path(__file__).with_name("fast_server.py")
        command = [sys.executable, str(script), str(self.port), str(self._database)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        until = time.monotonic() + 60
        while not self._answers():
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < until, "the server does not answer"
            self._pause()

    def _answers(self) -> bool:
        try:
            with urlopen(f"{self.url}/health", timeout=5) as answer:
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False

    def _pause(self) -> None:
        """Let the server have the processor for a moment."""
        assert self._process is not None
        try:
            self._process.wait(0.1)
        except subprocess.TimeoutExpired:
            return

    def stop(self) -> None:
        """End it as `kill -9` does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    @property
    def log(self) -> str:
        """What it has logged."""
        return self._log.read_text()
