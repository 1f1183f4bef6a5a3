"""One source, two ways to run it: records and their twins, bits, the switch, and the cache of machine code."""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Event
from typing import Annotated, Any

import pytest

import bigpepper
from bigpepper.jit import (
    Bytes128,
    Record,
    Row4,
    Rows,
    copier,
    count,
    dtype,
    enabled,
    entry,
    highest,
    lowest,
    pack,
    place_of,
    record,
    rows,
    share,
    unpack,
    user_cache,
)
from bigpepper.records import Public, Round, Tables, View

PACKAGE = Path(bigpepper.__file__).parent
TESTS = Path(__file__).parent

PROBE = """
import json, sys
from bigpepper.jit import Rows, entry, pack
from bigpepper.kernel import score
from bigpepper.records import Round
from bigpepper.rules import Rules

@entry
def score_all(rounds: Rows, tables: Rows, points: list[int]) -> None:
    for i in range(len(rounds)):
        score(rounds[i], tables[0])
        points[i] = rounds[i].points[0]

def rounds():
    for won in range(7):
        r = Round()
        r.bid, r.lone, r.won[0], r.won[1] = 3, -1, won, 6 - won
        yield r

if __name__ == "__main__":
    points = [0] * 7
    if "--full" in sys.argv:
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if "--plain" not in sys.argv:
        import numpy
        points = numpy.zeros(7, "i8")
    score_all(pack(list(rounds())), pack([Rules.load("pepper-4").tables]), points)
    stats = score_all._compiled.stats if score_all._compiled else None
    print(json.dumps({
        "points": [int(n) for n in points],
        "hits": sum(stats.cache_hits.values()) if stats else None,
        "misses": sum(stats.cache_misses.values()) if stats else None,
        "host": sys.modules["numba"].config.CACHE_DIR if stats else None,
    }))
"""
"""A program with an entry of its own: seat 0 has bid 4 and won 0 to 6 tricks; its points, and what the cache did."""
POINTS = [-6, -6, -6, -6, 4, 5, 6]


