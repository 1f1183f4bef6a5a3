"""The rule pages: fresh, complete, true to rules.md line by line, and readable for any rulebook."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings

import bigpepper as bp
import referee
from bigpepper import explain
from bigpepper.cli.rules import command
from bigpepper.errors import BigPepperError
from bigpepper.explain import examples, sentences
from bigpepper.explain.__main__ import main, pages, stale
from bigpepper.explain.page import Picture
from bigpepper.options import OPTIONS
from strategies import CHOICES, rulebook_options

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "rules"
PEPPER = bp.Rules.load("pepper-4")
HASENPFEFFER = bp.Rules.load("hasenpfeffer")


def page(rules: bp.Rules) -> str:
    return explain.markdown(explain.rule_page(rules))


# --- the pages in docs ------------------------------------------------------------------------------------------------


def test_the_pages_in_docs_are_fresh() -> None:
    assert stale(FOLDER) == [], "`python -m bigpepper.explain --write docs/rules` renews them"


def test_a_stale_page_is_found_and_renewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "rules"
    assert main(["--write", str(folder)]) == 0
    assert main(["--check", str(folder)]) == 0
    assert {path.name for path in folder.iterdir()} == {*(f"{name}.md" for name in bp.rulebooks()), "README.md"}
    (folder / "iowa.md").write_text(pages()["iowa.md"].replace("once", "twice"))
    (folder / "tiny.md").unlink()
    assert main(["--check", str(folder)]) == 1
    said = capsys.readouterr().err
    assert "iowa.md is stale" in said
    assert "tiny.md is stale" in said
    assert "pepper-4.md" not in said


# --- every option ----------------------------------------------------------------------------------------------------

ONE_BID = [{"name": "1", "tricks": 1, "made": "tricks-won", "failed": 6}]
SHAPES: dict[str, list[dict[str, Any]]] = {
    "players": [{"players": 2, "cards": 8, "dead_hand": True}, {"players": 3, "cards": 8}, {"players": 4}],
    "cards": [{}, {"cards": 5, "ranks": ["T", "J", "Q", "K", "A"], "ladder": ONE_BID}],
    "dead_hand": [{"players": 3, "cards": 8}, {"players": 2, "cards": 8, "dead_hand": True}],
    "suits": [
        {},
        {"suits": ["C", "D", "H"], "ranks": ["9", "T", "J", "Q"], "cards": 3, "strains": ["C"], "ladder": ONE_BID},
    ],
    "ranks": [{}, {"ranks": ["J", "Q", "K", "A"], "cards": 4, "ladder": ONE_BID}],
    "minimum_bid": [{}, {"minimum_bid": "3"}],
    "ladder": [{}, {"ladder": ONE_BID}],
    "strains": [{}, {"strains": ["C", "H", "NT"]}, {"strains": ["C", "H"]}, {"strains": ["C", "D", "H", "S"]}],
    "joker": [{}, {"joker": True, "widow": "dead"}],
    "alone_stakes": [{"alone_stakes": 1}, {"alone_stakes": 2}, {"alone_stakes": 3}],
    "target": [{}, {"target": 1}, {"target": 32}],
    "round_limit": [{}, {"round_limit": 1}, {"round_limit": 200}],
}
"""Values of the options that are no words, as changes of pepper-4."""


def with_word(key: str, value: str) -> bp.Rules:
    """A rulebook in which the option has this value."""
    if key == "widow" and value != "none":
        return PEPPER.replace(joker=True, widow=value)
    base = HASENPFEFFER if value == "joker-bids-3" or key == "alone" else PEPPER
    return base.replace(**{key: value})


def test_every_option_has_a_sentence() -> None:
    assert set(CHOICES) | set(SHAPES) == set(OPTIONS)
    for key in OPTIONS:
        assert sentences.option_sentences(PEPPER, key), key


@pytest.mark.parametrize("key", sorted(CHOICES))
def test_every_word_of_an_option_has_a_sentence_of_its_own(key: str) -> None:
    said = [sentences.option_sentences(with_word(key, value), key) for value in CHOICES[key]]
    assert all(said)
    assert len({tuple(map(str, lines)) for lines in said}) == len(CHOICES[key])


@pytest.mark.parametrize("key", sorted(SHAPES))
def test_every_other_value_changes_the_sentence(key: str) -> None:
    said = [tuple(map(str, sentences.option_sentences(PEPPER.replace(**change), key))) for change in SHAPES[key]]
    assert len(set(said)) == len(said)
    assert all(said)


@pytest.mark.parametrize("key", sorted(CHOICES))
def test_every_word_of_an_option_stands_on_its_page(key: str) -> None:
    """What a player has to know is told; that there is no widow or that nobody goes alone need not be."""
    for value in CHOICES[key]:
        if value in ("none", "no") and key in ("widow", "alone"):
            continue
        rules = with_word(key, value)
        for sentence in sentences.option_sentences(rules, key):
            assert str(sentence) in page(rules).partition("## The aim")[2], (key, value)


# --- what is different ------------------------------------------------------------------------------------------------


def test_what_differs_from_the_parent_comes_first() -> None:
    headings = [str(section.heading) for section in explain.rule_page(bp.Rules.load("iowa")).sections]
    assert headings[:2] == ["Where it differs from Pepper for four", "The aim"]
    assert list(map(str, explain.differences(bp.Rules.load("iowa")))) == [
        "Everybody speaks once, the dealer last; then the highest bid stands."
    ]
    assert str(explain.rule_page(PEPPER).sections[0].heading) == "The aim"


def test_house_rules_differ_from_the_shipped_rulebook_of_their_name() -> None:
    rules = bp.Rules.load("iowa").replace(target=20)
    assert explain.parent(rules) == bp.Rules.load("iowa")
    assert list(map(str, explain.differences(rules))) == [
        "The game ends after the round in which somebody reaches 20 points."
    ]
    assert str(explain.title(rules)) == "Iowa Pepper with house rules"


def test_house_rules_differ_from_what_they_are_based_on() -> None:
    rules = bp.Rules.from_toml('name = "sunday"\nbased_on = "pepper-4"\nall_pass = "stick-dealer"\n')
    assert str(explain.title(rules)) == "House rules “sunday”"
    assert str(explain.summary(rules)) == "House rules after Pepper for four."
    assert list(map(str, explain.differences(rules))) == ["As long as nobody has bid, the dealer may not pass."]


@pytest.mark.parametrize("name", bp.rulebooks())
def test_what_a_parent_has_too_is_no_difference(name: str) -> None:
    """Every sentence on what a bid brings names a bid that brings something else in the parent's table."""
    rules = bp.Rules.load(name)
    base = explain.parent(rules)
    if base is None:
        return
    known, ours = ({rung.name: rung for rung in book.ladder} for book in (base, rules))
    sentences_on = {"Make": ("made", "failed"), "Fail": ("failed", "made")}
    for word, (award, _) in sentences_on.items():
        changed = [
            bid
            for bid, rung in ours.items()
            if bid not in known
            or [getattr(rung, award).points(n) for n in (0, rung.tricks)]
            != [getattr(known[bid], award).points(n) for n in (0, rung.tricks)]
        ]
        told = [line for line in map(str, explain.differences(rules)) if line.startswith(word)]
        assert bool(told) == bool(changed), (name, word, changed)


