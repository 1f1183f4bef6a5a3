"""`bigpepper play` line by line: whole games, taking back, saving and going on, what is refused, how it ends."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bigpepper import notation, rulebooks
from bigpepper.bots.first import First
from bigpepper.cli.signals import Signals
from bigpepper.cli.table import store
from bigpepper.notation import GameRecord
from bigpepper.text import msg
from table_script import Answer, Person, anything, lines, run

BOTS = ["--bots", "random"]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of one's own."""
    monkeypatch.setenv("BIGPEPPER_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    return tmp_path / "data"


def kept(data: Path) -> GameRecord:
    """The only record in the data folder."""
    (path,) = (data / "games").iterdir()
    return notation.loads(path.read_text("utf-8"))


def resumed(said: list[str]) -> list[str]:
    """The arguments of the command that is told for going on."""
    assert said[-2] == "The game is saved. To go on:"
    words = said[-1].split()
    return words[words.index("play") :]


def after(n: int, answer: Answer, then: Answer) -> Answer:
    """`answer` for n lines, then `then`."""
    left = [n]

    def both(person: Person) -> str:
        left[0] -= 1
        return answer(person) if left[0] >= 0 else then(person)

    return both


# --- whole games ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", rulebooks())
def test_a_script_plays_a_whole_game(name: str, data: Path) -> None:
    said, status = run(["play", "--rules", name, "--seed", "1"], anything(1))
    record = kept(data)
    assert status == 0
    assert record.end is not None
    assert record.end.how == "finished"
    assert re.search(r"\bwins? (with|jointly)", said[-2])
    assert said[-1] == f"The game is kept in {next((data / 'games').iterdir())}"
    assert sum(line.startswith("Round ") for line in said) == len(record.rounds)


def test_the_same_seed_and_input_give_the_same_words() -> None:
    call = ["play", "--rules", "hasenpfeffer-traditional", "--seed", "9"]
    assert run(call, anything(4))[0][:-1] == run(call, anything(4))[0][:-1]


def test_bots_sit_down_clockwise_from_your_left(data: Path) -> None:
    call = ["play", "--rules", "pepper-4", "--seat", "2", "--bots", "random,first", "--seed", "1"]
    said, _ = run(call, lines("q"))
    assert [player.bot for player in kept(data).players] == ["first", "first", None, "random"]
    assert {"Bell sits on your left.", "First East sits on your right."} <= set(said)
    assert "First North sits opposite, your partner." in said


def test_a_file_with_house_rules(tmp_path: Path, data: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text('name = "short"\nbased_on = "pepper-2"\ntarget = 3\n')
    said, _ = run(["play", "--rules", str(file), *BOTS], anything(2))
    assert kept(data).rules.target == 3
    assert "House rules “short”, to 3 points." in said


def test_what_the_table_is_told_names_the_auction_and_the_hasenpfeffer_choice() -> None:
    said, _ = run(["play", "--rules", "hasenpfeffer", *BOTS], lines("q"))
    assert any(line.startswith("If you fail, the traditional game (recommended) costs") for line in said)
    assert any(line.startswith("The bidding goes round") for line in said)


# --- what is typed --------------------------------------------------------------------------------------------------


def test_illegal_and_senseless_input_is_answered_with_the_reason_and_nothing_is_lost(data: Path) -> None:
    call = ["play", "--rules", "pepper-4", "--seed", "3", *BOTS]
    said, _ = run(call, lines("gibberish", "77", "H", "JH", "", "pass"))
    assert "“gibberish” says nothing to me. Type ? to see what you can do." in said
    assert "There is no choice 77 now. Type ? to see what you can do." in said
    assert said.count("First the bidding: bid or pass.") == 2
    run(call, lines("pass"))
    a, b = (notation.loads(path.read_text("utf-8")) for path in (data / "games").iterdir())
    assert a == b


def test_who_can_follow_must(data: Path) -> None:
    """At each play a card that may not be played is tried first: it is refused in words, and the game goes on."""
    tried: list[int] = []

    def stubborn(person: Person) -> str:
        if person.said[-1].startswith("Not now: ") and len(person.said) - (tried or [0])[-1] > 8:
            tried.append(len(person.said))
            return str(re.findall(r"\d+", person.said[-1])[0]) + "\n"
        return f"{person.choices[0][0]}\n"

    said, _ = run(["play", "--rules", "pepper-2", "--seed", "5", *BOTS], stubborn)
    assert kept(data).is_over
    assert len(tried) > 5
    assert all("must" in said[n + 1] for n in tried)


def test_help_score_last_log_and_rules(data: Path) -> None:
    """In the second round, after a trick of it."""
    words = ["help", "score", "last", "log", "rules"]

    def asks(person: Person) -> str:
        rounds = [i for i, line in enumerate(person.said) if line.startswith("Round ")]
        ripe = len(rounds) > 1 and any(" the trick with " in line for line in person.said[rounds[-1] :])
        return f"{words.pop(0) if words and ripe else person.choices[0][0]}\n"

    said, _ = run(["play", "--rules", "pepper-2", "--seed", "5", *BOTS], asks)
    assert "Type the number under a card, or the card: 9C, JH, 10S." in said
    assert "# Pepper for two" in said
    assert any(re.match(r"Round 1: .*: [+−]?\d+\.", line) for line in said)
    last, log = said.index("> last"), said.index("> log")
    assert re.search(r"takes? the trick with", said[last + 3])
    assert re.match(r"Round 2\.", said[log + 1])
    assert kept(data).is_over


# --- taking back ----------------------------------------------------------------------------------------------------


def test_undo_takes_back_and_marks_the_record_as_practice(data: Path) -> None:
    call = ["play", "--rules", "pepper-2", "--seed", "4", *BOTS]
    said, _ = run(call, after(9, anything(1), lines("undo 3", "q")))
    record = kept(data)
    assert notation.PRACTICE in record.tags
    (seat,) = [seat for seat, player in enumerate(record.players) if player.bot is None]
    mine = [act for round in record.rounds for act in round.acts if act.seat == seat]
    assert len(mine) == 6
    assert any(line.startswith("Taken back. ") for line in said)


def test_after_undo_the_same_choices_lead_to_the_same_game(data: Path) -> None:
    call = ["play", "--rules", "pepper-4", "--seed", "8", *BOTS]
    plain = after(10, anything(3), lines())
    run(call, plain)
    again = anything(3)
    run(call, after(10, again, lines("undo 10", then=after(10, anything(3), lines()))))
    second, first = store.newest(data / "games", ".pep")
    a, b = (notation.loads(path.read_text("utf-8")) for path in (first, second))
    assert a.rounds == b.rounds
    assert (a.tags, b.tags) == ((), (notation.PRACTICE,))


# --- saving and going on --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "stop"), [("pepper-4", 18), ("hasenpfeffer-traditional", 7), ("tiny", 1), ("tiny", 5)]
)
def test_a_game_that_was_left_goes_on_as_if_it_had_not(name: str, stop: int, data: Path, tmp_path: Path) -> None:
    call = ["play", "--rules", name, "--seed", "6"]
    run(call, anything(5))
    (whole,) = (data / "games").iterdir()
    whole = whole.rename(tmp_path / "whole.pep")
    answer = anything(5)
    said, status = run(call, after(stop, answer, lines()))
    assert status == 0
    if said[-2].startswith("The game is saved"):
        run(resumed(said), answer)
    assert kept(data) == notation.loads(whole.read_text("utf-8"))


def test_what_was_saved_can_still_be_taken_back(data: Path) -> None:
    said, _ = run(["play", "--rules", "pepper-3", "--seed", "6", *BOTS], after(5, anything(5), lines()))
    said, _ = run(resumed(said), lines("undo 5", "undo"))
    assert said.count("There is nothing of yours to take back.") == 1
    assert notation.PRACTICE in kept(data).tags


def test_a_game_once_practice_stays_practice(data: Path) -> None:
    said, _ = run(["play", "--rules", "pepper-3", "--seed", "6", *BOTS], after(3, anything(5), lines("undo")))
    run(resumed(said), lines("0"))
    assert kept(data).tags == (notation.PRACTICE,)


def test_ctrl_c_saves_and_ends_with_130(data: Path) -> None:
    def interrupted(person: Person) -> str:
        raise KeyboardInterrupt

    said, status = run(["play", "--rules", "pepper-4", "--seed", "6", *BOTS], after(3, anything(5), interrupted))
    assert status == 130
    assert resumed(said)[:2] == ["play", "--resume"]
    assert kept(data).end is not None


def test_save_copies_but_never_over_another_file(tmp_path: Path) -> None:
    copy = tmp_path / "copy.pep"
    call = ["play", "--rules", "pepper-4", "--seed", "6", *BOTS]
    said, _ = run(call, lines(f"save {copy}", f"save {copy}", "save"))
    assert f"Saved as {copy}" in said
    assert f"{copy} is there already: choose another name." in said
    assert notation.loads(copy.read_text("utf-8")).seed == "6"


def test_an_old_save_stays_whole_when_the_new_one_cannot_be_written(tmp_path: Path, data: Path) -> None:
    path = tmp_path / "game.pep"
    store.write(path, "old")
    with pytest.raises(store.NotKept, match="cannot be written"):
        store.write(path, "new \udcff")
    assert path.read_text() == "old"
    with pytest.raises(store.NotKept, match="cannot be written"):
        store.write(tmp_path / "game.pep" / "below", "new")
    assert path.read_text() == "old"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "."),
        ("nonsense", "."),
        (None, "cannot be read"),
        ("finished", "over"),
        ("bots only", "not saved at the table"),
    ],
)
def test_what_is_no_save_is_refused_with_a_sentence(text: str | None, words: str, tmp_path: Path, data: Path) -> None:
    from bigpepper import BigPepperError, Game, Rules, bots, play

    path = tmp_path / "x.pep"
    if text == "finished":
        run(["play", "--rules", "tiny", *BOTS], anything(1))
        text = next((data / "games").iterdir()).read_text("utf-8")
    elif text == "bots only":
        game = Game.new(Rules.load("tiny"), seed=1)
        text = notation.dumps(notation.from_game(game, players=[notation.Player(bot="first", seed=1)] * 2, seed=1))
        assert play(Rules.load("tiny"), [bots.load("first")] * 2, seed=1).is_over
    if text is not None:
        path.write_text(text, "utf-8")
    with pytest.raises(BigPepperError, match=words):
        run(["play", "--resume", str(path)], lines())


