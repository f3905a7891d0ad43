"""The result of `score`: all results of one gold standard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from tertium.exceptions import UsageError, Verdict
from tertium.options import option
from tertium.results.names import ending_note, renamed, short_names
from tertium.results.output import Look, Output, Rows, picked
from tertium.results.parts import Part
from tertium.results.scores import Result, Value, metric_names
from tertium.results.texts import counted, listed, number

if TYPE_CHECKING:
    from tertium.results.assessment import Assessment, RunSummary
    from tertium.results.blocks import Block
    from tertium.results.stats import UnitKind
    from tertium.significance.score.against import Against
    from tertium.significance.score.gates import WorseOptions

MOST_LABELS, LARGEST = 100, 1000  # of a matrix: by default, and if more are asked for


@dataclass(frozen=True)
class ScoreLook(Look):
    """What is shown of scores besides the main table. SVG holds figures alone and needs `confusion`
    or `error_types`."""

    labels: bool = option(
        False, "Show scores per label: P, R, F1 and averages of one system, or the main score of "
        "several systems; --parts shows all.",
    )  # fmt: skip
    confusion: bool = option(
        False, "Show confusion matrices: a row per gold label, a column per system label."
    )
    confusion_cells: str | None = option(
        None, "What confusion matrices hold: counts, shares of the row, or errors only. Default: "
        "counts.",
        choices=("counts", "shares", "errors"), metavar="CELLS",
    )  # fmt: skip
    main_labels: int | None = option(
        None, "Show the N labels most frequent in gold in confusion matrices, and the rest as "
        f"one. Default: up to {MOST_LABELS}.",
        kind=int, metavar="N", least=1, most=LARGEST,
    )  # fmt: skip
    error_types: bool = option(False, "Show the distribution of error types.")
    parts: bool = option(False, "Show all parts of each metric.")
    sort: str | None = option(
        None, "Order systems by a column, best first, or by 'name'. Default: as given.",
        metavar="COLUMN",
    )  # fmt: skip
    columns_shown: str | None = option(
        None, "Show these columns in this order, such as P,R,F1.", metavar="NAME,..."
    )
    tests: bool = option(
        False, "Show the tests of all pairs of systems. Default: only for two systems."
    )
    score_only: bool = option(
        False, "Print only the scores, one per line, as the table has them: all metrics of the "
        "first system, then those of the next. An undefined score is nan.",
        short="-b",
    )  # fmt: skip

    def __post_init__(self) -> None:
        """What matrices hold asks for them."""
        Look.__post_init__(self)
        if self.columns_shown is not None and not self.columns:
            raise UsageError("'--columns-shown' names no column", help="such as P,R,F1")
        self._check_bare()
        if self.confusion_cells is not None or self.main_labels is not None:
            object.__setattr__(self, "confusion", True)

    def _check_bare(self) -> None:
        """Refuse what bare scores have no place for."""
        if self.score_only and not self.is_text:
            raise UsageError(f"'--score-only' prints text, not {self.format}")
        own = {each.name: each.default for each in fields(self)[len(fields(Look)) :]}
        asked = [n for n in own if n != "score_only" and getattr(self, n) != own[n]]
        if self.score_only and asked:
            raise UsageError(
                f"'--score-only' cannot be combined with '--{asked[0].replace('_', '-')}'",
                help="JSON has all numbers",
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns to show; none for the usual ones."""
        names = (name.strip() for name in (self.columns_shown or "").split(","))
        return tuple(filter(None, names))

    @property
    def is_bare(self) -> bool:
        """Are scores all that is shown?"""
        return self.score_only


def check_figures(look: ScoreLook) -> None:
    """Refuse a picture where no figure of the scores was chosen."""
    if not look.confusion and not look.error_types:
        raise UsageError(
            "there is no figure to draw as SVG, PDF or PNG: scores alone are a table",
            help="add '--confusion' (which labels are confused) or '--error-types' (how errors are "
            "distributed)",
        )