def test_only_changed_awards_are_told() -> None:
    lines = [str(line) for line in explain.differences(bp.Rules.load("bid-euchre"))]
    assert [line for line in lines if line.startswith(("Make", "Fail"))] == [
        "Fail at any bid from 3 to Small Pepper and you lose what you bid."
    ]


@pytest.mark.parametrize("name", bp.rulebooks())
def test_a_summary_that_names_the_cost_of_a_failed_bid_names_that_of_big_pepper(name: str) -> None:
    rules = bp.Rules.load(name)
    told = "a failed bid costs" in str(explain.summary(rules))
    assert ("Big Pepper" in str(explain.summary(rules))) >= (told and "big" in [rung.name for rung in rules.ladder])


@pytest.mark.parametrize("name", bp.rulebooks())
def test_the_aim_and_the_deal_say_what_can_be_named_and_how_to_deal(name: str) -> None:
    rules = bp.Rules.load(name)
    text = page(rules)
    assert ("names trumps or no-trump" in text) == (bp.Strain.NO_TRUMP in rules.strains)
    assert text.count("at a time") >= 1
    other = name in ("hasenpfeffer", "hasenpfeffer-peppers")
    assert text.count("We recommend Traditional Hasenpfeffer: there a failed bid costs") == other


@pytest.mark.parametrize("key", sorted({**CHOICES, **SHAPES}))
def test_no_difference_is_kept_quiet(key: str) -> None:
    variants = [with_word(key, value) for value in CHOICES[key]] if key in CHOICES else []
    for rules in variants or [PEPPER.replace(**change) for change in SHAPES[key]]:
        base = bp.Rules.load(rules.name)
        changed = [one for one in OPTIONS if getattr(rules, one) != getattr(base, one)]
        if changed and changed != ["alone_stakes"]:
            assert explain.differences(rules), changed


