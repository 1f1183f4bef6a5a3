"""The notation by examples: what a record looks like, what the reader forgives, what it refuses and where."""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import random
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

import bigpepper as bp
from bigpepper import notation
from bigpepper.notation import Evaluation, GameRecord, Player, Proof, Takeover
from bigpepper.notation.model import RoundRecord
from bigpepper.notation.reader import HEADER
from bigpepper.notation.roundreader import RoundReader
from bigpepper.notation.ruleform import RulesForm
from bigpepper.notation.schema import schemas
from bigpepper.options import OPTIONS

DOCS = Path(__file__).resolve().parent.parent / "docs"

TINY = """\
BigPepper 1
Rules: tiny
Option: target = 1
Date: 2026-03-01
Event: A test
Player 0: Anna
Player 1: Bell
Bot 1: random 1.0
Tag: practice
{A comment on the game}

Round 1: dealer 0, scores 0 0
{A comment on the round}
Hand 0: KH AH
Hand 1: KS AS
Auction: 1:1@1.25 {Why not?} 0:pass {= points 0.5, tricks 1.0, best 2}
Naming: 1:S
Lead 1: KS [0 bot random 1.0] KH
Lead 1: AS [0 back] AH
Result: tricks 0 2, points 0 2

End: won by 1, scores 0 2
Bot-seed 1: 5

"""
"""A record with most of what there is, in canonical form."""

HASENPFEFFER = """\
BigPepper 1
Rules: hasenpfeffer

Round 1: dealer 3, scores 0 0
Hand 0: 9C TC JC QC KC AC
Hand 1: 9D TD JD QD KD AD
Hand 2: 9H TH JH QH KH AH
Hand 3: 9S TS JS QS KS AS
Widow: JO
Auction: 0:pass 1:pass 2:6
Naming: 2:H-alone
Discard: 2:discard-9H
Defence: 3:pass 1:defend
Lead 1: AD JO
Lead 2: JH - - JD
Claim: 2:claim-0-0-4-0
Result: tricks 0 0 6 0, points 12 0

End: won by 0, scores 12 0

"""
"""Widow, lone maker, lone defender, claim."""

UNFINISHED = """\
BigPepper 1
Rules: pepper-2

Round 1: dealer 0, scores 0 0
{hands}
Auction: 1:pass 0:1

End: unfinished, scores 0 0
Seed: 7

"""


def unfinished() -> str:
    deal = bp.Deal.random(bp.Rules.load("pepper-2"), 7)
    rows = [f"Hand {seat}: {' '.join(map(str, hand))}" for seat, hand in enumerate(deal.hands)]
    return UNFINISHED.replace("{hands}", "\n".join([*rows, f"Dead: {' '.join(map(str, deal.dead))}"]))


@pytest.mark.parametrize("text", [TINY, HASENPFEFFER, unfinished()])
def test_canonical_texts_are_written_as_they_are_read(text: str) -> None:
    record = notation.loads(text)
    assert notation.dumps(record) == text
    assert notation.from_json(notation.to_json(record)) == record
    assert notation.digest(record) == hashlib.sha256(text.encode()).hexdigest()


def test_what_stands_where() -> None:
    record = notation.loads(TINY)
    assert record.rules == bp.Rules.load("tiny").replace(target=1)
    assert (record.date, record.event, record.tags) == ("2026-03-01", "A test", (notation.PRACTICE,))
    assert record.players == (Player(name="Anna"), Player(name="Bell", bot="random", version="1.0", seed=5))
    assert record.comments == ("A comment on the game",)
    (round,) = record.rounds
    assert round.comments == ("A comment on the round",)
    assert round.hands == (("KH", "AH"), ("KS", "AS"))
    bid, answer = round.auction
    assert (bid.seat, bid.action, bid.ms, bid.comments) == (1, "1", 1250, ("Why not?",))
    assert answer.evaluation == Evaluation(points=0.5, tricks=1.0, best="2")
    assert [[(act.seat, act.action) for act in trick] for trick in round.tricks] == [
        [(1, "KS"), (0, "KH")],
        [(1, "AS"), (0, "AH")],
    ]
    assert round.takeovers == (Takeover(at=4, seat=0, bot="random", version="1.0"), Takeover(at=6, seat=0))


