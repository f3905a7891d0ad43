"""`tertium.agree`: how far annotators of the same items agree, none of whom is gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from tertium.agreement.agree.result import AgreeLook, AgreementResult
from tertium.agreement.annotators import Annotators
from tertium.agreement.coefficients import Coefficient, Cohen, make_coefficient, usual_coefficients
from tertium.agreement.label_matrix import MOST_LABELS, LabelMatrix
from tertium.agreement.sums import rated, without
from tertium.agreement.values import Selection, common_items, warnings, with_others
from tertium.corpus.labels import Labels
from tertium.exceptions import UsageError, counted
from tertium.families.family import compared_metrics
from tertium.formats.confusions import Confusions, load_confusions
from tertium.formats.resources import LabelMap, load_labels
from tertium.options import SIGNIFICANCE, Verb, fill, option, take
from tertium.results.assessment import Testing
from tertium.results.names import pseudonyms
from tertium.results.texts import listed
from tertium.significance.score.sides import pair_scores
from tertium.significance.score.verb import wanted_tests
from tertium.study.data import DataOptions, reads_data
from tertium.study.judgements import read_table
from tertium.study.panel import Panel, PanelOptions
from tertium.study.sides import several
from tertium.study.study import Study, Way

MOST_SCORED = 10  # annotators of whom every two are scored against each other
TOO_MANY_LABELS = f"there are more than {MOST_LABELS:,} labels"


@dataclass(frozen=True)
class AgreeOptions:
    """What `agree` takes besides how files are read; `testing` is how intervals are made."""

    coefficient: tuple[str, ...] = option(
        (), "A coefficient such as cohen, \"cohen(weights=linear)\" or \"alpha(level=ordinal)\"; "
        "repeatable. Default: all, with default parameters.",
        metavar="ID", objects=True,
    )  # fmt: skip
    order: str | None = option(
        None, "Labels from lowest to highest, for weights and level=ordinal; not needed "
        "for numbers.",
        metavar="LOW,...,HIGH", objects=True,
    )  # fmt: skip
    without: tuple[str, ...] = option(
        (), "Also show coefficients without the items that everybody gives this label, such as O; "
        "repeatable.",
        metavar="LABEL",
    )  # fmt: skip
    unlabelled: bool = option(False, "Compare spans without their labels.")
    against: str | None = option(
        None, "Compare the confusions with those of an earlier run, given as JSON.",
        metavar="JSON", path=True,
    )  # fmt: skip
    coarse: str | None = option(
        None, "Two columns, fine and coarse label: show the share of confusions that coarse "
        "labels would hide.",
        metavar="FILE", path=True,
    )  # fmt: skip
    intervals: bool | None = option(
        None, "Show confidence intervals. Implied by the other options for intervals.",
        flag="--intervals/--no-intervals", kind=bool, group=SIGNIFICANCE,
    )  # fmt: skip
    unit: str = option(
        "item", "What to resample: items, or sentences if items in the same sentence depend on "
        "each other. Default: item.",
        choices=("item", "sentence"), group=SIGNIFICANCE,
    )  # fmt: skip

    testing: Testing | None = None

    @cached_property
    def coefficients(self) -> list[Coefficient]:
        """Those that were named, or all."""
        given = several("coefficient", self.coefficient, Coefficient, "one or more coefficients")
        return [*map(make_coefficient, given)] or [*usual_coefficients()]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Labels from lowest to highest, if they were listed."""
        given = several("order", self.order, int, "labels separated by commas, or a list of them")
        given = given[0].split(",") if isinstance(self.order, str) else given
        found = tuple(str(name).strip() for name in given)
        if len({*found}) < len(found) or not all(found):
            raise UsageError("'--order' must list every label once, separated by commas")
        return found


OPTIONS = (Study, AgreeOptions, PanelOptions, Testing, Way, DataOptions)
UNTESTED = frozenset({"test", "direction", "correction", "alpha"})  # there are no tests here


@reads_data()
def agree(*annotators: Any, **options: Any) -> AgreementResult:
    """How far annotators agree: coefficients, agreement per label, confusions.

    Takes one argument per annotator, each as `score` takes a system, a dictionary of annotators, or
    a single table of judgements: a file, a data frame or a list of dictionaries with `item`,
    `annotator` and `label`. Annotators may have some of the items only.

    >>> found = agree([["N", "V", "N"]], [["N", "N", "N"]])
    >>> found["agreement"].value, found["cohen"].value, found["ac1"].value
    (0.6666666666666666, 0.0, 0.5384615384615384)
    """
    rest = dict(options)
    way, own = take(Way, rest), take(AgreeOptions, rest)
    hides_names = PanelOptions(**take(PanelOptions, rest)).pseudonyms
    tests, reading = take(Testing, rest), take(Study, rest)
    asked = fill(AgreeOptions, {**own, **rest}, verb="agree", others=OPTIONS)
    if refused := sorted(tests.keys() & UNTESTED):
        raise UsageError(f"agree has no option '{refused[0]}': it does not test differences")
    tests |= {} if asked.unit == "item" else {"unit": asked.unit}
    if testing := wanted_tests(asked.intervals, tests, usual=None, flag="--no-intervals"):
        asked = replace(asked, testing=replace(testing, unit=asked.unit))
    _ = asked.coefficients, asked.labels  # mistakes are found before anything is read
    earlier = None if asked.against is None else load_confusions(asked.against)
    coarse = None if asked.coarse is None else load_labels(asked.coarse)
    if not annotators:
        raise UsageError("nothing to compare; give several annotators, or a table of judgements")
    if len(annotators) == 1:
        given = {**reading, "unlabelled": asked.unlabelled}
        read = Annotators.of_table(read_table(annotators[0], given, hides_names=hides_names))
    else:
        panel = Panel.read(annotators, compared_metrics, reading, way)
        panel = panel.renamed(pseudonyms(panel.names)) if hides_names else panel
        read = Annotators.of(panel.unlabelled() if asked.unlabelled else panel)
    return _compared(_measured(read, asked), earlier, coarse)


