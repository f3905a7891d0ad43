"""What `agree` gives back, and how it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tertium._version import __version__
from tertium.agreement.annotators import PairScore
from tertium.agreement.estimates import AnnotatorRow, CoefficientValue, PairRow, Selection
from tertium.agreement.label_matrix import LabelMatrix
from tertium.exceptions import UsageError, counted, suggestion
from tertium.families.sets import headers_of
from tertium.options import option
from tertium.results.assessment import Testing
from tertium.results.blocks import Block
from tertium.results.names import short_names
from tertium.results.output import LongLook, Output
from tertium.results.texts import listed, number


@dataclass(frozen=True)
class AgreeLook(LongLook):
    """What is shown of agreement."""

    labels: bool = option(False, "Show agreement per label (F1) and which labels are confused.")
    confusion: bool = option(
        False, "Show how often two labels meet, as a matrix; in pictures, a heat map."
    )
    hinton: bool = option(
        False, "Show confusion probabilities as a Hinton diagram: squares instead of numbers."
    )


@dataclass(frozen=True, eq=False)
class AgreementResult(Output):
    """How far annotators agree.

    - `values`: coefficients of all items; `result["cohen"]` is one of them
    - `without`: the same without items that everybody gives a label; `groups`: by key and group
    - `annotators`, `pairs`: one by one, and every two; `scores`: every two by metrics
    - `matrix`: which labels meet; None where items are not labels of words (`reason`) or labels are
      too many
    - `against`, `coarse`: comparisons of the matrix, where they were asked for
    - `sentences`: how many each annotator has of a text
    """

    annotators: tuple[AnnotatorRow, ...] = ()
    items: Mapping[str, int] = field(default_factory=dict)
    values: Selection = Selection({})
    without: Mapping[str, Selection] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, Selection]] = field(default_factory=dict)
    pairs: tuple[PairRow, ...] = ()
    matrix: LabelMatrix | None = None
    scores: tuple[PairScore, ...] = ()
    metric: str = ""
    signature: str = ""
    sentences: Mapping[str, int] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    reason: str = ""
    against: Mapping[str, Any] | None = None
    coarse: Mapping[str, Any] | None = None
    testing: Testing | None = None
    unit: str = "item"
    notes: tuple[str, ...] = ()
    version: str = field(default=__version__)

    look = AgreeLook

    def __getitem__(self, name: str) -> CoefficientValue:
        known = self.values.values
        if name not in known:
            raise UsageError(
                f"there is no coefficient '{name}'.{suggestion(name, [*known])}",
                help=f"coefficients: {', '.join(known)}",
            )
        return known[name]

    @property
    def labels(self) -> dict[str, dict[str, float | None]]:
        """By label: F1 between annotators, and how often each of two gives it, on average."""
        return {} if self.matrix is None else self.matrix.label_scores()

    @property
    def title(self) -> str:
        """Who was compared."""
        names = [*(self.names or (row.name for row in self.annotators))]
        return f"Agreement of {listed([*short_names(names).values()], most=4)}"

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return headers_of([*dict.fromkeys(score.result.metric for score in self.scores)])

    @property
    def system_names(self) -> Sequence[str]:
        """The annotators of a text, who have the names of files."""
        return self.names

    def __repr__(self) -> str:
        texts = (f"{name} {each.value}" for name, each in self.values.values.items())
        return f"<{self.title}: {', '.join(texts)}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium agree` (docs/verbs/agree.md)."""
        pairs: dict[tuple[str, str], dict[str, Any]]
        pairs = {(row.a, row.b): dict(vars(row)) for row in self.pairs}
        for score in self.scores:
            pair = pairs.setdefault((score.a, score.b), {"a": score.a, "b": score.b})
            pair.setdefault("scores", []).append(score.to_dict())
        people = {row.name: {**vars(row)} for row in self.annotators}
        for name, count in self.sentences.items():
            people.setdefault(name, {})["sentences"] = count
        for entry in people.values():
            entry.pop("name", None)
        return {
            "tertium": self.version,
            **({"metric": self.metric} if self.metric else {}),
            "annotators": people,
            "items": dict(self.items),
            "coefficients": self.values.to_dict()["coefficients"],
            **({"reason": self.reason} if self.reason else {}),
            "without": _entries(self.without),
            "groups": {key: _entries(groups) for key, groups in self.groups.items()},
            "labels": self.labels,
            "confusion": {} if self.matrix is None else self.matrix.to_dict(),
            "pairs": [*pairs.values()],
            **({"against": dict(self.against)} if self.against else {}),
            **({"coarse": dict(self.coarse)} if self.coarse else {}),
            **({"testing": _how(self.testing, self.unit)} if self.testing else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
            **({"signature": self.signature} if self.signature else {}),
        }

    def in_short(self) -> str:
        """How far all agree."""
        if self.reason:
            return f"No coefficients: {self.reason}"
        if not self.items.get("shared"):
            return "No item has two or more ratings, so no agreement can be measured"
        same, shared = self.items["unanimous"], self.items["shared"]
        who = f"{listed([row.name for row in self.annotators], most=4)} agree"
        if len(self.annotators) > 5:
            who = "Whoever rated an item agrees"
        text = f"{who} on {same:,} of {counted(shared, 'item')} ({number(same / shared)}%)"
        alpha = self.values.values.get("alpha")
        if alpha is not None and alpha.value is not None:
            text += f"; Krippendorff's alpha {number(alpha.value, 'value')}"
        return text

    def blocks(self, look: AgreeLook) -> list[Block]:
        """Coefficients, annotators, pairs, labels, confusions, and what a reader must know."""
        from tertium.agreement.agree.tables import build

        return build(self, look)


def _entries(selections: Mapping[str, Selection]) -> dict[str, Any]:
    return {name: each.to_dict() for name, each in selections.items()}


def _how(testing: Testing, unit: str) -> dict[str, Any]:
    """How intervals were made."""
    held = testing.to_dict()
    return {"unit": unit, **{name: held[name] for name in ("interval", "level", "trials", "seed")}}
