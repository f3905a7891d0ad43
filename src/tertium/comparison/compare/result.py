"""What a comparison of systems found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from tertium.comparison.compare.gates import Gates
from tertium.comparison.compare.look import CompareLook, chosen_pairs
from tertium.comparison.compare.views import View
from tertium.comparison.pairs import SHARED, Pair
from tertium.exceptions import UsageError, Verdict, suggestion
from tertium.results.assessment import Assessment, Test, Testing
from tertium.results.output import Output, Rows, flat_rows, picked
from tertium.results.scores import Result, flatten
from tertium.significance.assess import assess
from tertium.significance.score.result import Scores, with_assessment
from tertium.significance.tests import MCNEMAR, item_test

if TYPE_CHECKING:
    from tertium.comparison.examples import Material
    from tertium.comparison.golds import Golds
    from tertium.comparison.vote.ensembles import Ensemble
    from tertium.results.blocks import Block
    from tertium.results.blocks.pages import Page
    from tertium.results.scenes import Scene

GOLD_ALONE = "McNemar's test uses gold items only and ignores false positives"
_METRIC = "\0"  # stands for the name of a metric in a note


class Delta(NamedTuple):
    """A part of a metric in two systems; None where it is undefined."""

    metric: str
    part: str
    a: float | None
    b: float | None
    better: str = "higher"

    @property
    def delta(self) -> float | None:
        """How much more B has."""
        return None if self.a is None or self.b is None else self.b - self.a


@dataclass(frozen=True, eq=False)
class LazyAssessment:
    """Intervals and tests of scores and views, made on first use. `added` are metrics that nobody
    asked for: `score` would not have shown them. If `first_only`, only the first system of each
    metric is tested against the others."""

    scores: Scores
    views: tuple[View, ...]
    testing: Testing
    added: tuple[str, ...] = ()
    notice: Callable[[str], None] | None = None
    first_only: bool = False

    @cached_property
    def found(self) -> Assessment:
        """Intervals and tests."""
        judge = self._mcnemar if self.testing.test == MCNEMAR else None
        return assess(
            self.scores,
            self.testing,
            judge=judge,
            added=self.added,
            notice=self.notice,
            first_only=self.first_only,
        )

    def _mcnemar(self, a: str, b: str, metric: str, group: str | None) -> Test:
        """McNemar's test on gold items: which of the two is right where the other is not?"""
        direction = self.testing.direction
        # Tests are of scores: on all gold items, whatever is compared (`--items`).
        views = (replace(view, shared=SHARED[0]) for view in self.views if view.metric == metric)
        view = next(views, None)
        if view is not None and group is not None:
            view = view.groups.get(group)
        if view is None or a not in view.systems or b not in view.systems:
            reason = "the metric does not judge single items"
            return Test(None, None, MCNEMAR, 0, direction=direction, reason=reason)
        pair = view.pair(a, b)
        return item_test(
            pair.right_a - pair.shared_right,
            pair.right_b - pair.shared_right,
            pair.gold_items,
            self._delta(a, b, metric, group),
            direction=direction,
            warning=f"{metric}: {GOLD_ALONE}" if view.has_extra else "",
        )

    def _delta(self, a: str, b: str, metric: str, group: str | None) -> float | None:
        values = []
        for name in (a, b):
            whole = self.scores[name, metric]
            held = whole if group is None else whole.groups.get(group)
            values.append(None if held is None else held.value)
        return None if values[0] is None or values[1] is None else values[1] - values[0]


