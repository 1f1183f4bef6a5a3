"""Fair deals: what `docs/fairness.md` says, by its own words; and that a deal that was changed is found out."""

from __future__ import annotations

import hashlib
import hmac
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from bigpepper import Deal, DealStream, Game, Rules, notation
from bigpepper.notation import GameRecord, Proof
from bigpepper.server import commands as c
from bigpepper.server.fairness import Unfair, bot_seed, deal_seed, digest, verify
from bigpepper.server.moves import move_of
from bigpepper.server.records import record
from server_desk import NAMES, Desk

PAGE = (Path(__file__).parents[1] / "docs" / "fairness.md").read_text("utf-8")


def finished(name: str = "tiny", words: bool = True) -> GameRecord:
    desk = Desk(Rules.load(name).replace(round_limit=4), "fair")
    if words:
        desk.ok("anna", c.Seed("pepper"))
    desk.ok("anna", c.Start())
    while desk.table.facts.phase == "playing":
        desk.step()
    kept = record(desk.table, "anna", NAMES)
    assert kept is not None
    return kept


@pytest.mark.parametrize("words", [True, False])
def test_a_finished_game_follows_from_its_secret(words: bool) -> None:
    kept = finished("hasenpfeffer", words)
    assert verify(kept) == len(kept.rounds) > 0
    assert verify(notation.loads(notation.dumps(kept))) == len(kept.rounds)


def test_the_deals_are_those_of_the_documented_steps() -> None:
    """Built here from the page alone, without the code that it tells of."""
    kept = finished()
    assert kept.proof is not None
    assert kept.proof.secret is not None
    secret = bytes.fromhex(kept.proof.secret)
    assert hashlib.sha256(secret).hexdigest() == kept.proof.commitment
    assert kept.proof.seeds == (hashlib.sha256(b"pepper").hexdigest(), None)
    message = b"bigpepper-deals-1" + hashlib.sha256(b"pepper").digest() + bytes(32)
    stream = DealStream(kept.rules, hmac.new(secret, message, "sha256").digest())
    hands = [tuple(tuple(map(str, hand)) for hand in stream(n).hands) for n in range(len(kept.rounds))]
    assert hands == [round.hands for round in kept.rounds]
    assert kept.rounds[0].dealer == stream.first_dealer()
    seeds = [player.seed for player in kept.players]
    bot = int.from_bytes(hmac.new(secret, b"bigpepper-bot-1\x01", "sha256").digest()[:8], "big") >> 2
    assert seeds == [None, bot]


def test_vectors_of_the_page() -> None:
    rows = re.findall(r"^\| `(\w{64})` \| (.*?) \| `(\w{64})` \|$", PAGE, re.MULTILINE)
    assert len(rows) >= 3
    for secret, words, seed in rows:
        seeds = [digest(word) if (word := part.strip().strip("“”")) else None for part in words.split(",")]
        assert deal_seed(bytes.fromhex(secret), seeds).hex() == seed


def test_a_changed_deal_is_found_out() -> None:
    kept = finished("hasenpfeffer")
    assert kept.proof is not None
    with pytest.raises(Unfair, match="does not follow"):
        verify(replace(kept, proof=replace(kept.proof, seeds=())))
    other = bytes(32)
    swapped = Proof(commitment=hashlib.sha256(other).hexdigest(), secret=other.hex())
    with pytest.raises(Unfair, match="does not follow"):
        verify(replace(kept, proof=swapped))
    with pytest.raises(notation.NotationError, match="SHA-256"):
        verify(replace(kept, proof=replace(kept.proof, secret=other.hex())))
    with pytest.raises(Unfair, match="does not tell the secret"):
        verify(replace(kept, proof=replace(kept.proof, secret=None)))
    with pytest.raises(Unfair, match="not complete"):
        verify(replace(kept, rounds=kept.rounds[1:], first_round=2))


def test_one_deal_among_fair_ones_is_found_out() -> None:
    rules, secret = Rules.load("tiny"), bytes(range(32))
    stream = DealStream(rules, deal_seed(secret, (None, None)))
    game = Game.new(
        rules.replace(round_limit=3),
        deals=lambda n: stream(n) if n != 1 else Deal.random(rules, "wished for"),
        dealer=stream.first_dealer(),
    )
    while not game.is_over:
        game = game.apply(game.state.legal[0])
    proof = Proof(commitment=hashlib.sha256(secret).hexdigest(), secret=secret.hex())
    with pytest.raises(Unfair, match="deal of round 2 does not follow"):
        verify(notation.from_game(game, proof=proof))


def test_another_dealer_is_found_out() -> None:
    rules = Rules.load("tiny")
    secret = bytes(range(32))
    stream = DealStream(rules, deal_seed(secret, (None, None)))
    game = Game.new(rules.replace(round_limit=1), deals=stream, dealer=1 - stream.first_dealer())
    while not game.is_over:
        game = game.apply(game.state.legal[0])
    proof = Proof(commitment=hashlib.sha256(secret).hexdigest(), secret=secret.hex())
    with pytest.raises(Unfair, match="dealt first"):
        verify(notation.from_game(game, proof=proof))


def test_bots_of_a_table_have_secret_seeds_of_their_own() -> None:
    desk = Desk(Rules.load("pepper-4"), "bots", seats=("me", "random", "random", "random"))
    seeds = {bot_seed(bytes.fromhex(desk.table.hidden.secret), seat) for seat in range(4)}
    assert len(seeds) == 4
    assert all(0 <= seed < 2**62 for seed in seeds)
    desk.ok("anna", c.Start())
    kept = record(desk.table, "anna", NAMES)
    assert kept is not None
    assert [player.seed for player in kept.players] == [None] * 4
    assert kept.proof is not None
    assert kept.proof.secret is None
    assert isinstance(desk.table.hidden.state.deal, Deal)  # type: ignore[union-attr]
    while desk.turn == 0:
        desk.step()
    assert move_of(desk.table, desk.turn) == move_of(desk.table, desk.turn)
