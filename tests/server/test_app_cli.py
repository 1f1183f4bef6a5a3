"""The commands serve, verify and prune as a user calls them, and the example of a bot."""

from __future__ import annotations

import re
import runpy
import subprocess
from pathlib import Path
from random import Random

import click
import httpx
import pytest

from bigpepper.cli.prune import command as prune
from bigpepper.cli.serve import command as serve
from bigpepper.cli.serve import local_url, qr_code
from bigpepper.server.run import NotBound, bind
from server.app_client import finish, new_table, started
from server.app_serving import COMMAND, PATIENCE, bearer, browser, guest, process, program, serving

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Call `bigpepper`."""
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The record of a finished game."""
    with serving(tmp_path_factory.mktemp("record")) as server:
        table, players = started(server.url)
        finish(players, Random(1))
        path = f"{server.url}/api/tables/{table['table']}/record.pep"
        return httpx.get(path, headers=bearer(players[0].token or "")).text


# --- serve ----------------------------------------------------------------------------------------------------------


def test_serve_says_where_it_is_and_a_second_one_on_the_same_file_is_refused(tmp_path: Path) -> None:
    with process(tmp_path) as server:
        assert server.said[0] == f"Big Pepper is served at {server.url}/"
        again = run("serve", "--port", "0", "--db", str(tmp_path / "tables.sqlite"))
        assert again.returncode == 1
        assert "With SQLite there can be one only" in again.stderr
        assert len(again.stderr.splitlines()) == 1
        taken = run("serve", "--port", str(server.port), "--db", str(tmp_path / "other.sqlite"))
        assert (taken.returncode, "cannot listen" in taken.stderr) == (1, True)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--db", "mysql://x"], "is no database here"),
        (["--db", "/proc/nowhere/x.sqlite"], "cannot be written to"),
        (["--host", "192.0.2.1"], "cannot listen"),
        (["--public-url", "cards.example.org"], "https://cards.example.org"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_sentence(tmp_path: Path, options: list[str], sentence: str) -> None:
    answer = run("serve", "--port", "0", *(["--db", str(tmp_path / "x")] if "--db" not in options else []), *options)
    assert answer.returncode in (1, 2)
    assert sentence in answer.stderr
    assert "Traceback" not in answer.stderr


def test_without_a_port_a_free_one_is_found() -> None:
    with bind("127.0.0.1", None) as one, bind("127.0.0.1", None) as other:
        assert local_url(one) != local_url(other)
        with pytest.raises(NotBound):
            bind("127.0.0.1", other.getsockname()[1])


def test_behind_a_public_url_links_and_hosts_are_those_of_the_world(tmp_path: Path) -> None:
    with serving(tmp_path, public_url="https://cards.example.org") as server:
        client = guest(server.url)
        made = client.post("/api/tables", json={}).json()
        assert made["url"].startswith("https://cards.example.org/join/")
        headers = {"Host": "cards.example.org", "Origin": "https://cards.example.org"}
        assert client.patch("/api/me", json={"name": "Ada"}, headers=headers).status_code in (200, 401)
        assert client.get("/api/me", headers={"Host": "other.example.org"}).status_code == 421


def test_the_qr_code_is_one_of_blocks() -> None:
    lines = qr_code("http://192.0.2.1:8420/").splitlines()
    assert len(lines) > 10
    assert set("".join(lines)) <= set(" █▀▄\x1b[0123456789;m")


@pytest.mark.parametrize("called", [serve, prune])
def test_every_option_stands_in_the_manual(called: click.Command) -> None:
    manual = (Path(__file__).parents[2] / "docs" / "operate.md").read_text()
    options = [name for parameter in called.params for name in parameter.opts]
    assert len(options) >= 2
    assert not [name for name in options if f"`{name}`" not in manual and f" {name} " not in manual]


# --- verify ---------------------------------------------------------------------------------------------------------


def test_verify_says_that_a_game_was_fair(tmp_path: Path, record: str) -> None:
    file = tmp_path / "game.pep"
    file.write_text(record)
    answer = run("verify", str(file))
    assert re.fullmatch(r"Game 1: fair\. All deals follow from the secret \(\d+ rounds?\)\.\n", answer.stdout)
    assert answer.returncode == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"Secret: (..)", lambda found: f"Secret: {int(found[1], 16) ^ 1:02x}"),
        (r"Commitment: (..)", lambda found: f"Commitment: {int(found[1], 16) ^ 1:02x}"),
        (r"Hand 0: (\S+) (\S+)\nHand 1: (\S+) (\S+)", r"Hand 0: \3 \4\nHand 1: \1 \2"),
        (r"Secret: .*\n", ""),
    ],
)
def test_verify_finds_whatever_was_changed(tmp_path: Path, record: str, old: str, new: str) -> None:
    file = tmp_path / "game.pep"
    changed = re.sub(old, new, record, count=1)
    assert changed != record
    file.write_text(changed)
    answer = run("verify", str(file))
    assert (answer.returncode, answer.stdout) == (1, "")
    assert len(answer.stderr.splitlines()) == 1


# --- prune ----------------------------------------------------------------------------------------------------------


def test_prune_deletes_what_is_old_and_nothing_else(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")
    with process(tmp_path) as server:
        token = program(server.url)
        new_table(server.url, token)
        assert "one only" in run("prune", "--days", "1", "--db", database).stderr
        server.interrupt()
        assert run("prune", "--days", "1", "--db", database).stdout == "Deleted: tables 0, players 0.\n"
        _age(database, days=10)
        assert run("prune", "--days", "11", "--db", database).stdout == "Deleted: tables 0, players 0.\n"
        assert run("prune", "--days", "9", "--db", database).stdout == "Deleted: tables 1, players 1.\n"
        server.start()
        assert browser(server.url).get("/api/me", headers=bearer(token)).status_code == 401


def _age(database: str, days: int) -> None:
    import sqlite3

    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE tables SET minute = minute - ?", (days * 24 * 60,))
        connection.execute("UPDATE players SET day = day - ?", (days,))
    connection.close()


# --- the example ----------------------------------------------------------------------------------------------------


def test_the_example_plays_a_game(tmp_path: Path) -> None:
    play = runpy.run_path(str(BOT))["play"]
    with serving(tmp_path) as server:
        assert play(server.url, rules="tiny") in ([0], [1])


def test_the_example_is_short() -> None:
    code = [line for line in BOT.read_text().split('"""')[2].splitlines() if line.strip()]
    assert len(code) <= 45
