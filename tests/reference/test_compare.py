"""Comparisons of real systems, equal to numbers counted by other tools or by hand."""

from collections import Counter
from pathlib import Path

import pytest

import tertium
from tertium.comparison.pairs import CLASSES

SEVEN = ("arcada", "drexel_cci", "flytxt", "mic-cis", "sjtu_adapt", "spinningbytes", "uh_ritual")
PARSERS = ("udpipe-swap", "udpipe-proj", "spacy")


def submissions(shared: Path) -> dict[str, str]:
    folder = shared / "data" / "wnut17-ner" / "submissions"
    return {name: str(next(folder.glob(f"{name}*"))) for name in SEVEN}


def wnut(shared: Path, *names: str, metric: str) -> tertium.Comparison:
    files = submissions(shared)
    return tertium.compare(
        shared / "data" / "wnut17-ner" / "emerging.test.annotated",
        *(files[n] for n in names),
        metric=metric,
        names=names,
        align="position",
    )


def test_wnut_tags(shared: Path) -> None:
    found = wnut(shared, *SEVEN, metric="tags.accuracy")
    pair = found.view.pair("spinningbytes", "uh_ritual")
    assert (pair.right_a, pair.right_b, pair.items) == (22013, 22033, 23394)
    assert pair.different == 874
    assert (pair.corrections, pair.new_errors, pair.changed_errors) == (345, 325, 204)
    assert found.view.oracle.correct == 22596
    assert pair.right_b - pair.right_a == pair.corrections - pair.new_errors


def lines(file: str) -> list[str]:
    """The last field of every line that has any."""
    with open(file, encoding="utf-8") as rows:
        return [row.split()[-1] for row in rows if row.strip()]


def test_wnut_transitions_by_hand(shared: Path) -> None:
    files = submissions(shared)
    gold = lines(str(shared / "data" / "wnut17-ner" / "emerging.test.annotated"))
    a, b = lines(files["spinningbytes"]), lines(files["uh_ritual"])
    assert len(gold) == len(a) == len(b)
    counts: dict[str, Counter[tuple[str, ...]]] = {kind: Counter() for kind in CLASSES}
    for g, x, y in zip(gold, a, b, strict=True):
        if x != y and y == g:
            counts["corrections"][x, y] += 1
        elif x != y and x == g:
            counts["new_errors"][x, y] += 1
        elif x != y:
            counts["changed_errors"][g, x, y] += 1
    pair = wnut(shared, "spinningbytes", "uh_ritual", metric="tags.accuracy").pairs[0]
    for kind in CLASSES:
        told = pair.transitions(kind)
        assert {
            (t.a, t.b) if t.gold is None else (t.gold, t.a, t.b): t.count for t in told
        } == dict(counts[kind])
        order = [(-t.count, t.gold or "", t.a, t.b) for t in told]
        assert order == sorted(order)


def test_wnut_spans(shared: Path) -> None:
    """True positives are those of conlleval (the README of the data)."""
    right = dict(zip(SEVEN, (373, 192, 345, 365, 365, 388, 355), strict=True))
    found = wnut(shared, *SEVEN, metric="spans.f1")
    assert dict(zip(SEVEN, found.view.oracle.right.tolist(), strict=True)) == right
    assert found.view.oracle.items == 1079
    fair = wnut(shared, *SEVEN, metric="spans.fair").view
    assert fair.oracle.correct == found.view.oracle.correct
    for pair in fair.pairs:
        told = [t for kind in CLASSES for t in pair.transitions(kind, "types")]
        assert sum(t.count for t in told) == pair.different
        # What goes to nothing or comes from it are FP and the matches of the third passes.
        gone = {t.a for t in pair.transitions("corrections", "types") if t.b is None}
        came = {t.b for t in pair.transitions("new_errors", "types") if t.a is None}
        assert {"FP"} <= gone & came
        assert (gone | came).isdisjoint({"TP", "FN", "LE"})


@pytest.mark.parametrize("metric", ["deps.las", "deps.uas", "tags.accuracy"])
def test_ewt_accuracies_are_those_of_score(shared: Path, metric: str) -> None:
    folder = shared / "data" / "ewt-systems"
    gold = folder / "gold-test.conllu"
    systems = [folder / f"{name}-test.conllu" for name in PARSERS]
    found = tertium.compare(gold, *systems, metric=metric)
    scores = tertium.score(gold, *systems, metric=metric, labels=False)
    assert [r.to_dict() for r in found.scores] == [r.to_dict() for r in scores]
    for pair in found.pairs:
        assert pair.items == pair.gold_items
        a, b = (scores[name, metric].value for name in (pair.a, pair.b))
        assert pair.accuracy_a == a
        assert pair.accuracy_b == b
        assert b - a == pytest.approx((pair.corrections - pair.new_errors) / pair.items)


def test_ewt_with_other_tokens(shared: Path) -> None:
    """A parser that found its own tokens beside parsers that were given them."""
    folder = shared / "data" / "ewt-systems"
    gold = folder / "gold-test.conllu"
    names = ("udpipe-raw", "udpipe-swap", "spacy")
    systems = [folder / f"{name}-test.conllu" for name in names]
    found = tertium.compare(gold, *systems, metric=["tags.accuracy", "deps.las"], names=names)
    scores = tertium.score(
        gold, *systems, metric=["tags.accuracy", "deps.las"], labels=False, names=names
    )
    assert [r.to_dict() for r in found.scores] == [r.to_dict() for r in scores]
    given = tertium.compare(
        gold, *systems[1:], metric=["tags.accuracy", "deps.las"], names=names[1:]
    )
    for view in found.views:
        alone = given[view.metric].pairs[0]
        assert view.pair("udpipe-swap", "spacy").to_dict() == alone.to_dict()
        assert view.has_extra
        pair = view.pair("udpipe-raw", "udpipe-swap")
        counts = scores["udpipe-raw", view.metric].counts
        extra = pair.items - pair.gold_items
        assert extra == counts["system"] - _met(scores["udpipe-raw", view.metric])


def _met(result: tertium.Result) -> int:
    """System words that have a gold partner."""
    return int(result.counts["system"]) - int(result.coverage["unaligned_system"])


def test_two_versions_of_one_annotation(shared: Path) -> None:
    """83 tags of the tweets were corrected (the README of the data)."""
    folder = shared / "data" / "ritter-tweets"
    old, new = folder / "pos.txt", folder / "ark_pos_fixed.tsv"
    pair = tertium.compare(new, old, new, metric="tags.accuracy", names=["old", "new"]).pairs[0]
    assert (pair.items, pair.different) == (15185, 83)
    assert (pair.corrections, pair.new_errors, pair.changed_errors) == (83, 0, 0)
    assert pair.complete is not None
    assert pair.complete.b == pair.complete.sentences == 787
