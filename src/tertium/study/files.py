"""The files of one shard, read and laid over each other: gold, and every system beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

from tertium.align.documents import align_documents
from tertium.align.sentences import pair_sentences
from tertium.align.tokens import Alignment, align
from tertium.align.units import by_document, pair_documents, shown_names
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.exceptions import AlignmentError
from tertium.families.base import Metric, has_items
from tertium.families.family import family, family_of
from tertium.families.keys import Key, check_key, is_by_length, length_groups, unit_keys
from tertium.formats.base import Format, changes_of
from tertium.formats.files import read_file
from tertium.study.further import corpora_beside
from tertium.study.judgement import Judgement
from tertium.study.prepare import check_maps, join_layers, lend_layers, map_labels
from tertium.study.sides import Shard
from tertium.study.skip import Rest
from tertium.study.study import Study

FEW = 3  # systems
WORTH_A_THREAD = 16_000_000  # bytes; below that nothing is gained but memory used
MOST_AT_ONCE = 64_000_000  # bytes; above that memory is dearer than time


@dataclass(frozen=True, eq=False)
class File:
    """A gold file that has been read, with the systems' files beside it.

    - `metrics`: as requested, and `fitted` to the gold data
    - `lent`: layers of the text that systems see through the alignment (`--with`)
    - `groups`: of every sentence and of every document its group, where units are grouped (`--by`)
    - `documents`: the names of documents by side, as far as they were paired
    - `rest`: what remains where something was skipped, None if nothing was
    """

    shard: Shard
    study: Study
    needs: frozenset[str] | None
    gold: Corpus
    metrics: tuple[Metric, ...]
    fitted: tuple[Metric, ...]
    notes: tuple[str, ...]
    lent: tuple[str, ...] = ()
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    documents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    first: list[Future[Corpus]] = field(default_factory=list)
    rest: Rest | None = None

    @classmethod
    def open(cls, shard: Shard, study: Study, needs: frozenset[str] | None) -> File:
        """Read the gold file, leave out what any side had to skip, and fit the metrics to it.

        The first system is read at the same time: most of reading is done by compiled code, which
        does not stop other threads.
        """
        first = _begin_to_read(shard, study, needs)
        gold, lent, notes = read_gold(shard, study, needs)
        key, groups = study.key, []
        if key:
            check_key(gold, key)
        elif study.by:
            groups = unit_keys(gold, study.by, file=shard.name)
        rest = _rest(shard, gold, study)
        if rest is not None:
            groups = [groups[sentence] for sentence in rest.sentences.tolist()] if groups else []
            gold = gold.take(rest.sentences)
            notes += rest.notes
        metrics = study.defaults(gold) if study.metrics is None else study.metrics
        if key and study.metrics is None:
            metrics, more = _having(metrics, key)
            notes += more
        known = study.facts or (frozenset(),) * len(metrics)
        fitted = [m.fit(m.facts(gold) | f) for m, f in zip(metrics, known, strict=True)]
        if any(m.unit == "document" for m in metrics) and not gold.document_marks.any():
            notes.append(
                "files that do not mark documents are scored as one document each"
                if shard.name
                else f"{gold.origin} does not mark documents and is scored as one"
            )
        return cls(
            shard=shard,
            study=study,
            needs=needs,
            gold=gold,
            metrics=metrics,
            fitted=tuple(study.with_lexicon(m) for m in fitted),
            notes=tuple(notes),
            lent=lent,
            groups=_groups(gold, study, groups),
            first=[] if first is None else [first],
            rest=rest,
        )

    @property
    def kept(self) -> Int64 | None:
        """The numbers that the sentences have in their file, None if none was skipped."""
        return None if self.rest is None else self.rest.sentences

    @property
    def skipped(self) -> int:
        """How many gold sentences were skipped."""
        return 0 if self.rest is None else self.rest.skipped

    @property
    def tokens(self) -> int | None:
        """How many tokens there are, None where the file does not say."""
        return None if self.gold.forms is None else self.gold.token_count

    def systems(self, method: str | None = None) -> Iterator[SystemFile]:
        """Every system's file, read and aligned one by one. `method` is a way of pairing tokens
        in place of the requested one."""
        study = self.study
        for number, given in enumerate(self.shard.systems):
            if number == 0 and self.first:
                system = self.first.pop().result()  # not kept: it may be large
            else:
                system = read_side(given, study.system_reader, study, self.needs)
            maps = study.maps_of(study.systems[number])
            notes = [
                *changes_of(system),
                *check_maps(system, [each for each in maps if each.side]),
            ]
            system = map_labels(system, maps)
            if self.rest is not None:
                system = self.rest.of_system(system)
            beside = self.beside(system, study.systems[number], method)
            beside.notes = tuple(notes)
            for fitted in self.fitted:  # other texts are refused before lacking layers
                if fitted.unit == "sentence":
                    beside.refused(fitted)
            yield beside
            del system, beside  # before the next is read: both may be large

    def beside(self, corpus: Corpus, name: str, method: str | None = None) -> SystemFile:
        """A system's corpus as it lies over this file."""
        return SystemFile(self, name, corpus, method or self.study.align)

    def sentence_name(self, number: int) -> str:
        """What messages call a gold sentence: its id, or the number that it has in its file."""
        gold, kept = self.gold, self.kept
        has_id = gold.sentence_ids is not None and gold.sentence_ids[number]
        name = gold.sentence_id(number if has_id or kept is None else int(kept[number]))
        return self.named(name)

    def named(self, sentence: str) -> str:
        """The name of a sentence, with the file where there are several."""
        return f"{sentence} ({self.shard.name})" if self.shard.name else sentence

    def text(self, fitted: Metric) -> str:
        """What messages call a metric: its own text, or that of its set."""
        asked = self.metrics[self.fitted.index(fitted)]
        return self.study.sets.get(asked, repr(fitted))


