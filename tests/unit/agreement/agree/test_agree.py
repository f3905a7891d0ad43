"""`tertium agree`: from files and tables to numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.agreement.agree.result import AgreeLook
from tertium.agreement.coefficients import ONE_SAME, Cohen
from tertium.agreement.values import TOO_LARGE
from tertium.exceptions import AlignmentError, InputError, UsageError
from tertium.results.blocks import Hinton, Missing, Table

WORDS = [[f"w{n}", "the", f"v{n}"] for n in range(8)]
TAGS = [["N", "D", "V"], ["N", "D", "N"]]


def write(path: Path, sentences: list[int], odd: set[int] = frozenset()) -> str:  # type: ignore[assignment]
    """Some sentences; in the odd ones the last word has a second tag."""
    lines = [
        "".join(f"{w}\t{t}\n" for w, t in zip(WORDS[n], TAGS[n in odd], strict=True))
        for n in sentences
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


def test_two_annotators(samples: Path) -> None:
    found = tertium.agree(str(samples / "upos-ann1.tsv"), str(samples / "upos-ann2.tsv"))
    diff = tertium.diff(str(samples / "upos-ann1.tsv"), str(samples / "upos-ann2.tsv")).layer
    assert found.items["shared"] == diff.items
    assert found.items["unanimous"] == diff.items - diff.different
    assert found["agreement"].value == pytest.approx(diff.agreement)
    (pair,) = found.pairs.values()
    assert pair.agreement == pytest.approx(diff.agreement)
    assert found["cohen"].value == pytest.approx(pair.cohen)
    labels = {row.label: row for row in diff.labels}
    for label, score in found.labels.items():
        row = labels[label]
        assert score["f1"] == pytest.approx(2 * row.same / (row.a + row.b))


def test_parts_of_a_text_in_any_order(tmp_path: Path) -> None:
    """Two with disjoint sentences, and a third that overlaps with both."""
    a = write(tmp_path / "a.tsv", [0, 1, 2, 3])
    b = write(tmp_path / "b.tsv", [4, 5, 6, 7], {5})
    c = write(tmp_path / "c.tsv", [6, 7, 4, 5, 2, 3], {3, 6})
    found = tertium.agree(a, b, c)
    assert found.items == {"all": 24, "rated": 24, "shared": 18, "unanimous": 15}
    assert {pair: each.items for pair, each in found.pairs.items()} == {
        ("a.tsv", "c.tsv"): 6,
        ("b.tsv", "c.tsv"): 12,
    }
    assert [each.agreement for each in found.pairs.values()] == pytest.approx([5 / 6, 10 / 12])
    means = {name: each.agreement for name, each in found.annotators.items()}
    assert means == pytest.approx({"a.tsv": 5 / 6, "b.tsv": 10 / 12, "c.tsv": 15 / 18})
    assert found.sentences == {"a.tsv": 4, "b.tsv": 4, "c.tsv": 6}
    assert "'a.tsv' has 4 of 8 sentences" in found.notes
    values = {name: each.value for name, each in found.coefficients.items()}
    for order in ((c, b, a), (b, a, c)):
        again = tertium.agree(*order)
        for name, value in values.items():
            assert again[name].value == pytest.approx(value, abs=1e-12), name


def test_two_annotators_with_sentences_in_common(tmp_path: Path) -> None:
    a, b = write(tmp_path / "a.tsv", [0, 1, 2]), write(tmp_path / "b.tsv", [1, 2, 3], {2})
    found = tertium.agree(a, b)
    assert (found.items["shared"], found.items["unanimous"]) == (6, 5)
    assert found.scores[0].result.value == pytest.approx(5 / 6)


def test_different_texts(tmp_path: Path) -> None:
    a, b = write(tmp_path / "a.tsv", [0, 1]), write(tmp_path / "b.tsv", [2, 3])
    with pytest.raises(AlignmentError, match="these are different texts"):
        tertium.agree(a, b)
    c = write(tmp_path / "c.tsv", [0, 1])
    with pytest.raises(AlignmentError, match=r"'b.tsv' has no sentence in common"):
        tertium.agree(a, c, b)
    found = tertium.agree(a, b, align="position")
    assert found.items["shared"] == 6


def test_a_label_that_is_missing(tmp_path: Path) -> None:
    a, b = tmp_path / "a.tsv", tmp_path / "b.tsv"
    a.write_text("x\tN\ny\t_\nz\tV\n", "utf-8")
    b.write_text("x\tN\ny\tN\nz\tN\n", "utf-8")
    found = tertium.agree(str(a), str(b))
    assert found.items == {"all": 3, "rated": 3, "shared": 2, "unanimous": 1}


def test_spans(samples: Path) -> None:
    files = [str(samples / f"entities-{name}.bio") for name in ("arbor", "breeze")]
    found = tertium.agree(*files, without="O")
    scores = {score.result.metric: score for score in found.scores}
    for metric in ("spans.f1", "spans.fair"):
        expected = tertium.score(*files, metric=metric).value
        assert scores[metric].result.value == pytest.approx(expected)
    assert {"B longer", "B shorter", "label"} <= scores["spans.fair"].types.keys()
    left = found.without["O"]
    assert left.items["shared"] < found.items["shared"]
    # What everybody calls O is left out, and all of it was agreed on.
    apart = found.items["shared"] - found.items["unanimous"]
    assert left.items["shared"] - left.items["unanimous"] == apart
    bare = tertium.agree(*files, unlabelled=True)
    assert bare.matrix is not None
    assert bare.matrix.labels == ("O", "SPAN")
    assert bare.scores[0].result.value > scores["spans.f1"].result.value
    assert "unlabelled" in bare.signature


def test_nested_spans_label_a_word_by_the_innermost() -> None:
    def side(*spans: tuple[int, int, str]) -> list[dict[str, Any]]:
        return [{"text": "a b c", "spans": [*spans]}]

    found = tertium.agree(side((0, 5, "X"), (2, 3, "Y")), side((2, 3, "Y"), (0, 5, "X")))
    assert found.labels.keys() == {"X", "Y"}
    assert found["agreement"].value == 1


def test_a_span_may_be_called_as_words_without_a_label_are() -> None:
    sides = [[{"text": "a b", "spans": [(0, 1, label)]}] for label in ("_", "X")]
    found = tertium.agree(*sides)
    assert found.items == {"all": 2, "rated": 2, "shared": 2, "unanimous": 1}
    assert found.labels.keys() == {"O", "X", "_"}


def test_dependencies(samples: Path) -> None:
    files = [str(samples / f"{name}.conllu") for name in ("arbor", "breeze")]
    found = tertium.agree(*files)
    assert found.metric == "deps.las"
    scores = {score.result.metric: score.result.value for score in found.scores}
    for metric in ("deps.uas", "deps.las"):
        assert scores[metric] == pytest.approx(tertium.score(*files, metric=metric).value)
    ls = tertium.score(*files, metric="deps.ls").value
    assert found["agreement"].value == pytest.approx(ls)
    tags = tertium.agree(*files, metric="tags.accuracy(column='upos')")
    assert "NOUN" in tags.labels


def test_trees_have_scores_and_a_reason(samples: Path) -> None:
    found = tertium.agree(str(samples / "trees-gold.mrg"), str(samples / "trees-arbor.mrg"))
    data = found.to_dict()
    assert data["reason"] == "constituent trees are not labels of single words"
    assert data["pairs"][0]["scores"][0]["value"] > 0.9


def test_groups(samples: Path) -> None:
    files = [str(samples / f"{name}.conllu") for name in ("arbor", "breeze", "gold")]
    found = tertium.agree(*files, by=["genre", "upos"], coefficient=["agreement"])
    whole = found.items["shared"]
    for key in ("genre", "upos"):
        sizes = {name: each.items["shared"] for name, each in found.groups[key].items()}
        assert sum(sizes.values()) == whole
        mean = sum(
            each.items["shared"] * (each["agreement"].value or 0)
            for each in found.groups[key].values()
        )
        assert mean / whole == pytest.approx(found["agreement"].value)


TABLE = "item,annotator,label\n" + "".join(
    f"{item},{who},{label}\n"
    for item, labels in {"1": "AAB", "2": "BB", "3": "AAA", "4": "B"}.items()
    for who, label in zip(("ann", "ben", "cleo"), labels, strict=False)
)


def test_a_table_of_judgements(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(TABLE, "utf-8")
    found = tertium.agree(str(path))
    assert found.items == {"all": 4, "rated": 4, "shared": 3, "unanimous": 2}
    assert found["alpha"].value == pytest.approx(1 - 7 * 2 / 30)
    other = TABLE.replace("item,annotator,label", "id,worker,response")
    path.write_text(other, "utf-8")
    named = tertium.agree(str(path), columns="item=id,annotator=worker,label=response")
    assert named.to_dict()["coefficients"] == found.to_dict()["coefficients"]


def test_labels_of_a_table_are_renamed(tmp_path: Path) -> None:
    path, labels = tmp_path / "votes.csv", tmp_path / "labels.tsv"
    path.write_text(TABLE, "utf-8")
    labels.write_text("B\tA\n", "utf-8")
    assert tertium.agree(str(path), map_labels=[str(labels)])["agreement"].value == 1
    with pytest.raises(UsageError, match="takes no SIDE: and no LAYER="):
        tertium.agree(str(path), map_labels=[f"ann:{labels}"])


def test_an_annotator_alone_is_named() -> None:
    rows = [("1", "x", "A"), ("1", "y", "A"), ("2", "x", "B"), ("2", "y", "B"), ("3", "z", "A")]
    found = tertium.agree([dict(zip(("item", "annotator", "label"), r, strict=True)) for r in rows])
    assert found.notes == ("no items in common with any other annotator: z",)
    assert found["cohen"].value == 1


def test_intervals_are_those_of_resamples(tmp_path: Path) -> None:
    a = [["N", "V"] * 30]
    b = [["N", "V", "N", "N", "N", "V"] * 10]
    found = tertium.agree(a, b, intervals=True, trials=500, interval="percentile")
    for name, each in found.coefficients.items():
        made = each.interval
        assert made is not None
        assert made.unit == "item"
        assert made.low is not None, name
        assert made.low < each.value < made.high  # type: ignore[operator]
    again = tertium.agree(a, b, trials=500, interval="percentile")
    assert again.to_dict() == found.to_dict()
    one = tertium.agree(a, b, unit="sentence")["cohen"].interval
    assert one is not None
    assert one.reason == "only one sentence has counts, so there is no variation"
    assert tertium.agree(a, a, intervals=True)["agreement"].interval.low is None  # type: ignore[union-attr]


def test_intervals_do_not_depend_on_the_order_of_annotators() -> None:
    """Sums of real values must not, either: equal counts of units are drawn together."""
    random = np.random.default_rng(3)
    table = [
        {"item": str(item), "annotator": who, "label": f"{value:.2f}"}
        for item in range(60)
        for who, value in zip("abcde", random.integers(0, 4, 5) / 10 + 0.01, strict=True)
    ]
    turned = [row for item in range(60) for row in table[5 * item : 5 * item + 5][::-1]]
    one, other = (
        tertium.agree(rows, coefficient="alpha(level=interval)", trials=50).to_dict()
        for rows in (table, turned)
    )
    assert one["coefficients"] == other["coefficients"]


def test_coarse_labels_and_an_earlier_run(samples: Path, tmp_path: Path) -> None:
    files = [str(samples / f"upos-ann{n}.tsv") for n in (1, 2, 3)]
    earlier, coarse = tmp_path / "earlier.json", tmp_path / "coarse.tsv"
    earlier.write_text(json.dumps(tertium.agree(*files[:2]).to_dict()), "utf-8")
    coarse.write_text("NOUN\tN\nPROPN\tN\n", "utf-8")
    found = tertium.agree(*files, against=str(earlier), coarse=str(coarse))
    assert found.against is not None
    assert found.coarse is not None
    assert 0 < found.against["spearman"]["value"] < 1
    assert found.against["spearman"]["p"] < 0.05
    assert found.coarse["lost"] == 1
    same = tertium.agree(*files[:2], against=str(earlier))
    assert same.against is not None
    assert same.against["kendall"]["value"] == pytest.approx(1)


def test_the_disagreement_of_an_earlier_run_is_drawn_on_the_same_scale(
    samples: Path, tmp_path: Path
) -> None:
    one, two, three = (str(samples / f"upos-ann{n}.tsv") for n in (1, 2, 3))
    earlier = tmp_path / "experts.json"
    earlier.write_text(json.dumps(tertium.agree(one, two).to_dict()), "utf-8")
    found = tertium.agree(two, three, against=str(earlier))
    ours, theirs = (each for each in found.blocks(AgreeLook(hinton=True)) if type(each) is Hinton)
    assert theirs.title == f"Disagreement in {earlier}"
    assert ours.rows == ours.columns == theirs.rows
    values = [value for each in (ours, theirs) for row in each.values for value in row if value]
    assert ours.largest == theirs.largest == max(values)
    alone = tertium.agree(one, two)
    assert alone.matrix is not None
    place = {label: n for n, label in enumerate(theirs.rows)}
    for a, b, _, chance in (row.values() for row in alone.matrix.pairs()):
        assert theirs.values[place[a]][place[b]] == pytest.approx(chance)
    for format in ("text", "svg", "html"):
        look = {"hinton": True} if format == "text" else {}
        assert "experts.json" in tertium.render(found, format, **look)
    assert tertium.render(found, "svg", hinton=True).count("Hinton diagram of") == 2
    left = tertium.agree(one, two, against=str(earlier)).blocks(AgreeLook())
    assert not [each for each in left if isinstance(each, Hinton)]


def rows_of(*rows: str) -> list[dict[str, str]]:
    """A table of judgements: item, annotator and label of each, as in `1aN`."""
    return [dict(zip(("item", "annotator", "label"), row, strict=True)) for row in rows]


UNDEFINED = {
    "constant": rows_of("1aN", "1bN", "2aN", "2bN"),
    "single ratings": rows_of("1aN", "2bN", "3aV", "4cV"),
    "alone": rows_of("1aN", "1bV", "2aN", "2bN", "3cN"),
    "one item": rows_of("1aN", "1bV"),
    "one rating": rows_of("1aN"),
    "one label per pair": rows_of("1aN", "1bN", "2aN", "2bN", "3cV", "3dV", "4cV", "4dV"),
    "some pairs": rows_of("1aN", "1bN", "2aN", "2bN", "3cN", "3dV", "4cV", "4dN"),
}


def unexplained(data: Any, place: str = "", explained: bool = False) -> list[str]:
    """Where something is null, and neither it nor what is around it has a reason."""
    if isinstance(data, dict):
        explained = explained or bool(data.get("reason"))
        parts = [unexplained(each, f"{place}.{key}", explained) for key, each in data.items()]
        return [each for part in parts for each in part]
    if isinstance(data, list):
        return [each for part in data for each in unexplained(part, place)]
    return [place] if data is None and not explained else []


@pytest.mark.parametrize("name", UNDEFINED)
@pytest.mark.parametrize("options", [{"trials": 20}, {}])
def test_what_is_undefined_has_a_reason_everywhere(name: str, options: dict[str, Any]) -> None:
    found = tertium.agree(UNDEFINED[name], without="N", **options)
    assert unexplained(found.to_dict()) == []
    for block in found.blocks(AgreeLook("html", all=True)):
        if isinstance(block, Table):
            cells = [cell for row in block.rows for cell in row]
            assert None not in cells
            assert all(cell.reason for cell in cells if isinstance(cell, Missing))
            assert "undefined" not in {cell.reason for cell in cells if isinstance(cell, Missing)}
    for format in ("text", "markdown", "latex", "html", "csv"):
        assert tertium.render(found, format)


def test_the_reason_is_that_of_the_row() -> None:
    found = tertium.agree(UNDEFINED["some pairs"])
    assert found.pairs["a", "b"].reason == f"both annotators {ONE_SAME}"
    assert found.pairs["c", "d"].reason == ""
    reasons = {name: each.reason for name, each in found.annotators.items()}
    assert reasons == {"a": Cohen.constant, "b": Cohen.constant, "c": "", "d": ""}
    alone = tertium.agree(UNDEFINED["alone"])
    assert alone.annotators["c"].reason == "no item in common"


def test_sentences_are_needed_to_resample_them() -> None:
    with pytest.raises(UsageError, match="a column of sentences"):
        tertium.agree(UNDEFINED["alone"], unit="sentence")
    table = [{**row, "sentence": row["item"]} for row in UNDEFINED["alone"]]
    made = tertium.agree(table, unit="sentence")["agreement"].interval
    assert made is not None
    assert made.unit == "sentence"


def test_pseudonyms_are_everywhere(samples: Path, capsys: Any) -> None:
    files = [str(samples / f"upos-ann{n}.tsv") for n in (1, 2, 3)]
    found = tertium.agree(*files, pseudonyms=True)
    text = (
        json.dumps(found.to_dict()) + tertium.render(found, "text") + tertium.render(found, "html")
    )
    assert "ann1" not in text
    assert [*found.annotators] == ["A1", "A2", "A3"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"coefficient": "kappa"}, "there is no coefficient 'kappa'"),
        ({"coefficient": 5}, "coefficient must be one or more coefficients. Got 5 instead"),
        ({"metric": 5}, "'5' is not of the form NAME"),
        ({"order": "A,A"}, "every label once"),
        (
            {"order": {"A": 1}},
            "order must be labels separated by commas, or a list of them",
        ),
        ({"intervals": False, "trials": 10}, "contradict"),
        ({"test": "sign"}, "does not test"),
        ({"coefficient": "alpha(level=ordinal)"}, "needs labels with an order"),
    ],
)
def test_requests_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        tertium.agree([["A", "B"]], [["A", "B"]], **options)


def test_options_of_texts_are_refused_for_tables(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(TABLE, "utf-8")
    for options in ({"by": "length"}, {"unlabelled": True}):
        with pytest.raises(UsageError, match="needs annotated texts"):
            tertium.agree(str(path), **options)
    with pytest.raises(UsageError, match="nothing to compare"):
        tertium.agree()
    (text := tmp_path / "text.tsv").write_text("a\tN\n", "utf-8")
    for alone in (tertium.runs(str(text), str(text)), tertium.read(str(text))):
        with pytest.raises(UsageError, match="give two or more annotators, or a table"):
            tertium.agree(alone)


def test_malformed_tables_are_named(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    for text in ("item,annotator,label\n1,x\n", "", "item,annotator,label\n1,x,A\n1,x,B\n"):
        path.write_text(text, "utf-8")
        with pytest.raises(InputError, match=r"votes\.csv"):
            tertium.agree(str(path))


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "svg", "csv", "json"])
def test_every_format(format: str, samples: Path) -> None:
    files = [str(samples / f"upos-ann{n}.tsv") for n in (1, 2, 3)]
    found = tertium.agree(*files, without="PUNCT", by="length", trials=50)
    look = {} if format in ("csv", "json") else {"hinton": True, "confusion": True, "labels": True}
    assert "NOUN" in tertium.render(found, format, **look)


def test_a_hinton_diagram_shows_confused_labels_alone(samples: Path) -> None:
    files = [str(samples / f"upos-ann{n}.tsv") for n in (1, 2)]
    text = tertium.render(tertium.agree(*files), "text", hinton=True)
    assert "█" in text
    assert "never confused and not shown: 5 labels" in " ".join(text.split())


def test_two_annotators_of_one_name_are_refused(samples: Path) -> None:
    path = samples / "upos-ann1.tsv"
    with pytest.raises(UsageError, match="two annotators are named 'x'"):
        tertium.agree(f"x={path}", f"x={path}")
    assert tertium.agree(f"a={path}", f"b={path}")["agreement"].value == 1


def test_agreement_with_others_is_that_of_all_pairs() -> None:
    rows = [("1", "a", "N"), ("1", "b", "N"), ("1", "c", "V"), ("2", "a", "V"), ("2", "c", "V")]
    table = [dict(zip(("item", "annotator", "label"), row, strict=True)) for row in rows]
    people = tertium.agree(table).annotators
    assert [people[name].agreement for name in "abc"] == [2 / 3, 1 / 2, 1 / 3]


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_raw_agreement_has_no_weights(weights: str) -> None:
    table = rows_of("1a1", "1b3", "2a2", "2b2", "3a3", "3b3", "3c1")
    plain = tertium.agree(table, coefficient="cohen")
    weighted = tertium.agree(table, coefficient=f"cohen(weights='{weights}')")
    for pair, each in plain.pairs.items():
        assert weighted.pairs[pair].agreement == each.agreement
    assert weighted.pairs["a", "b"].cohen != plain.pairs["a", "b"].cohen


def test_too_many_counts_have_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertium.agreement.values.MOST_COUNTS", 9)
    table = [
        {"item": str(item), "annotator": who, "label": label}
        for item, labels in enumerate(["NN", "VN"])
        for who, label in zip("ab", labels, strict=True)
    ]
    kept = tertium.agree(table)  # 4 of conger, 6 of the pair
    assert kept["cohen"].value == 0
    monkeypatch.setattr("tertium.agreement.values.MOST_COUNTS", 5)
    found = tertium.agree(table)
    assert (found["cohen"].value, found["cohen"].reason) == (None, TOO_LARGE)
    assert found["scott"].reason == TOO_LARGE
    assert found["conger"].value == 0
    assert found["alpha"].value == kept["alpha"].value
    assert found.pairs == {}
    assert {each.reason for each in found.annotators.values()} == {TOO_LARGE}
    assert [each.agreement for each in found.annotators.values()] == [0.5, 0.5]


def test_pairs_are_those_with_items_in_common() -> None:
    found = tertium.agree(rows_of("1aN", "1cV", "2bV", "2cV", "3aN")).pairs
    assert {pair: each.items for pair, each in found.items()} == {("a", "c"): 1, ("c", "b"): 1}


def test_pseudonyms_hide_names_in_signatures_and_groups(tmp_path: Path) -> None:
    anna, ben = write(tmp_path / "anna.tsv", [0, 1]), write(tmp_path / "ben.tsv", [0, 1], {1})
    (tmp_path / "map.tsv").write_text("V\tN\n", "utf-8")
    found = tertium.agree(
        anna, ben, pseudonyms=True, by="file", map_labels=[f"anna.tsv:{tmp_path / 'map.tsv'}"]
    )
    assert "anna" not in json.dumps(found.to_dict())


def test_no_agreement_beyond_chance_is_exactly_0() -> None:
    ratings = {"1": ("-1", "0"), "2": ("0", "0"), "3": ("5", "-5")}
    table = [
        {"item": item, "annotator": who, "label": label}
        for item, labels in ratings.items()
        for who, label in zip("ab", labels, strict=True)
    ]
    assert tertium.agree(table)["fleiss"].value == 0


# -- what is said first, and in tables -----------------------------------------------------------


def grades(*rows: str) -> list[dict[str, str]]:
    """A table of judgements, given a row of labels per item and an annotator per column."""
    return [
        {"item": str(item), "annotator": who, "label": label}
        for item, row in enumerate(rows)
        for who, label in zip("abc", row, strict=False)
    ]


def test_the_first_coefficient_that_is_wanted_is_the_headline() -> None:
    table = grades("12", "23", "33", "11")
    ordinal = tertium.agree(table, coefficient=("alpha(level=ordinal)", "alpha"))
    value = ordinal["alpha(level='ordinal')"].value
    assert f"Krippendorff's alpha(level='ordinal') {value:.4f}" in ordinal.summary()
    assert "alpha" not in tertium.agree(table, coefficient="agreement").summary()
    assert "Krippendorff's alpha 0." in tertium.agree(table).summary()


def test_two_annotators_of_trees_are_summed_up_by_the_metric(samples: Path) -> None:
    found = tertium.agree(str(samples / "gold.conllu"), str(samples / "arbor.conllu"))
    assert found.summary().endswith("; LAS 86.78")


def test_pairs_and_annotators_have_the_kappa_that_is_wanted() -> None:
    table = grades("123", "233", "331", "111", "121")
    plain = tertium.agree(table, coefficient="alpha")
    weighted = tertium.agree(table, coefficient=("alpha", "cohen(weights='quadratic')"))
    for a, b in (("a", "b"), ("a", "c"), ("b", "c")):
        two = [row for row in table if row["annotator"] in (a, b)]
        both = tertium.agree(two, coefficient=("cohen", "cohen(weights='quadratic')"))
        assert plain.pairs[a, b].cohen == pytest.approx(both["cohen"].value)
        expected = both["cohen(weights='quadratic')"].value
        assert weighted.pairs[a, b].cohen == pytest.approx(expected)


def test_tables_as_frames(samples: Path) -> None:
    found = tertium.agree(*(str(samples / f"upos-ann{n}.tsv") for n in "123"), trials=200)
    assert found.to_frame().columns == ["coefficient", "value", "low", "high", "reason"]
    assert found.to_frame("annotators")["annotator"].to_list() == [*found.annotators]
    pairs = found.to_frame("pairs")
    assert pairs.columns[:5] == ["A", "B", "items", "agreement", "cohen"]
    assert len(pairs) == 3
    labels = found.to_frame("labels")
    assert labels["count"].to_list() == sorted(labels["count"], reverse=True)
    assert found.to_frame("confusions").row(0)[:2] == ("NOUN", "PROPN")
    with pytest.raises(UsageError, match="Did you mean 'labels'") as caught:
        found.to_frame("label")
    assert "coefficients, annotators, pairs" in (caught.value.help or "")


def test_what_makes_numbers_doubtful_is_named(samples: Path) -> None:
    two = tertium.agree(str(samples / "upos-ann1.tsv"), str(samples / "entities-gold.bio"))
    assert "no two annotators use the same label" in two.notes
    few = tertium.agree(grades("12", "22"), trials=50)
    assert few.notes == ("fewer than 200 items: bootstrap intervals may be too narrow",)
    assert not tertium.agree(grades("12", "22")).notes


def test_counts_of_three_have_as_many_decimals(samples: Path) -> None:
    names = [str(samples / f"upos-ann{n}.tsv") for n in "123"]
    text = tertium.render(tertium.agree(*names), "text", labels=True)
    assert "NOUN   PROPN          26.00       0.0153" in text
    text = tertium.render(tertium.agree(*names[:2]), "text", labels=True)
    assert "NOUN   PROPN             31       0.0183" in text


def test_the_order_of_rows_does_not_move_correlations(tmp_path: Path) -> None:
    """Shares of items are added in another order, and ties stay ties."""
    rng = np.random.default_rng(3)
    rows = ["".join(rng.choice([*"ABCD"], 3)) for _ in range(12)]
    table = grades(*rows)
    for name, each in (("one", table), ("other", table[::-1])):
        found = tertium.agree(each)
        (tmp_path / name).write_text(tertium.render(found, "json"))
        assert found.matrix is not None
        assert found.matrix.pairs() == tertium.agree(table).matrix.pairs()  # type: ignore[union-attr]
    later = grades(*("".join(rng.choice([*"ABCD"], 2)) for _ in range(12)))
    one, other = (tertium.agree(later, against=str(tmp_path / n)).against for n in ("one", "other"))
    assert {**(one or {}), "file": ""} == {**(other or {}), "file": ""}


def test_a_dictionary_of_annotators(samples: Path) -> None:
    """Of files or of data, for agree and crowd."""
    files = {name: str(samples / f"upos-ann{n}.tsv") for n, name in enumerate(["ann", "ben"], 1)}
    found = tertium.agree(files)
    assert [*found.annotators] == ["ann", "ben"]
    assert found["cohen"].value == tertium.agree(*files.values())["cohen"].value
    data = {"ann": [["N", "V"]], "ben": [["N", "N"]], "cy": [["N", "V"]]}
    assert [*tertium.agree(data).annotators] == [*data]
    crowd = tertium.crowd(data, method="majority")
    assert crowd.competence == {"ann": 1.0, "cy": 1.0, "ben": 0.5}
    assert crowd.labels.to_list() == ["N", "V"]
    with pytest.raises(UsageError, match="is one sentence"):
        tertium.agree({"tokens": ["a"]})


def test_more_than_ten_annotators_are_not_scored_pair_by_pair() -> None:
    data = {f"a{n}": [["N", "V" if n else "N"]] for n in range(11)}
    found = tertium.agree(data)
    assert not found.scores
    assert len(found.pairs) == 55
    assert "pairs are not scored, because there are more than 10 annotators" in found.notes
    assert len(tertium.agree({n: data[n] for n in [*data][:10]}).scores) == 45


def test_more_than_a_thousand_labels_have_no_matrix(tmp_path: Path) -> None:
    table = grades(*([chr(0x4E00 + n)] * 2 for n in range(1001)))  # type: ignore[arg-type]
    found = tertium.agree(table)
    assert found["alpha"].value == 1.0
    assert found.matrix is None
    assert "labels and confusions are not shown: there are more than 1,000 labels" in found.notes
    (tmp_path / "coarse").write_text("a\tb\n")
    with pytest.raises(UsageError, match="'coarse' needs confusions of labels, but there are none"):
        tertium.agree(table, coarse=str(tmp_path / "coarse"))


def test_labels_that_a_coarse_map_lacks_are_named(tmp_path: Path) -> None:
    (tmp_path / "coarse").write_text("1\tx\n2\tx\n")
    found = tertium.agree(grades("12", "23", "x1"), coarse=str(tmp_path / "coarse"))
    assert f"{tmp_path / 'coarse'} does not map 1 label: 3" in found.notes
    assert found.coarse is not None
    assert (found.coarse["types"], found.coarse["lost"]) == (3, 2)


def conllu(path: Path, *heads: tuple[int, str]) -> str:
    rows = [f"{n}\tw{n}\t_\tX\t_\t_\t{h}\t{r}\t_\t_" for n, (h, r) in enumerate(heads, 1)]
    path.write_text("\n".join(rows) + "\n\n", "utf-8")
    return str(path)


def test_relations_are_scored_also_where_heads_are_equal(tmp_path: Path) -> None:
    """LAS then equals raw agreement over relations, and is shown all the same."""
    a = conllu(tmp_path / "a.conllu", (2, "nsubj"), (0, "root"), (2, "obj"))
    b = conllu(tmp_path / "b.conllu", (2, "nsubj"), (0, "root"), (2, "iobj"))
    found = tertium.agree(a, b)
    assert found["agreement"].value == pytest.approx(2 / 3)
    (pairs,) = [t for t in found.blocks(AgreeLook()) if isinstance(t, Table) and t.title == "Pairs"]
    assert "deps.las" in [column.header for column in pairs.columns]


def test_metrics_that_ignore_labels_have_no_coefficients(tmp_path: Path) -> None:
    a = conllu(tmp_path / "a.conllu", (2, "nsubj"), (0, "root"))
    b = conllu(tmp_path / "b.conllu", (0, "root"), (1, "obj"))
    found = tertium.agree(a, b, metric="deps.uas")
    assert (found.reason, found.coefficients) == ("UAS ignores labels", {})
    assert found.scores[0].result.value == 0


def test_only_spans_are_compared_without_labels(tmp_path: Path) -> None:
    a, b = write(tmp_path / "a.tsv", [0]), write(tmp_path / "b.tsv", [0], {0})
    with pytest.raises(UsageError, match="compares spans, and there are none"):
        tertium.agree(a, b, unlabelled=True)


def test_the_least_agreement_is_shown_where_not_all_is() -> None:
    """Twelve annotators, the last of whom agrees with nobody."""
    labels = {"1": "A" * 11 + "B", "2": "B" * 11 + "A", "3": "A" * 12}
    table = [
        {"item": item, "annotator": f"a{n}", "label": label}
        for item, each in labels.items()
        for n, label in enumerate(each)
    ]
    found = tertium.agree(table)
    tables = [each for each in found.blocks(AgreeLook()) if isinstance(each, Table)]
    people, pairs = (next(t for t in tables if t.title.startswith(n)) for n in ("Annot", "Pairs"))
    assert people.title == "Annotators that agree least"
    assert people.rows[0][0] == "a11"
    assert {row[1] for row in pairs.rows} == {"a11"}
    everything = [t for t in found.blocks(AgreeLook(all=True)) if isinstance(t, Table)]
    assert next(t for t in everything if t.title == "Annotators").rows[0][0] == "a0"


def test_a_coefficient_is_found_however_it_is_written() -> None:
    table = [{"item": i, "annotator": a, "label": str(i % 3)} for i in range(9) for a in "ab"]
    found = tertium.agree(table, coefficient="alpha(level=interval)")
    value = found["alpha(level='interval')"]
    assert found["alpha(level=interval)"] is found["alpha(level=interval, distances=none)"] is value
    with pytest.raises(UsageError, match="there is no coefficient 'cohen'"):
        found["cohen"]
    assert repr(found).startswith("<AgreementResult: a and b agree on 9 of 9 items")


def test_intervals_do_not_depend_on_the_order_of_rows() -> None:
    rng = np.random.default_rng(3)
    table = [
        {"item": i, "annotator": a, "label": str(rng.integers(3))}
        for i in range(40)
        for a in "cab"
        if rng.random() < 0.8
    ]
    other = [table[n] for n in rng.permutation(len(table))]
    options: dict[str, Any] = {"coefficient": ["cohen", "conger", "scott"], "trials": 200}
    one, two = (tertium.agree(each, **options) for each in (table, other))
    for name in options["coefficient"]:
        ends = [(f[name].interval.low, f[name].interval.high) for f in (one, two)]
        assert ends[0] == pytest.approx(ends[1], abs=1e-12), name


def test_tables_are_signed(tmp_path: Path) -> None:
    """With everything that decides a number."""
    path, new = tmp_path / "t.csv", tmp_path / "new.tsv"
    path.write_text("item,annotator,label,second\n1,a,N,V\n1,b,V,N\n", "utf-8")
    new.write_text("N\tV\n", "utf-8")
    asked: list[dict[str, Any]] = [{}, {"columns": "label=second"}, {"map_labels": str(new)}]
    signatures = [tertium.agree(str(path), **each).signature for each in asked]
    assert len({*signatures}) == 3
    assert all("|votes:" in each for each in signatures)
    wide = tmp_path / "wide.csv"
    wide.write_text("item,anna,ben\n1,N,V\n", "utf-8")
    hidden = tertium.agree(str(wide), columns="item=item,annotator=anna+ben", pseudonyms=True)
    assert "annotator=A1+A2" in hidden.signature


def test_an_earlier_run_may_share_no_confused_label(tmp_path: Path) -> None:
    """Then there is no confusion of this run to draw."""
    earlier = tmp_path / "earlier.json"
    earlier.write_text('{"confusion": {"labels": ["A", "B"], "counts": [[5, 3], [3, 5]]}}')
    path = write(tmp_path / "a.tsv", [0])
    found = tertium.agree({"a": path, "b": path}, against=str(earlier))
    for format in ("text", "html", "svg"):
        assert "annotators never disagree" in tertium.render(found, format, confusion=True)


def test_words_that_others_do_not_have_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("can\tM\nnot\tR\ngo\tV\n\n")
    (tmp_path / "b.tsv").write_text("cannot\tM\ngo\tV\n\n")
    files = [str(tmp_path / "a.tsv"), str(tmp_path / "b.tsv")]
    told = [tertium.agree(*each).notes[-1] for each in (files, files[::-1])]
    assert told == [
        "1 word of 'b.tsv' left out: 'a.tsv' has other words there",
        "2 words of 'a.tsv' left out: 'b.tsv' has other words there",
    ]


def test_who_cannot_be_compared_comes_last() -> None:
    lone = [{"item": f"x{n}", "annotator": f"l{n}", "label": "A"} for n in range(11)]
    both = [{"item": n, "annotator": who, "label": "AB"[n % 2]} for n in range(4) for who in "ab"]
    found = tertium.agree([*lone, *both])
    people = next(
        t for t in found.blocks(AgreeLook()) if isinstance(t, Table) and "Annot" in t.title
    )
    assert [row[0] for row in people.rows[:2]] == ["a", "b"]


def test_an_order_may_be_of_numbers() -> None:
    table = [{"item": n, "annotator": who, "label": n % 3 + 1} for n in range(6) for who in "ab"]
    found = tertium.agree(table, order=[3, 1, 2], coefficient="alpha(level=ordinal)")
    assert found["alpha(level=ordinal)"].value == 1
