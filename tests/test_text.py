"""Messages: sentences as values, words only at the edge, in any language."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from bigpepper import text
from bigpepper.actions import Play
from bigpepper.cards import Card
from bigpepper.errors import BigPepperError, InvalidRules
from bigpepper.text import Message, listed, msg, msgn


@pytest.fixture
def pirate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A language that exists in this test alone, with two plural forms turned round and fields in another order."""
    catalogue = Catalog(locale="en", domain="bigpepper")
    catalogue.add("Seat {seat} has {what}.", "Arr, {what}: {seat}!")
    catalogue.add(("{n} trick", "{n} tricks"), ("{n} booty", "{n} booties"))
    folder = tmp_path / "locale" / "pirate" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "bigpepper.mo").open("wb") as file:
        write_mo(file, catalogue)
    monkeypatch.setattr(text, "__file__", str(tmp_path / "text.py"))
    text._catalogue.cache_clear()
    yield "pirate"
    text._catalogue.cache_clear()


def test_fields_are_put_into_the_sentence() -> None:
    message = msg("{card} by seat {seat}.", card=Card("JH"), seat=2)
    assert (message.id, message.fields, message.plural) == (
        "{card} by seat {seat}.",
        {"card": Card("JH"), "seat": 2},
        None,
    )
    assert message.text() == str(message) == "JH by seat 2."


def test_braces_in_a_field_stay_as_they_are() -> None:
    assert msg("{a} {b}", a="{b}", b="{").text() == "{b} {"


@pytest.mark.parametrize(("n", "words"), [(0, "0 tricks"), (1, "1 trick"), (2, "2 tricks"), (8, "8 tricks")])
def test_the_number_decides_the_wording(n: int, words: str) -> None:
    message = msgn("{n} trick", "{n} tricks", n)
    assert (message.text(), message.count, message.plural) == (words, n, "{n} tricks")


def test_another_language(pirate: str) -> None:
    message = msg("Seat {seat} has {what}.", seat=1, what=msgn("{n} trick", "{n} tricks", 2))
    assert message.text(pirate) == "Arr, 2 booties: 1!"
    assert msgn("{n} trick", "{n} tricks", 1).text(pirate) == "1 booty"
    assert message.text() == "Seat 1 has 2 tricks."


def test_a_sentence_or_language_that_the_catalogues_lack_is_english(pirate: str) -> None:
    assert msg("Nobody said {it}.", it="it").text(pirate) == "Nobody said it."
    assert msg("Nobody said {it}.", it="it").text("no-such-language") == "Nobody said it."


def test_errors_speak_the_language_asked_for(pirate: str) -> None:
    error = BigPepperError(msg("Seat {seat} has {what}.", seat=0, what="it"))
    assert (str(error), error.text(pirate)) == ("Seat 0 has it.", "Arr, it: 0!")


def test_messages_are_equal_when_id_and_fields_are() -> None:
    one = msg("{a}", a=1)
    assert one == msg("{a}", a=1)
    assert hash(one) == hash(msg("{a}", a=1))
    others = [msg("{a}", a=2), msg("{a} ", a=1), msgn("{a}", "{a}s", 1, a=1), msgn("{a}", "{a}s", 2, a=1), "1"]
    assert all(one != other for other in others)


def test_messages_and_errors_survive_copy_and_pickle() -> None:
    message = msgn("{n} of {card}: {why}", "{n}s of {card}: {why}", 3, card=Play(Card("JH")), why=msg("so"))
    assert [copy.deepcopy(message), pickle.loads(pickle.dumps(message))] == [message, message]
    error = pickle.loads(pickle.dumps(InvalidRules(message, "cards")))
    assert (type(error), error.message, error.key) == (InvalidRules, message, "cards")


def test_repr_shows_the_words() -> None:
    assert repr(msg("It is {it}.", it=3)) == "<Message 'It is 3.'>"


def test_a_message_never_changes() -> None:
    message: Message = msg("{a}", a=1)
    for name in ("id", "fields", "plural", "count"):
        with pytest.raises(AttributeError):
            setattr(message, name, None)


def test_lists_are_short_texts_with_commas() -> None:
    assert listed([Card("9C"), Play(Card("JH")), 3]) == "9C, JH, 3"
    assert listed(()) == ""
