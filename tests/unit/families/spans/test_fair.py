"""spans.fair on the examples of the paper and on what a run of the author's program gave."""

import json
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.exceptions import LayerError, UsageError
from tertium.families.spans.fair import Fair
from tertium.results.scores import Result

Span = tuple[str, int, int] | tuple[str, int, int, list[int]]
KINDS = ("TP", "LE", "BEs", "BEl", "BEo", "LBE", "FN", "FP")


def spans_file(path: Path, *sentences: list[Span]) -> str:
    lines = []
    for sentence in sentences:
        for label, begin, end, *rest in sentence or [("NONE", 999, 999)]:
            tokens = rest[0] if rest else range(begin, end + 1)
            lines.append(f"{label}\t{begin}\t{end}\t{', '.join(map(str, tokens))}")
        lines.append("")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def fair(tmp_path: Path) -> Any:
    def run(gold: list[Span], system: list[Span], metric: str = "spans.fair") -> Result:
        files = (
            spans_file(tmp_path / "gold.spans", gold),
            spans_file(tmp_path / "system.spans", system),
        )
        return tertium.score(*files, metric=metric, input_format="spans", confusion=True).results[0]

    return run


def counts(found: Result) -> dict[str, int]:
    """What there is of each kind."""
    return {kind: int(n) for kind in KINDS if (n := found.counts[kind.lower()])}


EXAMPLES: list[tuple[list[Span], list[Span], dict[str, int]]] = [
    # (1): right, missing, added
    ([("A", 1, 1), ("A", 3, 3)], [("A", 1, 1), ("A", 5, 5)], {"TP": 1, "FN": 1, "FP": 1}),
    # (2) and (3): label, boundaries, both
    ([("A", 1, 2)], [("B", 1, 2)], {"LE": 1}),
    ([("A", 1, 2)], [("A", 1, 3)], {"BEl": 1}),
    ([("A", 1, 2)], [("B", 2, 3)], {"LBE": 1}),
    # (4): smaller, larger, overlapping
    ([("A", 1, 3)], [("A", 2, 3)], {"BEs": 1}),
    ([("A", 2, 3)], [("A", 1, 4)], {"BEl": 1}),
    ([("A", 1, 3)], [("A", 2, 4)], {"BEo": 1}),
    # (5), left and right
    (
        [("A", 1, 4), ("B", 5, 8)],
        [("A", 1, 3), ("B", 4, 5), ("B", 6, 8)],
        {"BEs": 2, "BEo": 1},
    ),
    (
        [("A", 1, 3), ("B", 4, 5), ("B", 6, 8)],
        [("A", 1, 4), ("B", 5, 8)],
        {"BEl": 2, "BEo": 1},
    ),
]
ORACLE: list[tuple[list[Span], list[Span], dict[str, int]]] = [
    # A labelling error is found before any boundary error is looked for.
    ([("A", 1, 2)], [("B", 1, 2), ("A", 1, 3)], {"LE": 1, "FP": 1}),
    ([("A", 1, 6)], [("A", 1, 2), ("A", 3, 4), ("B", 5, 6)], {"BEs": 2, "LBE": 1}),
    ([("A", 1, 2), ("A", 3, 4), ("B", 5, 6)], [("A", 1, 6)], {"BEl": 2, "LBE": 1}),
    (
        [("NP", 1, 6), ("NP", 1, 2), ("PP", 3, 6)],
        [("NP", 1, 5), ("NP", 1, 2), ("VP", 3, 6)],
        {"TP": 1, "LE": 1, "BEs": 1},
    ),
    ([("A", 1, 4)], [("A", 1, 2), ("A", 3, 4)], {"BEs": 2}),  # b23
    ([("A", 1, 2), ("B", 3, 4)], [("A", 2, 3)], {"BEo": 1, "LBE": 1}),  # b29
    # The same range and label with other tokens is neither right nor a boundary error.
    ([("A", 1, 3)], [("A", 1, 3, [1, 3])], {"FN": 1, "FP": 1}),
    # Ranges that overlap meet in the first pass, though they share no token...
    ([("A", 1, 4, [1, 4])], [("A", 2, 3)], {"BEs": 1}),
    # ... but not in the second one.
    ([("A", 1, 3, [1, 3]), ("A", 1, 5, [1, 5])], [("A", 2, 4, [2, 4])], {"BEo": 1, "FN": 1}),
    # Duplicates: the second one found nothing, or was not asked for.
    ([("A", 1, 2), ("A", 1, 2)], [("A", 1, 2)], {"TP": 1, "FN": 1}),
    ([("A", 1, 2)], [("A", 1, 2), ("A", 1, 2)], {"TP": 1, "FP": 1}),
    ([("A", 1, 2), ("B", 1, 2)], [("C", 1, 2)], {"LE": 1, "FN": 1}),
    # What a span shares with its partner is used up.
    ([("A", 1, 4)], [("A", 1, 3), ("A", 2, 3)], {"BEs": 1, "FP": 1}),
    ([("A", 1, 4)], [("A", 1, 3), ("A", 3, 4)], {"BEs": 2}),
]


