"""Sentences of two sides: rows in the order of the text, with what the metric decided."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from strategies import read_bytes
from tertium.align.tokens import align
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs
from tertium.exceptions import LayerError
from tertium.families.family import whole_items
from tertium.results.figures import figure_of
from tertium.results.items import NOWHERE, ROOT
from tertium.results.scenes import OUTSIDE, Scene
from tertium.results.sentences import Scenes


def conllu(*sentences: str, upos: str = "_") -> Corpus:
    """Sentences of `form/head/relation`; `3-4:du` is a multiword token."""
    lines = []
    for sentence in sentences:
        number = 0
        for word in sentence.split():
            if ":" in word and "-" in word.split(":")[0]:
                token, form = word.split(":")
                lines.append("\t".join([token, form, *["_"] * 8]))
                continue
            number += 1
            form, head, relation = word.split("/")
            lines.append("\t".join([str(number), form, "_", upos, "_", "_", head, relation, *"__"]))
        lines.append("")
    return read_bytes("conllu", ("\n".join(lines) + "\n").encode())


def scenes(
    gold: Corpus, system: Corpus | None = None, metric: str = "deps.las", **more: Any
) -> Scenes:
    fitted = tertium.metric(metric).fit(tertium.metric(metric).facts(gold))
    drawn = partial(whole_items, fitted)
    if system is None:
        return Scenes(gold, drawn(gold), figure=figure_of, **more)
    return Scenes(
        gold,
        drawn(gold),
        system,
        drawn(system),
        tertium.decide(gold, system, metric),
        align(gold, system),
        figure=figure_of,
        **more,
    )


def pair(gold: Corpus, system: Corpus | None = None, sentence: int = 0, **more: Any) -> Scene:
    return scenes(gold, system, **more).scene(sentence)


def rows(pair: Scene) -> list[tuple[Any, ...]]:
    """Form, number and head of each side, and what is the same."""
    found = []
    for place, told in enumerate(pair.to_dict()["words"]):
        words, marks = (side[place] for side in pair.tokens), pair.rows[place]
        sides = [
            (word.form, word.number, mark.second) if word and mark else None
            for word, mark in zip(words, marks, strict=True)
        ]
        found.append((*sides, "h" * told["same_head"] + "r" * told["same_relation"]))
    return found


def test_the_same_words() -> None:
    found = pair(
        conllu("She/2/nsubj sleeps/0/root now/2/advmod"),
        conllu("She/2/nsubj:x sleeps/0/root now/1/obj"),
    )
    assert rows(found) == [
        (("She", 1, 1), ("She", 1, 1), "hr"),
        (("sleeps", 2, ROOT), ("sleeps", 2, ROOT), "hr"),
        (("now", 3, 1), ("now", 3, 0), ""),
    ]
    assert found.differing == (2,)
    assert (found.id, found.number, found.line) == ("1", 1, 1)


def test_subtypes_count_if_they_are_to() -> None:
    gold, system = conllu("a/0/root b/1/nsubj:pass"), conllu("a/0/root b/1/nsubj")
    assert pair(gold, system).differing == ()
    assert pair(gold, system, metric="deps.las(subtypes=True)").differing == (1,)
    (mark, other) = pair(gold, system).rows[1]
    assert mark is not None
    assert other is not None
    assert (mark.label, mark.compared, mark.outcome) == ("nsubj:pass", "nsubj", "correct")
    assert (other.label, other.outcome) == ("nsubj", "correct")


def test_one_tree_differs_from_nothing() -> None:
    found = pair(conllu("a/0/root b/1/obj", upos="X"))
    assert not found.has_system
    assert found.differing == ()
    assert [system for _, system in found.rows] == [None, None]
    assert [word and word.upos for word in found.tokens[0]] == ["X", "X"]


def test_other_tokens_stand_where_their_characters_do() -> None:
    found = pair(
        conllu("an/2/det A.B/3/nsubj c/0/root d/3/obj"),
        conllu("an/3/det A./3/x B/4/nsubj c/0/root d/4/obj"),
    )
    assert rows(found) == [
        (("an", 1, 1), ("an", 1, 3), "r"),
        (("A.B", 2, 4), None, ""),
        (None, ("A.", 2, 3), ""),
        (None, ("B", 3, 4), ""),
        (("c", 3, ROOT), ("c", 4, ROOT), "hr"),
        (("d", 4, 4), ("d", 5, 4), "hr"),
    ]


def test_heads_in_another_sentence_are_outside() -> None:
    gold = conllu("a/2/x b/0/root", "c/2/y d/0/root")
    system = conllu("a/2/x b/0/root c/2/y d/3/z")
    assert rows(pair(gold, system, 0)) == [
        (("a", 1, 1), ("a", 1, 1), "hr"),
        (("b", 2, ROOT), ("b", 2, ROOT), "hr"),
    ]
    assert rows(pair(gold, system, 1)) == [
        (("c", 1, 1), ("c", 3, OUTSIDE), "r"),
        (("d", 2, ROOT), ("d", 4, 0), ""),
    ]


def test_sentences_split_by_the_system_have_several_roots() -> None:
    found = pair(conllu("a/2/x b/0/root c/2/y"), conllu("a/0/root", "b/0/root c/1/y"))
    assert [system.second for _, system in found.rows if system] == [ROOT, ROOT, 1]
    assert [word.number for word in found.tokens[1] if word] == [1, 1, 2]
    assert found.differing == (0,)


def test_words_of_multiword_tokens_are_paired_by_form() -> None:
    gold = conllu("va/0/root 2-3:du de/4/case le/4/det lac/1/obl")
    system = conllu("va/0/root 2-4:du x/5/case de/5/case y/5/det lac/1/obl")
    found = pair(gold, system)
    pairs = zip(*found.tokens, strict=True)
    forms = [tuple(word.form if word else "" for word in row) for row in pairs]
    assert forms == [
        ("va", "va"), ("", "x"), ("de", "de"), ("le", ""), ("", "y"), ("lac", "lac"),
    ]  # fmt: skip


def test_a_missing_head_is_never_right() -> None:
    forms = Labels.of(["a", "b"])
    arcs = Arcs(np.array([0, -1], np.int32), Labels.of(["root", "x"]))
    corpus = Corpus(np.array([0, 2]), forms, {"deps": arcs})
    found = pair(corpus, corpus)
    mark, _ = found.rows[1]
    assert mark is not None
    assert mark.second == NOWHERE
    told = found.to_dict()["words"][1]
    assert (told["same_head"], told["same_relation"]) == (False, True)


def test_numbers_are_those_of_the_file() -> None:
    gold = conllu("a/0/root", "b/0/root")
    found = pair(gold, sentence=1, kept=np.array([3, 7]))
    assert (found.id, found.number) == ("8", 8)


def test_data_without_trees_are_refused() -> None:
    corpus = Corpus(np.array([0, 1]), Labels.of(["a"]))
    with pytest.raises(LayerError, match="has no trees"):
        scenes(corpus)


def test_json_has_both_sides() -> None:
    found = pair(conllu("a/0/root b/1/x"), conllu("a/2/y b/0/root")).to_dict()
    assert found["words"][1] == {
        "gold": {
            "number": 2, "form": "b", "head": 1, "relation": "x", "line": 2, "outcome": "wrong",
        },
        "system": {
            "number": 2, "form": "b", "head": 0, "relation": "root", "line": 2, "outcome": "wrong",
        },
        "same_head": False,
        "same_relation": False,
    }  # fmt: skip
    item = found["items"][1]["gold"]
    assert item.pop("type").startswith("both:")
    assert item == {"label": "x", "tokens": [2], "text": "b", "second": 1, "outcome": "wrong"}
    alone = pair(conllu("a/0/root")).to_dict()
    assert set(alone["words"][0]) == {"gold"}


def wrong_rows(gold: Any, system: Any) -> list[int]:
    decisions = tertium.decide(gold, system, "deps.las")
    wrong = decisions.unit[decisions.outcome != 0]
    return np.bincount(wrong, minlength=decisions.units).tolist()


@given(st.data())
def test_what_differs_is_what_the_metric_finds_wrong(data: st.DataObject) -> None:
    text = "".join(data.draw(st.lists(st.sampled_from("ab"), min_size=2, max_size=14)))

    def side() -> Corpus:
        lines, start = [], 0
        while start < len(text):
            size = data.draw(st.integers(1, 5))
            words = []
            while start < len(text) and len(words) < size:
                end = start + data.draw(st.integers(1, 2))
                words.append(text[start:end])
                start = end
            heads = [data.draw(st.integers(min(place, 1), place)) for place in range(len(words))]
            relations = [data.draw(st.sampled_from(("x", "y:z", "y"))) for _ in words]
            lines.append(
                " ".join(map("/".join, zip(words, map(str, heads), relations, strict=True)))
            )
        return conllu(*lines)

    gold, system = side(), side()
    made = scenes(gold, system)
    found = [made.scene(sentence) for sentence in range(gold.sentence_count)]
    assert [len(each.differing) for each in found] == wrong_rows(gold, system)
    for side, corpus in enumerate((gold, system)):
        words = [word.form for each in found for word in each.tokens[side] if word]
        assert corpus.forms is not None
        assert words == corpus.forms.to_list()


@pytest.mark.parametrize("name", ["udpipe-raw", "spacy", "udpipe-swap"])
def test_real_parses(name: str, shared: Path) -> None:
    folder = shared / "data" / "ewt-systems"
    gold = tertium.read(str(folder / "gold-dev.conllu"))
    system = tertium.read(str(folder / f"{name}-dev.conllu"))
    made = scenes(gold, system)
    found = [made.scene(sentence) for sentence in range(500)]
    assert [len(each.differing) for each in found] == wrong_rows(gold, system)[:500]


def test_only_what_the_metric_judges_is_an_error() -> None:
    gold = conllu("She/2/nsubj sleeps/0/root now/2/advmod ./2/punct")
    system = conllu("She/2/obj sleeps/0/root now/2/advmod ./3/punct")
    assert pair(gold, system).differing == (0, 3)
    assert pair(gold, system, metric="deps.uas").differing == (3,)
    assert pair(gold, system, metric="deps.ls").differing == (0,)
    without = pair(gold, system, metric="deps.las(punct='deprel')")
    assert without.differing == (0,)
    assert [mark and mark.outcome for mark in without.rows[3]] == [None, None]
    assert [mark and mark.outcome for mark in without.rows[0]] == ["wrong", "wrong"]
    same = conllu("She/2/obj sleeps/0/root now/2/obl ./2/punct")
    found = pair(gold, same, metric="deps.uas")
    assert found.differing == ()
    assert found.figure is not None
    assert found.figure.errors == ()


def test_spans_that_were_compared_stand_in_one_row() -> None:
    gold = [["B-PER", "I-PER", "O", "B-LOC", "O", "B-ORG"]]
    system = [["B-PER", "O", "B-DATE", "B-LOC", "O", "O"]]
    (found,) = tertium.draw(gold, system, metric="spans.fair").pairs
    told = [
        [mark and (mark.label, mark.places, mark.outcome, mark.type) for mark in row]
        for row in found.rows
    ]
    assert told == [
        [("PER", (0, 1), "wrong", "BEs"), ("PER", (0,), "wrong", "BEs")],
        [None, ("DATE", (2,), "extra", "FP")],
        [("LOC", (3,), "correct", None), ("LOC", (3,), "correct", None)],
        [("ORG", (5,), "missing", "FN"), None],
    ]
    assert found.differing == (0, 1, 3)
    assert found.words == tuple("123456")
    assert not found.has_heads
    word = found.to_dict()["words"][0]
    assert word == {
        "gold": {"number": 1, "form": "_"},
        "system": {"number": 1, "form": "_"},
    }


def test_characters_are_joined_to_words() -> None:
    lines = [
        {"text": "The new Acme Labs Oslo", "spans": [{"start": 8, "end": end, "label": "ORG"}]}
        for end in (22, 17)
    ]
    gold, system = (read_bytes("jsonl", json.dumps(line).encode()) for line in lines)
    found = pair(gold, system, metric="spans.fair")
    assert found.words == ("The", "new", "Acme", "Labs", "Oslo")
    assert [mark and mark.places for mark in found.rows[0]] == [(2, 3, 4), (2, 3)]
