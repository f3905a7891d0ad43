"""All intervals and tests of a run at once."""

from dataclasses import replace
from pathlib import Path

import pytest

from tertium import render
from tertium.exceptions import UsageError
from tertium.results.assessment import Testing
from tertium.results.parts import Part
from tertium.significance.assess import assess
from tertium.significance.corrections import adjust
from tertium.significance.intervals import interval
from tertium.significance.resample import unit_counts
from tertium.significance.score.verb import score
from tertium.significance.tests import paired_test

QUICK = Testing(trials=300)


def files(samples: Path) -> list[str]:
    return [str(samples / f"{name}.conllu") for name in ("gold", "arbor", "breeze", "cedar")]


def test_all_pairs_of_all_metrics(samples: Path) -> None:
    scores = score(*files(samples), metric=["deps.las", "deps.uas"])
    found = assess(scores, QUICK)
    assert len(found.comparisons) == 2 * 3
    first = found.comparisons[0]
    a, b = scores[first.a, "deps.las"], scores[first.b, "deps.las"]
    assert first.test == paired_test(a, b, trials=300)
    alone = interval(unit_counts([a]), Testing(trials=300))
    assert first.interval == interval(unit_counts([a, b]), Testing(trials=300))
    assert found.intervals[first.a, "deps.las", None] == alone
    adjusted = adjust([c.test.p for c in found.comparisons], "holm")
    assert [c.adjusted for c in found.comparisons] == adjusted
    assert found.of(first.b, first.a, "deps.las") == first
    assert found.of(first.a, first.a, "deps.las") is None


def test_letters_say_what_the_tests_say(samples: Path) -> None:
    found = assess(score(*files(samples), metric="deps.las"), QUICK)
    for each in found.comparisons:
        shared = set(found.letters[each.a, each.metric]) & set(found.letters[each.b, each.metric])
        assert bool(shared) != each.is_significant(0.05)


def test_letters_begin_with_the_best(samples: Path) -> None:
    scores = score(*files(samples), metric="deps.las")
    best = max(scores, key=lambda r: r.value or 0).system
    assert "a" in assess(scores, QUICK).letters[best, "deps.las"]
    turned = [replace(r, declared=(Part(r.headline, better="lower"),)) for r in scores]
    worst = assess(replace(scores, results=tuple(turned)), QUICK)
    assert "a" in worst.letters[min(scores, key=lambda r: r.value or 0).system, "deps.las"]


def test_groups_of_units_are_data_sets_and_groups_of_words_are_not(samples: Path) -> None:
    found = assess(score(*files(samples), metric="deps.las", by="length"), QUICK)
    groups = {c.group for c in found.comparisons}
    assert None in groups
    assert len(groups) > 2
    across = found.across["deps.las"]
    assert len(across.replicability) == 3
    assert across.to_dict()["replicability"][0]["a"] == found.comparisons[0].a
    words = assess(score(*files(samples), metric="deps.las", by="upos"), QUICK)
    assert len({c.group for c in words.comparisons}) > 2
    assert not words.across


def test_runs_are_one_system(samples: Path) -> None:
    scores = score(*files(samples), metric="deps.las", names=["A#1", "A#2", "B"])
    found = assess(replace(scores, runs={"A": ("A#1", "A#2")}), QUICK)
    assert found.systems == ("A", "B")
    (only,) = found.comparisons
    assert (only.a, only.b, only.test.method) == ("A", "B", "hierarchical")
    (runs,) = found.runs
    assert runs.runs == ("A#1", "A#2")
    assert found.intervals["A", "deps.las", None].method == "percentile"
    assert any("fewer than 10 runs" in note for note in found.notes)


def test_a_system_without_the_layer_is_left_out(samples: Path) -> None:
    gold, a, *_ = files(samples)
    bare = Path(a).parent / "upos-ann1.tsv"
    found = assess(score(gold, a, metric=["deps.las"]), QUICK)
    assert found.comparisons == ()
    assert found.letters == {}
    assert bare.exists()


