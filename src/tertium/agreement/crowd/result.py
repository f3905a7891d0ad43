"""What `crowd` gives back: labels of items, confidence, and the competence of annotators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tertium._version import __version__
from tertium.agreement.aggregate import Aggregate, Rows, or_none
from tertium.results.output import LongLook, Output
from tertium.signature import Signature

if TYPE_CHECKING:
    from tertium.results.blocks import Block

LISTED = 10


@dataclass(frozen=True, eq=False)
class Aggregation(Aggregate, Output):
    """One annotation from those of many; `settings` are what decided it."""

    look = LongLook

    settings: Mapping[str, object] = field(default_factory=dict)
    version: str = field(default=__version__)

    @property
    def title(self) -> str:
        """What was aggregated."""
        return f"Aggregation of {self.data.origin}"

    @property
    def signature(self) -> str:
        """What decided the labels."""
        run = self.run
        settings = {"method": run.method, **self.settings, "tertium": self.version}
        return str(Signature.make("crowd", settings))

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium crowd` (docs/verbs/crowd.md)."""
        votes, true = self.data.votes, self.true_accuracy
        accuracy = {} if true is None else dict(zip(self.names, or_none(true), strict=True))
        known = {} if true is None else self._against_gold(accuracy)
        return {
            "tertium": self.version,
            "votes": self.data.origin,
            **self.run.to_dict(),
            "items": len(votes),
            "judgements": len(votes.item),
            "labels": votes.labels.strings,
            "competence": self.competence,
            **known,
            "methods": [run.to_dict() for run in self.runs],
            "disputed": [self._spot(row) for row in self.hot_spots(LISTED).tolist()],
            **({"notes": list(self.notes)} if self.notes else {}),
            "signature": self.signature,
        }

    def _against_gold(self, accuracy: dict[str, float | None]) -> dict[str, Any]:
        judged, _ = self.out_of_reach
        return {
            "output_accuracy": self.run.output_accuracy,
            "true_accuracy": accuracy,
            "correlation": self.correlation,
            "oracle": {
                "accuracy": self.oracle,
                "items": int(judged.sum()),
                "lost": [
                    {"gold": gold, "ballot": ballot, "count": count}
                    for gold, ballot, count in self.lost_items()
                ],
            },
        }

    def _spot(self, row: int) -> dict[str, Any]:
        found = self.run.estimate
        word = {} if self.data.words is None else {"word": self.data.words[row]}
        return {
            "item": self.data.items[row],
            **word,
            "ballot": self.ballot(row),
            "label": self.labels[row],
            "confidence": float(found.confidence[row]),
            "entropy": float(found.entropy[row]),
        }

    def frames(self) -> Mapping[str, Callable[[], Rows]]:
        """Items, annotators, methods, and all numbers."""
        return {
            "items": self.item_rows,
            "annotators": self.annotator_rows,
            "methods": lambda: [run.to_dict() for run in self.runs],
            "long": self.to_rows,
        }

    def in_short(self) -> str:
        """How many items have a label, and how good it is where that is known."""
        from tertium.agreement.crowd.tables import summary_of

        return summary_of(self)

    def blocks(self, look: LongLook) -> list[Block]:
        """Methods, annotators, disputed items, and items that no vote has right."""
        from tertium.agreement.crowd.tables import build

        return build(self, look)

    def __repr__(self) -> str:
        return f"<{self.run.method}: {len(self.data.votes):,} items>"
