"""`bigpepper replay`: what it prints, and what it says of records that are wrong."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bigpepper import notation
from bigpepper.cli.replay import command
from test_notation import HASENPFEFFER, TINY, unfinished


def run(*arguments: str, given: str | None = None) -> str:
    """The standard output of a call that ends well."""
    result = CliRunner().invoke(command, arguments, input=given, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pep"
    path.write_text(TINY + HASENPFEFFER + unfinished())
    return path


def test_scores_as_a_table(games: Path) -> None:
    printed = run(str(games))
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in printed.splitlines() if "│" in line]
    assert rows == [
        ["1", "0", "1 S by seat 1", "0 2", "0 +2", "0 2"],
        ["1", "3", "6 H alone by seat 2", "0 0 6 0", "+12 0", "12 0"],
        ["1", "0", "1 by seat 0", "0 0", "–", "0 0"],
    ]
    sentences = [line.strip() for line in printed.splitlines() if line[:4] in ("Game", "Side", "Won ", "The ")]
    assert sentences == [
        "Game 1: tiny, A test",
        "Side 0 (Anna): 0",
        "Side 1 (Bell): 2",
        "Won by Side 1 (Bell).",
        "Game 2: hasenpfeffer",
        "Side 0 (seats 0, 2): 12",
        "Side 1 (seats 1, 3): 0",
        "Won by Side 0 (seats 0, 2).",
        "Game 3: pepper-2",
        "Side 0: 0",
        "Side 1: 0",
        "The game is not over yet.",
    ]


def test_scores_as_json(games: Path) -> None:
    first, second, third = map(json.loads, run(str(games), "--json").splitlines())
    assert first == {
        "game": 1,
        "rules": "tiny",
        "players": ["Anna", "Bell"],
        "rounds": [
            {
                "round": 1,
                "dealer": 0,
                "maker": 1,
                "contract": "1",
                "strain": "S",
                "alone": False,
                "thrown_in": False,
                "tricks": [0, 2],
                "points": [0, 2],
                "scores": [0, 2],
            }
        ],
        "scores": [0, 2],
        "winners": [1],
        "end": "finished",
    }
    assert (second["game"], second["winners"], second["rounds"][0]["alone"]) == (2, [0], True)
    assert (third["end"], third["rounds"][0]["points"]) == ("unfinished", None)


def test_from_standard_input_and_from_json() -> None:
    as_json = notation.to_json(notation.loads(TINY)).decode()
    assert run("-", given=TINY) == run("-", given=as_json)


def test_names_cannot_control_the_terminal() -> None:
    printed = run("-", given=TINY.replace("Anna", "[bold]Anna[/bold]").replace("A test", "[red]"))
    assert "[bold]Anna[/bold]" in printed
    assert "[red]" in printed
    with pytest.raises(notation.NotationError, match="U\\+001B"):
        run("-", given=TINY.replace("Anna", "\x1b[31mAnna"))


WRONG = [
    (TINY.replace("tricks 0 2", "tricks 1 1"), "Line 20, column 9: The result is wrong"),
    (TINY.replace("Lead 1: KS", "Lead 1: KH"), "Line 18, column 9: “KH” is not legal"),
    (TINY.replace("KS AS", "KS KH"), "Line 15, column 12: KH is dealt twice"),
    (TINY[: TINY.index("End")], "Line 20, column 31: The record is cut off"),
    (TINY[: TINY.index("sult")], "Line 20, column 1: .* may be cut off"),
    ("", "Line 1, column 1: There is no record here"),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_what_is_wrong_is_named(text: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "wrong.pep"
    path.write_text(text)
    status, error = run_main(["replay", str(path)], monkeypatch)
    assert status == 1
    assert error.startswith("Error: ")
    with pytest.raises(notation.NotationError, match=said) as caught:
        run(str(path))
    assert error == f"Error: {caught.value}\n"


def test_what_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    status, error = run_main(["replay", str(tmp_path)], monkeypatch)
    assert status == 1
    assert error == f"Error: {tmp_path} cannot be read: Is a directory.\n"


def run_main(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Exit status and standard error of the whole program."""
    from bigpepper.cli import main

    error = io.StringIO()
    monkeypatch.setattr("sys.argv", ["bigpepper", *arguments])
    monkeypatch.setattr("sys.stderr", error)
    with pytest.raises(SystemExit) as ended:
        main()
    return int(str(ended.value.code)), error.getvalue()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_data_loses_nothing_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "x.pep"
    path.write_text(TINY.replace("Anna", "Žofie ♥"), "utf-8")
    call = [sys.executable, "-m", "bigpepper", "replay", "--json", str(path)]
    ended = subprocess.run(call, capture_output=True, check=True, env={**os.environ, "PYTHONIOENCODING": encoding})
    assert json.loads(ended.stdout.decode(encoding))["players"][0] == "Žofie ♥"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("OSError(13, 'Permission denied', 'x.pep')", "Error: x.pep: Permission denied."),
        ("OSError(28, 'No space left on device')", "Error: This cannot be done: No space left on device."),
        ("OSError('of no kind')", "Error: This cannot be done: of no kind."),
        ("UnicodeError()", "Error: A text that was given or is to be printed is no valid UTF-8."),
        ("'\\udcff'.encode()", "Error: A text that was given or is to be printed is no valid UTF-8."),
        ("b'\\xff'.decode()", "Error: A text that was given or is to be printed is no valid UTF-8."),
    ],
)
def test_what_nobody_caught_is_one_sentence(error: str, said: str) -> None:
    broken = f"from bigpepper import cli\ndef broken(**_):\n    error = {error}\n    raise error\n"
    call = [sys.executable, "-c", f"{broken}cli.bigpepper.main = broken\ncli.main()"]
    ended = subprocess.run(call, capture_output=True, check=False, text=True)
    assert (ended.returncode, ended.stderr) == (1, f"{said}\n")
