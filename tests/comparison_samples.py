"""Small comparisons for tests of everything that shows them."""

from __future__ import annotations

from typing import Any

import tertium
from result_samples import HOSTILE
from tertium.comparison.compare.result import Comparison


def toy(**options: Any) -> Comparison:
    """The five cases of Tuggener (2017), Table 2; S3 shares an error with S2."""
    gold = [["A", "B", "C", "D", "E"]]
    systems = [list("ABCXY"), list("ZBCDV"), list("ZWCDE")]
    return tertium.compare(
        gold,
        *([row] for row in systems),
        names=["S1", "S2", "S3"],
        metric="tags.accuracy",
        **options,
    )


def entity_comparison() -> Comparison:
    """Spans of two systems in two genres, with their sentences."""

    def data(*tags: str) -> list[dict[str, Any]]:
        words = ("Ann Lee met Bo in Oslo", "Acme Labs moved to Rio")
        return [
            {"id": f"s{n}", "genre": genre, "tokens": text.split(), "tags": row.split()}
            for n, (genre, text, row) in enumerate(
                zip(("mail", "news"), words, tags, strict=True), 1
            )
        ]

    return tertium.compare(
        data("B-PER I-PER O B-PER O B-LOC", "B-ORG I-ORG O O B-LOC"),
        data("B-PER O O B-PER B-LOC B-LOC", "B-ORG I-ORG O O B-PER"),
        data("B-PER I-PER O O O B-LOC", "B-LOC I-LOC O O B-ORG"),
        names=["old", "new"],
        by="genre",
        examples=True,
    )


def hostile() -> Comparison:
    """Names, labels, words and ids that some output format gives a meaning."""
    texts = [text for text in HOSTILE if "\udc80" not in text]  # which no data can hold

    def data(*tags: list[str]) -> list[dict[str, Any]]:
        return [
            {"id": text, "tokens": [text] * 12, "tags": row}
            for text, row in zip(texts, tags, strict=True)
        ]

    gold = data(*([text] * 12 for text in texts))
    a = data(*([texts[n - 1]] * 6 + [text] * 6 for n, text in enumerate(texts)))
    b = data(*([text] * 3 + [texts[n - 2]] * 9 for n, text in enumerate(texts)))
    return tertium.compare(
        gold, a, b, gold, names=[*HOSTILE[:2], HOSTILE[8]], metric="tags.accuracy", examples=True
    )
