"""Open an interactive report in Chromium and filter it: prints milliseconds as JSON.

    python bench/page.py REPORT

The browser is the one on PATH, driven by Playwright (extra `dev`); without either, exit code 3.
"""

import json
import shutil
import sys
from pathlib import Path

FILTERS = (
    ("class", "new"), ("class", "changed"), ("class", "different"), ("class", "all"), ("many", "2"),
    ("text", "a"), ("text", "an"), ("text", "ano"), ("item", "4"), ("id", "s1"),
)  # fmt: skip
OPENING = (
    "(({ domContentLoadedEventEnd, startTime }) => domContentLoadedEventEnd - startTime)"
    "(performance.getEntriesByType('navigation')[0])"
)


def main(path: Path) -> int:
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        found = None
    if found is None:
        print("no Chromium or no Playwright here", file=sys.stderr)
        return 3
    with sync_playwright() as running:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        browser = running.chromium.launch(executable_path=found, args=arguments)
        page = browser.new_page()
        page.goto(path.resolve().as_uri())
        opening = page.evaluate(OPENING)
        items = page.inner_text("#count")
        taken = []
        for name, value in FILTERS:
            field = page.locator(f"#filters [name={name}]")
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
            taken.append(float(page.get_attribute("#list", "data-milliseconds")))
        browser.close()
    middle = sorted(taken)[len(taken) // 2]
    print(json.dumps({"items": items, "opening": opening, "filtering": middle, "each": taken}))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
