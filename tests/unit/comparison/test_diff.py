"""`tertium.diff`: two annotations, neither of which is gold."""

import csv
import itertools
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.comparison.pairs import Transition
from tertium.exceptions import AlignmentError, GateError, LayerError, UsageError

FORMATS = ("text", "json", "csv", "markdown", "latex", "html")


def test_tags() -> None:
    a, b = [["N", "V", "N"], ["N"]], [["N", "N", "A"], ["N"]]
    found = tertium.diff(a, b, metric="tags.accuracy").layer
    assert (found.items, found.different, found.diff, found.agreement) == (4, 2, 0.5, 0.5)
    assert found.transitions == [Transition("N", "A", 1), Transition("V", "N", 1)]
    assert [tuple(row) for row in found.labels] == [
        ("N", 3, 3, 2), ("A", 0, 1, 0), ("V", 1, 0, 0),
    ]  # fmt: skip
    assert (found.sentences, found.same_sentences) == (2, 1)
    assert found.kinds == {"same": 2, "label": 2}


def test_the_complement_of_agreement_is_equation_1() -> None:
    a, b = [list("ABCXY")], [list("ZBCDV")]
    found = tertium.diff(a, b, metric="tags.accuracy").layer
    accuracy = tertium.score(a, b, metric="tags.accuracy").value
    assert found.agreement == accuracy == pytest.approx(1 - (found.diff or 0))


def test_spans_by_how_they_lie_to_each_other() -> None:
    def text(*spans: tuple[int, int, str]) -> list[dict[str, Any]]:
        return [{"tokens": [f"w{n}" for n in range(30)], "spans": [list(s) for s in spans]}]

    a = text((0, 2, "X"), (3, 5, "X"), (6, 9, "X"), (10, 12, "X"), (13, 16, "X"), (17, 20, "X"),
             (21, 23, "X"))  # fmt: skip
    b = text((0, 2, "X"), (3, 5, "Y"), (6, 8, "X"), (10, 13, "X"), (15, 17, "X"), (18, 20, "Y"),
             (27, 28, "Z"))  # fmt: skip
    found = tertium.diff(a, b).layer
    assert found.metric == "spans.fair"
    assert found.kinds == {
        "same": 1, "B longer": 1, "B shorter": 1, "label": 1, "label and boundaries": 1,
        "only A": 1, "only B": 1, "overlap": 1,
    }  # fmt: skip
    back = tertium.diff(b, a).layer
    swapped = {"B longer": "B shorter", "B shorter": "B longer", "only A": "only B",
               "only B": "only A"}  # fmt: skip
    assert {swapped.get(k, k): n for k, n in back.kinds.items()} == dict(found.kinds)
    counts = {(t.a, t.b): t.count for t in found.transitions}
    assert counts == {("X", "X"): 3, ("X", "Y"): 2, ("X", None): 1, (None, "Z"): 1}
    assert not found.one_way


def test_it_says_when_the_other_way_round_may_be_different() -> None:
    def text(*spans: tuple[int, int, str]) -> list[dict[str, Any]]:
        return [{"tokens": list("abcdef"), "spans": [list(s) for s in spans]}]

    nested = text((0, 4, "X"), (1, 3, "X"))
    found = tertium.diff(nested, text((1, 4, "X")))
    assert found.layer.one_way
    assert "if A and B are swapped" in found.notes[0]
    assert not tertium.diff(nested, nested).notes


@pytest.mark.parametrize(
    ("a", "b", "metric"),
    [
        ("arbor.conllu", "breeze.conllu", "deps.las"),
        ("arbor.conllu", "breeze.conllu", "deps.ned"),
        ("arbor.conllu", "breeze.conllu", "deps.clas"),
        ("arbor.conllu", "breeze.conllu", "tags.accuracy"),
        ("entities-arbor.bio", "entities-cedar.bio", "spans.fair"),
        ("entities-arbor.bio", "entities-cedar.bio", "spans.f1"),
    ],
)
def test_it_is_comparison_with_a_for_gold(samples: Path, a: str, b: str, metric: str) -> None:
    """The same decisions: no other way of judging stands behind it."""
    one, other = samples / a, samples / b
    found = tertium.diff(one, other, metric=metric).layer
    pair = tertium.compare(one, one, other, metric=metric, names="AB").pairs[0]
    assert (found.items, found.different) == (pair.items, pair.different)
    if not pair.both_right:
        assert pair.complete is not None
        assert found.same_sentences == pair.complete.b
        told = {(t.a, t.b): t.count for t in pair.transitions("new_errors", "labels")}
        # What only B has may have met something of A: here it comes from the label of that.
        assert sum(told.values()) == sum(t.count for t in found.transitions)
        if metric not in ("spans.fair", "deps.clas"):
            assert {(t.a, t.b): t.count for t in found.transitions} == told
    assert sum(found.kinds.values()) == found.items
    assert found.kinds["same"] == found.items - found.different
    assert sum(row.same for row in found.labels) == found.items - found.different


