"""`tertium.score`: read, align, judge, count, compute scores, and test them if requested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tertium.corpus.schemes import span_columns
from tertium.exceptions import TertiumError, UsageError
from tertium.families.base import Metric
from tertium.formats.files import read_file
from tertium.formats.sources import load_json
from tertium.options import GATES, SIGNIFICANCE, Verb, fill, option, take
from tertium.results.assessment import Testing, Waiting
from tertium.significance.score.counts import count, scores_of
from tertium.significance.score.gates import OPTION, WorseOptions, check_names, parse_gates
from tertium.significance.score.result import ScoreLook, Scores, check_figures
from tertium.study.data import DataOptions, reads_data
from tertium.study.study import Study, Way
from tertium.study.walk import walk

USUAL = Testing()


@dataclass(frozen=True)
class ScoreOptions(WorseOptions):
    """What `score` takes besides what a study and tests take."""

    significance: bool | Testing | None = option(
        None, "Show confidence intervals and test all differences between systems. Implied by the "
        "other options for tests.",
        flag="--significance/--no-significance", kind=bool, group=SIGNIFICANCE
    )  # fmt: skip
    fail_under: tuple[str, ...] = option(
        (), "Exit with 1 if a system is below a value, such as {LAS}=0.85; repeatable.",
        metavar="METRIC=VALUE", group=GATES
    )  # fmt: skip
    against: str | None = option(
        None, "Show changes since an earlier result, given as JSON.", metavar="JSON", path=True
    )
    names: Sequence[str] | None = option(None, "Names of the systems.", flag="")
    conventions: bool = option(
        False, "Score spans under every convention of the field, and show where these differ."
    )


OPTIONS = (Study, ScoreOptions, Testing, Waiting, Way, DataOptions)


@reads_data()
def score(gold: Any, *systems: Any, **options: Any) -> Scores:
    """Score systems against a gold standard.

    `gold` and each system may be a path, a folder, a glob or `NAME=path`; lists of tags, label ids
    (with `id2label`) or dictionaries; a polars or pandas data frame; spaCy docs or examples; or a
    `Corpus`. Several systems are several arguments or a dictionary of names and data, several runs
    of one system are `tertium.runs`. One table with both sides is `score(table, gold="column",
    systems=["column"])`. Folders are paired by file name and read one pair at a time.

    Without `metric` every layer that gold and systems share is scored. `by` also scores groups of
    sentences or of words. `significance=True`, or any option of tests, adds confidence intervals
    and tests of all pairs of systems (`assessment`).

    >>> from tertium import score
    >>> score([["B-PER", "I-PER", "O"]], [["B-PER", "I-PER", "O"]], labels=False).value
    1.0
    """
    rest = dict(options)
    way, reading, tests = take(Way, rest), take(Study, rest), take(Testing, rest)
    waiting = take(Waiting, rest)
    own = fill(ScoreOptions, rest, verb="score", others=OPTIONS)
    testing = wanted_tests(own.significance, tests, usual=None)
    gates = parse_gates(own.fail_under)
    check_names(gates)
    own.check_names()
    if own.fail_if_worse and own.against is None:
        raise UsageError(
            f"'{OPTION}' needs an earlier result to compare with",
            help="name its JSON with '--against', or use 'tertium compare' with the earlier output",
        )
    earlier = None if own.against is None else load_json(own.against)
    if testing is not None:
        reading.setdefault("documents", True)
    study = Study.of(gold, systems, names=own.names, **reading)
    found = _scored(study, way, testing, waiting)
    others = [
        _scored(each, {**way, "progress": None}, testing, waiting) for each in study.regrouped
    ]
    notes = dict.fromkeys(note for each in (found, *others) for note in each.notes)
    found = replace(found, regrouped=tuple(others), notes=tuple(notes), gates=gates)
    if own.against is not None:
        from tertium.significance.score.against import changes

        worse = WorseOptions(tuple(own.fail_if_worse), own.max_drop)
        found = replace(found, against=changes(found, earlier, own.against), worse=worse)
    return found


def _scored(
    study: Study, way: Mapping[str, Any], testing: Testing | None, waiting: Mapping[str, Any]
) -> Scores:
    """Scores by one way to group at most, tested if that is wanted."""
    parts = [*walk(study, count, **way)]
    scores = scores_of(study, parts)
    found = replace(scores, notes=(*scores.notes, *_unused_lexicon(study, parts[0].fitted)))
    if testing is None:
        return found
    from tertium.significance.assess import assess

    return replace(found, assessment=assess(found, testing, **waiting))


def wanted_tests(
    switch: bool | Testing | None,
    asked: Mapping[str, Any],
    *,
    usual: Testing | None = USUAL,
    further: tuple[str, ...] = (),
    flag: str = "--no-significance",
) -> Testing | None:
    """How to test, checked before anything is read; None if it is not to be done.

    `switch` is `significance`: yes, no, how, or None where nobody said; `asked` are options of
    tests that were given, `usual` is what is done where nobody asks, None for nothing. `further`
    names further tests that the verb has; `flag` is what switches all of it off.
    """
    if isinstance(switch, Testing):
        check_testing(switch, further)
        return switch
    if switch not in (True, False, None):
        name = flag.removeprefix("--no-")
        raise UsageError(
            f"{name} must be True, False or a tertium.Testing. Got {switch!r} instead."
        )
    if switch is False:
        named = [name for name in asked if name != "seed"]
        if named:
            raise UsageError(
                f"'{flag}' and '--{named[0]}' contradict each other",
                help="leave one of them out",
            )
        return None
    if usual is None and not switch and not asked:
        return None
    base = usual or USUAL
    is_asked = bool(switch or asked.keys() - {"seed"})
    found = replace(base, **{"groups": is_asked or base.groups, **asked})
    check_testing(found, further)
    return found


def check_testing(testing: Testing, further: tuple[str, ...] = ()) -> None:
    """Refuse what there is not. `further` names further tests that the verb has."""
    if testing.test == "mcnemar" and "mcnemar" not in further:
        raise UsageError(
            "McNemar's test compares single items and is not available here",
            help="'tertium compare --test mcnemar' compares systems item by item",
        )
    from tertium.significance.assess import check

    check(testing, further=further)


def _unused_lexicon(study: Study, metrics: Sequence[Metric]) -> list[str]:
    if study.lexicon is None or any("lexicon" in m.parameters() for m in metrics):
        return []
    if "known" in (study.by, *(key for _, key in study.more_keys)):  # the groups look them up
        return []
    return [f"{study.lexicon.path} is not used: no metric here needs a lexicon"]


def check_files(files: Sequence[Any]) -> None:
    """Is there a system beside gold?"""
    if len(files) == 1:
        raise UsageError(
            f"there is no system to score against '{files[0]}'", help=alone_help(files[0], "score")
        )


def alone_help(file: Any, verb: str) -> str:
    """What to do where there is one file only: it may be one as conlleval reads it, with gold and
    guess in its last two columns."""
    usual = "the gold standard comes first, then one or more systems"
    if not isinstance(file, str) or not Path(file).is_file():
        return usual
    with suppress(TertiumError):
        corpus = read_file(file)
        last = [*corpus.layers][-2:]
        if corpus.format == "columns" and len(last) == 2 and {*last} <= span_columns(corpus):
            roles = "--columns tag=-2 --system-columns tag=-1"
            return (
                f"{usual}; if the last two columns are gold and guess, as conlleval reads them: "
                f"tertium {verb} {file} {file} {roles}"
            )
    return usual


def _prepare(given: dict[str, Any], look: ScoreLook) -> dict[str, Any]:
    """Figures per label are made only where they are shown: they cost time on large data."""
    if look.format == "svg":
        check_figures(look)
    single = look.format in ("json", "csv")
    wants_parts = look.parts or look.columns or look.sort  # averages over labels are parts
    labels = bool(look.labels or wants_parts) or ("single" if single else False)
    return {**given, "labels": labels, "confusion": look.confusion or look.error_types}


VERB = Verb(
    "score",
    score,
    """Score systems against a gold standard.

    GOLD and each SYSTEM are files, folders, globs in quotes, or - for standard input; .gz and .zst
    files are decompressed on the fly. If GOLD is one file, every file of a folder or glob is one
    system. A=path names a system; A=run1,run2 gives several runs of system A. Formats are detected.

    \b
    tertium score gold.conllu a.conllu b.conllu
    tertium score gold.conllu submissions/
    tertium score gold.bio NEW=out.bio --metric {SPANS} --labels
    tertium score gold.conllu a.conllu --metric {LAS} --by distance
    tertium score gold.conll a.conll --metric '{COREF}(singletons=drop)'
    tertium score gold.conllu a.conllu b.conllu --significance
    tertium score gold.conllu a.conllu --output base.json
    tertium score gold.conllu a.conllu --against base.json --fail-if-worse
    tertium score gold.bio a.bio --confusion --error-types --output a.svg
    """,
    arguments="GOLD SYSTEM...",
    options=OPTIONS,
    look=ScoreLook,
    check=check_files,
    figures=True,
    prepare=_prepare,
    instead={"conventions": "conventions"},
    checks=True,
    words={
        "fail_if_worse": "Exit with 1 if a system is worse than in the result of --against by this "
        "metric, or by any metric; repeatable."
    },
    cite=("noreen-1989-computer", "efron-1987-better", "holm-1979-simple"),
)
