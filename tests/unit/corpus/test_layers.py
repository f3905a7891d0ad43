from dataclasses import replace

import numpy as np
import pytest

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels, Names, concatenate, unite
from tertium.corpus.layers import (
    Arcs,
    Chains,
    Comments,
    EmptyNodes,
    Graph,
    Layer,
    Ragged,
    Spaces,
    Spans,
    Tags,
    Trees,
)
from tertium.exceptions import LayerError


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


def corpus() -> Corpus:
    """Three sentences of 2, 0 and 3 tokens with a layer of every kind."""
    layers: dict[str, Layer] = {
        "tag": Tags(Labels.of("A B C D E".split())),
        "deps": Arcs(ints(2, 0, 0, 1, 1), Labels.of("a root root b c".split())),
        "spans": Spans(ints(0, 2, 3), ints(2, 4, 5), Labels.of(["X", "Y", "X"])),
        "trees": Trees(
            ints(0, 0, 2, 2),
            ints(2, 1, 5, 3),
            Labels.of("S NP S NP".split()),
            function=Labels.of(["", "sb", "", "sb"]),
            parent=ints(-1, 0, -1, 2),
            sentence=ints(0, 0, 2, 2),
        ),
        "chains": Chains(
            ints(0, 2),
            ints(1, 3),
            Labels.of(["", ""]),
            entity=ints(1, 1),
            name=Labels.of(["e1", "e1"]),
            sentence=ints(0, 2),
        ),
        "graph": Graph(
            place=ints(0, 1, -2, 4, 2, 5),
            top=np.array([1, 0, 0, 0, 1, 0], bool),
            node_sentence=ints(0, 0, 1, 2, 2, 2),
            source=ints(0, 3, -1),
            target=ints(1, 5, 4),
            label=Labels.of(["arg1", "arg2", "root"]),
            sentence=ints(0, 2, 2),
        ),
    }
    return Corpus(
        np.array([0, 2, 2, 5]),
        Labels.of("u v w x y".split()),
        layers,
        {
            "comments": Comments(
                ints(0, 1, 2, 2), Labels.of(["a = 1", "b = 2", "newdoc", "a = 3"])
            ),
            "spaces": Spaces(np.array([1, 1, 0, 1, 1], bool)),
            "empty": EmptyNodes(ints(2), ints(1), ints(1), Labels.of(["e"])),
        },
        documents=np.array([0, 2]),
    )


def test_names_decode_only_when_looked_at_and_compare_by_content() -> None:
    names = Names.of(["é", "", "日本"])
    assert list(names) == ["é", "", "日本"]
    assert names == Names.of(["é", "", "日本"]) != Names.of(["é", "日本", ""])
    assert (len(names), names.find("日本"), names[-1]) == (3, 2, "日本")


def test_labels_of_equal_strings_are_equal_whatever_their_codes() -> None:
    a = Labels(Names.of(["x", "y", "unused"]), ints(0, 1, 0))
    assert a == Labels.of(["x", "y", "x"])
    assert a != Labels.of(["x", "y", "y"])
    assert a != Labels.of(["x", "y"])


def test_rename_merges_names_that_become_equal() -> None:
    merged = Labels.of(["a", "b", "c"]).rename({"a": "b"})
    assert merged.to_list() == ["b", "b", "c"]
    assert list(merged.names) == ["b", "c"]


def test_unite_and_concatenate() -> None:
    names, (a, b) = unite(Labels.of(["x"]), Labels.of(["y", "x"]))
    assert [names[i] for i in (*a, *b)] == ["x", "y", "x"]
    assert concatenate([Labels.of(["x"]), Labels.of([]), Labels.of(["y", "x"])]).to_list() == [
        *"xyx"
    ]


def test_take_moves_every_layer() -> None:
    taken = corpus().take([2, 0])
    assert taken.offsets.tolist() == [0, 3, 5]
    assert taken.forms is not None
    assert taken.forms.to_list() == "w x y u v".split()
    spans = taken.layer("spans", Spans)
    assert list(zip(spans.start, spans.end, spans.label.to_list(), strict=True)) == [
        (0, 2, "Y"),
        (1, 3, "X"),
        (3, 5, "X"),
    ]
    trees = taken.layer("trees", Trees)
    assert trees.parent.tolist() == [-1, 0, -1, 2]
    assert trees.label.to_list() == ["S", "NP", "S", "NP"]
    graph = taken.layer("graph", Graph)
    assert graph.place.tolist() == [2, 0, 5, 3, 4]
    assert graph.source.tolist() == [0, -1, 3]
    assert graph.target.tolist() == [2, 1, 4]
    assert graph.top.tolist() == [False, True, False, True, False]
    assert taken.metadata("a") == ["3", "1"]
    assert taken.documents.tolist() == [0, 1]


def test_take_may_repeat_a_sentence() -> None:
    twice = corpus().take([2, 2])
    assert twice.layer("trees", Trees).parent.tolist() == [-1, 0, -1, 2]
    assert twice.layer("spans", Spans).start.tolist() == [0, 1, 3, 4]


def test_take_of_everything_is_the_same() -> None:
    whole = corpus()
    assert whole.take(np.arange(3)) == whole
    assert whole.take(np.ones(3, bool)) == whole