@pytest.mark.parametrize("metric", ["deps.las", "tags.accuracy", "spans.f1", "spans.fair"])
def test_it_is_symmetric(samples: Path, metric: str) -> None:
    end = "entities-{}.bio" if metric.startswith("spans") else "{}.conllu"
    a, b = (samples / end.format(name) for name in ("arbor", "cedar"))
    there, back = tertium.diff(a, b, metric=metric).layer, tertium.diff(b, a, metric=metric).layer
    assert (there.items, there.different) == (back.items, back.different)
    assert {(t.a, t.b): t.count for t in there.transitions} == {
        (t.b, t.a): t.count for t in back.transitions
    }
    assert {(r.label, r.a, r.b, r.same) for r in there.labels} == {
        (r.label, r.b, r.a, r.same) for r in back.labels
    }
    assert there.kinds["same"] == back.kinds["same"]


def test_labels_count_every_item_of_b_once(samples: Path) -> None:
    """Several spans of A may meet the same span of B."""
    a = [{"tokens": list("abcd"), "spans": [[0, 1, "X"], [2, 3, "X"]]}]
    b = [{"tokens": list("abcd"), "spans": [[0, 4, "Y"]]}]
    for one, other in ((a, b), (b, a)):
        rows = {r.label: {r.a, r.b} for r in tertium.diff(one, other).layer.labels}
        assert rows == {"X": {2, 0}, "Y": {1, 0}}


def test_two_answers_that_a_metric_accepts_differ_all_the_same(tmp_path: Path) -> None:
    texts = {}
    for name, heads in (("a", (0, 1, 2)), ("b", (0, 1, 1))):
        rows = [
            f"{i}\tw\t_\tX\t_\t_\t{h}\t{'dep' if h else 'root'}\t_\t_"
            for i, h in enumerate(heads, 1)
        ]
        texts[name] = tmp_path / f"{name}.conllu"
        texts[name].write_text("\n".join(rows) + "\n\n")
    found = tertium.diff(texts["a"], texts["b"], metric="deps.ned", examples=5)
    assert found.layer.kinds == {"same": 2, "different answer": 1}
    assert found.instances is not None
    assert [e.type for e in found.instances] == ["different answer"]


def test_an_annotation_against_itself(samples: Path) -> None:
    found = tertium.diff(samples / "arbor.conllu", samples / "arbor.conllu")
    assert not found.is_different
    for layer in found.layers:
        assert (layer.different, layer.agreement, layer.transitions) == (0, 1, [])
        assert layer.same_sentences == layer.sentences == 64


def test_groups_add_up(samples: Path) -> None:
    files = samples / "arbor.conllu", samples / "breeze.conllu"
    for by in ("genre", "length", "upos", "distance"):
        found = tertium.diff(*files, metric="deps.las", by=by).layer
        assert sum(g.items for g in found.groups.values()) == found.items
        assert sum(g.different for g in found.groups.values()) == found.different
        assert list(found.to_dict()["groups"]) == list(found.groups)
        sentences = [(g.sentences, g.same_sentences) for g in found.groups.values()]
        if by in ("upos", "distance"):
            assert set(sentences) == {(None, None)}
            continue
        assert sum(n or 0 for n, _ in sentences) == found.sentences
        assert sum(n or 0 for _, n in sentences) == found.same_sentences


def test_groups_of_words_say_why_they_have_no_sentences(samples: Path) -> None:
    files = samples / "arbor.conllu", samples / "breeze.conllu"
    reason = "a sentence has words of several groups"
    told = tertium.render(tertium.diff(*files, metric="deps.las", by="upos"))
    assert "LAS     NOUN     115         41  35.65      64.35    –¹   –¹" in told
    assert f"¹ {reason}" in told
    assert reason not in tertium.render(tertium.diff(*files, metric="deps.las", by="genre"))


def test_other_tokens(samples: Path) -> None:
    a = [{"tokens": ["ab", "cd"], "tags": ["N", "V"]}]
    b = [{"tokens": ["a", "b", "cd"], "tags": ["N", "N", "V"]}]
    found = tertium.diff(a, b, metric="tags.accuracy").layer
    assert found.kinds == {"same": 1, "only B": 2, "only A": 1}
    assert found.coverage["unaligned_a"] == 1
    assert found.coverage["unaligned_b"] == 2
    with pytest.raises(AlignmentError) as caught:
        tertium.diff(a, [{"tokens": ["xy"], "tags": ["N"]}])
    said = f"{caught.value.message} {caught.value.help}"
    assert "A:1, sentence '1' has 'ab'" in said
    assert "but B:1, sentence '1' has 'xy'" in said
    assert "gold" not in said
    assert "system" not in said


