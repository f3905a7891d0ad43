"""What all measures of spans share: which layer, and how tags become spans."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int64
from tertium.corpus.layers import Spans, Tags
from tertium.corpus.schemes import (
    DETECTED,
    REPAIRS,
    SCHEMES,
    SUFFIX,
    Decoding,
    decode,
    irregular_by,
    scheme_of,
    span_columns,
    stack,
    untyped,
)
from tertium.exceptions import FormatError, LayerError, Problem, suggestion
from tertium.families.base import (
    Metric,
    column_fact,
    column_remark,
    counterpart,
    which,
    with_column,
)
from tertium.registry import parameter
from tertium.results.decisions import Decisions
from tertium.results.items import Items

MOST_PROBLEMS = 1000  # a wrong column has as many as tokens


@once
def span_layers(corpus: Corpus) -> list[str]:
    """Names of layers that hold spans, as such or as tags."""
    tagged = span_columns(corpus)
    return [n for n, layer in corpus.layers.items() if type(layer) is Spans or n in tagged]


def main_of(names: Sequence[str]) -> str:
    """The column that is scored where none is named: the last, of GermEval's two the outer one.

    >>> main_of(["chunk", "ner"]), main_of(["outer", "inner"])
    ('ner', 'outer')
    """
    return "outer" if [*names[-2:]] == ["outer", "inner"] else names[-1]


def span_items(spans: Spans) -> Items:
    """Every span is an item."""
    return Items(spans.start, spans.end, spans.label, spans.tokens)


def names_in(text: str | None) -> frozenset[str]:
    """Labels in a list with commas.

    >>> sorted(names_in("LOC, ORG"))
    ['LOC', 'ORG']
    """
    return frozenset(filter(None, (name.strip() for name in (text or "").split(","))))


def are_names(value: object) -> bool:
    """Is it a list of labels, or None?"""
    return value is None or (isinstance(value, str) and bool(names_in(value)))


@once
def spans_of(
    corpus: Corpus,
    column: str,
    *,
    scheme: str = "auto",
    repair: str = "open",
    expected: str | None = None,
    suffix: bool | None = None,
) -> Decoding:
    """The spans of a layer or tag column; tags that are neither O nor PREFIX-TYPE are refused."""
    layer = corpus.layers.get(column)
    if isinstance(layer, Spans):
        return Decoding(layer, frozenset(), 0)
    tags = corpus.layer(column, Tags)
    bad = untyped(tags, suffix)
    if len(bad):
        form = "TYPE-PREFIX such as PER-B" if suffix else "PREFIX-TYPE such as B-PER"
        raise refused(
            corpus,
            column,
            bad,
            f"is neither O nor {form}",
            help="'--metric tags.accuracy' scores plain tags; '--columns' names the span column",
        )
    return decode(
        tags, corpus.offsets, scheme=scheme, repair=repair, expected=expected, suffix=suffix
    )


def stacked_remark(corpus: Corpus, column: str, tool: str) -> list[str]:
    """A note where tags are stacked, which a tool takes for odd types."""
    layer = corpus.layers.get(column)
    if not isinstance(layer, Tags):
        return []
    found = next((tag for tag in layer.labels.used_names() if len(stack(tag)) > 1), None)
    if found is None:
        return []
    _, _, kind = found.partition("-")
    return [f"{corpus.origin} has stacked tags such as {found}; {tool} takes '{kind}' for a type"]


def refused(corpus: Corpus, column: str, tokens: Int64, why: str, help: str) -> FormatError:
    """What is wrong with the tags of some tokens, with their lines and sentences."""
    tags = corpus.layer(column, Tags).labels
    problems = [
        Problem(
            f"tag '{tags[token]}' in column '{column}' {why}",
            int(corpus.lines[token]) if corpus.lines is not None else 0,
            corpus.sentence_id(int(corpus.sentence_of_token[token])),
            "tag",
        )
        for token in tokens[:MOST_PROBLEMS].tolist()
    ]
    return FormatError(corpus.origin, problems, help=help, unlisted=len(tokens) - len(problems))


@dataclass(frozen=True, repr=False)
class SpanMetric(Metric):
    """A measure of labelled spans, on any layer of spans or column of tags.

    `column` names the layer or column; by default the only one there is, or `main_of` all.
    `scheme` and `repair` say how tags become spans (docs/metrics/spans.f1.md).
    """

    family = "spans"
    item = "span"
    headline = "f1"
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
    suffix: bool | None = parameter(
        None,
        help="True if prefixes are at the end (PER-B), False if in front; detected by default",
        check=lambda value: value is None or isinstance(value, bool),
    )
    labels: str | None = parameter(
        None, help="labels in a list with commas: only these count", check=are_names
    )
    exclude: str | None = parameter(
        None, help="labels in a list with commas that do not count", check=are_names
    )

    def needs(self) -> frozenset[str] | None:
        """The column, or all while it is not settled."""
        return frozenset({self.column}) if self.column else None

    def facts(self, corpus: Corpus) -> frozenset[str]:
        """The column that would be scored, where none is named, and how its tags are written."""
        if self.column is None:
            name = self.chosen_column(corpus)
            return column_fact(name) | replace(self, column=name).facts(corpus)
        self.name_in(corpus)  # raises, with what there is
        try:
            return self.tag_facts(corpus)
        except FormatError:
            return frozenset()  # where the tags are judged, they are refused by their names

    def tag_facts(self, corpus: Corpus) -> frozenset[str]:
        """How the tags are written."""
        return self.decoded(corpus).facts

    def fit(self, facts: frozenset[str]) -> Self:
        """Settle the column and, since what is dropped must not depend on which file a sentence
        stands in, the scheme that all gold files together speak for."""
        fitted = with_column(self, facts)
        if self.repair == "drop" and self.scheme == "auto" and self.expected is None:
            return replace(fitted, expected=scheme_of(facts))
        return fitted

    def chosen_column(self, gold: Corpus) -> str:
        """The column that is scored where none is named."""
        there = self.candidates(gold)
        if there:
            return main_of(there)
        tags = [*gold.of_kind(Tags)]
        if len(tags) == 1 and gold.format == "columns":
            return tags[0]  # decode names the offending tags
        raise LayerError(
            f"{gold.origin} has no spans to score with {self.id}: no span layer, and no column "
            "in which every tag is O or PREFIX-TYPE",
            help="'--columns' names a file's columns; 'tertium validate' shows what was read",
        )

    def check_gold(self, gold: Corpus) -> None:
        """In a gold standard the column must have its own name: of the two, only a system may call
        it otherwise."""
        if self.column and not isinstance(gold.layers.get(self.column), Spans | Tags):
            gold.layer(self.column, Spans)  # raises, with what there is

    def name_in(self, corpus: Corpus) -> str:
        """The name of the layer or column that answers to `column` in a file."""
        name = self.column or "spans"
        layer = corpus.layers.get(name)
        if type(layer) is Spans or isinstance(layer, Tags):
            return name
        return counterpart(corpus, name, self.candidates(corpus))

    def candidates(self, corpus: Corpus) -> list[str]:
        """Names of the layers that hold spans for this measure, as such or as tags."""
        return span_layers(corpus)

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """Says so if the system's only span layer has another name."""
        name = self.name_in(system)
        found = [*column_remark(system, self.column or "spans", [name])]
        found += self._unknown_labels(gold, system)
        judged = self.expected or self.scheme
        if self.repair == "drop" and judged in ("iob", "ioe", "mixed"):
            found.append(
                f"{gold.origin} follows no scheme throughout ({judged}), so no span is "
                "irregular and none is dropped; 'expected=' names the scheme to judge by"
            )
        return found

    def settings(self, facts: frozenset[str]) -> dict[str, object]:
        """The scheme that all files together speak for stands in the signature."""
        shown = super().settings(facts)
        if self.scheme == "auto":
            shown["scheme"] = scheme_of(facts) if facts else "none"
        if SUFFIX in facts:
            shown["suffix"] = True
        for name in {"labels", "exclude"} & shown.keys():
            shown[name] = tuple(sorted(names_in(str(shown[name]))))
        return shown

    def _unknown_labels(self, gold: Corpus, system: Corpus) -> list[str]:
        """Which of the labels named nobody has."""
        asked = names_in(self.labels) | names_in(self.exclude)
        if not asked:
            return []
        sides = (self.decoded(corpus).spans for corpus in (gold, system))
        there = {name for spans in sides for name in spans.label.used_names()}
        return [
            f"no span of {gold.origin} or {system.origin} has the label '{name}'."
            f"{suggestion(name, sorted(there))}"
            for name in sorted(asked - there)
        ]

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """The rows of `judge`, with whatever is odd about the spans of both sides."""
        self.check_gold(gold)
        decisions = self.judge(gold, system, alignment)

        def coverage() -> dict[str, int]:
            found = self.oddities(gold, system)
            found |= {name: int(each.sum()) for name, each in decisions.unit_counts.items()}
            # No token is unaligned: spans are compared by the characters they cover.
            return {"unaligned": 0, **{name: count for name, count in found.items() if count}}

        return decisions.changed(own_coverage=coverage)

    @abstractmethod
    def judge(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per gold span, and one per span that the system has alone."""

    def oddities(self, gold: Corpus, system: Corpus) -> dict[str, int]:
        """How many spans of each side are irregular, left out for their label, or odd in a
        different way."""
        found = {
            "irregular_gold": self.decoded(gold).irregular,
            "irregular_system": self.irregular(system, gold),
        }
        for side, corpus in (("gold", gold), ("system", system)):
            found[f"excluded_{side}"] = int((~self.chosen(self.every(corpus))).sum())
        return found

    def items(self, corpus: Corpus) -> Items:
        """The spans of a side whose labels count."""
        every = self.every(corpus)
        if self.labels is None and self.exclude is None:
            return every
        return every.take(np.flatnonzero(self.chosen(every)))

    def every(self, corpus: Corpus) -> Items:
        """All spans of a side."""
        return span_items(self.decoded(corpus).spans)

    def chosen(self, items: Items) -> npt.NDArray[np.bool_]:
        """Which of some spans count by their label."""
        only, without = names_in(self.labels), names_in(self.exclude)
        return which(items.label, lambda name: name not in without and (not only or name in only))

    def decoded(self, corpus: Corpus) -> Decoding:
        """The spans of a side, and how they were read."""
        return spans_of(
            corpus,
            self.name_in(corpus),
            scheme=self.scheme,
            repair=self.repair,
            expected=self.expected,
            suffix=self.suffix,
        )

    def irregular(self, system: Corpus, gold: Corpus) -> int:
        """How many spans of a system are irregular by the scheme asked for, or that of gold."""
        found = self.decoded(system)
        tags = system.layers[self.name_in(system)]
        if self.expected is not None or self.scheme != "auto" or not isinstance(tags, Tags):
            return found.irregular
        expected = scheme_of(self.decoded(gold).facts)
        return irregular_by(found, tags, system.offsets, self.scheme, expected)
