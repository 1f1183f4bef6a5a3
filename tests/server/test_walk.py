"""An evening at a table, by forms alone as a browser without scripts sends them: every button once."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from bigpepper import notation
from bigpepper.server.fairness import verify
from server.app_serving import Serving, browser, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server for all tests of this file."""
    with serving(tmp_path_factory.mktemp("walk")) as running:
        yield running


REFUSED = 0
"""Some status from 400 on, with a sentence on the page."""


class Person:
    """Somebody with a browser."""

    def __init__(self, url: str, name: str) -> None:
        self.http = browser(url)
        self.http.follow_redirects = True
        self.http.headers["origin"] = url
        self.page = ""
        self.table = ""
        self.send("/me/name", name=name)

    def send(self, path: str, status: int = 200, **fields: object) -> str:
        """Send a form; what comes is the page."""
        answer = self.http.post(path, data={key: str(value) for key, value in fields.items()})
        return self._got(answer, status)

    def get(self, path: str, status: int = 200) -> str:
        """Ask for a page."""
        return self._got(self.http.get(path), status)

    def _got(self, answer: httpx.Response, status: int) -> str:
        assert answer.status_code == status if status != REFUSED else 400 <= answer.status_code < 500, answer.text
        self.page = answer.text
        found = re.search(r"/t/([0-9a-f]{24})", str(answer.url))
        self.table = found.group(1) if found else self.table
        return self.page

    def do(self, what: str, status: int = 200, **fields: object) -> str:
        """Press a button of the table."""
        return self.send(f"/t/{self.table}/{what}", status, **fields)

    def look(self) -> str:
        """Look at the table."""
        return self.get(f"/t/{self.table}")

    @property
    def n(self) -> int:
        """The step that the page is about."""
        return int((re.search(r'name="n" value="(\d+)"', self.page) or pytest.fail("no form"))[1])

    def actions(self) -> list[str]:
        """What the page offers to do."""
        return re.findall(r'name="action" value="([^"]+)"', self.look())


def table_of(url: str) -> tuple[Person, Person, str]:
    """A private table that Anna has set up, with Bert on the other seat, and its code."""
    anna, bert = Person(url, "Anna"), Person(url, "Bert")
    anna.send("/new/pepper-2", seat0="me", seat1="open", target=8, clock="60")
    code = re.search(r'big-code">(\w+)<', anna.page)
    assert code is not None
    bert.send("/join", code=f" {code[1].lower()} ")
    bert.do("take", seat=1, code=code[1])
    return anna, bert, code[1]


def play(people: list[Person], most: int = 2_000) -> None:
    """Play until the game is over: the lowest bid where nobody has bid, and any card."""
    for _ in range(most):
        for person in people:
            actions = person.actions()
            if "finished" in re.findall(r'class="table (\w+)', person.page):
                return
            if actions:
                bid = "pass" in actions and "Nobody has bid yet" in person.page
                wanted = [action for action in actions if action != "pass"] if bid else ["pass"]
                chosen = wanted[-1] if bid else "pass" if "pass" in actions else actions[0]
                person.do("act", n=person.n, action=chosen)
    raise AssertionError("the game does not end")


def test_before_the_start(server: Serving) -> None:
    anna, bert, code = table_of(server.url)
    stranger = Person(server.url, "Carl")
    assert "private" in stranger.get(f"/t/{anna.table}", 403)
    assert "No table has this invite code" in stranger.get("/join/WRONG", 404)
    assert "Bert" in anna.look()
    anna.do("lock", on="true")
    bert.do("leave")
    stranger.get(f"/join/{code}")
    assert "locked" in stranger.do("take", REFUSED, seat=1, code=code)
    anna.do("lock", on="false")
    assert "you" in stranger.do("take", seat=1, code=code)
    assert "Only the host" in stranger.do("start", REFUSED) or "host" in stranger.page
    anna.do("remove", seat=1)
    assert "taken you off" in stranger.do("take", REFUSED, seat=1, code=code)
    bert.get(f"/join/{code}")
    bert.do("take", seat=1, code=code)
    anna.do("swap", a=0, b=1)
    assert re.search(r"<strong>Bert</strong>.*<strong>Anna</strong>", anna.look(), re.DOTALL)
    anna.do("clock", seconds="")
    anna.do("visibility", public="true")
    assert anna.table in stranger.get("/tables")
    anna.do("visibility", public="false")
    assert anna.table not in stranger.get("/tables")
    bert.do("seed", word="pepper")
    assert "a word is in" in bert.page
    assert "Good luck!" in bert.do("say", phrase="good-luck")
    anna.do("start")
    assert "has begun" in anna.do("swap", REFUSED, a=0, b=1)


def test_a_game_with_pause_undo_and_rematch(server: Serving) -> None:
    anna, bert, _ = table_of(server.url)
    anna.do("start")
    first, other = (anna, bert) if anna.actions() else (bert, anna)
    assert 'role="timer"' in first.look()
    first.do("pause")
    assert "rests" in first.look()
    assert first.do("act", REFUSED, n=0, action="pass")
    other.do("resume")
    first.look()
    first.do("act", n=first.n, action="1")
    first.do("undo", n=first.n)
    assert "asks to take back" in other.look()
    other.do("answer_undo", n=other.n, yes="true")
    assert "1" in first.actions()
    first.do("act", n=first.n, action="1")
    assert first.do("act", REFUSED, n=first.n - 1, action="1")
    play([anna, bert])
    assert "practice" in anna.look()
    record = notation.loads(anna.http.get(f"/api/tables/{anna.table}/record.pep").text)
    assert verify(record) == len(record.rounds)
    assert "follow" in anna.send("/verify", record=notation.dumps(record)) or "rounds" in anna.page
    assert anna.table in anna.get("/games")
    assert "Pepper for two" in anna.get("/me")
    bert.do("rematch")
    anna.do("start")
    assert anna.look().count("round 1")
    anna.do("abandon")
    assert "given up" in bert.look()


def test_one_is_the_same_on_another_device_and_can_go(server: Serving) -> None:
    anna, bert, _ = table_of(server.url)
    phone = Person(server.url, "Phone")
    code = re.search(r'big-code">(\w+)<', anna.send("/me/transfer"))
    assert code is not None
    assert 'value="Anna"' in phone.send("/me/redeem", code=code[1])
    assert "you" in phone.get(f"/t/{anna.table}")
    assert "used up" in bert.send("/me/redeem", 404, code=code[1])
    data = anna.http.get("/me/export.json").json()
    assert (data["name"], [table["table"] for table in data["tables"]]) == ("Anna", [anna.table])
    assert "Everything about you is deleted" in anna.send("/me/delete")
    assert "Anna" not in bert.get(f"/t/{bert.table}")
    assert "No e-mail" in anna.get("/privacy")