def test_a_row_number_that_leads_out_of_the_choice_is_refused() -> None:
    whole = corpus()
    trees = replace(whole.layer("trees", Trees), parent=ints(-1, 0, -1, 1))
    crossing = replace(whole, layers={"trees": trees})
    assert crossing.take([2, 0]).layer("trees", Trees).parent.tolist() == [-1, 3, -1, 2]
    refused = r"'parent' of a row of Trees in sentence 3 leads to sentence 1, which is not among"
    for chosen in ([2], [1, 2], [0, 0, 2]):
        with pytest.raises(LayerError, match=refused) as caught:
            crossing.take(chosen)
        assert caught.value.help is not None


def test_a_place_that_leads_out_of_the_choice_is_refused() -> None:
    whole = corpus()
    for place in (4, 5):  # a token and an empty node of the third sentence
        graph = replace(whole.layer("graph", Graph), place=ints(place, 1, -2, 4, 2, 5))
        with pytest.raises(LayerError, match="'place' of a row of Graph in sentence 1 leads to"):
            replace(whole, layers={"graph": graph}).take([0, 1])


def test_trees_and_chains_are_spans() -> None:
    assert corpus().of_kind(Spans).keys() == {"spans", "trees", "chains"}
    assert corpus().layer("trees", Spans).token_sets()[0].tolist() == [0, 1]


def test_chains_of_two_documents_stay_apart() -> None:
    def entities(c: Corpus) -> set[tuple[int, int]]:
        chains = c.layer("chains", Chains)
        documents = c.document_of_sentence[chains.sentence].tolist()
        return set(zip(documents, chains.entity.tolist(), strict=True))

    whole = corpus()
    assert entities(whole) == {(0, 1), (1, 1)}
    assert len(entities(whole.take([0, 1, 2, 0, 1, 2]))) == 4
    one = whole.take([0])
    assert len(entities(one.take([0, 0]))) == 2


def test_there_is_always_a_document() -> None:
    plain = Corpus(np.array([0, 1, 2]), Labels.of(["a", "b"]))
    assert plain.documents.tolist() == [0]
    assert plain.document_marks.tolist() == [False]
    assert (plain.document_count, plain.document_names[0]) == (1, "")
    assert plain.take([]).document_count == Corpus(np.zeros(1, int), None).document_count == 0
    late = Corpus(np.array([0, 2, 2, 5]), Labels.of("u v w x y".split()), documents=np.array([2]))
    assert late.documents.tolist() == [0, 2]
    assert late.document_marks.tolist() == [False, True]
    assert late.document_of_sentence.tolist() == [0, 0, 1]
    again = late.take([0, 1, 2, 0])
    assert again.documents.tolist() == [0, 2, 3]
    assert again.document_marks.tolist() == [False, True, False]
    mixed = again.take([2, 1, 3])
    assert mixed.documents.tolist() == [0, 1, 2]
    assert mixed.document_marks.tolist() == [True, False, False]


def test_documents_keep_their_names() -> None:
    texts = [
        "sent_id = s",
        " newdoc id = d1",
        "\u00a0newdoc",
        " genre = x",
        "      newdoc id = d 3",
    ]
    comments = Comments(ints(0, 1, 2, 2, 3), Labels.of(texts))
    c = Corpus(np.arange(6), Labels.of("a b c d e".split()), extras={"comments": comments})
    assert c.documents.tolist() == [0, 1, 2, 3]
    assert c.document_marks.tolist() == [False, True, True, True]
    assert c.document_names.to_list() == ["", "d1", "", "d 3"]
    assert c.metadata("newdoc") == [None, "d1", "", "d 3", "d 3"]
    assert c.take([4]).document_names.to_list() == c.take([4]).metadata("newdoc") == ["d 3"]
    assert c.take([4, 0]).document_of_sentence.tolist() == [0, 1]


def test_sentence_ids_are_a_column() -> None:
    comments = Comments(ints(0, 2, 2), Labels.of([" sent_id = x", "sent_id=y", "\tsent_id = z "]))
    c = Corpus(np.arange(4), Labels.of("a b c".split()), extras={"comments": comments})
    assert c.sentence_ids == Labels.of(["x", "", "z"])
    assert c.metadata("sent_id") == ["x", None, "z"]
    assert [c.sentence_id(i) for i in range(3)] == ["x", "2", "z"]
    assert c.take([1]).sentence_ids is None
    assert c.take([1]).metadata("sent_id") == [None]


def test_discontinuous_spans_survive_joining_with_continuous_ones() -> None:
    gap = Spans(ints(0), ints(3), Labels.of(["X"]), Ragged(np.array([0, 2]), ints(0, 2)))
    full = Spans(ints(1), ints(3), Labels.of(["Y"]))
    joined = Spans.join([gap, full])
    assert joined.start.tolist() == [0, 1]
    assert joined.tokens is not None
    assert [joined.tokens[i].tolist() for i in range(2)] == [[0, 2], [0, 1]]


def test_metadata_is_inherited_from_the_first_sentence_of_a_document() -> None:
    c = Corpus(
        np.array([0, 1, 2, 3]),
        Labels.of("a b c".split()),
        extras={
            "comments": Comments(
                ints(0, 0, 2), Labels.of([" newdoc id = d1", " genre = x", " newdoc"])
            )
        },
        documents=np.array([0, 2]),
    )
    assert c.metadata("genre") == ["x", "x", None]
    assert c.metadata("newdoc") == ["d1", "d1", ""]
    assert c.sentence_id(1) == "2"


def test_a_missing_layer_is_named_with_what_there_is() -> None:
    with pytest.raises(LayerError, match=r"no tags layer 'tga'.*It has: tag.*Did you mean 'tag'"):
        corpus().layer("tga", Tags)
