"""Notes that repeat are said once."""

from result_samples import result, scores
from tertium.comparison.compare.result import about_layers, condensed


def test_one_note_for_a_system_and_layer() -> None:
    metrics = ("deps.uas", "deps.las")
    lacking = [
        result(
            system, metric, None, parts={}, reasons={"value": f"{metric}: no trees for {metric}"}
        )
        for system in "ab"
        for metric in metrics
    ]
    other = result("a", "tags.accuracy", 0.5)
    notes = [f"{r.system}: {r.reasons['value']}" for r in lacking]
    found = scores(*lacking, other, notes=(*notes, "a: deps.las is fine"))
    assert condensed(found) == [
        "a: deps.uas, deps.las: no trees for deps.uas, deps.las",
        "b: deps.uas, deps.las: no trees for deps.uas, deps.las",
        "a: deps.las is fine",
    ]
    assert about_layers(found) == set(condensed(found)[:2])
