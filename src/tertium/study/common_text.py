"""The text that gold standards of several theories share: all sides as function trees over it, with
their sentences in the order of the first gold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from tertium.align.sentences import with_empty
from tertium.align.words import by_place, matched, normal, sentence_codes, with_forms_of
from tertium.corpus.corpus import Corpus
from tertium.corpus.join import join
from tertium.corpus.labels import Int64
from tertium.corpus.layers import Bools, Layer
from tertium.exceptions import AlignmentError, InputError, counted, shorten
from tertium.families.theories.conversion import (
    NEEDS,
    RESERVED,
    are_constituents,
    function_trees,
    reserved,
    without_reserved,
)
from tertium.families.theories.enrichment import enriched
from tertium.formats.base import Format
from tertium.formats.files import read_file
from tertium.formats.problems import check_heads
from tertium.formats.resources import LabelMap, joint_digest
from tertium.formats.sources import Source
from tertium.formats.trees.relational import constituents_alone, reads_constituents
from tertium.results.lost import Named
from tertium.study.prepare import check_maps, map_labels
from tertium.study.sides import Input

SHARED = "not all gold standards have {it}"


@dataclass(eq=False)
class SideReader:
    """Reads sides and lays them over each other; `notes` say what was left out.

    `formats` are those of gold and systems by theory, as far as they are named; `plan` says which
    theories enrich each theory, and `maps` rename the labels of theories before that.
    """

    formats: Sequence[Mapping[str, Format | None]]
    on_error: str
    plan: Mapping[str, Sequence[str]]
    maps: Sequence[LabelMap] = ()
    notes: list[str] = field(default_factory=list)

    def in_memory(self, source: Input, theory: str, *, of_gold: bool = False) -> Input:
        """Standard input and pipes as a corpus, since they cannot be read twice; files as they
        are."""
        if isinstance(source, Corpus) or all(Path(file).is_file() for file in source.files):
            return source
        return join([*self._read(source, self.formats[not of_gold].get(theory))])

    def corpus(self, source: Input, theory: str, *, of_gold: bool = False) -> Corpus:
        """All files of a side, with function trees and comments alone."""
        if isinstance(source, Source):
            self.notes += [source.note] if source.note else []
        found = []
        for each in self._read(source, self.formats[not of_gold].get(theory)):
            comments = {name: e for name, e in each.extras.items() if name == "comments"}
            layers = {theory: function_trees(each)}
            found.append(replace(each, layers=layers, extras=comments))
        digest = joint_digest([each.digest for each in found])
        origin = source.name if isinstance(source, Source) else source.origin
        corpus = replace(join(found), digest=digest, origin=origin)
        maps = [each for each in self.maps if each.side == theory]
        self.notes += check_maps(corpus, maps)
        return self._with_plain_labels(map_labels(corpus, maps), theory)

    def _with_plain_labels(self, corpus: Corpus, theory: str) -> Corpus:
        """Refuse, skip or repair functions with signs of relational-realizational trees."""
        odd = reserved(corpus.layers[theory])
        if not odd:
            return corpus
        label, numbers = min(odd.items(), key=lambda item: int(item[1][0]))
        which = np.zeros(corpus.sentence_count, np.bool_)
        which[np.concatenate([*odd.values()])] = True
        if self.on_error == "fail":
            more = int(which.sum()) - 1
            raise InputError(
                f"{corpus.origin}: the function '{shorten(label, 60)}' in sentence "
                f"'{corpus.sentence_id(int(numbers[0]))}' has a reserved character "
                f"({' '.join(RESERVED)})" + f"; {counted(more, 'more sentence')}" * (more > 0),
                help="'--on-error skip' leaves such sentences out, '--on-error repair' puts '_' in "
                "place of these characters",
            )
        is_left_out = self.on_error == "skip"
        done = "left out" if is_left_out else "repaired"
        self._note(corpus.origin, corpus, which, done, "of reserved characters in functions")
        if is_left_out:
            return replace(corpus, skipped=_skipped(corpus) | which)
        layers = {theory: without_reserved(corpus.layers[theory])}
        return replace(corpus, layers=layers, repaired=corpus.repaired + int(which.sum()))

    def _read(self, source: Input, format: Format | None) -> Iterator[Corpus]:
        if isinstance(source, Corpus):
            check_heads(source, checks=frozenset())
            yield source
            return
        # In the same order on all sides, whatever the endings.
        keys = source.keys()
        for _, file in sorted((str(Path(name).with_suffix("")), keys[name]) for name in keys):
            yield read_file(
                file,
                format=format,
                on_error=self.on_error,
                needs=NEEDS,
                checks=frozenset(),
                digest=True,
            )

    def gold(self, sources: Mapping[str, Input]) -> Corpus:
        """One corpus of all gold standards, with the sentences that all of them have."""
        golds = {name: self.corpus(source, name, of_gold=True) for name, source in sources.items()}
        (first, text), *others = golds.items()
        codes, *rest = sentence_codes([*golds.values()])
        keep = (codes >= 0) & ~_skipped(text)
        order: dict[str, Int64] = {first: np.arange(len(codes))}
        for (name, other), theirs in zip(others, rest, strict=True):
            same = matched(codes, theirs)
            there = by_place(same, len(theirs))
            differ = np.flatnonzero((same < 0) & (there >= 0) & keep)
            differ = differ[theirs[there[differ]] >= 0]
            self._refuse(text, other, (first, name), differ, there[differ], "words")
            keep &= (same >= 0) & ~_skipped(other)[same]
            order[name] = same
        chosen = np.flatnonzero(keep)
        taken = {name: each.take(order[name][chosen]) for name, each in golds.items()}
        keep = np.ones(len(chosen), np.bool_)
        for name, _ in others:
            same_tokens = with_forms_of(taken[first], taken[name])[1]
            differ = np.flatnonzero(~same_tokens)
            self._refuse(taken[first], taken[name], (first, name), differ, differ, "tokens")
            keep &= same_tokens
        if not keep.any():
            origins = " and ".join(each.origin for each in golds.values())
            raise AlignmentError(
                f"{origins} have no sentence in common",
                help="gold standards of different theories must annotate the same text",
            )
        if not keep.all():
            chosen, taken = chosen[keep], {name: each.take(keep) for name, each in taken.items()}
        every = [*zip(golds.items(), (codes, *rest), strict=True)]
        usable = [own[~_skipped(each)] for (_, each), own in every]
        for (name, each), own in every:
            self._note(name, each, _skipped(each) & (own < 0), "left out", "of errors in {it}")
            gone = ~_skipped(each)
            gone[order[name][chosen]] = False
            there = np.logical_and.reduce([np.isin(own, other) for other in usable])
            alike = f"{SHARED} in the same order and tokens"
            self._note(name, each, gone & ~there, "left out", SHARED)
            self._note(name, each, gone & there, "left out", alike)
        layers = {name: each.layers[name] for name, each in taken.items()}
        still = np.zeros(len(chosen), np.int64)
        for name in self.plan:
            for source in self.plan[name]:
                lent = taken[source].layers[source]
                layers[name] = enriched(layers[name], lent, still, still == 0)
        return replace(
            taken[first],
            layers=layers,
            digest=joint_digest([each.digest for each in golds.values()]),
            problems=tuple(p for each in golds.values() for p in each.problems),
            repaired=sum(each.repaired for each in golds.values()),
        )

    def system(
        self, gold: Corpus, name: str, theory: str, source: Input, further: Mapping[str, Input]
    ) -> Corpus:
        """A system with gold's sentences in gold's order; one that it lacks is empty."""
        own = self.corpus(source, theory)
        if are_constituents(own.layers[theory]) != are_constituents(gold.layers[theory]):
            kinds = ("dependencies", "constituents")
            self.notes.append(
                f"{name} has {kinds[are_constituents(own.layers[theory])]}, but the gold standard "
                f"of its theory '{theory}' has {kinds[are_constituents(gold.layers[theory])]}"
            )
        system, same = self._placed(gold, own, name, is_first=True)
        for other in self.plan.get(theory, ()):
            if other not in further:
                self.notes.append(
                    f"{name}: not enriched, since it has no parses of '{other}' "
                    f"({theory}:FILE+{other}:FILE)"
                )
                continue
            lent, fits = self._placed(system, self.corpus(further[other], other), name)
            layer, shift = lent.layers[other], system.offsets[:-1] - lent.offsets[:-1]
            fits &= np.diff(system.offsets) > 0
            lacking = ~fits & (np.diff(system.offsets) > 0)
            self._note(name, gold, lacking, "not enriched", f"'{other}' lacks {{it}}")
            layers: dict[str, Layer] = {theory: enriched(system.layers[theory], layer, shift, fits)}
            system = replace(system, layers=layers)
        self._note(
            name, gold, same, "compared by characters", "{it_is} divided into different tokens"
        )
        return replace(system, extras={})

    def native(
        self, gold: Corpus, theory: str, source: Input, *, of_gold: bool = False
    ) -> tuple[Corpus, Bools]:
        """A side as it was read, with gold's sentences in gold's order, and which of these have the
        same characters. Of relational-realizational trees there are constituents alone."""
        format = reads_constituents(self.formats[not of_gold].get(theory))
        whole = constituents_alone(join([*self._read(source, format)]))
        placed = self._placed(gold, whole, "")[0]
        ours, theirs = sentence_codes([gold, placed])
        return placed, ours == theirs

    def _placed(
        self, gold: Corpus, system: Corpus, name: str, *, is_first: bool = False
    ) -> tuple[Corpus, Bools]:
        """A corpus with gold's sentences in its order; and which of these have the same tokens or,
        of a whole side (`is_first`), the same characters in different tokens."""
        codes, theirs = sentence_codes([gold, system])
        same = matched(codes, theirs)
        if not (same >= 0).any():
            raise AlignmentError(
                f"{system.origin} has no sentence in common with {gold.origin}: {_begin(gold)}, "
                f"but {_begin(system)}",
                help="all sides must annotate the same text; check the names of the files",
            )
        there = by_place(same, len(theirs))
        order = np.where(there < 0, len(theirs), there)
        placed, tokens = with_forms_of(gold, with_empty(system).take(order))
        if not is_first:
            return placed, tokens
        ignored = (theirs >= 0) & ~np.isin(np.arange(len(theirs)), there)
        moved = np.isin(theirs, codes)
        why = "{it_is} not in the gold standard" if len(gold.layers) == 1 else SHARED
        self._note(name, system, ignored & ~moved, "ignored", why)
        self._note(name, system, ignored & moved, "ignored", f"{why} in the same order")
        return placed, (same >= 0) & ~tokens

    def _note(self, side: str, corpus: Corpus, which: Bools, done: str, why: str) -> None:
        """Say what happened to some sentences of a side, and why, which may refer to them; of sides
        with the same sentences, once."""
        numbers = np.flatnonzero(which).tolist()
        if numbers:
            named = Named.of([corpus.sentence_id(number) for number in numbers])
            one = len(numbers) == 1
            why = why.format(it="it" if one else "them", it_is="it is" if one else "they are")
            text = f": {counted(len(numbers), 'sentence')} {done} because {why}: {named}"
            for at, note in enumerate(self.notes):
                if note.endswith(text):
                    self.notes[at] = f"{note.removesuffix(text)}, {side}{text}"
                    return
            self.notes.append(f"{side}{text}")

    def _refuse(
        self,
        gold: Corpus,
        other: Corpus,
        names: tuple[str, str],
        ours: Int64,
        theirs: Int64,
        what: str,
    ) -> None:
        """Raise where two gold standards differ in some sentences, unless these may be skipped."""
        if not len(ours) or self.on_error != "fail":
            return
        a, b = (_words(c, n[0]) for c, n in ((gold, ours), (other, theirs)))
        alike = (normal(x) == normal(y) for x, y in zip(a, b, strict=False))
        at = next((n for n, same in enumerate(alike) if not same), min(len(a), len(b)))
        further = len(ours) - 1
        verb = "differs" if further == 1 else "differ"
        more = f"; {counted(further, 'more sentence')} {verb}" if further else ""
        raise AlignmentError(
            f"gold standards have different {what}: {_place(gold, names[0], ours[0], a, at)}, but "
            f"{_place(other, names[1], theirs[0], b, at)}{more}",
            help="'--on-error skip' leaves such sentences out and counts them",
        )


def _skipped(corpus: Corpus) -> Bools:
    none = np.zeros(corpus.sentence_count, np.bool_)
    return none if corpus.skipped is None else corpus.skipped


def _words(corpus: Corpus, sentence: int) -> list[str]:
    assert corpus.forms is not None
    return [corpus.forms[n] for n in range(*corpus.offsets[sentence : sentence + 2].tolist())]


def _place(corpus: Corpus, theory: str, sentence: int, words: Sequence[str], at: int) -> str:
    """Where a side has which word."""
    shown = f"'{shorten(words[at], 60)}'" if at < len(words) else "no further word"
    return f"'{theory}' has {shown} as word {at + 1} of sentence '{corpus.sentence_id(sentence)}'"


def _begin(corpus: Corpus) -> str:
    """How a side begins."""
    return f"{corpus.origin} begins with '{shorten(' '.join(_words(corpus, 0)), 60)}'"
