"""Python objects as gold and systems."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tertium

NAMES = {0: "O", 1: "B-PER", 2: "I-PER"}
GOLD = [[-100, 1, 2, 0, -100], [-100, 0, 1, -100, -100]]
SYSTEM = [[0, 1, 2, 0, 1], [1, 0, 0, 0, 0]]
TWO_THIRDS = pytest.approx(2 / 3)


class Tensor:
    """What of a tensor Tertium calls."""

    def __init__(self, values: Any) -> None:
        self.values = np.array(values)

    def detach(self) -> "Tensor":
        return self

    def cpu(self) -> "Tensor":
        return self

    def numpy(self) -> np.ndarray:
        return self.values


LOGITS = np.eye(3)[np.array(SYSTEM)]


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (GOLD, SYSTEM),
        (np.array(GOLD), np.array(SYSTEM)),
        (np.array(GOLD), LOGITS),
        (GOLD, [*LOGITS]),
        (Tensor(GOLD), Tensor(LOGITS)),
        (GOLD, [["O", "B-PER", "I-PER", "O", "O"], ["O", "O", "O", "O", "O"]]),
        (GOLD, [["B-PER", "I-PER", "O"], ["O", "O"]]),
    ],
)
@pytest.mark.parametrize("names", [NAMES, [*NAMES.values()], {str(k): v for k, v in NAMES.items()}])
def test_label_ids(gold: Any, system: Any, names: Any) -> None:
    scores = tertium.score(gold, system, id2label=names)
    assert scores.value == TWO_THIRDS
    assert scores.tokens == 5
    assert scores.notes == ("gold: 5 positions with the label id -100 left out",)


def test_ids_of_dictionaries() -> None:
    gold = [{"tokens": ["Ann", "slept"], "ner_tags": [1, 0]}]
    assert tertium.score(gold, gold, id2label=NAMES).value == 1.0
    both = [{**gold[0], "pos_tags": [5, 6]}]
    with pytest.raises(tertium.UsageError, match="'ner_tags', 'pos_tags' hold label ids") as error:
        tertium.score(both, both, id2label=NAMES)
    assert "id2label={'pos_tags'" in (error.value.help or "")
    found = tertium.score(both, both, id2label={"ner_tags": NAMES})
    assert found.metrics == ["spans.f1"]
    table = pl.DataFrame({"gold": [[-100, 1, 0]], "pred": [[0, 1, 1]]})
    assert tertium.score(table, gold="gold", systems="pred", id2label=NAMES).value == TWO_THIRDS


IDS = {
    "sentence": [1, 1, 1, 2, 2],
    "token": ["[CLS]", "Ann", "ran", "Bo", "ran"],
    "gold": [-100, 1, 0, 1, 0],
    "pred": [0, 1, 0, 0, 0],
}


@pytest.mark.parametrize("without", [[], ["token"], ["sentence"], ["sentence", "token"]])
@pytest.mark.parametrize("made", [pl.DataFrame, pd.DataFrame])
def test_ids_in_columns_of_a_frame(made: Any, without: list[str]) -> None:
    frame = made({name: values for name, values in IDS.items() if name not in without})
    scores = tertium.score(frame, gold="gold", systems="pred", id2label=NAMES)
    assert (scores.value, scores.tokens) == (TWO_THIRDS, 4)
    assert scores.notes == ("gold: 1 position with the label id -100 left out",)
    sides = [
        made({"token": IDS["token"], "sentence": IDS["sentence"], "ner_tags": IDS[side]})
        for side in ("gold", "pred")
    ]
    assert tertium.score(*sides, id2label=NAMES).value == TWO_THIRDS


def test_positions_of_dictionaries_are_left_out_on_all_sides() -> None:
    gold = [{"tokens": ["[CLS]", "Ann", "ran"], "ner_tags": [-100, 1, 0], "pos_tags": [-100, 0, 1]}]
    pred = [{**gold[0], "ner_tags": np.array([1, 1, 0]), "pos_tags": [0, 0, 1]}]
    names = {"ner_tags": NAMES, "pos_tags": ["N", "V"]}
    scores = tertium.score(gold, pred, id2label=names)
    assert ([r.value for r in scores], scores.tokens) == ([1.0, 1.0], 2)
    assert scores.notes == ("gold: 1 position with the label id -100 left out",)
    del gold[0]["pos_tags"]
    for other in ([["O", "B-PER", "O"]], [["B-PER", "O"]], [[0, 1, 0]]):
        assert tertium.score(gold, other, id2label=NAMES).value == 1.0
    for tags in (["O", "B-PER", "O"], ["B-PER", "O"]):
        other = [{"tokens": gold[0]["tokens"][-len(tags) :], "ner_tags": tags}]
        assert tertium.score(gold, other, id2label=NAMES).value == 1.0
    with pytest.raises(tertium.InputError, match="cannot be left out beside 'spans'"):
        tertium.score([{**gold[0], "spans": [[1, 2, "X"]]}], gold, id2label=NAMES)


def test_masked_ids_and_ids_that_are_objects() -> None:
    gold = np.ma.masked_array([[9, 1, 0]], mask=[[1, 0, 0]])
    for given in (gold, [gold[0]]):
        scores = tertium.score(given, np.array([[0, 1, 0]], object), id2label=NAMES)
        assert (scores.value, scores.tokens) == (1.0, 2)
    assert tertium.score(np.ma.array([[1, 0]]), [[1, 0]], id2label=NAMES).value == 1.0


def test_systems_by_name() -> None:
    scores = tertium.score(GOLD, {"A": SYSTEM, "B": GOLD}, id2label=NAMES, ignore=-100)
    assert {r.system: r.value for r in scores} == {"A": TWO_THIRDS, "B": 1.0}
    tags = [["N", "V"]]
    pair = tertium.compare(tags, {"A": tags, "B": [["N", "N"]]}).pairs[0]
    assert (pair.a, pair.b, pair.new_errors) == ("A", "B", 1)
    several = tertium.score(tags, {"A": tertium.runs("A", tags, [["N", "N"]])})
    assert several.systems == ["A#1", "A#2"]


TOKENS = {
    "sentence": [1, 1, 2],
    "token": ["a", "b", "c"],
    "gold": ["B-X", "O", "B-X"],
    "pred": ["B-X", "O", "O"],
    "other": ["B-X", "O", "B-X"],
}
SENTENCES = {
    "tokens": [["a", "b"], ["c"]],
    "gold": [["B-X", "O"], ["B-X"]],
    "pred": [["B-X", "O"], ["O"]],
}


@pytest.mark.parametrize(
    "table",
    [
        pl.DataFrame(TOKENS),
        pl.DataFrame(TOKENS).lazy(),
        pd.DataFrame(TOKENS),
        pl.DataFrame(SENTENCES),
        pd.DataFrame(SENTENCES),
        pd.DataFrame(SENTENCES).drop(columns="tokens"),
        [dict(zip(SENTENCES, row, strict=True)) for row in zip(*SENTENCES.values(), strict=True)],
    ],
)
def test_one_table_with_both_sides(table: Any) -> None:
    if isinstance(table, pd.DataFrame) and "token" not in table and "tokens" not in table:
        assert tertium.score(table["gold"], table["pred"]).value == TWO_THIRDS
    scores = tertium.score(table, gold="gold", systems="pred")
    assert scores.systems == ["pred"]
    assert scores.value == TWO_THIRDS


def test_several_systems_of_one_table() -> None:
    scores = tertium.score(pl.DataFrame(TOKENS), gold="gold", systems=["pred", "other"])
    assert {r.system: r.value for r in scores} == {"pred": TWO_THIRDS, "other": 1.0}
    text = [
        {"text": "Ann ran", "g": [[0, 3, "PER"]], "s": [{"start": 0, "end": 3, "label": "PER"}]}
    ]
    assert tertium.score(text, gold="g", systems="s").value == 1.0
    rows = tertium.decide(pl.DataFrame(TOKENS), "spans.f1", gold="gold", systems="pred")
    assert len(rows) == 2


def test_series_of_lists_and_arrays() -> None:
    tags = [["B-X", "O"], ["B-X"]]
    for made in (pd.Series(tags), pl.Series(tags), pd.Series([np.array(t) for t in tags])):
        assert tertium.score(made, tags).value == 1.0


SPANS = [[{"label": "PER", "start": 2, "end": 4}], [{"label": "LOC", "start": 1, "end": 1}]]


def test_lists_of_spans_as_nervaluate_takes_them() -> None:
    first = [SPANS[0], []]
    scores = tertium.score(SPANS, first, metric=["spans.f1", "spans.partial"])
    assert scores["spans.f1"].value == TWO_THIRDS
    assert tertium.score(SPANS, [[], []]).value == 0
    assert tertium.score([[], []], SPANS).results[0].counts["system"] == 2
    # The end is the last token: 3-4 and 4-5 overlap.
    one, other = [[{"label": "X", "start": a, "end": a + 1}] for a in (3, 4)]
    assert tertium.errors([one], [other], metric="spans.fair").instances[0].type == "BEo"


TEXTS = [{"text": "Ann saw New York.", "spans": [[0, 3, "PER"], [8, 16, "LOC"]]}]
PIPE = [[{"entity_group": "PER", "score": 0.9, "word": "Ann", "start": 0, "end": 3}]]


def test_the_output_of_a_pipeline() -> None:
    scores = tertium.score(TEXTS, {"model": PIPE})
    assert scores.value == TWO_THIRDS
    assert scores.notes == ()
    assert tertium.score(TEXTS, [[]]).results[0].counts["system"] == 0
    with_text = [{"text": TEXTS[0]["text"], "entities": PIPE[0]}]
    assert tertium.score(TEXTS, with_text).value == TWO_THIRDS


TAGS = [["B-X", "O"]]


def twice(table: Any) -> pd.DataFrame:
    return pd.concat([pd.DataFrame(table)] * 2, axis=1)


def lacking(table: Any) -> pd.DataFrame:
    frame = pd.DataFrame(table).astype("string")
    frame.loc[1, "pred"] = pd.NA
    return frame


WRONG: list[tuple[Callable[[], Any], str, str]] = [
    (lambda: tertium.score([[1]], [[1]]), "of type int", "id2label={0: 'O'"),
    (lambda: tertium.score(TAGS, TAGS, id2label=NAMES), "no label ids", ""),
    (lambda: tertium.score([[7]], [[1]], id2label=NAMES), "label id 7", "0 to 2"),
    (lambda: tertium.score([[1]], [[-100]], id2label=NAMES), "label id -100", "ignore"),
    (lambda: tertium.score(GOLD, [[1], [2]], id2label=NAMES), "5 positions in gold, 1", "pad"),
    (lambda: tertium.score(GOLD, GOLD[:1], id2label=NAMES), "gold has 2 sentences", ""),
    (lambda: tertium.score(GOLD, GOLD, id2label={"O": 0}), "must be label ids", "label2id"),
    (lambda: tertium.score(GOLD, GOLD, id2label={0.5: "O"}), "whole numbers", "label2id"),
    (lambda: tertium.score([[1]], [[1.0]], id2label=NAMES), "is 1.0, expected a label id", "whole"),
    (lambda: tertium.score([[1.0]], [[1.0]], id2label=NAMES), "is 1.0, expected", "whole numbers"),
    (
        lambda: tertium.score([[1]], np.ma.masked_array([[1]], mask=True), id2label=NAMES),
        "label id -100", "ignore",
    ),
    (
        lambda: tertium.score(np.ma.masked_array([[1]], True), [[1]], id2label=NAMES, ignore=None),
        "has a mask", "ignore",
    ),
    (lambda: tertium.score(GOLD, GOLD, id2label={0: "O", "0": "X"}), "the same label id", ""),
    (lambda: tertium.score([[1]], np.full((1, 1, 3), np.nan), id2label=NAMES), "has nan", ""),
    (lambda: tertium.score([[1]], [np.full((1, 3), np.nan)], id2label=NAMES), "has nan", ""),
    (lambda: tertium.score([[1]], np.zeros((1, 1, 0)), id2label=NAMES), "have no labels", "axis"),
    (lambda: tertium.score([[1]], [[2**70]], id2label=NAMES), "too large", ""),
    (lambda: tertium.score(GOLD, GOLD, id2label="O"), "dictionary or a list", ""),
    (lambda: tertium.score(GOLD, GOLD, id2label=[0, 1]), "name every label", ""),
    (
        lambda: tertium.score(np.zeros((2, 3)), GOLD, id2label=NAMES),
        "neither label ids nor logits", "logits",
    ),
    (lambda: tertium.score(PIPE, PIPE), "need the texts", "zip(texts, output)"),
    (
        lambda: tertium.score(TEXTS, [[{"entity": "B-PER", "start": 0, "end": 3}]]),
        "aggregation_strategy='simple'", "",
    ),
    (lambda: tertium.score(SPANS, [[{"label": "X", "start": 3, "end": 2}], []]), "3 to 2", "last"),
    (lambda: tertium.score(SPANS, [[{"start": 1, "end": 2}], []]), "no string as label", "last"),
    (lambda: tertium.score(TAGS, {"tokens": ["a"]}), "is one sentence", "names as keys"),
    (lambda: tertium.score(TAGS, {}), "empty", ""),
    (lambda: tertium.score(TAGS, {1: TAGS}), "must be text", ""),
    (lambda: tertium.score(TAGS, gold="a", systems="b"), "a table", "data frame"),
    (lambda: tertium.score(pl.DataFrame(TOKENS), gold="gold"), "'systems' is missing", "gold="),
    (
        lambda: tertium.score(twice(TOKENS), gold="gold", systems="pred"),
        "two columns of the table", "",
    ),
    (
        lambda: tertium.score(lacking(TOKENS), gold="gold", systems="pred"),
        "row 2 of column 'pred' is empty or missing", "",
    ),
    (
        lambda: tertium.score(pl.DataFrame(TOKENS), gold="gold", systems="prd"),
        "no column 'prd'", "pred",
    ),
    (
        lambda: tertium.score(pd.DataFrame({"g": ["O", ""], "s": TAGS[0]}), gold="g", systems="s"),
        "row 2 of column 'g' is empty or missing", "",
    ),
    (
        lambda: tertium.score(pd.DataFrame({"g": [0, 1], "s": TAGS[0]}), gold="g", systems="s"),
        "row 1 of column 'g' is of type int", "",
    ),
    (
        lambda: tertium.score([{"tokens": ["a"], "ner_tags": [1]}], [{"tokens": ["a"]}]),
        "'ner_tags' is a number", "id2label",
    ),
    (lambda: tertium.score(pl.DataFrame({"g": TAGS, "s": TAGS}), TAGS), "several columns", "gold="),
    (lambda: tertium.score(TAGS, TAGS, gold="a", systems="b"), "there are 2 arguments", ""),
    (
        lambda: tertium.score([{"tokens": ["a"], "g": "X", "s": ["X"]}], gold="g", systems="s"),
        "'g' of sentence 1 is not a list", "",
    ),
    (lambda: tertium.decide(TAGS, TAGS, "spans.f1", by="x"), "no option 'by'", ""),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message", "help"), WRONG)
def test_wrong_data_says_what_to_do(call: Callable[[], Any], message: str, help: str) -> None:
    with pytest.raises(tertium.TertiumError) as error:
        call()
    assert message in error.value.message
    assert help in (error.value.help or "")