@pytest.mark.parametrize(("gold", "system", "expected"), EXAMPLES)
def test_examples_of_the_paper(fair: Any, gold: Any, system: Any, expected: Any) -> None:
    assert counts(fair(gold, system)) == expected


@pytest.mark.parametrize(("gold", "system", "expected"), ORACLE)
def test_cases_run_with_the_authors_program(
    fair: Any, gold: Any, system: Any, expected: Any
) -> None:
    assert counts(fair(gold, system)) == expected


def test_tags_are_spans_as_well() -> None:
    found = tertium.score(
        [["B-A", "I-A", "I-A", "B-B", "I-B", "I-B"]],
        [["B-A", "I-A", "B-B", "I-B", "I-B", "B-B"]],
        metric="spans.fair",
    ).results[0]
    assert counts(found) == {"BEs": 2, "BEo": 1}  # b27


def test_the_most_similar_span_is_the_partner(fair: Any, tmp_path: Path) -> None:
    gold, system = [("A", 1, 5)], [("A", 1, 2), ("A", 1, 3), ("A", 4, 9)]
    fair(gold, system)
    rows = tertium.decide(
        tmp_path / "gold.spans", tmp_path / "system.spans", "spans.fair", input_format="spans"
    )
    # Three shared tokens beat two. The third span finds tokens that are left, the first none.
    kinds = [rows.error_types[code] for code in rows.error_type]
    assert kinds == ["BEs", "FP", "BEo"]
    assert rows.system_row.tolist() == [1, 0, 2]  # type: ignore[union-attr]
    assert rows.gold_row.tolist() == [0, -1, 0]  # type: ignore[union-attr]


def test_equally_similar_spans_are_taken_from_the_left(fair: Any, tmp_path: Path) -> None:
    fair([("A", 1, 4)], [("A", 3, 4), ("A", 1, 2)])
    rows = tertium.decide(
        tmp_path / "gold.spans", tmp_path / "system.spans", "spans.fair", input_format="spans"
    )
    assert rows.system_row.tolist()[0] == 0  # type: ignore[union-attr]  # first in the file


FIVE = (
    [("A", 1, 4), ("B", 5, 8), ("C", 9, 9)],
    [("A", 1, 3), ("B", 4, 5), ("B", 6, 8), ("C", 9, 9)],
)


