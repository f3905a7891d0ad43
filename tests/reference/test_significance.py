"""What README and docs say about real systems is what the commands print."""

from pathlib import Path

import pytest

from tertium.cli.main import main

ROOT = Path(__file__).resolve().parents[2]


def block(command: str) -> list[str]:
    """The lines that README shows below a command, without what it leaves out."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = text.partition(f"$ tertium {command}\n")[2].partition("```")[0]
    assert shown, f"README does not show {command}"
    return [line.removesuffix(" ...") for line in shown.splitlines() if line not in ("", "...")]


@pytest.mark.slow
def test_the_readme_shows_what_is_printed(
    shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(*args: str) -> str:
        assert main(list(args)) == 0
        return capsys.readouterr().out

    monkeypatch.chdir(shared / "data" / "wnut17-ner")
    systems = sorted(map(str, Path("submissions").iterdir()))
    gold = "emerging.test.annotated"
    score = printed("score", gold, *systems, "--align", "position", "--significance")
    for line in block(f"score {gold} submissions/* --align position --significance"):
        assert line in score
    first = f"compare {gold} submissions/* --metric tags.accuracy --align position"
    second = "--ensembles --pair spinningbytes.txt:uh_ritual --limit 3"
    shown = block(f"{first} \\\n    {second} --report wnut.html")
    options = (*first.split()[3:], *second.split())
    compared = printed("compare", gold, *systems, *options)
    for line in shown:
        assert line in compared


def test_the_readme_shows_of_an_audit_what_its_page_shows() -> None:
    """That page is true (test_docs.py)."""
    two = "submissions/spinningbytes.txt submissions/uh_ritual"
    page = (ROOT / "docs" / "verbs" / "audit.md").read_text(encoding="utf-8")
    shown = page.partition("$ tertium audit wnut17-ner/")[2].partition("```")[0]
    for line in block(f"audit emerging.test.annotated {two}"):
        assert line in shown
