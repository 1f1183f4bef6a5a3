"""The JSON API of a real server: who one is, tables, records, one's data; and what is turned away."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from time import monotonic

import httpx
import pytest
from msgspec.structs import replace

from bigpepper import notation
from bigpepper.server import fairness
from bigpepper.server.security import HEADERS
from server.app_client import finish, new_table, pair, started, step
from server.app_serving import FREE, PATIENCE, Serving, bearer, browser, guest, process, program, serving, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server for all tests of this file."""
    with serving(tmp_path_factory.mktemp("http")) as running:
        yield running


def problem(answer: httpx.Response) -> tuple[int, str]:
    """The status and code of a refusal, which has to have a sentence too."""
    body = answer.json()
    assert len(body["message"]) > 10, body
    return answer.status_code, body["code"]


# --- who one is -----------------------------------------------------------------------------------------------------


def test_a_guest_is_known_again_and_can_change_his_name(server: Serving) -> None:
    client = browser(server.url)
    assert client.get("/api/me").json()["known"] is False
    answer = client.post("/api/me", json={"name": "  Žofie   O'Hara "})
    cookie = answer.headers["set-cookie"]
    assert re.fullmatch(r"bp=[\w.]+; Path=/; Max-Age=\d+; HttpOnly; SameSite=Lax", cookie)
    assert client.get("/api/me").json() == {"known": True, "name": "Žofie O'Hara", "program": False}
    assert client.patch("/api/me", json={"name": "Zoe"}).json()["name"] == "Zoe"
    assert "set-cookie" not in client.get("/api/me").headers


def test_over_https_the_cookie_is_bound_to_the_host(server: Serving) -> None:
    behind = {"X-Forwarded-Proto": "https"}
    with httpx.Client(base_url=server.url, headers=behind) as client:
        answer = client.post("/api/me", json={})
        name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
        assert name == "__Host-bp"
        assert "Secure" in answer.headers["set-cookie"]
        assert answer.headers["strict-transport-security"]
        assert client.get("/api/me", headers={"Cookie": f"__Host-bp={value}"}).json()["known"] is True
        assert client.get("/api/me", headers={"Cookie": f"bp={value}"}).json()["known"] is False


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "<b>", "a\u202eb", "💥", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A", "…"])
def test_names_that_nobody_can_have(server: Serving, name: str) -> None:
    assert problem(guest(server.url).patch("/api/me", json={"name": name}))[0] == 400


def test_a_code_makes_another_device_the_same_player_once(server: Serving) -> None:
    one, other, third = guest(server.url, "Carl"), browser(server.url), browser(server.url)
    code = one.post("/api/me/transfer").json()["code"]
    typed = f" {code[:5].lower()}-{code[5:]} "
    assert other.post("/api/transfer", json={"code": typed}).json()["name"] == "Carl"
    assert other.get("/api/me").json()["name"] == "Carl"
    assert problem(third.post("/api/transfer", json={"code": code})) == (404, "no_such_code")


def test_who_is_nobody_is_told_so(server: Serving) -> None:
    for path in ("export", "games", "statistics"):
        assert problem(browser(server.url).get(f"/api/me/{path}"))[0] == 401
    assert problem(httpx.get(f"{server.url}/api/me", headers=bearer("wrong"))) == (401, "bad_token")


# --- tables ---------------------------------------------------------------------------------------------------------


def test_public_tables_are_listed_and_private_ones_are_for_the_invited(server: Serving) -> None:
    token = program(server.url)
    public = new_table(server.url, token, rules="tiny", public=True)
    private = new_table(server.url, token, rules="tiny")
    stranger = browser(server.url)
    listed = {table["table"] for table in stranger.get("/api/tables").json()}
    assert public["table"] in listed
    assert private["table"] not in listed
    assert stranger.get(f"/api/tables/{public['table']}").json()["type"] == "snapshot"
    path = f"/api/tables/{private['table']}"
    assert problem(stranger.get(path)) == (403, "not_invited")
    assert stranger.get(f"{path}?code={private['code']}").json()["table"]["id"] == private["table"]
    assert stranger.get(f"/api/invites/{private['code'].lower()}").json() == {"table": private["table"]}
    assert problem(stranger.get("/api/invites/NOTHING")) == (404, "no_such_code")
    assert private["url"] == f"{server.url}/join/{private['code']}"


