"""`tertium.crowd`: labels from the votes of many annotators."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from tertium._version import __version__
from tertium.agreement.crowd.result import Aggregation
from tertium.agreement.crowd_data import of_files, of_table
from tertium.agreement.methods import METHODS, Mace, estimate, method_row
from tertium.exceptions import InputError, UsageError
from tertium.formats.known_labels import load_dictionary
from tertium.options import INPUT, OUTPUT, Verb, fill, option, take
from tertium.results.output import LongLook
from tertium.signature import Signature
from tertium.study.data import DataOptions, arranged
from tertium.study.panel import PanelOptions
from tertium.study.study import Study, Way

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
    threshold: float = option(
        1.0, "Label only this share of the items, those with the lowest entropy. Default: 1.0.",
        metavar="SHARE", least=0, most=1,
    )  # fmt: skip
    ties: str = option(
        "expected", "How to compute the accuracy of a majority vote with ties: its expected "
        "value, or the mean of 100 runs with ties broken at random.",
        choices=("expected", "random"),
    )  # fmt: skip
    write: str | None = option(
        None, "Write the labels: a table if the name ends in .csv, .tsv, .jsonl or .parquet, "
        "unless the text has that ending itself; otherwise the text with its labels.",
        metavar="FILE", path="written", group=OUTPUT,
    )  # fmt: skip
    to: str | None = option(
        None, "Format of the written text. Default: inferred from the name, otherwise as read.",
        metavar="FORMAT", group=OUTPUT,
    )  # fmt: skip


OPTIONS = (CrowdOptions, PanelOptions, Mace, Study, Way)
UNUSED = frozenset("by lexicon enrich labels confusion documents".split())


def crowd(*votes: Any, **options: Any) -> Aggregation:
    """Labels from the votes of many annotators, how sure they are, and whom to trust.

    One argument is a table of judgements: a path, a data frame or a list of dictionaries. Several
    or a dictionary are annotated texts, one per annotator or system, in any form of `score`.

    >>> rows = [("1", "ann", "N"), ("1", "ben", "N"), ("1", "cy", "V"), ("2", "ann", "V")]
    >>> table = [dict(zip(("item", "annotator", "label"), row)) for row in rows]
    >>> crowd(table, method="majority").labels.to_list()
    ['N', 'V']
    """
    rest = dict(options)
    way = take(Way, rest)
    reading = {name: value for name, value in take(Study, rest).items() if name not in UNUSED}
    how = Mace(**take(Mace, rest))
    hides_names = PanelOptions(**take(PanelOptions, rest)).pseudonyms
    own = fill(CrowdOptions, rest, verb="crowd", others=OPTIONS)
    votes = (*arranged(votes, DataOptions()),)
    if not votes:
        raise UsageError("give a table of judgements, or one annotated file per annotator")
    if own.to is not None and own.write is None:
        raise UsageError("'--to' needs a file to write", help="name it with '--write'")
    if len(votes) > 1:
        data = of_files(votes, reading, own.gold, way, hides_names=hides_names)
    else:
        data = of_table(votes[0], reading, own.gold, hides_names=hides_names)
    if not len(data.votes.item):
        raise InputError(f"{data.text.origin} has no votes")
    if own.controls is not None and own.method == "majority":
        raise UsageError("'--method majority' does not use control items")
    if own.controls is not None:
        data = data.with_controls(own.controls, reading.get("columns"))
    dictionary = None if own.dictionary is None else load_dictionary(own.dictionary)
    some = [data.votes] if dictionary is None else [data.votes, data.licensed(dictionary)]
    rows, seed = [], how.seed if own.ties == "random" else None
    for given, method in product(some, METHODS if own.method == ALL else (own.method,)):
        own_names = replace(given, sides=data.people)
        found = estimate(method, how, own_names, data.control).within(own.threshold)
        gold = None if data.gold is None else data.gold_codes
        row = method_row(method, found, given, gold, seed)
        rows.append({**row, "dictionary": given is not data.votes})
    settings: dict[str, object] = {
        "method": method,
        "metric": data.ballot and repr(data.ballot.metric),
        **data.settings,
        **{name: getattr(how, name) for name in METHODS[method]},
        "threshold": None if own.threshold == 1 else own.threshold,
        "dictionary": dictionary and dictionary.name,
        **({} if seed is None or data.gold is None else {"ties": own.ties, "seed": seed}),
        "tertium": __version__,
    }
    decided = {name: value for name, value in settings.items() if value is not None}
    made = Aggregation(data, given, found, rows, str(Signature.make("crowd", decided)))
    return made if own.write is None else replace(made, lost=(*made.write(own.write, own.to),))


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
        "metric": "What annotators vote on: the items of a metric such as {TAGS}, {SPANS} or "
        "{LAS}. Default: spans (tag by tag), otherwise dependencies, otherwise tags.",
        "input_format": "Format of annotated files.",
        "columns": "Columns of a table: item=NAME,annotator=NAME,label=NAME, also gold, word, "
        "sentence; or of annotated files: form=0,upos=1.",
        "map_labels": "Two columns, old and new label: rename labels of annotated files before "
        "they are aggregated; repeatable.",
        "align": "How to pair the tokens of annotated files: auto, characters or position.",
    },
    has_gold=False,
    study=False,
    also_reads=lambda given: [*filter(None, map(given.get, ("gold", "controls", "dictionary")))],
    without=UNUSED,
    figures=True,
    cite=("hovy-etal-2013-learning", "dawid-skene-1979-maximum", "hovy-etal-2014-experiments"),
)