@dataclass(frozen=True, eq=False)
class Scores(Output):
    """All results of one gold standard: systems x metrics, in the order asked for.

    With one system and one metric, `scores.value` is the number; `scores["METRIC"]` is the
    result of a metric (of the only system), `scores["a", "METRIC"]` that of a named one.
    `tokens` is None for files of spans over token numbers; `gold_digest` is None for data that was
    not read from files. `runs` names the results that are runs of one system, by its name.
    `assessment` holds intervals and tests, `against` changes since an earlier run, if they were
    asked for; `gates` and `worse` are what `check` goes by. `regrouped` is the same in groups by
    further keys.
    """

    gold: str
    units: int
    tokens: int | None
    results: tuple[Result, ...]
    by: str | None = None
    notes: tuple[str, ...] = ()
    version: str = ""
    gold_digest: str | None = None
    runs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    assessment: Assessment | None = None
    against: Against | None = None
    gates: Mapping[str, float] = field(default_factory=dict)
    worse: WorseOptions | None = None
    regrouped: tuple[Scores, ...] = ()

    look = ScoreLook

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @property
    def value(self) -> Value:
        """The number, where there is exactly one."""
        if len(self.results) != 1:
            raise ValueError(
                f"there are {len(self.results)} results; choose one: scores['SYSTEM', 'METRIC']"
            )
        return self.results[0].value

    @property
    def systems(self) -> list[str]:
        """Names of systems in order."""
        return list(dict.fromkeys(r.system for r in self.results))

    @property
    def metrics(self) -> list[str]:
        """Texts of metrics in order."""
        return list(dict.fromkeys(r.metric for r in self.results))

    @property
    def names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return metric_names(self.results)

    def with_ids(self) -> Self:
        """The same with the ids of metrics and parts in place of their display names."""
        found = replace(self, results=tuple(r.with_ids() for r in self.results))
        if found.assessment is not None:
            found = replace(found, assessment=replace(found.assessment, names={}))
        return replace(found, regrouped=tuple(each.with_ids() for each in found.regrouped))

    def part(self, metric: str) -> Part:
        """What a metric says about its value."""
        return next((r.part() for r in self.results if r.metric == metric), Part("value"))

    @property
    def sizes(self) -> dict[UnitKind, int]:
        """How many units there are of each kind that a metric here counts."""
        found: dict[UnitKind, int] = {}
        for result in self.results:
            size = self.units if result.unit == "sentence" else result.units
            found[result.unit] = max(found.get(result.unit, 0), size)
        return found

    def owner(self, system: str) -> str:
        """The system that a result is a run of; its own name if it ran once."""
        return next((name for name, runs in self.runs.items() if system in runs), system)

    def find(self, system: str, metric: str) -> Result | None:
        """The result of a system by a metric, if there is one."""
        each = (r for r in self.results if (r.system, r.metric) == (system, metric))
        return next(each, None)

    def __getitem__(self, key: str | tuple[str, str]) -> Result:
        if isinstance(key, tuple):
            found = [r for r in self.results if (r.system, r.metric) == key]
        else:
            found = [r for r in self.results if r.metric == key]
        if len(found) == 1:
            return found[0]
        if found:
            raise KeyError(f"{key}: {len(found)} systems have it; use scores['SYSTEM', {key!r}]")
        raise KeyError(f"{key}: there are {self.metrics} of {self.systems}")

    @property
    def run_summaries(self) -> list[RunSummary]:
        """Mean and standard deviation of every system with several runs, metric by metric."""
        from tertium.results.assessment import summary

        found = []
        for system, names in self.runs.items():
            for metric in self.metrics:
                runs = [r for r in self.results if r.system in names and r.metric == metric]
                found += [summary(system, runs)] if runs else []
        return found

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium score` (see docs/verbs/score.md and the schema)."""
        found = {
            "tertium": self.version,
            "gold": self.gold,
            "gold_digest": self.gold_digest,
            "units": self.units,
            "tokens": self.tokens,
            **({"by": self.by} if self.by else {}),
            "scores": [r.to_dict() for r in self.results],
            **({"runs": [each.to_dict() for each in self.run_summaries]} if self.runs else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
        }
        if self.assessment is not None:
            found = with_assessment(found, self.assessment)
        if self.regrouped:
            found["also_by"] = [each.to_groups() for each in self.regrouped]
        return found if self.against is None else with_changes(found, self.against, self.results)

    def to_groups(self) -> dict[str, Any]:
        """An entry of `also_by` in the JSON output: groups by a further key, with their tests."""
        whole = self.to_dict()
        scores = picked(whole["scores"], "system", "metric", "groups")
        found: dict[str, Any] = {"by": self.by, "scores": scores}
        tests = whole.get("significance", {})
        if tests:
            found["significance"] = {
                "tests": [each for each in tests["tests"] if "group" in each],
                **{name: tests[name] for name in ("across", "notes") if name in tests},
            }
        return found

    def frames(self) -> Mapping[str, Callable[[], Rows]]:
        """`scores` has a row per system and metric, `labels` one per label, `groups` one per group,
        `confusion` one per pair of labels, `tests` one per pair of systems."""
        from tertium.significance.score import frames

        tables = {name: partial(made, self) for name, made in frames.TABLES.items()}
        return {**tables, **Output.frames(self)}

    @property
    def title(self) -> str:
        """What was scored."""
        return f"Scores against {self.gold}"

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return self.names

    @property
    def caption(self) -> str:
        """The numbers, the data and its size."""
        metrics = self.names.values() if len(self.names) < 4 else ()
        sizes = [counted(self.units, "sentence")]
        sizes += [] if self.tokens is None else [counted(self.tokens, "token")]
        what = listed([*metrics]) or "Scores"
        return f"{what} on {Path(self.gold).name or self.gold} ({', '.join(sizes)})"

    def in_short(self) -> str:
        """Which system is best by the main metric, by how much, and whether that may be chance."""
        from tertium.significance.score.summary import summary

        return summary(self, self.assessment, short_names(self.systems))

    def blocks(self, look: ScoreLook) -> list[Block]:
        """The main table, tables and figures asked for, then coverage, notes, signatures."""
        from tertium.significance.score.table import build

        if look.format == "svg":
            check_figures(look)
        if look.score_only:
            from tertium.results.blocks import Text

            return [Text("\n".join(self._bare(look.digits)), role="code")]
        return build(self.shortly_named(), look)

    def shortly_named(self) -> Scores:
        """With the names of systems as short as they can be, and a note where that needs one."""
        names = short_names(self.systems)
        found: Scores = renamed(self, names)
        return replace(found, notes=(*ending_note(self.systems), *found.notes))

    def _bare(self, digits: int | None) -> list[str]:
        """Nothing but values, for scripts; of several runs the mean."""
        from tertium.significance.runs import with_means

        if self.by:
            raise UsageError(
                "'--score-only' cannot be combined with '--by'", help="JSON has all numbers"
            )
        each = with_means(self)
        order = sorted(each, key=lambda result: each.systems.index(result.system))
        kinds = [(result.value, result.part().kind) for result in order]
        texts = ("nan" if v is None else number(v, kind, digits) for v, kind in kinds)
        return [text.replace(",", "") for text in texts]

    def verdicts(self) -> list[Verdict]:
        """What was found about every gate and system."""
        from tertium.significance.score.gates import WorseOptions, drop_verdicts, floor_verdicts

        worse = drop_verdicts(self, self.worse or WorseOptions())
        return [*floor_verdicts(self, self.gates), *dict.fromkeys(worse)]

    def __repr__(self) -> str:
        shown = [repr(r).strip("<>") for r in self.results[:6]]
        left = len(self.results) - len(shown)
        return f"<Scores: {'; '.join(shown)}{f'; and {left} more' if left > 0 else ''}>"


def with_assessment(data: dict[str, Any], assessment: Assessment) -> dict[str, Any]:
    """The JSON of scores with what is known about their significance."""
    for entry in data["scores"]:
        for group, held in {None: entry, **entry.get("groups", {})}.items():
            interval = assessment.intervals.get((entry["system"], entry["metric"], group))
            if interval is not None:
                held["interval"] = interval.to_dict()
    notes = data.pop("notes", None)
    data["significance"] = assessment.to_dict()
    return data if notes is None else {**data, "notes": notes}


def with_changes(
    data: dict[str, Any], against: Against, results: Sequence[Result]
) -> dict[str, Any]:
    """The JSON of scores with their changes since an earlier run."""
    data["against"] = {"file": against.origin, "notes": [*against.warnings, *against.notes]}
    for result, entry in zip(results, data["scores"], strict=True):
        for group, held in {"": entry, **entry.get("groups", {})}.items():
            held["against"] = against.changes[result.system, result.metric, group].to_dict()
    return data
