"""Spans of real systems: counts equal to those of conlleval, FairEval and nervaluate."""

from pathlib import Path

import pytest

import tertium

# TP FP FN of conlleval on WNUT 2017 (README of the data).
WNUT = {
    "uh_ritual": (355, 262, 724, "41.86"),
    "spinningbytes.txt": (388, 436, 691, "40.78"),
    "sjtu_adapt.txt": (365, 362, 714, "40.42"),
    "arcada": (373, 414, 706, "39.98"),
    "flytxt": (345, 375, 734, "38.35"),
    "mic-cis.txt": (365, 526, 714, "37.06"),
    "drexel_cci": (192, 189, 887, "26.30"),
}
# Traditional TP FP FN of the author's program (README of the data).
FAIREVAL = {
    "ner": (5159, 794, 1019),
    "chunk": (97649, 2812, 3655),
    "topofield": (60168, 4245, 3656),
}
# Correct, incorrect, partial, missed, spurious of nervaluate 1.2.1, recorded.
NERVALUATE = {
    ("spinningbytes.txt", "strict"): (388, 255, 0, 436, 181),
    ("spinningbytes.txt", "exact"): (515, 128, 0, 436, 181),
    ("spinningbytes.txt", "partial"): (515, 0, 128, 436, 181),
    ("spinningbytes.txt", "type"): (465, 178, 0, 436, 181),
    ("ner", "strict"): (5159, 511, 0, 508, 283),
    ("ner", "type"): (5308, 362, 0, 508, 283),
    ("topofield", "strict"): (59305, 2843, 0, 1676, 2265),
    ("topofield", "exact"): (59588, 2562, 0, 1674, 2263),
    ("topofield", "partial"): (59588, 0, 2562, 1674, 2263),
    ("topofield", "type"): (60955, 1217, 0, 1652, 2241),
}


@pytest.mark.parametrize(("system", "mode"), NERVALUATE)
def test_partial_counts(shared: Path, system: str, mode: str) -> None:
    folder = shared / "data" / "faireval"
    files = [folder / side / f"{system}_spans.csv" for side in ("target", "system")]
    if system.endswith(".txt"):
        folder = shared / "data" / "wnut17-ner"
        files = [folder / "emerging.test.annotated", folder / "submissions" / system]
    result = tertium.score(*files, metric=f"spans.partial(mode={mode})").results[0]
    assert (*result.counts.values(),)[:5] == NERVALUATE[system, mode]


@pytest.mark.parametrize("metric", ["spans.f1", "spans.f1(compat='conlleval')"])
@pytest.mark.parametrize("system", WNUT)
def test_wnut17(shared: Path, system: str, metric: str) -> None:
    folder = shared / "data" / "wnut17-ner"
    method = "position" if system == "mic-cis.txt" else "auto"
    files = folder / "emerging.test.annotated", folder / "submissions" / system
    result = tertium.score(*files, align=method, metric=metric)[metric]
    correct, extra, missing, f1 = WNUT[system]
    assert result.counts == {
        "correct": correct,
        "gold": correct + missing,
        "system": correct + extra,
    }
    assert f"{100 * (result.value or 0):.2f}" == f1


def test_altered_tokens_are_refused_and_then_counted(shared: Path) -> None:
    folder = shared / "data" / "wnut17-ner"
    files = (folder / "emerging.test.annotated", folder / "submissions" / "mic-cis.txt")
    with pytest.raises(tertium.AlignmentError) as caught:
        tertium.score(*files)
    assert "align='position'" in (caught.value.help or "")
    result = tertium.score(*files, align="position").results[0]
    assert result.coverage["differing_forms"] == 1283


def test_irregular_tags_of_spinningbytes_are_counted(shared: Path) -> None:
    folder = shared / "data" / "wnut17-ner"
    result = tertium.score(
        folder / "emerging.test.annotated", folder / "submissions" / "spinningbytes.txt"
    ).results[0]
    assert result.coverage["irregular_system"] == 34
    assert "irregular_gold" not in result.coverage


def test_strict_reading_drops_the_irregular_tags_of_spinningbytes(shared: Path) -> None:
    """Counts of seqeval 1.2.2, classification_report(mode='strict', scheme=IOB2)."""
    folder = shared / "data" / "wnut17-ner"
    files = folder / "emerging.test.annotated", folder / "submissions" / "spinningbytes.txt"
    strict = tertium.score(*files, metric="spans.f1(compat=seqeval-strict)").results[0]
    assert strict.counts == {"correct": 386, "gold": 1079, "system": 790}
    loose = tertium.score(*files, metric="spans.f1(compat=seqeval)").results[0]
    assert loose.counts == {"correct": 388, "gold": 1079, "system": 824}


@pytest.mark.parametrize("task", FAIREVAL)
def test_faireval_traditional_counts(shared: Path, task: str) -> None:
    folder = shared / "data" / "faireval"
    correct, extra, missing = FAIREVAL[task]
    result = tertium.score(
        folder / "target" / f"{task}_spans.csv", folder / "system" / f"{task}_spans.csv"
    )["spans.f1"]
    assert result.counts == {
        "correct": correct,
        "gold": correct + missing,
        "system": correct + extra,
    }
