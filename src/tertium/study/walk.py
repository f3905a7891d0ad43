"""The walk: the one way through the files of a study. Open, align, judge.

It has two stages. *Look* learns what metrics must know about all gold files before one of them is
judged; *judge* reads every gold file with the systems' files beside it and hands it to a function,
which makes of it what a verb needs. Files are walked one by one, in several processes, or on any
executor of `concurrent.futures`; what travels is a study, a shard, and what the function returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypedDict, TypeVar, cast

import numpy as np

from tertium.align.documents import by_document, pair_documents
from tertium.align.tokens import Alignment, align
from tertium.align.units import shared_sentences
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.exceptions import AlignmentError, InputError, LayerError, UsageError
from tertium.families.base import Metric, union
from tertium.families.confusions import Confusion, ErrorTypes, confusion_of, error_types_of
from tertium.families.groups.buckets import NONE
from tertium.families.groups.sides import Grouped, grouped_stats
from tertium.families.groups.units import document_lengths, is_by_length, unit_keys
from tertium.families.groups.words import WordKey, check_layer, has_layer, word_groups
from tertium.formats.base import Format
from tertium.formats.read import read_file
from tertium.results.decisions import Decisions
from tertium.results.stats import Stats
from tertium.study.prepare import check_maps, join_layers, lend_layers, map_labels
from tertium.study.sides import Shard
from tertium.study.study import Study


class WalkOptions(TypedDict, total=False):
    """How a verb goes through many files: in `jobs` processes, or on any executor of
    `concurrent.futures`; `progress` is told how many are done, and of how many."""

    jobs: int
    executor: Executor | None
    progress: Callable[[int, int], None] | None


WORTH_A_THREAD = 16_000_000  # bytes; below that nothing is gained but memory used
T = TypeVar("T")


def walk_options(options: Mapping[str, Any]) -> tuple[WalkOptions, dict[str, Any]]:
    """The options of `walk` among those of a verb, and the others."""
    names = WalkOptions.__annotations__
    way = {name: value for name, value in options.items() if name in names}
    return cast(WalkOptions, way), {n: v for n, v in options.items() if n not in names}


def walk(
    study: Study,
    visit: Callable[[File], T],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
    must_agree: bool = True,
) -> Iterator[T]:
    """What `visit` makes of every file, in order.

    With `jobs` or an executor `visit` and what it returns must pickle. Without named metrics each
    file is judged by those that fit its layers; files must agree on them, or numbers would be over
    different parts of the data, unless the caller sees to that (`must_agree`).
    """
    if jobs < 1:
        raise UsageError(f"jobs must be at least 1. Got {jobs} instead.")
    first: tuple[Metric, ...] | None = None
    shards = study.shards
    with _executor(jobs, executor) as pool:
        each: Any = pool.map if pool is not None and len(shards) > 1 else map
        study = _look(study, each)
        found = each(_visit, shards, [study] * len(shards), [visit] * len(shards))
        for done, (shard, (metrics, result)) in enumerate(zip(shards, found, strict=True), 1):
            first = metrics if first is None else first
            if must_agree and metrics != first:
                raise LayerError(
                    f"'{shard.name}' and '{shards[0].name}' have different layers: "
                    f"{listed(metrics)} fit the one, {listed(first)} the other",
                    help="'--metric' names what is to be judged",
                )
            yield result
            if progress is not None:
                progress(done, len(shards))


@contextmanager
def _executor(jobs: int, executor: Executor | None) -> Iterator[Executor | None]:
    if executor is not None or jobs <= 1:
        yield executor
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Spawned, never forked: a fork after polars has started its threads hangs.
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def _look(study: Study, each: Any) -> Study:
    """The study with facts about all gold files, if a metric must know them beforehand."""
    if study.metrics is None or len(study.shards) < 2:
        return study
    if all(m.fit(frozenset()) == m for m in study.metrics):
        return study
    facts = list(each(_facts, study.shards, [study] * len(study.shards)))
    return replace(study, facts=tuple(union(column) for column in zip(*facts, strict=True)))


def _facts(shard: Shard, study: Study) -> list[frozenset[str]]:
    """What each metric notices about a shard's gold file."""
    gold, _, _ = _gold(shard, study, study.needs())
    return [m.facts(gold) for m in study.metrics or ()]


