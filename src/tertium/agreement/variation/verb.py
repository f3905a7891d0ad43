"""`tertium.variation`: words that recur in a corpus with different annotation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from tertium._version import __version__
from tertium.agreement.ngrams import Groups, Nuclei, find_nuclei, longest
from tertium.agreement.plausibility import Plausibility, judge
from tertium.agreement.variation.varied_text import Occurrence, VariedText, marked
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.exceptions import UsageError, counted
from tertium.families.base import Metric
from tertium.families.family import error_metrics
from tertium.formats.questions import Questions, write_questions
from tertium.options import Verb, fill, option, take
from tertium.results.blocks import Block, Column, Table, Text, table_of
from tertium.results.output import LongLook, Output
from tertium.results.texts import rest_text
from tertium.signature import Signature
from tertium.significance.score.counts import reading_settings
from tertium.study.data import DataOptions, reads_data
from tertium.study.study import Study, Way
from tertium.study.walk import walk

SHOWN = 20  # n-grams in text
CONTEXT = 50


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
        None, "Write a table of questions for annotators: is this label plausible in this context?",
        metavar="FILE", path="written",
    )  # fmt: skip
    answers: tuple[str, ...] = option(
        (), "Read answers to these questions, in the same table, and tell hard cases from errors; "
        "repeatable.",
        metavar="FILE", path=True,
    )  # fmt: skip

    @property
    def settings(self) -> dict[str, object]:
        """Those that decide what is found."""
        return {name: getattr(self, name) for name in ("non_fringe", "across_sentences", "context")}


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
    def is_fringe(self) -> bool:
        """Is the nucleus at an edge of the n-gram?"""
        return self.first == 1 or self.last == len(self.words)

    @property
    def marked(self) -> str:
        """The words with the nucleus in brackets."""
        return marked(self.words, self.first - 1, self.last)

    def to_dict(self) -> dict[str, Any]:
        """An entry of `variations` in the JSON output."""
        occurrences = [dict(vars(each)) for each in self.occurrences]
        words = {"words": list(self.words), "nucleus": self.nucleus}
        return {**vars(self), **words, "labels": dict(self.labels), "occurrences": occurrences}

    def described(self, parts: Sequence[str], most: int | None) -> str:
        """The labels, how often each occurs, and the first places of each, as many as are wanted or
        all; `parts` are the fields of an occurrence that say where it is."""
        places: dict[str, list[str]] = {}
        for each in self.occurrences:
            place = ":".join(str(getattr(each, part)) for part in parts)
            places.setdefault(each.label, []).append(place)
        shown = {label: ", ".join(found[:most]) for label, found in places.items()}
        return ", ".join(f"{label} {n:,} ({shown[label]})" for label, n in self.labels.items())


@dataclass(frozen=True, eq=False)
class Variations(Output):
    """Variation n-grams, the most promising candidates for annotation errors first: those with
    context on both sides, then the longest, then the most frequent, then as the text has them.

    - `spots`: the occurrences of all nuclei, and `groups` of them, one per n-gram
    - `found`: how many n-grams there are, also those beyond `limit`
    """

    corpus: str
    text: VariedText
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

    def __repr__(self) -> str:
        return f"<Variations: {self.in_short()}>"

    @property
    def title(self) -> str:
        """What was searched."""
        return f"Variation in {self.corpus}"

    def in_short(self) -> str:
        """How much varies and, with answers, how much of it is wrong."""
        if not self.found:
            return f"{self.corpus} has no variation n-grams"
        nuclei = counted(self.nuclei, "nucleus", "nuclei")
        told = f"{self.corpus} has {counted(self.found, 'variation n-gram')}"
        kept = "" if len(self) == self.found else f" ({len(self):,} kept)"
        places = counted(len(np.unique(self.groups.rows)), "occurrence")
        text = f"{told}{kept}, with {nuclei} in {places}"
        return f"{text}. {self.plausibility.in_short()}" if self.plausibility else text

    def blocks(self, look: LongLook) -> list[Block]:
        """What people say about them, then the n-grams."""
        if look.format == "svg" and self.plausibility is None:
            raise UsageError(
                "variation n-grams have no figure; the answers to questions about them have one",
                help="'--questions FILE' writes the questions, '--answers FILE' reads the answers",
            )
        blocks = [] if self.plausibility is None else self.plausibility.blocks(look)
        sizes = [counted(len(self.text.offsets) - 1, "sentence")]
        sizes.append(counted(len(self.text.words), "token"))
        blocks += [self._table(look)] if self.found else []
        blocks += [Text(" · ".join(sizes), role="coverage"), *map(Text, self.text.notes)]
        return [*blocks, Text(self.signature, role="signature")]

    def _table(self, look: LongLook) -> Table:
        """A row per n-gram; with all its occurrences where there is room for them."""
        is_whole, several = look.all or look.draws, len(self.text.files) > 1
        lines = bool(self.text.lines.all())
        parts = [*["file"] * several, *["sentence"] * (is_whole or not lines), *["line"] * lines]
        columns = [Column("variation n-gram")]
        columns += [Column(name, kind="count") for name in ("words", "occurrences") if is_whole]
        columns.append(Column(f"labels ({'every' if is_whole else 'first'} {':'.join(parts)})"))
        rows = []
        for each in islice(self, look.usual(SHOWN)):
            sizes = (len(each.words), len(each.occurrences)) if is_whole else ()
            rows.append((each.marked, *sizes, each.described(parts, None if is_whole else 1)))
        omitted = rest_text(len(self) - len(rows), is_text=look.is_text)
        keys = len(columns) if look.is_text else 1  # which are folded
        title = "Variation n-grams"
        return table_of(columns, rows, title=title, keys=keys, omitted=omitted)


@reads_data()
def variation(corpus: Any, **options: Any) -> Variations:
    """Variation n-grams of a corpus: the same words with different tags, spans or relations.

    Takes data as `score` does. `metric` says what is annotated: its items are tags, spans, arcs or
    constituents; by default constituents, relations, spans or tags, whichever a file has.

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
        raise UsageError(
            f"variation compares one annotation at a time. Got {len(study.metrics)} metrics "
            "instead.",
            help="run it once for each",
        )
    text = VariedText.join([*walk(study, VariedText.of, **way)])
    spots, groups = _found(text, own)
    kept = groups if own.limit is None else groups.take(np.arange(min(own.limit, len(groups))))
    settings = {"metric": text.metric, **reading_settings(study), **own.settings}
    signature = str(Signature.make("variation", {**settings, "tertium": __version__}))
    found = Variations(study.gold, text, spots, kept, len(groups), signature)
    if own.questions is not None:
        write_questions(own.questions, found.questions())
    if not own.answers:
        return found
    return replace(found, plausibility=judge(found.questions(), own.answers, text.items))