def test_a_record_is_replayed() -> None:
    replay = notation.verify(notation.loads(HASENPFEFFER))
    last = replay.rounds[0].last
    assert (replay.scores, replay.winners) == ((12, 0), (0,))
    assert (last.lone, last.lone_defender, last.tricks_won) == (2, 1, (0, 0, 6, 0))
    assert len(replay.rounds[0].states) == len(last.history) + 1


LENIENT = [
    TINY.lower().replace("bigpepper", "\ufeff\n\n  bigPEPPER").replace("anna", "Anna").replace("bell", "Bell"),
    TINY.replace("\n", "\r\n"),
    re.sub(r"(?<=[:0-9A-Z]) (?=[0-9A-Z])(?!test)", "   ", TINY),
    TINY.replace("Auction: 1:1@1.25", "Auction: 1:1@1.250\n\n Auction:\t").replace("KH AH", "AH kh"),
    TINY.replace("Round 1", "Round").replace("A comment on the round", " A comment on the round\r\n"),
    TINY.rstrip(),
    TINY.replace("\n{A comment on the game}", "").replace("Anna", "Anna {A comment on the game}"),
    TINY.replace("Bot-seed 1: 5", "").replace("Tag", "Bot-seed 1: 5\nTag"),
    TINY.replace("Lead 1: KS [0 bot random 1.0] KH", "lead 1 KS [0  BOT random 1.0 ]\tkh"),
    "\n".join([*(lines := TINY.split("\n"))[:1], *lines[3:9], *lines[1:3], *lines[9:]]),
]  # fmt: skip


@pytest.mark.parametrize("text", LENIENT)
def test_the_reader_forgives(text: str) -> None:
    read, right = notation.loads(text), notation.loads(TINY)
    lower = replace(right, event="a test", comments=("a comment on the game",))
    if text.startswith("\ufeff"):
        round = replace(right.rounds[0], comments=("a comment on the round",))
        noted = replace(round.auction[0], comments=("why not?",))
        right = replace(lower, rounds=(replace(round, auction=(noted, round.auction[1])),))
    assert read == right


def test_tens_and_missing_headers() -> None:
    text = HASENPFEFFER.replace("TC", "10c").replace("TD", "10D")
    assert notation.loads(text) == notation.loads(HASENPFEFFER)


