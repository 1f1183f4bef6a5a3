"""The score pad: the same points as the game, whatever way a round is told; taking back, going on, wrong words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import click
import pytest

from bigpepper import BigPepperError, Game, Rules, State, bots, explain, play, rulebooks
from bigpepper.cli.table import pad as pads
from bigpepper.cli.table.entry import Told
from bigpepper.cli.table.pad import Pad, named
from bigpepper.text import Message
from table_script import Answer, Person, lines, run

NAMES = ("Anna", "Bert", "Carl", "Dora")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of one's own."""
    monkeypatch.setenv("BIGPEPPER_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    return tmp_path / "data"


def empty(name: str, dealer: int = 0) -> Pad:
    """A pad without rounds."""
    rules = Rules.load(name)
    return Pad(rules, NAMES[: rules.players], dealer)


def told(state: State, random: Random) -> str:
    """A round as people would tell it, in one of several ways."""
    if state.thrown_in:
        return random.choice(["thrown", "thrown in", "passed"])
    rules, maker = state.rules, state.maker or 0
    side = rules.side_of(maker)
    own = sum(n for seat, n in enumerate(state.tricks_won) if rules.side_of(seat) == side)
    words = [random.choice([NAMES[maker], NAMES[maker].lower(), str(maker + 1), NAMES[maker][:2]]), str(state.contract)]
    assert state.strain is not None
    words.append(random.choice([str(state.strain), str(explain.strain_name(state.strain)), str(state.strain).lower()]))
    words += ["alone"] if state.lone is not None else []
    words.append(str(own))
    if rules.sides == 3:
        words.append(str(state.tricks_won[(maker + 1) % 3]))
    return " ".join(words)


def never(question: Message) -> str:
    raise AssertionError(question)


def silent(sentence: Message) -> None:
    raise AssertionError(sentence)


def game_of(name: str, seed: int) -> Game:
    rules = Rules.load(name)
    return play(rules, [bots.load("random", seed) for _ in range(rules.players)], seed=seed)


# --- the same points as the game ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in rulebooks() if name != "tiny"])
def test_rounds_told_to_the_pad_score_as_they_were_played(name: str) -> None:
    random, alone = Random(1), 0
    for seed in range(3):
        game = game_of(name, seed)
        pad = empty(name, game.rounds[0].dealer)
        for state in game.rounds[:60]:
            assert pad.next_dealer == state.dealer
            assert pad.scores == state.scores
            pad = pad.add(Told(pad, told(state, random), never, silent).round())
            assert pad.rounds[-1].points == state.points
            alone += state.lone is not None
        if len(game.rounds) <= 60:
            assert pad.winners == game.winners
    assert alone or pad.rules.alone == "no"


def test_the_vectors_of_the_rules() -> None:
    """rules §7, a few of each kind, told in words."""
    for name, line, points in [
        ("pepper-4", "Anna 4 H 4", (4, 2)),
        ("pepper-4", "Bert 4 NT 3", (3, -6)),
        ("pepper-4", "Anna big S 6", (12, 0)),
        ("pepper-4", "Anna small S 5", (-6, 1)),
        ("pepper-3", "Anna 5 H 5 2", (5, 2, 1)),
        ("pepper-3", "Anna 5 H 4 4", (-8, 4, 0)),
        ("pepper-3", "Bert 7 H 8", (0, 8, 0)),
        ("hasenpfeffer", "Anna 4 H 3", (-3, 0)),
        ("hasenpfeffer-traditional", "Anna 4 H 3", (-4, 3)),
        ("hasenpfeffer-traditional", "Dora 4 H alone 6", (0, 12)),
        ("hasenpfeffer-traditional", "Dora 4 H alone all", (0, 12)),
        ("hasenpfeffer-peppers", "Anna big H 5", (-10, 0)),
    ]:
        pad = empty(name)
        assert pad.add(Told(pad, line, never, silent).round()).rounds[-1].points == points, (name, line)


def test_both_sides_can_win_jointly() -> None:
    pad = empty("pepper-4")
    for line in ["Anna 4 H 4", "Bert 2 H 2", "Anna 4 H 4", "Bert 2 H 2"] * 3:
        pad = pad if pad.winners else pad.add(Told(pad, line, never, silent).round())
    assert pad.winners == (0,)
    pad = empty("pepper-4")
    for line in ["Anna 3 H 3", "Bert 3 H 3"] * 5:
        pad = pad.add(Told(pad, line, never, silent).round())
    assert pad.scores == (30, 30)
    assert str(pad.finish()) == "Both sides have 30 and win jointly."


# --- at the desk ----------------------------------------------------------------------------------------------------


def score(name: str, answer: Answer, *more: str) -> list[str]:
    """What is said when a pad is kept for Anna and the others."""
    names = ",".join(NAMES[: Rules.load(name).players])
    said, status = run(["score", "--rules", name, "--names", names, *more], answer)
    assert status == 0
    return said


def test_a_round_is_asked_for_bit_by_bit_and_wrong_answers_are_asked_again() -> None:
    said = score("hasenpfeffer-traditional", lines("bert", "9", "4", "", "NT", "S", "perhaps", "n", "7", "5"))
    assert "“9” is no bid here; the bids are 1, 2, 3, 4, 5, small, big." in said
    assert "“NT” is no strain here; there are clubs, diamonds, hearts, spades." in said
    assert "“perhaps” is neither yes nor no." in said
    assert "“7” is no number of tricks from 0 to 6." in said
    assert said.count("Which suit was named?") == 3
    assert "Bert and Dora 5, Anna and Carl 1. 10 wins." in said or "Anna and Carl 1, Bert and Dora 5. 10 wins." in said


@pytest.mark.parametrize(
    ("name", "line", "answer"),
    [
        ("pepper-4", "Emil 4 H 4", "“Emil” is nobody at this table; there are Anna, Bert, Carl, Dora."),
        ("pepper-4", "Anna 9 H 4", "“9” is no bid here; the bids are 1, 2, 3, 4, 5, small, big."),
        ("pepper-4", "Anna 4 H 7", "“7” is no number of tricks from 0 to 6."),
        ("pepper-4", "Anna 4 H 4 2", "“2” is left over: a round is like “Anna 4 hearts 5”."),
        ("pepper-3", "Anna 4 H 6 3", "These are too many tricks: a round has 8."),
        ("bid-euchre", "Anna 1 H 4", "“1” cannot be bid; the bids are 3, 4, 5, small, big."),
        ("pepper-4", "Anna 4 blue 4", "“blue” is no strain here; there are clubs, diamonds, hearts, spades, no-trump."),
        ("pepper-4", "Anna 4 no 4", "“no” is no strain here; there are clubs, diamonds, hearts, spades, no-trump."),
        ("pepper-4", "Anna 4 H " + "9" * 6000, f"“{'9' * 40}…” is no number of tricks from 0 to 6."),
        ("pepper-4", "9" * 6000, f"“{'9' * 40}…” is nobody at this table; there are Anna, Bert, Carl, Dora."),
        ("pepper-4", "Anna " + "9" * 6000, f"“{'9' * 40}…” is no bid here; the bids are 1, 2, 3, 4, 5, small, big."),
        ("pepper-4", "undo", "There is no round to take back."),
    ],
)
def test_a_round_that_cannot_be_is_refused_in_words_and_nothing_is_written(name: str, line: str, answer: str) -> None:
    said = score(name, lines(line, "score"))
    assert answer in said
    assert re.search(r"\b0, .*\b0\. \d+ wins\.", said[-4])


def test_undo_history_and_a_new_game(data: Path) -> None:
    def game(person: Person) -> str:
        return ""

    typed = ["Anna big H 6", "thrown", "Bert 3 S 3", "undo", "history", "Anna big H 6", "Anna big H 6", "Anna 1 H 1"]
    said = score("pepper-4", lines(*typed, "undo", "Anna big D 6", "new", then=game))
    assert "The last round is taken back." in said
    history = said[said.index("> history") + 1 :]
    assert history[0] == "Round 1: Anna bid Big Pepper and took all 6 with Carl: +12."
    assert "Anna and Carl win with 36." in said
    assert any(line.startswith("The game is over. “undo” takes the last round back") for line in said)
    assert len(list((data / "pads").iterdir())) == 2
    assert said[-4].startswith("Round 1, ")


def test_a_pad_goes_on_where_it_was_left(data: Path) -> None:
    first = score("pepper-3", lines("Anna 5 H 5 2", "thrown", "Bert 3 NT 4 4"), "--dealer", "Carl")
    said, _ = run(first[-1].split()[1:], lines("history", "Carl 1 H 8"))
    assert "Round 4, Carl deals. Who bid what? (? helps)" in said
    (path,) = (data / "pads").iterdir()
    pad = pads.load(path.read_text("utf-8"))
    assert [state.points for state in pad.rounds] == [(5, 2, 1), (0, 0, 0), (0, 4, 4), (0, 0, 8)]
    assert [state.dealer for state in pad.rounds] == [2, 0, 1, 2]
    assert pads.load(pads.dump(pad)) == pad


def test_the_pad_that_was_left_is_offered(data: Path) -> None:
    score("pepper-4", lines("Anna 5 H 5"))
    said, _ = run(["score"], lines("r"))
    assert "     Pepper for four: Anna and Carl 5, Bert and Dora 1. 30 wins." in said
    assert len(list((data / "pads").iterdir())) == 1


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"format": "bigpepper-pad-1"}', "BigPepper 1", "null", "[" * 100_000]
)
def test_what_is_no_pad_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.pad"
    path.write_text(text)
    with pytest.raises(BigPepperError, match="no score pad"):
        run(["score", "--resume", str(path)], lines())


