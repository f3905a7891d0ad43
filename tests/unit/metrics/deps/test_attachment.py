"""Attachment scores on examples small enough to check by eye."""

from pathlib import Path

import pytest

import tertium
from tertium.corpus.result import Result

GOLD = [
    ("She", "PRON", 2, "nsubj"),
    ("sleeps", "VERB", 0, "root"),
    ("at", "ADP", 4, "case"),
    ("home", "NOUN", 2, "obl:tmod"),
    (".", "PUNCT", 2, "punct"),
]


def write(path: Path, words: list[tuple[str, str, int, str]]) -> str:
    rows = [
        f"{i}\t{form}\t_\t{upos}\t_\t_\t{head}\t{label}\t_\t_"
        for i, (form, upos, head, label) in enumerate(words, 1)
    ]
    path.write_text("\n".join(rows) + "\n\n")
    return str(path)


def score(
    tmp_path: Path, changes: dict[int, tuple[int, str]], metric: str, words: object = None
) -> Result:
    system = [
        (form, upos, *changes.get(i, (head, label)))
        for i, (form, upos, head, label) in enumerate(GOLD, 1)
    ]
    gold = write(tmp_path / "gold.conllu", GOLD)
    return tertium.score(gold, write(tmp_path / "system.conllu", system), metric=metric).results[0]


@pytest.mark.parametrize(
    ("changes", "uas", "las", "ls"),
    [
        ({}, 5, 5, 5),
        ({1: (4, "nsubj")}, 4, 4, 5),
        ({1: (2, "obj")}, 5, 4, 4),
        ({1: (4, "obj"), 3: (2, "case")}, 3, 3, 4),
        ({4: (2, "obl")}, 5, 5, 5),  # subtypes do not count
    ],
)
def test_what_each_counts(
    tmp_path: Path, changes: dict[int, tuple[int, str]], uas: int, las: int, ls: int
) -> None:
    for metric, correct in (("deps.uas", uas), ("deps.las", las), ("deps.ls", ls)):
        found = score(tmp_path, changes, metric)
        assert found.counts == {"correct": correct, "gold": 5, "system": 5, "aligned": 5}
        assert found.value == pytest.approx(correct / 5)
        assert found.parts["complete"] == (1 if correct == 5 else 0)


def test_subtypes(tmp_path: Path) -> None:
    assert score(tmp_path, {4: (2, "obl")}, "deps.las(subtypes=True)").counts["correct"] == 4


@pytest.mark.parametrize("policy", ["deprel", "upos", "form"])
def test_punctuation_can_be_left_out(tmp_path: Path, policy: str) -> None:
    found = score(tmp_path, {5: (4, "punct")}, f"deps.las(punct={policy})")
    assert found.counts == {"correct": 4, "gold": 4, "system": 4, "aligned": 4}
    assert found.coverage["scored"] == 4
    assert f"punct:{policy}" in str(found.signature)


def test_punctuation_by_form_is_unicode_category_p(tmp_path: Path) -> None:
    words = [("$", "SYM", 2, "dep"), ("5", "NUM", 0, "root"), ("%", "SYM", 2, "dep")]
    gold = write(tmp_path / "g.conllu", words)
    found = tertium.score(gold, gold, metric="deps.las(punct=form)").results[0]
    assert found.counts["gold"] == 2, "$ stays, % goes"


def test_error_types(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.conllu", GOLD)
    system = list(GOLD)
    system[0] = ("She", "PRON", 4, "nsubj")
    system[2] = ("at", "ADP", 4, "mark")
    system[3] = ("home", "NOUN", 5, "obj")
    decisions = tertium.decide(gold, write(tmp_path / "s.conllu", system), "deps.las")
    names = [decisions.error_types[c] for c in decisions.error_type]
    assert names == ["attachment:sibling", "none", "label", "both:sibling", "none"]


def test_answers_differ_iff_what_was_said_differs(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.conllu", GOLD)
    a, b = list(GOLD), list(GOLD)
    a[0] = ("She", "PRON", 4, "nsubj")
    b[0] = ("She", "PRON", 3, "nsubj")  # wrong too, but another head
    b[2] = ("at", "ADP", 4, "newlabel")
    files = [write(tmp_path / f"{n}.conllu", w) for n, w in (("a", a), ("b", b))]
    one, two = (tertium.decide(gold, f, "deps.las") for f in files)
    assert (one.answer != two.answer).tolist() == [True, False, True, False, False]
    one, two = (tertium.decide(gold, f, "deps.ls") for f in files)
    assert (one.answer != two.answer).tolist() == [False, False, True, False, False]


def test_heads_across_tokenisations(tmp_path: Path) -> None:
    """Case u24 of the notes: a multiword token left unsplit."""
    gold = tmp_path / "g.conllu"
    gold.write_text(
        "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\tADP\t_\t_\t3\tcase\t_\t_\n"
        "2\tle\t_\tDET\t_\t_\t3\tdet\t_\t_\n3\tpain\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    )
    system = tmp_path / "s.conllu"
    system.write_text(
        "1\tdu\t_\tADP\t_\t_\t2\tcase\t_\t_\n2\tpain\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    )
    found = tertium.score(str(gold), str(system), metric="deps.las").results[0]
    assert found.counts == {"correct": 1, "gold": 3, "system": 2, "aligned": 1}
    assert found.coverage["unaligned"] == 3


def test_two_gold_sentences_joined(tmp_path: Path) -> None:
    """Case u32 of the notes."""
    gold = tmp_path / "g.conllu"
    word = "{}\t{}\t_\t_\t_\t_\t{}\t{}\t_\t_\n"
    gold.write_text(
        word.format(1, "Go", 0, "root") + word.format(2, "!", 1, "punct") + "\n"
        + word.format(1, "Run", 0, "root") + word.format(2, "!", 1, "punct") + "\n"
    )  # fmt: skip
    system = tmp_path / "s.conllu"
    system.write_text(
        word.format(1, "Go", 0, "root") + word.format(2, "!", 1, "punct")
        + word.format(3, "Run", 1, "parataxis") + word.format(4, "!", 3, "punct") + "\n"
    )  # fmt: skip
    found = tertium.score(str(gold), str(system), metric="deps.las").results[0]
    assert found.counts == {"correct": 3, "gold": 4, "system": 4, "aligned": 4}
    assert found.stats is not None
    assert found.stats.dense[:, 0].tolist() == [2, 1], "each word counts in its gold sentence"