def test_several_files_add_up(samples: Path, tmp_path: Path) -> None:
    for name in ("arbor", "breeze"):
        blocks = (samples / f"{name}.conllu").read_text().strip("\n").split("\n\n")
        (tmp_path / name).mkdir()
        for n, part in enumerate((blocks[:20], blocks[20:])):
            (tmp_path / name / f"{n}.conllu").write_text("\n\n".join(part) + "\n\n")
    whole = tertium.diff(samples / "arbor.conllu", samples / "breeze.conllu", by="genre")
    parts = tertium.diff(tmp_path / "arbor", tmp_path / "breeze", by="genre")
    for one, other in zip(whole.layers, parts.layers, strict=True):
        assert one.to_dict() == other.to_dict()


def test_labels_are_mapped(tmp_path: Path) -> None:
    table = tmp_path / "map.tsv"
    table.write_text("PROP\tPROAV\n")
    found = tertium.diff(
        [["PROP", "N"]], [["PROAV", "N"]], metric="tags.accuracy", map_labels=[str(table)]
    )
    assert not found.is_different
    for side, differs in (("A", False), ("B", True)):
        given = f"{side}:{table}"
        one = tertium.diff([["PROP"]], [["PROAV"]], metric="tags.accuracy", map_labels=given)
        assert one.is_different == differs, side


def test_nothing_is_undefined_not_zero() -> None:
    layer = tertium.diff([["O"]], [["O"]], metric="spans.fair").layer
    assert (layer.diff, layer.agreement) == (None, None)
    assert layer.to_dict()["reason"] == "neither of the two has such annotation"


@pytest.mark.parametrize("format", FORMATS)
def test_no_side_is_called_gold_and_nothing_an_error(samples: Path, format: str) -> None:
    for name in ("{}.conllu", "entities-{}.bio"):
        files = [samples / name.format(n) for n in ("arbor", "breeze")]
        found = tertium.diff(*files, examples=3, by="length")
        text = tertium.render(found, format).replace("focus:gold", "").replace("f:gold", "")
        for word in ("gold", "system", "error", "wrong", "correct", "FN", "FP"):
            body = text.partition("<body")[2] or text
            assert word not in body, (word, format)


@pytest.mark.parametrize(
    ("examples", "count"), [(None, None), (False, None), (True, 229), (0, 229), (1, 2), (60, 114)]
)
def test_examples_are_so_many_of_each_metric(
    samples: Path, examples: int | None, count: int | None
) -> None:
    files = samples / "arbor.conllu", samples / "breeze.conllu"
    found = tertium.diff(*files, examples=examples)
    assert [layer.different for layer in found.layers] == [54, 175]
    assert (None if found.instances is None else len(found.instances)) == count


def test_rendering_chooses_among_the_examples(samples: Path) -> None:
    files = samples / "arbor.conllu", samples / "breeze.conllu"
    found = tertium.diff(*files, examples=4)
    for examples, count in ((None, 8), (0, 8), (3, 6), (100, 8)):
        data = json.loads(tertium.render(found, "json", examples=examples))
        assert len(data["examples"]) == count
    assert found.instances is not None
    assert len(found.instances) == 8
    with pytest.raises(UsageError, match="no sentences"):
        tertium.render(tertium.diff(*files), examples=1)
    with pytest.raises(UsageError, match="examples must not be negative"):
        tertium.render(found, examples=-1)


def test_the_limit_is_of_rows(samples: Path) -> None:
    found = tertium.diff(samples / "arbor.conllu", samples / "breeze.conllu", metric="deps.las")

    def rest(format: str, limit: int | None) -> list[str]:
        lines = tertium.render(found, format, limit=limit).splitlines()
        return [line for line in lines if line.startswith("and ")]

    hint = "; all=True shows all"
    assert rest("text", None) == [f"and 37 more{hint}", f"and 7 more{hint}"]
    assert rest("text", 2) == [f"and {n} more{hint}" for n in (8, 55, 25)]
    assert rest("text", 0) == rest("markdown", None) == rest("markdown", 0) == []
    assert rest("markdown", 2) == [f"and {n} more" for n in (8, 55, 25)]
    for format in ("json", "csv"):
        assert tertium.render(found, format, limit=1) == tertium.render(found, format)
    with pytest.raises(UsageError, match="limit must not be negative"):
        tertium.render(found, limit=-1)


