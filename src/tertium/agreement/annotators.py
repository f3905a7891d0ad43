"""Annotators: what each says about the words of a text or the items of a table, and how every two
score against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.exceptions import UsageError
from tertium.families.base import has_items
from tertium.families.family import main_metric
from tertium.families.token_labels import no_word_labels, word_labels
from tertium.formats.judgements import Judgements, read_judgements
from tertium.formats.resources import LabelMap, load_maps
from tertium.results.names import pseudonyms
from tertium.results.votes import Votes
from tertium.significance.score.counts import signature_of
from tertium.study.panel import Panel
from tertium.study.sides import Runs, several


def read_table(table: Any, reading: Mapping[str, Any], *, hides_names: bool = False) -> Judgements:
    """A table of judgements, with labels renamed where that is wanted, and annotators if their
    names are to be hidden."""
    if isinstance(table, Corpus | Runs):
        raise UsageError("give two or more annotators, or a table of judgements")
    for name in sorted(reading.keys() - {"columns", "map_labels", "labels"}):
        if reading[name] not in (None, (), False, "auto", "fail"):
            flag = f"--{name.removesuffix('_files').replace('_', '-')}"
            raise UsageError(
                f"'{flag}' needs annotated texts, not a table of judgements",
                help="give one file per annotator",
            )
    found = read_judgements(table, columns=reading.get("columns"))
    maps = load_maps(several("map_labels", reading.get("map_labels"), LabelMap, "files of labels"))
    if any(each.side or each.layer for each in maps):
        raise UsageError("'--map-labels' cannot name a side or a layer of a table of judgements")
    names = {old: new for each in maps for old, new in each.mapping.items()}
    gold = found.gold and found.gold.rename(names)
    found = replace(found, label=found.label.rename(names), gold=gold) if names else found
    people = pseudonyms(found.annotator.names.strings) if hides_names else {}
    return replace(found, annotator=found.annotator.rename(people)) if people else found


# -- the labels of words -----------------------------------------------------------------------


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