# --- true to rules.md -------------------------------------------------------------------------------------------------

PEPPER_ALL = [
    "The deck has 24 cards: ace, king, queen, jack, ten and nine of clubs, diamonds, hearts and spades.",
    "The maker names the trump suit, or no-trump.",
    "The maker leads to the first trick.",
    "If everybody passes, nobody scores and the next dealer deals.",
    "Whoever bids Small Pepper or Big Pepper must take every trick.",
    "whether the bid is made or fails",
    "after each round the deal passes to the left",
]
HASENPFEFFER_ALL = [
    "Everybody gets 6 cards. They are dealt three at a time.",
    "The deck has 25 cards",
    "The Joker is the highest trump.",
    "the widow, which the maker will take",
    "The maker takes the widow, without showing it. The maker names the trump suit. Then the maker discards one",
    "The player left of the dealer leads to the first trick.",
    "discards one of the 7 cards, face down: any of them, the Joker or a trump too.",
    "The maker may go alone",
    "“I defend alone”",
    "A lone maker who takes every trick scores twice as much.",
    "You play to 10 points.",
]
TRUE = {
    "pepper-4": [
        *PEPPER_ALL,
        "Four play, two against two",
        "Everybody gets 6 cards. They are dealt one at a time.",
        "The bids, from low to high, are 1, 2, 3, 4, 5, Small Pepper and Big Pepper.",
        "| 4 | at least 4 | +1 a trick won | −6 |",
        "| Small Pepper | all 6 | +1 a trick won | −6 |",
        "| Big Pepper | all 6 | +12 | −12 |",
        "You play to 30 points.",
        "whoever passed before may bid again",
    ],
    "pepper-3": [
        *PEPPER_ALL,
        "Three play, each for themselves.",
        "Everybody gets 8 cards. Deal them one at a time, or as many at a time as you like",
        "is the maker, names trumps or no-trump and has to take",
        "are 1, 2, 3, 4, 5, 6, 7, Small Pepper and Big Pepper.",
        "| 7 | at least 7 | +1 a trick won | −8 |",
        "| Big Pepper | all 8 | +16 | −16 |",
        "Each defender scores one point for each trick of their own",
    ],
    "pepper-2": [
        *PEPPER_ALL,
        "One more hand of 8 cards is dealt face down: nobody looks at it",
        "| Small Pepper | all 8 | +1 a trick won | −8 |",
        "The defender scores one point for each trick",
    ],
    "hasenpfeffer": [
        *HASENPFEFFER_ALL,
        "are 1, 2, 3, 4, 5 and 6.",
        "| 6 | all 6 | +1 a trick won | −1 a trick won |",
        "Defenders score nothing.",
        "If everybody passes, nobody scores and the next dealer deals.",
    ],
    "hasenpfeffer-peppers": [
        *HASENPFEFFER_ALL,
        "| Small Pepper | all 6 | +1 a trick won | −1 a trick won |",
        "| Big Pepper | all 6 | +12 | −2 a trick won |",
        "Defenders score nothing.",
    ],
    "hasenpfeffer-traditional": [
        *HASENPFEFFER_ALL,
        "| 4 | at least 4 | +1 a trick won | −4 |",
        "| Small Pepper | all 6 | +1 a trick won | −6 |",
        "| Big Pepper | all 6 | +12 | −12 |",
        "whoever holds the Joker must bid 3",
        "if nobody holds it, nobody scores and the next dealer deals",
        "The defenders score one point for each trick they won",
    ],
    "iowa": [*PEPPER_ALL, "Everybody speaks once, the dealer last", "You play to 30 points."],
    "bid-euchre": [
        *PEPPER_ALL,
        "Everybody speaks once, the dealer last",
        "are 3, 4, 5, Small Pepper and Big Pepper.",
        "| 3 | at least 3 | +1 a trick won | −3 |",
        "| Big Pepper | all 6 | +12 | −12 |",
        "You play to 32 points.",
    ],
    "tiny": ["The deck has 4 cards: ace and king of hearts and spades.", "You play to 4 points."],
}
FALSE = {"pepper": ["Joker", "widow", "alone", "left of the dealer leads"], "hasenpfeffer": ["no-trump", "dead hand"]}


@pytest.mark.parametrize("name", bp.rulebooks())
def test_a_page_says_what_the_rules_say(name: str) -> None:
    text = page(bp.Rules.load(name))
    assert [line for line in TRUE[name] if line not in text] == []
    family = "hasenpfeffer" if name.startswith("hasenpfeffer") else "pepper"
    assert [word for word in FALSE[family] if word in text] == []