# --- files that others use, or that cannot be written -----------------------------------------------------------------


def test_games_begun_at_once_have_files_of_their_own(data: Path) -> None:
    paths = [store.new_path(data / "games", "tiny", ".pep") for _ in range(5)]
    assert len(set(paths)) == 5
    store.write(paths[0], "kept")
    for path in paths:
        store.release(path)
    assert [path for path in paths if path.exists()] == paths[:1]


def test_a_game_that_does_not_begin_leaves_no_file(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("bigpepper.cli.play.Table", broken)
    with pytest.raises(RuntimeError):
        run(["play", "--rules", "tiny", *BOTS], lines())
    assert list((data / "games").iterdir()) == []


def test_looking_at_a_saved_game_does_not_touch_its_file(data: Path) -> None:
    said, _ = run(["play", "--rules", "pepper-3", "--seed", "6", *BOTS], after(4, anything(5), lines()))
    (path,) = (data / "games").iterdir()
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    before = path.read_bytes(), path.stat().st_mtime_ns
    run(resumed(said), lines("help", "score", "q"))
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


@pytest.mark.parametrize("script", [True, False])
def test_two_terminals_on_one_game_do_not_overwrite_each_other(
    script: bool, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, _ = run(["play", "--rules", "pepper-3", "--seed", "6", *BOTS], after(4, anything(5), lines()))
    monkeypatch.setattr("bigpepper.cli.play.is_terminal", lambda stream: not script)
    (path,) = (data / "games").iterdir()

    def meanwhile(person: Person) -> str:
        run(resumed(said), after(3, anything(7), lines()))
        return anything(9)(person)

    told, _ = run(resumed(said), after(2, after(1, meanwhile, anything(9)), lines()))
    first, second = sorted((data / "games").iterdir(), key=lambda other: other != path)
    assert any(line.endswith(f"this game is now kept in {second}") for line in told)
    a, b = (notation.loads(other.read_text("utf-8")) for other in (first, second))
    assert a.seed == b.seed
    assert a.rounds != b.rounds
    assert str(second) in told[-1]


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Path:
    """A disk that is full; the copy goes to another one."""
    real = store.write

    def write(path: Path, text: str) -> None:
        if path.name != "copy.pep":
            raise store.NotKept(msg("{path} cannot be written: no room.", path=path))
        real(path, text)

    monkeypatch.setattr(store, "write", write)
    return Path("copy.pep")


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize("script", [True, False])
def test_on_a_full_disk_the_game_goes_on_and_says_so_once(
    script: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out: list[str] = []
    monkeypatch.setattr("bigpepper.cli.play.is_terminal", lambda stream: not script)

    def last(person: Person) -> str:
        out[:] = person.said
        return lines(f"save {tmp_path / 'copy.pep'}")(person) if not (tmp_path / "copy.pep").exists() else ""

    with pytest.raises(store.NotKept, match="no room"):
        run(["play", "--rules", "pepper-3", "--seed", "6", *BOTS], after(40, anything(5), lines("undo", then=last)))
    assert sum("no room. The game goes on, but is not saved." in line for line in out) == 1
    assert any(line.startswith("Taken back. ") for line in out)
    assert sum(line.startswith("Round ") for line in out) > 1
    assert notation.loads((tmp_path / "copy.pep").read_text("utf-8")).seed == "6"


@pytest.mark.usefixtures("full")
def test_on_a_full_disk_the_winner_is_told() -> None:
    out: list[Person] = []

    def answer(person: Person) -> str:
        out[:] = [person]
        return anything(1)(person)

    with pytest.raises(store.NotKept, match="no room"):
        run(["play", "--rules", "tiny", "--seed", "1", *BOTS], answer)
    assert re.search(r"\bwins? (with|jointly)", out[0].said[-1])


@pytest.mark.parametrize("name", ["~nosuch-one/x", "a\0b", "x" * 300, "/dev/null/x"])
def test_a_copy_that_cannot_be_is_refused_with_a_sentence(name: str) -> None:
    said, status = run(["play", "--rules", "pepper-4", "--seed", "6", *BOTS], lines(f"save {name}", "save", "q"))
    assert any(" cannot be " in line and line.endswith(".") for line in said)
    assert any(line.startswith("Saved as ") for line in said)
    assert status == 0


@pytest.mark.parametrize("folder", ["x" * 300, "file/below", "a\0b"])
def test_a_data_folder_that_cannot_be_is_told_in_a_sentence(folder: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert store.newest(tmp_path / folder, ".pep") == []
    with pytest.raises(store.NotKept, match="cannot be written"):
        store.new_path(tmp_path / folder, "tiny", ".pep")


def test_a_link_to_nowhere_among_the_games_is_left_out(data: Path) -> None:
    run(["play", "--rules", "pepper-3", "--seed", "6", *BOTS], after(5, anything(5), lines()))
    (data / "games" / "x.pep").symlink_to(data / "nowhere")
    said, _ = run([], lines("", "q"))
    assert any(line.startswith("The game goes on. You ") for line in said)


def test_going_on_keeps_what_the_record_said_of_the_game(data: Path) -> None:
    from msgspec.structs import replace

    said, _ = run(["play", "--rules", "pepper-3", "--seed", "6", *BOTS], after(4, anything(5), lines()))
    (path,) = (data / "games").iterdir()
    record = notation.loads(path.read_text("utf-8"))
    players = [
        replace(player, name=f"P{i}", version="9" if player.bot else None) for i, player in enumerate(record.players)
    ]
    mine = replace(record, event="Sunday", date="1999-12-31", tags=("kitchen",), players=tuple(players))
    path.write_text(notation.dumps(mine), "utf-8")
    run(resumed(said), after(2, anything(5), lines("undo")))
    now = kept(data)
    assert (now.event, now.date, now.players) == (mine.event, mine.date, mine.players)
    assert now.tags == ("kitchen", notation.PRACTICE)
    assert now.rounds != mine.rounds


# --- what is no text, no number, no terminal ------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["²", "x", "-5", "0", "000", "1.5", "3 x"])
def test_undo_of_what_is_no_number_takes_nothing_back(typed: str, data: Path) -> None:
    call = ["play", "--rules", "pepper-3", "--seed", "6", *BOTS]
    said, _ = run(call, after(4, anything(5), lines(f"undo {typed}")))
    expected = f"“{typed}” is no number of actions: undo takes the last one back, undo 3 the last three."
    assert expected in said
    assert kept(data).tags == ()


def test_undo_of_very_many_is_too_many(data: Path) -> None:
    said, _ = run(["play", "--rules", "pepper-3", *BOTS], after(4, anything(5), lines("undo " + "9" * 6000)))
    assert "Only 4 actions of yours can be taken back." in said
    assert kept(data).tags == ()


@pytest.mark.parametrize("option", ["--seed", "--bots", "--rules"])
def test_bytes_that_are_no_text_are_refused_at_the_edge(option: str) -> None:
    from click import BadParameter

    with pytest.raises(BadParameter, match="UTF-8"):
        run(["play", "--rules", "tiny", option, "\udcff"], lines())


def test_no_name_of_a_file_is_no_file() -> None:
    from click import BadParameter

    with pytest.raises(BadParameter, match="needs the file"):
        run(["play", "--resume", ""], lines())


@pytest.mark.parametrize("bots", ["", " ", "novice,,novice", "novice,", ",novice"])
def test_a_bot_without_a_name_is_refused(bots: str) -> None:
    from bigpepper import InvalidGame

    with pytest.raises(InvalidGame, match="no name"):
        run(["play", "--rules", "pepper-4", "--bots", bots], lines())


def played(data: Path, **how: Any) -> subprocess.CompletedProcess[bytes]:
    """The real command in a process of its own, with a small game."""
    call = [sys.executable, "-m", "bigpepper", "play", "--rules", "tiny", "--bots", "random"]
    return subprocess.run(call, capture_output=True, env={**os.environ, "BIGPEPPER_DATA": str(data)}, **how)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such closing")
def test_a_closed_input_is_the_end_of_the_input(data: Path) -> None:
    done = played(data, preexec_fn=lambda: os.close(0))
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"The game is saved. To go on:" in done.stdout


def test_a_line_that_is_no_text_is_answered(data: Path) -> None:
    done = played(data, input=b"\xff\xfe\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"says nothing to me" in done.stdout


@pytest.mark.parametrize(
    ("found", "called", "command"),
    [
        ("/usr/bin/bigpepper", "/somewhere/bigpepper", "bigpepper"),
        (None, ".venv/bin/bigpepper", ".venv/bin/bigpepper"),
        (None, "/a b/bigpepper", "'/a b/bigpepper'"),
        (None, "/x/bigpepper/__main__.py", f"{sys.executable} -m bigpepper"),
    ],
)
def test_the_command_to_go_on_is_one_that_works_here(
    found: str | None, called: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigpepper.cli.table.terminal.which", lambda name: found)
    monkeypatch.setattr(sys, "argv", [called])
    said, _ = run(["play", "--rules", "tiny", *BOTS], lines("q"))
    assert said[-1].startswith(f"  {command} play --resume ")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_from_outside_saves_as_ctrl_c_does(name: str, data: Path) -> None:
    number = getattr(signal, name)
    before = signal.getsignal(number)
    signal.signal(number, signal.SIG_DFL)

    def killed(person: Person) -> str:
        os.kill(os.getpid(), number)
        return ""

    try:
        said, status = run(["play", "--rules", "pepper-3", "--seed", "6", *BOTS], after(3, anything(5), killed))
        assert signal.getsignal(number) is signal.SIG_DFL
    finally:
        signal.signal(number, before)
    assert status == 128 + number
    assert resumed(said)[:2] == ["play", "--resume"]
    assert kept(data).end is not None


@pytest.mark.parametrize("leave", [1, 4])
def test_a_game_goes_on_with_the_options_of_its_bots(leave: int, data: Path) -> None:
    name = "expert:drawn=5,calls=2,plays=2,weighed=2,back=1"
    said, status = run(
        ["play", "--rules", "pepper-3", "--seed", "6", "--bots", name], after(leave, anything(5), lines("q"))
    )
    assert status == 0
    assert [player.bot for player in kept(data).players] == [None, name, name]
    said, status = run(resumed(said), after(2, anything(5), lines("q")))
    assert (status, resumed(said)[1]) == (0, "--resume")
    assert [player.bot for player in kept(data).players] == [None, name, name]


@pytest.mark.parametrize("call", [("--seed", " 7"), ("--seed", "a\tb"), ("--bots", "open:path=a b")])
def test_what_cannot_be_saved_is_refused_before_the_first_card(
    call: tuple[str, ...], data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigpepper.cli.table.session.load", lambda name, seed: First(seed))

    monkeypatch.setattr("bigpepper.cli.play._play", None)
    with pytest.raises(notation.NotationError):
        run(["play", "--rules", "pepper-3", *call], lines())
    assert list(data.rglob("*.pep")) == []


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals cannot be sent again here")
def test_a_signal_that_nobody_noticed_comes_again() -> None:
    with pytest.raises(KeyboardInterrupt), Signals() as signals:  # noqa: PT012
        wakeup = signal.set_wakeup_fd(-1)
        signal.set_wakeup_fd(wakeup)
        os.write(wakeup, bytes([signal.SIGTERM]))  # all that is left of one that came just before the waiting began
        select.select([], [], [], 60)
    assert signals.number == signal.SIGTERM
    assert signal.set_wakeup_fd(-1) == -1


def test_a_key_during_the_last_saving_does_not_lose_the_game(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = store.write, list[Path]()

    def write(path: Path, text: str) -> None:
        calls.append(path)
        if len(calls) == 1:
            raise KeyboardInterrupt
        real(path, text)

    monkeypatch.setattr(store, "write", write)
    said, _ = run(["play", "--rules", "pepper-3", "--seed", "6", *BOTS], lines())
    assert resumed(said)[:2] == ["play", "--resume"]
    assert kept(data).seed == "6"


@pytest.mark.parametrize("typed", ["q d", "Q H", "q ♠", "q of hearts", "quit now"])
def test_only_the_bare_word_leaves(typed: str) -> None:
    said, _ = run(["play", "--rules", "pepper-3", "--seed", "6", *BOTS], lines(typed, "help"))
    assert "> help" in said


# --- what to play ---------------------------------------------------------------------------------------------------


def test_without_rules_it_asks_and_marks_the_recommended_hasenpfeffer(data: Path) -> None:
    said, _ = run([], lines("nonsense", "4", "2", "q"))
    assert "What shall we play?" in said
    assert "“nonsense” is none of these. Type one of the numbers on the left." in said
    assert "  1  Traditional Hasenpfeffer (recommended)" in said
    assert kept(data).rules.name == "hasenpfeffer"


def test_the_game_that_was_left_is_offered_first(data: Path) -> None:
    run(["play", "--rules", "pepper-3", "--seed", "6", *BOTS], after(5, anything(5), lines()))
    said, _ = run([], lines("", "q"))
    assert any(re.match(r"  r  Go on", line) for line in said)
    assert any(line.startswith("The game goes on. You ") for line in said)
    assert len(list((data / "games").iterdir())) == 1


def test_no_answer_begins_no_game(data: Path) -> None:
    assert run([], lines())[0][-1] == "No game was begun."
    assert not data.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rules", "nothing"], "There is no rulebook"),
        (["--rules", "pepper-4", "--seat", "4"], "There is no seat 4"),
        (["--rules", "pepper-2", "--bots", "random,random"], "2 bots do not fit"),
        (["--rules", "pepper-2", "--bots", "nobody"], "There is no bot"),
    ],
)
def test_a_table_that_cannot_be_is_refused(arguments: list[str], words: str) -> None:
    from bigpepper import BigPepperError

    with pytest.raises(BigPepperError, match=words):
        run(["play", *arguments], lines())


def test_the_real_command_reads_a_pipe(data: Path) -> None:
    """Letters in place of signs in an ASCII locale, no escape sequences, and the end of the input saves."""
    call = [sys.executable, "-m", "bigpepper", "play", "--rules", "pepper-4", "--seed", "1", "--bots", "random"]
    env = {**os.environ, "BIGPEPPER_DATA": str(data), "LANG": "C", "LC_ALL": "C"}
    done = subprocess.run(call, input=b"0\nfoo\n", capture_output=True, env=env, check=True)
    assert done.stdout.isascii()
    assert b"\x1b" not in done.stdout
    assert b'"foo" says nothing to me.' in done.stdout
    assert b"bigpepper play --resume " in done.stdout.splitlines()[-1]


# --- on a full screen -----------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_the_screen_is_given_back_and_the_game_kept(data: Path) -> None:
    """In a real terminal of 80 × 24: sit down, pass until a card is asked for, leave."""
    seen, status = in_a_terminal(["play", "--rules", "pepper-4", "--seed", "1", "--speed", "instant"], data, 80, 24)
    assert seen.count("\x1b[?1049h") == seen.count("\x1b[?1049l") == 1
    assert "● " in seen
    shown, told = seen.split("\x1b[?1049l")
    assert "╭───╮" in shown
    assert "bigpepper play --resume" in " ".join(told.split())
    assert status == 0
    assert kept(data).end is not None


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_a_signal_gives_the_screen_back(data: Path) -> None:
    seen, status = in_a_terminal(["play", "--rules", "pepper-4", "--seed", "1"], data, 80, 24, kill=signal.SIGTERM)
    assert seen.count("\x1b[?1049h") == seen.count("\x1b[?1049l") == 1
    assert "Traceback" not in seen
    assert status == 128 + signal.SIGTERM
    assert kept(data).end is not None


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
@pytest.mark.parametrize("speed", ["instant", "fast"])
def test_another_size_of_the_window_is_another_picture(speed: str, data: Path) -> None:
    """At once, while somebody is asked; a line half typed is gone with the old picture, and is no part of the next."""
    call = ["play", "--rules", "pepper-4", "--seed", "1", "--speed", speed, "--bots", "random"]
    sizes = [(150, 40), (60, 24), (40, 12), (120, 30)]
    seen, status = in_a_terminal(call, data, 80, 24, sizes=sizes)
    assert "says nothing to me" not in seen
    assert "Traceback" not in seen
    assert status == 0
    pictures = re.findall("RESIZED(.*?)ANSWERED", seen, re.DOTALL)
    for (columns, _), picture in zip(sizes, pictures, strict=True):
        widths = [len(line) for line in _painted(picture)]
        assert columns // 2 < max(widths) <= columns
        assert re.search(r"Your (bid|turn|lead)\.", picture)


def _painted(seen: str) -> list[str]:
    return [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line).rstrip() for line in re.split(r"\n|\x1b\[H", seen)]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
@pytest.mark.parametrize(("term", "columns"), [("dumb", 80), ("xterm", 50)])
def test_a_terminal_that_cannot_show_the_table_gets_lines(term: str, columns: int, data: Path) -> None:
    seen, _ = in_a_terminal(["play", "--rules", "pepper-4", "--seed", "1"], data, columns, 24, term)
    assert "\x1b[?1049h" not in seen
    assert "You may play: " in " ".join(seen.split())


def in_a_terminal(
    arguments: list[str],
    data: Path,
    columns: int,
    rows: int,
    term: str = "xterm",
    kill: int | None = None,
    sizes: Sequence[tuple[int, int]] = (),
) -> tuple[str, int]:
    """All that a terminal is sent while somebody passes until he is to play a card and then leaves; the exit status.

    `kill`: a signal that is sent instead of the first line. `sizes`: the window gets these, one after another, when
    something is asked and half typed; what is seen of each stands between RESIZED and ANSWERED.
    """
    import fcntl
    import pty
    import struct
    import termios

    master, slave = pty.openpty()

    def resize(columns: int, rows: int) -> None:
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    resize(columns, rows)
    left = list(sizes)
    env = {**os.environ, "BIGPEPPER_DATA": str(data), "TERM": term}
    env = {key: value for key, value in env.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
    call = [sys.executable, "-m", "bigpepper", *arguments]
    with subprocess.Popen(call, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True) as process:
        os.close(slave)
        seen, fresh = "", ""
        while chunk := _chunk(master):
            seen, fresh = seen + chunk, fresh + chunk
            if not re.search(r"> (\x1b\[\?2004h)?$", fresh):
                continue
            if kill:
                process.send_signal(kill)
                fresh = ""
                continue
            while left and "Your" in fresh:
                os.write(master, b"xy")
                resize(*left.pop(0))
                fresh = _picture(master, process)
                seen += f"RESIZED{fresh}ANSWERED"
            playing = re.search(r"Your (turn|lead)\.", fresh)
            os.write(master, b"q\n" if playing else b"0\n" if "Your bid" in fresh else b"\n")
            fresh = ""
        os.close(master)
    return seen, process.returncode


def _picture(terminal: int, process: subprocess.Popen[bytes]) -> str:
    """What comes when the window has got another size, up to the prompt; told again until it is heard."""
    seen = ""
    while not seen.endswith("> "):
        process.send_signal(signal.SIGWINCH)
        while select.select([terminal], [], [], 0.2)[0] and (chunk := _chunk(terminal)):
            seen += chunk
    return seen


def _chunk(terminal: int) -> str:
    try:
        return os.read(terminal, 65536).decode("utf-8", "replace")
    except OSError:  # the other end is closed
        return ""


# --- the documentation ----------------------------------------------------------------------------------------------


def test_the_page_on_the_terminal_names_every_option_and_every_word() -> None:
    from click import Command, Option

    from bigpepper.cli.play import command as playing
    from bigpepper.cli.score import command as scoring
    from bigpepper.cli.table.prompt import Word

    page = (Path(__file__).parents[1] / "docs" / "terminal.md").read_text("utf-8")
    commands: list[Command] = [playing, scoring]
    options = [parameter for command in commands for parameter in command.params if isinstance(parameter, Option)]
    for option in options:
        assert option.opts[0] in page
        assert option.help or option.opts == ["--resume"]
    for word in Word:
        assert f"`{word}" in page