@pytest.mark.parametrize(
    ("weights", "precision", "recall", "f1"),
    [
        # One TP; two BEs and one BEo. Equation 5: FP 1.5, FN 1.5.
        ("eq5", 1 / 2.5, 1 / 2.5, 2 / 5),
        # Equation 6: TP 1 + 1.5, FP .75, FN .75.
        ("eq6", 2.5 / 3.25, 2.5 / 3.25, 5 / 6.5),
        # Equation 7: BEs are .5 TP + .5 FN, BEo .5 TP + .25 FP + .25 FN.
        ("eq7", 2.5 / 2.75, 2.5 / 3.75, 5 / 6.5),
        ("BEs=FN; BEo=.5TP+.5FP", 1.5 / 2, 1.5 / 3.5, 3 / 5.5),
        ("be=0", 1.0, 1.0, 1.0),
        ("TP=2TP;BE=FP", 2 / 5, 1.0, 4 / 7),
    ],
)
def test_weights(fair: Any, weights: str, precision: float, recall: float, f1: float) -> None:
    found = fair(*FIVE, f"spans.fair(weights='{weights}')")
    assert found.parts["precision"] == pytest.approx(precision)
    assert found.parts["recall"] == pytest.approx(recall)
    assert found.value == found.parts["f1"] == pytest.approx(f1)
    assert found.parts["weighted"]["f1"] == pytest.approx(5 / 6.5)
    assert found.parts["traditional"]["f1"] == pytest.approx(2 / 7)
    written = dict(found.signature.entries)["weights"]
    again = fair(*FIVE, f"spans.fair(weights='{written}')")
    assert again.parts == found.parts
    assert again.signature == found.signature


@pytest.mark.parametrize("weights", ["", "eq8", "BE", "XY=TP", "BE=TP-FP", "BE=.5", "LE=nanTP"])
def test_weights_that_say_nothing_are_refused(weights: str) -> None:
    with pytest.raises(UsageError):
        tertium.metric(f"spans.fair(weights='{weights}')")


def test_labels_are_counted_by_focus(fair: Any) -> None:
    gold: list[Span] = [("A", 1, 2), ("A", 4, 6), ("B", 8, 9)]
    system: list[Span] = [("B", 1, 2), ("C", 5, 7), ("B", 8, 9)]
    by_gold = fair(gold, system).labels
    by_system = fair(gold, system, "spans.fair(focus=system)").labels
    assert (by_gold["A"]["counts"]["le"], by_gold["A"]["counts"]["lbe"]) == (1, 1)
    assert by_gold["C"]["counts"]["lbe"] == 0
    assert (by_system["B"]["counts"]["le"], by_system["C"]["counts"]["lbe"]) == (1, 1)
    assert by_system["A"]["counts"]["le"] == 0
    assert by_system["B"]["counts"]["tp"] == by_gold["B"]["counts"]["tp"] == 1
    assert by_gold["A"]["counts"]["gold"] == 2
    assert by_gold["C"]["counts"]["system"] == 1
    assert by_gold["B"]["traditional"]["precision"] == 0.5
    assert by_gold["A"]["recall"] == 0
    assert by_gold["C"]["recall"] is None
    assert "true positives and false negatives" in by_gold["C"]["reasons"]["recall"]


def test_boundary_errors_stand_on_the_diagonal_of_the_confusions(fair: Any) -> None:
    gold: list[Span] = [("A", 1, 3), ("A", 5, 6), ("B", 8, 8), ("B", 10, 10)]
    system: list[Span] = [("A", 1, 2), ("B", 5, 6), ("B", 8, 8), ("C", 12, 12)]
    found = fair(gold, system)
    assert found.error_types == {
        ("LE", "A", "B"): 1,
        ("BEs", "A", "A"): 1,
        ("FN", "B", None): 1,
        ("FP", None, "C"): 1,
    }


