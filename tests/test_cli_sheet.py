"""Tables of results on any width, on paper and in a terminal: nothing is cut, and nothing is left standing."""

from __future__ import annotations

import io
import os
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from bigpepper.cli.arena import command as arena
from bigpepper.cli.sheet import Sheet
from bigpepper.cli.simulate import command as simulate
from bigpepper.text import msg

LONG = "expert:drawn=5,calls=2,plays=2,weighed=2,back=1"
CELLS = st.sampled_from(["–", "+5.60 ± 0.30", "-5.81 … -5.30", "100.0", "12 (57.1 %)", "9"])
NAMES = st.lists(st.sampled_from(["novice", "first", "Ärger", LONG, "x" * 30, "a, b"]), min_size=1, max_size=3).map(
    " – ".join
)


def drawn(sheet: Sheet, width: int, encoding: str = "utf-8") -> list[str]:
    file = io.TextIOWrapper(io.BytesIO(), encoding)
    Console(file=file, width=width, highlight=False).print(sheet)
    file.seek(0)
    return file.read().splitlines()


def packed(text: str) -> str:
    """Without what folding and boxes add."""
    return re.sub(r"[^\w.:=+–…±%(-]", "", re.sub(r"[─━═+|│┃-]{2,}", "", text))


@given(st.integers(1, 140), st.integers(0, 1), st.lists(st.tuples(NAMES, CELLS, CELLS), min_size=1, max_size=4))
def test_no_name_and_no_number_is_cut(width: int, names: int, rows: list[tuple[str, str, str]]) -> None:
    sheet = Sheet(*[msg("Side")] * names, msg("Pairing"), msg("Points a round"), msg("95 %"), names=names)
    for number, row in enumerate(rows):
        sheet.add(*[str(number)] * names, *row)
    lines = drawn(sheet, width)
    assert all(len(line) <= width for line in lines)
    as_lines = not any("│" in line for line in lines)
    cut = [re.split("│", line) for line in lines if "│" in line]
    columns = ["".join(lines)] if as_lines else list(map("".join, zip(*cut, strict=True)))
    for row in rows:
        for cell in row:
            assert any(packed(cell) in packed(column) for column in columns)
    if width >= 20:
        numbers = {cell for row in rows for cell in row[1:]}
        assert all(any(number in line for line in lines) for number in numbers)


@given(st.integers(20, 140), st.lists(st.tuples(NAMES, CELLS, CELLS), min_size=1, max_size=4))
def test_in_ascii_every_sign_has_its_form(width: int, rows: list[tuple[str, str, str]]) -> None:
    sheet = Sheet(msg("Pairing"), msg("Points a round"), msg("95 %"))
    for row in rows:
        sheet.add(*row)
    lines = drawn(sheet, width, "ascii")
    assert not any("?" in line for line in lines)
    for cell in (cell for row in rows for cell in row[1:]):
        told = cell.replace("±", "+/-").replace("…", "..").replace("–", "-")
        assert any(told in line for line in lines)


