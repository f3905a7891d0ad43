"""Every number of a result is its formula over summed counts: parts, labels, groups."""

from pathlib import Path

import numpy as np
import pytest

from count_samples import drawn_sums
from tertium.exceptions import UsageError
from tertium.results.assessment import Testing
from tertium.results.scores import Result, flatten
from tertium.significance.intervals import interval
from tertium.significance.resample import (
    Number,
    generator,
    sides_of,
    unit_counts,
)
from tertium.significance.score.verb import score
from tertium.significance.tests import paired_test

METRICS = ["spans.f1", "spans.fair", "spans.partial"]


def value_of(number: Number, result: Result) -> float | None:
    """What a result says about a number; None where it is undefined or not there."""
    held = result if number.group is None else result.groups[number.group]
    row = held.parts if number.label is None else held.labels.get(number.label, {})
    return flatten(row).get(number.part or held.headline)


def entities(samples: Path, metric: str, **options: str) -> list[Result]:
    files = [str(samples / f"entities-{name}.bio") for name in ("gold", "arbor", "breeze")]
    return list(score(*files, metric=metric, **options))  # type: ignore[arg-type]


def trees(samples: Path, metric: str, **options: str) -> list[Result]:
    files = [str(samples / f"{name}.conllu") for name in ("gold", "arbor", "breeze")]
    return list(score(*files, metric=metric, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("metric", METRICS)
def test_every_part_and_label(samples: Path, metric: str) -> None:
    results = entities(samples, metric)
    for part, value in flatten(results[0].parts).items():
        assert value_of(Number(part), results[0]) == value
        observed = unit_counts(results, Number(part)).observed
        expected = [flatten(r.parts)[part] for r in results]
        assert observed == pytest.approx([np.nan if v is None else v for v in expected])
    label = sorted(results[0].labels)[0]
    for part in flatten(results[0].labels[label]):
        if part.startswith(("counts", "reasons")):
            continue
        number = Number(part, label)
        expected = [value_of(number, r) for r in results]
        assert unit_counts(results, number).observed == pytest.approx(expected)


@pytest.mark.parametrize("by", ["length", "upos", "deprel"])
def test_groups_of_units_and_of_words(samples: Path, by: str) -> None:
    results = trees(samples, "deps.las", by=by)
    names = list(results[0].groups)
    assert len(names) > 1
    for group in names:
        number = Number(group=group)
        expected = [np.nan if (v := value_of(number, r)) is None else v for r in results]
        assert unit_counts(results, number).observed == pytest.approx(expected, nan_ok=True)


def test_groups_over_several_files_are_paired_by_unit(samples: Path, tmp_path: Path) -> None:
    """A group that some files lack: its counts stand at the units of the whole."""
    for name in ("gold", "arbor"):
        blocks = (samples / f"{name}.conllu").read_text(encoding="utf-8").strip().split("\n\n")
        folder = tmp_path / name
        folder.mkdir()
        for number in range(4):
            text = "\n\n".join(blocks[number::4]) + "\n\n"
            (folder / f"{number}.conllu").write_text(text, encoding="utf-8")
    files = [str(tmp_path / name) for name in ("gold", "arbor")]
    whole = [str(samples / f"{name}.conllu") for name in ("gold", "arbor")]
    parts = score(*files, metric="deps.las", by="deprel")["deps.las"]
    one = score(*whole, metric="deps.las", by="deprel")["deps.las"]
    assert parts.stats is not None
    for name, group in parts.groups.items():
        assert group.stats is not None
        spread = group.stats.spread()
        assert spread.units == parts.stats.units
        other = one.groups[name].stats
        assert other is not None
        assert spread.totals().dense.tolist() == other.totals().dense.tolist()
        # In every unit, no more gold items of a group than gold items in all.
        gold = list(spread.columns).index("items.gold")
        assert (spread.dense[:, gold] <= parts.stats.dense[:, 1]).all()


def test_a_resample_is_what_scoring_the_drawn_sentences_gives() -> None:
    """Macro F1, fair F1 and labels of a resample equal those of a corpus with these sentences."""
    random = np.random.default_rng(3)
    tags = ["O", "B-PER", "B-LOC", "B-ORG"]
    gold, system = ([[tags[t] for t in random.integers(0, 4, 5)] for _ in range(12)] for _ in "ab")
    for metric, part in (("spans.f1", "macro_f1"), ("spans.f1", "f1"), ("spans.fair", "f1")):
        whole = score(gold, system, metric=metric)[metric]
        pool = unit_counts([whole], Number(part))
        drawn = random.integers(0, 12, 12)
        again = score([gold[i] for i in drawn], [system[i] for i in drawn], metric=metric)[metric]
        assert whole.stats is not None
        side = pool.sides[0]
        matrix = whole.stats.matrix(labels=side.labels)
        sums = np.bincount(drawn, minlength=12).astype(float) @ matrix
        assert side.value(sums) == pytest.approx(value_of(Number(part), again))


def test_macro_averages_can_be_tested(samples: Path) -> None:
    a, b = entities(samples, "spans.f1")
    number = Number("macro_f1")
    found = paired_test(a, b, number, trials=500)
    assert found.delta == pytest.approx(value_of(number, b) - value_of(number, a))  # type: ignore[operator]
    assert 0 < found.p <= 1  # type: ignore[operator]
    assert interval(unit_counts([a, b], number), Testing(trials=500)).low < found.delta  # type: ignore[operator]


def test_a_label_that_one_system_never_uses() -> None:
    gold, a, b = [["B-X", "B-Y"]] * 4, [["B-X", "O"]] * 4, [["B-X", "B-Y"]] * 4
    results = list(score(gold, a, b, metric="spans.f1"))
    found = paired_test(results[0], results[1], Number("f1", "Y"))
    assert found.delta == 1
    assert found.p == pytest.approx(2 / 2**4)
    other = paired_test(results[0], results[1], Number("precision", "Y"))
    assert other.p is None
    assert "undefined" in other.reason


def test_values_of_single_units(samples: Path) -> None:
    result = trees(samples, "deps.las")[0]
    side = sides_of([result], Number())[0]
    values = side.unit_values()
    assert result.stats is not None
    totals = result.stats.totals_of(result.stats.dense, labels=False)
    assert values == pytest.approx(totals["correct"] / totals["gold"])


def test_results_over_other_units_are_not_paired() -> None:
    one = score([["N"]] * 3, [["N"]] * 3, metric="tags.accuracy").results
    other = score([["N"]] * 4, [["N"]] * 4, metric="tags.accuracy").results
    with pytest.raises(UsageError, match="equally many sentences"):
        unit_counts([one[0], other[0]])
    with pytest.raises(UsageError, match="no group 'x'"):
        unit_counts(one, Number(group="x"))


def test_a_metric_that_shows_undefined_as_zero_resamples_it_as_zero() -> None:
    gold, system = [["O"], ["O"], ["B-X"]], [["O"], ["O"], ["B-X"]]
    metric = "spans.f1(undefined='zero')"
    result = score(gold, system, metric=metric).results[0]
    pool = unit_counts([result])
    values = pool.values(drawn_sums(pool.rows, 200, generator(1)))[..., 0]
    assert set(values) == {0.0, 1.0}