def _visit(shard: Shard, study: Study, visit: Callable[[File], T]) -> tuple[tuple[Metric, ...], T]:
    """Open a shard and let `visit` see it. If texts do not fit, once more with everything read: the
    message can then name sentences by their ids."""
    try:
        file = File.open(shard, study, study.needs())
        return file.metrics, visit(file)
    except AlignmentError:
        if study.needs() is None:
            raise
        file = File.open(shard, study, None)
        return file.metrics, visit(file)


@dataclass(frozen=True, eq=False)
class File:
    """A gold file that has been read, with the systems' files beside it.

    - `kept`: the numbers that the sentences have in their files, None if none was skipped
    - `metrics`: as they were asked for, and `fitted` to the gold data
    - `lent`: layers of the text that systems see through the alignment (`--with`)
    - `groups`: of every sentence and of every document its group, where units are grouped (`--by`)
    """

    shard: Shard
    study: Study
    needs: frozenset[str] | None
    gold: Corpus
    kept: Int64 | None
    skipped: int
    metrics: tuple[Metric, ...]
    fitted: tuple[Metric, ...]
    notes: tuple[str, ...]
    lent: tuple[str, ...] = ()
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    first: list[Future[Corpus]] = field(default_factory=list)

    @classmethod
    def open(cls, shard: Shard, study: Study, needs: frozenset[str] | None) -> File:
        """Read the gold file, leave out what any side had to skip, and fit the metrics to it.

        The first system is read at the same time: most of reading is done by compiled code, which
        does not stop other threads.
        """
        first = _begin_to_read(shard, study, needs)
        gold, lent, notes = _gold(shard, study, needs)
        key, groups = study.word_key, []
        if key:
            check_layer(gold, key)
        elif study.by:
            groups = unit_keys(gold, study.by, file=shard.name)
        keep = _kept(shard, gold, study)
        kept, skipped = None, 0
        if keep is not None:
            kept = np.flatnonzero(keep)
            skipped = len(keep) - len(kept)
            if not len(kept):
                raise InputError(
                    f"{gold.origin}: every sentence was skipped, here or in a file beside it",
                    help="'tertium validate' lists what is wrong with a file",
                )
            groups = [groups[sentence] for sentence in kept.tolist()] if groups else []
            gold = gold.take(kept)
        metrics = study.defaults(gold) if study.metrics is None else study.metrics
        if key and study.metrics is None:
            metrics, more = _about_words(metrics, key)
            notes += more
        known = study.facts or (frozenset(),) * len(metrics)
        fitted = [m.fit(m.facts(gold) | f) for m, f in zip(metrics, known, strict=True)]
        return cls(
            shard=shard,
            study=study,
            needs=needs,
            gold=gold,
            kept=kept,
            skipped=skipped,
            metrics=metrics,
            fitted=tuple(study.with_lexicon(m) for m in fitted),
            notes=tuple(notes),
            lent=lent,
            groups=_groups(gold, study, groups),
            first=[] if first is None else [first],
        )

    def units(self, kind: str = "sentence") -> int:
        """How many sentences or documents there are."""
        return self.gold.document_count if kind == "document" else self.gold.sentence_count

    @property
    def tokens(self) -> int | None:
        """How many tokens there are, None where the file does not say."""
        return None if self.gold.forms is None else self.gold.token_count

    def systems(self, method: str | None = None) -> Iterator[SystemFile]:
        """Every system's file, read and aligned one by one. `method` is a way of pairing tokens
        other than the one asked for."""
        study = self.study
        for number, given in enumerate(self.shard.systems):
            if number == 0 and self.first:
                system = self.first.pop().result()  # not kept: it may be large
            else:
                format = study.system_format or study.gold_format
                system = _read(given, format, study, self.needs)
            system = map_labels(system, study.maps)
            if self.kept is not None:
                system = system.take(self.kept)
            yield self.beside(system, study.systems[number], method)
            del system  # before the next is read: both may be large

    def beside(self, corpus: Corpus, name: str, method: str | None = None) -> SystemFile:
        """A system's corpus as it lies over this file."""
        return SystemFile(self, name, corpus, method or self.study.align)

    def text(self, fitted: Metric) -> str:
        """How a metric was asked for, in messages: by its own text or by that of its set."""
        asked = self.metrics[self.fitted.index(fitted)]
        return self.study.sets.get(asked, repr(fitted))