@pytest.mark.parametrize("columns", ["10", "40", "80", "200"])
def test_what_goes_into_a_file_is_whole_whatever_the_terminal(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    names = [f"{kind}:drawn=1,calls=1,plays=1" for kind in ("club", "expert")]
    call = [*names, "first", "--rules", "tiny", "--deals", "20", "--processes", "1"]
    lines = CliRunner().invoke(arena, call, catch_exceptions=False).stdout.splitlines()
    assert lines[0] == "tiny: 20 deals and 2 games, each from every seating"
    assert [line for line in lines if f"│ {names[0]} – {names[1]} │" in line]
    assert [line for line in lines if line.startswith(f"│ {names[0]} ") and line.endswith(" │")]


@pytest.mark.parametrize("columns", ["10", "40", "80", "200"])
def test_counts_of_one_are_told_as_one(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    call = ["first", "random", "--rules", "tiny", "--processes", "1"]
    told = [
        CliRunner().invoke(arena, [*call, "--deals", deals, "--games", games]).stdout.splitlines()[0]
        for deals, games in (("2", "1"), ("1", "2"), ("2", "0"))
    ]
    assert [line.partition(": ")[2] for line in told] == [
        "2 deals and 1 game, each from every seating",
        "1 deal and 2 games, each from every seating",
        "2 deals and 0 games, each from every seating",
    ]
    said = CliRunner().invoke(simulate, ["--rules", "tiny", "--games", "1", "--bots", "first", "--processes", "1"])
    assert said.stdout.splitlines()[0] == "tiny: 1 game, 200 rounds"


# --- in a terminal --------------------------------------------------------------------------------------------------

ENDLESS = {
    "arena": ["arena", "first", "random", "--rules", "tiny", "--deals", "1000000", "--processes", "1"],
    "simulate": ["simulate", "--rules", "tiny", "--games", "1000000", "--bots", "random", "--processes", "1"],
}
in_terminals = pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")


@in_terminals
@pytest.mark.parametrize("columns", [30, 40, 50, 60, 80, 120])
@pytest.mark.parametrize("name", ENDLESS)
def test_a_key_that_interrupts_leaves_nothing_of_the_picture(name: str, columns: int, tmp_path: Path) -> None:
    screen = Screen(columns)
    screen.write(interrupted(ENDLESS[name], columns, tmp_path))
    lines = [line for line in screen.lines if line.strip()]
    assert lines[0].startswith("tiny: " if name == "arena" else "Stopped.")
    told = "Stopped. With --state FILE a match is kept, and the same command goes on from there."
    assert " ".join(lines).endswith(told if name == "arena" else "Stopped.")
    words = {word for line in lines for word in line.split()}
    assert name == "simulate" or words >= set(told.split())


@in_terminals
@pytest.mark.parametrize("name", ENDLESS)
def test_in_ascii_the_picture_has_no_other_sign(name: str, tmp_path: Path) -> None:
    seen = interrupted(ENDLESS[name], 80, tmp_path, LANG="C", LC_ALL="C")
    assert seen.isascii()
    assert "-" * 39 in seen
    assert "?" not in seen.replace("[?25", "")
    if name == "arena":
        assert re.search(r"[+-]\d\.\d\d \+/- \d\.\d\d", seen)
        assert re.search(r"[+-]\d\.\d\d \.\. [+-]\d\.\d\d", seen)


@in_terminals
@pytest.mark.parametrize(
    ("name", "line"), [("arena", r"deals \d+/1000000, games \d+/100000"), ("simulate", r"games \d+/1000000")]
)
def test_a_terminal_that_cannot_draw_gets_a_line_now_and_then(name: str, line: str, tmp_path: Path) -> None:
    seen = interrupted(ENDLESS[name], 80, tmp_path, TERM="dumb")
    assert re.match(line + r"\r?\n", seen)
    assert "\x1b" not in seen


def interrupted(arguments: list[str], columns: int, folder: Path, **variables: str) -> str:
    """All that a terminal is sent by a program that is stopped by Ctrl-C once it has shown something."""
    import fcntl
    import pty
    import struct
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 100, columns, 0, 0))
    env = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR", "LC_ALL")}
    env |= {"TERM": "xterm", "LANG": "C.UTF-8", "BIGPEPPER_DATA": str(folder), **variables}
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)  # a background job ignores it
    try:
        call = [sys.executable, "-c", TERMINAL, *arguments]
        started = subprocess.Popen(call, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with started as process:
        os.close(slave)
        seen, stopped = b"", False
        while select.select([master], [], [], 30)[0] and (chunk := _chunk(master)):
            seen += chunk
            if not stopped and re.search(rb"(deals|games) [1-9]\d*/", seen):
                os.write(master, b"\x03")
                stopped = True
        process.kill()
        os.close(master)
    return seen.decode()


TERMINAL = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from bigpepper.cli import main
main()
"""


def _chunk(master: int) -> bytes:
    try:
        return os.read(master, 65_536)
    except OSError:  # nobody is at the other end any more
        return b""


class Screen:
    """As much of a terminal as is needed: lines that wrap, a cursor that goes up, lines that are taken away."""

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self.lines = [""]
        self._row = self._column = 0

    def write(self, text: str) -> None:
        """What the terminal is sent."""
        for code, letter in re.findall(r"\x1b\[([?0-9;]*[A-Za-z])|([^\x1b])", text):
            if code == "2K":
                self.lines[self._row] = ""
            elif code.endswith("A"):
                self._row -= int(code[:-1] or 1)
            elif letter == "\r":
                self._column = 0
            elif letter == "\n":
                self._down()
            elif letter:
                if self._column == self._columns:
                    self._down()
                    self._column = 0
                line = self.lines[self._row].ljust(self._column)
                self.lines[self._row] = line[: self._column] + letter + line[self._column + 1 :]
                self._column += 1

    def _down(self) -> None:
        self._row += 1
        if self._row == len(self.lines):
            self.lines.append("")