def test_a_game_can_be_played_by_asking_alone(server: Serving) -> None:
    tokens = [program(server.url), program(server.url)]
    made = new_table(server.url, tokens[0], rules="tiny", seats=["me"])
    path = f"{server.url}/api/tables/{made['table']}"

    def tell(who: int, **command: object) -> httpx.Response:
        return httpx.post(f"{path}/commands", json=command, headers=bearer(tokens[who]))

    assert tell(1, type="take", seat=1, code=made["code"]).json()["type"] == "done"
    assert problem(tell(1, type="start")) == (403, "not_host")
    seq = tell(0, type="start").json()["seq"]
    views = [httpx.get(path, headers=bearer(token)).json() for token in tokens]
    assert [view["seq"] for view in views] == [seq, seq]
    seat = next(seat for seat, view in enumerate(views) if view["observation"]["legal"])
    assert problem(tell(1 - seat, type="act", n=0, action="pass")) == (409, "not_your_turn")
    done = tell(seat, type="act", n=0, action=views[seat]["observation"]["legal"][0]).json()
    missed = httpx.get(f"{path}/events?since={seq}&wait=1", headers=bearer(tokens[1 - seat])).json()
    assert [(frame["kind"], frame["seq"]) for frame in missed] == [("acted", seq + 1)]
    assert done["seq"] == seq + 1
    assert httpx.get(f"{path}/events?since={seq + 1}", headers=bearer(tokens[0])).json() == []


def test_asking_for_events_waits_until_something_happens(server: Serving) -> None:
    table, players = started(server.url)
    path = f"{server.url}/api/tables/{table['table']}/events?since={players[0].seq}&wait="
    header = bearer(players[1].token or "")
    before = monotonic()
    assert httpx.get(f"{path}1", headers=header, timeout=PATIENCE).json() == []
    assert monotonic() - before >= 1, "it has waited"
    live = server.server.service.live
    watching = live.watchers
    with ThreadPoolExecutor(1) as other:
        asked = other.submit(httpx.get, f"{path}25", headers=header, timeout=PATIENCE)
        until(lambda: live.watchers > watching)
        assert not asked.done()
        seq = players[0].do("say", phrase="hello")
        frames = asked.result(PATIENCE).json()
    assert [(frame["type"], frame["kind"], frame["seq"]) for frame in frames] == [("event", "said", seq)]


def test_whoever_waits_counts_as_a_socket(tmp_path: Path) -> None:
    with serving(tmp_path, replace(FREE, factor=1, sockets_per_address=2)) as server:
        table, players = started(server.url)
        path = f"{server.url}/api/tables/{table['table']}/events?since={players[0].seq}"
        header = bearer(players[0].token or "")
        assert problem(httpx.get(f"{path}&wait=1", headers=header)) == (429, "too_fast")
        assert httpx.get(path, headers=header).json() == []


def test_the_suits_are_shown_in_four_colours_on_request(server: Serving) -> None:
    client = browser(server.url)
    client.headers["origin"] = server.url
    assert '<html lang="en">' in client.get("/").text
    assert client.post("/me/suits", data={"suits": "four"}, follow_redirects=True).status_code == 200
    assert '<html lang="en" class="four">' in client.get("/").text
    client.post("/me/suits", data={"suits": "two"})
    assert '<html lang="en">' in client.get("/").text


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"rules": "nonsense"}, "wrong_rules"),
        ({"toml": "players = 17"}, "wrong_rules"),
        ({"seats": ["me", "deep-blue"]}, "no_such_bot"),
        ({"seats": ["me", "me"]}, "no_such_seat"),
        ({"clock": 1}, "bad_message"),
        ({"surprise": 1}, "bad_message"),
        ([], "bad_message"),
        (None, "bad_message"),
    ],
)
def test_tables_that_cannot_be(server: Serving, body: object, code: str) -> None:
    answer = httpx.post(f"{server.url}/api/tables", json=body, headers=bearer(program(server.url)))
    assert problem(answer) == (400, code)


# --- records and data -----------------------------------------------------------------------------------------------


def test_a_finished_game_is_downloaded_verified_and_counted(server: Serving) -> None:
    table, players = started(server.url)
    finish(players, Random(3))
    token = players[0].token or ""
    client = browser(server.url)
    client.headers.update(bearer(token))
    path = f"/api/tables/{table['table']}/record"
    pep, as_json = client.get(f"{path}.pep"), client.get(f"{path}.json")
    assert "attachment" in pep.headers["content-disposition"]
    record = notation.loads(pep.text)
    assert notation.from_json(as_json.content) == record
    rounds = fairness.verify(record)
    assert client.post("/api/verify", json={"record": pep.text}).json() == {"rounds": rounds}
    assert client.post("/api/verify", json={"record": as_json.text}).json() == {"rounds": rounds}
    forged = re.sub(r"Secret: ..", lambda found: f"Secret: {int(found[0][-2:], 16) ^ 1:02x}", pep.text)
    assert forged != pep.text
    assert problem(client.post("/api/verify", json={"record": forged}))[0] == 400
    counts = client.get("/api/me/statistics").json()
    assert [(one["rules"], one["rounds"]) for one in counts] == [("tiny", rounds)]
    assert [game["table"] for game in client.get("/api/me/games").json()] == [table["table"]]


