"""Docs and examples of spaCy."""

import pytest

import tertium
from spacy_fakes import Doc, Example, Span
from tertium.corpus.layers import Arcs, Spans
from tertium.formats.objects import from_python

WORDS = "Ann met Bo Lee . \n He slept .".split(" ")
GOLD = Doc(WORDS, [(0, 1, "PER"), (2, 4, "PER")])
SYSTEM = Doc(WORDS, [(0, 1, "PER"), (2, 3, "PER")])


def test_entities_of_docs() -> None:
    scores = tertium.score(GOLD, SYSTEM)
    assert scores.value == 0.5
    assert scores.results[0].counts == {"correct": 1, "gold": 2, "system": 2}
    assert tertium.score([GOLD, GOLD], [SYSTEM, GOLD]).value == 0.75


def test_examples_hold_both_sides() -> None:
    examples = [Example(predicted=SYSTEM, reference=GOLD)]
    assert tertium.score(examples).value == 0.5
    assert tertium.score(examples[0]).value == 0.5
    assert tertium.score(examples, examples).value == 0.5
    swapped = tertium.score([Example(predicted=GOLD, reference=SYSTEM)])
    assert swapped.results[0].counts["system"] == 2


def test_docs_beside_other_data() -> None:
    tuples = [("Ann met Bo Lee.\nHe slept.", {"entities": [(0, 3, "PER"), (8, 14, "PER")]})]
    assert tertium.score(tuples, SYSTEM).value == 0.5
    assert tertium.score(GOLD, tuples).value == 1.0


def test_white_space_is_left_out_and_numbers_are_those_of_words() -> None:
    corpus = from_python(Doc(["\n", *WORDS], [(1, 2, "PER"), (6, 8, "X")]))
    assert corpus.forms is not None
    assert corpus.forms.to_list() == [word for word in WORDS if word.strip()]
    spans = corpus.layer("spans", Spans)
    assert (spans.start.tolist(), spans.end.tolist()) == ([0, 5], [1, 6])
    assert "2 tokens of white space" in corpus.problems[0].message


def columns(**more: list[object]) -> dict[str, list[object]]:
    return {
        "dep_": ["nsubj", "ROOT", "obj", "flat", "punct", "dep", "nsubj", "ROOT", "punct"],
        "head_i": [1, 1, 1, 2, 1, 4, 7, 7, 7],
        "pos_": ["PROPN", "VERB", "PROPN", "PROPN", "PUNCT", "SPACE", "PRON", "VERB", "PUNCT"],
        "is_sent_start": [True, False, False, False, False, False, True, False, False],
        **more,
    }


def test_trees_and_tags() -> None:
    gold = Doc(WORDS, columns=columns())
    corpus = from_python(gold)
    assert corpus.offsets.tolist() == [0, 5, 8]
    arcs = corpus.layer("deps", Arcs)
    assert arcs.head.tolist() == [2, 0, 2, 3, 2, 2, 0, 2]
    assert arcs.label.to_list()[1] == "root"
    assert "spans" not in corpus.layers
    other = Doc(WORDS, columns=columns(head_i=[1, 1, 3, 1, 1, 4, 7, 7, 7]))
    assert tertium.score(gold, other, metric="deps.uas").value == 6 / 8
    assert tertium.score(gold, other, metric="tags.accuracy").value == 1.0


def test_no_sentence_ends_inside_an_entity() -> None:
    corpus = from_python(
        Doc(WORDS, [(4, 7, "X")], columns={"is_sent_start": columns()["is_sent_start"]})
    )
    assert corpus.offsets.tolist() == [0, 8]


def test_groups_of_spans_are_layers_beside_entities() -> None:
    doc = Doc(WORDS, [(0, 1, "PER")], spans={"sc": [Span(0, 3, "NP"), Span(1, 3, "VP")]})
    other = Doc(WORDS, [(0, 1, "PER")], spans={"sc": [Span(0, 3, "NP")]})
    assert tertium.score(doc, other, metric="spans.f1(column=sc)").value == pytest.approx(2 / 3)
    assert tertium.score(doc, other, metric="spans.f1").value == 1.0


def test_groups_with_names_of_other_layers_are_renamed() -> None:
    spans = {"spans": [Span(0, 3, "NP")], "upos": [Span(0, 1, "NP")]}
    doc = Doc(WORDS, [(0, 1, "PER")], spans=spans, columns=columns())
    corpus = from_python(doc)
    assert {*corpus.layers} == {"upos", "deps", "spans_group", "upos_group", "spans"}
    assert corpus.layer("spans", Spans).label.to_list() == ["PER"]
    note = "gold: the group 'upos' of doc.spans was read as 'upos_group'"
    assert note in tertium.score(doc, doc, metric="spans.f1").notes


def test_docs_without_entities_are_refused_where_these_are_asked_for() -> None:
    with pytest.raises(tertium.LayerError):
        tertium.score(Doc(WORDS), Doc(WORDS), metric="spans.f1")
    with pytest.raises(tertium.InputError, match="empty"):
        tertium.score(Doc([]), Doc([]))


def test_a_doc_without_annotation_that_others_have_is_named() -> None:
    docs = [GOLD, Doc(WORDS)]
    with pytest.raises(tertium.LayerError) as error:
        tertium.score(docs, docs)
    assert "entities were not read: doc 2" in (error.value.help or "")
    notes = [each.message for each in from_python([Doc(WORDS, columns=columns()), GOLD]).problems]
    assert any(note.startswith("upos was not read: doc 2") for note in notes)
    mixed = [Doc(WORDS, [(0, 1, "PER")], columns=columns()), Doc(WORDS, columns=columns())]
    noted = tertium.score(mixed, mixed).notes
    assert any(note.startswith("gold: entities were not read: doc 2") for note in noted)