REFUSED = [
    ("Rules: tiny\nOption: target = 1\n", "Rules: tine\n", 2, 8, "There is no rulebook “tine”"),
    ("Rules: tiny\n", "", 11, 1, "The rulebook is missing"),
    ("target = 1", "taget = 1", 3, 1, "did you mean target"),
    ("target = 1", "target = 0", 3, 1, "target = 0"),
    ("target = 1", "target = ", 3, 8, "target = 32"),
    ("BigPepper 1", "BigPepper 2", 1, 1, "version 1"),
    ("2026-03-01", "2026-02-30", 4, 7, "is no date"),
    ("Player 0", "Player 4", 6, 1, "names a seat"),
    ("Player 0", "Player", 6, 1, "names a seat"),
    ("Event: A test", "Event: A\ttest", 5, 8, "U+0009"),
    ("Tag: practice", "Tag: \\x", 9, 1, "\\x"),
    ("Bot 1: random 1.0", "Bot 1: random one two", 8, 8, "random one two"),
    ("Bot-seed 1: 5", "Bot-seed 1: x", 23, 13, "a whole number"),
    ("Bot-seed 1: 5", "Bot-seed 0: 5", 6, 11, "A seed belongs to a bot"),
    ("Event", "Evnt", 5, 1, "No line begins with “evnt”"),
    ("AH\nResult", "AH {\nResult", 19, 24, "has no end"),
    ("Event: A test", "Date: 2026-03-01", 5, 1, "twice"),
    ("dealer 0", "dealer 2", 12, 1, "Seat 2 cannot deal"),
    ("Round 1: dealer 0", "Round 1: dealer x", 12, 17, "a number"),
    ("scores 0 0\n", "scores 0\n", 12, 1, "There are 1 scores"),
    ("scores 0 0\n", "scores 1 0\n", 12, 1, "already won"),
    ("Hand 1: KS AS", "Hand 1: AS AH", 15, 12, "AH is dealt twice: to seat 0 and to seat 1"),
    ("Hand 1: KS AS", "Hand 1: KS 9S", 15, 12, "9S is not in the deck"),
    ("Hand 1: KS AS", "Hand 1: KS 1S", 15, 12, "is no card"),
    ("Hand 1: KS AS", "Hand 1: KS", 15, 1, "Seat 1 is dealt 1 cards; it gets 2"),
    ("Hand 1: KS AS", "Hand 0: KS AS", 15, 1, "given twice"),
    ("Hand 1: KS AS", "Hand 1: KS AS\nWidow: JO", 16, 8, "one card too many"),
    ("Hand 1: KS AS", "Hand 1: KS AS\nDead: KS AS", 16, 1, "in tiny it has 0"),
    ("1:1@1.25", "0:1@1.25", 16, 10, "seat 1 is to act"),
    ("1:1@1.25", "1:3@1.25", 16, 10, "is no action of tiny"),
    ("1:1@1.25", "1:1@x", 16, 10, "does not fit here"),
    ("1:1@1.25", "1@1.25", 16, 10, "seat and action"),
    ("1:1@1.25", "1:S@1.25", 16, 10, "does not belong here"),
    ("0:pass {=", "0:pass 1:pass {=", 16, 37, "wrong step"),
    ("{= points 0.5,", "{= points x,", 16, 37, "an evaluation"),
    ("{= points 0.5, tricks 1.0, best 2}", "{= best 3}", 16, 30, "is no action"),
    ("Naming: 1:S", "Naming: 1:S 1:S", 17, 13, "one action of this kind"),
    ("Naming: 1:S\n", "", 17, 9, "wrong step: now it is naming"),
    ("Lead 1: KS", "Lead 0: KS", 18, 9, "out of turn: seat 1 is to act"),
    ("Lead 1: KS", "Lead: KS", 18, 1, "names its leader"),
    ("Lead 1: KS", "Lead 1: KH", 18, 9, "“KH” is not legal for seat 1 now; legal: KS, AS"),
    ("KH\nLead 1: AS", "KH\nLead 1:\nLead 1: AS", 19, 1, "is empty"),
    ("KH\nLead 1: AS [0 back] AH", "KH\nLead 1: AS\nLead 0: AH", 20, 9, "wrong trick"),
    ("KS [0 bot random 1.0] KH", "KS KH AH", 18, 15, "at most 2 cards"),
    ("[0 bot random 1.0]", "[0 boot random 1.0]", 18, 12, "[3 back]"),
    ("tricks 0 2,", "tricks 1 1,", 20, 9, "“tricks 1 1, points 0 2”; right is “tricks 0 2, points 0 2”"),
    ("points 0 2", "points 0 3", 20, 9, "The result is wrong"),
    ("Result: tricks 0 2, points 0 2\n", "", 12, 1, "its result is missing: “tricks 0 2, points 0 2”"),
    ("Lead 1: AS [0 back] AH\n", "", 19, 9, "The round is not over: seat 1 is to act"),
    ("won by 1, scores 0 2", "won by 0, scores 0 2", 22, 6, "The end is wrong"),
    ("won by 1, scores 0 2", "won by 1, scores 0 3", 22, 6, "the scores are 0, 2"),
    ("won by 1, scores 0 2\nBot-seed 1: 5", "unfinished, scores 0 2", 22, 6, "The game is over"),
    ("won by 1, scores 0 2", "lost", 22, 6, "won by the winning sides"),
    ("End: won by 1, scores 0 2\nBot-seed 1: 5\n", "", 20, 31, "“End: …”, is missing"),
    ("0 2\n\nEnd", "0 2\n\nRound 2: dealer 1, scores 0 2\nEnd", 22, 1, "it was won by 1"),
    ("0 2\n\nEnd", "0 2\n\nTag: x\nEnd", 22, 1, "belongs to the header"),
    ("scores 0 2\n", "scores 0 2\nTag: x\n", 23, 1, "only secret, seed, bot-seed can follow"),
]


