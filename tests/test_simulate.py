"""`bigpepper simulate`: the same seed gives the same bytes, and what it counts is what the games hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bigpepper as bp
from bigpepper import notation, workers
from bigpepper.cli import simulate
from bigpepper.cli.simulate import command


def run(*arguments: str) -> str:
    """The standard output of a call that ends well."""
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def simulated(*arguments: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return data


COMMON = ("--rules", "tiny", "--games", "45", "--bots", "random,first")


def test_the_same_bytes_whatever_the_number_of_processes(tmp_path: Path) -> None:
    printed = [
        run(*COMMON, "--seed", "a", "--json", "--record", str(tmp_path / n), "--processes", n) for n in ("1", "2")
    ]
    assert printed[0] == printed[1]
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    other = run(*COMMON, "--seed", "b", "--json", "--processes", "1")
    assert other != printed[0].replace('"a"', '"b"')


@pytest.mark.parametrize("rules", ["pepper-2", "pepper-3", "hasenpfeffer"])
def test_the_summary_counts_the_games(rules: str, tmp_path: Path) -> None:
    path, ours = tmp_path / "games.pep", tmp_path / "ours.toml"
    ours.write_text(bp.Rules.load(rules).replace(round_limit=7).to_toml())
    told = simulated("--rules", str(ours), "--games", "8", "--record", str(path), "--processes", "1")
    records = list(notation.read(path))
    rounds = [state for record in records for state in notation.to_game(record).rounds]
    assert (told["games"], told["rounds"]) == (8, len(rounds))
    assert told["thrown_in"] == sum(state.thrown_in for state in rounds) / len(rounds)
    for side, counted in enumerate(told["sides"]):
        ends = [record.end for record in records if record.end]
        made = [state for state in rounds if state.maker is not None and state.rules.side_of(state.maker) == side]
        assert counted["won"] == sum(side in end.winners for end in ends)
        assert counted["won_alone"] == sum(end.winners == (side,) for end in ends)
        assert counted["points_a_round"] == sum(state.points[side] for state in rounds if state.points) / len(rounds)
        assert counted["bids"] == len(made)
        assert counted["bids_made"] == sum(has_made(state) for state in made)


def has_made(state: bp.State) -> bool:
    """Whether the makers took at least the tricks that they bid."""
    needed = {rung.name: rung.tricks for rung in state.rules.ladder}[str(state.contract)]
    assert state.maker is not None
    partners = range(state.maker % state.rules.sides, state.rules.players, state.rules.sides)
    return sum(state.tricks_won[seat] for seat in partners) >= needed


def test_records_tell_how_the_games_can_be_had_again(tmp_path: Path) -> None:
    path = tmp_path / "games.pep"
    run("--rules", "tiny", "--games", "2", "--record", str(path), "--seed", "x")
    for number, record in enumerate(notation.read(path)):
        assert record.seed == f"x/{number}"
        assert record.rules == bp.Rules.load("tiny").for_programs()
        bots = [bp.bots.load(player.bot or "", player.seed or 0) for player in record.players]
        assert bp.play(record.rules, bots, seed=record.seed) == notation.to_game(record)


STRONG = "expert:drawn=5,calls=2,plays=2,weighed=2,back=1"


def test_records_hold_bots_with_their_options(tmp_path: Path) -> None:
    path = tmp_path / "games.pep"
    names = f"{STRONG} , club: drawn = 3,calls=1,plays=1"
    call = ["--rules", "tiny", "--games", "2", "--record", str(path), "--bots", names, "--processes", "1"]
    assert CliRunner().invoke(command, call, catch_exceptions=False).exit_code == 0
    for record in notation.read(path):
        assert [player.bot for player in record.players] == [STRONG, "club:drawn=3,calls=1,plays=1"]
        bots = [bp.bots.load(player.bot or "", player.seed or 0) for player in record.players]
        assert bp.play(record.rules, bots, seed=record.seed or "") == notation.to_game(record)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--seed", " 7"), "begins or ends with blank space"),
        (("--seed", "a\tb"), "cannot be shown"),
        (("--bots", "open:path=a b"), "cannot be the options of a bot"),
        (("--bots", "two words"), "cannot be the name or version of a bot"),
    ],
)
def test_what_cannot_be_recorded_is_refused_before_anything_is_played(
    options: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulate, "run", None)
    monkeypatch.setattr(bp.bots, "load", lambda name, seed=0: None)
    with pytest.raises(notation.NotationError, match=sentence):
        run("--rules", "tiny", "--record", str(tmp_path / "games.pep"), *options)
    assert list(tmp_path.iterdir()) == []


def test_for_people() -> None:
    printed = run("--rules", "tiny", "--games", "4", "--bots", "first", "--seed", "3")
    assert "tiny: 4 games, 800 rounds" in printed
    assert "Thrown in: 100.0 % of the rounds." in printed
    assert printed.count("│") == 14


def test_joint_wins_are_told_apart() -> None:
    told = simulated("--rules", "tiny", "--games", "3", "--bots", "first")
    assert [(side["won"], side["won_alone"]) for side in told["sides"]] == [(3, 0), (3, 0)]


def test_house_rules_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(bp.Rules.load("tiny").replace(target=9).to_toml().replace('"tiny"', '"ours"'))
    assert simulated("--rules", str(path), "--games", "1")["rules"] == "ours"


@pytest.mark.parametrize("bots", ["random,first,random", "random,,", "random,first,first,first,first"])
def test_bots_that_do_not_fit(bots: str) -> None:
    result = CliRunner().invoke(command, ["--bots", bots])
    assert result.exit_code == 2
    assert "name one for all, or one a seat" in result.stderr


def test_what_is_unknown_is_named(tmp_path: Path) -> None:
    with pytest.raises(bp.UnknownBot, match="nobody"):
        run("--bots", "nobody")
    with pytest.raises(bp.InvalidRules, match="nothing"):
        run("--rules", "nothing")
    with pytest.raises(bp.BigPepperError, match="cannot be written"):
        run("--record", str(tmp_path))


def test_a_process_that_dies_is_an_error_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    from concurrent.futures.process import BrokenProcessPool

    def broken(*_: object) -> object:
        raise BrokenProcessPool

    monkeypatch.setattr(workers, "in_order", broken)
    with pytest.raises(bp.BigPepperError, match="ended from outside"):
        run(*COMMON, "--processes", "2")


@pytest.mark.parametrize("kind", ["file", "link", "dangling"])
def test_what_is_there_is_never_written_over(kind: str, tmp_path: Path) -> None:
    path, other = tmp_path / "games.pep", tmp_path / "other"
    if kind != "dangling":
        other.write_text("precious")
    if kind == "file":
        other.rename(path)
    else:
        path.symlink_to(other)
    with pytest.raises(bp.BigPepperError, match="is there already: choose another name"):
        run(*COMMON, "--record", str(path))
    assert kind == "dangling" or path.read_text() == "precious"
    assert len(list(tmp_path.iterdir())) == (2 if kind == "link" else 1)


def test_a_record_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "run", stopped)
    with simulate._opened(tmp_path / "whole") as file:
        assert file is not None
        file.write(b"all")
        assert not (tmp_path / "whole").exists()
    CliRunner().invoke(command, ["--record", str(tmp_path / "part")])
    assert [path.name for path in tmp_path.iterdir()] == ["whole"]
    assert (tmp_path / "whole").read_bytes() == b"all"


def test_a_file_that_came_meanwhile_stays(tmp_path: Path) -> None:
    path = tmp_path / "games.pep"
    with pytest.raises(bp.BigPepperError, match="is there already"), simulate._opened(path):
        path.write_text("precious")
    assert [found.read_text() for found in tmp_path.iterdir()] == ["precious"]


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="this system has no null device")
def test_what_is_no_file_is_written_directly() -> None:
    run(*COMMON, "--record", "/dev/null", "--processes", "1")
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--games", "1e3"), "“1e3” does not fit here; right would be a whole number from 1 to 10000000."),
        (("--processes", "many"), "“many” does not fit here; right would be a whole number from 1 to 256."),
        (("--record", ""), "It needs the name of a file to write."),
    ],
)
def test_what_does_not_fit_an_option(options: tuple[str, ...], sentence: str) -> None:
    result = CliRunner().invoke(command, options)
    assert result.exit_code == 2
    assert sentence in result.stderr


@pytest.mark.parametrize("seed", ["\udcff", "a\udcebb"])
def test_a_seed_that_is_no_utf8_is_refused(seed: str) -> None:
    result = CliRunner().invoke(command, ["--seed", seed])
    assert result.exit_code == 2
    assert "This is no UTF-8 text." in result.stderr