def test_the_picture_shows_the_bowers_in_their_place() -> None:
    blocks = [block for section in explain.rule_page(HASENPFEFFER).sections for block in section.blocks]
    (picture,) = [block for block in blocks if isinstance(block, Picture)]
    lines = explain.picture_lines(picture)
    assert lines[0].split() == ["hearts", "(trumps)", "Joker", "J♥", "J♦", "A♥", "K♥", "Q♥", "10♥", "9♥"]
    assert "left bower" in lines[1]
    assert lines[1].index("└") == lines[0].index("J♦")
    assert lines[2].index("└") == lines[0].index("J♥") == lines[1].index("│")
    assert ["diamonds", "A♦", "K♦", "Q♦", "10♦", "9♦"] in [line.split() for line in lines]
    assert max(map(len, lines)) <= 78


def test_the_hasenpfeffer_choice_is_one_sentence_shown_when_a_table_is_set_up() -> None:
    for name in bp.rulebooks():
        lines = explain.setup_lines(bp.Rules.load(name))
        assert (explain.HASENPFEFFER_CHOICE in lines) == name.startswith("hasenpfeffer")
        assert explain.auction_line(bp.Rules.load(name)) in lines
    assert str(explain.HASENPFEFFER_CHOICE).count(".") == 1
    assert "recommended" in str(explain.HASENPFEFFER_CHOICE)


# --- any rulebook -----------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(rulebook_options())
def test_any_rulebook_can_be_explained(options: dict[str, Any]) -> None:
    rules = bp.Rules.from_options(options)
    text = page(rules)
    assert not re.search(r"[{}]|None|\.\.|  +\.", text.partition("```")[0])
    for heading in ("aim", "deal", "ranks", "bidding", "play", "score", "end"):
        assert f"## The {heading}\n" in text
    if rules.joker and "NT" in rules.strains:
        assert "At no-trump the Joker belongs to no suit" in text
    if "J" in rules.ranks:
        lefts = [strain for strain in rules.strains if strain.suit and strain.suit.colour_partner in rules.suits]
        assert ("Next comes the left bower" in text) == bool(lefts)


@settings(max_examples=60)
@given(rulebook_options())
def test_examples_of_any_rulebook_are_scored_right(options: dict[str, Any]) -> None:
    rules = bp.Rules.from_options(options)
    for state in examples.worked(rules):
        assert state.contract is not None
        tricks, lone = list(state.tricks_won), state.lone is not None
        assert sum(tricks) == rules.cards
        points = referee.score(options, state.contract.name, 0, tricks, lone)
        assert list(state.points or ()) == points
        first = str(explain.score_lines(state.observation(0), ("You", "A", "B", "C"))[0])
        assert first.endswith(f": {explain.signed(points[0])}.")


@settings(max_examples=60)
@given(rulebook_options())
def test_the_last_round_of_an_example_brings_two_sides_to_the_target(options: dict[str, Any]) -> None:
    rules = bp.Rules.from_options(options)
    last = examples.photo_finish(rules)
    if last is not None:
        assert last.points is not None
        scores = [a + b for a, b in zip(last.scores, last.points, strict=True)]
        assert scores[0] == scores[1] == rules.target
        assert set(last.winners(1)) == referee.winners(options, scores, 0, 1)


# --- the command ------------------------------------------------------------------------------------------------------


def run(*arguments: str) -> str:
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_the_command_lists_the_rulebooks() -> None:
    said = run()
    assert [line.split()[0] for line in said.splitlines() if line[:1].islower()] == list(bp.rulebooks())
    assert " ".join(said.split()).count("Recommended.") == 1
    assert max(map(len, said.splitlines())) <= 80


def test_the_command_shows_the_page() -> None:
    shown = " ".join(run("hasenpfeffer").replace("•", "").split())
    assert [line for line in TRUE["hasenpfeffer"] if "|" not in line and line not in shown] == []
    assert max(map(len, run("pepper-3").splitlines())) <= 80


@pytest.mark.parametrize("name", bp.rulebooks())
def test_the_command_prints_toml_that_can_be_read_again(name: str) -> None:
    assert bp.Rules.from_toml(run(name, "--toml")) == bp.Rules.load(name)


def test_the_command_explains_house_rules_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "sunday.toml"
    file.write_text('name = "sunday"\nbased_on = "pepper-4"\ntarget = 20\n')
    said = run(str(file))
    assert said.startswith("House rules “sunday”")
    assert "somebody reaches 20 points" in said


@pytest.mark.parametrize(("name", "text"), [("peper", "There is no rulebook “peper”"), ("no.toml", "cannot be read")])
def test_what_is_not_there_gets_a_sentence(name: str, text: str) -> None:
    with pytest.raises(BigPepperError, match=text):
        CliRunner().invoke(command, [name], catch_exceptions=False)


