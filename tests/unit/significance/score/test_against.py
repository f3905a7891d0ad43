"""Changes since an earlier run."""

from typing import Any

import pytest

from result_samples import grouped_scores, result, scores
from tertium.exceptions import InputError, UsageError
from tertium.signature import Signature
from tertium.significance.score.against import changes


def earlier(**change: Any) -> dict[str, Any]:
    data = scores(result("a", value=0.80), result("b", value=0.90)).to_dict()
    return {**data, **change}


def test_the_difference_is_now_minus_then() -> None:
    against = changes(scores(result("a", value=0.85), result("b", value=0.9)), earlier(), "e.json")
    assert against.changes["a", "deps.las", ""].delta == pytest.approx(0.05)
    assert against.changes["b", "deps.las", ""].delta == 0
    assert against.notes == ()


def test_missing_counterparts_are_named_on_both_sides() -> None:
    against = changes(scores(result("a"), result("c")), earlier(), "e.json")
    assert against.changes["c", "deps.las", ""].delta is None
    assert against.notes == ("LAS of c is not in e.json", "only in e.json: LAS of b")


def test_a_single_system_is_paired_whatever_its_name() -> None:
    against = changes(
        scores(result("new", value=0.9)), scores(result("old", value=0.8)).to_dict(), "e"
    )
    assert against.changes["new", "deps.las", ""].delta == pytest.approx(0.1)
    assert "new is compared with old" in against.notes[0]


def test_other_settings_are_refused_by_name() -> None:
    signature = Signature.make("deps.las", {"punct": "form", "subtypes": False})
    with pytest.raises(UsageError, match="punct: keep / form"):
        changes(scores(result("a", signature=signature)), earlier(), "e.json")


def test_other_parameters_are_other_settings() -> None:
    signature = Signature.make("deps.las", {"punct": "form"})
    now = scores(result("a", "deps.las(punct='form')", signature=signature))
    with pytest.raises(UsageError, match="punct: keep / form"):
        changes(now, earlier(), "e.json")


def test_another_version_of_tertium_is_no_difference() -> None:
    old = result("a")
    entries = dict(old.signature.entries) | {"tertium": "0.0.9"}
    data = scores(result("a", signature=Signature.make("deps.las", {**entries}))).to_dict()
    assert changes(scores(old), data, "e").changes["a", "deps.las", ""].delta == 0


def test_undefined_values_have_reasons() -> None:
    now, then = scores(result("a", value=None)), scores(result("a", value=0.5)).to_dict()
    change = changes(now, then, "e").changes["a", "deps.las", ""]
    assert (change.earlier, change.delta, change.reason) == (0.5, None, "undefined now")
    back = changes(scores(result("a")), now.to_dict(), "e").changes["a", "deps.las", ""]
    assert back.reason == "undefined in the earlier run"


def test_groups_are_compared_if_they_were_made_by_the_same_key() -> None:
    now = grouped_scores()
    same = changes(now, now.to_dict(), "e")
    assert same.changes["arbor", "deps.las", "news"].delta == 0
    other = changes(now, {**now.to_dict(), "by": "length"}, "e")
    assert other.changes["arbor", "deps.las", "news"].reason == "group not in e"


def test_what_only_the_earlier_run_has_goes_by_its_name() -> None:
    then = scores(result("a"), result("b"), result("c", metric="deps.uas")).to_dict()
    assert changes(scores(result("a"), result("b")), then, "e").notes == ("only in e: UAS of c",)


def test_another_gold_standard_is_noted() -> None:
    against = changes(scores(result("a"), result("b")), earlier(units=3), "e.json")
    assert against.other_gold == "then gold.conllu, 3 sentences; now gold.conllu, 2,077 sentences"
    assert (len(against.warnings), against.notes) == (1, ())
    both = changes(
        scores(result("a"), gold_digest="f"), earlier(units=1, gold_digest="0"), "e.json"
    )
    assert both.other_gold == (
        "then gold.conllu, 0, 1 sentence; now gold.conllu, f, 2,077 sentences"
    )


@pytest.mark.parametrize(
    ("then", "now", "other"),
    [("a", "b", True), ("a", "a", False), (None, "b", False), ("a", None, False)],
)
def test_other_content_of_the_gold_standard_is_a_warning(
    then: str | None, now: str | None, other: bool
) -> None:
    some = scores(result("a"), result("b"), gold_digest=now)
    against = changes(some, earlier(gold_digest=then), "e.json")
    assert ["a different gold standard" in w for w in against.warnings] == [True] * other
    assert against.notes == ()


@pytest.mark.parametrize("data", [[], {}, {"scores": 3}, {"scores": [{}]}, {"scores": ["x"]}, None])
def test_what_is_no_score_output_is_refused(data: Any) -> None:
    with pytest.raises(InputError, match="not the JSON output"):
        changes(scores(result()), data, "e.json")