class Copy:
    """A copy of the package with the program beside it, a cache folder, and a host's own cache folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache, self.host = folder / "copy", folder / "cache", folder / "host"
        self.cache.mkdir()
        shutil.copytree(PACKAGE, self.folder / "bigpepper", ignore=shutil.ignore_patterns("__pycache__"))
        (self.folder / "probe.py").write_text(PROBE)

    def run(self, *arguments: str, **environment: str) -> dict[str, Any]:
        """What the program says."""
        settings = {"BIGPEPPER_CACHE": str(self.cache), "NUMBA_CACHE_DIR": str(self.host), **environment}
        said: dict[str, Any] = json.loads(python(str(self.folder / "probe.py"), *arguments, **settings))
        return said

    def change(self, file: str, old: str, new: str) -> None:
        path = self.folder / "bigpepper" / file
        source = path.read_text()
        assert source.count(old) == 1, old
        path.write_text(source.replace(old, new))


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def python(*arguments: str, **environment: str) -> str:
    """What a Python of its own prints, in an environment with no more than that."""
    done = subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- bits ---------------------------------------------------------------------------------------------------------

EDGES = [0, 1, 2, 3, 0b1010_0000, 2**31, 2**32 - 1, 2**60, 2**61, 2**62 - 1]


@pytest.mark.parametrize("mask", [*EDGES, *(random.Random(1).getrandbits(62) for _ in range(200))])
def test_bits(mask: int) -> None:
    bits = [i for i in range(62) if mask >> i & 1]
    assert count(mask) == len(bits)
    assert lowest(mask) == (1 << bits[0] if bits else 0)
    assert highest(mask) == (1 << bits[-1] if bits else 0)
    if bits:
        assert place_of(mask) == bits[0]


# --- records ------------------------------------------------------------------------------------------------------


@record
class Small(Record):
    """A record of every kind of field."""

    one: int
    row: Row4
    table: Annotated[list[list[int]], 2, 3]
    log: Bytes128


@record
class Larger(Small):
    """The same and one field more."""

    more: int


def filled(cls: type[Any], seed: int = 3) -> Any:
    """A record with a random value in every place."""
    dice, twin = random.Random(seed), cls()
    for name in cls.fields:
        value = getattr(twin, name)
        if isinstance(value, int):
            setattr(twin, name, dice.randrange(-(2**62), 2**62))
        elif isinstance(value, bytearray):
            setattr(twin, name, bytearray(dice.randbytes(len(value))))
        else:
            fill(value, dice)
    return twin


def fill(value: list[Any], dice: random.Random) -> None:
    for i, item in enumerate(value):
        if isinstance(item, list):
            fill(item, dice)
        else:
            value[i] = dice.randrange(-(2**62), 2**62)


def values(twin: Record) -> dict[str, Any]:
    return {name: getattr(twin, name) for name in twin.fields}


RECORDS = [Small, Larger, Public, Round, View, Tables]


def test_a_record_starts_as_zeros() -> None:
    assert values(Larger()) == {"one": 0, "row": [0] * 4, "table": [[0] * 3] * 2, "log": bytearray(128), "more": 0}
    assert Small.__doc__ == "A record of every kind of field."
    with pytest.raises(AttributeError):
        Larger().other = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("cls", RECORDS)
def test_a_copy_shares_nothing(cls: type[Record]) -> None:
    twin = filled(cls)
    before, copied = values(filled(cls)), twin.copy()
    assert type(copied) is type(twin)
    assert values(copied) == values(twin) == before
    for name in cls.fields:
        value = getattr(copied, name)
        if isinstance(value, int):
            setattr(copied, name, value + 1)
        elif isinstance(value, bytearray):
            value[0] ^= 1
        else:
            row = value[0] if isinstance(value[0], list) else value
            row[0] += 1
    assert values(twin) == before
    assert all(getattr(copied, name) != before[name] for name in cls.fields)


@pytest.mark.parametrize("cls", RECORDS)
@pytest.mark.parametrize("jit", ["0", "1"])
def test_packing_and_unpacking(cls: type[Record], jit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIGPEPPER_JIT", jit)
    twins = [filled(cls, seed) for seed in range(3)]
    array = pack(twins)
    back = [unpack(cls, row) for row in array]
    assert [values(twin) for twin in back] == [values(twin) for twin in twins]
    assert all(type(value) in (int, list, bytearray) for twin in back for value in values(twin).values())
    for name in cls.fields:  # nothing is shared with the array
        if not isinstance(getattr(twins[0], name), int):
            row = array[0][name] if jit == "1" else getattr(array[0], name)
            row[0], row[1] = row[1], row[0]
    assert values(back[0]) == values(filled(cls, 0)) == values(twins[0])


def test_rows_are_zeros_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    assert enabled()
    assert rows(Larger, 3).dtype == dtype(Larger)
    assert [values(unpack(Larger, row)) for row in rows(Larger, 3)] == [values(Larger())] * 3
    monkeypatch.setenv("BIGPEPPER_JIT", "0")
    assert not enabled()
    assert [values(row) for row in rows(Larger, 3)] == [values(Larger())] * 3
    assert len({id(row) for row in rows(Larger, 3)}) == 3


def test_a_copier_copies_just_its_fields() -> None:
    copy = copier(Small.fields)
    source, target = filled(Larger, 1), filled(Larger, 2)
    more = target.more
    copy(target, source)
    assert {**values(source), "more": more} == values(target)
    source.row[0] += 1
    source.log[0] ^= 1
    source.table[0][0] += 1
    assert target.row[0] != source.row[0]
    assert target.log[0] != source.log[0]
    assert target.table[0][0] != source.table[0][0]


copy_small = copier(Small.fields)


@entry
def copy_all(targets: Rows, sources: Rows) -> None:
    """Copy the fields of `Small` from each record to the other."""
    for i in range(len(targets)):
        copy_small(targets[i], sources[i])


def test_a_compiled_copier_does_the_same() -> None:
    sources, targets = [filled(Larger, i) for i in range(3)], [filled(Larger, i) for i in range(3, 6)]
    records = pack(targets)
    copy_all(records, pack(sources))
    copy_all.plain(targets, sources)
    assert [values(unpack(Larger, row)) for row in records] == [values(twin) for twin in targets]
    assert targets[0].table == sources[0].table


@entry
def count_rows(records: Rows) -> int:
    """How many there are."""
    return len(records)


def test_a_key_that_interrupts_is_heard_wherever_the_compiler_is(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """LLVM calls back when an object file is done; what is raised there would be lost."""
    from numba.core.registry import cpu_target

    engine = cpu_target.target_context.codegen()._engine._ee
    done = engine._object_cache_notify
    pressed: list[bool] = []

    def press(library: object, code: bytes) -> None:
        done(library, code)
        if not pressed:
            pressed.append(True)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(engine, "_object_cache_notify", press)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012
            count_rows(rows(Small, 3))
            Event().wait(30)  # the key comes again a moment later, perhaps after the compiling
        assert pressed
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert "Traceback" not in capfd.readouterr().err


# --- the switch ---------------------------------------------------------------------------------------------------


def test_shared_functions_and_plain_entries_are_what_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    def double(n: int) -> int:
        """Twice n."""
        return 2 * n

    assert share(double) is double
    monkeypatch.setenv("BIGPEPPER_JIT", "0")
    doubled = entry(double)
    assert (doubled(4), doubled.__name__, doubled.__doc__) == (8, "double", "Twice n.")
    assert doubled.plain is doubled.__wrapped__ is double
    assert doubled._compiled is None


def test_importing_brings_in_neither_numba_nor_numpy() -> None:
    script = "import sys, bigpepper, bench.rounds\nprint(*sorted({'numba', 'numpy', 'bigpepper'} & set(sys.modules)))"
    assert python("-c", script, PYTHONPATH=str(TESTS.parent)).split() == ["bigpepper"]


# --- the cache ----------------------------------------------------------------------------------------------------


def cached(folder: Path) -> list[str]:
    """Files that Numba has written below a folder."""
    return sorted(path.name for path in folder.rglob("*.nb[ci]"))


def test_cold_warm_and_without(copy: Copy) -> None:
    """The second process uses what the first has compiled; without the compiler the points are the same."""
    cold = copy.run()
    made = cached(copy.cache)
    assert (cold["points"], cold["hits"], cold["misses"], len(made)) == (POINTS, 0, 1, 2)
    warm = copy.run()
    assert (warm["points"], warm["hits"], warm["misses"]) == (POINTS, 1, 0)
    assert cached(copy.cache) == made
    plain = copy.run("--plain", BIGPEPPER_JIT="0")
    assert (plain["points"], plain["hits"]) == (POINTS, None)
    assert cold["host"] == warm["host"] == str(copy.host), "the host's own setting stays as it is"
    assert cached(copy.host) == cached(copy.folder) == []


def test_a_changed_rule_is_obeyed(copy: Copy) -> None:
    """In a copy of the package whose cache is warm; a change of any source leads to a folder of its own."""
    assert copy.run()["points"] == POINTS
    copy.change("kernel.py", "return -(t.failed_points[bid] +", "return -(50 + t.failed_points[bid] +")
    assert (dearer := copy.run())["points"] == [-56, -56, -56, -56, 4, 5, 6]
    copy.change("kernel.py", "if tricks < t.bid_tricks[bid]:", "if tricks <= t.bid_tricks[bid]:")
    assert (harder := copy.run())["points"] == [-56, -56, -56, -56, -56, 5, 6]
    assert (dearer["hits"], harder["hits"], len(list(copy.cache.iterdir()))) == (0, 0, 3)


def test_a_cache_folder_that_cannot_be_made_is_done_without(copy: Copy) -> None:
    """Nothing is cached then, least of all beside the sources, where stale rules would lie in wait."""
    folder = copy.cache / "a file"
    folder.write_text("")
    assert copy.run(BIGPEPPER_CACHE=str(folder))["points"] == POINTS
    assert cached(copy.folder.parent) == []


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are POSIX")
def test_a_disk_that_is_full_stops_nothing(copy: Copy) -> None:
    """Files may be made, but not a byte be written to them."""
    assert copy.run("--full")["points"] == POINTS
    assert cached(copy.folder.parent) == []


def test_folders_unused_for_30_days_are_removed(cache_folder: Path) -> None:
    def made(name: str, days: float) -> Path:
        folder = cache_folder / name
        folder.mkdir()
        (folder / "walk.nbi").write_text("")
        os.utime(folder, (time.time() - days * 86_400,) * 2)
        return folder

    old, young, other = made("a" * 32, 31), made("b" * 32, 29), made("not-ours", 400)
    file = cache_folder / ("c" * 32)
    file.write_text("")
    os.utime(file, (0, 0))
    assert add_one(41) == 42
    assert not old.exists()
    assert young.exists()
    assert other.exists()
    assert file.exists()
    (new,) = (folder for folder in cache_folder.iterdir() if folder not in (young, other, file))
    assert len(new.name) == 32
    assert cached(new)


@entry
def add_one(n: int) -> int:
    """The smallest entry."""
    return n + 1


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {"BIGPEPPER_CACHE": "chosen"}, "chosen"),
        ("linux", {"XDG_CACHE_HOME": "xdg"}, "xdg/bigpepper"),
        ("linux", {}, "home/.cache/bigpepper"),
        ("darwin", {}, "home/Library/Caches/bigpepper"),
        ("win32", {"LOCALAPPDATA": "local"}, "local/bigpepper"),
        ("win32", {}, "home/AppData/Local/bigpepper"),
    ],
)
def test_where_the_cache_is(
    platform: str, environment: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("BIGPEPPER_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(Path, "home", lambda: Path("home"))
    monkeypatch.setattr(sys, "platform", platform)
    assert user_cache() == Path(folder)
