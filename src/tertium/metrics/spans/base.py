"""What all measures of spans share: which layer, and how tags become spans."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Spans, Tags
from tertium.corpus.schemes import DETECTED, REPAIRS, SCHEMES, Decoded, scheme_of
from tertium.exceptions import LayerError
from tertium.metrics.base import Metric, column_remark, counterpart
from tertium.metrics.spans.layers import span_layers, spans_of
from tertium.registry import parameter
from tertium.results.decisions import Decisions


@dataclass(frozen=True, repr=False)
class SpanMetric(Metric):
    """A measure of labelled spans, on any layer of spans or column of tags.

    `column` names the layer or column; by default the only one there is, or the last. `scheme` and
    `repair` say how tags become spans (docs/metrics/spans.f1.md).
    """

    layer = "spans"
    transitions = "types"

    column: str | None = parameter(None, help="name of the span layer or tag column")
    scheme: str = parameter("auto", help="tag scheme", choices=SCHEMES)
    repair: str = parameter(
        "open", help="irregular tags: open a span, or drop the span", choices=REPAIRS
    )
    expected: str | None = parameter(
        None,
        help="scheme by which spans are judged irregular; by default that of the gold data",
        choices=(None, *DETECTED),
    )

    def needs(self) -> frozenset[str] | None:
        """The column, or all while it is not settled."""
        return frozenset({self.column}) if self.column else None

    def fit(self, gold: Corpus) -> Self:
        """Settle the column and, where it decides what is dropped, the scheme."""
        fitted = self._with_column(gold)
        return fitted.settle(fitted.facts(gold)) if fitted.needs_all_facts() else fitted

    def needs_all_facts(self) -> bool:
        """What is dropped must not depend on which file a sentence stands in."""
        return self.repair == "drop" and self.scheme == "auto" and self.expected is None

    def settle(self, facts: frozenset[str]) -> Self:
        """Judge by the scheme that all gold files together speak for."""
        return replace(self, expected=scheme_of(facts))

    def _with_column(self, gold: Corpus) -> Self:
        if self.column is not None:
            if not isinstance(gold.layers.get(self.column), Spans | Tags):
                gold.layer(self.column, Spans)  # raises, with what there is
            return self
        there = self.candidates(gold)
        if not there:
            tags = [*gold.of_kind(Tags)]
            if len(tags) == 1 and gold.format == "columns":
                return replace(self, column=tags[0])  # decode names the offending tags
            raise LayerError(
                f"{gold.origin} has no spans to score with {self.id}: no span layer, and no column "
                "in which every tag is O or PREFIX-TYPE",
                help="'--columns' names a file's columns; 'tertium validate' shows what was read",
            )
        return replace(self, column=there[-1])

    def check(self, corpus: Corpus) -> None:
        """There must be spans or tags of that name, or one span layer only."""
        self.name_in(corpus)

    def name_in(self, corpus: Corpus) -> str:
        """The name of the layer or column that answers to `column` in a file."""
        name = self.column or "spans"
        if isinstance(corpus.layers.get(name), Spans | Tags):
            return name
        return counterpart(corpus, name, self.candidates(corpus))

    def candidates(self, corpus: Corpus) -> list[str]:
        """Names of the layers that hold spans for this measure, as such or as tags."""
        return span_layers(corpus)

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """Says so if the system's only span layer has another name."""
        name = self.name_in(system)
        found = column_remark(system, self.column or "spans", [name])
        judged = self.expected or self.scheme
        if self.repair == "drop" and judged in ("iob", "ioe", "mixed"):
            found.append(
                f"{gold.origin} follows no scheme throughout ({judged}), so that no span is "
                "irregular and none is dropped; 'expected=' says by which scheme to judge"
            )
        return found

    def facts(self, corpus: Corpus) -> frozenset[str]:
        """How the tags are written."""
        return self._decoded(corpus).facts

    def settings(self, facts: frozenset[str]) -> dict[str, object]:
        """The scheme that all files together speak for stands in the signature."""
        shown = super().settings(facts)
        if self.scheme == "auto":
            shown["scheme"] = scheme_of(facts) if facts else "none"
        if self.expected is None:
            del shown["expected"]
        return shown

    def coverage(self, decisions: Decisions | None, gold: Corpus, system: Corpus) -> dict[str, int]:
        """Also irregular spans, duplicates and whatever else is odd, where there is any."""
        ours, theirs = self.decoded(gold, system)
        found = {"irregular_gold": ours.irregular, "irregular_system": theirs.irregular}
        if decisions is not None:
            found.update({k: int(v.sum()) for k, v in decisions.unit_counts.items()})
        return {
            **super().coverage(decisions, gold, system),
            **{name: count for name, count in found.items() if count},
        }

    def decoded(self, gold: Corpus, system: Corpus) -> tuple[Decoded, Decoded]:
        """The spans of both sides; a system's are judged by the scheme of the gold file."""
        return self._decoded(gold), self._decoded(system, self._expected(gold))

    def items(self, gold: Corpus, system: Corpus) -> tuple[Spans, Spans]:
        """The spans of both sides."""
        ours, theirs = self.decoded(gold, system)
        return ours.spans, theirs.spans

    def unaligned(self, alignment: Alignment) -> dict[str, int]:
        """None: spans are compared by the characters they cover, whatever the tokens."""
        return {"unaligned": 0}

    def _decoded(self, corpus: Corpus, expected: str | None = None) -> Decoded:
        return spans_of(
            corpus,
            self.name_in(corpus),
            scheme=self.scheme,
            repair=self.repair,
            expected=expected or self.expected,
        )

    def _expected(self, gold: Corpus) -> str | None:
        """What counts as irregular in a system: the scheme asked for, or that of the gold file."""
        if self.expected is not None or self.scheme != "auto":
            return self.expected
        return scheme_of(self._decoded(gold).facts)
