"""What one player asks of another, and both pages meanwhile: to wait, to take back an action, to defend alone."""

from __future__ import annotations

from collections.abc import Sequence

from web.browsing import Check, Look, Visit, follow, looks
from web.player import Player


def together(visit: Visit, look: Look, rules: str, bots: Sequence[int] = ()) -> tuple[Player, Player]:
    """Two people on the first two seats of a game that has begun; bots have the other seats."""
    host, guest = (Player(visit(look.size, dark=look.dark)) for _ in range(2))
    host.page.goto(f"/new/{rules}")
    for seat in bots:
        host.page.get_by_label(f"Seat {seat + 1}").select_option("novice")
    follow(host.page.get_by_role("button", name="Set up the table"))
    guest.page.goto(host.page.locator("#link").input_value())
    follow(guest.page.get_by_role("button", name="Sit down here"))
    follow(host.page.get_by_role("button", name="Start the game"))
    for player in (host, guest):
        player.page.locator(".dock").wait_for()
    return host, guest


@looks
def test_a_pause_and_an_action_taken_back(look: Look, visit: Visit, accessible: Check) -> None:
    host, guest = together(visit, look, "pepper-2")
    ask = guest.page.locator(".ask")
    host.page.locator("#more summary").click()
    follow(host.page.get_by_role("button", name="Pause"))
    ask.get_by_role("button", name="Go on").wait_for()
    accessible(guest.page)
    accessible(host.page)
    follow(ask.get_by_role("button", name="Go on"))
    host.page.locator(".ask").wait_for(state="detached")
    first, second = (host, guest) if host.page.locator(".dock.yours").count() else (guest, host)
    first.act()
    follow(first.page.get_by_role("button", name="Take back"))
    agree = second.page.get_by_role("button", name="Agree")
    agree.wait_for()
    accessible(second.page)
    accessible(first.page)
    follow(agree)
    first.page.locator(".rung button").first.wait_for()
    accessible(second.page)


@looks
def test_a_lone_maker_and_who_may_defend_alone(look: Look, visit: Visit, accessible: Check) -> None:
    maker, defender = together(visit, look, "hasenpfeffer-traditional", bots=(2, 3))
    maker.bold = True
    alone = maker.page.locator(".choices button[value$=alone]")
    defend = defender.page.locator(".choices button[value=defend]")
    for _ in range(20):
        maker.page.wait_for_selector(".dock.yours, .place.left.to-act")
        if alone.count():
            follow(alone.first)
        elif maker.page.locator(".dock.yours").count():
            maker.act()
        elif defend.count():
            break
        else:
            defender.act()
        _same(maker, defender)
    accessible(defender.page)
    accessible(maker.page)
    follow(defend)
    _same(maker, defender)
    accessible(maker.page)


def _same(one: Player, other: Player) -> None:
    """Wait until both pages show all that either has shown."""
    seq = max(one.step, other.step)
    for player in (one, other):
        player.page.wait_for_function("seq => Number(document.getElementById('table').dataset.seq) >= seq", arg=seq)
