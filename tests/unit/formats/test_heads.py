"""Trees: one root, no cycles, heads inside the sentence; from files and from Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tertium
from strategies import read_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs
from tertium.exceptions import FormatError
from tertium.formats.conll import roots_message
from tertium.formats.problems import check_heads
from tertium.formats.validate import check_file
from tertium.study.study import Study

ROW = "{}\tw\tw\tX\t_\t_\t{}\tdep\t_\t_\n"


def sentence(*heads: int) -> str:
    return "".join(ROW.format(i, head) for i, head in enumerate(heads, 1)) + "\n"


def read(text: str, format: str = "conllu", **options: object) -> Corpus:
    return read_bytes(format, text.encode(), **options)


def heads(corpus: Corpus) -> list[int]:
    return corpus.layer("deps", Arcs).head.tolist()


def made(*sentences: list[int], **options: object) -> Corpus:
    """A corpus made in Python."""
    head = np.array([h for some in sentences for h in some], np.int32)
    offsets = np.cumsum([0, *(len(some) for some in sentences)])
    labels = Labels.of(["dep"] * len(head))
    return Corpus(offsets, Labels.of(["w"] * len(head)), {"deps": Arcs(head, labels)}, **options)


# -- several roots in files ---------------------------------------------------------------------


def test_several_roots_are_one_error_a_sentence() -> None:
    with pytest.raises(FormatError) as caught:
        read("# sent_id = s1\n" + sentence(2, 0, 2, 0, 0) + sentence(0, 1) + sentence(0, 0))
    found = [(p.line, p.sentence, p.kind, p.message) for p in caught.value.problems]
    assert found == [
        (5, "s1", "head", "words 2, 4 and 5 are all roots: a tree has one"),
        (12, "3", "head", "words 1 and 2 are both roots: a tree has one"),
    ]


def test_many_roots_fit_into_a_message() -> None:
    assert roots_message([*range(1, 9)]).startswith("words 1, 2, 3, 4, 5 and 3 more are all roots")


def test_skip_and_repair() -> None:
    text = sentence(0, 0, 1) + sentence(0, 1)
    skipped = read(text, on_error="skip")
    assert skipped.offsets.tolist() == [0, 0, 2]
    mended = read(text + sentence(0, 0, 0), on_error="repair")
    assert heads(mended) == [0, -1, 1, 0, 1, 0, -1, -1]
    assert mended.repaired == 3


def test_forests_and_conllx_may_have_several() -> None:
    text = sentence(0, 0)
    forest = read(text, checks=frozenset())
    assert heads(forest) == [0, 0]
    found = [(p.severity, p.kind, p.line) for p in forest.problems]
    assert found == [("note", "several-roots", 2)]
    assert heads(read(text, "conllx")) == [0, 0]
    assert read(text, needs=frozenset(["upos"])).token_count == 2


def test_a_file_that_may_be_conllx_gets_a_hint() -> None:
    with pytest.raises(FormatError) as caught:
        read(sentence(0, 0))
    assert "input_format='conllx'" in (caught.value.help or "")
    with pytest.raises(FormatError) as caught:
        read("# text = w w\n" + sentence(0, 0))
    assert "conllx" not in (caught.value.help or "")


def test_validate_reports_several_roots(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(sentence(0, 0))
    assert [p.kind for p in check_file(str(path)).errors] == ["head"]


# -- which metrics accept them ------------------------------------------------------------------


@pytest.fixture
def forest(tmp_path: Path) -> str:
    path = tmp_path / "forest.conllu"
    path.write_text(sentence(0, 0) + sentence(0, 1))
    return str(path)


@pytest.mark.parametrize("metric", [None, "deps.las", ["tags.accuracy", "deps.uas"]])
def test_metrics_of_trees_are_strict(forest: str, metric: object) -> None:
    with pytest.raises(FormatError, match="both roots"):
        tertium.score(forest, forest, metric=metric)  # type: ignore[arg-type]


@pytest.mark.parametrize("metric", ["tags.accuracy", "tags.accuracy(column='upos')"])
@pytest.mark.parametrize("by", [None, "deprel", "length"])
def test_metrics_of_tags_do_not_look(forest: str, metric: str, by: str | None) -> None:
    assert tertium.score(forest, forest, metric=metric, by=by).value == 1.0


@pytest.mark.parametrize(
    ("metrics", "policy"),
    [
        ("deps.las", "skip"),
        ("deps.clas", "skip"),
        ("deps.ned", "skip"),
        ("deps.las deps.elas", "skip+graphs"),
        ("deps.las deps.upos", "skip"),
        ("deps.elas", "skip+any-roots+graphs"),
        ("deps.las(compat=conll07)", "skip+any-roots+cycles"),
        ("deps.las(compat=conll07) tags.accuracy", "skip+any-roots"),
        ("deps.las(compat=conll07) deps.uas", "skip"),
        ("deps.upos", "skip"),
        ("deps.words", "skip"),
        ("tags.accuracy", "skip+any-roots"),
        ("tags.accuracy deps.las", "skip"),
        ("deps.ud", "skip+any-roots"),
        ("deps.ud(compat=udtools)", "skip+any-roots+graphs"),
        ("deps.ud(compat=conll07)", "skip+any-roots+cycles"),
        ("deps.ud deps.las", "skip"),
        ("", "skip"),
    ],
)
def test_one_metric_decides_for_all(forest: str, metrics: str, policy: str) -> None:
    study = Study.of(forest, [forest], metric=metrics.split() or None, on_error="skip")
    assert study.policy == policy


def test_a_metric_may_accept_forests(forest: str, monkeypatch: pytest.MonkeyPatch) -> None:
    las = type(tertium.metric("deps.las"))
    monkeypatch.setattr(las, "needs", lambda self: frozenset({"deps"}))
    assert tertium.score(forest, forest, metric="deps.las").value == 1.0
    assert tertium.score(tertium.read(forest, forests=True), forest, metric="deps.las").value == 1.0
    assert len(tertium.decide(forest, forest, "deps.las").unit) == 4
    tertium.score(forest, forest, metric=["deps.las", "tags.accuracy"])
    with pytest.raises(FormatError, match="both roots"):
        tertium.score(forest, forest, metric=["deps.las", "deps.uas"])


# -- from Python --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        (made([0, 3]), "head 3 is outside the sentence of 2 words"),
        (made([0, -2]), "head -2 is outside the sentence of 2 words"),
        (made([0, 3], [0, 1, 1]), "head 3 is outside"),  # though not outside the other sentence
        (made([2, 1]), "word 1 is its own ancestor"),
        (made([0, 2]), "word 2 is its own ancestor"),
        (made([0, 1], [0, 0]), "sentence '2': words 1 and 2 are both roots"),
    ],
)
def test_what_is_no_tree_is_refused(corpus: Corpus, message: str) -> None:
    for gold, system in ((corpus, made([0, 1])), (made([0, 1]), corpus)):
        with pytest.raises(FormatError, match=message):
            tertium.score(gold, system, metric="deps.las")
        with pytest.raises(FormatError, match=message):
            tertium.decide(gold, system, "deps.las")


def test_columns_that_are_no_heads() -> None:
    corpus = made([0, 1])
    label = Labels.of(["dep", "dep"])
    for head, message in (
        (np.array([0.0, 1.0]), "not integers"),
        (np.array([0], np.int32), "1 heads and 2 relations for 2 words"),
    ):
        broken = Corpus(corpus.offsets, corpus.forms, {"deps": Arcs(head, label)})
        with pytest.raises(FormatError, match=message):
            check_heads(broken)


def test_what_is_fine() -> None:
    check_heads(made([0, 1, -1], [2, 0]))
    check_heads(made([0, 0], format="conllx"))
    corpus = made([0, 0])
    check_heads(corpus, checks=frozenset())
    with pytest.raises(FormatError):
        check_heads(corpus)  # that it passed as a forest does not make it a tree


# -- long sentences -----------------------------------------------------------------------------


@pytest.mark.parametrize("towards", [1, -1])
def test_a_chain_of_100_000_words(towards: int, tmp_path: Path) -> None:
    """In about a second; in a quadratic way this would take minutes."""
    size = 100_000
    chain = [i + towards for i in range(1, size + 1)]
    chain[-1 if towards == 1 else 0] = 0
    assert heads(read(sentence(*chain))) == chain
    check_heads(made(chain))
    ring = read(
        sentence(*chain[:-1], 1) if towards == 1 else sentence(size, *chain[1:]), check=True
    )
    assert [p.message for p in ring.problems] == ["word 1 is its own ancestor: HEAD forms a cycle"]
    path = tmp_path / "chain.conllu"
    path.write_text(sentence(*chain))
    assert tertium.score(str(path), str(path), metric="deps.las").value == 1.0
