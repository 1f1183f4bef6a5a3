"""The protocol: what is read, what is refused, and that every example of docs/protocol.md is one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigpepper.notation import observation_from_json
from bigpepper.server import events
from bigpepper.server import protocol as p
from bigpepper.server.codes import Code, snake
from bigpepper.server.frames import _TOLD

PAGE = (Path(__file__).parents[1] / "docs" / "protocol.md").read_text("utf-8")
COMMANDS = p.AnyCommand.__args__
FRAMES = p.AnyFrame.__args__
READ_FRAME = msgspec.json.Decoder(p.AnyFrame)


def examples(kind: str = "json") -> list[str]:
    """The JSON texts of the page's blocks."""
    found: list[str] = []
    for block in re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        found += [block] if block.startswith("{\n") else block.splitlines()
    return found


def tag(kind: type) -> str:
    return snake(kind.__name__)


def test_every_message_has_an_example_that_is_read_and_written_the_same() -> None:
    shown: set[str] = set()
    for text in examples():
        data = json.loads(text)
        shown.add(data["type"])
        if data["type"] in {tag(kind) for kind in FRAMES}:
            assert json.loads(p.write_frame(READ_FRAME.decode(text))) == data
        else:
            command = json.loads(msgspec.json.encode(p.read_command(text)))
            assert {name: command[name] for name in data} == data
    assert shown == {tag(kind) for kind in (*COMMANDS, *FRAMES)}


def test_observations_of_the_examples_are_observations() -> None:
    sent = [json.loads(text).get("observation") for text in examples()]
    observations = [observation_from_json(json.dumps(one)) for one in sent if one]
    assert len(observations) >= 2
    assert {seen.seat for seen in observations} == {0}


def test_the_example_of_a_new_table_is_one() -> None:
    (text,) = examples("json create")
    create = msgspec.json.decode(text, type=p.Create)
    assert json.loads(msgspec.json.encode(create)) == {**json.loads(text), "toml": None}


def test_the_page_lists_every_code_kind_and_phrase() -> None:
    codes, kinds = (re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE) for part in _tables())
    assert codes == [code.value for code in Code]
    assert kinds == [tag(kind) for kind in events.AnyHappening.__args__ if kind is not events.Created]
    for id, phrase in p.PHRASES.items():
        assert f"`{id}` {phrase.text()}" in PAGE


def _tables() -> tuple[str, str]:
    kinds = PAGE[PAGE.index("| `kind` |") : PAGE.index("The answers to commands")]
    return PAGE[PAGE.index("| `code` |") + 10 :], kinds[10:]


def test_the_page_lists_the_fields_of_every_kind() -> None:
    for kind, fields in _TOLD.items():
        row = re.search(rf"^\| `{tag(kind)}` \| (.*) \|$", PAGE, re.MULTILINE)
        assert row is not None
        assert set(fields) <= set(re.findall(r"`(\w+)`", row[1]))


def test_a_command_without_what_it_needs_is_refused_with_a_reason() -> None:
    wrong: list[tuple[str | bytes, str]] = [
        ("", "truncated"),
        ("{", "truncated"),
        ("[]", "object"),
        ("7", "object"),
        ('{"n": 1}', "type"),
        ('{"type": "fly"}', "fly"),
        ('{"type": "act", "n": 1}', "action"),
        ('{"type": "act", "n": "1", "action": "pass"}', "int"),
        ('{"type": "act", "n": -1, "action": "pass"}', ">= 0"),
        ('{"type": "act", "n": 1, "action": "pass", "seat": 2}', "seat"),
        ('{"type": "take", "seat": 4}', "<= 3"),
        ('{"type": "seed", "word": ""}', "length"),
        ('{"type": "ping", "id": "' + 65 * "x" + '"}', "length"),
        (b"\xff\xfe", "This is no message"),
        ("[" * 5_000, "object"),
        ('{"type": "say", "phrase": "\\ud800"}', "This is no message"),
    ]
    for text, reason in wrong:
        with pytest.raises(p.BadMessage, match=re.escape(reason)) as caught:
            p.read_command(text)
        assert caught.value.code == "bad_message"
    with pytest.raises(p.BadMessage) as caught:
        p.read_command(" " * 8_193)
    assert caught.value.code == "too_large"


def test_the_mark_of_a_message_is_read_where_it_can_be() -> None:
    marked: list[tuple[str | bytes, str | None]] = [
        ('{"type": "act", "n": 1, "action": "pass", "id": "a-1"}', "a-1"),
        ('{"type": "fly", "to": [{}], "id": "a-2"}', "a-2"),
        (b'{"id": "a-3"}', "a-3"),
        ('{"type": "ping"}', None),
        ('{"id": 7}', None),
        ('{"id": "' + 65 * "x" + '"}', None),
        ('{"id": "a-4"', None),
        ('["id"]', None),
        ("[" * 5_000, None),
        (b'{"id": "\xff"}', None),
        ('{"id": "a-5"}' + " " * 8_192, None),
    ]
    assert [p.mark_of(text) for text, _ in marked] == [mark for _, mark in marked]


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_anything_else_is_refused_too(text: str | bytes) -> None:
    with pytest.raises(p.BadMessage):
        p.read_command(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from([tag(kind) for kind in COMMANDS]), st.dictionaries(st.text(max_size=6), JSON, max_size=3))
def test_other_fields_are_refused_and_never_anything_worse(kind: str, fields: dict[str, Any]) -> None:
    try:
        command = p.read_command(json.dumps({"type": kind, **fields}))
    except p.BadMessage:
        return
    assert set(fields) - {"type"} <= set(command.__struct_fields__)


def test_what_stands_at_its_default_is_left_out() -> None:
    assert p.write_frame(p.Done(seq=3)) == b'{"type":"done","seq":3}'
    assert p.write_frame(p.Pong()) == b'{"type":"pong"}'
