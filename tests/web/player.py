"""A person at the pages, who taps the first thing that can be done."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, Position

from web.browsing import follow

CORNER: Position = {"x": 10, "y": 20}
"""Where a card is never covered by the next one."""
_READY = ".dock.yours, .table.finished"


class Player:
    """One person at one table."""

    def __init__(self, page: Page, *, bold: bool = False) -> None:
        self.page = page
        self.bold = bold
        """Whether his bid is the highest, not the lowest."""
        self.bids = 0

    def play_now(self, rules: str) -> None:
        """Sit down with bots."""
        self.page.goto("/")
        button = self.page.locator(f"button[name=rules][value={rules}]")
        if not button.is_visible():
            self.page.locator("summary", has_text="More games").click()
        follow(button)

    def set_up(self, rules: str, target: int) -> None:
        """Sit down with bots at a table of one's own, which plays to fewer points."""
        self.page.goto(f"/new/{rules}")
        for seat in self.page.locator("select[name^=seat]").all()[1:]:
            seat.select_option("novice")
        self.page.locator("summary", has_text="House rules").click()
        self.page.get_by_label("Points to win").fill(str(target))
        follow(self.page.get_by_role("button", name="Set up the table"))
        follow(self.page.get_by_role("button", name="Start the game"))

    def again(self) -> None:
        """Play another game."""
        follow(self.page.get_by_role("button", name="Another game"))
        follow(self.page.get_by_role("button", name="Start the game"))

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.page.locator(".table.finished").count() > 0

    @property
    def step(self) -> int:
        """How many entries the table's log has, as the page shows it."""
        return int(self.page.locator("#table").get_attribute("data-seq") or 0)

    def wait(self) -> None:
        """Wait until there is something to do, without touching anything."""
        self.page.wait_for_selector(_READY)

    def next(self) -> Locator:
        """What he does next: he bids the lowest once, and then passes where he may."""
        page = self.page
        ask, choices, rungs = page.locator(".ask button"), page.locator(".choices button"), page.locator(".rung button")
        if ask.count():
            return ask.first
        if rungs.count() and (self.bids == 0 or not choices.count()):
            self.bids += 1
            return rungs.first if self.bold else rungs.last
        if choices.count() > 2:
            return self._his_suit()
        return choices.first if choices.count() else page.locator(".hand button").first

    def _his_suit(self) -> Locator:
        """The name of a suit that he holds, so that he has a trump."""
        art = self.page.locator(".hand .face:not(.joker)").first.get_attribute("class") or ""
        suit = art.removeprefix("face suit-")
        return self.page.locator(f".choices button[value={suit}]")

    def act(self) -> None:
        """Do one thing."""
        self.wait()
        if self.over:
            return
        found = self.next()
        on_card = "card" in (found.get_attribute("class") or "")
        follow(found, CORNER if on_card else None)

    def play(self, most: int = 600) -> None:
        """Play the game to its end."""
        for _ in range(most):
            self.wait()
            if self.over:
                return
            self.act()
        raise AssertionError("the game does not end")
