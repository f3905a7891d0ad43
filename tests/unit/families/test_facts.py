"""Facts about gold files, and metrics fitted to them."""

from dataclasses import replace

import pytest

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Tags
from tertium.exceptions import LayerError
from tertium.families.base import make
from tertium.formats.objects import from_python


def corpus(**columns: str) -> Corpus:
    """One sentence with some columns of tags."""
    first = next(iter(columns.values())).split()
    tags = {name: Tags(Labels.of(text.split())) for name, text in columns.items()}
    return replace(from_python([["O"] * len(first)], name="gold"), layers=tags)


@pytest.mark.parametrize(
    ("metric", "column"),
    [
        ("tags.accuracy", "upos"),
        ("spans.f1", "ner"),
        ("spans.fair", "ner"),
        ("spans.partial", "ner"),
        ("spans.f1(compat='seqeval')", "ner"),
    ],
)
def test_the_column_is_a_fact_unless_it_is_named(metric: str, column: str) -> None:
    gold = corpus(xpos="NN NE VV", upos="N N V", ner="B-X I-X O")
    judge = make(metric)
    facts = judge.facts(gold)
    assert f"column={column}" in facts
    fitted = judge.fit(facts)
    assert fitted.parameters()["column"] == column
    assert not [fact for fact in fitted.facts(gold) if fact.startswith("column=")]
    assert judge.fit(frozenset()) == judge
    assert fitted.settings(facts) == fitted.settings(fitted.facts(gold))


def test_files_must_agree_on_a_column_that_is_not_named() -> None:
    facts = make("spans.f1").facts(corpus(ner="B-X O")) | make("spans.f1").facts(corpus(np="B-X O"))
    with pytest.raises(LayerError, match=r"spans\.f1 would score: ner, np") as error:
        make("spans.f1").fit(facts)
    assert error.value.help == "name it: spans.f1(column='ner')"
    named = make("spans.f1(column='np')")
    assert named.fit(facts) == named


def test_what_is_dropped_depends_on_all_files() -> None:
    judge = make("spans.f1(repair='drop')")
    one, other = corpus(ner="B-X O I-X"), corpus(ner="B-X B-X I-X")
    expected = [judge.fit(judge.facts(c)).parameters()["expected"] for c in (one, other)]
    assert expected == ["iob", "iob2"]
    both = judge.fit(judge.facts(one) | judge.facts(other))
    assert both.parameters()["expected"] == "iob"


def test_a_strict_scheme_is_detected_on_all_files() -> None:
    judge = make("spans.f1(compat='seqeval-strict')")
    nothing, some = corpus(ner="O O"), corpus(ner="B-X I-X")
    assert judge.fit(judge.facts(nothing)).parameters()["scheme"] == "auto", "reading says it"
    fitted = judge.fit(judge.facts(nothing) | judge.facts(some))
    assert fitted.parameters()["scheme"] == "iob2"


@pytest.mark.parametrize("metric", ["tags.accuracy", "spans.f1", "deps.las", "deps.ud.upos"])
def test_a_layer_must_be_there(metric: str) -> None:
    with pytest.raises(LayerError, match="gold"):
        make(metric).facts(replace(corpus(upos="N"), layers={}))


@pytest.mark.parametrize("metric", ["tags.accuracy", "spans.f1", "spans.f1(compat='conlleval')"])
def test_a_named_column_must_be_there(metric: str) -> None:
    judge = replace(make(metric), column="chunks")  # type: ignore[call-arg]
    gold = corpus(one="B-X O", other="B-X O")
    with pytest.raises(LayerError, match="layer 'chunks'"):
        judge.facts(gold)
