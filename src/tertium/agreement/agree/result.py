"""What `agree` gives back, and how it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tertium._version import __version__
from tertium.agreement.estimates import AnnotatorRow, CoefficientValue, PairRow, Selection
from tertium.agreement.label_matrix import LabelMatrix
from tertium.agreement.texts import PairScore
from tertium.exceptions import counted
from tertium.families.sets import headers_of
from tertium.options import option
from tertium.results.assessment import Testing
from tertium.results.blocks import Block
from tertium.results.names import short_names
from tertium.results.output import LongLook, Output, plain_data
from tertium.results.texts import listed, number

HOW = ("unit", "interval", "level", "trials", "seed")  # of testing, what intervals depend on


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

    - `whole`: coefficients of all items; `result["cohen"]` is one of them
    - `without`: the same without items that everybody gives a label; `groups`: by key and group
    - `annotators`, `pairs`: one by one, and every two, with scores by metrics
    - `matrix`: which labels meet; None where items are not labels of words (`reason`) or labels are
      too many
    - `against`, `coarse`: comparisons of the matrix, where they were asked for; `earlier`: the one
      it was compared with
    - `sentences`: how many each annotator has of a text
    """

    whole: Selection = Selection({}, {})
    annotators: tuple[AnnotatorRow, ...] = ()
    without: Mapping[str, Selection] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, Selection]] = field(default_factory=dict)
    pairs: tuple[PairRow, ...] = ()
    matrix: LabelMatrix | None = None
    metric: str = ""
    signature: str = ""
    sentences: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
    against: Mapping[str, Any] | None = None
    earlier: LabelMatrix | None = None
    coarse: Mapping[str, Any] | None = None
    testing: Testing | None = None
    notes: tuple[str, ...] = ()
    version: str = field(default=__version__)

    look = AgreeLook

    def __getitem__(self, name: str) -> CoefficientValue:
        return self.whole[name]

    @property
    def items(self) -> Mapping[str, int]:
        """How many there are, have a rating, several ratings, and only one label among these."""
        return self.whole.items

    @property
    def scores(self) -> list[PairScore]:
        """How every two annotators score against each other, by metrics."""
        return [score for pair in self.pairs for score in pair.scores]

    @property
    def labels(self) -> dict[str, dict[str, Any]]:
        """By label: F1 between annotators, and how often each of two gives it, on average."""
        return {} if self.matrix is None else self.matrix.label_scores()

    @property
    def title(self) -> str:
        """Who was compared."""
        names = [*(self.sentences or (row.name for row in self.annotators))]
        return f"Agreement of {listed([*short_names(names).values()], most=4)}"

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return headers_of(dict.fromkeys(score.result.metric for score in self.scores))

    @property
    def system_names(self) -> Sequence[str]:
        """The annotators of a text, who have the names of files."""
        return [*self.sentences]

    def __repr__(self) -> str:
        texts = (f"{name} {each.value}" for name, each in self.whole.coefficients.items())
        return f"<{self.title}: {', '.join(texts)}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium agree` (docs/verbs/agree.md)."""
        people: dict[str, Any] = {row.name: plain_data(row) for row in self.annotators}
        for name, count in self.sentences.items():
            people.setdefault(name, {})["sentences"] = count
        for entry in people.values():
            entry.pop("name", None)
        found = {
            "tertium": self.version,
            "metric": self.metric or None,
            "annotators": people,
            **plain_data(self.whole),
            "reason": self.reason or None,
            "without": plain_data(self.without),
            "groups": plain_data(self.groups),
            "labels": self.labels,
            "confusion": plain_data(self.matrix) or {},
            "pairs": plain_data(self.pairs),
            "against": self.against,
            "coarse": self.coarse,
            "testing": self.testing and {name: getattr(self.testing, name) for name in HOW},
            "notes": [*self.notes] or None,
            "signature": self.signature or None,
        }
        return {name: each for name, each in found.items() if each is not None}

    def in_short(self) -> str:
        """How far all agree."""
        if self.reason:
            return f"No coefficients: {self.reason}"
        if not self.items.get("shared"):
            return "No item has two or more ratings, so no agreement can be measured"
        same, shared = self.items["unanimous"], self.items["shared"]
        names = [row.name for row in self.annotators if row.shared]
        who = (
            listed(names, most=4)
            if len(names) <= 5
            else f"The ratings of {len(names):,} annotators"
        )
        text = f"{who} agree on {same:,} of {counted(shared, 'item')} ({number(same / shared)}%)"
        alpha = self.whole.coefficients.get("alpha")
        if alpha is not None and alpha.value is not None:
            text += f"; Krippendorff's alpha {number(alpha.value, 'value')}"
        return text

    def blocks(self, look: AgreeLook) -> list[Block]:
        """Coefficients, annotators, pairs, labels, confusions, and what a reader must know."""
        from tertium.agreement.agree.tables import build

        return build(self, look)
