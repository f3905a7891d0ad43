"""Measures of spans that can also read tags as another tool does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Spans, Tags
from tertium.corpus.schemes import Decoding, means_spans
from tertium.exceptions import LayerError, UsageError
from tertium.families.base import counterpart, with_column
from tertium.families.spans.base import SpanMetric, main_of, span_layers, stacked_remark
from tertium.families.spans.compat.chunks import prefixes_of, tool_chunks
from tertium.families.spans.compat.grammars import (
    GRAMMARS,
    STRICT_SCHEMES,
    UndetectedSchemeError,
    detected,
)
from tertium.registry import parameter

STRICT = "seqeval-strict"


@dataclass(frozen=True, repr=False)
class CompatMetric(SpanMetric):
    """A measure of spans with modes in which it equals another tool, bugs included.

    These modes see the raw tags: any column of tags will do, and `scheme`, `repair` and `expected`
    have no meaning, but for the scheme of seqeval's strict mode.
    """

    compat: str | None = parameter(
        None, help="the tool to reproduce exactly, including its bugs", choices=(None, *GRAMMARS)
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
        for name in self._meaningless:
            if getattr(self, name) != type(self).__dataclass_fields__[name].default:
                raise UsageError(
                    f"{self.id}: '{name}' has no meaning with compat='{self.compat}', "
                    "which reads tags as that tool does"
                )

    @property
    def _meaningless(self) -> tuple[str, ...]:
        """Parameters that say nothing with `compat`."""
        scheme = () if self.compat == STRICT else ("scheme",)
        suffix = ("suffix",) if self.compat == "conlleval" else ()
        return ("repair", "expected", *scheme, *suffix)

    @property
    def tool(self) -> str:
        """The name of the tool, empty without one."""
        return GRAMMARS[self.compat].tool if self.compat else ""

    @property
    def zero_because(self) -> str:
        """As asked for; by default where the tool does so."""
        if self.compat is None or self.undefined == "null":
            return super().zero_because
        return f"by {self.tool}'s convention"

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """Also that a tool does not know stacked tags."""
        found = super().remarks(gold, system)
        if self.compat is not None:
            for corpus in (gold, system):
                found += stacked_remark(corpus, self.name_in(corpus), self.tool)
        return found

    @property
    def _detects(self) -> bool:
        """Is it for seqeval's strict mode to find out the scheme?"""
        return self.compat == STRICT and self.scheme == "auto"

    def fit(self, facts: frozenset[str]) -> Self:
        """Settle the column and the scheme, which must not depend on the file that a tag stands in:
        that of seqeval's strict mode is what it would detect on all gold files together."""
        if not self._detects:
            return super().fit(facts)
        fitted = with_column(self, facts)
        if not facts:
            return replace(fitted, scheme="iob2")  # any, to say that it depends on the facts
        try:
            prefixes = frozenset(fact for fact in facts if len(fact) == 1)
            return replace(fitted, scheme=detected(prefixes))
        except UndetectedSchemeError:
            return fitted  # reading the tags says it

    def tag_facts(self, corpus: Corpus) -> frozenset[str]:
        """How the tags are written; for seqeval's strict mode their prefixes."""
        if self.compat is None:
            return super().tag_facts(corpus)
        return self._prefixes(corpus) if self.compat == STRICT else frozenset()

    def _prefixes(self, corpus: Corpus) -> frozenset[str]:
        return prefixes_of(corpus, self.name_in(corpus), suffix=self.suffix is True)

    def settings(self, facts: frozenset[str]) -> dict[str, object]:
        """The tool in place of what decides our own reading of tags."""
        shown = super().settings(facts)
        if self.compat is None:
            return shown
        shown["scheme"] = self.scheme
        return {name: value for name, value in shown.items() if name not in self._meaningless}

    def check_gold(self, gold: Corpus) -> None:
        """A tool reads tags."""
        if self.compat is None:
            super().check_gold(gold)
        elif self.column is not None:
            self._refuse_spans(gold, self.column)
            gold.layer(self.column, Tags)  # raises, with what there is

    def chosen_column(self, gold: Corpus) -> str:
        """The main column of spans, else one that seems meant for spans, else the last."""
        if self.compat is None:
            return super().chosen_column(gold)
        self._refuse_spans(gold, None)
        tags = gold.of_kind(Tags)
        if not tags:
            raise LayerError(f"{gold.origin} has no column of tags for {self.tool} to read")
        spans = [name for name in span_layers(gold) if name in tags]
        meant = [name for name, layer in tags.items() if means_spans(layer.labels)]
        return main_of(spans or meant or [*tags])

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
            help="without 'compat' spans are compared directly; "
            "'tertium convert' writes them as tags",
        )

    def decoded(self, corpus: Corpus) -> Decoding:
        """The spans of a side, as the tool finds them where there is one."""
        if self.compat is None:
            return super().decoded(corpus)
        scheme = detected(self._prefixes(corpus)) if self._detects else self.scheme
        chunks = tool_chunks(corpus, self.name_in(corpus), self.compat, scheme, self.suffix is True)
        return Decoding(chunks, frozenset(), 0)
