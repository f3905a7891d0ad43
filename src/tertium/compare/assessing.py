"""Significance of a comparison: that of its scores, or McNemar's test of single items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tertium.compare.views import View
from tertium.corpus.assessment import TOWARDS, TWO_SIDED, Assessment, Test, Testing
from tertium.corpus.result import Scores
from tertium.significance.assessing import assess, check

MCNEMAR = "mcnemar"
GOLD_ALONE = "McNemar's test looks at gold items alone, and not at what systems add"


def check_compared(testing: Testing) -> None:
    """Refuse what there is not; here there is McNemar's test, too."""
    check(testing, further=(MCNEMAR,))


@dataclass(frozen=True, eq=False)
class Assessing:
    """Scores and views that are assessed when somebody looks, and then once."""

    scores: Scores
    views: tuple[View, ...]
    testing: Testing

    @cached_property
    def found(self) -> Assessment:
        """Intervals and tests."""
        if self.testing.test == MCNEMAR:
            return assess(self.scores, self.testing, judge=self._mcnemar)
        return assess(self.scores, self.testing)

    def _mcnemar(self, a: str, b: str, metric: str, group: str | None) -> Test:
        """McNemar's test on gold items: which of the two is right where the other is not?"""
        from tertium.significance.ranks import mcnemar

        direction = self.testing.direction
        view = _view(self.views, metric, group)
        if view is None or a not in view.systems or b not in view.systems:
            reason = "the metric is not compared item by item"
            return Test(None, None, MCNEMAR, 0, direction=direction, reason=reason)
        pair = view.pair(a, b)
        found = mcnemar(
            pair.right_b - pair.shared_right,
            pair.right_a - pair.shared_right,
            same=pair.gold_items - pair.right_a - pair.right_b + 2 * pair.shared_right,
            direction=None if direction == TWO_SIDED else direction,
        )
        return Test(
            self._delta(a, b, metric, group),
            # All items alike is what the hypothesis says, and no reason to doubt it.
            1.0 if pair.gold_items and found.p is None else found.p,
            MCNEMAR,
            pair.gold_items,
            exact=True,
            direction=direction,
            differing=found.used,
            reason=found.reason or "" if not pair.gold_items else "",
            warning=f"{metric}: {GOLD_ALONE}" if view.has_extra else "",
            towards=TOWARDS[found.side],
        )

    def _delta(self, a: str, b: str, metric: str, group: str | None) -> float | None:
        values = []
        for name in (a, b):
            whole = self.scores[name, metric]
            held = whole if group is None else whole.groups.get(group)
            values.append(None if held is None else held.value)
        return None if values[0] is None or values[1] is None else values[1] - values[0]


def _view(views: Sequence[View], metric: str, group: str | None) -> View | None:
    for view in views:
        if view.metric == metric:
            return view if group is None else view.groups.get(group)
    return None
