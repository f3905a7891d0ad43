"""What answers became from one system to another (Tuggener 2017, Tables 4 and 6)."""

from __future__ import annotations

from tertium.comparison.pairs import Pair, Transition
from tertium.comparison.compare.look import ALL, ARROW, Choice
from tertium.comparison.compare.changes import CLASSES, fraction
from tertium.results.blocks import Cell, Column, Table
from tertium.results.texts import counted

USUAL = 5
NONE = "none"


def written(transition: Transition) -> str:
    """`NN → NE`, of a changed error `gold → NN → NE`; `none` where there is nothing."""
    names = [transition.a, transition.b]
    if transition.gold is not None:
        names.insert(0, transition.gold)
    return f" {ARROW} ".join(NONE if name is None else name for name in names)


def transition_table(pair: Pair, choice: Choice) -> Table:
    """Class by class the most frequent transitions, with their share of the class."""
    rows: list[tuple[Cell, ...]] = []
    contests: list[str] = []
    hidden = 0
    for kind, name in CLASSES.items():
        count = getattr(pair, kind)
        rows.append((name, ALL, count, fraction(count, pair.different, "there are no differences")))
        found = pair.transitions(kind)
        shown = found[: choice.rows(USUAL)]
        hidden += len(found) - len(shown)
        rows += [(name, written(t), t.count, t.count / count) for t in shown]
        contests += [name] * (1 + len(shown))
    if pair.both_right:
        count = pair.both_right
        rows.append(("both right", ALL, count, count / pair.different))
        contests.append("both right")
    size = "" if pair.diff is None else f"{100 * pair.diff:.2f} % "
    return Table(
        (
            Column("difference"),
            Column("transition"),
            Column("items", "", "count"),
            Column("share", "", "percent"),
        ),
        tuple(rows),
        title=f"{pair.metric}: {pair.a} {ARROW} {pair.b}, "
        f"difference {size}({pair.different:,}/{pair.items:,})",
        keys=2,
        contests=tuple(contests),
        omitted=choice.hidden(counted(hidden, "rarer transition")) if hidden else "",
        note=_note(pair),
    )


def class_transitions(pair: Pair, kind: str, most: int) -> Table:
    """One class by itself: its most frequent transitions."""
    count, found = getattr(pair, kind), pair.transitions(kind)
    left = found[most:]
    size = "" if not pair.different else f" ({100 * count / pair.different:.2f} %)"
    return Table(
        (
            Column("gold → A → B" if any(t.gold for t in found) else "A → B"),
            Column("items", "", "count"),
            Column("share", "", "percent"),
        ),
        tuple((written(t), t.count, t.count / count) for t in found[:most]),
        title=f"{CLASSES[kind]}: {count:,}{size}",
        omitted=f"and {counted(len(left), 'rarer transition')} of "
        f"{counted(sum(t.count for t in left), 'item')}"
        if left
        else "",
    )


def _note(pair: Pair) -> str:
    found = "share: of a class among all differences, of a transition in its class"
    if any(t.gold is not None for t in pair.transitions("changed_errors")):
        found += f"; changed errors are gold {ARROW} {pair.a} {ARROW} {pair.b}"
    return found
