"""`tertium.diff`: annotations of one text, two or more, without a gold standard.

A takes gold's place, so that everything comes from the decisions of the metrics; what these say of
A against itself tells whether an answer of B is A's own. What gold would leave out, such as
punctuation, is left out if A and B both say so (`Alignment.peer`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from tertium.comparison.diff_counts import CountDifferences, added_up
from tertium.comparison.disagreement import Difference, DiffLook
from tertium.comparison.errors.verb import check_items
from tertium.comparison.pairwise import PairwiseDifference
from tertium.exceptions import UsageError
from tertium.families.base import has_items
from tertium.families.family import compared_metrics
from tertium.options import GATES, Verb, fill, option, take
from tertium.study.data import DataOptions, reads_data
from tertium.study.study import Study, Way
from tertium.study.walk import walk


@dataclass(frozen=True)
class DiffOptions:
    """What `diff` takes besides how files are read."""

    examples: int | None = option(
        None, "Show the first N differences of each metric in their sentences, 0 for all.",
        kind=int, metavar="N", least=0,
    )  # fmt: skip
    exit_code: bool = option(False, "Exit with 1 if any two annotations differ.", group=GATES)


OPTIONS = (Study, DiffOptions, Way, DataOptions)


@reads_data()
def diff(a: Any, b: Any, *others: Any, **options: Any) -> Difference | PairwiseDifference:
    """Where annotations of one text differ: outputs, annotators, versions of a file.

    Takes data as `score` does, `system_format` and `system_columns` being those of B. Without
    `metric` tags are compared by accuracy, arcs by LAS and spans by fair F1; what these compare is
    what may differ. `scores` of the result are the values of B where A plays gold. With `examples`
    the first so many differences of each metric are given in their sentences; 0 or True for all.
    More than two annotations are compared pair by pair.

    >>> found = diff([["N", "V", "N"]], [["N", "N", "N"]]).layer
    >>> found.different, found.agreement, found.transitions
    (1, 0.6666666666666666, [Transition(a='V', b='N', count=1, gold=None)])
    """
    rest = dict(options)
    way, reading = take(Way, rest), take(Study, rest)
    own = fill(DiffOptions, rest, verb="diff", others=OPTIONS)
    wanted = own.examples is not None and own.examples is not False
    most = None if own.examples is True else own.examples or None
    study = Study.of(
        None,
        [a, b, *others],
        defaults=compared_metrics,
        also=frozenset({"comments", "misc"}) if wanted else frozenset(),
        **{**reading, "labels": False},
    )
    check_items(study)
    if own.exit_code and study.metrics is not None and not any(map(has_items, study.metrics)):
        raise UsageError(
            "'--exit-code' needs a metric that judges single items",
            help="other metrics give a score, which need not be 1 where annotations are the same",
        )
    if len(study.systems) > 1:
        _refuse_details(own, reading)
        return _pairwise(study, way, is_gate=own.exit_code)
    visit = CountDifferences(wanted, most)
    found = added_up(study, [*walk(study, visit, **way)], wanted, most)
    regrouped = tuple(_counted(each, way) for each in study.regrouped)
    notes = dict.fromkeys(note for each in (found, *regrouped) for note in each.notes)
    return replace(found, regrouped=regrouped, notes=tuple(notes), is_gate=own.exit_code)


def _counted(study: Study, way: Mapping[str, Any]) -> Difference:
    """A pair without examples."""
    visit = CountDifferences(examples=False, most=None)
    return added_up(study, [*walk(study, visit, **{**way, "progress": None})], False, None)


def _refuse_details(own: DiffOptions, reading: Mapping[str, Any]) -> None:
    """More than two annotations are counted only, and all read alike."""
    given = {"examples": own.examples, **reading}
    for name in ("examples", "by", "system_format", "system_columns"):
        if given.get(name) not in (None, (), False):
            flag = f"--{name.replace('_', '-')}"
            raise UsageError(f"'{flag}' needs exactly two annotations", help="give only A and B")


def _pairwise(study: Study, way: Mapping[str, Any], *, is_gate: bool) -> PairwiseDifference:
    """Every two of the sides of a study, in both directions."""
    names = (study.gold, *study.systems)
    if len({*names}) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(
            f"two annotations are named '{twice}'", help="give each its own name: NAME=FILE"
        )
    places = permutations(range(len(names)), 2)
    pairs = {(names[i], names[j]): _counted(study.between(i, j), way) for i, j in places}
    return PairwiseDifference(names, pairs, is_gate)


def _check_files(files: Sequence[Any]) -> None:
    if len(files) < 2:
        raise UsageError(
            f"give two or more annotations. Got {len(files)} instead.",
            help="'tertium compare' compares any number of systems with a gold standard",
        )


VERB = Verb(
    "diff",
    diff,
    """Show where annotations of one text differ: two outputs, two annotators, two versions.

    A and B are given as for 'tertium score'. Neither counts as correct. The scores of B
    against A (F1, or whatever the metric gives) are shown as well; with more than two annotations,
    those of every pair.

    \b
    tertium diff anna.tsv ben.tsv
    tertium diff anna.tsv ben.tsv cleo.tsv
    tertium diff old.conllu new.conllu --metric {LAS} --examples 3
    tertium diff yesterday.bio today.bio --exit-code
    """,
    arguments="A B...",
    options=OPTIONS,
    look=DiffLook,
    words={
        "metric": "A metric that judges single items, such as {LAS}; repeatable. Only what it "
        "judges is compared. Default: those that fit the layers present.",
        "by": "Also compare groups: length, document, file, a key of A's comments, or a property "
        "of words such as upos; repeatable.",
        "lexicon": "Training data, for --by known; repeatable.",
        "input_format": "Format of A and B.",
        "system_format": "Format of B, if different.",
        "system_columns": "Columns of B, if different.",
        "map_labels": "Two columns, old and new label: rename labels before comparing, everywhere "
        "or only on one SIDE (A, B or a name) or in one LAYER; repeatable.",
    },
    check=_check_files,
    has_gold=False,
    without=frozenset({"enrich"}),
    cite=("tuggener-2017-method",),
)
