"""Players: ids that say nothing, names that can be erased, tokens that are kept hashed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from bigpepper.server.cases import Who
from bigpepper.server.people import CODE_LETTERS, TRANSFER_TIME, InvalidName, People, checked_name, code_of
from bigpepper.server.schema import METADATA
from bigpepper.server.store import Store
from server.databases import KINDS, Time, bytes_of, url_of

every_database = pytest.mark.parametrize("kind", KINDS)


def run(kind: str, folder: Path, test: Callable[[People, Time], Awaitable[None]]) -> None:
    async def opened() -> None:
        store, time = await Store.open(await url_of(kind, folder)), Time()
        try:
            await test(People(store.database, time.now, bytes_of(1)), time)
        finally:
            await store.close()

    asyncio.run(opened())


@every_database
def test_names_stand_beside_ids_and_can_be_changed_and_erased(kind: str, tmp_path: Path) -> None:
    async def test(people: People, time: Time) -> None:
        anna, guest = await people.new("  Anna   Z. "), await people.new()
        assert len(anna.player) == 32
        assert anna.player != guest.player
        assert await people.names([anna.player, guest.player, "nobody"]) == {anna.player: "Anna Z."}
        assert await people.rename(anna.player, "Ana") == "Ana"
        assert await people.names([anna.player]) == {anna.player: "Ana"}
        assert await people.find(anna.player) == anna
        await people.erase(anna.player)
        assert await people.names([anna.player]) == {}
        assert await people.find(anna.player) is None
        assert await people.find(guest.player) == guest

    run(kind, tmp_path, test)


@every_database
def test_a_token_makes_a_program_a_player_and_is_kept_hashed(kind: str, tmp_path: Path) -> None:
    async def test(people: People, time: Time) -> None:
        who = await people.new("robot", program=True)
        token = await people.new_token(who.player)
        assert await people.of_token(token) == Who(who.player, program=True)
        assert await people.of_token(token[:-1]) is None
        code = await people.transfer_code(who.player)
        assert await people.of_token(code) is None
        for table in METADATA.sorted_tables:
            rows = await people._database.read(lambda connection, table=table: connection.execute(select(table)).all())  # type: ignore[misc]
            assert token not in str(rows)
            assert code not in str(rows)
        await people.erase(who.player)
        assert await people.of_token(token) is None

    run(kind, tmp_path, test)


@every_database
def test_a_code_for_another_device_is_good_once_and_not_for_long(kind: str, tmp_path: Path) -> None:
    async def test(people: People, time: Time) -> None:
        anna = await people.new("Anna")
        code = await people.transfer_code(anna.player)
        assert await people.redeem("WRONG") is None
        typed = f" {code[:5].lower()}-{code[5:]} "
        assert sorted(await asyncio.gather(*(people.redeem(typed) for _ in range(4))), key=bool) == [None] * 3 + [anna]
        late = await people.transfer_code(anna.player)
        time.ms += TRANSFER_TIME + 1
        assert await people.redeem(late) is None
        token = await people.new_token(anna.player)
        assert await people.redeem(token) is None

    run(kind, tmp_path, test)


@every_database
def test_players_who_are_not_seen_any_more_are_pruned(kind: str, tmp_path: Path) -> None:
    async def test(people: People, time: Time) -> None:
        old, young = await people.new("Old"), await people.new("Young")
        token = await people.new_token(old.player)
        time.ms += 40 * 86_400_000
        assert await people.find(young.player) == young
        assert await people.prune(time.ms - 30 * 86_400_000) == 1
        assert await people.names([old.player, young.player]) == {young.player: "Young"}
        assert await people.of_token(token) is None

    run(kind, tmp_path, test)


@every_database
def test_a_key_is_made_once_and_kept(kind: str, tmp_path: Path) -> None:
    async def test(people: People, time: Time) -> None:
        keys = await asyncio.gather(*(people.secret_key("cookies") for _ in range(4)))
        assert len(set(keys)) == 1
        assert len(keys[0]) == 32
        assert await people.secret_key("other") != keys[0]
        assert await people.secret_key("cookies") == keys[0]

    run(kind, tmp_path, test)


@pytest.mark.parametrize("name", ["Anna", "Zoë", "Дядо Коле́", "小明", "O'Hara-Smith Jr.", "r2_d2", "x" * 24, "अनिता"])
def test_names_of_all_scripts_are_taken(name: str) -> None:
    assert checked_name(f"  {name} ") == name


WRONG = [
    "",
    "   ",
    "x" * 25,
    "<b>",
    "a\u202eb",
    "a\x00b",
    "a\nb\tc\x7f",
    "😀",
    "...",
    "a\u200bb",
    "a" + "\u0301" * 4,
    '"',
    "&",
]


@pytest.mark.parametrize("name", WRONG)
def test_names_that_nobody_can_have_are_refused(name: str) -> None:
    with pytest.raises(InvalidName):
        checked_name(name)


def test_codes_are_of_letters_that_are_not_mistaken() -> None:
    code = code_of(range(256))
    assert set(code) == set(CODE_LETTERS)
    assert not set(code) & set("01OIL")