def _metrics(corpus: Corpus) -> tuple[Metric, ...]:
    """Those whose items are in single sentences, if there are any."""
    every = error_metrics(corpus)
    return tuple(each for each in every if each.unit == "sentence") or every


def _found(text: VariedText, own: VariationOptions) -> tuple[Nuclei, Groups]:
    """All n-grams, the most promising first."""
    words = text.words.codes
    spots = find_nuclei(words, text.offsets, text.spans, text.label.codes)
    texts = text.bounds if own.across_sentences else text.offsets
    groups = longest(spots, words, texts, own.context)
    fringe = np.minimum(groups.left, groups.right) == 0
    member = groups.rows[groups.bounds[:-1]]
    length = groups.left + groups.right + (spots.end - spots.start)[member]
    order = np.lexsort((groups.left, spots.start[member], -groups.sizes, -length, fringe))
    return spots, groups.take(order[~fringe[order]] if own.non_fringe else order)


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
        "spans or {LAS} for relations. Default: constituents, relations, spans or tags, "
        "whichever a file has.",
        "input_format": "Format of the corpus.",
        "map_labels": "Two columns, old and new label: rename labels before comparing, everywhere "
        "or only in one LAYER; repeatable.",
    },
    check=_check_files,
    also_reads=lambda given: given.get("answers") or (),
    without=frozenset({"by", "lexicon", "system_format", "system_columns", "align", "enrich"}),
    cite=("dickinson-meurers-2003-detecting", "plank-etal-2014-linguistically"),
)  # fmt: skip
