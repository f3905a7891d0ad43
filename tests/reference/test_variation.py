"""Variation n-grams of tweets whose tags were corrected later: how many corrections they find."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import tertium

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def tweets(shared: Path) -> Path:
    folder = shared / "data" / "ritter-tweets"
    if not folder.is_dir():
        pytest.skip(f"there is no {folder}")
    return folder


def sides(tweets: Path) -> list[list[list[str]]]:
    """The lines of both versions as fields."""
    names = ("pos.txt", "ark_pos_fixed.tsv")
    return [[line.split() for line in (tweets / n).read_text("utf-8").split("\n")] for n in names]


def corrections(tweets: Path) -> set[int]:
    """The lines that were corrected."""
    both = zip(*sides(tweets), strict=True)
    return {n for n, (a, b) in enumerate(both, 1) if a[-1:] != b[-1:]}


@pytest.mark.parametrize("options", [{}, {"non_fringe": True}, {"context": 0}])
def test_the_docs_say_how_many_corrections_are_found(
    tweets: Path, options: dict[str, bool | int]
) -> None:
    corrected = corrections(tweets)
    assert len(corrected) == 83
    found = tertium.variation(tweets / "pos.txt", **options)
    lines = {each.line for ngram in found for each in ngram.occurrences}
    flags = " ".join(
        f"--{k.replace('_', '-')}{'' if v is True else f' {v}'}" for k, v in options.items()
    )
    command = f"tertium variation pos.txt {flags}".strip()
    page = (DOCS / "verbs" / "variation.md").read_text("utf-8")
    row = re.search(rf"^\| `{re.escape(command)}` \|(.*)\|$", page, re.MULTILINE)
    assert row is not None, f"write a row about '{command}'"
    told = [cell.strip().replace(",", "") for cell in row[1].split("|")]
    assert told == [str(n) for n in (len(found), len(lines), len(corrected & lines))]


@pytest.mark.parametrize("scoring", ["plain", "weighted"])
def test_debatable_tags_of_one_version_against_the_other(
    tweets: Path, tmp_path: Path, scoring: str
) -> None:
    """From the counts as `agree` writes them; the probabilities by hand."""
    pairs = Counter((a[-1], b[-1]) for a, b in zip(*sides(tweets), strict=True) if a)
    labels = sorted({label for pair in pairs for label in pair})
    counts = [[pairs[a, b] for b in labels] for a in labels]
    path = tmp_path / "agree.json"
    path.write_text(json.dumps({"confusion": {"labels": labels, "counts": counts}}), "utf-8")
    credit, plain = 0.0, 0
    for (a, b), n in pairs.items():
        total = sum((x == a) * m + (y == a) * m for (x, y), m in pairs.items())
        chance = (n + pairs[b, a]) / total
        if a == b:
            credit += n
        elif n + pairs[b, a] >= 2 and chance >= 0.05:
            credit += n * (1 if scoring == "plain" else chance)
        else:
            plain += n
    metric = f"tags.accuracy(debatable='{path}', scoring={scoring})"
    files = tweets / "pos.txt", tweets / "ark_pos_fixed.tsv"
    found = tertium.score(*files, metric=metric).results[0]
    assert found.counts["items"] == 15_185
    assert found.value == pytest.approx(credit / 15_185, abs=1e-12)
    assert found.parts["plain_of_errors"] == pytest.approx(plain / 83)
    assert found.parts["plain"] == pytest.approx(plain / 15_185)
    assert 0 < plain < 83
