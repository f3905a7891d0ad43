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
    two = ["submissions/spinningbytes.txt", "submissions/uh_ritual"]
    audit = printed("audit", gold, *two)
    for line in block(f"audit {gold} {' '.join(two)}"):
        assert line in audit
