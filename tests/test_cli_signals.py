"""Programs that end from outside: by a signal they stop as by Ctrl-C, and no process of theirs is left, ever."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from bigpepper.cli import bigpepper

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system does not list processes so")

ARENA = ("arena", "random", "first", "--rules", "pepper-2", "--deals", "1000000", "--seed", "s")
SIMULATE = ("simulate", "--rules", "pepper-2", "--games", "1000000", "--bots", "random")
SECONDS = 60
NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if sys.platform != "win32" else ()


@contextmanager
def running(arguments: tuple[str, ...], processes: int) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """The program and its processes, once they all are there; none of them outlives the test."""
    call = [sys.executable, "-m", "bigpepper", *arguments, "--processes", str(processes)]
    pipe = subprocess.PIPE
    before = {number: signal.signal(number, signal.SIG_DFL) for number in NUMBERS}  # a background job ignores some
    try:
        started = subprocess.Popen(call, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    with started as process:
        try:
            if processes > 1:
                until(lambda: len(descendants(process.pid)) > processes)  # one more keeps track of what they share
            yield process, descendants(process.pid)
        finally:
            for one in in_session(process.pid):
                os.kill(one, signal.SIGKILL)


def until(holds: Callable[[], bool]) -> None:
    """Wait for it, but not for ever."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, "It has not come about."
        time.sleep(0.02)


def fields(pid: int) -> list[str]:
    """State, parent, group and session of a process; none where there is no such."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:4]
    except OSError:
        return []


def alive() -> Iterator[tuple[int, list[str]]]:
    for path in Path("/proc").iterdir():
        if path.name.isdigit() and (found := fields(int(path.name))) and found[0] not in "ZX":
            yield int(path.name), found


def descendants(pid: int) -> list[int]:
    return [one for one, (_, parent, _, _) in alive() if int(parent) == pid]


def in_session(pid: int) -> list[int]:
    return [one for one, (_, _, _, session) in alive() if int(session) == pid]


def kept_deals(path: Path) -> int:
    return len(json.loads(path.read_bytes())["deals"]) if path.exists() else 0


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_match_stops_by_a_signal_as_by_ctrl_c(number: int, processes: int, tmp_path: Path) -> None:
    path = tmp_path / "match"
    with running((*ARENA, "--state", str(path), "--json"), processes) as (process, _):
        until(lambda: kept_deals(path) > 0)
        process.send_signal(number)
        out, said = process.communicate(timeout=SECONDS)
        assert (process.returncode, said) == (
            128 + number,
            f"Stopped; kept in {path}. The same command goes on from there.\n",
        )
        assert json.loads(out)["deals"] == kept_deals(path) > 0
        until(lambda: not in_session(process.pid))


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("number", NUMBERS)
def test_games_stop_by_a_signal_as_by_ctrl_c(number: int, processes: int, tmp_path: Path) -> None:
    with running((*SIMULATE, "--record", str(tmp_path / "games.pep")), processes) as (process, _):
        until(lambda: any(file.stat().st_size for file in tmp_path.iterdir()))
        process.send_signal(number)
        out, said = process.communicate(timeout=SECONDS)
        assert (process.returncode, out, said.strip()) == (128 + number, "", "Stopped.")
        assert list(tmp_path.iterdir()) == []
        until(lambda: not in_session(process.pid))


@pytest.mark.parametrize("arguments", [ARENA, SIMULATE], ids=["arena", "simulate"])
def test_nobody_outlives_the_program_however_it_dies(arguments: tuple[str, ...]) -> None:
    with running(arguments, 2) as (process, workers):
        assert len(workers) >= 2
        process.kill()
        process.wait(SECONDS)
        until(lambda: not in_session(process.pid))


@pytest.mark.parametrize("number", NUMBERS[1:])
@pytest.mark.parametrize("name", ["arena", "simulate"])
def test_a_signal_while_bots_compile_something(name: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = [one.replace("1000000", "4") for one in (ARENA if name == "arena" else SIMULATE)]
    monkeypatch.setattr(
        "bigpepper.cli.arena.prepare" if name == "arena" else "bigpepper.bots.prepare",
        lambda names: os.kill(os.getpid(), number),
    )
    before = signal.signal(number, lambda *_: None)  # else a test that fails would end them all
    try:
        done = CliRunner().invoke(bigpepper, [*arguments, "--processes", "1"])
        assert signal.getsignal(number) not in (signal.SIG_DFL, signal.SIG_IGN)
    finally:
        signal.signal(number, before)
    assert (done.exit_code, done.stderr) == (128 + number, "Stopped.\n")


def test_a_terminal_that_is_closed_leaves_the_match_kept_and_nobody_behind(tmp_path: Path) -> None:
    import pty

    master, slave = pty.openpty()
    path = tmp_path / "match"
    begin = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); from bigpepper.cli import main; main()"
    call = [sys.executable, "-c", begin, *ARENA, "--state", str(path), "--processes", "2"]
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        started = subprocess.Popen(call, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
    finally:
        signal.signal(signal.SIGHUP, before)
    with started as process:
        os.close(slave)
        os.set_blocking(master, False)

        def has_kept() -> bool:
            with suppress(BlockingIOError):
                os.read(master, 65_536)
            return kept_deals(path) > 0

        try:
            until(has_kept)
            os.close(master)
            assert process.wait(SECONDS) == 128 + signal.SIGHUP
            until(lambda: not in_session(process.pid))
        finally:
            for one in in_session(process.pid):
                os.kill(one, signal.SIGKILL)
    assert kept_deals(path) > 0
