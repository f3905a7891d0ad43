"""What is left out on all sides because one of them could not be read (`--on-error skip`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tertium.align.documents import shared_documents, without
from tertium.align.sentences import in_order_of
from tertium.align.units import sentences_of, shared_sentences, shown_names
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.corpus.layers import Bools
from tertium.exceptions import InputError
from tertium.families.family import family_of
from tertium.results.lost import Named
from tertium.results.texts import counted
from tertium.study.study import Study


@dataclass(frozen=True, eq=False)
class Rest:
    """What remains of a gold file and of the systems beside it: all are judged on the same.

    - `whole`: gold with what was skipped; `sentences`: those of it that remain, by their numbers
    - `documents`: which of its documents remain, where documents are left out as a whole
    - `one_by_one`: are sentences paired by id or number, whatever their order?
    """

    whole: Corpus
    sentences: Int64
    documents: Bools | None = None
    one_by_one: bool = False

    @classmethod
    def of(cls, gold: Corpus, systems: Iterable[Corpus], study: Study) -> Rest | None:
        """None if nothing was skipped. Where a metric pairs documents on their own, a sentence that
        cannot be read takes its document with it, since nothing could replace it there."""
        metrics = study.defaults(gold) if study.metrics is None else study.metrics
        ways = {family_of(metric).pairs for metric in metrics}
        if "documents" in ways:
            kept = shared_documents(gold, systems)
            if kept is None:
                return None
            return cls(gold, sentences_of(gold, np.flatnonzero(kept)), kept)._checked()
        one_by_one = ways == {"sentences"} and study.align != "characters"
        if one_by_one:
            systems = (in_order_of(gold, system)[0] for system in systems)
        keep = shared_sentences(gold, systems)
        if keep is None:
            return None
        return cls(gold, np.flatnonzero(keep), one_by_one=one_by_one)._checked()

    def _checked(self) -> Rest:
        if not len(self.sentences):
            raise InputError(
                f"{self.whole.origin}: every sentence was skipped, on one side or the other",
                help="'tertium validate' lists what is wrong with a file",
            )
        return self

    def of_system(self, system: Corpus) -> Corpus:
        """What remains of a system."""
        if self.documents is not None:
            return without(self.whole, system, self.documents)
        if self.one_by_one:
            system, _ = in_order_of(self.whole, system)
        return system.take(self.sentences)

    @property
    def skipped(self) -> int:
        """How many gold sentences are left out."""
        return self.whole.sentence_count - len(self.sentences)

    @property
    def skipped_documents(self) -> list[str]:
        """The documents that are left out as a whole."""
        if self.documents is None:
            return []
        names = zip(shown_names(self.whole), self.documents.tolist(), strict=True)
        return [name for name, is_kept in names if not is_kept]

    @property
    def notes(self) -> list[str]:
        """What a reader must know."""
        names = Named.of(self.skipped_documents)
        if not names.count:
            return []
        what = f"{counted(names.count, 'document')} of {self.whole.origin}"
        return [f"{what} left out on all sides because one side has errors there: {names}"]
