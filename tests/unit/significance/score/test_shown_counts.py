"""A metric may show one of its counts among its numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import tertium
from tertium import registry
from tertium.families.tags import Accuracy
from tertium.results.parts import Count
from tertium.significance.score.table import main_table
from tertium.significance.score.trainer import compute_metrics

GOLD = [["N", "V"], ["N", "V", "N"]]
ONE, TWO = [["N", "N"], ["N", "V", "N"]], [["V", "V"], ["V", "V", "N"]]


@dataclass(frozen=True, repr=False)
class Counted(Accuracy):
    """Accuracy beside the number of right tokens."""

    id = "tags.counted"
    display = "counted"
    shown = ("accuracy", "correct")
    counts = (Count("correct", "both", title="right"), Count("items", is_total=True))


@pytest.fixture(autouse=True)
def _metric() -> Iterator[None]:
    registry.register("metrics", Counted)
    yield
    registry.unregister("metrics", Counted.id)


def scores(**options: Any) -> Any:
    return tertium.score(GOLD, {"one": ONE, "two": TWO}, metric="tags.counted", **options)


def test_it_is_a_column_of_whole_numbers_and_none_is_best() -> None:
    table = main_table(scores())
    right = table.columns[-1]
    assert (right.header, right.kind, right.better) == ("right", "count", None)
    assert [row[-1] for row in table.rows] == [4, 3]


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html"])
def test_every_format_shows_it(format: str) -> None:
    shown = tertium.render(scores(), format)
    assert "right" in shown
    assert "4.00" not in shown


def test_it_stays_beside_all_parts_and_can_be_chosen_and_sorted_by() -> None:
    assert [c.header for c in main_table(scores(), parts=True).columns][-1] == "right"
    assert [c.header for c in main_table(scores(), shown=["right"]).columns] == ["system", "right"]
    found = tertium.score(GOLD, {"two": TWO, "one": ONE}, metric="tags.counted")
    text = tertium.render(found, "text", sort="right")
    assert text.index("\none") < text.index("\ntwo")


def test_groups_have_their_own() -> None:
    table = main_table(scores(by="length:2,3"))
    assert [row[-1] for row in table.rows] == [4, 3, 1, 1, 3, 2]


def test_a_part_of_the_same_name_comes_first() -> None:
    (one, _) = scores()
    assert one.numbers["accuracy"] == one.value == 0.8
    assert one.part("correct").kind == "count"
    assert one.part("accuracy").kind == "share"


def test_trainers_are_given_parts_alone() -> None:
    import numpy as np

    found = compute_metrics(["N", "V"], metric="tags.counted")(
        (np.array([[[0.9, 0.1], [0.2, 0.8]]]), np.array([[0, 1]]))
    )
    assert found == {"accuracy": 1.0}
