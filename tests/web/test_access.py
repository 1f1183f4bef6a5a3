"""The pages for everybody: by keyboard alone, without scripts, for screen readers, on a small phone, in the dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from web.browsing import DESKTOP, SMALL, Check, Visit
from web.player import Player

PAGES = (
    "/",
    "/new",
    "/new/hasenpfeffer",
    "/tables",
    "/games",
    "/me",
    "/rules",
    "/rules/pepper-4",
    "/verify",
    "/privacy",
)
LOOKS = [(SMALL, False), (DESKTOP, True)]
_NAMES = ("small light", "desktop dark")


@pytest.mark.parametrize(("size", "dark"), LOOKS, ids=_NAMES)
def test_pages_to_read(size: tuple[int, int], dark: bool, visit: Visit, accessible: Check) -> None:
    page = visit(size, dark=dark)
    for path in PAGES:
        page.goto(path)
        for closed in page.locator("details").all():
            closed.evaluate("one => { one.open = true; }")
        accessible(page)
    page.goto("/there/is/nothing")
    assert page.get_by_role("heading", name="There is nothing here.").is_visible()
    accessible(page)


@pytest.mark.parametrize(("size", "dark"), LOOKS, ids=_NAMES)
def test_oneself(size: tuple[int, int], dark: bool, visit: Visit, accessible: Check) -> None:
    page = visit(size, dark=dark)
    page.goto("/me")
    page.get_by_role("textbox", name="Your name").fill("Ålesund <b>")
    page.get_by_role("button", name="Save").click()
    assert "letters, digits" in page.get_by_role("alert").inner_text()
    accessible(page)
    page.get_by_role("textbox", name="Your name").fill("Zoë")
    page.get_by_role("button", name="Save").click()
    assert page.get_by_role("textbox", name="Your name").input_value() == "Zoë"
    page.get_by_label("four colours").check()
    page.get_by_role("button", name="Show them so").click()
    assert page.locator("html.four").count() == 1
    assert page.get_by_label("four colours").is_checked()
    page.get_by_role("button", name="Get a code").click()
    code = page.locator(".big-code").inner_text()
    accessible(page)
    other = visit(size, dark=dark)
    other.goto("/me")
    other.get_by_label("I have a code from my other device").fill(code)
    other.get_by_role("button", name="Be the same player here").click()
    assert other.get_by_role("textbox", name="Your name").input_value() == "Zoë"
    other.locator("summary", has_text="Delete my data").click()
    other.get_by_role("button", name="Yes, delete everything about me").click()
    assert "deleted" in other.get_by_role("alert").inner_text()
    page.goto("/me")
    assert page.get_by_role("textbox", name="Your name").input_value() == ""


@pytest.mark.parametrize(("size", "dark"), LOOKS, ids=_NAMES)
def test_every_phase_of_a_table(size: tuple[int, int], dark: bool, visit: Visit, accessible: Check) -> None:
    player = Player(visit(size, dark=dark), bold=True)
    page = player.page
    page.goto("/new/hasenpfeffer-traditional")
    page.get_by_role("button", name="Set up the table").click()
    for closed in page.locator("details").all():
        closed.evaluate("one => { one.open = true; }")
    accessible(page)
    for _ in range(3):
        page.locator("button[name=name][value=novice]").first.click()
    page.get_by_role("button", name="Start the game").click()
    seen: set[str] = set()
    wanted = {"auction", "naming", "sure", "play", "lead", "result"}
    for _ in range(600):
        player.wait()
        phase = _phase(page)
        if phase not in seen:
            accessible(page)
            seen.add(phase)
        if seen >= wanted:
            break
        if player.over:
            player.again()
        else:
            player.act()
    assert seen >= wanted


def _phase(page: Page) -> str:
    """What is shown, in a word."""
    found = (
        (".ask a.button", "sure"),
        (".result", "result"),
        (".ladder", "auction"),
        (".choices.n8", "naming"),
        (".choices", "answer"),
        (".widow", "discard"),
        (".trick:not(.taken)", "play"),
    )
    return next((name for selector, name in found if page.locator(selector).count()), "lead")


def test_by_keyboard_alone(visit: Visit) -> None:
    page = visit()
    player = Player(page)
    page.goto("/")
    _tab_to(page, lambda text: "Pepper for four" in text)
    page.keyboard.press("Enter")
    next_round = page.locator("h1", has_text="round 2")
    for _ in range(60):
        player.wait()
        if next_round.count() or player.over:
            return
        before = player.step
        wanted = player.next().inner_text().split("\n")[0]
        _tab_to(page, lambda text, wanted=wanted: wanted in text)
        page.keyboard.press("Enter")
        page.wait_for_function("seq => document.getElementById('table').dataset.seq > seq", arg=before)
    raise AssertionError("the round does not end")


def _tab_to(page: Page, fits: object) -> None:
    """Press Tab until what has the focus fits; it is always visible."""
    assert callable(fits)
    for _ in range(80):
        page.keyboard.press("Tab")
        text = str(page.evaluate("document.activeElement.innerText || ''"))
        if fits(text):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none"
            return
    raise AssertionError("Tab never gets there")


def test_without_scripts(visit: Visit) -> None:
    player = Player(visit(SMALL, script=False))
    page = player.page
    player.play_now("pepper-2")
    for _ in range(80):
        if page.locator("h1", has_text="round 2").count() or player.over:
            return
        if page.locator(".dock.yours").count():
            player.act()
        else:
            page.get_by_role("link", name="Refresh").click()
    raise AssertionError("the round does not end")


def test_a_table_of_friends(visit: Visit, accessible: Check) -> None:
    """Set up, invite, sit down, change places, add a word, speak, begin, watch: two people and a spectator."""
    host, guest, watcher = visit(), visit(SMALL), visit()
    host.goto("/new/pepper-2")
    host.get_by_label("Everybody: it stands in the list").check()
    host.get_by_role("button", name="Set up the table").click()
    link, code = host.locator("#link").input_value(), host.locator(".big-code").inner_text()
    guest.goto("/")
    guest.get_by_label("Invite code").fill(code.lower())
    guest.get_by_role("button", name="Join", exact=True).click()
    accessible(guest)
    guest.get_by_role("button", name="Sit down here").click()
    host.get_by_role("button", name="Start the game").wait_for()  # the host's page has followed by itself
    guest.locator("summary", has_text="Say something").click()
    guest.get_by_role("button", name="Good luck!").click()
    host.locator(".talk li", has_text="Guest 2: Good luck!").wait_for()
    guest.locator("summary", has_text="Fair deals").click()
    guest.get_by_label("A word of yours").fill("pepper")
    guest.get_by_role("button", name="Add the word").click()
    assert guest.get_by_text("a word is in").is_visible()
    assert not guest.get_by_role("button", name="Start the game").count()
    host.get_by_role("button", name="Change places").click()
    guest.locator(".seats li").first.get_by_text("you", exact=True).wait_for()
    host.get_by_role("button", name="Start the game").click()
    host.locator(".dock").wait_for()
    watcher.goto(link)
    watcher.get_by_text("You are watching.").wait_for()
    assert not watcher.locator(".hand").count()
    accessible(watcher)
    guest.locator(".dock").wait_for()
    players = [Player(host), Player(guest)]
    _refused_out_of_turn(players, accessible)


def _refused_out_of_turn(players: list[Player], accessible: Check) -> None:
    """A form that comes too late is refused in a sentence, and changes nothing."""
    quick = next(player for player in players if player.page.locator(".dock.yours").count())
    tab = Player(quick.page.context.new_page())
    tab.page.route("**/table.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    tab.page.goto(quick.page.url)
    quick.act()
    quick.page.wait_for_load_state()
    tab.next().click()
    assert tab.page.get_by_role("alert").first.is_visible()
    accessible(tab.page)
