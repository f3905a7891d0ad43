"""The sides of a study across theories as they were read: what the usual metrics of a theory are
computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tertium.corpus.corpus import Corpus
from tertium.study.common_text import SideReader
from tertium.study.study import Study


@dataclass(frozen=True, eq=False)
class NativeSides:
    """Gold standards by theory and systems by name, all with the sentences of the study in its
    order; the theory of every system; and how many sentences a system lacks or has with different
    words."""

    golds: Mapping[str, Corpus]
    systems: Mapping[str, Corpus]
    theories: Mapping[str, str]
    lacking: Mapping[str, int]

    @classmethod
    def of(cls, study: Study) -> NativeSides:
        """Read all sides once more, since such a study keeps function trees alone. Documents are
        those of the first gold standard."""
        whole = study.gold_input
        assert isinstance(whole, Corpus)
        reader = SideReader(study.formats_by_theory, study.on_error, {})
        size = len(study.theory_names)
        marks = ("documents", "document_names", "document_marks")
        documents: Any = {name: getattr(whole, name) for name in marks}
        golds = {
            name: replace(reader.native(whole, name, source, of_gold=True)[0], **documents)
            for name, source in study.origins[:size]
        }
        each = dict(zip(study.systems, study.origins[size:], strict=True))
        found = {name: reader.native(whole, *side) for name, side in each.items()}
        return cls(
            golds,
            {name: corpus for name, (corpus, _) in found.items()},
            {name: theory for name, (theory, _) in each.items()},
            {name: int((~same).sum()) for name, (_, same) in found.items()},
        )