@pytest.mark.parametrize(("old", "new", "line", "column", "part"), REFUSED)
def test_what_is_wrong_is_named_with_its_place(old: str, new: str, line: int, column: int, part: str) -> None:
    assert old in TINY
    with pytest.raises(notation.NotationError) as caught:
        notation.loads(TINY.replace(old, new, 1))
    error = caught.value
    assert part in str(error)
    assert (error.line, error.column) == (line, column), str(error)


def test_every_cut_is_noticed() -> None:
    text = HASENPFEFFER.rstrip()
    for length in range(len(text)):
        with pytest.raises(notation.NotationError):
            notation.loads(text[:length])


def test_a_growing_record_may_lack_its_end() -> None:
    record = notation.loads(TINY)
    parts = notation.blocks(record)
    assert "".join(parts) == TINY
    record = replace(record, players=(record.players[0], replace(record.players[1], seed=None)))
    assert notation.loads("".join(parts[:2]), growing=True) == replace(record, end=None)
    (read,) = notation.read(io.BytesIO("".join(parts[:1]).encode()), growing=True)
    assert read == replace(record, rounds=(), end=None)


def test_secrets_only_when_the_game_is_over() -> None:
    proof = Proof(commitment=hashlib.sha256(b"\x01").hexdigest(), seeds=(None, "abc"), secret="01")
    over = replace(notation.loads(TINY), proof=proof)
    assert notation.loads(notation.dumps(over)) == over
    with pytest.raises(notation.NotationError, match="does not fit: its SHA-256"):
        notation.dumps(replace(over, proof=replace(proof, secret="02")))
    going = replace(notation.loads(unfinished()), seed=None)
    with pytest.raises(notation.NotationError, match="only once the game is over"):
        notation.dumps(replace(going, proof=proof))
    assert notation.dumps(replace(going, proof=replace(proof, secret=None)))
    with pytest.raises(notation.NotationError, match="bot's seed"):
        notation.dumps(replace(going, players=(Player(bot="x", seed=1), Player())))


def test_a_save_needs_the_seed_of_its_deals() -> None:
    saved = notation.loads(unfinished())
    assert notation.to_game(saved).state.turn == 1
    with pytest.raises(notation.NotationError, match="not the deal that the seed gives"):
        notation.dumps(replace(saved, seed="8"))


def first_plays(game: bp.Game) -> bp.Game:
    """The game until the present round is over, by first legal actions after a bid."""
    rounds = len(game.rounds)
    while len(game.rounds) == rounds:
        game = game.apply(game.state.legal[-1] if game.state.phase is bp.Phase.AUCTION else game.state.legal[0])
    return game


def test_a_game_of_given_deals_goes_on_with_given_deals() -> None:
    stream = bp.DealStream(bp.Rules.load("pepper-4"), 3)
    game = first_plays(bp.Game.new(stream.rules, deals=stream, dealer=2))
    record = notation.from_game(game)
    assert [round.dealer for round in record.rounds] == [2, 3]
    resumed = notation.to_game(record)
    with pytest.raises(bp.InvalidGame, match="no deal for round 3"):
        first_plays(resumed)
    again = first_plays(notation.to_game(record, stream))
    assert again.state.deal == stream(2)


