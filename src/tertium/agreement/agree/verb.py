"""`tertium.agree`: how far annotators of the same items agree, none of whom is gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, cast

import numpy as np

from tertium.agreement.agree.result import (
    AgreeLook,
    AgreementResult,
    AnnotatorRow,
    CoefficientValue,
    PairRow,
    Selection,
)
from tertium.agreement.agree.texts import TextVotes, pair_scores, read_text, study_of
from tertium.agreement.coefficients import (
    Coefficient,
    Cohen,
    make_coefficient,
    pairs_of,
    usual_coefficients,
)
from tertium.agreement.label_matrix import MOST_LABELS, LabelMatrix
from tertium.agreement.rated_items import RatedItems, RatedUnit
from tertium.exceptions import UsageError, counted
from tertium.formats.judgements import read_judgements
from tertium.formats.resources import load_labels
from tertium.formats.sources import load_json
from tertium.options import SIGNIFICANCE, Verb, fill, option, take
from tertium.results.assessment import Interval, Testing
from tertium.results.names import teller
from tertium.results.scores import Result, plain
from tertium.results.stats import Stats, UnitKind
from tertium.results.texts import listed
from tertium.results.votes import Votes
from tertium.signature import Signature
from tertium.significance.intervals import check_interval, interval, no_interval
from tertium.significance.resample import unit_counts
from tertium.study.data import DataOptions, reads_data
from tertium.study.study import Study, Way

MOST_SCORED = 10  # annotators of whom every two are scored against each other


@dataclass(frozen=True)
class AgreeOptions:
    """What `agree` takes besides how files are read."""

    coefficient: tuple[str, ...] = option(
        (), "A coefficient such as cohen, \"cohen(weights=linear)\" or \"alpha(level=ordinal)\"; "
        "repeatable. Default: all with their defaults.",
        metavar="ID", objects=True, short="-c",
    )  # fmt: skip
    order: str | None = option(
        None, "Labels from the least to the greatest, for weights and level=ordinal; not needed "
        "for numbers.",
        metavar="LOW,...,HIGH", objects=True,
    )  # fmt: skip
    without: tuple[str, ...] = option(
        (), "Also show coefficients without items that everybody gives this label, such as O; "
        "repeatable.",
        metavar="LABEL",
    )  # fmt: skip
    unlabelled: bool = option(False, "Compare spans without their labels.")
    against: str | None = option(
        None, "Compare the confusions with those of another run, given as JSON.",
        metavar="JSON", path=True,
    )  # fmt: skip
    coarse: str | None = option(
        None, "Two columns, fine and coarse label: show which share of confusions coarse labels "
        "would hide.",
        metavar="FILE", path=True,
    )  # fmt: skip
    pseudonyms: bool = option(
        False, "Call annotators A1, A2, ... in the order in which they are given or first occur."
    )
    intervals: bool | None = option(
        None, "Show confidence intervals. Implied by the other options for intervals.",
        flag="--intervals/--no-intervals", kind=bool, group=SIGNIFICANCE,
    )  # fmt: skip
    unit: str = option(
        "item", "What to resample: items, or sentences if items of one sentence are similar. "
        "Default: item.",
        choices=("item", "sentence"), group=SIGNIFICANCE,
    )  # fmt: skip


OPTIONS = (Study, AgreeOptions, Testing, Way, DataOptions)
UNTESTED = frozenset({"test", "direction", "correction", "alpha"})  # there are no tests here


@reads_data()
def agree(*annotators: Any, **options: Any) -> AgreementResult:
    """How far annotators agree: coefficients, agreement per label, confusions.

    Takes one argument per annotator, each as `score` takes a system, or a single table of
    judgements: a file, a data frame or a list of dictionaries with `item`, `annotator` and `label`.
    Annotators may have some of the items only.

    >>> found = agree([["N", "V", "N"]], [["N", "N", "N"]])
    >>> found["agreement"].value, found["cohen"].value, found["ac1"].value
    (0.6666666666666666, 0.0, 0.5384615384615384)
    """
    rest = dict(options)
    way, own = take(Way, rest), take(AgreeOptions, rest)
    tests, reading = take(Testing, rest), take(Study, rest)
    asked = fill(AgreeOptions, {**own, **rest}, verb="agree", others=OPTIONS)
    if refused := sorted(tests.keys() & UNTESTED):
        raise UsageError(f"agree has no option '{refused[0]}': it does not test differences")
    testing = _testing(asked, tests)
    wanted = [make_coefficient(each) for each in asked.coefficient] or [*usual_coefficients()]
    earlier = None if asked.against is None else load_json(asked.against)
    if not annotators:
        raise UsageError("there is nothing to compare; give annotators, or a table of judgements")
    text = None
    if len(annotators) == 1:
        votes: Votes | None = _table_votes(annotators[0], reading)
    else:
        study = study_of(annotators, reading, unlabelled=asked.unlabelled)
        text = read_text(study, way)
        votes = text.votes
    if votes is None:
        found = AgreementResult(annotators=(), items={}, values=Selection({}))
        assert text is not None
        found = replace(found, reason=text.reason)
    else:
        found = _measured(votes, wanted, testing, asked, text)
    if text is not None:
        found = _with_text(found, text, way, testing)
    return _named(_compared(found, asked, earlier), asked)


def _testing(asked: AgreeOptions, given: Mapping[str, Any]) -> Testing | None:
    """How intervals are made; None where none are wanted."""
    if asked.intervals is False and given.keys() - {"seed"}:
        name = sorted(given.keys() - {"seed"})[0]
        raise UsageError(f"'--no-intervals' and '--{name}' contradict each other")
    if asked.intervals is False or (not asked.intervals and not given and asked.unit == "item"):
        return None
    testing = Testing(**given)
    check_interval(testing)
    return testing


def _table_votes(table: Any, reading: Mapping[str, Any]) -> Votes:
    """The votes of a table of judgements."""
    if isinstance(table, str | PathLike) or not _is_corpus(table):
        for name in sorted(reading.keys() - {"columns", "map_labels", "labels"}):
            if reading[name] not in (None, (), False, "auto", "fail"):
                flag = f"--{name.replace('_', '-')}"
                raise UsageError(
                    f"'{flag}' needs annotated texts, not a table of judgements",
                    help="give one file per annotator",
                )
        return Votes.from_judgements(read_judgements(table, columns=reading.get("columns")))
    raise UsageError("one annotator alone cannot agree; give two or more, or a table of judgements")


def _is_corpus(data: Any) -> bool:
    return hasattr(data, "layers")


def _order(given: Any) -> tuple[str, ...]:
    names = given.split(",") if isinstance(given, str) else given or ()
    found = tuple(str(name).strip() for name in names)
    if len({*found}) < len(found) or (given is not None and not all(found)):
        raise UsageError("'--order' must list every label once, separated by commas")
    return found


def _measured(
    votes: Votes,
    wanted: Sequence[Coefficient],
    testing: Testing | None,
    asked: AgreeOptions,
    text: TextVotes | None,
) -> AgreementResult:
    """All numbers that votes give."""
    unit = cast(RatedUnit, asked.unit)
    ratings = RatedItems.of(votes, unit, _order(asked.order))
    for each in wanted:
        each.check(ratings)
    notes: list[str] = []
    without = {}
    for label in asked.without:
        if label not in ratings.labels:
            notes.append(f"no annotator gives the label '{label}'")
        without[label] = _selection(ratings.without(label), wanted, testing, asked.unit)
    groups = {}
    for name, (labels, order) in (text.groups if text else {}).items():
        masks = {group: labels.codes == labels.names.find(group) for group in order}
        groups[name] = {
            group: _selection(ratings.take(mask), wanted, testing, asked.unit)
            for group, mask in masks.items()
        }
    has_matrix = len(ratings.labels) <= MOST_LABELS
    if not has_matrix:
        notes.append(f"more than {MOST_LABELS:,} labels: no numbers per label, no confusions")
    people, pairs = _pairs(ratings)
    alone = [row.name for row in people if not row.shared]
    if alone:
        notes.append(f"without an item in common with others: {listed(alone)}")
    return AgreementResult(
        annotators=people,
        items=_sizes(ratings),
        values=_selection(ratings, wanted, testing, asked.unit),
        without=without,
        groups=groups,
        pairs=pairs,
        matrix=LabelMatrix.of(ratings) if has_matrix else None,
        notes=tuple(notes),
        testing=testing,
        unit=asked.unit,
    )


def _sizes(ratings: RatedItems) -> dict[str, int]:
    """How many items there are, have several ratings, and only one label among these."""
    item, _, _ = ratings.counts
    labels = np.bincount(item, minlength=len(ratings.size))
    shared = ratings.size > 1
    return {
        "all": len(ratings.size),
        "rated": int((ratings.size > 0).sum()),
        "shared": int(shared.sum()),
        "unanimous": int((shared & (labels == 1)).sum()),
    }


def _pairs(ratings: RatedItems) -> tuple[tuple[AnnotatorRow, ...], tuple[PairRow, ...]]:
    """What every annotator has in common with others, and every two."""
    names, whole = ratings.sides, ratings.as_one()
    cohen = Cohen()
    totals = cohen.stats(whole).totals()
    rows = [
        PairRow(names[a], names[b], items, 1 - apart / items, plain(float(kappa)))
        for (a, b, items, apart), kappa in zip(pairs_of(totals), cohen.values(totals), strict=True)
    ]
    several = ratings.size[ratings.item] > 1
    given = np.bincount(ratings.side, minlength=len(names))
    shared = np.bincount(ratings.side[several], minlength=len(names))
    people = []
    for number, name in enumerate(names):
        mine = [row for row in rows if name in (row.a, row.b)]
        items = sum(row.items for row in mine)
        same = sum(row.items * row.agreement for row in mine)
        kappas = [row.cohen for row in mine if row.cohen is not None]
        people.append(
            AnnotatorRow(
                name,
                int(given[number]),
                int(shared[number]),
                same / items if items else None,
                sum(kappas) / len(kappas) if kappas else None,
            )
        )
    return tuple(people), tuple(rows)


def _selection(
    ratings: RatedItems, wanted: Sequence[Coefficient], testing: Testing | None, unit: str
) -> Selection:
    """All coefficients of some items."""
    values = {repr(each): _value(each, ratings, testing, unit) for each in wanted}
    return Selection(values, _sizes(ratings))


def _value(
    coefficient: Coefficient, ratings: RatedItems, testing: Testing | None, unit: str
) -> CoefficientValue:
    held = ratings.as_one() if testing is None else ratings
    stats = coefficient.stats(held)
    totals = stats.totals()
    value = plain(float(coefficient.score(totals)["value"]))
    reason = "" if value is not None else coefficient.why(totals)
    made = None
    if testing is not None:
        made = _interval(coefficient, ratings, stats, testing)
        text = made.reason.replace("sentence", unit)
        made = replace(made, unit=cast(UnitKind, unit), reason=text)
    return CoefficientValue(coefficient, value, reason, made)


def _interval(
    coefficient: Coefficient, ratings: RatedItems, stats: Stats, testing: Testing
) -> Interval:
    if told := coefficient.unresampled(ratings):
        return no_interval(testing, "sentence", told)
    result = Result(
        "", repr(coefficient), None, {}, {}, {}, {}, Signature(coefficient.id, ()),
        stats=stats, formula=coefficient, headline="value",
    )  # fmt: skip
    return interval(unit_counts([result]), testing)


def _with_text(
    found: AgreementResult, text: TextVotes, way: Mapping[str, Any], testing: Testing | None
) -> AgreementResult:
    """With scores of every two sides, and where the text comes from."""
    notes = [*text.notes, *found.notes]
    scores = []
    if len(text.sides) <= MOST_SCORED:
        scores = pair_scores(text, way)
    else:
        notes.append(f"more than {MOST_SCORED} annotators: pairs are not scored by metrics")
    made = {}
    if testing is not None:
        few = [s for s in scores if s.result.stats is not None and s.result.value is not None]
        made = {
            (s.a, s.b, s.result.metric): interval(unit_counts([s.result]), testing) for s in few
        }
    return replace(
        found,
        metric=text.metric,
        signature=str(text.signature),
        sentences=dict(text.sentences),
        names=text.sides,
        scores=tuple(scores),
        score_intervals=made,
        notes=tuple(dict.fromkeys(notes)),
    )


def _compared(found: AgreementResult, asked: AgreeOptions, earlier: Any) -> AgreementResult:
    """With what an earlier run and a coarser set of labels say."""
    if asked.against is None and asked.coarse is None:
        return found
    if found.matrix is None:
        flag = "--against" if asked.against is not None else "--coarse"
        raise UsageError(f"'{flag}' needs confusions of labels, and there are none here")
    if asked.against is not None:
        other = LabelMatrix.from_json(earlier, asked.against)
        compared = {"file": asked.against, **found.matrix.compare(other)}
        found = replace(found, against=compared)
    if asked.coarse is not None:
        table = load_labels(asked.coarse)
        labels = found.matrix.labels if found.matrix else ()
        unknown = sorted({*labels} - {*table.mapping} - {*table.mapping.values()})
        note = (
            f"{table.path} leaves {counted(len(unknown), 'label')} as they are: {listed(unknown)}"
        )
        assert found.matrix is not None
        lost = {"file": asked.coarse, **found.matrix.lost_by(table.mapping)}
        found = replace(found, coarse=lost, notes=(*found.notes, *([note] if unknown else [])))
    return found


def _named(found: AgreementResult, asked: AgreeOptions) -> AgreementResult:
    """With pseudonyms, where they are wanted."""
    if not asked.pseudonyms:
        return found
    given = found.names or tuple(row.name for row in found.annotators)
    names = {name: f"A{number}" for number, name in enumerate(given, 1)}
    told = teller(names)

    def other(row: Any) -> Any:
        return replace(row, a=names[row.a], b=names[row.b])

    return replace(
        found,
        annotators=tuple(replace(row, name=names[row.name]) for row in found.annotators),
        pairs=tuple(map(other, found.pairs)),
        scores=tuple(map(other, found.scores)),
        score_intervals={
            (names[a], names[b], m): each for (a, b, m), each in found.score_intervals.items()
        },
        sentences={names[name]: count for name, count in found.sentences.items()},
        names=tuple(names[name] for name in found.names),
        notes=tuple(map(told, found.notes)),
    )


VERB = Verb(
    "agree",
    agree,
    """Measure how far annotators agree, none of whom is the gold standard.

    Give one file per annotator, in any format, or a single table of judgements (CSV, TSV, JSON
    lines, Parquet) with the columns item, annotator and label. Annotators may have annotated parts
    of the text only. NAME=path names an annotator.

    \b
    tertium agree anna.tsv ben.tsv
    tertium agree anna.bio ben.bio cleo.bio --without O --intervals
    tertium agree judgements.csv --columns item=id,annotator=worker,label=response
    tertium agree grades.csv -c "alpha(level=ordinal)" --order low,middle,high
    tertium agree anna.tsv ben.tsv --hinton --output disagreement.svg
    tertium agree lay.tsv lay2.tsv --against experts.json
    """,
    arguments="ANNOTATOR...",
    options=OPTIONS,
    look=AgreeLook,
    words={
        "metric": "The metric whose labels are compared, such as {TAGS} or {LAS}; further ones are "
        "only scored; repeatable. Default: those that fit the layers present.",
        "by": "Also show groups of items: length, document, file, a key of the first annotator's "
        "comments, or a property of words such as upos; repeatable.",
        "columns": "Columns of the files, or of a table: item=NAME,annotator=NAME,label=NAME.",
        "input_format": "Format of the files.",
        "system_format": "Format of all files but the first, if different.",
        "system_columns": "Columns of all files but the first, if different.",
        "map_labels": "Two columns, old and new label: rename labels before comparing, everywhere "
        "or only of one annotator (SIDE) or in one LAYER; repeatable.",
        "trials": "Resamples per interval. Default: 10,000.",
        "lexicon": "Training data, for --by known; repeatable.",
    },
    has_gold=False,
    figures=True,
    without=frozenset({"enrich"}) | UNTESTED,
    cite=("artstein-poesio-2008-survey", "plank-etal-2014-learning"),
)