def test_export_and_delete_mine(server: Serving) -> None:
    table, players = started(server.url)
    step(players, Random(4))
    token = players[0].token or ""
    client = browser(server.url)
    client.headers.update(bearer(token))
    data = client.get("/api/me/export").json()
    assert data["name"] == "One"
    assert [one["table"] for one in data["tables"]] == [table["table"]]
    assert "Hand 1: ? ?" in data["tables"][0]["record"]
    assert client.delete("/api/me").json()["known"] is False
    assert problem(client.get("/api/me")) == (401, "bad_token")
    while players[1].table["seats"][0]["kind"] != "open":
        players[1].receive()
    assert "One" not in json.dumps(players[1].table["seats"])


# --- what is turned away --------------------------------------------------------------------------------------------


def test_every_answer_carries_the_security_headers(server: Serving) -> None:
    for path in ("/api/me", "/health", "/nowhere", "/api/openapi.json"):
        answer = browser(server.url).get(path)
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS | {
            "cache-control": answer.headers["cache-control"]
        }
        assert "server" not in answer.headers
    assert browser(server.url).get("/api/me").headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Origin": "https://elsewhere.example"}, (403, "foreign_origin")),
        ({"Origin": "null"}, (403, "foreign_origin")),
        ({"Sec-Fetch-Site": "cross-site"}, (403, "foreign_origin")),
        ({"Host": "elsewhere.example"}, (421, "wrong_host")),
        ({"Host": "127.0.0.1.elsewhere.example"}, (421, "wrong_host")),
        ({"Host": "a@127.0.0.1"}, (421, "wrong_host")),
    ],
)
def test_foreign_pages_cannot_act_for_a_visitor(
    server: Serving, headers: dict[str, str], expected: tuple[int, str]
) -> None:
    client = guest(server.url)
    assert problem(client.patch("/api/me", json={"name": "Mallory"}, headers=headers)) == expected
    assert client.get("/api/me").json()["name"] == "Anna"


def test_our_own_pages_can(server: Serving) -> None:
    client = guest(server.url)
    headers = {"Origin": server.url, "Sec-Fetch-Site": "same-origin"}
    assert client.patch("/api/me", json={"name": "Ada"}, headers=headers).status_code == 200


def test_large_bodies_are_refused(server: Serving) -> None:
    client = guest(server.url)
    assert problem(client.patch("/api/me", json={"name": "x" * 100_000}))[0] == 413
    chunks = (b"x" * 1_000 for _ in range(100))
    assert problem(client.patch("/api/me", content=chunks, headers={"Content-Type": "application/json"}))[0] == 413


@pytest.mark.parametrize("path", ["/nowhere", "/api/nowhere", "/api/tables/x/y/z", "/%00", "/..%2f..%2fetc/passwd"])
def test_what_is_not_there(server: Serving, path: str) -> None:
    answer = browser(server.url).get(path)
    assert answer.status_code == 404


def test_health_says_how_it_is(server: Serving) -> None:
    pair(server.url)
    health = browser(server.url).get("/health").json()
    assert health["status"] == "ok"
    assert health["sockets"] >= 2


# --- the log --------------------------------------------------------------------------------------------------------


def test_the_log_tells_no_card_no_name_no_code(tmp_path: Path) -> None:
    with process(tmp_path, "--log", "debug") as running:
        client = guest(running.url, "Wilhelmina")
        table, players = started(running.url)
        hand = players[0].seen["hand"]
        finish(players, Random(5))
        client.get(f"/api/invites/{table['code']}")
        client.get(f"/api/tables/{table['table']}/record.pep?code={table['code']}")
        secrets = ["Wilhelmina", table["code"], players[0].token, players[0].table["proof"]["secret"], *hand]
        running.interrupt()
    lines = [json.loads(line) for line in running.log().splitlines()]
    routes = {line.get("route") for line in lines}
    assert {"/api/me", "/api/invites/{code}", "/api/tables/{table_id}/record.pep"} <= routes
    assert not [secret for secret in secrets if f'"{secret}"' in running.log() or f"{secret}?" in running.log()]
    assert not [secret for secret in secrets[:4] if str(secret) in running.log()]
