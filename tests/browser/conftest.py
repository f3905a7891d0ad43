"""Debian's Chromium, driven by Playwright. Nothing is ever downloaded."""

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here drives a browser."""
    here = Path(__file__).parent
    for item in items:
        if here in Path(item.path).parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A browser for all tests; they are skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright here")
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium on PATH: install Debian's package 'chromium'")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


class Watched:
    """A page for files from disk, and all that the last one asked for or complained about."""

    def __init__(self, browser: Any, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.address = ""
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))

    def show(self, path: Path, fragment: str, width: int = 1280, scheme: Any = "light") -> None:
        """Open a file anew, also one that is open."""
        self.check()
        self.page.goto("about:blank")
        self.page.emulate_media(media="screen", color_scheme=scheme)
        self.page.set_viewport_size({"width": width, "height": 900})
        self.requests.clear()
        self.address = path.as_uri()
        self.page.goto(self.address + fragment)
        more = self.page.locator("#filters details")  # of which tests use all
        if more.count():
            more.evaluate("details => { details.open = true; }")

    def check(self) -> None:
        """The last file asked for nothing and complained about nothing."""
        complaints, requests = [*self.complaints], {url.partition("#")[0] for url in self.requests}
        self.complaints.clear()
        self.requests.clear()
        assert complaints == []
        assert requests <= {self.address}

    def follow(self, fragment: str) -> None:
        """Go to another address in the file that is open."""
        self.page.evaluate("hash => { location.hash = hash; }", fragment)

    def count(self) -> str:
        """What the page says about how many items there are."""
        return str(self.page.inner_text("#count"))

    def has(self, count: str) -> None:
        """Wait until there are so many items. What a link leads to is shown a moment later."""
        self.until(f"document.getElementById('count').textContent.split(' ')[0] === {count!r}")

    def choose(self, name: str, value: str) -> None:
        """Set a field of the filters."""
        field = self.page.locator(f"#filters [name={name}]")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)

    def until(self, expression: str, seconds: float = 10) -> None:
        """Wait for something to be true. Playwright's own way evaluates texts in the page, which
        the page's policy forbids."""
        end = time.monotonic() + seconds
        while not self.page.evaluate(expression):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.02)

    def fragment(self) -> str:
        """The present address without the file."""
        return str(self.page.evaluate("decodeURIComponent(location.hash).replaceAll('+', ' ')"))


@pytest.fixture(scope="module")
def plain_page(browser: Any) -> Iterator[Watched]:
    """One page for the tests of a file."""
    watched = Watched(browser)
    yield watched
    watched.context.close()


@pytest.fixture
def opened(browser: Any, plain_page: Watched) -> Iterator[Callable[..., Watched]]:
    """Opens files; none may ask for anything or complain. All are opened in the page of all tests,
    one after the other, since a new page costs more than what is done in it; only those without
    scripts have a page of their own."""
    plain: list[Watched] = []

    def open_page(path: Path, fragment: str = "", scripts: bool = True, **look: Any) -> Watched:
        if not scripts:
            plain.append(Watched(browser, java_script_enabled=False))
        shown = plain_page if scripts else plain[-1]
        shown.show(path, fragment, **look)
        return shown

    yield open_page
    for each in plain:
        each.context.close()
        each.check()
    plain_page.check()
