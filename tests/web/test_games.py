"""Whole games through the pages, of every rulebook; with a reload, a second tab and a server that dies on the way."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from bigpepper.rules import Rules, rulebooks
from web.browsing import DESKTOP, PHONE, SMALL, Check, Site, Visit, follow
from web.player import Player

GAMES = tuple(rulebooks())
SIZES = (SMALL, PHONE, DESKTOP)


@pytest.mark.parametrize("rules", GAMES)
def test_a_whole_game(rules: str, site: Site, visit: Visit, accessible: Check) -> None:
    player = Player(visit(SIZES[GAMES.index(rules) % 3], dark=GAMES.index(rules) % 2 == 1))
    player.set_up(rules, target=_short(Rules.load(rules).target))
    player.act()
    _disturb(site, player)
    player.play()
    expect(player.page.locator(".winners")).to_be_visible()
    accessible(player.page)
    table = player.page.url
    follow(player.page.get_by_role("link", name="All hands"))
    accessible(player.page)
    player.page.goto(table)
    follow(player.page.get_by_role("link", name="Check the deals"))
    assert "from the secret, which was fixed" in player.page.locator(".notice").inner_text()


def _short(target: int) -> int:
    """Fewer points to win: all of a game, in less time, but more than one round of it."""
    return max(min(target, 4), target // 3)


def _disturb(site: Site, player: Player) -> None:
    """Reload, act in a second tab, kill the server and start it again: the game is where it was, in both tabs."""
    player.wait()
    seq = player.step
    player.page.reload()
    assert player.step == seq
    second = Player(player.page.context.new_page())
    second.page.goto(player.page.url)
    second.act()
    second.wait()
    player.page.wait_for_selector(f"#table[data-seq='{second.step}']")  # the first tab has followed by itself
    site.stop()
    site.start()
    second.page.reload()
    player.page.wait_for_selector(f"#table[data-seq='{second.step}']")
    second.page.close()