@pytest.mark.parametrize("names", ["Anna", "Anna,Bert,Carl,Dora,Emil", "Anna,anna,Bert,Carl", "1,2,3,4", "A B C D" * 9])
def test_names_that_cannot_stand_on_a_pad_are_refused(names: str) -> None:
    with pytest.raises(BigPepperError, match=r"pad|players|name"):
        named(Rules.load("pepper-4"), names.split(","))


@pytest.mark.parametrize("name", [*pads.THROWN_IN, *pads.COMMANDS, "T", "Q", "Undo", "New", "HISTORY"])
def test_words_of_the_pad_are_no_names(name: str) -> None:
    with pytest.raises(BigPepperError, match=r"means something else on the pad|cannot stand on the pad"):
        named(Rules.load("tiny"), [name, "Bert"])


@pytest.mark.parametrize("name", ["Zo\udceb", "A\x1b[31m", "A\u202eB", "A\x00"])
def test_names_that_cannot_be_printed_are_refused_in_printable_words(name: str) -> None:
    with pytest.raises(BigPepperError, match="cannot stand on the pad") as caught:
        named(Rules.load("tiny"), [name, "Bert"])
    assert str(caught.value).isprintable()


def test_names_that_are_no_utf8_are_refused() -> None:
    for option in ("--names", "--dealer"):
        with pytest.raises(click.BadParameter, match="no UTF-8"):
            run(["score", "--rules", "tiny", option, "Zo\udceb,B"], lines())


