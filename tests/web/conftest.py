"""What the tests of the pages share: a server of their own, and Debian's Chromium, whose complaints count."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from web.browsing import PHONE, WCAG, Check, Site, Visit

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_EXPECTED = ("status of 4", "ERR_CONNECTION_REFUSED", "WebSocket connection to")
"""What tests bring about on purpose: refusals, and a server that is gone for a while."""
_TELL_VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) => {
  console.error("policy violated: " + event.violatedDirective + " " + event.blockedURI);
});
"""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The server."""
    site = Site(tmp_path_factory.mktemp("site"))
    site.start()
    yield site
    site.stop()
    assert "Traceback" not in site.log


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    found = shutil.which("chromium")
    assert found, "these tests need Debian's chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def visit(site: Site, browser: Browser) -> Iterator[Visit]:
    """Makes pages of visitors, each with a profile of his own. Fails where the browser has complained of anything."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def complain(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(known in message.text for known in _EXPECTED):
            complaints.append(message.text)

    def make(size: tuple[int, int] = PHONE, *, dark: bool = False, script: bool = True) -> Page:
        context = browser.new_context(
            base_url=site.url,
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            java_script_enabled=script,
        )
        contexts.append(context)
        if script:
            context.add_init_script(_TELL_VIOLATIONS)
        context.on("console", complain)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.set_default_timeout(20_000)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def accessible() -> Check:
    """Checks a page: no violation of WCAG 2.2 AA that axe finds, nothing wider than the window."""
    axe = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")

    def check(page: Page) -> None:
        page.evaluate(axe)
        found = page.evaluate("tags => axe.run(document, {runOnly: tags})", list(WCAG))
        told = [
            (one["id"], [(node["target"], node["failureSummary"]) for node in one["nodes"]])
            for one in found["violations"]
        ]
        assert told == [], json.dumps(told, indent=1)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than the window"

    return check
