"""What a user waits for: the import, and the first compiled call with a cold and with a warm cache."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.report import show, time_of

_IMPORT = "import time; t = time.perf_counter(); import bigpepper; print(time.perf_counter() - t)"
_ENTRY = """
import time
from bench.rounds import random_rounds
from bigpepper import Rules, jit
from bigpepper.records import Round
records, tables = jit.rows(Round, 1), jit.pack([Rules.load("pepper-4").tables])
t = time.perf_counter()
random_rounds(records, tables, 1, 1)
print(time.perf_counter() - t)
"""
_BOTS = """
import time
from bigpepper.bots.strong import compiling
t = time.perf_counter()
compiling.prepare()
compiling.compile_search()
compiling.compile_rest()
print(time.perf_counter() - t)
"""
"""All that strong bots need: compiled where it never was, then loaded."""


def seconds(code: str, cache: str) -> float:
    """What a fresh Python prints after running `code`, with `cache` as the cache folder."""
    environment = os.environ | {"BIGPEPPER_CACHE": cache}
    folder = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=folder, stdout=subprocess.PIPE, check=True)
    return float(done.stdout)


def cold(code: str) -> float:
    """The same with an empty cache, Numba's own import included."""
    with tempfile.TemporaryDirectory() as cache:
        return seconds(code, cache)


def run() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as warm:
        seconds(_ENTRY, warm)
        seconds(_BOTS, warm)
        figures = [
            time_of("import bigpepper", lambda: seconds(_IMPORT, warm), 0.08),
            time_of("first compiled entry, cold cache", lambda: cold(_ENTRY), 8),
            time_of("first compiled entry, warm cache", lambda: seconds(_ENTRY, warm), 1),
            time_of("all of the strong bots, cold cache", lambda: cold(_BOTS), 15),
            time_of("all of the strong bots, warm cache", lambda: seconds(_BOTS, warm), 1),
        ]
    show("Start-up", figures)