def test_csv_is_one_table_of_numbers(samples: Path) -> None:
    files = samples / "entities-arbor.bio", samples / "entities-breeze.bio"
    found = tertium.diff(*files, by="length", examples=3)
    rows = list(csv.DictReader(StringIO(tertium.render(found, "csv"))))
    layer = found.layer

    def told(section: str, *columns: str) -> dict[tuple[str, ...], str]:
        here = [row for row in rows if row["section"] == section]
        keys = [tuple(row[column] for column in columns) for row in here]
        assert len(set(keys)) == len(keys)
        return dict(zip(keys, (row["value"] or row["text"] for row in here), strict=True))

    assert told("", "part")["b",] == "entities-breeze.bio"
    numbers = told("layers", "metric", "part")
    assert numbers["spans.fair", "different"] == str(layer.different)
    assert numbers["spans.fair", "diff"] == str(layer.diff)
    assert numbers["spans.fair", "sentences.same"] == str(layer.same_sentences)
    assert numbers["spans.fair", "coverage.compared"] == "82"
    for kind, count in layer.kinds.items():
        assert numbers["spans.fair", f"kinds.{kind}"] == str(count)
    groups = told("layers.groups", "group", "part")
    for name, group in layer.groups.items():
        assert groups[name, "items"] == str(group.items)
        assert groups[name, "sentences.all"] == str(group.sentences)
    assert told("layers.transitions", "a", "b", "part") == {
        (t.a or "", t.b or "", "count"): str(t.count) for t in layer.transitions
    }
    labels = told("layers.labels", "label", "part")
    for label in layer.labels:
        assert [labels[label.label, part] for part in ("a", "b", "same")] == [
            str(label.a), str(label.b), str(label.same),
        ]  # fmt: skip
    examples = told("examples", "kind", "sentence", "part")
    assert examples["label", "1", "a.label"] == "ORG"
    assert examples["label", "1", "b.label"] == "LOC"
    assert examples["only B", "1", "a"] == ""
    assert examples["B longer", "3", "context.text"].startswith("Mayor Ines Calder told")


def test_csv_leaves_empty_what_is_undefined() -> None:
    found = tertium.diff([["O"]], [["O"]], metric="spans.fair")
    rows = list(csv.DictReader(StringIO(tertium.render(found, "csv"))))
    assert {row["part"]: row["value"] for row in rows if row["part"] in ("items", "diff")} == {
        "items": "0",
        "diff": "",
    }


def test_results_are_short_when_printed(samples: Path) -> None:
    files = samples / "arbor.conllu", samples / "breeze.conllu"
    found = tertium.diff(*files, by="length", examples=True)
    assert repr(found) == (
        "<arbor.conllu and breeze.conllu: tags.accuracy: 54 of 847 differ; "
        "deps.las: 175 of 847 differ>"
    )
    assert repr(found["deps.las"]) == "<deps.las: 175 of 847 differ>"


def test_json_is_the_result(samples: Path) -> None:
    files = samples / "entities-arbor.bio", samples / "entities-breeze.bio"
    found = tertium.diff(*files, examples=2)
    data = json.loads(tertium.render(found, "json"))
    assert data == json.loads(json.dumps(found.to_dict()))
    assert [*data["examples"][0]] == ["metric", "kind", "sentence", "file", "a", "b", "context"]
    assert len(data["examples"]) == 2
    assert "examples" not in tertium.diff([["N"]], [["V"]], metric="tags.accuracy").to_dict()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"metric": "deps.las"}, LayerError),
        ({"metric": "deps.ud"}, (LayerError, UsageError)),
        ({"examples": -1}, UsageError),
        ({"by": "genre"}, UsageError),
    ],
)
def test_requests_that_cannot_be_met(options: dict[str, Any], error: Any) -> None:
    with pytest.raises(error):
        tertium.diff([["N"]], [["V"]], **options)


