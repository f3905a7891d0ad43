"""Systems with other tokens, without tokens, without words: all must lie over gold alike."""

from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.exceptions import AlignmentError

GOLD = "New\tB-LOC\nYork\tI-LOC\nis\tO\nbig\tO\n\n"
SAME = "New\tB-LOC\nYork\tI-LOC\nis\tO\nbig\tB-LOC\n\n"
JOINED = "NewYork\tB-LOC\nis\tO\nbig\tB-LOC\n\n"
SHIFTED = "Ne\tO\nwYork\tB-LOC\nis\tO\nbig\tO\n\n"
NUMBERS = "LOC\t1\t2\t1, 2\nLOC\t4\t4\t4\n\n"


def written(folder: Path, **texts: str) -> list[str]:
    found = []
    for name, text in texts.items():
        file = folder / f"{name}{'.tsv' if text is NUMBERS else '.bio'}"
        file.write_text(text)
        found.append(str(file))
    return found


def test_the_same_addition_is_one_item_whatever_the_tokens(tmp_path: Path) -> None:
    gold, joined, same = written(tmp_path, gold=GOLD, joined=JOINED, same=SAME)
    for files in ([gold, joined, same], [gold, same, joined]):
        pair = tertium.compare(*files, metric="spans.f1").pairs[0]
        assert (pair.items, pair.different) == (2, 0)


def test_a_file_of_numbers_beside_one_of_words(tmp_path: Path) -> None:
    gold, numbers, same = written(tmp_path, gold=GOLD, numbers=NUMBERS, same=SAME)
    for files in ([gold, numbers, same], [gold, same, numbers]):
        found = tertium.compare(*files, metric="spans.fair")
        assert (found.pairs[0].items, found.pairs[0].different) == (2, 0)
        alone = tertium.score(*files, metric="spans.fair", labels=False)
        assert [r.to_dict() for r in found.scores] == [r.to_dict() for r in alone]


@pytest.mark.parametrize("other", [SHIFTED, JOINED])
@pytest.mark.parametrize("align", ["auto", "characters"])
def test_numbers_beside_other_tokens_are_refused(tmp_path: Path, other: str, align: str) -> None:
    """By number the other file would get another score than alone."""
    files = written(tmp_path, gold=GOLD, numbers=NUMBERS, same=SAME, other=other)
    for chosen in ([0, 1, 3], [0, 3, 1], [0, 2, 1, 3]):
        with pytest.raises(AlignmentError, match="other"):
            tertium.compare(*(files[n] for n in chosen), metric="spans.f1", align=align)


def test_numbers_beside_words_may_be_aligned_by_characters(tmp_path: Path) -> None:
    files = written(tmp_path, gold=GOLD, numbers=NUMBERS, same=SAME)
    pair = tertium.compare(*files, metric="spans.f1", align="characters").pairs[0]
    assert (pair.items, pair.different) == (2, 0)


def test_no_words_beside_other_tokens_are_refused() -> None:
    gold = [{"tokens": ["ab", "cd"], "tags": ["N", "V"]}]
    other = [{"tokens": ["a", "b", "cd"], "tags": ["N", "N", "V"]}]
    bare = [["N", "V"]]
    for systems in ([other, bare], [bare, other], [gold, bare, other]):
        with pytest.raises(AlignmentError, match="other tokens than gold"):
            tertium.compare(gold, *systems, metric="tags.accuracy", names="abc"[: len(systems)])
    pair = tertium.compare(gold, gold, bare, metric="tags.accuracy", names="ab").pairs[0]
    assert pair.different == 0


def test_a_word_without_partner_is_missing_and_the_system_s_own_words_are_extra() -> None:
    def text(*words: str) -> list[dict[str, Any]]:
        return [{"tokens": words, "tags": ["N"] * len(words)}]

    gold, cut, same = text("ab", "cd"), text("a", "b", "cd"), text("ab", "cd")
    pair = tertium.compare(gold, cut, same, metric="tags.accuracy", names="ab").pairs[0]
    assert (pair.gold_items, pair.items) == (2, 4)
    # ab is found again, and the two words that are no words are gone.
    assert (pair.different, pair.corrections) == (3, 3)
    assert [(t.a, t.b, t.count) for t in pair.transitions("corrections", "labels")] == [
        ("N", None, 2), (None, "N", 1),
    ]  # fmt: skip


def test_position_pairs_words_that_are_spelt_otherwise() -> None:
    gold = [{"tokens": ["ab", "cd"], "tags": ["N", "V"]}]
    other = [{"tokens": ["xx", "cd"], "tags": ["N", "N"]}]
    with pytest.raises(AlignmentError):
        tertium.compare(gold, other, gold, metric="tags.accuracy", names="ab")
    found = tertium.compare(gold, other, gold, metric="tags.accuracy", names="ab", align="position")
    assert (found.pairs[0].corrections, found.pairs[0].items) == (1, 2)
    assert found.scores.results[0].coverage["differing_forms"] == 1