def test_the_right_boundary_of_boundary_errors(fair: Any) -> None:
    gold: list[Span] = [("A", 1, 3), ("A", 5, 6), ("A", 8, 10), ("A", 13, 14)]
    system: list[Span] = [("A", 1, 2), ("A", 4, 6), ("A", 9, 9), ("A", 14, 15)]
    found = fair(gold, system, "spans.fair(boundaries=yes)")
    kinds = {kind: n for (kind, _, _), n in found.error_types.items()}
    assert kinds == {"BEs-left": 1, "BEl-right": 1, "BEs": 1, "BEo": 1}
    assert found.counts["be"] == 4
    assert (found.counts["be_left"], found.counts["be_right"]) == (1, 1)
    assert found.counts["bes"] == 2


def test_duplicates_are_kept_and_told(fair: Any) -> None:
    found = fair([("A", 1, 2), ("A", 1, 2)], [("A", 1, 2)])
    assert found.coverage["duplicates_gold"] == 1
    # Traditionally both gold spans are found, as the author's program has it.
    assert found.counts["traditional_tp"] == 2
    assert found.counts["traditional_fn"] == 0
    assert found.counts["gold"] == 2
    assert found.counts["system"] == 1


def test_only_some_labels_count(fair: Any) -> None:
    gold: list[Span] = [("A", 1, 2), ("B", 1, 4), ("C", 6, 6)]
    system: list[Span] = [("B", 1, 2), ("C", 6, 7)]
    assert counts(fair(gold, system)) == {"LE": 1, "BEl": 1, "FN": 1}
    some = fair(gold, system, "spans.fair(labels='A, C')")
    assert counts(some) == {"BEl": 1, "FN": 1}
    assert some.coverage["excluded_gold"] == some.coverage["excluded_system"] == 1
    assert counts(fair(gold, system, "spans.fair(exclude='A')")) == {"BEs": 1, "BEl": 1}
    assert dict(some.signature.entries)["labels"] == "A,C"
    assert some.signature == fair(gold, system, "spans.fair(labels='C,A')").signature


def test_punctuation_need_not_count(tmp_path: Path) -> None:
    words = [("(", "PUNCT"), ("New", "PROPN"), (",", "PUNCT"), ("York", "PROPN"), ("!", "PUNCT")]
    words += [("?", "PUNCT"), ("-", "PUNCT")]
    gold = ["O", "B-LOC", "I-LOC", "I-LOC", "I-LOC", "I-LOC", "B-X"]
    system = ["B-LOC", "I-LOC", "I-LOC", "I-LOC", "O", "O", "O"]
    files = []
    for name, tags in (("gold", gold), ("system", system)):
        path = tmp_path / f"{name}.bio"
        lines = [f"{w}\t{p}\t{t}\n" for (w, p), t in zip(words, tags, strict=True)]
        path.write_text("".join(lines) + "\n", encoding="utf-8")
        files.append(str(path))
    options: dict[str, Any] = {"columns": "form=0,upos=1,ner=2"}
    plain = tertium.score(*files, metric="spans.fair", **options).results[0]
    assert counts(plain) == {"BEo": 1, "FN": 1}
    for punct in ("form", "tag"):
        found = tertium.score(*files, metric=f"spans.fair(punct={punct})", **options).results[0]
        assert counts(found) == {"TP": 1}
        assert found.coverage["punctuation_gold"] == 1
        assert found.counts["gold"] == 1


def test_punctuation_needs_something_that_tells_it(tmp_path: Path) -> None:
    pair = [["B-A", "O"]]
    with pytest.raises(LayerError, match="parts of speech"):
        tertium.score(pair, pair, metric="spans.fair(punct=tag)")
    file = spans_file(tmp_path / "a.spans", [("A", 1, 2)])
    with pytest.raises(LayerError, match="no words"):
        tertium.score(file, file, metric="spans.fair(punct=form)", input_format="spans")


