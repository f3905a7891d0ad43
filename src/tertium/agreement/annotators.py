"""Annotators: what each says about the words of a text or the items of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tertium._version import __version__
from tertium.corpus.labels import Labels
from tertium.families.base import has_items
from tertium.families.family import main_metric
from tertium.families.token_labels import no_word_labels, word_labels
from tertium.formats.judgements import Judgements
from tertium.results.votes import Votes
from tertium.signature import Signature
from tertium.significance.score.counts import signature_of
from tertium.study.panel import Panel


@dataclass(frozen=True, eq=False)
class Annotators:
    """Annotators, and their votes on the words of a text or the items of a table.

    - `votes`: None where items are not labels of words, for which `reason` says why
    - `panel`, `metric`: of annotated texts, what was read, and the metric whose labels they are
    - `groups`: of every word, by the name of the key
    """

    sides: tuple[str, ...]
    votes: Votes | None
    reason: str = ""
    panel: Panel | None = None
    metric: str = ""
    signature: str = ""
    groups: Mapping[str, tuple[Labels, list[str]]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def of_table(cls, table: Judgements) -> Annotators:
        """Those of a table of judgements."""
        votes = Votes.from_judgements(table)
        signature = Signature.make("agree", {**table.settings, "tertium": __version__})
        return cls(votes.sides, votes, signature=str(signature))

    @classmethod
    def of(cls, panel: Panel) -> Annotators:
        """The votes of all sides on words. A side may have some sentences only; where it lacks one
        it is silent."""
        study, sides, names = panel.study, panel.sides, panel.names
        texts = [repr(metric) for metric in panel.metrics]
        judging = [t for t, m in zip(texts, panel.metrics, strict=True) if has_items(m)] or texts
        main = judging[0] if study.metrics is not None else main_metric(judging)
        fitted = panel.fitted[texts.index(main)]
        panel.check(fitted)
        facts = frozenset().union(*map(fitted.facts, sides))
        remarks = [note for side in sides[1:] for note in fitted.remarks(sides[0], side)]
        notes = tuple(dict.fromkeys([*panel.notes, *remarks, *panel.coverage]))
        signature = str(signature_of(fitted, facts, study))
        if reason := no_word_labels(fitted):
            return cls(names, None, reason, panel, main, signature, notes=notes)
        text = panel.text
        said = (word_labels(fitted, side, panel.partner(n)) for n, side in enumerate(sides))
        labels, partners = zip(*said, strict=True)
        votes = Votes.of(names, labels, partners, text.sentence_of_token, text.sentence_count)
        keyed = [study, *study.regrouped] if study.by else []
        groups = {each.by_name or "": panel.groups(each) for each in keyed}
        return cls(names, votes, "", panel, main, signature, groups, notes)