class SystemFile:
    """One system's file over a gold file, and how each metric judges it."""

    def __init__(self, file: File, name: str, corpus: Corpus, method: str) -> None:
        self.file, self.name, self.corpus, self.method = file, name, corpus, method

    @cached_property
    def alignment(self) -> Alignment:
        """How the tokens of both lie over each other; units are gold sentences."""
        return align(self.file.gold, self.corpus, method=self.method)

    @cached_property
    def _over_sentences(self) -> tuple[Corpus, Alignment]:
        """The corpus with what the text lends it, and its alignment."""
        file, alignment = self.file, self.alignment
        if not file.lent:
            return self.corpus, alignment
        return lend_layers(self.corpus, file.gold, file.lent, alignment), alignment

    @cached_property
    def _over_documents(self) -> tuple[Corpus, Alignment]:
        """The same with documents as units; systems may have them in another order."""
        gold, paired = self.file.gold, pair_documents(self.file.gold, self.corpus)
        if paired is self.corpus:
            corpus, alignment = self._over_sentences
            return corpus, by_document(alignment, gold)
        moved = SystemFile(self.file, self.name, paired, self.method)
        corpus, alignment = moved._over_sentences
        return corpus, by_document(alignment, gold)

    def judge(self) -> Iterator[Judgement]:
        """What every metric says, in order."""
        return (Judgement(self, fitted) for fitted in self.file.fitted)

    def over(self, unit: str) -> tuple[Corpus, Alignment]:
        """The corpus and its alignment for metrics of a unit."""
        return self._over_documents if unit == "document" else self._over_sentences


class Judgement:
    """One metric's judgement of one system's file: counts and rows from the same decisions.

    It holds corpora and does not travel; `finding` does. `missing` says why there is none.
    """

    def __init__(self, system: SystemFile, fitted: Metric) -> None:
        self.file, self.system, self.fitted = system.file, system, fitted
        self.missing: str | None = None
        try:
            fitted.check(system.corpus)
        except LayerError as error:
            self.missing = f"{self.file.text(fitted)}: {error.message}"

    @property
    def gold(self) -> Corpus:
        """The gold side."""
        return self.file.gold

    @property
    def corpus(self) -> Corpus:
        """The system's side."""
        return self.system.over(self.fitted.unit)[0]

    @cached_property
    def alignment(self) -> Alignment:
        """How both lie over each other for this metric."""
        corpus, alignment = self.system.over(self.fitted.unit)
        return self.fitted.aligned(self.gold, corpus, alignment)

    @cached_property
    def _measured(self) -> tuple[Stats, Decisions | None]:
        labels = self.file.study.labels
        if labels == "single":
            labels = self.fitted.member is None
        stats, rows = self.fitted.measure(self.gold, self.corpus, self.alignment, labels=labels)
        return stats.over(self.fitted.unit), rows

    @cached_property
    def decisions(self) -> Decisions:
        """One row per judged item."""
        made = self._measured[1] if "_measured" in self.__dict__ else None
        found = made
        if found is None:
            found = self.fitted.decide(self.gold, self.corpus, self.alignment)
        if key := self.file.study.word_key:
            return found.with_group(word_groups(self.gold, key), word_groups(self.corpus, key))
        return found

    @cached_property
    def coverage(self) -> dict[str, int]:
        """What was judged and what was not, and whatever is odd about it."""
        odd = {
            "skipped": self.file.skipped,
            "repaired": self.gold.repaired + self.corpus.repaired,
            "differing_forms": self.alignment.differing_forms,
        }
        rows = self.decisions if self.fitted.has_items else None
        return {
            "scored": 0,
            **self.fitted.unaligned(self.alignment),
            **{name: count for name, count in odd.items() if count},
            **self.fitted.coverage(rows, self.gold, self.corpus),
        }

    @property
    def facts(self) -> frozenset[str]:
        """What the metric noticed about both files."""
        return self.fitted.facts(self.gold) | self.fitted.facts(self.corpus)

    @cached_property
    def finding(self) -> Finding:
        """What adds up over files; nothing but a reason where the system lacks the layer."""
        if self.missing:
            return Finding(None, missing=self.missing)
        fitted, study = self.fitted, self.file.study
        stats, _ = self._measured
        remarks = fitted.remarks(self.gold, self.corpus)
        groups: Grouped = {}
        if key := study.word_key:
            try:
                rows = self.decisions if fitted.has_items else None
                groups = grouped_stats(fitted.plain, self.gold, self.corpus, rows, key)
            except UsageError as error:
                if self.file.text(fitted) != repr(fitted):
                    remarks.append(f"{fitted.id} is not grouped by {key.text}: {error.message}")
                elif study.metrics is not None:
                    raise
                else:
                    return Finding(None, remarks=(error.message,), missing=error.message)
            if not has_layer(self.corpus, key):
                remarks.append(
                    f"{self.corpus.origin} has no '{key.layer}', so that all its items are in "
                    f"'{NONE}'"
                )
        told = self.decisions if study.confusion and fitted.has_items else None
        return Finding(
            stats,
            self.coverage,
            self.facts,
            {} if told is None else confusion_of(told),
            {} if told is None else error_types_of(told),
            tuple(remarks),
            groups=groups,
        )