def test_other_tokens_are_compared_by_characters(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.bio", tmp_path / "system.bio"
    gold.write_text("Anna\tB-PER\nBell's\tI-PER\nhouse\tO\n\n", encoding="utf-8")
    system.write_text("Anna\tB-PER\nBell\tI-PER\n's\tO\nhouse\tB-LOC\n\n", encoding="utf-8")
    found = tertium.score(gold, system, metric="spans.fair").results[0]
    assert counts(found) == {"BEs": 1, "FP": 1}


def test_characters_of_texts(tmp_path: Path) -> None:
    def record(*spans: tuple[int, int, str]) -> str:
        return json.dumps({"text": "Ann Lee left Oslo", "spans": [
            {"start": a, "end": b, "label": c} for a, b, c in spans]}) + "\n"  # fmt: skip

    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    gold.write_text(record((0, 7, "PER"), (13, 17, "LOC")), encoding="utf-8")
    system.write_text(record((0, 3, "PER"), (4, 7, "PER"), (13, 17, "ORG")), encoding="utf-8")
    found = tertium.score(gold, system, metric="spans.fair").results[0]
    assert counts(found) == {"BEs": 2, "LE": 1}


def test_nothing_on_either_side_is_undefined_or_zero() -> None:
    empty = [["O", "O"]]
    found = tertium.score(empty, empty, metric="spans.fair").results[0]
    assert found.value is None
    assert found.parts["weighted"]["precision"] is None
    assert found.reasons["weighted.precision"] == "the system has no spans that count"
    zero = tertium.score(empty, empty, metric="spans.fair(undefined=zero)").results[0]
    assert zero.value == 0
    assert zero.parts["traditional"]["recall"] == 0
    assert zero.reasons["value"] == "neither gold nor system has spans that count"


def test_sentences_do_not_mix(tmp_path: Path) -> None:
    gold = spans_file(tmp_path / "gold.spans", [("A", 1, 3)], [], [("A", 2, 2)])
    system = spans_file(tmp_path / "system.spans", [], [("A", 1, 3)], [("A", 1, 2)])
    found = tertium.score(gold, system, metric="spans.fair", input_format="spans").results[0]
    assert counts(found) == {"FN": 1, "FP": 1, "BEl": 1}


def test_many_overlapping_spans_in_a_sentence(tmp_path: Path) -> None:
    """Thousands of spans that all overlap, and a chain of thirty thousand."""
    size = 3000
    gold: list[Span] = [("A", i, size + i, [i, size + i]) for i in range(1, size)]
    system: list[Span] = [("A", i, size + i + 1, [i, size + i + 1]) for i in range(1, size)]
    files = (
        spans_file(tmp_path / "gold.spans", gold),
        spans_file(tmp_path / "system.spans", system),
    )
    found = tertium.score(*files, metric="spans.fair", input_format="spans").results[0]
    assert found.counts["be"] == size - 1
    chain = (
        spans_file(tmp_path / "a.spans", [("A", i, i + 2) for i in range(1, 60_000, 2)]),
        spans_file(tmp_path / "b.spans", [("A", i, i + 2) for i in range(2, 60_000, 2)]),
    )
    found = tertium.score(*chain, metric="spans.fair", input_format="spans").results[0]
    assert found.counts["beo"] == 30_000


def test_labels_that_nobody_has_are_said(fair: Any, tmp_path: Path) -> None:
    fair([("ORG", 1, 2)], [("ORG", 1, 2)])
    scores = tertium.score(
        tmp_path / "gold.spans",
        tmp_path / "system.spans",
        metric="spans.fair(labels='ORGG')",
        input_format="spans",
    )
    assert any("has the label 'ORGG'. Did you mean 'ORG'?" in note for note in scores.notes)
    assert scores.value is None


def test_sides_are_types_only_where_they_are_told(fair: Any, tmp_path: Path) -> None:
    fair([("A", 1, 3)], [("A", 1, 2)])
    files = (tmp_path / "gold.spans", tmp_path / "system.spans")
    with pytest.raises(UsageError, match="BEs-left"):
        tertium.errors(*files, types="BEs-left", input_format="spans")
    found = tertium.errors(
        *files, metric="spans.fair(boundaries=yes)", types="bes-left", input_format="spans"
    )
    assert [e.type for e in found] == ["BEs-left"]


def mixed(tmp_path: Path, words: list[str], tags: list[str], *spans: Span) -> tuple[str, str]:
    """A gold file of tags and a system's file of spans."""
    gold = tmp_path / "gold.bio"
    gold.write_text("".join(f"{w}\t{t}\n" for w, t in zip(words, tags, strict=True)) + "\n")
    return str(gold), spans_file(tmp_path / "system.spans", [*spans])


def test_punctuation_in_spans_with_gaps(tmp_path: Path) -> None:
    marks = mixed(tmp_path, [*".xxx."], ["O", "B-A", "I-A", "I-A", "O"], ("A", 1, 5, [1, 5]))
    metric = "spans.fair(punct=form)"
    found = tertium.score(*marks, metric=metric, system_format="spans").results[0]
    assert counts(found) == {"FN": 1}
    assert found.coverage["punctuation_system"] == 1
    one = mixed(tmp_path, [*"wxxx."], ["B-A", "O", "O", "O", "O"], ("A", 1, 5, [1, 5]))
    found = tertium.score(*one, metric=metric, system_format="spans").results[0]
    assert counts(found) == {"TP": 1}
    inside = mixed(tmp_path, [*"w.x.y"], ["B-A"] + 4 * ["I-A"], ("A", 1, 5, [1, 3, 4, 5]))
    found = tertium.score(*inside, metric=metric, system_format="spans").results[0]
    assert counts(found) == {"TP": 1}


@pytest.mark.parametrize("name", ["0", "5", "no", "yes", "1e3"])
def test_labels_may_look_like_numbers(fair: Any, name: str) -> None:
    gold: list[Span] = [(name, 1, 2), ("X", 4, 4)]
    found = fair(gold, gold, f"spans.fair(labels={name})")
    assert found.counts["tp"] == 1
    assert found.signature == fair(gold, gold, f"spans.fair(labels='{name}')").signature
    assert fair(gold, gold, f"spans.fair(exclude={name})").counts["tp"] == 1
    with pytest.raises(UsageError, match="labels"):
        Fair(labels=5)  # type: ignore[arg-type]


def test_the_same_answer_of_two_systems_is_one(tmp_path: Path) -> None:
    """Whatever else a system says, and however long it takes its sentences to be."""
    gold = spans_file(tmp_path / "gold.spans", [("A", 1, 2)], [("A", 1, 2)])
    one = spans_file(tmp_path / "one.spans", [("A", 1, 2)], [("A", 1, 1), ("B", 4, 5)])
    two = spans_file(tmp_path / "two.spans", [("A", 1, 2), ("B", 8, 9)], [("A", 1, 1), ("B", 4, 5)])
    for metric in ("spans.fair", "spans.f1", "spans.partial"):
        rows = [tertium.decide(gold, s, metric, input_format="spans") for s in (one, two)]
        answers = [dict(zip(r.item.tolist(), r.answer.tolist(), strict=True)) for r in rows]
        assert answers[0].items() <= answers[1].items()
        assert len(answers[1]) == len(answers[0]) + 1


def test_reasons_of_labels_are_true(fair: Any) -> None:
    found = fair([("A", 1, 1)], [("B", 1, 1)])
    row = found.labels["B"]
    assert row["counts"]["system"] == 1
    assert row["precision"] is None
    assert row["reasons"]["precision"] == "no positives are counted under this label"


def test_stacked_tags_come_in_the_order_of_closing() -> None:
    """A case in which another order gives other errors; counts of the author's program."""
    found = tertium.score(
        [["B-C|B-B|B-C", "I-C|I-B|B-A"]], [["B-C|B-B|B-A", "I-C"]], metric="spans.fair"
    ).results[0]
    assert counts(found) == {"TP": 1, "LE": 1, "BEs": 1, "FN": 1}