@pytest.mark.parametrize(
    ("name", "near"), [("Pepper-4", "pepper-4"), ("IOWA", "iowa"), ("hasenpfefer", "hasenpfeffer")]
)
def test_a_near_name_is_suggested(name: str, near: str) -> None:
    with pytest.raises(BigPepperError, match=f"no rulebook “{name}”. Did you mean “{near}”"):
        CliRunner().invoke(command, [name], catch_exceptions=False)


def program(*arguments: str, shell: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The whole program in a process of its own; `shell` redirects its streams."""
    call = [sys.executable, "-m", "bigpepper", *arguments]
    line = ["sh", "-c", f'exec "$@" {shell}', "sh", *call]
    return subprocess.run(line, capture_output=True, check=False, env={**os.environ, **environment}, timeout=60)


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "ascii"])
@pytest.mark.parametrize("name", ["hasenpfeffer", None])
def test_every_encoding_gets_letters_for_what_it_lacks(encoding: str, name: str | None) -> None:
    ended = program("rules", *([name] if name else []), PYTHONIOENCODING=encoding)
    assert (ended.returncode, ended.stderr) == (0, b"")
    said = ended.stdout.decode(encoding)
    assert "?" not in said
    if name:
        assert "hearts (trumps)  Joker JH    JD    AH    KH    QH    10H   9H" in said
        assert "` left bower" in said


def test_letters_on_demand() -> None:
    ended = program("rules", "pepper-3", "--ascii", PYTHONIOENCODING="utf-8")
    assert "Jalapeno took 1: +1." in ended.stdout.decode("ascii")
    assert "Fail" in ended.stdout.decode("ascii")


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no such terminals")
@pytest.mark.parametrize(("name", "plain"), [("C", True), ("POSIX", True), ("C.UTF-8", False)])
@pytest.mark.parametrize("arguments", [["rules", "pepper-3"], ["rules"]])
def test_a_terminal_of_the_c_locale_gets_letters(name: str, plain: bool, arguments: list[str]) -> None:
    import pty

    ours, theirs = pty.openpty()
    unset = {"LC_ALL": "", "LC_CTYPE": "", "LANG": name, "PAGER": "cat", "PYTHONIOENCODING": ""}
    with subprocess.Popen(
        [sys.executable, "-m", "bigpepper", *arguments], stdin=theirs, stdout=theirs, env={**os.environ, **unset}
    ) as child:
        os.close(theirs)
        said = b""
        with suppress(OSError):  # the end of a terminal
            while more := os.read(ours, 4096):
                said += more
    os.close(ours)
    assert child.returncode == 0
    assert b"epper" in said
    assert said.isascii() == plain


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("arguments", [["rules"], ["rules", "iowa"], ["rules", "iowa", "--toml"], ["--help"]])
def test_output_that_cannot_be_written_is_one_sentence(arguments: list[str]) -> None:
    ended = program(*arguments, shell=">/dev/full")
    assert ended.returncode == 1
    assert ended.stderr.decode() == "Error: This cannot be done: No space left on device.\n"


@pytest.mark.skipif(os.name != "posix", reason="closed streams are a matter of the shell")
@pytest.mark.parametrize(
    "arguments", [["rules"], ["score", "--rules", "tiny"], ["simulate", "--rules", "tiny", "--games", "1"]]
)
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_empty_ones(arguments: list[str], closed: str, tmp_path: Path) -> None:
    ended = program(*arguments, shell=closed, BIGPEPPER_DATA=str(tmp_path))
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_the_help_cuts_no_sentence() -> None:
    said = program("--help", COLUMNS="80", PYTHONIOENCODING="utf-8").stdout.decode()
    assert [line for line in said.splitlines() if line.endswith("...") and "[ARGS]" not in line] == []


# --- words ------------------------------------------------------------------------------------------------------------


def test_one_word_per_concept() -> None:
    """The synonyms that the glossary rules out are used nowhere."""
    glossary = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    last = glossary[glossary.index("Words that are not used") :]
    banned = re.findall(r"\*([a-z-]+)\*", last)
    assert {"declarer", "kitty"} <= set(banned)
    pattern = re.compile(rf"\b({'|'.join(banned)})s?\b", re.IGNORECASE)
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.toml")]
    texts = {path: path.read_text("utf-8").replace(last, "") for path in files}
    assert len(texts) > 40
    assert [(path.name, pattern.findall(text)) for path, text in texts.items() if pattern.search(text)] == []