def test_an_abandoned_game_and_a_thrown_in_round() -> None:
    game = bp.Game.new(bp.Rules.load("pepper-4"), seed=1)
    for _ in range(4):
        game = game.apply("pass")
    record = notation.from_game(game, abandoned=True)
    text = notation.dumps(record)
    assert "Result: thrown in\n" in text
    assert text.endswith("\nEnd: abandoned, scores 0 0\n\n")
    assert notation.loads(text) == record


def test_the_record_of_a_seat_hides_what_it_cannot_know() -> None:
    rules = bp.Rules.load("hasenpfeffer")
    state = bp.State.new(rules, seed=5)
    for action in ("pass", "6", "H", "discard-" + str(state.deal.hands[2][0])):
        state = state.apply(action)
    record = notation.from_observations([state.observation(1)])
    text = notation.dumps(record)
    assert "Discard: 2:discard-??" in text
    assert text.count("Hand") == 4
    assert text.count("? ? ? ? ? ?") == 3
    assert "Widow: ?\n" in text
    assert "View: 1\n" in text
    with pytest.raises(notation.NotationError, match="not complete"):
        notation.to_game(record)


def test_what_no_deal_can_explain_is_refused() -> None:
    """Seat 1 did not follow hearts and plays one later; its cards are unknown."""
    deal = bp.Deal(bp.Rules.load("pepper-2"), ["9C TC JC QC KC AC 9H TH", "9D TD JD QD KD AD QH KH"])
    state = bp.State.new(deal_rules := bp.Rules.load("pepper-2"), deal=deal, dealer=1)
    for action in ("2", "pass", "NT", "9H", "QH", "9D", "9C"):
        state = state.apply(action)
    record = notation.from_observations([state.observation(0)])
    text = notation.dumps(record)
    assert "Lead 0: 9H QH\n" in text
    with pytest.raises(notation.NotationError, match="“9D” is not legal for seat 1, whatever") as caught:
        notation.loads(text.replace("Lead 0: 9H QH\nLead 1: 9D 9C", "Lead 0: 9H 9D\nLead 0: TH QH"))
    assert deal_rules.players == 2
    assert caught.value.line is not None


def test_files_hold_games_in_both_forms(tmp_path: Path) -> None:
    records = [notation.loads(text) for text in (TINY, HASENPFEFFER, TINY)]
    path = tmp_path / "games.pep"
    notation.write(records, path)
    assert path.read_bytes() == (TINY + HASENPFEFFER + TINY).encode()
    assert list(notation.read(path)) == records
    text = io.StringIO()
    notation.write(records[0], text)
    assert text.getvalue() == TINY
    path.write_bytes(b"\n".join(notation.to_json(record) for record in records))
    assert list(notation.read(path)) == records
    path.write_text(json.dumps(json.loads(notation.to_json(records[0])), indent=2))
    assert list(notation.read(path)) == [records[0]]


def test_a_file_is_read_game_by_game() -> None:
    games = notation.read(io.BytesIO((TINY + HASENPFEFFER.replace("claim-0-0-4-0", "claim-0-0-5-0")).encode()))
    assert next(games) == notation.loads(TINY)
    with pytest.raises(notation.NotationError) as caught:
        next(games)
    assert (caught.value.line, caught.value.column) == (TINY.count("\n") + 16, 8)


def test_a_comment_may_hold_what_looks_like_a_game() -> None:
    record = replace(notation.loads(TINY), comments=("See:\nBigPepper 1\n} or {",))
    by_hand = notation.dumps(record).replace("See:\\nBigPepper", "See:\nBigPepper")
    assert list(notation.read(io.BytesIO(by_hand.encode() + TINY.encode()))) == [record, notation.loads(TINY)]