class SystemFile:
    """One system's file over a gold file, and how each metric judges it."""

    def __init__(
        self,
        file: File,
        name: str,
        corpus: Corpus,
        method: str,
        peer: SystemFile | None = None,
    ) -> None:
        self.file, self.name, self.corpus, self.method = file, name, corpus, method
        self.peer = peer
        self.notes: tuple[str, ...] = ()  # on how it was read
        self._with_lent: dict[tuple[str, str], Corpus] = {}

    @cached_property
    def alignment(self) -> Alignment:
        """How the tokens of both lie over each other; units are gold sentences."""
        found = align(self.file.gold, self.corpus, method=self.method)
        peer = self.peer
        return found if peer is None else replace(found, peer=(peer.corpus, peer.alignment))

    @cached_property
    def _by_sentence(self) -> tuple[Corpus, Alignment]:
        """The same with sentences paired by id or number, for families that do so."""
        asked = self.file.study.align
        corpus, found = pair_sentences(self.file.gold, self.corpus, method=asked)
        peer = self.peer
        return corpus, found if peer is None else replace(found, peer=peer._by_sentence)

    def facing(self, peer: SystemFile) -> SystemFile:
        """The same where neither side is gold, and `peer` is the side that is not in its place."""
        found = SystemFile(self.file, self.name, self.corpus, self.method, peer)
        found.notes = self.notes
        return found

    def _remember_documents(self) -> None:
        """Their names, which must not occur in another file."""
        sides = {self.file.study.gold: self.file.gold, self.name: self.corpus}
        for name, corpus in sides.items():
            self.file.documents[name] = tuple(corpus.document_names.to_list())

    @cached_property
    def _by_document(self) -> tuple[Corpus, Alignment]:
        """The same with documents paired on their own, for families that do so; units are gold
        sentences."""
        self._remember_documents()
        corpus, found = align_documents(self.file.gold, self.corpus, method=self.method)
        peer = self.peer
        return corpus, found if peer is None else replace(found, peer=peer._by_document)

    @cached_property
    def in_order(self) -> SystemFile:
        """The same with its documents in the order of gold's."""
        self._remember_documents()
        paired = pair_documents(self.file.gold, self.corpus)
        peer = None if self.peer is None else self.peer.in_order
        if paired is self.corpus and peer is self.peer:
            return self
        return SystemFile(self.file, self.name, paired, self.method, peer)

    @cached_property
    def _over_documents(self) -> tuple[Corpus, Alignment]:
        """The same with documents as units."""
        moved = self.in_order
        return moved.corpus, by_document(moved.alignment, self.file.gold)

    @cached_property
    def _over_own_documents(self) -> tuple[Corpus, Alignment]:
        """The same for families that pair documents on their own."""
        corpus, found = self._by_document
        return corpus, by_document(found, self.file.gold)

    @property
    def way(self) -> str:
        """How tokens were paired."""
        fine = [m for m in self.file.fitted if not self.refused(m)] or [*self.file.fitted]
        fine.sort(key=lambda m: (family_of(m).pairs != "text", m.unit != "sentence"))
        return self.over(fine[0])[1].method

    def judge(self) -> Iterator[Judgement]:
        """What every metric says, in order."""
        return (Judgement(self, fitted) for fitted in self.file.fitted)

    def over(self, metric: Metric) -> tuple[Corpus, Alignment]:
        """The corpus and its alignment as a metric's family pairs them."""
        pairs = family_of(metric).pairs
        if pairs == "sentences":
            return self._by_sentence
        if pairs == "documents":
            return self._over_own_documents
        return self._over_documents if metric.unit == "document" else (self.corpus, self.alignment)

    def refused(self, metric: Metric) -> str:
        """Why a metric that nobody named cannot judge the system's text, where others pair the
        documents on their own and can; empty if it can."""
        own = [f for f in map(family_of, self.file.fitted) if f.pairs == "documents"]
        try:
            self.over(metric)
        except AlignmentError as error:
            if self.file.study.metrics is not None or not own or family_of(metric) in own:
                raise
            return f"{self.name}: only {own[0].title} can be compared because {error.written[0]}"
        return ""

    def in_sentences(self, metric: Metric) -> Alignment:
        """The same alignment of a metric over documents with gold sentences as units."""
        own = family_of(metric).pairs == "documents"
        return self._by_document[1] if own else self.in_order.alignment

    def with_lent(self, metric: Metric) -> Corpus:
        """The same corpus with the layers of the text that it lacks. Words are grouped by them; no
        metric sees them, since what was lent is not the system's own."""
        way = family_of(metric).pairs, metric.unit
        if way not in self._with_lent:
            corpus, alignment = self.over(metric)
            lent = lend_layers(corpus, self.file.gold, self.file.lent, alignment)
            self._with_lent[way] = lent
        return self._with_lent[way]


