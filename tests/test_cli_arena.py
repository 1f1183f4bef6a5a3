"""`bigpepper arena`: what it prints for people and programs, how it stops and goes on, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import bigpepper as bp
from bigpepper.arena import Match, plot
from bigpepper.cli.arena import command

COMMON = ("random", "first", "--rules", "tiny", "--deals", "40", "--processes", "1")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, catch_exceptions=False)


def test_for_people() -> None:
    result = run(*COMMON)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "tiny: 40 deals and 4 games, each from every seating" in result.stdout
    assert "random – first" in result.stdout
    assert "Rating" not in result.stdout


def test_a_pool_for_people() -> None:
    result = run("novice", *COMMON)
    assert result.stdout.count(" – ") == 3
    assert "Rating" in result.stdout
    assert "random" in result.stdout.splitlines()[-2] + result.stdout.splitlines()[-3]


ESTIMATE = {"mean", "low", "high", "n"}


def test_the_form_of_the_json() -> None:
    """Programs rely on it: add to it, take nothing away."""
    data: dict[str, Any] = json.loads(run("novice", *COMMON, "--json").stdout)
    assert set(data) == {
        *("rules", "rules_digest", "bots", "seed", "deals", "games"),
        *("finished", "pairings", "ratings", "sprt"),
    }
    assert (data["bots"], data["deals"], data["games"], data["finished"]) == (
        ["novice", "random", "first"],
        40,
        4,
        True,
    )
    assert set(data["pairings"][0]) == {"bots", "points", "points_each", "games_won"}
    assert set(data["pairings"][0]["points"]) == set(data["pairings"][0]["games_won"]) == ESTIMATE
    assert set(data["ratings"][0]) == {"bot", *ESTIMATE}
    assert data["sprt"] is None


def test_the_json_of_a_test() -> None:
    data = json.loads(run(*COMMON, "--json", "--sprt", "--h1", "3", "--games", "0").stdout)
    assert set(data["sprt"]) == {
        *("measure", "h0", "h1", "alpha", "beta", "least"),
        *("n", "ratio", "lower", "upper", "accepted"),
    }
    assert (data["sprt"]["measure"], data["sprt"]["h1"], data["sprt"]["accepted"]) == ("points", 3.0, "H0")
    assert data["pairings"][0]["games_won"] is None


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--sprt", "--h1", "3"), "random does not score 3.0 a round more than first (H0)."),
        (("--sprt", "--h0", "-4", "--h1", "-3"), "random scores more than first (H1, by -3.0 a round)."),
        (("--sprt", "--h1", "0.01"), "The test is undecided after 40 deals: 0 or 0.01 points a round."),
        (("--sprt", "--measure", "games", "--games", "30", "--h1", "0.99"), "random does not win 0.99 of them"),
        (
            ("--sprt", "--measure", "games", "--games", "30", "--h0", "0.01", "--h1", "0.3"),
            "random wins more of them",
        ),
        (("--sprt", "--measure", "games"), "The test is undecided after 4 games: 0.5 or 0.53 of them are won."),
    ],
)
def test_what_a_test_says(options: tuple[str, ...], sentence: str) -> None:
    assert sentence in run(*COMMON, *options).stdout.replace("0.0 or", "0 or")


def test_the_oracle_enters_by_an_option() -> None:
    data = json.loads(run("novice", "--oracle", "novice", "--rules", "pepper-4", "--deals", "4", "--json").stdout)
    assert data["bots"] == ["novice", "oracle(novice)"]


def test_a_key_that_interrupts_prints_what_is_known_and_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(*COMMON, "--json").stdout
    play = Match.play

    def interrupted(match: Match, processes: int | None = None) -> Iterator[None]:
        for step, _ in enumerate(play(match, processes)):
            yield
            if step == 3:
                raise KeyboardInterrupt

    monkeypatch.setattr(Match, "play", interrupted)
    lost = run(*COMMON)
    assert lost.exit_code == 130
    assert "tiny: 12 deals and 1 game, " in lost.stdout
    assert lost.stderr == "Stopped. With --state FILE a match is kept, and the same command goes on from there.\n"
    path = tmp_path / "match.json"
    kept = run(*COMMON, "--state", str(path), "--json")
    assert kept.exit_code == 130
    assert json.loads(kept.stdout)["finished"] is False
    assert kept.stderr == f"Stopped; kept in {path}. The same command goes on from there.\n"
    monkeypatch.undo()
    assert run(*COMMON, "--state", str(path), "--json").stdout == whole
    assert run(*COMMON, "--state", str(path), "--json").stdout == whole


@pytest.mark.parametrize("bots", ["random first", "random first novice"])
def test_a_plot(bots: str, tmp_path: Path) -> None:
    path = tmp_path / "out.png"
    rest = ("--rules", "tiny", "--deals", "40", "--processes", "1", "--plot", str(path))
    assert run(*bots.split(), *rest).exit_code == 0
    assert path.read_bytes()[:4] == b"\x89PNG"


def test_a_plot_that_cannot_be_drawn_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Match, "play", None)
    with pytest.raises(bp.BigPepperError, match=r"is no picture: its name has to end in \.png, \.svg, \.pdf"):
        run(*COMMON, "--plot", "out.txt")
    with pytest.raises(bp.BigPepperError, match="there is no such folder"):
        run(*COMMON, "--plot", str(tmp_path / "nowhere" / "out.png"))
    monkeypatch.setattr(plot, "find_spec", lambda name: None)
    with pytest.raises(bp.BigPepperError, match=r"Matplotlib, which is not installed: pip install 'bigpepper\[plot\]'"):
        run(*COMMON, "--plot", str(tmp_path / "out.png"))


SPELLINGS = ["{0}/x.png", "{0}/./x.png", "{0}/../{1}/x.png", "{0}/link/x.png", "{0}/other.png", "x.png"]


@pytest.mark.parametrize("there", ["nothing", "file", "link"])
@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("swapped", [False, True])
def test_a_file_is_not_written_by_two_options(
    swapped: bool, spelling: str, there: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Match, "__init__", None)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "x.png"
    if there == "file":
        path.write_text("precious")
    elif there == "link":
        path.symlink_to(tmp_path / "target")
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "other.png").symlink_to(path)
    one, other = str(path), spelling.format(tmp_path, tmp_path.name)
    result = run(*COMMON, "--state", other if swapped else one, "--plot", one if swapped else other)
    assert result.exit_code == 2
    assert "--state and --plot name the same file, " in result.stderr
    assert not path.exists() or path.read_text() == "precious"


def test_a_hard_link_is_the_same_file_too(tmp_path: Path) -> None:
    (tmp_path / "match").write_text("precious")
    (tmp_path / "x.png").hardlink_to(tmp_path / "match")
    result = run(*COMMON, "--state", str(tmp_path / "match"), "--plot", str(tmp_path / "x.png"))
    assert (result.exit_code, (tmp_path / "match").read_text()) == (2, "precious")


@pytest.mark.parametrize("option", ["--state", "--plot"])
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere/x.png", "there is no such folder"),
        ("folder.png", "it is a folder"),
        ("n" * 300 + ".png", "too long"),
        ("circle.png", "cannot be written"),
        ("dangling.png", "cannot be written"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_played(
    option: str, name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Match, "__init__", None)
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "circle.png").symlink_to(tmp_path / "circle.png")
    (tmp_path / "dangling.png").symlink_to(tmp_path / "nowhere" / "x")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(bp.BigPepperError, match=reason):
        run(*COMMON, option, str(tmp_path / name))
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("option", ["--state", "--plot"])
@pytest.mark.parametrize("name", ["", " "])
def test_a_file_without_a_name(option: str, name: str) -> None:
    result = run(*COMMON, option, name)
    assert result.exit_code == 2
    assert f"Invalid value for '{option}': It needs the name of a file to write." in result.stderr


@pytest.mark.parametrize(
    ("option", "given", "right"),
    [
        *(
            ("--deals", given, "a whole number from 0 to 10000000")
            for given in ("1e3", "1.5", "x", "", "-1", "10000001")
        ),
        ("--games", "1e3", "a whole number from 0 to 10000000"),
        ("--processes", "0", "a whole number from 1 to 256"),
        *(("--h0", given, "a number") for given in ("x", "", "nan", "inf")),
        ("--beta", "1e999", "a number"),
    ],
)
def test_a_number_that_does_not_fit(option: str, given: str, right: str) -> None:
    result = run(*COMMON, "--sprt", option, given)
    assert result.exit_code == 2
    assert f"“{given}” does not fit here; right would be {right}.\n" in result.stderr


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(bp.UnknownBot, match="There is no bot “nobody”"):
        run("nobody", "first")
    with pytest.raises(bp.InvalidGame, match="at least two bots"):
        run("first")
    with pytest.raises(bp.InvalidRules, match="nothing"):
        run("first", "random", "--rules", "nothing")
    wrong = run(*COMMON, "--h1", "1")
    assert wrong.exit_code == 2
    assert "--h1 belongs to --sprt, which is not given." in wrong.stderr
