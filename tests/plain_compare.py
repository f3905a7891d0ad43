"""Comparison of systems as plainly as it can be written: what `tertium.compare` must find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import tertium
from tertium.results.decisions import CORRECT, EXTRA

SILENT = "says nothing"


@dataclass(frozen=True)
class Word:
    """What one system says about an item."""

    answer: Hashable
    right: bool
    label: str | None
    type: str | None = None


@dataclass
class Table:
    """All items: the gold label of each gold item, and what every system says about each item."""

    gold: Mapping[Hashable, str | None]
    words: Sequence[Mapping[Hashable, Word]]
    unit: Mapping[Hashable, int] = field(default_factory=dict)

    def word(self, system: int, item: Hashable) -> Word:
        """To say nothing is wrong about a gold item and right about any other."""
        return self.words[system].get(item, Word(SILENT, item not in self.gold, None))

    def items(self, *systems: int) -> list[Hashable]:
        """Gold items and what these systems add."""
        added = [i for s in systems for i in self.words[s] if i not in self.gold]
        return [*self.gold, *dict.fromkeys(added)]


def tags(gold: Sequence[Sequence[str]], *systems: Sequence[Sequence[str]]) -> Table:
    """Tokens with tags (or with heads and labels as tuples)."""
    places = [(n, i) for n, sentence in enumerate(gold) for i in range(len(sentence))]
    return Table(
        {(n, i): gold[n][i] for n, i in places},
        [
            {(n, i): Word(s[n][i], s[n][i] == gold[n][i], s[n][i]) for n, i in places}
            for s in systems
        ],
        {place: place[0] for place in places},
    )


def decided(gold: Any, *systems: Any, metric: str, **options: Any) -> Table:
    """From decisions: whatever a metric judges."""
    labels: dict[Hashable, str | None] = {}
    unit: dict[Hashable, int] = {}
    words = []
    for system in systems:
        rows = tertium.decide(gold, system, metric, **options)
        names = [*rows.names, None]
        said: dict[Hashable, Word] = {}
        for row in range(len(rows)):
            item, outcome = int(rows.item[row]), int(rows.outcome[row])
            assert item not in said
            unit[item] = int(rows.unit[row])
            if outcome != EXTRA:
                labels[item] = names[rows.gold[row]]
            said[item] = Word(
                int(rows.answer[row]),
                outcome == CORRECT,
                names[rows.system[row]],
                rows.error_types[rows.error_type[row]],
            )
        words.append(said)
    return Table(labels, words, unit)


@dataclass
class Counts:
    """What became of the items from one system to another."""

    items: int = 0
    different: int = 0
    corrections: int = 0
    new_errors: int = 0
    changed_errors: int = 0
    both_right: int = 0
    transitions: Counter[tuple[str, str | None, str | None, str | None]] = field(
        default_factory=Counter
    )


def algorithm1(table: Table, a: int, b: int) -> Counts:
    """Algorithm 1 of Tuggener (2017), with extra items and several right answers."""
    found = Counts()
    for item in table.items(a, b):
        one, other = table.word(a, item), table.word(b, item)
        found.items += 1
        if one.answer == other.answer:
            continue
        found.different += 1
        gold = None
        if one.right and other.right:
            found.both_right += 1
            continue
        if other.right:
            kind = "corrections"
            found.corrections += 1
        elif one.right:
            kind = "new_errors"
            found.new_errors += 1
        else:
            kind = "changed_errors"
            found.changed_errors += 1
            gold = table.gold.get(item)
        found.transitions[kind, gold, one.label, other.label] += 1
    return found


def overlap_right(table: Table, a: int, b: int) -> float:
    """Table 1: shared right answers, twice, over right answers of both."""
    right = [{i for i in table.gold if table.word(s, i).right} for s in (a, b)]
    return 2 * len(right[0] & right[1]) / (len(right[0]) + len(right[1]))


def bound(table: Table, systems: Sequence[int], label: str | None = None) -> int:
    """Gold items (of a label) that at least one of the systems has right."""
    return sum(
        any(table.word(s, i).right for s in systems)
        for i, gold in table.gold.items()
        if label in (None, gold)
    )


def right(table: Table, system: int) -> int:
    """Gold items that a system has right."""
    return bound(table, [system])


def pattern_counts(table: Table) -> Counter[tuple[int, ...]]:
    """Gold items by who has them right."""
    systems = range(len(table.words))
    return Counter(tuple(s for s in systems if table.word(s, i).right) for i in table.gold)


def check(view: Any, table: Table, *, transitions: bool = True) -> None:
    """A view has what the plain way finds."""
    count = len(table.words)
    assert view.answers.gold_items == len(table.gold)
    pairs = {p.rows: p for p in view.pairs}
    assert list(pairs) == [*combinations(range(count), 2)]
    for (a, b), pair in pairs.items():
        plain = algorithm1(table, a, b)
        for name in ("items", "different", "corrections", "new_errors", "changed_errors"):
            assert getattr(pair, name) == getattr(plain, name), (name, pair)
        assert pair.both_right == plain.both_right
        assert (pair.right_a, pair.right_b) == (right(table, a), right(table, b))
        if pair.right_a + pair.right_b:
            assert pair.overlap_right == overlap_right(table, a, b)
        if transitions:
            told = Counter(
                {
                    (kind, t.gold, t.a, t.b): t.count
                    for kind in ("corrections", "new_errors", "changed_errors")
                    for t in pair.transitions(kind, "labels")
                }
            )
            assert told == plain.transitions
    oracle = view.oracle
    assert oracle.correct == bound(table, range(count))
    patterns = pattern_counts(table)
    assert {p.systems: p.count for p in oracle.patterns} == {
        tuple(view.systems[s] for s in who): n for who, n in patterns.items()
    }
    for row in oracle.labels:
        assert row.items == sum(gold == row.label for gold in table.gold.values())
        assert row.bound == bound(table, range(count), row.label)
        assert row.right == tuple(bound(table, [s], row.label) for s in range(count))