def metric_texts(metrics: Sequence[Metric]) -> str:
    """Texts of metrics in one line."""
    return ", ".join(repr(m) for m in metrics)


def _begin_to_read(
    shard: Shard, study: Study, needs: frozenset[str] | None
) -> Future[Corpus] | None:
    given = shard.systems[0] if shard.systems else None
    if not isinstance(given, str) or not Path(given).is_file():
        return None
    if len(shard.systems) > FEW:  # little time is won, and two files at once take much memory
        return None
    if not WORTH_A_THREAD <= Path(given).stat().st_size <= MOST_AT_ONCE:
        return None
    reader = ThreadPoolExecutor(1)
    first = reader.submit(read_side, given, study.system_reader, study, needs)
    reader.shutdown(wait=False)
    return first


def read_side(
    given: str | Corpus,
    format: Format | None,
    study: Study,
    needs: frozenset[str] | None,
    digest: bool = False,
) -> Corpus:
    """A side as a corpus, with the columns that are needed, None for all."""
    if isinstance(given, Corpus):
        return given
    return read_file(
        given,
        format=format,
        on_error=study.on_error,
        needs=needs,
        checks=study.checks,
        digest=digest,
    )


def read_gold(
    shard: Shard, study: Study, needs: frozenset[str] | None
) -> tuple[Corpus, tuple[str, ...], list[str]]:
    """The gold file with further layers joined and labels mapped, the names of these layers, and
    notes."""
    gold = read_side(shard.gold, study.gold_reader, study, needs, digest=True)
    own = gold.layers
    options = {"on_error": study.on_error, "checks": study.checks}
    gold, notes = join_layers(gold, corpora_beside(study.further, shard, **options))
    maps = study.maps_of(study.base)
    notes = [*study.left_out, *changes_of(gold), *notes, *check_maps(gold, maps)]
    lent = tuple(name for name in gold.layers if name not in own)
    return map_labels(gold, maps), lent, notes


def _groups(
    gold: Corpus, study: Study, of_sentence: Sequence[str]
) -> Mapping[str, tuple[str, ...]]:
    """The groups of units, given those of sentences. A document is in that of its first sentence,
    unless units are grouped by length, which is its own, or by document."""
    if not of_sentence or study.by is None:
        return {}
    if is_by_length(study.by):
        of_document = length_groups(gold, study.by, "document")
    elif study.by == "document":
        of_document = shown_names(gold)
    else:
        of_document = [of_sentence[first] for first in gold.documents.tolist()]
    return {"sentence": tuple(of_sentence), "document": tuple(of_document)}


def _rest(shard: Shard, gold: Corpus, study: Study) -> Rest | None:
    """What no side had to skip; None if nothing was, or may be."""
    if study.on_error == "fail":
        return None
    read = partial(read_side, format=study.system_reader, study=study, needs=study.needs())
    return Rest.of(gold, map(read, shard.systems), study)


def _having(metrics: Sequence[Metric], key: Key) -> tuple[tuple[Metric, ...], list[str]]:
    """Those of the usual metrics whose items have a property, and a note on the others."""
    kept = [m for m in metrics if key.family in ("", m.family)]
    notes = []
    if left := [m for m in metrics if m not in kept]:
        notes.append(
            f"{key.text} is a property of {family(key.family).title}, so other layers are left "
            f"out unless '--metric' names them: {metric_texts(left)}"
        )
    if whole := [m for m in kept if not has_items(m)]:
        notes.append(
            f"metrics that do not judge single items have no groups by {key.text} and are left "
            f"out unless '--metric' names them: {metric_texts(whole)}"
        )
    return tuple(m for m in kept if m not in whole), notes