def _measured(read: Annotators, asked: AgreeOptions) -> AgreementResult:
    """Scores of every two sides and, where items are labels of words, all numbers of votes."""
    about: dict[str, Any] = {n: getattr(read, n) for n in ("metric", "signature", "reason")}
    about |= {"sentences": read.panel.sizes if read.panel else {}, "testing": asked.testing}
    notes: list[str] = [*read.notes]
    if read.panel is not None and len(read.sides) <= MOST_SCORED:
        parts = read.votes is not None
        about["scores"] = tuple(pair_scores(read.panel, asked.testing, parts=parts))
    elif read.panel is not None:
        notes.append(f"pairs are not scored, because there are more than {MOST_SCORED} annotators")
    found = AgreementResult({}, {}, **about, notes=tuple(notes))
    if read.votes is None:
        return found
    votes = rated(read.votes, "all" if asked.testing is None else asked.unit, asked.labels)
    for each in asked.coefficients:
        each.check(votes)
    select = partial(Selection.of, wanted=asked.coefficients, testing=asked.testing)

    def grouped(keyed: Labels, order: Sequence[str]) -> dict[str, Selection]:
        codes = {name: keyed.names.find(name) for name in order}
        return {name: select(votes.of_items(keyed.codes == code)) for name, code in codes.items()}

    kappas = [each for each in asked.coefficients if isinstance(each, Cohen)]
    pairs = common_items(votes.as_one(), kappas[0] if kappas else Cohen())
    people, has_matrix = with_others(votes, pairs), len(votes.labels) <= MOST_LABELS
    notes += [f"no annotator gives the label '{n}'" for n in asked.without if n not in votes.labels]
    notes += [] if has_matrix else [f"labels and confusions are not shown: {TOO_MANY_LABELS}"]
    notes += warnings(votes, asked.testing)
    return replace(
        found,
        **vars(select(votes)),
        headline=repr(asked.coefficients[0]) if asked.coefficient else "alpha",
        without={label: select(without(votes, label)) for label in asked.without},
        groups={key: grouped(*each) for key, each in read.groups.items()},
        annotators=people,
        pairs=pairs,
        matrix=LabelMatrix.of(votes) if has_matrix else None,
        notes=tuple(dict.fromkeys(notes)),
    )


def _compared(
    found: AgreementResult, earlier: Confusions | None, coarse: LabelMap | None
) -> AgreementResult:
    """With what an earlier run and a coarser set of labels say."""
    if (matrix := found.matrix) is None:
        if earlier is None and coarse is None:
            return found
        flag, why = "--against" if earlier else "--coarse", found.reason or TOO_MANY_LABELS
        raise UsageError(f"'{flag}' needs confusions of labels, but there are none: {why}")
    if earlier is not None:
        other = LabelMatrix.from_confusions(earlier)
        found = replace(found, matrix=replace(matrix, earlier=other), against=matrix.compare(other))
    if coarse is not None:
        unknown = sorted({*matrix.labels} - {*coarse.mapping} - {*coarse.mapping.values()})
        note = f"{coarse.path} does not map {counted(len(unknown), 'label')}: {listed(unknown)}"
        lost = {"file": coarse.path, **matrix.lost_by(coarse.mapping)}
        found = replace(found, coarse=lost, notes=(*found.notes, *([note] if unknown else [])))
    return found


VERB = Verb(
    "agree",
    agree,
    """Measure how far annotators agree, none of whom is the gold standard.

    Give one file per annotator, in any format, or a single table of judgements (CSV, TSV, JSON
    lines, Parquet) with the columns item, annotator and label. Annotators may have annotated only
    parts of the text. NAME=path names an annotator.

    \b
    tertium agree anna.tsv ben.tsv
    tertium agree anna.bio ben.bio cleo.bio --without O --intervals
    tertium agree judgements.csv --columns item=id,annotator=worker,label=response
    tertium agree grades.csv --order low,high --coefficient "alpha(level=ordinal)"
    tertium agree anna.tsv ben.tsv --hinton --output disagreement.svg
    tertium agree lay.tsv lay2.tsv --against experts.json
    """,
    arguments="ANNOTATOR...",
    options=OPTIONS,
    look=AgreeLook,
    words={
        "metric": "The metric whose labels are compared, such as {TAGS} or {LAS}; further ones "
        "only score pairs; repeatable. Default: those that fit the layers present.",
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