@dataclass(frozen=True, eq=False)
class Comparison(Output):
    """Systems against one gold standard and against each other.

    - `scores`: every score of every system; `views`: one for each metric that judges items
    - `ensembles`: votes of the systems, if they were asked for
    - `golds`: the same scores against further gold standards, if there are any
    - `material`: the sentences behind it, if they were asked for
    - `assessing`: what `assessment` is made of when it is first looked at, or that itself; None if
      it was not to be made
    - `vote_assessing`: the same of votes, each against the best system
    - `examples`: those that JSON and CSV show, if any, each of a pair and a class
    - `gates`: what `check` looks at; `written`: the files that votes were written to, in words
    - `seed`: of the sample of examples on a page that cannot hold all
    - `regrouped`: the same in groups by further keys
    """

    scores: Scores
    views: tuple[View, ...]
    notes: tuple[str, ...] = ()
    ensembles: tuple[Ensemble, ...] = ()
    golds: Golds | None = None
    material: Material | None = None
    assessing: LazyAssessment | Assessment | None = None
    vote_assessing: LazyAssessment | None = None
    gates: Gates = Gates()
    examples: tuple[tuple[Pair, str, Scene], ...] | None = None
    written: tuple[str, ...] = ()
    seed: int = 0
    regrouped: tuple[Comparison, ...] = ()

    look = CompareLook

    @property
    def systems(self) -> list[str]:
        """Names of systems in order."""
        return self.scores.systems

    @property
    def metrics(self) -> list[str]:
        """The metrics of the views."""
        return [view.metric for view in self.views]

    def __getitem__(self, metric: str) -> View:
        for view in self.views:
            if view.metric == metric:
                return view
        raise UsageError(
            f"there is no view of '{metric}'.{suggestion(metric, self.metrics)}",
            help=f"compared: {', '.join(self.metrics)}",
        )

    @property
    def view(self) -> View:
        """The view, where there is exactly one."""
        if len(self.views) != 1:
            raise UsageError(
                f"there are {len(self.views)} views; choose one: comparison['METRIC']",
                help=f"compared: {', '.join(self.metrics)}",
            )
        return self.views[0]

    @property
    def assessment(self) -> Assessment | None:
        """Intervals of all scores and tests of all differences, where they were not left out."""
        made = self.assessing
        return made.found if isinstance(made, LazyAssessment) else made

    @property
    def tested_scores(self) -> Scores:
        """The scores with intervals and tests."""
        return replace(self.scores, assessment=self.assessment)

    @property
    def vote_assessment(self) -> Assessment | None:
        """Intervals of votes and tests against the best system: a family of tests of their own."""
        return None if self.vote_assessing is None else self.vote_assessing.found

    @property
    def pairs(self) -> list[Pair]:
        """Every pair of every view."""
        return [pair for view in self.views for pair in view.pairs]

    def deltas(self, a: str, b: str) -> list[Delta]:
        """Every score of two systems and how much more the second has."""
        found = []
        for metric in self.scores.metrics:
            one, other = (self.result(name, metric) for name in (a, b))
            if one is None or other is None:
                continue
            first, second = flatten(one.parts), flatten(other.parts)
            found += [
                Delta(metric, part, first.get(part), second.get(part), one.part(part).better)
                for part in dict.fromkeys([*(one.shown or other.shown), *first])
                if part in first or part in second
            ]
        return found

    def result(self, system: str, metric: str) -> Result | None:
        """The score of a system by a metric, if it has one."""
        return self.scores.find(system, metric)

    def frames(self) -> Mapping[str, Callable[[], Rows]]:
        """`pairs` has a row per metric and pair of systems, `both_right_different` counting items
        on which both are right with different answers; the others are those of scores."""
        columns = (
            "metric", "a", "b", "gold_items", "items", "different", "diff", "corrections",
            "new_errors", "changed_errors", "both_right_different", "right_a", "right_b",
            "shared_right", "accuracy_a", "accuracy_b", "delta", "overlap_right", "overlap_all",
        )  # fmt: skip
        renamed = {"both_right_different": "both_right"}

        def pairs() -> Rows:
            return [{n: getattr(p, renamed.get(n, n)) for n in columns} for p in self.pairs]

        def of_scores(name: str) -> Rows:
            return self.tested_scores.frames()[name]()

        tables = {name: partial(of_scores, name) for name in self.scores.frames()}
        return {"pairs": pairs, **tables, **Output.frames(self)}

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium compare` (docs/verbs/compare.md)."""
        from tertium.comparison.examples import entry

        head = self.scores.to_dict()
        head.pop("notes", None)
        assessment = self.assessment
        if assessment is not None:
            head = with_assessment(head, assessment)
        votes = [vote.to_dict(self.vote_assessment) for vote in self.ensembles]
        return {
            **head,
            "items": self.views[0].shared if self.views else SHARED[0],
            "views": [view.to_dict() for view in self.views],
            "pairs": [
                {**pair.to_dict(), "scores": self._deltas(pair), **self._tests(pair)}
                for pair in self.pairs
            ],
            "oracle": self.views[0].oracle.to_dict() if self.views else None,
            **(
                {"also_by": [each.to_groups() for each in self.regrouped]} if self.regrouped else {}
            ),
            **({"ensembles": votes} if votes else {}),
            **({"golds": self.golds.to_dict()} if self.golds is not None else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
            **({} if self.examples is None else {"examples": [entry(*e) for e in self.examples]}),
        }

    def to_groups(self) -> dict[str, Any]:
        """An entry of `also_by` in the JSON output: the groups by a further key."""
        views = picked((view.to_dict() for view in self.views), "metric", "groups")
        return {**self.tested_scores.to_groups(), "views": views}

    @property
    def title(self) -> str:
        """What was compared."""
        return f"Systems compared against {self.scores.gold}"

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return self.scores.names

    def with_ids(self) -> Self:
        """The same with the ids of metrics in place of their names."""
        assessment = self.assessment
        return replace(
            self,
            scores=self.scores.with_ids(),
            assessing=None if assessment is None else replace(assessment, names={}),
            regrouped=tuple(each.with_ids() for each in self.regrouped),
        )

    @property
    def caption(self) -> str:
        """The numbers, the data and its size."""
        return self.scores.caption

    def in_short(self) -> str:
        """Which system is best, by how much, and what it corrects of the second best."""
        from tertium.comparison.compare.summary import summary_of

        return summary_of(self)

    def blocks(self, look: CompareLook) -> list[Block]:
        """Scores, then metric by metric what differs, and below it what a reader must know."""
        from tertium.comparison.compare.tables import all_blocks

        return all_blocks(self, look)

    def select(self, look: CompareLook) -> Comparison:
        """With examples of the pairs shown in full, if they are wanted. Of the look, nothing else
        concerns JSON and CSV, which hold every pair."""
        chosen_pairs(self.systems, look.pairs)  # refuses names that there are not
        if look.examples is None:
            return self
        if self.material is None:
            raise UsageError(
                "there are no sentences to show examples from", help="compare with examples=True"
            )
        is_data = look.format in ("json", "csv")
        return replace(self, examples=tuple(self._examples(look))) if is_data else self

    def _examples(self, look: CompareLook) -> Iterator[tuple[Pair, str, Scene]]:
        """The first examples of every class of the pairs shown in full; all of them for 0."""
        from tertium.comparison.compare.changes import detailed_pairs
        from tertium.comparison.examples import Examples

        assert self.material is not None
        for view in self.views:
            source = Examples(self.material, view)
            for pair in detailed_pairs(self.scores, view, look):
                for kind, scene in source.all(pair, look.examples or None):
                    yield pair, kind, scene

    def to_rows(self) -> list[dict[str, Any]]:
        """One number per row, and one row an example."""
        from tertium.comparison.examples import to_row

        data = replace(self, examples=None).to_dict()
        del data["oracle"]  # the one of the first view
        rows = flat_rows(data)
        return [*rows, *(to_row(*each) for each in self.examples or ())]

    def page(self) -> Page | None:
        """The interactive report, if the comparison was made with `examples=True`."""
        from tertium.comparison.compare.page import page_of

        return page_of(self)

    def notices(self, look: CompareLook) -> list[str]:
        """Where votes were written to."""
        return list(self.written)

    def verdicts(self) -> list[Verdict]:
        """What was found about every gate of the last system."""
        return self.gates.verdicts(self)

    def check(self) -> None:
        """Raise GateError, naming every offence, unless the last system meets all gates."""
        self.gates.check(self)

    def _deltas(self, pair: Pair) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for each in self.deltas(pair.a, pair.b):
            entry = {"a": each.a, "b": each.b, "delta": each.delta}
            found.setdefault(each.metric, {})[each.part] = entry
        return found

    def _tests(self, pair: Pair) -> dict[str, Any]:
        """Tests of two systems, metric by metric; runs of a system have none of their own."""
        if self.assessment is None:
            return {}
        found = {
            metric: tested.to_dict()
            for metric in self.scores.metrics
            if (tested := self.assessment.of(pair.a, pair.b, metric)) is not None
        }
        return {"significance": found} if found else {}

    def __repr__(self) -> str:
        found = "; ".join(repr(pair).strip("<>") for pair in self.pairs[:3])
        left = len(self.pairs) - 3
        return f"<Comparison: {found}{f'; and {left} more pairs' if left > 0 else ''}>"


def condensed(scores: Scores) -> list[str]:
    """The notes of scores, with those that say the same of several metrics put into one."""
    said = {f"{r.system}: {reason}": r for r in scores if (reason := r.reasons.get("value"))}
    return _condensed((note, said.get(note)) for note in scores.notes)


def about_layers(scores: Scores) -> set[str]:
    """Those among them that say that a system has nothing for a metric."""
    return set(
        _condensed(
            (f"{r.system}: {r.reasons.get('value')}", r)
            for r in scores
            if r.value is None and not r.parts
        )
    )


def _condensed(notes: Iterable[tuple[str, Result | None]]) -> list[str]:
    metrics: dict[str, list[str]] = {}
    for note, result in notes:
        metric = "" if result is None else result.metric
        key = note.replace(metric, _METRIC) if metric else note
        metrics.setdefault(key, []).append(metric)
    return [note.replace(_METRIC, ", ".join(names)) for note, names in metrics.items()]
