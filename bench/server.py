"""`make bench-server`: the table server under load. Server and generator are processes of their own, on loopback.

python -m bench.server [start|frames|clients|bots|saturation|idle …]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

from bench.frames import frames
from bench.report import RUNS, Figure, heading, show

TABLES: Final = 500
WINDOW: Final = 15.0
"""Seconds of each run."""
SOCKETS: Final = 5_000
FOLDER: Final = Path(__file__).parent.parent
LONGEST: Final = 600.0
"""Seconds after which a generator is given up."""


@contextmanager
def server() -> Iterator[tuple[str, int]]:
    """A server with an empty database: its URL and the number of its process."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--port", "0", "--db", f"{folder}/tables.sqlite", "--limit-factor", "1000"]
        command = [sys.executable, "-m", "bigpepper", "serve", *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            yield line.split()[-1].rstrip("/"), process.pid
        finally:
            process.terminate()
            process.communicate(timeout=60)


def crowd(way: str, url: str, count: int, seconds: float = WINDOW, runs: int = RUNS) -> list[dict[str, float]]:
    """What a generator saw, run by run."""
    command = [sys.executable, "-m", "bench.crowd", way, url, str(count), str(seconds), str(runs)]
    done = subprocess.run(command, cwd=FOLDER, stdout=subprocess.PIPE, text=True, timeout=LONGEST, check=True)
    return list(json.loads(done.stdout))


def figure(name: str, runs: list[dict[str, float]], key: str, unit: str, at_most: float | None = None) -> Figure:
    """One measured thing; the target has to be met by the median run."""
    scale = 1_000 if unit == "ms" else 1
    values = [scale * one[key] for one in runs]
    middle = sorted(values)[len(values) // 2]
    target = "" if at_most is None else f"≤ {at_most:g}"
    return Figure(name, values, unit, middle, target, None if at_most is None else middle <= at_most)


def cpu_of(process: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def start() -> list[Figure]:
    """From the command to the first page."""
    runs = []
    for _ in range(RUNS + 1):
        begun = time.perf_counter()
        with server() as (url, _), urlopen(url, timeout=60) as page:
            page.read()
            runs.append({"seconds": time.perf_counter() - begun})
    return [figure("start to first page, warm", runs[1:], "seconds", "s", 2)]


def clients() -> list[Figure]:
    """Five hundred tables of four clients, one action a table every two seconds."""
    with server() as (url, process):
        runs = crowd("clients", url, TABLES)
        used = cpu_of(process)
    name = f"{TABLES} tables of 4 clients"
    return [
        figure(f"{name}: action to all four, median", runs, "p50", "ms"),
        figure(f"{name}: action to all four, p99", runs, "p99", "ms", 100),
        figure(f"{name}: actions a second", runs, "actions", "/s"),
        Figure(f"{name}: the server's processor time in all", [], "s", used),
    ]


def bots() -> list[Figure]:
    """The same with three novice bots and a person at each table."""
    with server() as (url, _):
        runs = crowd("bots", url, TABLES)
    name = f"{TABLES} tables with 3 novice bots"
    return [
        figure(f"{name}: bots late, median", runs, "p50", "ms"),
        figure(f"{name}: bots late, p99", runs, "p99", "ms"),
        figure(f"{name}: actions a second", runs, "actions", "/s"),
    ]


def saturation() -> list[Figure]:
    """A hundred tables at which everybody acts at once."""
    with server() as (url, _):
        return [figure("actions at saturation, 100 tables of 4", crowd("saturation", url, 100), "actions", "/s")]


def idle() -> list[Figure]:
    """What an idle socket takes of the server's memory."""
    with server() as (url, process):
        command = [sys.executable, "-m", "bench.crowd", "idle", url, str(SOCKETS), "0", "0"]
        crowd = subprocess.Popen(command, cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            _told(crowd, "ready")
            before = _memory(process)
            _tell(crowd)
            _told(crowd, "open")
            each = (_memory(process) - before) / SOCKETS
            _tell(crowd)
            crowd.wait(60)
        finally:
            crowd.kill()
    return [Figure(f"{SOCKETS} idle sockets, each", [each], "KiB", each, "≤ 40", each <= 40)]


def _tell(crowd: subprocess.Popen[str]) -> None:
    assert crowd.stdin is not None
    crowd.stdin.write("\n")
    crowd.stdin.flush()


def _told(crowd: subprocess.Popen[str], word: str) -> None:
    assert crowd.stdout is not None
    said = crowd.stdout.readline().strip()
    assert said == word, said


def _memory(process: int) -> int:
    """KiB of memory that a process has."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


WAYS: Final[dict[str, Callable[[], list[Figure]]]] = {
    "start": start,
    "frames": frames,
    "clients": clients,
    "bots": bots,
    "saturation": saturation,
    "idle": idle,
}


def main(names: list[Any]) -> None:
    """Run the named ones, all by default."""
    unknown = [name for name in names if name not in WAYS]
    if unknown:
        sys.exit(f"There is no benchmark {', '.join(unknown)}; there are {', '.join(WAYS)}.")
    print(heading())
    for name in names or WAYS:
        show(f"Table server: {name}", WAYS[name]())


if __name__ == "__main__":
    main(sys.argv[1:])
