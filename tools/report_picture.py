"""Draw docs/images/report.png: the report of the samples in a real browser, its top and an example.

    python tools/report_picture.py

Needs Playwright and Chromium, as the browser tests do.
"""

from __future__ import annotations

import shutil
import tempfile
from base64 import b64encode
from importlib import resources
from pathlib import Path
from typing import Any

import tertium

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "report.png"
WIDTH = 1300
SYSTEMS = ("arbor", "breeze", "cedar")
# How much of the window is shown of the top of the page, and of an example.
TOP, EXAMPLE = 440, 500
NAMES = ("chromium", "chromium-browser", "google-chrome")


def write_sample_report(path: Path) -> None:
    """The report of the three parsers."""
    folder = resources.files("tertium") / "samples"
    files = [str(folder / f"{name}.conllu") for name in ("gold", *SYSTEMS)]
    found = tertium.compare(
        *files, names=list(SYSTEMS), metric="deps.las", by="genre", examples=True
    )
    tertium.write_report(found, path, title="Three parsers on the sample corpus")


def shots(page: Any, address: str) -> list[bytes]:
    """The top of the page, and the first correction."""
    page.set_viewport_size({"width": WIDTH, "height": TOP})
    page.goto(address)
    top = page.screenshot()
    page.set_viewport_size({"width": WIDTH, "height": EXAMPLE})
    page.locator("#pair a").first.click()
    page.locator(".example").first.evaluate("example => example.scrollIntoView()")
    return [top, page.screenshot()]


def main() -> None:
    """Draw the picture."""
    from playwright.sync_api import sync_playwright

    browser_path = next(filter(None, map(shutil.which, NAMES)))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        report = Path(folder) / "report.html"
        write_sample_report(report)
        arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        browser = running.chromium.launch(executable_path=browser_path, args=arguments)
        page = browser.new_page(color_scheme="light")
        pictures = [b64encode(each).decode() for each in shots(page, report.as_uri())]
        images = "".join(f'<img src="data:image/png;base64,{each}">' for each in pictures)
        style = "body { margin: 0 } img { display: block } img + img { border-top: 6px solid #ddd }"
        page.goto("about:blank")  # whose policy allows the style
        page.set_viewport_size({"width": WIDTH, "height": 100})
        page.set_content(f"<style>{style}</style>{images}")
        PICTURE.parent.mkdir(exist_ok=True)
        page.screenshot(path=PICTURE, full_page=True)
        browser.close()
    print(f"{PICTURE}: {PICTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