def test_layers_that_only_one_has(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text("1\ta\t_\tN\t_\t_\t0\troot\t_\t_\n\n")
    (tmp_path / "b.tsv").write_text("a\tN\n\n")
    found = tertium.diff(tmp_path / "a.conllu", tmp_path / "b.tsv")
    assert found.metrics == ["tags.accuracy"]
    assert any("deps.las" in note for note in found.notes)
    with pytest.raises(UsageError, match="nothing was compared by"):
        found["deps.las"]


def test_b_is_scored_against_a(samples: Path) -> None:
    """The very numbers of `score`, where A is gold."""
    a, b = samples / "entities-arbor.bio", samples / "entities-breeze.bio"
    found = tertium.diff(a, b)
    values = {each.metric: each.value for each in found.scores}
    assert {*values} == {"spans.f1", "spans.fair"}
    for metric, value in values.items():
        scored = tertium.score(a, b, metric=metric).results[0]
        assert value == scored.value
    turned = {each.metric: each.value for each in tertium.diff(b, a).scores}
    assert turned["spans.f1"] == values["spans.f1"]
    assert found.to_dict()["scores"][0]["part"] == "f1"
    assert "B scored against A" in tertium.render(found)


def test_scores_of_nothing_are_undefined() -> None:
    found = tertium.diff([["O"]], [["O"]], metric="spans.f1")
    assert found.scores[0].value is None
    assert found.to_dict()["scores"][0]["reason"] == "neither of the two has such annotation"


def test_every_two_of_several_annotations(samples: Path) -> None:
    files = [samples / f"entities-{name}.bio" for name in ("arbor", "breeze", "gold")]
    found = tertium.diff(*files)
    assert found.names == tuple(file.name for file in files)
    data = found.to_dict()
    for i, a in enumerate(files):
        for j, b in enumerate(files):
            if i == j:
                assert a.name not in data["matrix"]["spans.f1"][a.name]
                continue
            two = {each.metric: each.value for each in tertium.diff(a, b).scores}
            for metric in ("spans.f1", "spans.fair"):
                assert data["matrix"][metric][a.name][b.name] == two[metric]
    assert [(pair["a"], pair["b"]) for pair in data["pairs"]] == [
        (a.name, b.name) for a, b in itertools.combinations(files, 2)
    ]
    assert data["pairs"][0] == tertium.diff(*files[:2]).to_dict()
    three = [data["pairs"][k]["scores"][0]["value"] for k in range(3)]
    assert data["mean"]["spans.f1"] == pytest.approx(sum(three) / 3)
    text = tertium.render(found)
    assert "mean of 3" in text
    assert "F1 of B against A" in text
    turned = tertium.diff(*files[::-1]).to_dict()
    assert turned["matrix"]["spans.fair"]["entities-gold.bio"] == {
        name: data["matrix"]["spans.fair"]["entities-gold.bio"][name]
        for name in ("entities-breeze.bio", "entities-arbor.bio")
    }


def test_several_annotations_are_counted_only(samples: Path) -> None:
    same = [[["N", "V"]]] * 3
    found = tertium.diff(*same, exit_code=True)
    found.check()
    assert found.names == ("A", "B", "C")
    with pytest.raises(GateError, match="annotations differ: A:C and B:C"):
        tertium.diff(*same[:2], [["N", "N"]], exit_code=True).check()
    for option in ({"examples": 1}, {"by": "length"}, {"system_columns": "form=0,tag=1"}):
        with pytest.raises(UsageError, match="needs exactly two annotations"):
            tertium.diff(*same, **option)


def test_what_some_pairs_lack_is_noted(samples: Path, tmp_path: Path) -> None:
    rows = (samples / "cedar.conllu").read_text("utf-8").split("\n")
    cut = ["\t".join([*f[:4], "_", *f[5:]]) if len(f := r.split("\t")) == 10 else r for r in rows]
    bare = tmp_path / "bare.conllu"
    bare.write_text("\n".join(cut), "utf-8")
    found = tertium.diff(samples / "arbor.conllu", samples / "breeze.conllu", bare)
    assert [score.header for score in found.scored][:1] == ["UPOS"]
    assert "LAS" in tertium.render(found)
    (note,) = (note for note in found.notes if note.startswith("not shown"))
    assert note.endswith("tags.accuracy(column='xpos')")


def test_measures_without_items_are_scored_in_both_directions(samples: Path) -> None:
    names = ("coref-arbor", "coref-breeze", "coref-cedar")
    files = [str(samples / f"{name}.conll") for name in names]
    metrics = ["coref.conll", "coref.lea"]
    found = tertium.diff(*files, metric=metrics)
    for metric in metrics:
        matrix = found.to_dict()["matrix"][metric]
        for a, b in itertools.permutations(files, 2):
            value = tertium.score(a, b, metric=metric).value
            assert matrix[Path(a).name][Path(b).name] == pytest.approx(value)
            assert 0 < value < 1
    assert "coref.lea is scored, not compared: it does not judge single items" in found.notes
    two = tertium.diff(*files[:2], metric=metrics)
    assert [score.metric for score in two.scores] == metrics
    with pytest.raises(UsageError, match="needs a metric that judges single items"):
        tertium.diff(*files[:2], metric=metrics, exit_code=True)