# B is better in twelve short sentences, and worse in all words of a long one.
SHORT_AND_LONG = (
    [["N", "V"]] * 12 + [["N"] * 40],
    [["N", "N"]] * 12 + [["N"] * 40],
    [["N", "V"]] * 12 + [["V"] * 40],
)


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_a_test_over_units_may_point_another_way_than_the_scores(test: str) -> None:
    scores = score(*SHORT_AND_LONG, metric="tags.accuracy", names=["A", "B"])
    found = assess(scores, Testing(test=test))
    compared = found.comparisons[0]
    assert compared.test.delta is not None
    assert compared.test.delta < 0
    assert compared.test.towards == "greater"
    assert compared.test.contradicts
    assert compared.turned().test.towards == "less"
    assert compared.turned().test.contradicts
    assert compared.to_dict()["towards"] == "greater"
    assert (
        "tags.accuracy: the score of A is above that of B; by single sentences, which the test is "
        "about, it is below" in found.notes
    )
    assert not assess(scores).comparisons[0].test.contradicts


def test_scores_and_units_that_agree_need_no_note() -> None:
    gold, a, b = ([each[:12] for each in SHORT_AND_LONG][place] for place in range(3))
    found = assess(score(gold, a, b, metric="tags.accuracy"), Testing(test="sign"))
    assert found.comparisons[0].test.towards == "greater"
    assert not any("by single sentences" in note for note in found.notes)


@pytest.mark.parametrize(
    ("trials", "testing", "note"),
    [
        (10, {}, "10 trials are too few: no p can be below 0.091"),
        (1, {}, "1 trial is too few: no p can be below 0.5"),
        (10, {"correction": "bh"}, "10 trials are too few: no p can be below 0.091"),
        (10, {"test": "koehn", "direction": "less"}, None),
        (10, {"test": "wilcoxon"}, None),
        (100, {}, None),
    ],
)
def test_one_test_and_too_few_trials(
    samples: Path, trials: int, testing: dict[str, str], note: str | None
) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "cedar")]
    found = assess(score(*files, metric="deps.las"), Testing(trials=trials, **testing))  # type: ignore[arg-type]
    assert [each for each in found.notes if "too few" in each] == ([note] if note else [])


def test_too_few_trials_for_so_many_tests(samples: Path) -> None:
    scores = score(*files(samples), metric="deps.las", by="deprel")
    found = assess(scores, Testing(trials=100))
    assert any("100 trials are too few" in note for note in found.notes)


@pytest.mark.parametrize("correction", ["holm", "bh", "none"])
def test_too_few_trials_for_a_single_test(correction: str, samples: Path) -> None:
    scores = score(*files(samples)[:3], metric="deps.las")
    (pair,) = assess(scores, Testing(trials=19, correction=correction)).comparisons
    assert not pair.test.exact
    notes = {
        trials: assess(scores, Testing(trials=trials, correction=correction)).notes
        for trials in (1, 19, 20)
    }
    assert "1 trial is too few: no p can be below 0.5" in notes[1]
    assert "19 trials are too few: no p can be below 0.05" in notes[19]
    assert not any("too few" in note for note in notes[20])


def test_a_test_without_a_p_asks_for_no_trials() -> None:
    long = [["O"] * 12]  # a group in which nobody has a span
    gold, a = [["B-X"] * n for n in range(2, 9)], [["B-X"] + ["O"] * n for n in range(1, 8)]
    scores = score(gold + long, a + long, gold + long, by="length", names=["a", "b"])
    found = assess(scores, Testing(trials=30))
    inside = [c.test for c in found.comparisons if c.group is not None]
    assert [test.p is None for test in inside] == [False, True]
    assert not inside[0].exact
    assert not any("too few for" in note for note in found.notes)


