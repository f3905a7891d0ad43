"""`deps.ud`: all the numbers of an official evaluation of parsers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from tertium.align.tokens import Alignment, align, same_ranges
from tertium.corpus.corpus import Corpus
from tertium.exceptions import AlignmentError, FormatError, Problem, UsageError, suggestion
from tertium.families.base import HAS, Metric
from tertium.families.deps.attachment import LAS, LS, UAS, Attachment
from tertium.families.deps.base import DepsMetric
from tertium.families.deps.content import BLEX, CLAS, MLAS
from tertium.families.deps.enhanced import ELAS, EULAS
from tertium.families.deps.segments import Sentences, Tokens, Words
from tertium.families.deps.tags import UPOS, XPOS, AllTags, Lemmas, UFeats
from tertium.families.sets import Member, MetricSet
from tertium.formats.base import ROOTED
from tertium.formats.refusals import refusals
from tertium.registry import parameter
from tertium.results.decisions import Decisions

CONLL_2018_NUMBERS: tuple[type[DepsMetric], ...] = (
    *(Tokens, Sentences, Words),
    *(UPOS, XPOS, UFeats, AllTags, Lemmas),
    *(UAS, LAS, CLAS, MLAS, BLEX),
)
ATTACHMENTS: tuple[type[Attachment], ...] = (UAS, LAS, LS)
TAGS = ("lemma", "upos", "xpos", "feats")
TOOLS = {
    "conll18": "the CoNLL 2018 evaluation",
    "udtools": "udtools",
    "conll07": "eval07.pl",
    "compareval": "ComparEval",
}


@dataclass(frozen=True, repr=False)
class UD(MetricSet):
    """Every number of the CoNLL 2018 evaluation, from tokens to BLEX.

    `compat` names the evaluation: "conll18" (the shared task's script, which refuses files that are
    not as it expects them), "udtools" (the same with ELAS and EULAS; several roots are fine),
    "conll07" (UAS, LAS and LS of eval07.pl) or "compareval" (the same as Tuggener 2017 counts).
    `punct='form'` is the option -p of eval07.pl. `numbers` chooses some of them: `deps.ud.las` is
    `deps.ud(numbers='las')`.
    """

    id = "deps.ud"
    title = "all numbers of the UD evaluation"
    header = "UD evaluation"
    family = "deps"
    cite = f"{DepsMetric.cite}\n\n{ELAS.cite}"

    compat: str = parameter("conll18", help="which evaluation to follow", choices=tuple(TOOLS))
    punct: str = parameter(
        "keep", help="which words are not scored (conll07 only)", choices=("keep", "form")
    )
    undefined: str = parameter("zero", help="how 0 / 0 is shown", choices=("null", "zero"))
    numbers: str | None = parameter(None, help="which numbers, separated by commas; None for all")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.punct != "keep" and self.compat != "conll07":
            raise UsageError(
                f"{self.id}: compat='{self.compat}' has no choice of punctuation",
                help="compat='conll07' takes punct='form' for the option -p of eval07.pl",
            )
        there = [*self._all()]
        unknown = next((name for name in self._chosen if name not in there), None)
        if unknown is not None:
            near = suggestion(unknown, there)
            if unknown in ("elas", "eulas"):
                near = f" It is one of compat='udtools': {self.id}.{unknown}(compat='udtools')."
            raise UsageError(
                f"{self.id}: compat='{self.compat}' has no number '{unknown}'.{near}",
                help=f"there are: {', '.join(there)}",
            )

    def members(self) -> Mapping[str, Metric]:
        """The numbers in the order of the evaluation's own table."""
        found = {name: metric for name, metric in self._all().items() if name in self._chosen}
        looked_at = frozenset[str]().union(*(metric.columns for metric in found.values()))
        whole = replace(self, numbers=None)
        return {name: _number(metric, whole, looked_at) for name, metric in found.items()}

    def pick(self, name: str) -> Metric:
        """The number of that name."""
        return replace(self, numbers=name).members()[name]

    @property
    def is_ud(self) -> bool:
        """Is it an evaluation of UD, which looks at more than trees?"""
        return self.compat in ("conll18", "udtools")

    @property
    def _chosen(self) -> list[str]:
        if self.numbers is None:
            return [*self._all()]
        return [name.strip() for name in self.numbers.split(",")]

    def _all(self) -> dict[str, DepsMetric]:
        if not self.is_ud:
            trees = (metric(compat=self.compat, punct=self.punct) for metric in ATTACHMENTS)
            return {_short(type(metric)): metric for metric in trees}
        found: dict[str, DepsMetric] = {_short(metric): metric() for metric in CONLL_2018_NUMBERS}
        if self.compat == "udtools":
            found |= {"elas": ELAS(compat="udtools"), "eulas": EULAS(compat="udtools")}
        return found


