"""The pages by keyboard alone: everything is reached, and whoever looks sees where he is."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from web.browsing import PAGES, Look, Visit, follow, looks
from web.player import Player

_STOPS = """() => {
  const radios = new Set();
  const stops = [...document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")].filter(one => {
    if (!one.checkVisibility({visibilityProperty: true}) || one.disabled) return false;
    return one.type !== "radio" || one.checked;
  });
  stops.forEach((one, number) => { one.dataset.stop = number; });
  return stops.length;
}"""
"""Mark all that has to be reached by Tab: of radio buttons the chosen one of each group."""
_FOCUS = """() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  const box = one.getClientRects()[0];
  const x = box.left + box.width / 2, y = box.top + box.height / 2;
  const top = document.elementFromPoint(x, y);
  return {
    stop: one.dataset.stop ?? "", text: one.innerText || "", html: one.outerHTML.slice(0, 120),
    ring: getComputedStyle(one).outlineStyle !== "none",
    clear: top !== null && (one.contains(top) || top.contains(one) && top.matches("label")),
  };
}"""
"""What has the focus: whether a ring shows it, and whether it lies clear in the window."""


@looks
def test_tab_reaches_everything_on_every_page(look: Look, visit: Visit) -> None:
    page = visit(look.size, dark=look.dark)
    for path in PAGES:
        page.goto(path)
        _walk(page)
    page.goto("/there/is/nothing")
    _walk(page)
    page.goto("/new/pepper-2")
    follow(page.get_by_role("button", name="Set up the table"))
    for closed in page.locator("details").all():
        closed.evaluate("one => { one.open = true; }")
    _walk(page)


def _walk(page: Page) -> None:
    """Press Tab until everything has had the focus."""
    wanted = set(map(str, range(page.evaluate(_STOPS))))
    for _ in range(2 * len(wanted) + 10):
        if not wanted:
            return
        page.keyboard.press("Tab")
        wanted.discard(_focused(page)["stop"])
    left = [page.locator(f"[data-stop='{stop}']").evaluate("one => one.outerHTML.slice(0, 120)") for stop in wanted]
    raise AssertionError(f"Tab never gets to {left} on {page.url}")


def _focused(page: Page) -> dict[str, str]:
    """What has the focus; it is always to be seen."""
    found = page.evaluate(_FOCUS)
    if found is None:
        return {"stop": "", "text": ""}
    assert found["ring"], f"no ring around {found['html']} on {page.url}"
    assert found["clear"], f"something covers {found['html']} on {page.url}"
    return dict(found)


@looks
def test_a_round(look: Look, visit: Visit) -> None:
    """Begin a game, bid, name, discard and play until the next round, with Tab and Enter."""
    page = visit(look.size, dark=look.dark)
    player = Player(page)
    page.goto("/")
    _tab_to(page, lambda text: "Hasenpfeffer" in text)
    page.keyboard.press("Enter")
    next_round = page.locator("h1", has_text="round 2")
    for step in range(60):
        player.wait()
        if step % 4 == 0:
            _walk(page)
        if next_round.count() or player.over:
            return
        wanted = player.next().inner_text().split("\n")[0]
        _tab_to(page, lambda text, wanted=wanted: wanted in text)  # type: ignore[misc]
        with page.expect_navigation():
            page.keyboard.press("Enter")
    raise AssertionError("the round does not end")


def _tab_to(page: Page, fits: Callable[[str], bool]) -> None:
    """Press Tab until what has the focus fits."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if fits(_focused(page)["text"]):
            return
    raise AssertionError("Tab never gets there")