LARGE = [TINY.replace("A test", "x" * (8 << 20)), TINY.replace("A comment on the game", f"{'x' * 999}\n" * 9000)]


@pytest.mark.parametrize("growth", LARGE)
def test_a_game_that_is_too_large_is_refused(growth: str) -> None:
    with pytest.raises(notation.NotationError, match="at most 8 MiB"):
        list(notation.read(io.BytesIO(growth.encode())))
    with pytest.raises(notation.NotationError, match="at most 8 MiB"):
        notation.loads(growth + " " * (8 << 20))


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\x00\xff\xfe", b"{}", b"[1]", b'{"rules": 1}', b"PK\x03\x04"])
def test_what_is_no_record_is_refused(content: bytes) -> None:
    with pytest.raises(notation.NotationError) as caught:
        list(notation.read(io.BytesIO(content)))
    assert caught.value.line or caught.value.path


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(notation.NotationError, match="cannot be read"):
        list(notation.read(tmp_path))
    with pytest.raises(notation.NotationError, match="cannot be read"):
        list(notation.read(tmp_path / "missing.pep"))
    with pytest.raises(notation.NotationError, match="cannot be written"):
        notation.write([], tmp_path)


WRONG_DATA = [
    ({"tags": ("a", "a")}, "tags[1]"),
    ({"tags": (" a",)}, "tags[0]"),
    ({"event": "two\nlines"}, "event"),
    ({"event": "a\ud800b"}, "event"),
    ({"players": (Player(), Player())}, "players"),
    ({"players": (Player(name="A"),)}, "players"),
    ({"players": (Player(bot="two words"), Player())}, "players[0]"),
    *(
        ({"players": (Player(), Player(bot=bot))}, "players[1]")
        for bot in (
            "",
            ":a=1",
            "x:",
            "x:a",
            "x:=1",
            "x:a=",
            "x:a=1,",
            "x:,a=1",
            "x:a=1, b=2",
            "x:a=1 2",
            "x:a=}",
            "x:a=]",
        )
    ),
    ({"view": 3}, "view"),
    ({"comments": ("",)}, "comments[0]"),
    ({"date": "1 March"}, "date"),
    ({"rounds": ()}, "end"),
]


@pytest.mark.parametrize(("changes", "path"), WRONG_DATA)
def test_the_writer_is_strict(changes: dict[str, object], path: str) -> None:
    with pytest.raises(notation.NotationError) as caught:
        notation.dumps(replace(notation.loads(TINY), **changes))
    assert caught.value.path == path


def in_round(record: GameRecord, **changes: object) -> GameRecord:
    return replace(record, rounds=(replace(record.rounds[0], **changes),))


def test_the_writer_is_strict_about_rounds() -> None:
    record = notation.loads(TINY)
    round = record.rounds[0]
    act = round.auction[0]
    wrong: list[tuple[dict[str, object], str]] = [
        ({"hands": (("AH", "KH"), ("KS", "AS"))}, "hands[0]"),
        ({"hands": (("KH", "AH"),)}, "hands"),
        ({"dead": ("KH",)}, "dead"),
        ({"tricks": ((), *round.tricks)}, "tricks"),
        ({"auction": (replace(act, action="PASS"), *round.auction[1:])}, "auction[0]"),
        ({"auction": (replace(act, evaluation=Evaluation()), *round.auction[1:])}, "auction[0]"),
        ({"auction": (replace(act, evaluation=Evaluation(points=float("nan"))), *round.auction[1:])}, "auction[0]"),
        ({"auction": (replace(act, comments=("a\x07",)), *round.auction[1:])}, "auction[0].comments[0]"),
        ({"takeovers": (Takeover(at=9, seat=0),)}, "takeovers[0]"),
        ({"takeovers": (Takeover(at=0, seat=2),)}, "takeovers[0]"),
        ({"takeovers": (Takeover(at=0, seat=0, version="1"),)}, "takeovers[0]"),
    ]
    for changes, path in wrong:
        with pytest.raises(notation.NotationError) as caught:
            notation.dumps(in_round(record, **changes))
        assert caught.value.path == f"rounds[0].{path}"


