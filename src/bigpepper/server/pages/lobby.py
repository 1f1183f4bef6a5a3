"""The pages before a table: home, setting one up, joining one, lists of tables."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from bigpepper import explain
from bigpepper.cards import Card
from bigpepper.errors import InvalidRules
from bigpepper.rules import Rules
from bigpepper.server.api_tables import spend_table
from bigpepper.server.cases import Refusal
from bigpepper.server.commands import Create, Start
from bigpepper.server.facts import STAND_IN
from bigpepper.server.identity import Identity, Visitor
from bigpepper.server.pages.asking import AskedBy, Game, fields, games, listed, root, rulebook
from bigpepper.server.pages.cards import card_art
from bigpepper.server.pages.house import house, with_house_rules
from bigpepper.server.pages.render import go, page
from bigpepper.server.pages.words import WORDS
from bigpepper.server.problems import Problem, refused
from bigpepper.server.seen import PEPPERS
from bigpepper.server.service import Service
from bigpepper.server.table import TABLE_BOTS
from bigpepper.text import Message, msg, msgn

Visiting = NamedDependency[Visitor]
Serving = NamedDependency[Service]
Identifying = NamedDependency[Identity]
CLOCKS: Final = (15, 30, 60, 120, 300)
"""Seconds that a turn clock can be set to on a form."""
_FAN: Final = ("JO", "JH", "JD", "AS")
_MOST_GOING: Final = 5


@get("/", include_in_schema=False)
async def home(service: Serving, visitor: Visiting) -> Response[str]:
    """The home page: play at once, tables, going on."""
    mine = await service.store.tables_of(visitor.player, _MOST_GOING) if visitor.player else []
    return page(
        "home.html",
        visitor,
        title=WORDS["home"],
        fan=[card_art(Card(text)) for text in _FAN],
        games=games(),
        going=listed(head for head in mine if head.phase != "finished"),
        tables=listed(await service.store.public_tables(10)),
        empty=WORDS["no_public"],
    )


@post("/play", include_in_schema=False)
async def play(request: AskedBy, service: Serving, identity: Identifying, visitor: Visiting) -> Response[Any]:
    """Set up a table with bots on all other seats, and begin."""
    rules = rulebook((await fields(request)).get("rules", ""))
    command = Create(rules=rules.name, seats=("me", *(STAND_IN,) * (rules.players - 1)))
    table_id = await _set_up(service, identity, visitor, command)
    await service.do(table_id, visitor.known(), Start(), visitor.language)
    return go(f"/t/{table_id}")


async def _set_up(service: Service, identity: Identity, visitor: Visitor, command: Create) -> str:
    spend_table(identity, visitor)
    table = await service.create(await visitor.sure(), command)
    if isinstance(table, Refusal):
        raise refused(table.code, table.message)
    return table.facts.id


# --- a table of one's own -------------------------------------------------------------------------------------------


@get("/new", include_in_schema=False, sync_to_thread=False)
def new(visitor: Visiting) -> Response[str]:
    """Which game to set up."""
    choice = explain.HASENPFEFFER_CHOICE
    return page("new.html", visitor, title=WORDS["make_table"], games=games(), choice=choice)


@get("/new/{name:str}", include_in_schema=False, sync_to_thread=False)
def new_table(name: FromPath[str], visitor: Visiting) -> Response[str]:
    """Setting up a table of one rulebook."""
    return _new_table(rulebook(name), visitor)


def _new_table(rules: Rules, visitor: Visitor, *, notice: Message | None = None) -> Response[str]:
    lines = explain.setup_lines(rules)
    return page(
        "new_table.html",
        visitor,
        status=200 if notice is None else 400,
        notice=notice,
        title=explain.title(rules),
        rules=rules,
        lines=lines,
        relatives=_relatives(rules) if explain.HASENPFEFFER_CHOICE in lines else (),
        seats=[
            {"number": number, "label": msg("Seat {n}", n=number + 1), "chosen": "open" if number else "me"}
            for number in range(rules.players)
        ],
        kinds=[("me", WORDS["me"]), ("open", WORDS["open"]), *bot_choices()],
        clocks=clock_choices(),
        house=house(rules),
    )


def _relatives(rules: Rules) -> list[Game]:
    """The other forms of the same game."""
    return [game for game in games() if game.name != rules.name and root(rulebook(game.name)) == root(rules)]


def bot_choices() -> list[tuple[str, Message]]:
    """The bots that may sit at a table, mildest first."""
    return [(name, msg("{pepper} (bot)", pepper=PEPPERS.get(name, name))) for name in TABLE_BOTS]


def clock_choices() -> list[tuple[str, Message]]:
    """The turn clocks to choose from."""
    seconds = [(str(n), msgn("one second a turn", "{n} seconds a turn", n)) for n in CLOCKS]
    return [("", WORDS["no_clock"]), *seconds]


@post("/new/{name:str}", include_in_schema=False)
async def make(
    name: FromPath[str], request: AskedBy, service: Serving, identity: Identifying, visitor: Visiting
) -> Response[Any]:
    """Set up the table that the form describes."""
    given = await fields(request)
    rules = rulebook(name)
    try:
        command = _command(rules, given)
        table_id = await _set_up(service, identity, visitor, command)
    except Problem as problem:
        if problem.status not in (400, 409):
            raise
        return _new_table(rules, visitor, notice=problem.message)
    return go(f"/t/{table_id}")


def _command(rules: Rules, given: dict[str, str]) -> Create:
    own = given.get("toml", "").strip()
    try:
        chosen = Rules.from_toml(own) if own else with_house_rules(rules, given)
    except InvalidRules as error:
        raise Problem(400, "wrong_rules", error.message) from None
    seats = [given.get(f"seat{number}", "open")[:64] for number in range(chosen.players)]
    clock = given.get("clock", "")
    return Create(
        rules=chosen.name if chosen == rules else rules.name,
        toml=None if chosen == rules else chosen.to_toml(),
        seats=tuple(seats),
        public=given.get("public") == "yes",
        clock=int(clock) if clock in map(str, CLOCKS) else None,
    )


# --- other tables ---------------------------------------------------------------------------------------------------


@post("/join", include_in_schema=False)
async def join_by_form(request: AskedBy) -> Response[Any]:
    """To the table of a code that was typed."""
    code = "".join(letter for letter in (await fields(request)).get("code", "") if letter.isalnum())
    return go(f"/join/{code[:64] or '-'}")


@get("/join/{code:str}", include_in_schema=False)
async def join(code: FromPath[str], service: Serving, identity: Identifying, visitor: Visiting) -> Response[Any]:
    """To the table of an invite code."""
    identity.check_guesses(visitor.address)
    code = code[:64].strip().upper()
    table_id = await service.store.table_of_code(code)
    if table_id is None:
        identity.gauges.guesses.spend(visitor.address, identity.clock())
        raise Problem(404, "no_such_code", msg("No table has this invite code."))
    return go(f"/t/{table_id}?code={code}")


@get("/tables", include_in_schema=False)
async def tables(service: Serving, visitor: Visiting) -> Response[str]:
    """The public tables."""
    found = listed(await service.store.public_tables())
    empty, title = WORDS["no_public"], WORDS["public_tables"]
    more = {"href": "/new", "label": WORDS["make_table"]}
    return page("tables.html", visitor, title=title, tables=found, empty=empty, more=more)


@get("/games", include_in_schema=False)
async def my_games(service: Serving, visitor: Visiting) -> Response[str]:
    """The tables at which the visitor has sat."""
    found = listed(await service.store.tables_of(visitor.player)) if visitor.player else ()
    empty, title = WORDS["no_games"], WORDS["my_games"]
    more = {"href": "/me", "label": WORDS["statistics"]}
    return page("tables.html", visitor, title=title, tables=found, empty=empty, more=more)


routes: Final = [home, play, new, new_table, make, join_by_form, join, tables, my_games]
