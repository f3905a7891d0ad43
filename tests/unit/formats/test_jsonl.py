"""JSON lines: texts with character spans, tokens with tags and spans."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import (
    CONLLU,
    JSONL,
    JSONL_TOKENS,
    SPANS,
    any_string,
    corpora,
    read_bytes,
    write_bytes,
)
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Arcs, Spans, Tags
from tertium.exceptions import FormatError, InputError
from tertium.formats.files import sniff
from tertium.formats.objects import from_python


def read(*objects: Any, **options: object) -> Corpus:
    """A corpus of these objects; strings are lines as they are."""
    lines = [o if isinstance(o, str) else json.dumps(o, ensure_ascii=False) for o in objects]
    return read_bytes("jsonl", "\n".join(lines).encode() + b"\n", **options)


def rows(corpus: Corpus) -> list[tuple[int, int, str]]:
    layer = corpus.layer("spans", Spans)
    return list(zip(layer.start.tolist(), layer.end.tolist(), layer.label.to_list(), strict=True))


def written(corpus: Corpus) -> list[dict[str, Any]]:
    return [json.loads(line) for line in write_bytes("jsonl", corpus).splitlines()]


def message(*objects: Any) -> str:
    with pytest.raises(FormatError) as caught:
        read(*objects)
    return caught.value.message


# -- texts ------------------------------------------------------------------------------------


def test_atoms_are_characters_without_white_space() -> None:
    corpus = read_bytes("jsonl", JSONL.encode())
    assert corpus.atoms == "characters"
    assert corpus.forms is not None
    assert "".join(corpus.forms.to_list()) == "AnnsawNewYork.SãoPaulo,😀!nothinghere"
    assert corpus.offsets.tolist() == [0, 14, 25, 36]
    assert rows(corpus) == [(0, 3, "PER"), (6, 13, "LOC"), (14, 22, "LOC")]
    assert corpus.space_after[:6].tolist() == [False, False, True, False, False, True]


def test_text_is_written_back_exactly() -> None:
    texts = ["  a  b\t\u3000c\n", "", " ", "x", "a b", "a\u00a0b ", "😀 é\u0301\u2028z", "\n\n"]
    corpus = read(*({"text": t, "spans": []} for t in texts))
    assert [o["text"] for o in written(corpus)] == texts
    assert read_bytes("jsonl", write_bytes("jsonl", corpus)) == corpus


@pytest.mark.parametrize(
    "item",
    [
        {"start": 0, "end": 3, "label": "X"},
        {"begin": 0, "end": 3, "type": "X"},
        {"start_offset": 0, "end_offset": 3, "label": "X"},
        {"start": 0, "end": 3, "labels": ["X"]},
        {"start": 0, "end": 3, "label": "X", "text": "abc"},
        [0, 3, "X"],
    ],
)
@pytest.mark.parametrize("key", ["spans", "entities", "label", "labels"])
def test_ways_to_write_spans(key: str, item: Any) -> None:
    corpus = read({"text": "abc d", key: [item]})
    assert rows(corpus) == [(0, 3, "X")]
    assert not corpus.problems


def test_white_space_at_the_ends_is_trimmed_and_counted() -> None:
    corpus = read({"text": "a b c", "spans": [[0, 2, "X"], [1, 4, "Y"], [2, 3, "Z"]]})
    assert rows(corpus) == [(0, 1, "X"), (1, 2, "Y"), (1, 2, "Z")]
    (note,) = corpus.problems
    assert note.kind == "trimmed"
    assert note.message.startswith("2 spans began or ended in white space")
    assert [s["end"] - s["start"] for s in written(corpus)[0]["spans"]] == [1, 1, 1]


def test_nested_crossing_and_repeated_spans_are_kept_in_order() -> None:
    spans = [[0, 4, "X"], [2, 6, "Y"], [1, 2, "Z"], [0, 4, "X"]]
    assert rows(read({"text": "abcdef", "spans": spans})) == [tuple(s) for s in spans]


@pytest.mark.parametrize(
    ("item", "wrong"),
    [
        ([0, 7, "X"], "goes from 0 to 7, but there are 5 characters"),
        ([-1, 2, "X"], "goes from -1 to 2"),
        ([2, 2, "X"], "covers nothing"),
        ([3, 1, "X"], "covers nothing"),
        ([1, 2, "X"], "covers white space only"),
        ([0, 1], "is neither an object"),
        ([0, 1, "X", "Y"], "is neither an object"),
        ("X", "is neither an object"),
        (None, "is neither an object"),
        ([0.0, 1, "X"], "has no whole number as 'start': 0.0"),
        ([True, 1, "X"], "has no whole number as 'start'"),
        ([0, "1", "X"], "has no whole number as 'end': '1'"),
        ({"start": 0, "label": "X"}, "has no whole number as 'end'"),
        ([0, 1, None], "has no string as label"),
        ([0, 1, ""], "has no string as label"),
        ({"start": 0, "end": 1}, "has no string as label"),
        ({"start": 0, "end": 1, "labels": ["X", "Y"]}, "has no string as label"),
    ],
)
def test_wrong_spans(item: Any, wrong: str) -> None:
    record = {"id": "q", "text": "a b c", "spans": [[0, 1, "A"], item]}
    assert message({"text": ""}, record).startswith(
        f"test.file:2, sentence 'q': item 2 of 'spans' {wrong}"
    )
    assert rows(read(record, on_error="repair")) == [(0, 1, "A")]
    assert read(record, on_error="repair").repaired == 1
    skipped = read(record, {"text": "d", "spans": [[0, 1, "D"]]}, on_error="skip")
    assert rows(skipped) == [(0, 1, "D")]
    assert skipped.offsets.tolist() == [0, 0, 1]


def test_other_text_than_the_offsets_say_is_noted() -> None:
    corpus = read(
        {"text": "😀 Ann", "spans": [{"start": 3, "end": 5, "label": "X", "text": "Ann"}]}
    )
    assert (
        "have a different text than their offsets: 'Ann', but 3 to 5 is 'nn'"
        in corpus.problems[0].message
    )


def test_lines_without_spans_are_noted() -> None:
    corpus = read({"text": "a"}, {"text": "b", "spans": None}, {"text": "c", "spans": []})
    assert corpus.problems[0].message == "2 lines have no list of spans; read as 'no span'"
    assert "spans" in corpus.layers


def test_two_lists_of_spans() -> None:
    both = {"text": "ab", "spans": [[0, 1, "X"]], "entities": [[0, 1, "X"]]}
    assert "both 'spans' and 'entities' hold spans" in message(both)
    assert rows(read({**both, "entities": []})) == [(0, 1, "X")]


def test_label_of_a_whole_text_is_metadata() -> None:
    corpus = read({"text": "ab", "label": "good", "spans": []})
    assert corpus.metadata("label") == ["good"]


def test_tokens_that_are_objects_give_way_to_the_text() -> None:
    record = {"text": "ab", "tokens": [{"text": "ab", "start": 0}], "spans": [[0, 2, "X"]]}
    corpus = read(record)
    assert corpus.atoms == "characters"
    assert corpus.problems[0].message == "key 'tokens' was not read (1 time)"


# -- tokens -----------------------------------------------------------------------------------


def test_tags_and_spans_over_tokens() -> None:
    corpus = read_bytes("jsonl", JSONL_TOKENS.encode())
    assert corpus.atoms == "words"
    assert list(corpus.layers) == ["tag", "upos", "spans"]
    assert corpus.offsets.tolist() == [0, 3, 3, 5]
    assert corpus.layer("tag", Tags).labels.to_list() == ["B-PER", "O", "B-LOC", "O", "O"]
    assert rows(corpus) == [(2, 3, "LOC")]


def test_spans_beside_tokens_and_text_count_tokens() -> None:
    corpus = read({"tokens": ["New", "York"], "text": "New York", "spans": [[0, 2, "X"]]})
    assert rows(corpus) == [(0, 2, "X")]
    assert "read as numbers of tokens, not of characters" in corpus.problems[0].message
    assert corpus.metadata("text") == ["New York"]


def test_lists_as_long_as_tokens_are_tags() -> None:
    corpus = read(
        {"tokens": ["a", "b"], "supersense": ["X", "Y"], "keywords": ["k", "l", "m"]},
        {"tokens": ["c"], "supersense": ["Z"], "keywords": ["n"]},
        {"tokens": ["d", "e", "f"], "supersense": ["Z", "Z", "Z"], "keywords": []},
    )
    assert list(corpus.layers) == ["supersense"]
    assert corpus.problems[0].message == "key 'keywords' was not read (3 times)"


def test_labels_over_tokens_may_be_tags_or_spans() -> None:
    tags = read({"tokens": ["a", "b"], "labels": ["X", "Y"]}, {"tokens": [], "labels": []})
    assert list(tags.layers) == ["labels"]
    spans = read({"tokens": ["a", "b"], "labels": [[0, 1, "X"]]}, {"tokens": ["c"], "labels": []})
    assert rows(spans) == [(0, 1, "X")]


@pytest.mark.parametrize(
    ("record", "wrong"),
    [
        ({"tokens": ["a"], "tags": ["O", "O"]}, "'tags' has 2 strings, but 'tokens' has 1"),
        ({"tokens": ["a"], "tags": []}, "'tags' has 0 strings, but 'tokens' has 1"),
        ({"tokens": ["a"]}, "there is no 'tags', which other lines have"),
        ({"tokens": ["a"], "tags": [3]}, "item 1 of 'tags' is a number, expected a string"),
        ({"tokens": ["a"], "tags": [None]}, "item 1 of 'tags' is null, expected a string"),
        ({"tokens": ["a"], "tags": [["O"]]}, "item 1 of 'tags' is a list, expected a string"),
        ({"tokens": ["a"], "tags": {"a": 1}}, "'tags' is an object, expected a list of strings"),
        ({"tokens": ["a"], "tags": [""]}, "item 1 of 'tags' is empty"),
        ({"tokens": ["a", ""], "tags": ["O", "O"]}, "item 2 of 'tokens' is empty"),
        ({"tokens": ["a", 1], "tags": ["O", "O"]}, "item 2 of 'tokens' is a number, expected"),
        ({"tokens": "a", "tags": ["O"]}, "'tokens' is a string, expected a list of strings"),
        ({"tags": ["O"]}, "there is neither 'tokens' nor 'text'"),
        ({"text": "a"}, "there is 'text', but the file began with 'tokens'"),
        ({"tokens": ["a"], "tags": ["O"], "ner_tags": [1]}, "item 1 of 'ner_tags' is a number"),
        ({"tokens": ["a"], "tags": ["O"], "spans": [[0, 2, "X"]]}, "item 1 of 'spans' goes from 0"),
        ({"tokens": ["a"], "tags": ["O"], "spans": ["O"]}, "item 1 of 'spans' is neither"),
    ],
)
def test_wrong_records(record: Any, wrong: str) -> None:
    good = {"tokens": ["a"], "tags": ["O"]}
    assert message(good, {**record, "id": 7}).startswith(f"test.file:2, sentence '7': {wrong}")
    skipped = read(good, record, good, on_error="skip")
    assert skipped.offsets.tolist() == [0, 1, 1, 2]
    assert skipped.skipped is not None
    assert skipped.skipped.tolist() == [False, True, False]


def test_text_with_a_number() -> None:
    assert "'text' is a number, expected a string" in message({"text": "a"}, {"text": 3})


def test_tags_and_tag_together() -> None:
    assert "both 'tags' and 'tag'" in message({"tokens": ["a"], "tags": ["O"], "tag": ["O"]})


# -- JSON -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ('{"tokens": ["a"', "not valid JSON: Expecting ',' delimiter at character 16; every line"),
        ("{", "not valid JSON: "),
        ("nonsense", "not valid JSON: Expecting value at character 1"),
        ("[1, 2]", "not an object: a line must be {...}"),
        ("3", "not an object"),
        ("null", "not an object"),
        ('{"tokens": [], "tokens": []}', "not valid JSON: key 'tokens' is there twice"),
        ('{"tokens": [], "x": NaN}', "not valid JSON: NaN is not a JSON number"),
        ('{"tokens": [], "x": 1e999}', "not valid JSON: 1e999 is not a JSON number"),
        ('{"tokens": [], "x": ' + "9" * 5000 + "}", "not valid JSON: "),
        ('{"tokens": ["\\ud800"]}', "a string holds half a surrogate pair"),
        ('{"tokens": ["\\udc00x"]}', "a string holds half a surrogate pair"),
        ("[" * 100_000, "not "),
        ('{"x":' * 100_000, "not "),
    ],
)
def test_wrong_lines(line: str, wrong: str) -> None:
    assert message({"tokens": ["a"]}, line).startswith(f"test.file:2, sentence '2': {wrong}")
    corpus = read({"tokens": ["a"]}, line, {"tokens": ["b"]}, on_error="skip")
    assert corpus.offsets.tolist() == [0, 1, 1, 2]


def test_surrogate_pairs_are_one_character() -> None:
    corpus = read('{"text": "\\ud83d\\ude00 a", "spans": [[0, 1, "X"]]}')
    assert corpus.forms is not None
    assert corpus.forms.to_list() == ["😀", "a"]


def test_blank_lines_are_no_sentences() -> None:
    corpus = read('{"tokens": ["a"]}', "", "  ", '{"tokens": ["b"]}')
    assert corpus.sentence_count == 2
    assert corpus.lines is not None
    assert corpus.lines.tolist() == [1, 4]


# -- metadata ---------------------------------------------------------------------------------


def test_metadata_keep_their_types() -> None:
    meta = {
        "sent_id": "s",
        "genre": "news",
        "year": 2003,
        "code": "2003",
        "score": 0.5,
        "done": True,
        "none": None,
        "title": "two\nlines",
        "blank": "",
        "edges": " x = y ",
    }
    corpus = read({**meta, "tokens": ["a"]})
    assert written(corpus) == [{**meta, "tokens": ["a"]}]
    assert corpus.metadata("year") == ["2003"]
    assert corpus.metadata("genre") == ["news"]
    assert corpus.metadata("title") == ['"two\\nlines"']
    assert read_bytes("jsonl", write_bytes("jsonl", corpus)) == corpus
    assert b"# title = " in write_bytes("conllu", corpus)  # no line break gets through


def test_ids() -> None:
    assert read({"id": 7, "tokens": ["a"]}).sentence_id(0) == "7"
    corpus = read({"id": "a", "sent_id": "b", "tokens": ["a"]})
    assert corpus.sentence_id(0) == "b"
    assert corpus.metadata("id") == ["a"]
    assert read({"tokens": ["a"]}).sentence_id(0) == "1"


def test_what_is_not_read_is_noted() -> None:
    corpus = read(
        {
            "text": "a",
            "spans": [{"start": 0, "end": 1, "label": "X", "score": 1}],
            "meta": {"a": 1},
        },
        {"text": "b", "spans": [], "relations": [], "a=b": 1, "meta": [1]},
    )
    assert {p.message for p in corpus.problems} == {
        "key 'meta' was not read (2 times)",
        "key 'spans.score' was not read (1 time)",
        "key 'relations' was not read (1 time)",
        "key 'a=b' was not read (1 time)",
    }


def test_comments_of_other_formats() -> None:
    corpus = read_bytes("conllu", CONLLU.encode())
    objects = written(corpus)
    assert objects[0]["genre"] == "tale"
    assert objects[0]["newdoc id"] == "walk"
    assert objects[1]["comments"] == [" newpar"]
    again = read_bytes("jsonl", write_bytes("jsonl", corpus))
    assert again.documents.tolist() == corpus.documents.tolist()
    assert again.extras["comments"] == corpus.extras["comments"]


def test_order_of_odd_comments() -> None:
    comments = [" a = 1", " odd", " a = 2", " b = 3", " odd too", " c = 4"]
    text = "".join(f"#{c}\n" for c in comments) + CONLLU.split("\n\n")[1] + "\n\n"
    corpus = read_bytes("conllu", text.encode())
    again = read_bytes("jsonl", write_bytes("jsonl", corpus))
    assert again.extras["comments"] == corpus.extras["comments"]


# -- writing ----------------------------------------------------------------------------------


def test_what_cannot_be_written() -> None:
    with pytest.raises(InputError, match="neither words nor text"):
        write_bytes("jsonl", read_bytes("spans", SPANS.encode()))
    corpus = read_bytes("jsonl", JSONL_TOKENS.encode())
    tags, spans = corpus.layers["tag"], corpus.layers["spans"]
    for layers in ({"tokens": tags}, {"tag": tags, "tags": tags}, {"spans": spans, "ner": spans}):
        with pytest.raises(InputError):
            write_bytes("jsonl", replace(corpus, layers=layers))
    gaps = read_bytes("spans", b"X\t1\t3\t1, 3\n").layers["spans"]
    with pytest.raises(InputError, match="spans with gaps"):
        write_bytes("jsonl", replace(corpus, layers={"spans": gaps}))


@given(corpora(any_string, smallest=0))
def test_any_strings_survive(corpus: Corpus) -> None:
    """JSON can hold every string, so only dependency trees are lost."""
    again = read_bytes("jsonl", write_bytes("jsonl", corpus))
    assert again.forms == corpus.forms
    assert np.array_equal(again.offsets, corpus.offsets)
    assert again.layers == {n: v for n, v in corpus.layers.items() if not isinstance(v, Arcs)}


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), min_size=1), st.data()
)
def test_any_texts_survive(texts: list[str], data: st.DataObject) -> None:
    records = []
    for text in texts:
        words = [i for i, c in enumerate(text) if not c.isspace()]
        spans = []
        if words:
            start = data.draw(st.sampled_from(words))
            end = data.draw(st.sampled_from([i + 1 for i in words if i >= start]))
            spans = [{"start": start, "end": end, "label": "X"}]
        records.append({"text": text, "spans": spans})
    corpus = read(*records)
    assert written(corpus) == records


# -- records of annotation tools --------------------------------------------------------------

ANN = {"start": 0, "end": 3, "label": "PER"}
TOOLS: dict[str, Any] = {
    "displacy": {"text": "Ann slept", "ents": [ANN], "title": None},
    "spacy ents": {"text": "Ann slept", "ents": [[0, 3, "PER"]]},
    "spacy doc": {
        "text": "Ann slept",
        "ents": [ANN],
        "sents": [{"start": 0, "end": 9}],
        "tokens": [{"id": 0, "start": 0, "end": 3}, {"id": 1, "start": 4, "end": 9}],
    },
    "spacy pair": ["Ann slept", {"entities": [[0, 3, "PER"]]}],
    "spacy record": {"text": "Ann slept", "entities": [[0, 3, "PER"]]},
    "prodigy": {
        "text": "Ann slept",
        "tokens": [{"text": "Ann", "start": 0, "end": 3, "id": 0}, {"text": "slept", "start": 4}],
        "spans": [{**ANN, "token_start": 0, "token_end": 0}],
        "answer": "accept",
        "_input_hash": -3,
    },
    "doccano label": {"id": 7, "text": "Ann slept", "label": [[0, 3, "PER"]]},
    "doccano labels": {"id": 7, "text": "Ann slept", "labels": [[0, 3, "PER"]]},
    "doccano entities": {
        "id": 7,
        "text": "Ann slept",
        "entities": [{"id": 1, "label": "PER", "start_offset": 0, "end_offset": 3}],
        "relations": [],
        "Comments": [],
    },
}


@pytest.mark.parametrize("name", TOOLS)
def test_records_of_annotation_tools(name: str) -> None:
    record = TOOLS[name]
    for content in (record, [record], [record, record]):  # a line; an array in one line
        corpus = read(content)
        assert rows(corpus)[0] == (0, 3, "PER")
        assert corpus.atoms == "characters"
    lines = json.dumps([record, record], indent=1)
    assert len(rows(read(lines))) == 2
    if isinstance(record, dict):
        assert rows(read(json.dumps(record, indent=1))) == [(0, 3, "PER")]
    for text in (json.dumps(record), json.dumps([record]), lines):
        assert sniff(text.encode()).id == "jsonl"
    assert rows(from_python([record, record])) == [(0, 3, "PER"), (8, 11, "PER")]


def test_numbers_of_tokens_go_before_characters_over_tokens() -> None:
    tokens = {"tokens": ["Ann", "Lee", "slept"], "text": "Ann Lee slept"}
    displacy = {"start": 0, "end": 7, "start_token": 0, "end_token": 2, "label": "PER"}
    prodigy = {"start": 0, "end": 7, "token_start": 0, "token_end": 1, "label": "PER"}
    for item in (displacy, prodigy):
        assert rows(read({**tokens, "spans": [item]})) == [(0, 2, "PER")]


@pytest.mark.parametrize("answer", ["reject", "ignore"])
def test_what_an_annotator_did_not_accept_is_never_gold(answer: str) -> None:
    good, bad = ({"text": "a", "spans": [[0, 1, "X"]], "answer": a} for a in ("accept", answer))
    assert f"by the annotator ('answer': '{answer}')" in message(good, bad)
    skipped = read(good, bad, on_error="skip")
    assert skipped.skipped is not None
    assert skipped.skipped.tolist() == [False, True]
    assert rows(skipped) == [(0, 1, "X")]
    assert read({"text": "a", "answer": "accept"}).layers  # Prodigy leaves an empty list out


@pytest.mark.parametrize("record", [{}, {"annotations": [[0, 1, "X"]]}, {"label": "good"}])
def test_a_record_from_which_nothing_was_read_is_an_error(record: dict[str, Any]) -> None:
    record = {"text": "ab", **record}
    keys = ", ".join(f"'{key}'" for key in record)
    expected = f"nothing was read: there is no list of spans; the keys are {keys}; "
    expected += "spans are read from spans, entities, ents, labels, label"
    assert expected in message(record)
    fine = {"text": "ab", "spans": []}
    if "annotations" in record:
        assert expected in message(fine, record)
    else:
        assert read(fine, record).layers
    with pytest.raises(FormatError, match="nothing was read"):
        from_python([record])


def test_an_empty_list_under_an_unknown_key_may_be_the_spans() -> None:
    fine = {"text": "ab", "ents": []}
    assert "the keys are 'text', 'foo'" in message(fine, {"text": "ab", "foo": []})
    for aside in ({"meta": {}}, {"other": {}}, {"relations": []}, {"foo": [], "spans": None}):
        assert read(fine, {"text": "ab", **aside}).layers


def test_too_many_layers() -> None:
    many = {"tokens": ["a"], **{f"t{i}_tags": ["X"] for i in range(1_001)}}
    assert "more than 1,000 keys hold tags" in message(many)
    assert len(read({k: many[k] for k in [*many][:-1]}).layers) == 1_000


def test_arrays_that_hold_something_else() -> None:
    assert "item 2 of the array is not an object" in message([{"text": "a", "ents": []}, 3])
    assert "the keys are 'a'" in message([{"a": 1}])
    assert message('[{"text": "a",\n"ents": ]}]').startswith("test.file:2: not valid JSON")


@pytest.mark.parametrize(
    "text",
    [
        "{" + ",".join(f'"k{i}": 1' for i in range(20_000)) + ', "k0": 1}',
        '{"text": "a", "spans": [], ' + ",".join(f'"k{i}": "v"' for i in range(20_000)) + "}",
        "\n".join(f'{{"tokens": ["a"], "x{i}_tags": ["v"]}}' for i in range(5_000)),
        "\n".join(f'{{"tokens": ["a"], "x{i}": ["v"]}}' for i in range(5_000)),
        '{"tokens": ["a"], '
        + ", ".join(f'"x{i}_tags": ["v"]' for i in range(1_000))
        + "}"
        + '\n{"tokens": []}' * 10_000,
    ],
    ids=["duplicate", "keys", "tag keys", "other keys", "empty"],
)
def test_time_is_linear_in_size(text: str) -> None:
    began = process_time()
    with suppress(FormatError):
        write_bytes("jsonl", read(text))
    assert process_time() - began < 2  # quadratic: at least 10
