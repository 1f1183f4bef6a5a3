"""The pages for everybody: for screen readers, in every size and light, without scripts, among friends."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from web.browsing import DESKTOP, PAGES, SMALL, Check, Look, Visit, follow, looks
from web.player import Player


@looks
def test_pages_to_read(look: Look, visit: Visit, accessible: Check) -> None:
    page = visit(look.size, dark=look.dark)
    for path in PAGES:
        page.goto(path)
        _check_opened(page, accessible)


def _check_opened(page: Page, accessible: Check) -> None:
    """Check a page with everything on it opened."""
    for closed in page.locator("details").all():
        closed.evaluate("one => { one.open = true; }")
    accessible(page)


@looks
def test_errors_are_pages(look: Look, visit: Visit, accessible: Check) -> None:
    """What is not there, not for everybody, or cannot be read: a sentence, and a way on."""
    owner, page = visit(look.size, dark=look.dark), visit(look.size, dark=look.dark)
    owner.goto("/new/pepper-2")
    follow(owner.get_by_role("button", name="Set up the table"))
    private = owner.url
    said = {
        "/there/is/nothing": "There is nothing here.",
        "/rules/whist": "There is no such game here.",
        "/join/WRONG": "No table has this invite code.",
        f"/t/{24 * '0'}": "There is no such table.",
        private: "This table is private: ask for its invite code.",
    }
    for path, message in said.items():
        page.goto(path)
        expect(page.get_by_role("heading", name=message)).to_be_visible()
        accessible(page)
    page.goto("/verify")
    page.get_by_label("record").fill("no record")
    follow(page.get_by_role("button", name="Check"))
    expect(page.locator(".notice")).to_be_visible()
    accessible(page)
    page.goto("/new/pepper-2")
    page.locator("summary", has_text="House rules").click()
    page.get_by_label("Points to win").fill("0")
    follow(page.get_by_role("button", name="Set up the table"))
    expect(page.locator(".notice")).to_be_visible()
    accessible(page)


@looks
def test_oneself(look: Look, visit: Visit, accessible: Check) -> None:
    page = visit(look.size, dark=look.dark)
    page.goto("/me")
    page.get_by_role("textbox", name="Your name").fill("Ålesund <b>")
    follow(page.get_by_role("button", name="Save"))
    assert "letters, digits" in page.get_by_role("alert").inner_text()
    accessible(page)
    page.get_by_role("textbox", name="Your name").fill("Zoë")
    follow(page.get_by_role("button", name="Save"))
    assert page.get_by_role("textbox", name="Your name").input_value() == "Zoë"
    page.get_by_label("four colours").check()
    follow(page.get_by_role("button", name="Show them so"))
    assert page.locator("html.four").count() == 1
    assert page.get_by_label("four colours").is_checked()
    follow(page.get_by_role("button", name="Get a code"))
    code = page.locator(".big-code").inner_text()
    accessible(page)
    other = visit(look.size, dark=look.dark)
    other.goto("/me")
    other.get_by_label("I have a code from my other device").fill(code)
    follow(other.get_by_role("button", name="Be the same player here"))
    assert other.get_by_role("textbox", name="Your name").input_value() == "Zoë"
    other.locator("summary", has_text="Delete my data").click()
    follow(other.get_by_role("button", name="Yes, delete everything about me"))
    assert "deleted" in other.get_by_role("alert").inner_text()
    page.goto("/me")
    assert page.get_by_role("textbox", name="Your name").input_value() == ""


@looks
def test_every_phase_of_a_table(look: Look, visit: Visit, accessible: Check) -> None:
    player = Player(visit(look.size, dark=look.dark), bold=True)
    page = player.page
    page.goto("/new/hasenpfeffer-traditional")
    follow(page.get_by_role("button", name="Set up the table"))
    for closed in page.locator("details").all():
        closed.evaluate("one => { one.open = true; }")
    accessible(page)
    for _ in range(3):
        follow(page.locator("button[name=name][value=novice]").first)
    follow(page.get_by_role("button", name="Start the game"))
    seen: set[str] = set()
    wanted = {"auction", "naming", "discard", "sure", "play", "lead", "result"}
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
    _check_what_follows(player, accessible)


def _check_what_follows(player: Player, accessible: Check) -> None:
    """The pages about what has been played: the table's own, and one's own."""
    page, table = player.page, player.page.url
    while not player.over:
        player.act()
        player.wait()
    _check_opened(page, accessible)
    for path in (f"{table}/rounds", f"{table}/rules", "/", "/games", "/me"):
        page.goto(path)
        _check_opened(page, accessible)
    expect(page.get_by_role("table")).to_be_visible()
    page.goto(table)
    follow(page.get_by_role("link", name="Check the deals"))
    expect(page.locator(".notice")).to_be_visible()
    accessible(page)


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


@pytest.mark.parametrize("size", [SMALL, DESKTOP])
def test_a_long_ladder_stands_above_the_hand(size: tuple[int, int], visit: Visit) -> None:
    player = Player(visit(size))
    player.play_now("pepper-3")
    player.page.locator(".dock.yours").wait_for()
    bottom = "one => one.getBoundingClientRect().bottom"
    lowest = max(rung.evaluate(bottom) for rung in player.page.locator(".rung").all())
    assert lowest <= player.page.locator(".dock").evaluate("one => one.getBoundingClientRect().top")


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
            follow(page.get_by_role("link", name="Refresh"))
    raise AssertionError("the round does not end")


@looks
def test_a_table_of_friends(look: Look, visit: Visit, accessible: Check) -> None:
    """Set up, invite, sit down, change places, add a word, speak, begin, watch: two people and a spectator."""
    host, guest, watcher = (visit(look.size, dark=look.dark) for _ in range(3))
    host.goto("/new/pepper-2")
    host.get_by_label("Everybody: it stands in the list").check()
    follow(host.get_by_role("button", name="Set up the table"))
    link, code = host.locator("#link").input_value(), host.locator(".big-code").inner_text()
    guest.goto("/")
    guest.get_by_label("Invite code").fill(code.lower())
    follow(guest.get_by_role("button", name="Join", exact=True))
    _check_opened(guest, accessible)
    follow(guest.get_by_role("button", name="Sit down here"))
    host.get_by_role("button", name="Start the game").wait_for()  # the host's page has followed by itself
    guest.locator("summary", has_text="Say something").click()
    follow(guest.get_by_role("button", name="Good luck!"))
    host.locator(".talk li", has_text="Guest 2: Good luck!").wait_for()
    guest.locator("summary", has_text="Fair deals").click()
    guest.get_by_label("A word of yours").fill("pepper")
    follow(guest.get_by_role("button", name="Add the word"))
    expect(guest.get_by_text("a word is in")).to_be_visible()
    assert not guest.get_by_role("button", name="Start the game").count()
    follow(host.get_by_role("button", name="Change places"))
    guest.locator(".seats li").first.get_by_text("you", exact=True).wait_for()
    follow(host.get_by_role("button", name="Start the game"))
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
    follow(tab.next())
    expect(tab.page.get_by_role("alert").first).to_be_visible()
    accessible(tab.page)