def test_errors_travel_between_processes() -> None:
    with pytest.raises(notation.NotationError) as caught:
        notation.loads("x")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.line, again.column) == (str(caught.value), 1, 1)


def test_rulebooks_are_written_as_what_differs() -> None:
    base = bp.Rules.load("pepper-4")
    own = bp.Rules.from_options({**base.options(), "name": "ours", "based_on": "pepper-4", "target": 40})
    alone = bp.Rules.from_options({**base.options(), "name": "ours"})
    same_name = bp.Rules.from_options({**base.options(), "name": "bid-euchre"})
    for rules, options in ((base, 0), (base.replace(round_limit=9), 1), (own, 2), (alone, 18), (same_name, 5)):
        record = notation.from_game(bp.Game.new(rules, seed=1))
        text = notation.dumps(record)
        assert text.count("\nOption: ") == options
        assert notation.loads(text).rules == rules


def test_an_observation_in_json_is_what_a_client_needs() -> None:
    state = bp.State.new(bp.Rules.load("tiny"), deal=bp.Deal(bp.Rules.load("tiny"), ["KH AH", "KS AS"]))
    seen = json.loads(notation.observation_to_json(state.apply("1").observation(0)))
    assert (seen["seat"], seen["turn"], seen["phase"], seen["contract"], seen["maker"]) == (0, 0, "auction", "1", 1)
    assert (seen["legal"], seen["legal_numbers"]) == (["pass", "2"], [0, 2])
    assert seen["hand"] == ["KH", "AH"]
    assert seen["round"]["hands"] == [["KH", "AH"], ["?", "?"]]
    assert seen["rules"]["ladder"][1] == {"name": "2", "tricks": 2, "made": "tricks-won", "failed": 2}
    text = notation.observation_to_json(state.observation(1))
    with pytest.raises(notation.NotationError, match="legal"):
        notation.observation_from_json(text.replace(b'"legal":["pass"', b'"legal":["2"'))


def test_the_schemas_in_the_docs_are_fresh() -> None:
    for name, text in schemas().items():
        assert (DOCS / "schema" / name).read_text("utf-8") == text, "python -m bigpepper.notation.schema docs/schema"
        assert json.loads(text)["$ref"].startswith("#/$defs/")


def test_the_form_of_rules_has_every_option() -> None:
    assert set(RulesForm.__struct_fields__) == {"name", "based_on", "recommended", *OPTIONS}


def test_the_page_about_the_notation_is_complete() -> None:
    page = (DOCS / "notation.md").read_text("utf-8")
    for keyword in [*HEADER, *RoundReader.LINES, "round", "end"]:
        assert f"`{keyword.capitalize()}" in page, keyword
    examples = [part.split("\n```")[0] for part in page.split("```pep\n")[1:]]
    assert len(examples) >= 2
    for example in examples:
        assert notation.dumps(notation.loads(example)).rstrip() == example.rstrip()


def test_the_examples_can_be_read() -> None:
    files = sorted((DOCS / "examples").glob("*.pep"))
    assert len(files) >= 3
    for file in files:
        records = list(notation.read(file))
        assert "".join(map(notation.dumps, records)) == file.read_text("utf-8")


def test_a_round_tells_its_actions_in_order() -> None:
    (round,) = notation.loads(HASENPFEFFER).rounds
    assert isinstance(round, RoundRecord)
    assert [f"{act.seat}:{act.action}" for act in round.acts][:6] == [
        "0:pass", "1:pass", "2:6", "2:H-alone", "2:discard-9H", "3:pass",
    ]  # fmt: skip


