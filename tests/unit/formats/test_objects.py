"""Corpora from Python objects."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tertium.corpus.layers import Comments, Spans, Tags
from tertium.exceptions import FormatError, InputError, UsageError
from tertium.formats.objects import from_python

COLUMNS = {
    "sentence": [1, 1, 2],
    "form": ["a", "b", "a"],
    "upos": ["X", "Y", "X"],
    "tags": ["O", "O", "B-X"],
}


def test_lists_of_tags() -> None:
    corpus = from_python([["O", "B-X"], [], ("O",), np.array(["O"])], name="gold")
    assert corpus.offsets.tolist() == [0, 2, 2, 3, 4]
    assert corpus.layer("tag", Tags).labels.to_list() == ["O", "B-X", "O", "O"]
    assert corpus.forms is not None
    assert set(corpus.forms.to_list()) == {"_"}
    assert (corpus.origin, corpus.atoms) == ("gold", "words")


def test_a_corpus_is_itself() -> None:
    corpus = from_python([["O"]])
    assert from_python(corpus) is corpus


def test_dictionaries() -> None:
    corpus = from_python(
        [
            {"id": "s", "tokens": ["a", "b"], "tags": np.array(["O", "B-X"])},
            {"tokens": ("c",), "tags": ("O",)},
        ]
    )
    assert corpus.layer("tag", Tags).labels.to_list() == ["O", "B-X", "O"]
    assert corpus.sentence_id(0) == "s"
    texts = from_python([{"text": "a b", "spans": [(0, 1, "X"), (np.int64(2), np.int64(3), "Y")]}])
    assert texts.layer("spans", Spans).end.tolist() == [1, 2]


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame(COLUMNS),
        pl.LazyFrame(COLUMNS),
        pl.DataFrame(COLUMNS).with_columns(pl.col("upos").cast(pl.Categorical)),
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).astype({"upos": "category", "form": "string"}),
        pd.DataFrame(COLUMNS, index=[5, 5, 7]),
        pl.DataFrame(COLUMNS).rename({"sentence": "sentence_id", "form": "token"}),
    ],
)
def test_frames(frame: Any) -> None:
    corpus = from_python(frame)
    assert corpus.offsets.tolist() == [0, 2, 3]
    assert corpus.forms is not None
    assert corpus.forms.to_list() == ["a", "b", "a"]
    assert list(corpus.layers) == ["upos", "tag"]
    assert corpus.layer("upos", Tags).labels.to_list() == ["X", "Y", "X"]
    comments = corpus.extras["comments"]
    assert isinstance(comments, Comments)
    assert comments.text.to_list() == [" sent_id = 1", " sent_id = 2"]
    assert not corpus.problems


@pytest.mark.parametrize("make", [pl.DataFrame, pd.DataFrame])
def test_frames_tell_what_they_leave_out(make: Any) -> None:
    corpus = from_python(make({"form": ["a", "b"], "upos": ["X", "Y"], "length": [1, 1]}))
    assert corpus.offsets.tolist() == [0, 2]
    assert [p.message for p in corpus.problems] == [
        "there is no column 'sentence': all rows are one sentence",
        "column 'length' does not hold strings and was not read",
    ]


def test_frame_without_forms() -> None:
    corpus = from_python(pl.DataFrame({"sentence": ["x", "y"], "tag": ["O", "B-X"]}))
    assert corpus.forms is not None
    assert corpus.forms.to_list() == ["_", "_"]
    assert corpus.sentence_id(1) == "y"


@pytest.mark.parametrize(
    "data",
    [None, 3, 2.5, "gold.conllu", b"x", {}, {"tokens": ["a"]}, (x for x in "ab")],
)
def test_other_objects(data: Any) -> None:
    with pytest.raises(UsageError, match="gold: a corpus cannot be made of") as caught:
        from_python(data, name="gold")
    assert "list of lists of tags" in (caught.value.help or "")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "gold is empty"),
        (["O", "B-X"], "item 1 is of type str, expected a list of tags"),
        (pl.Series(["a"]), "item 1 is of type str, expected a list of tags"),
        ([["O"], None], "item 2 is None, expected a list of tags"),
        ([["O", 1]], "tag 2 of sentence 1 is of type int, expected a string"),
        ([["O"], ["O", None]], "tag 2 of sentence 2 is None"),
        ([[["O"]]], "tag 1 of sentence 1 is of type list"),
        ([["O", ""]], "tag 2 of sentence 1 is an empty string"),
        ([["\ud800"]], "half a surrogate pair"),
        ([["O"], {"tags": ["O"]}], "item 2 is of type dict"),
        ([{1: "a"}], "a key of dictionary 1 is of type int"),
        ([{"tokens": ["\ud800"]}], "dictionary 1 holds half a surrogate pair"),
        (pl.DataFrame(), "the frame has no rows"),
        (pd.DataFrame({"form": []}), "the frame has no rows"),
        (pl.DataFrame({"form": ["a", None]}), "row 2 of column 'form' is missing"),
        (pd.DataFrame({"form": ["a", None]}), "row 2 of column 'form' is missing"),
        (pd.DataFrame({"form": ["a", ""]}), "row 2 of column 'form' is an empty string"),
        (pl.DataFrame({"form": [1, 2]}), "column 'form' does not hold strings"),
        (pl.DataFrame({"form": ["a"], "tag": [None]}), "row 1 of column 'tag' is missing"),
        (pl.DataFrame({"sentence": [1, None], "form": ["a", "b"]}), "row 2 of column 'sentence'"),
        (pd.DataFrame([["a", "b"]], columns=["form", "form"]), "have the same name"),
        (
            pl.DataFrame({"sentence": [1, 2, 1], "form": ["a", "b", "c"]}),
            r"rows of sentence 1 are not together \(again at row 3\)",
        ),
        (pl.DataFrame({"sentence": ["a\nb"], "form": ["a"]}), "holds a line break"),
    ],
)
def test_wrong_content(data: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_python(data, name="gold")


def test_wrong_dictionaries_are_collected() -> None:
    with pytest.raises(FormatError, match="gold:2, sentence '2': 'tags' has 2 strings") as caught:
        from_python(
            [
                {"tokens": ["a"], "tags": ["O"]},
                {"tokens": ["a"], "tags": ["O", "O"]},
                {"tokens": [3], "tags": ["O"]},
            ],
            name="gold",
        )
    assert len(caught.value.problems) == 2
    assert "jsonl" in (caught.value.help or "")


def test_no_frame_library_is_loaded_for_lists() -> None:
    code = (
        "import sys; from tertium.formats.objects import from_python; from_python([['O']]); "
        "sys.exit('pandas' in sys.modules or 'polars' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
