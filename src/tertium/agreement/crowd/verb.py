"""`tertium.crowd`: labels from the votes of many annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from tertium.agreement import dawid_skene, mace, majority
from tertium.agreement.aggregate import CrowdRun, check_overwrite, scored
from tertium.agreement.crowd.result import Aggregation
from tertium.agreement.crowd_data import CrowdData, dictionary_of, of_files, of_table
from tertium.agreement.crowd_labels import Estimate
from tertium.corpus.labels import Int32
from tertium.exceptions import InputError, UsageError
from tertium.options import INPUT, OUTPUT, Verb, fill, option, take
from tertium.results.names import pseudonyms
from tertium.results.output import LongLook
from tertium.results.votes import Votes
from tertium.study.study import Study

METHODS = ("majority", "dawid-skene", "mace-em", "mace")
ALL = "all"


@dataclass(frozen=True)
class CrowdOptions:
    """How votes become labels."""

    method: str = option(
        "mace", "How votes become labels; all compares the methods, and the labels are those of "
        "mace. Default: mace.",
        choices=(*reversed(METHODS), ALL),
    )  # fmt: skip
    dictionary: str | None = option(
        None, "Two columns, word and tag: leave out votes for tags that a word cannot have.",
        metavar="FILE", path=True, objects=True,
    )  # fmt: skip
    gold: str | None = option(
        None, "Gold labels: one per line, a table with the columns item and gold or, if VOTES are "
        "annotated files, such a file.",
        metavar="FILE", path=True, objects=True, group=INPUT,
    )  # fmt: skip
    controls: str | None = option(
        None, "Labels of control items, which are known: one per line, blank for none, or a table "
        "with the columns item and label.",
        metavar="FILE", path=True, objects=True, group=INPUT,
    )  # fmt: skip
    column: str | None = option(
        None, "The column of tags in annotated files, if there are several.",
        metavar="NAME", group=INPUT,
    )  # fmt: skip
    threshold: float = option(
        1.0, "Label only this share of the items, those with the lowest entropy. Default: 1.0.",
        metavar="SHARE", least=0, most=1,
    )  # fmt: skip
    ties: str = option(
        "expected", "Accuracy of a majority vote: as expected over ties, or with ties broken at "
        "random, averaged over 100 runs.",
        choices=("expected", "random"),
    )  # fmt: skip
    restarts: int = option(
        mace.RESTARTS, "Random restarts of MACE. Default: 10.", metavar="N", least=1, most=100_000
    )
    iterations: int = option(
        mace.ITERATIONS, "Iterations of MACE and Dawid-Skene. Default: 50.", metavar="N", least=1,
        most=1_000_000,
    )  # fmt: skip
    noise: float = option(
        mace.NOISE,
        "How much the initial values of MACE vary; 0 starts from equal ones. Default: 0.5.",
        metavar="AMOUNT", least=0, most=1_000_000,
    )  # fmt: skip
    seed: int = option(0, "Random seed. Default: 0.", metavar="N", least=0)
    alpha: float = option(
        mace.ALPHA, "Prior of guessing, of variational MACE. Default: 0.5.", metavar="PRIOR"
    )
    beta: float = option(mace.BETA, "Prior of knowing. Default: 0.5.", metavar="PRIOR")
    strategy_prior: float = option(
        mace.STRATEGY, "Prior of each label that is guessed. Default: 10.", metavar="PRIOR"
    )
    smoothing: float = option(
        mace.SMOOTHING, "Added to counts of mace-em and dawid-skene, divided by the number of "
        "labels. Default: 0.01.",
        metavar="COUNT",
    )  # fmt: skip
    pseudonyms: bool = option(
        False, "Call annotators A1, A2, ... in the order in which they first occur.", group=OUTPUT
    )
    write: str | None = option(
        None, "Write the labels: a table if the name ends in .csv, .jsonl or .parquet, otherwise "
        "the text with its labels.",
        metavar="FILE", path="written", group=OUTPUT,
    )  # fmt: skip
    to: str | None = option(
        None, "Format of that text. Default: inferred from the name, otherwise as it was read.",
        metavar="FORMAT", group=OUTPUT,
    )  # fmt: skip

    def check(self) -> None:
        """Refuse priors that are none."""
        for name in ("alpha", "beta", "strategy_prior", "smoothing"):
            if not getattr(self, name) > 0:
                raise UsageError(f"{name} must be above 0. Got {getattr(self, name):g} instead.")
        if self.to is not None and self.write is None:
            raise UsageError("'--to' needs a file to write", help="name it with '--write'")

    def competence_model(self, *, variational: bool) -> mace.Mace:
        """MACE as it is to be run."""
        return mace.Mace(
            variational,
            *(self.restarts, self.iterations, self.noise, self.seed),
            *(self.alpha, self.beta, self.strategy_prior, self.smoothing),
        )

    def run(self, method: str, votes: Votes, control: Int32 | None) -> Estimate:
        """What a method finds, down to the threshold."""
        if method == "majority":
            found = majority.vote(votes)
        elif method == "dawid-skene":
            given = {"iterations": self.iterations, "smoothing": self.smoothing}
            found = dawid_skene.run(votes, control, **given)  # type: ignore[arg-type]
        else:
            found = self.competence_model(variational=method == "mace").run(votes, control)
        return found.within(self.threshold)

    def settings(self, method: str) -> dict[str, object]:
        """What decides the labels of a method, for the signature."""
        names: tuple[str, ...] = ()
        if method.startswith("mace"):
            names = ("restarts", "iterations", "noise", "seed")
            own = ("alpha", "beta", "strategy_prior") if method == "mace" else ("smoothing",)
            names = (*names, *own)
        elif method == "dawid-skene":
            names = ("iterations", "smoothing")
        found = {name: getattr(self, name) for name in names}
        return {**found, **({} if self.threshold == 1 else {"threshold": self.threshold})}


OPTIONS = (CrowdOptions, Study)
_READING = ("input_format", "columns", "on_error", "align", "map_labels")


def crowd(*votes: Any, **options: Any) -> Aggregation:
    """Labels from the votes of many annotators, how sure they are, and whom to trust.

    One argument is a table of judgements: a path, a data frame or a list of dictionaries. Several
    are annotated files of one text, one per annotator or system, in any form that `score` takes.

    >>> rows = [("1", "ann", "N"), ("1", "ben", "N"), ("1", "cy", "V"), ("2", "ann", "V")]
    >>> table = [dict(zip(("item", "annotator", "label"), row)) for row in rows]
    >>> crowd(table, method="majority").labels.to_list()
    ['N', 'V']
    """
    rest = dict(options)
    reading = {name: value for name, value in take(Study, rest).items() if name in _READING}
    own = fill(CrowdOptions, rest, verb="crowd", others=OPTIONS)
    own.check()
    _check(votes)
    if own.write is not None:
        check_overwrite(own.write, [*votes, own.gold, own.controls, own.dictionary])
    data = _read(votes, own, reading)
    dictionary = dictionary_of(own.dictionary)
    methods = METHODS if own.method == ALL else (own.method,)
    filters = (False,) if dictionary is None else (False, True)
    some = {False: data.votes}
    if dictionary is not None:
        some[True] = data.licensed(dictionary)
    runs = []
    for filtered, method in product(filters, methods):
        run = CrowdRun(
            method, filtered, some[filtered], own.run(method, some[filtered], data.control)
        )
        runs.append(scored(run, data, seed=own.seed if own.ties == "random" else None))
    names = data.votes.sides
    if own.pseudonyms:
        names = tuple(pseudonyms(names).values())
    settings = {
        **own.settings(runs[-1].method),
        **({} if dictionary is None else {"dictionary": dictionary.name}),
        **({} if own.controls is None else {"controls": str(own.controls)}),
        **({} if not data.digest else {"votes": data.digest[:8]}),
    }
    found = Aggregation(data, tuple(runs), names, settings)
    if own.write is not None:
        found.write(own.write, own.to)
    return found


def _read(votes: Sequence[Any], own: CrowdOptions, reading: Mapping[str, Any]) -> CrowdData:
    if len(votes) == 1:
        columns = reading.get("columns")
        data = of_table(votes[0], columns).with_known(own.gold, own.controls, columns)
    else:
        data = of_files(votes, own.gold, own.column, **reading)
        data = data.with_known(None, own.controls, None)
    if not len(data.votes.item):
        raise InputError(f"{data.origin} has no votes")
    return data


def _check(votes: Sequence[Any]) -> None:
    if not votes:
        raise UsageError(
            "give a table of judgements, or one annotated file per annotator",
            help="'tertium crowd --help' shows the usage",
        )


VERB = Verb(
    "crowd",
    crowd,
    """Aggregate the votes of many annotators into one annotation, and estimate whom to trust.

    VOTES is a table with a row per judgement (item, annotator, label; CSV, TSV, JSON lines or
    Parquet), a matrix of annotators as MACE reads it, or selections of tokens; or several annotated
    files of one text, one per annotator or system: NAME=FILE.

    \b
    tertium crowd votes.csv
    tertium crowd rte.tsv --columns item=orig_id,annotator=worker,label=response
    tertium crowd matrix.csv --gold key.txt --method all
    tertium crowd anna.conllu ben.conllu cleo.conllu --write merged.conllu
    """,
    arguments="VOTES...",
    options=OPTIONS,
    look=LongLook,
    words={
        "input_format": "Format of annotated files.",
        "columns": "Columns of a table: item=NAME,annotator=NAME,label=NAME, also gold, word, "
        "sentence; or of annotated files: form=0,upos=1.",
        "map_labels": "Two columns, old and new label: rename labels of annotated files before "
        "they are aggregated; repeatable.",
        "align": "How to pair the tokens of annotated files: auto, characters or position.",
    },
    check=_check,
    has_gold=False,
    study=False,
    without=frozenset(
        "metric by lexicon system_format system_columns with_files enrich labels confusion "
        "documents".split()
    ),
    cite=(
        "hovy-etal-2013-learning",
        "dawid-skene-1979-maximum",
        "hovy-etal-2014-experiments",
    ),
)