def test_a_kept_pad_with_such_a_name_still_goes_on() -> None:
    old = Pad(Rules.load("tiny"), ("T", "New"), 0)
    assert pads.load(pads.dump(old)) == old


@pytest.mark.parametrize("key", ["maker", "tricks"])
@pytest.mark.parametrize("number", ["-1", "99", "1e999", "9" * 5000, "null"])
def test_a_pad_with_a_number_that_cannot_be_is_refused(key: str, number: str) -> None:
    pad = empty("pepper-4").add(Told(empty("pepper-4"), "Anna 4 H 4", never, silent).round())
    told = json.loads(pads.dump(pad))
    told["rounds"][0][key] = "N" if key == "maker" else ["N", 2, 0, 0]
    with pytest.raises(BigPepperError, match="no score pad"):
        pads.load(json.dumps(told).replace('"N"', number))


STRAINS = {
    "C": ["clubs", "♣", "c", "club"],
    "D": ["diamonds", "♦", "♦\ufe0f"],
    "H": ["hearts", "♥", "♥\ufe0e", "Hearts"],
    "S": ["spades", "♠", "spade"],
    "NT": ["no trump", "no trumps", "No Trump", "no-trump", "no-trumps", "notrump", "nt"],
}


@pytest.mark.parametrize("form", ["Dora 4 {} 5", "Dora 4{} 5", "Dora bids 4 {} 5", "dora bid 4, {}: took 5"])
@pytest.mark.parametrize(("strain", "words"), STRAINS.items())
def test_a_strain_however_it_is_said(form: str, strain: str, words: list[str]) -> None:
    for word in words:
        if "4{}" not in form or word[0] in "♣♦♥♠":
            entry = Told(empty("pepper-4"), form.format(word), never, silent).round()
            assert entry is not None
            assert (entry.maker, entry.bid, str(entry.strain), entry.tricks) == (3, "4", strain, (1, 0, 0, 5))