@pytest.mark.parametrize(
    "wrong",
    [
        {"test": "t"},
        {"correction": "sidak"},
        {"alpha": 0.0},
        {"alpha": 1.0},
        {"seed": -1},
        {"interval": "wald"},
        {"test": "koehn"},
        {"trials": 0},
    ],
)
def test_what_there_is_not(samples: Path, wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        assess(score(*files(samples)[:2], metric="deps.las"), Testing(**wrong))  # type: ignore[arg-type]


def test_json_is_plain(samples: Path) -> None:
    import json

    found = assess(score(*files(samples), metric="deps.las", by="length"), QUICK).to_dict()
    assert json.loads(json.dumps(found)) == found
    assert found["seed"] == 0
    assert {"a", "b", "metric", "delta", "p", "adjusted", "interval"} <= found["tests"][0].keys()


def test_many_pairs_have_tests_and_no_intervals(samples: Path) -> None:
    gold, *systems = files(samples)
    scores = score(gold, *systems, *systems, metric="deps.las", names=list("abcdef"))
    found = assess(scores, QUICK)
    assert len(found.comparisons) == 15
    assert {c.interval for c in found.comparisons} == {None}
    assert all(c.test.p is not None for c in found.comparisons)


def test_groups_are_corrected_by_themselves_and_left_out_if_not_asked_for(samples: Path) -> None:
    scores = score(*files(samples), metric="deps.las", by="genre")
    found = assess(scores, QUICK)
    whole = assess(score(*files(samples), metric="deps.las"), QUICK)
    of_whole = [c for c in found.comparisons if c.group is None]
    assert [c.adjusted for c in of_whole] == [c.adjusted for c in whole.comparisons]
    inside = [c for c in found.comparisons if c.group is not None]
    assert [c.adjusted for c in inside] == adjust([c.test.p for c in inside], "holm")
    assert len(inside) == 6
    without = assess(scores, replace(QUICK, groups=False))
    assert [c.adjusted for c in without.comparisons] == [c.adjusted for c in of_whole]
    assert not without.across


def test_p_near_the_level_has_its_monte_carlo_error(samples: Path) -> None:
    found = assess(score(*files(samples)[:3], metric="deps.las"), replace(QUICK, alpha=0.13))
    test = found.comparisons[0].test
    assert test.p is not None
    assert test.error == pytest.approx((test.p * (1 - test.p) / 300) ** 0.5)
    assert test.to_dict()["p_error"] == test.error
    (note,) = [note for note in found.notes if "more trials" in note]
    assert "1 test on the other side of .13" in note
    assert f"± {test.error:.4f}".replace("0.", ".") in note
    far = assess(score(*files(samples)[:3], metric="deps.las"), replace(QUICK, alpha=0.5))
    assert not any("more trials" in note for note in far.notes)


def test_a_corrected_p_near_the_level_is_near(samples: Path) -> None:
    scores = score(*files(samples), metric="deps.las")
    plain = assess(scores, QUICK)
    first = plain.comparisons[0]
    assert first.adjusted is not None
    assert first.adjusted != first.test.p
    found = assess(scores, replace(QUICK, alpha=first.adjusted))
    assert any(f"{first.a} → {first.b}" in note for note in found.notes if "more trials" in note)


def test_few_units_inside_groups_are_warned_of() -> None:
    gold = [["N"] * (1 + n % 30) for n in range(260)]
    a, b = ([["V" if n % k == 0 else "N" for n in range(len(s))] for s in gold] for k in (5, 7))
    scores = score(gold, a, b, metric="tags.accuracy", by="length")
    for test, told in (("randomisation", "intervals may be too narrow"), ("bootstrap", "low")):
        notes = assess(scores, Testing(trials=50, test=test)).notes
        (note,) = [note for note in notes if note.startswith("fewer than 200 sentences")]
        assert note.startswith("fewer than 200 sentences in 3 of 3 groups: ")
        assert told in note


def test_a_layer_that_a_system_lacks_is_no_reason_to_stop(samples: Path, tmp_path: Path) -> None:
    names = files(samples)
    lines = Path(names[1]).read_text(encoding="utf-8").splitlines()
    cells = [line.split("\t") for line in lines]
    cut = ["\t".join([*c[:6], "_", "_", *c[8:]]) if len(c) == 10 else c[0] for c in cells]
    lacking = tmp_path / "lacking.conllu"
    lacking.write_text("\n".join(cut) + "\n", encoding="utf-8")
    found = score(names[0], str(lacking), *names[2:], by="document", significance=True, trials=50)
    assert found.assessment is not None
    across = found.assessment.across
    assert [*across["deps.las"].datasets.mean_ranks] == ["breeze.conllu", "cedar.conllu"]
    assert len(across["tags.accuracy"].datasets.mean_ranks) == 3
    alone = score(names[0], str(lacking), names[2], by="document", significance=True, trials=50)
    assert alone.assessment is not None
    assert "deps.las" not in alone.assessment.across


def test_one_unit_has_no_line_of_tests() -> None:
    found = score([["N", "V"]], [["N", "N"]], metric="tags.accuracy", significance=True)
    assert "tests      " not in render(found, "text")