@dataclass(frozen=True, repr=False)
class UDNumber(Member, DepsMetric):
    """What the numbers of an evaluation have in common; each is also a metric of one number.

    The evaluation pairs words in its own way, refuses some files, and reads a column that is not
    given as `_`. `looked_at` are the columns of all numbers requested together.
    """

    of: UD = field(default_factory=UD)
    looked_at: frozenset[str] = field(default=frozenset(), compare=False)
    inner: ClassVar[type[DepsMetric]]

    def __repr__(self) -> str:
        return f"{self.id}{repr(self.of).removeprefix(self.of.id)}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _number, (self.plain, self.of, self.looked_at)

    def parameters(self) -> dict[str, object]:
        """Those of the evaluation."""
        return {name: value for name, value in self.of.parameters().items() if name != "numbers"}

    @property
    def header(self) -> str:
        """As the metric of one number is called."""
        return self.plain.header

    @property
    def member(self) -> tuple[str, str]:
        """The evaluation and the number."""
        return repr(self.of), _short(self.inner)

    @property
    def plain(self) -> DepsMetric:
        """The metric of one number."""
        return self.inner(**{f.name: getattr(self, f.name) for f in fields(self.inner)})

    @property
    def zero_because(self) -> str:
        """Whose convention it is."""
        return f"as in {TOOLS[self.of.compat]}" if self.of.undefined == "zero" else ""

    def needs(self) -> frozenset[str]:
        """Trees in any case: the evaluation looks at roots whatever the number. Only the shared
        task's script refuses several, and it does that itself."""
        nodes = {"empty"} if self.of.compat == "conll18" else set()
        return (frozenset({"deps", *nodes}) | (super().needs() or frozenset())) - {ROOTED}

    def facts(self, corpus: Corpus) -> frozenset[str]:
        """Which of its columns there are; trees are needed."""
        LAS().facts(corpus)
        return frozenset(f"{HAS}{name}" for name in self.columns if name in corpus.layers)

    def settings(self, facts: frozenset[str]) -> dict[str, object]:
        """What the evaluation does about punctuation, and its other parameters."""
        shown = self.parameters()
        if self.of.compat == "compareval":
            shown["punct"] = "deprel"
        return shown

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """As the metric of one number; what was scored are the words that count in any of them."""

        def coverage() -> dict[str, int]:
            if self.of.is_ud:
                return {"scored": gold.token_count}
            trees = ATTACHMENTS[0](compat=self.of.compat, punct=self.of.punct)
            return {"scored": int(trees.counted_words(gold).sum())}

        return super().decide(gold, system, alignment).changed(own_coverage=coverage)

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """Says which columns are not there."""
        found = []
        for corpus in (gold, system) if self.of.is_ud else ():
            lacking = [n.upper() for n in TAGS if n in self.looked_at and n not in corpus.layers]
            if lacking:
                named = ", ".join(lacking)
                found.append(f"{corpus.origin} has no {named}: read as '_', as the evaluation does")
        return found

    def aligned(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Alignment:
        """By characters, if the evaluation accepts both files; all its numbers ask once."""
        if not self.of.is_ud:
            return super().aligned(gold, system, alignment)
        several = self.of.compat == "udtools"
        known = alignment.derived.get((UDNumber, several))
        if known is not None and known[0] is gold and known[1] is system:
            found: Alignment = known[2]
            return found
        for corpus in (gold, system):
            wrong = refusals(corpus, several_roots_ok=several)
            if wrong:
                raise FormatError(corpus.origin, wrong, help=_advice(wrong))
        found = _by_characters(gold, system, alignment)
        alignment.derived[UDNumber, several] = gold, system, found
        return found


def _short(metric: type[Metric]) -> str:
    return metric.id.removeprefix("deps.")


def _class(metric: type[DepsMetric]) -> type[UDNumber]:
    """The number of the evaluation that a metric gives."""
    own = {"id": f"{UD.id}.{_short(metric)}", "inner": metric, "__module__": __name__}
    made = type(metric.__name__, (UDNumber, metric), {**own, "__doc__": metric.__doc__})
    return dataclass(frozen=True, repr=False)(made)


_CLASSES = {m: _class(m) for m in (*CONLL_2018_NUMBERS, LS, ELAS, EULAS)}


def _number(metric: DepsMetric, of: UD, looked_at: frozenset[str]) -> UDNumber:
    given = {f.name: getattr(metric, f.name) for f in fields(metric)}
    return _CLASSES[type(metric)](**given, of=of, looked_at=looked_at)


def _by_characters(gold: Corpus, system: Corpus, alignment: Alignment) -> Alignment:
    """Words paired as the UD evaluation does, which needs equal characters.

    Where words and multiword tokens are the same on both sides, that is one to one already.
    """
    if alignment.method == "characters" and not alignment.loose:
        return alignment
    one_to_one = alignment.method in ("tokens", "position") and same_ranges(gold, system)
    if one_to_one and gold.forms == system.forms:
        return alignment
    try:
        return align(gold, system, method="characters", strict=True)
    except AlignmentError as error:
        raise AlignmentError(
            *error.written[0].split("\n"),
            help="the UD evaluation pairs words by the characters of tokens and ignores "
            "'--align'; deps.las and the other single metrics follow it",
        ) from None


def _advice(found: Sequence[Problem]) -> str:
    """What to do about what the evaluation refuses."""
    if all(problem.kind == "head" and "root" in problem.message for problem in found):
        return (
            "the UD evaluation requires a single root; deps.ud(compat='udtools') and "
            "deps.las(compat='conll07') take several"
        )
    return "the UD evaluation refuses such a file; deps.las and other metrics of one number take it"