@dataclass(frozen=True)
class Finding:
    """What one metric found in one system's file; findings of several files add up. `groups` are
    counts by a property of words."""

    stats: Stats | None
    coverage: Mapping[str, int] = field(default_factory=dict)
    facts: frozenset[str] = frozenset()
    confusion: Confusion = field(default_factory=dict)
    error_types: ErrorTypes = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    missing: str | None = None
    groups: Grouped = field(default_factory=dict)


def listed(metrics: Sequence[Metric]) -> str:
    """Texts of metrics in one line."""
    return ", ".join(repr(m) for m in metrics)


def _begin_to_read(
    shard: Shard, study: Study, needs: frozenset[str] | None
) -> Future[Corpus] | None:
    given = shard.systems[0] if shard.systems else None
    if not isinstance(given, str) or not Path(given).is_file():
        return None
    if Path(given).stat().st_size < WORTH_A_THREAD:
        return None
    reader = ThreadPoolExecutor(1)
    format = study.system_format or study.gold_format
    first = reader.submit(_read, given, format, study, needs)
    reader.shutdown(wait=False)
    return first


def _read(
    given: str | Corpus, format: Format | None, study: Study, needs: frozenset[str] | None
) -> Corpus:
    if isinstance(given, Corpus):
        return given
    return read_file(
        given, format=format, on_error=study.on_error, needs=needs, forests=study.forests
    )


def _gold(
    shard: Shard, study: Study, needs: frozenset[str] | None
) -> tuple[Corpus, tuple[str, ...], list[str]]:
    """The gold file with further layers joined and labels mapped, the names of these layers, and
    notes."""
    gold = _read(shard.gold, study.gold_format, study, needs)
    further = [
        read_file(path, on_error=study.on_error, forests=study.forests) for path in study.with_files
    ]
    own = gold.layers
    gold, notes = join_layers(gold, further)
    notes += check_maps(gold, study.maps)
    lent = tuple(name for name in gold.layers if name not in own)
    return map_labels(gold, study.maps), lent, notes


def _groups(
    gold: Corpus, study: Study, of_sentence: Sequence[str]
) -> Mapping[str, tuple[str, ...]]:
    """The groups of units, given those of sentences. A document is in that of its first sentence,
    and by its own length where units are grouped by length."""
    if not of_sentence or study.by is None:
        return {}
    by_length = is_by_length(study.by)
    of_document = (
        document_lengths(gold, study.by)
        if by_length
        else [of_sentence[first] for first in gold.documents.tolist()]
    )
    return {"sentence": tuple(of_sentence), "document": tuple(of_document)}


def _kept(shard: Shard, gold: Corpus, study: Study) -> np.ndarray | None:
    """Sentences that no side had to skip: all systems are judged on the same ones."""
    if study.on_error == "fail":
        return None
    read = partial(
        _read, format=study.system_format or study.gold_format, study=study, needs=study.needs()
    )
    return shared_sentences(gold, map(read, shard.systems))


def _about_words(metrics: Sequence[Metric], key: WordKey) -> tuple[tuple[Metric, ...], list[str]]:
    """Those of the usual metrics that a property of words is asked of, and a note on the others:
    what is a property of arcs, of metrics of trees only."""
    kept = [m for m in metrics if m.layer == "deps"] if key.is_of_trees else metrics
    left = [m for m in metrics if m not in kept]
    if not left:
        return tuple(kept), []
    return tuple(kept), [
        f"{key.text} is a property of dependencies, so that other layers are left out unless "
        f"'--metric' names them: {listed(left)}"
    ]
