"""Measures of spans that can also read tags as another tool does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Spans, Tags
from tertium.corpus.schemes import Decoded, means_spans
from tertium.exceptions import LayerError, UsageError
from tertium.metrics.base import counterpart
from tertium.metrics.spans.base import SpanMetric
from tertium.metrics.spans.compat.conventions import (
    CONVENTIONS,
    STRICT_SCHEMES,
    UndetectedSchemeError,
    detected,
)
from tertium.metrics.spans.compat.raw_tags import prefixes_of, tool_chunks
from tertium.metrics.spans.layers import span_layers, stacked_remark
from tertium.registry import parameter

STRICT = "seqeval-strict"


@dataclass(frozen=True, repr=False)
class CompatMetric(SpanMetric):
    """A measure of spans with modes in which it equals another tool, bugs included.

    These modes see the raw tags: any column of tags will do, and `scheme`, `repair` and `expected`
    have no meaning, but for the scheme of seqeval's strict mode.
    """

    compat: str | None = parameter(
        None, help="the tool to be equal to, bugs included", choices=(None, *CONVENTIONS)
    )
    undefined: str | None = parameter(
        None,
        help="what 0 divided by 0 is reported as; by default null, and zero with compat",
        choices=(None, "null", "zero"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.compat is None:
            return
        if self.compat == STRICT and self.scheme not in ("auto", *STRICT_SCHEMES):
            raise UsageError(
                f"{self.id}: seqeval has no scheme '{self.scheme}'. "
                f"It has: {', '.join(STRICT_SCHEMES)}."
            )
        meaningless = ("repair", "expected", *(() if self.compat == STRICT else ("scheme",)))
        for name in meaningless:
            if getattr(self, name) != type(self).__dataclass_fields__[name].default:
                raise UsageError(
                    f"{self.id}: '{name}' has no meaning with compat='{self.compat}', "
                    "which reads tags as that tool does"
                )

    @property
    def tool(self) -> str:
        """The name of the tool, empty without one."""
        return CONVENTIONS[self.compat].tool if self.compat else ""

    @property
    def zero_if_undefined(self) -> bool:
        """As asked for; by default where the tool does so."""
        return self.undefined == "zero" or (self.undefined is None and self.compat is not None)

    @property
    def zero_because(self) -> str:
        """Whose convention it is."""
        return f"by {self.tool}'s convention" if self.compat else "because undefined='zero'"

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """Also that a tool does not know stacked tags."""
        found = super().remarks(gold, system)
        if self.compat is not None:
            for corpus in (gold, system):
                found += stacked_remark(corpus, self.name_in(corpus), self.tool)
        return found

    def needs_all_facts(self) -> bool:
        """Whatever decides what a tag means must not depend on which file it stands in."""
        if self.compat is None:
            return super().needs_all_facts()
        return self.compat == STRICT and self.scheme == "auto"

    def fit(self, gold: Corpus) -> Self:
        """Settle the column and the scheme, if it can be told from this file."""
        try:
            return super().fit(gold)
        except UndetectedSchemeError:
            # Files of O alone are fine where others tell the scheme; else reading the tags says it.
            return self._with_column(gold)

    def settle(self, facts: frozenset[str]) -> Self:
        """Take the scheme that seqeval would detect on all gold files together."""
        if self.compat is None:
            return super().settle(facts)
        return replace(self, scheme=detected(facts))

    def facts(self, corpus: Corpus) -> frozenset[str]:
        """How the tags are written; for seqeval's strict mode their prefixes."""
        if self.compat is None:
            return super().facts(corpus)
        return prefixes_of(corpus, self.name_in(corpus)) if self.compat == STRICT else frozenset()

    def settings(self, facts: frozenset[str]) -> dict[str, object]:
        """The tool in place of what decides our own reading of tags."""
        shown = super().settings(facts)
        for name in ("compat", "undefined"):
            if shown[name] is None:
                del shown[name]
        if self.compat is None:
            return shown
        unused = {"repair", "expected"} | (set() if self.compat == STRICT else {"scheme"})
        shown["scheme"] = self.scheme
        return {name: value for name, value in shown.items() if name not in unused}

    def _with_column(self, gold: Corpus) -> Self:
        if self.compat is None:
            return super()._with_column(gold)
        self._refuse_spans(gold, self.column)
        if self.column is not None:
            gold.layer(self.column, Tags)  # raises, with what there is
            return self
        tags = gold.of_kind(Tags)
        if not tags:
            raise LayerError(f"{gold.origin} has no column of tags for {self.tool} to read")
        spans = [name for name in span_layers(gold) if name in tags]
        meant = [name for name, layer in tags.items() if means_spans(layer.labels)]
        return replace(self, column=(spans or meant or [*tags])[-1])

    def name_in(self, corpus: Corpus) -> str:
        """The name of the layer or column that answers to `column` in a file."""
        if self.compat is None:
            return super().name_in(corpus)
        name = self.column or "tag"
        if isinstance(corpus.layers.get(name), Tags):
            return name
        self._refuse_spans(corpus, name)
        tags = corpus.of_kind(Tags)
        spans = [layer for layer in span_layers(corpus) if layer in tags]
        return counterpart(corpus, name, spans or [*tags])

    def _refuse_spans(self, corpus: Corpus, name: str | None) -> None:
        """Say so if what the tool should read, or all there is, are spans that are no tags."""
        spans = [*corpus.of_kind(Spans)]
        if name not in spans and (corpus.of_kind(Tags) or not spans):
            return
        found = name if name in spans else spans[0]
        raise LayerError(
            f"{self.tool} reads tags, but '{found}' of {corpus.origin} holds spans as such",
            help="without 'compat' spans are compared as they are; "
            "'tertium convert' writes them as tags",
        )

    def _decoded(self, corpus: Corpus, expected: str | None = None) -> Decoded:
        if self.compat is None:
            return super()._decoded(corpus, expected)
        name = self.name_in(corpus)
        scheme = self.scheme
        if self.needs_all_facts():
            scheme = detected(prefixes_of(corpus, name))
        return Decoded(tool_chunks(corpus, name, self.compat, scheme), frozenset(), 0)

    def _expected(self, gold: Corpus) -> str | None:
        return super()._expected(gold) if self.compat is None else None