def test_rounds_follow_one_another() -> None:
    game = first_plays(bp.Game.new(bp.Rules.load("pepper-4"), seed=3))
    record = notation.from_game(game)
    first, second = record.rounds
    text = notation.dumps(record)
    head = f"Round 2: dealer {second.dealer}, scores {second.scores[0]} {second.scores[1]}"
    line = text[: text.index(head)].count("\n") + 1
    for wrong, said in (
        (f"Round 2: dealer {first.dealer}, scores {second.scores[0]} {second.scores[1]}", "does not deal now"),
        (f"Round 2: dealer {second.dealer}, scores {second.scores[0]} 1", "The scores before this round are"),
        (f"Round 3: dealer {second.dealer}, scores 0 0", "This is round 2, not 3"),
    ):
        with pytest.raises(notation.NotationError, match=said) as caught:
            notation.loads(text.replace(head, wrong))
        assert (caught.value.line, caught.value.column) == (line, 1)


def hidden(state: bp.State) -> GameRecord:
    """The record of a round of which a spectator knows no card but those played."""
    return notation.from_observations([state.observation(None)])


@pytest.mark.parametrize("name", ["hasenpfeffer", "pepper-2"])
def test_a_deal_is_found_for_what_a_spectator_saw(name: str) -> None:
    for seed in range(60):
        rng = random.Random(seed)
        state = bp.State.new(bp.Rules.load(name), seed=seed)
        while not state.is_over:
            state = state.apply(state.legal[-1] if state.phase is bp.Phase.AUCTION else rng.choice(state.legal))
            found = notation.verify(hidden(state)).rounds[0].last
            assert (found.turn, found.tricks_won, found.points) == (state.turn, state.tricks_won, state.points)


def test_the_joker_is_where_the_auction_says() -> None:
    rules = bp.Rules.load("hasenpfeffer-traditional")
    holders = set()
    for seed in range(100):
        state = bp.State.new(rules, seed=seed)
        for _ in range(4):
            state = state.apply("pass")
        for seat in (None, 0):
            seen = state.observation(seat)
            assert notation.observation_from_json(notation.observation_to_json(seen)) == seen
        holders.add(state.turn)
        if state.turn is not None:
            state = state.apply(state.legal[0])
        found = notation.verify(hidden(state)).rounds[0].last
        assert (found.turn, found.is_over, found.maker) == (state.turn, state.is_over, state.maker)
    assert holders == {None, 0, 1, 2, 3}


def test_free_text_may_hold_anything_that_can_be_seen() -> None:
    text = "= \\n \\{x} [a] @1 \\"
    act = replace((record := notation.loads(TINY)).rounds[0].auction[0], comments=(text, "= points 1"))
    record = in_round(
        replace(record, event=text, tags=(text,), comments=(text,)), auction=(act, record.rounds[0].auction[1])
    )
    assert notation.loads(notation.dumps(record)) == record


@pytest.mark.parametrize(("n", "split", "claimed"), [(0, (0, 3, 5), "1:claim-3-0-5"), (8, None, "1:claim-0-8-0")])
def test_claims_of_three_players(n: int, split: tuple[int, ...] | None, claimed: str) -> None:
    game = bp.Game.new(bp.Rules.load("pepper-3"), seed=1, dealer=0)
    for action in ("big", "H"):
        game = game.apply(action)
    game = game.claim(1, n, split and [split[1], split[0], split[2]])
    record = notation.from_game(game)
    assert f"Claim: {claimed}\n" in notation.dumps(record)
    assert notation.to_game(record).rounds == game.rounds


def test_a_bid_may_be_called_none() -> None:
    ladder = [{"name": name, "tricks": 1, "made": 1, "failed": 1} for name in ("low", "none")]
    rules = bp.Rules.load("tiny").replace(ladder=ladder, minimum_bid="none")
    assert notation.loads(notation.dumps(notation.from_game(bp.Game.new(rules, seed=1)))).rules == rules
