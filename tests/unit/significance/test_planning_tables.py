"""Tables of `power` and `datasets`."""

from typing import Any

import pytest

import tertium
from tertium.results.blocks import Lines, Missing, Ranks, Table, Text
from tertium.results.output import Look
from tertium.significance import power_tables as power
from tertium.significance.simulation import MORE_THAN, SetSize

pytestmark = pytest.mark.usefixtures("few_samples")


def only(blocks: list[Any], kind: type) -> list[Any]:
    return [block for block in blocks if isinstance(block, kind)]


def values(**systems: list[float | None]) -> dict[str, Any]:
    names = "tuvwxyz"[-len(systems["a"]) :]
    return {
        name: {
            "scores": [
                {"system": s, "metric": "tags.accuracy", "value": row[i]}
                for s, row in systems.items()
            ]
        }
        for i, name in enumerate(names)
    }


def test_pairs_go_from_the_first_to_the_second() -> None:
    found = tertium.across_datasets(values(a=[0.8, 0.8, 0.8], b=[0.9, 0.9, 0.7]))
    blocks = found.blocks(Look())
    assert only(blocks, Ranks) == []  # of two systems there is no such test
    pairs = only(blocks, Table)[1]
    headers = ["from", "to", "change", "up", "down", "equal"]
    assert [c.header for c in pairs.columns] == headers  # too few data sets to test them
    assert pairs.rows == (("a", "b", pytest.approx(0.1 / 3), 2, 1, 0),)
    found = tertium.across_datasets(values(a=[0.8] * 6, b=[0.9, 0.9, 0.7] * 2))
    pairs = only(found.blocks(Look()), Table)[1]
    assert [c.header for c in pairs.columns] == [*headers, "p", "p"]
    assert pairs.rows[0][:6] == ("a", "b", pytest.approx(0.1 / 3), 4, 2, 0)


def test_what_holds_for_all_metrics_is_said_once() -> None:
    one = values(a=[0.8] * 6 + [None], b=[0.9] * 6 + [0.7], c=[0.1, 0.2, 0.3] * 2 + [0.3])
    for data in one.values():
        data["scores"] += [{**e, "metric": "tags.other", "value": 0.5} for e in data["scores"]]
    blocks = tertium.across_datasets(one).blocks(Look())
    assert len(only(blocks, Ranks)) == 2
    lines = [text.text for text in only(blocks, Text)]
    assert sum("Holm over all pairs" in line for line in lines) == 1
    assert "tags.accuracy: left out, since a system has no value there: z" in lines
    assert any(line.startswith("tags.other: Friedman's test is undefined") for line in lines)
    first = only(blocks, Table)[0]
    assert isinstance(first.rows[6][2], Missing)


def test_a_size_beyond_what_was_simulated_has_a_sign() -> None:
    assert power._needed(SetSize(640, 6400, MORE_THAN), True) == ["> 640", "> 6,400"]
    assert power._needed(SetSize(8, None, "at most"), False) == ["≤ 8"]
    assert power._needed(SetSize(77, 770), True) == [77, 770]


def test_curves_of_power() -> None:
    gold = [["N", "V", "N"]] * 60
    a = [["N", "N", "N"]] * 6 + [["V", "V", "N"]] * 14 + gold[20:]
    b = [["N", "N", "N"]] * 12 + gold[12:]
    found = tertium.power(gold, a, b, metric="tags.accuracy", trials=300)
    by_units, by_difference = only(power.build(found), Lines)
    assert by_units.marks == ((60.0, "given"),)
    assert by_units.thresholds == ((0.8, "80%"),)
    assert by_units.series[0].ys == tuple(each.power for each in found.metrics[0].by_units)
    assert by_difference.marks == ((pytest.approx(8 / 180), "observed"),)
    assert len(only(power.build(found, format="markdown"), Lines)) == 1
    assert "the observed difference of 4.44 points would be" in found.summary()
    without = only(power.build(found), Text)
    assert [text.role for text in without].count("tests") == 1
