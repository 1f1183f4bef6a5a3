"""The log's entries: every version that was ever written is still read and folded."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from bigpepper import notation
from bigpepper.server import events
from bigpepper.server.codes import snake
from bigpepper.server.events import Entry, read, write
from bigpepper.server.fairness import verify
from bigpepper.server.records import record
from bigpepper.server.table import fold_all

LOGS = sorted((Path(__file__).parent / "fixtures" / "events").glob("v*/*.jsonl"))


def entries(log: Path) -> list[Entry]:
    """The entries of a kept log: a line is `[seq, at, data]`."""
    lines = (json.loads(line) for line in log.read_text("utf-8").splitlines())
    return [Entry(seq, at, read(json.dumps(data))) for seq, at, data in lines]


@pytest.mark.parametrize("log", LOGS, ids=[f"{log.parent.name}-{log.stem}" for log in LOGS])
def test_every_log_that_was_kept_still_folds(log: Path) -> None:
    """To the same game as on the day on which it was written."""
    table = fold_all(entries(log), "kept")
    expected = notation.from_json(log.with_suffix(".json").read_text("utf-8"))
    assert record(table, None, {}) == expected
    if table.facts.phase == "finished":
        assert verify(expected) == len(expected.rounds)


def test_there_is_an_example_of_every_kind_and_version() -> None:
    kept = {(data["kind"], data["v"]) for log in LOGS for data in _data(log)}
    present = {(snake(kind.__name__), 1) for kind in events.AnyHappening.__args__}
    assert kept == present | set(events.UPGRADES)


def _data(log: Path) -> list[dict[str, object]]:
    return [json.loads(line)[2] for line in log.read_text("utf-8").splitlines()]


def test_what_is_written_is_what_was_kept() -> None:
    """The present version's logs: a change of form would be seen here, and has to raise the version."""
    for log in LOGS:
        for entry, data in zip(entries(log), _data(log), strict=True):
            if (entry.kind, data["v"]) not in events.UPGRADES:
                assert json.loads(write(entry.what)) == data


def test_an_old_version_is_brought_up_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        events.UPGRADES,
        ("said", -1),
        lambda data: {"kind": "said", "v": 0, "seat": data["seat"], "phrase": data["text"]},
    )
    monkeypatch.setitem(events.UPGRADES, ("said", 0), lambda data: {**data, "v": 1, "phrase": data["phrase"].lower()})
    assert read('{"kind": "said", "v": -1, "seat": 2, "text": "HELLO"}') == events.Said(seat=2, phrase="hello")
    assert read('{"kind": "paused", "v": 1, "seat": 2}') == events.Paused(seat=2)


def test_what_no_version_has_written_is_not_read() -> None:
    for text in ('{"kind": "said", "v": 2, "seat": 2, "phrase": "hello"}', '{"kind": "flown", "v": 1}', "{}", ""):
        with pytest.raises(msgspec.DecodeError):
            read(text)
