"""`tertium.variation`: words that recur in a corpus with different annotation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from tertium._version import __version__
from tertium.agreement.ngrams import Groups, Nuclei, find_nuclei, longest
from tertium.agreement.plausibility import Plausibility, judge
from tertium.agreement.variation.text import Occurrence, VariationText, marked
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.exceptions import LayerError, UsageError, counted
from tertium.families.base import Metric
from tertium.families.family import error_metrics
from tertium.formats.questions import Questions, write_questions
from tertium.options import Verb, fill, option, take
from tertium.results.blocks import Block, Table, Text, table_of_records
from tertium.results.output import LongLook, Output, Rows, picked, record
from tertium.signature import Signature
from tertium.significance.score.counts import reading_settings
from tertium.study.data import DataOptions, reads_data
from tertium.study.study import Study, Way
from tertium.study.walk import walk

SHOWN = 20  # n-grams in text
CONTEXT = 50
NGRAM = "variation n-gram"


@dataclass(frozen=True)
class VariationOptions:
    """Which n-grams are wanted, and what people say about them."""

    non_fringe: bool = option(
        False, "Keep only n-grams with at least one word of context on both sides of the nucleus."
    )
    across_sentences: bool = option(False, "Let contexts run on into neighbouring sentences.")
    context: int = option(
        CONTEXT, f"Maximum number of context words on either side. Default: {CONTEXT}.",
        metavar="N", least=0, most=1000,
    )  # fmt: skip
    limit: int | None = option(
        None, "Keep only the first N n-grams.", kind=int, metavar="N", least=1
    )
    questions: str | None = option(
        None, "Write a table that asks annotators whether each label is plausible in its context.",
        metavar="FILE", path="written",
    )  # fmt: skip
    answers: tuple[str, ...] = option(
        (), "Read answers to these questions, in the same table, and tell hard cases from errors; "
        "repeatable.",
        metavar="FILE", path=True,
    )  # fmt: skip


@dataclass(frozen=True)
class VariationNgram:
    """Words that recur, and how those in the middle are annotated.

    - `first`, `last`: the words that are the nucleus, counted from 1
    - `labels`: how often each label occurs, the most frequent first
    """

    words: tuple[str, ...]
    first: int
    last: int
    labels: dict[str, int]
    occurrences: tuple[Occurrence, ...]

    @property
    def nucleus(self) -> str:
        """The words whose annotation varies."""
        return " ".join(self.words[self.first - 1 : self.last])

    @property
    def marked(self) -> str:
        """The words with the nucleus in brackets."""
        return marked(self.words, self.first - 1, self.last)

    def to_dict(self) -> dict[str, Any]:
        """An entry of `variations` in the JSON output."""
        return {"nucleus": self.nucleus, **record(self)}

    def described(self, parts: Sequence[str]) -> str:
        """The labels, how often each occurs, and where first; `parts` are the fields of an
        occurrence that say where it is."""
        first = {one.label: one for one in reversed(self.occurrences)}
        where = {n: ":".join(str(getattr(one, part)) for part in parts) for n, one in first.items()}
        return ", ".join(f"{label} {n:,} ({where[label]})" for label, n in self.labels.items())


@dataclass(frozen=True, eq=False, repr=False)
class Variations(Output):
    """Variation n-grams, the most promising candidates for annotation errors first: those with
    context on both sides, then the longest, then the most frequent, then as the text has them.

    - `spots`: the occurrences of all nuclei, and `groups` of them, one per n-gram
    - `found`: how many n-grams there are, also those beyond `limit`
    """

    corpus: str
    text: VariationText
    spots: Nuclei
    groups: Groups
    found: int
    signature: str
    plausibility: Plausibility | None = None

    look = LongLook
    is_page = True

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, number: int) -> VariationNgram:
        number = range(len(self))[number]  # also from the end
        rows = self.rows(number)
        left, right = int(self.groups.left[number]), int(self.groups.right[number])
        start, end = int(self.spots.start[rows[0]]), int(self.spots.end[rows[0]])
        each = self.text.occurrences(self.spots, rows)
        labels = dict(Counter(sorted(one.label for one in each)).most_common())
        words = self.text.words_of(start - left, end + right)
        return VariationNgram(tuple(words), left + 1, left + end - start, labels, each)

    def __iter__(self) -> Iterator[VariationNgram]:
        return (self[number] for number in range(len(self)))

    def rows(self, number: int) -> Int64:
        """The numbers of an n-gram's occurrences."""
        return self.groups.rows[self.groups.bounds[number] : self.groups.bounds[number + 1]]

    def questions(self) -> list[Questions]:
        """For every occurrence, whether each label that its words have in an n-gram is plausible
        there."""
        labels: dict[int, set[int]] = {}
        for number in range(len(self)):
            rows = self.rows(number)
            here = {*self.spots.label[rows].tolist()}
            for row in rows.tolist():
                labels[row] = labels.get(row, here) | here
        columns = (self.spots.start, self.spots.end, self.spots.label)
        spots = (column[[*labels]].tolist() for column in columns)
        return [*map(self.text.questions, *spots, labels.values())]

    @property
    def nuclei(self) -> int:
        """How many different stretches of words vary in these n-grams."""
        first = self.groups.rows[self.groups.bounds[:-1]]
        return len(np.unique(np.searchsorted(self.spots.bounds, first, side="right")))

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium variation`."""
        told = self.plausibility
        return {
            "tertium": __version__,
            "corpus": self.corpus,
            "metric": self.text.metric,
            "units": len(self.text.offsets) - 1,
            "tokens": len(self.text.words),
            "items": self.text.items,
            "nuclei": self.nuclei,
            "found": self.found,
            "variations": [each.to_dict() for each in self],
            **({"answers": told.to_dict()} if told else {}),
            **({"notes": list(self.text.notes)} if self.text.notes else {}),
            "signature": self.signature,
        }

    @property
    def title(self) -> str:
        """What was searched."""
        return f"Variation in {Path(self.corpus).name}"

    def in_short(self) -> str:
        """How much varies and, with answers, how much of it is wrong."""
        name = Path(self.corpus).name
        if not self.found:
            return f"{name} has no variation n-grams"
        nuclei = counted(self.nuclei, "nucleus", "nuclei")
        kept = ", with" if len(self) == self.found else f"; the first {len(self):,} have"
        places = counted(len(np.unique(self.groups.rows)), "occurrence")
        text = f"{name} has {counted(self.found, NGRAM)}{kept} {nuclei} in {places}"
        return f"{text}. {self.plausibility.in_short()}" if self.plausibility else text

    def blocks(self, look: LongLook) -> list[Block]:
        """What people say about them, then the n-grams."""
        if look.format == "svg" and self.plausibility is None:
            raise UsageError(
                "variation n-grams have no figure; only answers about them do",
                help="'--questions FILE' writes the questions, '--answers FILE' reads the answers",
            )
        said = [] if self.plausibility is None else self.plausibility.blocks(look)
        tables = self._tables(look) if self.found else []
        size = counted(len(self.text.offsets) - 1, "sentence")
        coverage = Text(f"{size} · {counted(len(self.text.words), 'token')}", role="coverage")
        signature = Text(self.signature, role="signature")
        return [*said, *tables, coverage, *map(Text, self.text.notes), signature]

    def _tables(self, look: LongLook) -> list[Table]:
        """A row per n-gram and, where there is room, one per occurrence in its sentence."""
        rows = self.ngram_rows(look.room(SHOWN))
        left = look.rest(len(self) - len(rows))
        note = f"labels: how often each occurs, and its first {':'.join(self.text.where)}"
        keys = len(rows[0]) if look.is_text else 1  # which are folded
        title = "Variation n-grams"
        tables = [table_of_records(rows, title=title, keys=keys, note=note, omitted=left)]
        if look.all or look.draws:
            rows = picked(self.occurrence_rows(), "label", *self.text.where, "context")
            tables.append(look.shortened(table_of_records(rows, title="Occurrences"), SHOWN))
        return tables

    def ngram_rows(self, most: int | None = None) -> Rows:
        """One row per n-gram, of the first ones or all."""
        return [
            {
                NGRAM: each.marked,
                "words": len(each.words),
                "count": len(each.occurrences),
                "labels": each.described(self.text.where),
            }
            for each in islice(self, most)
        ]

    def occurrence_rows(self) -> Rows:
        """One row per occurrence of an n-gram."""
        names = ("label", "file", "sentence", "line", "context")
        return [
            {NGRAM: each.marked, **{name: getattr(one, name) for name in names}}
            for each in self
            for one in each.occurrences
        ]

    def frames(self) -> Mapping[str, Callable[[], Rows]]:
        """N-grams, their occurrences, and all numbers."""
        each = {"variations": self.ngram_rows, "occurrences": self.occurrence_rows}
        return {**each, **super().frames()}


@reads_data()
def variation(corpus: Any, **options: Any) -> Variations:
    """Variation n-grams of a corpus: the same words with different tags, spans or relations.

    Takes data as `score` does. `metric` says what is annotated: its items are tags, spans, arcs or
    constituents; by default the first that a corpus has of constituents, spans, relations and tags.

    >>> sentences = ["they/P get/V out/R now/A", "we/P get/V out/I now/A"]
    >>> words = [[word.split("/") for word in sentence.split()] for sentence in sentences]
    >>> data = [{"tokens": [w for w, _ in s], "tags": [t for _, t in s]} for s in words]
    >>> [(each.marked, each.labels) for each in variation(data)]
    [('get [out] now', {'I': 1, 'R': 1})]
    """
    rest = dict(options)
    way, reading = take(Way, rest), take(Study, rest)
    own = fill(VariationOptions, rest, verb="variation", others=OPTIONS)
    if corpus is None:
        raise UsageError("there is no corpus to check")
    study = Study.of(
        corpus, (), alone=True, lenient=True, defaults=_metrics,
        also=frozenset({"comments"}), **{**reading, "labels": False},
    )  # fmt: skip
    if study.metrics is not None and len(study.metrics) > 1:
        raise UsageError("give one metric at a time", help="run it once for each")
    text = VariationText.join([*walk(study, VariationText.of, **way)])
    items = text.spans, text.label.codes
    spots = find_nuclei(text.words.codes, text.offsets, *items, nested=text.nested)
    texts = text.bounds if own.across_sentences else text.offsets
    groups = longest(spots, text.words.codes, texts, own.context)
    groups = groups.take(groups.by_promise(spots, non_fringe=own.non_fringe))
    kept = groups if own.limit is None else groups.take(np.arange(min(own.limit, len(groups))))
    settings = {
        "metric": text.metric,
        **reading_settings(study),
        **{name: getattr(own, name) for name in ("non_fringe", "across_sentences", "context")},
        "tertium": __version__,
    }
    signature = str(Signature.make("variation", settings))
    found = Variations(study.gold, text, spots, kept, len(groups), signature)
    if own.questions is not None:
        write_questions(own.questions, found.questions())
    if not own.answers:
        return found
    return replace(found, plausibility=judge(found.questions(), own.answers, text.items))


def _metrics(corpus: Corpus) -> tuple[Metric, ...]:
    """Those whose items are in single sentences."""
    found = tuple(each for each in error_metrics(corpus) if each.unit == "sentence")
    if not found:
        raise LayerError(f"{corpus.origin} has annotation of documents only; name a '--metric'")
    return found


def _check_files(files: Sequence[Any]) -> None:
    if len(files) != 1:
        raise UsageError(
            f"give one corpus. Got {len(files)} instead.",
            help="give several files as a folder or a glob in quotes",
        )


OPTIONS = (Study, VariationOptions, Way, DataOptions)
VERB = Verb(
    "variation",
    variation,
    """Find words that recur with different annotation: candidates for annotation errors.

    CORPUS is a file, a folder or a glob in quotes. Every stretch of words that is annotated in
    more than one way (a nucleus) is shown in the longest context that recurs with the variation.
    The longer this context, the more likely an error is.

    \b
    tertium variation corpus.tsv
    tertium variation corpus.conllu --metric {LAS} --non-fringe
    tertium variation corpus.tsv --limit 100 --questions questions.tsv
    tertium variation corpus.tsv --limit 100 --answers anna.tsv --answers ben.tsv
    """,
    arguments="CORPUS",
    options=OPTIONS,
    look=LongLook,
    figures=True,
    words={
        "metric": "The metric whose items are compared, such as {TAGS} for tags, {SPANS} for "
        "spans or {LAS} for relations. Default: the first that a file "
        "has of constituents, spans, relations and tags.",
        "input_format": "Format of the corpus.",
        "map_labels": "Two columns, old and new label: rename labels before comparing, everywhere "
        "or only in one LAYER; repeatable.",
    },
    check=_check_files,
    also_reads=lambda given: given.get("answers") or (),
    without=frozenset({"by", "lexicon", "system_format", "system_columns", "align", "enrich"}),
    cite=("dickinson-meurers-2003-detecting", "plank-etal-2014-linguistically"),
)  # fmt: skip
