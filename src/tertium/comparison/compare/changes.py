"""Tables of what changed between systems: how much every two differ, what the differences are, what
answers became, and the same by label and inside groups."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tertium.comparison.compare.look import ALL, ARROW, CompareLook, chosen_pairs
from tertium.comparison.compare.views import View
from tertium.comparison.pairs import CLASSES, Pair, Transition, share
from tertium.families.family import family
from tertium.results.blocks import Bars, Block, Cell, Column, Matrix, Table, kind_of, or_missing
from tertium.results.parts import EXACT_MATCH, legend
from tertium.results.texts import counted, in_words, rest_text
from tertium.significance.score.result import Scores

MOST_BARS = 28  # all pairs of eight systems
MOST_NUMBERED = 20
TRANSITIONS, LABELS = 5, 10  # rows of a table
NONE, WHOLE = "none", "all"
_NO_DIFFERENCES = "there are no differences"
# Headers of the classes of differences where there is little room.
_CLASSES = [
    Column(in_words(kind).removesuffix(" errors"), "differences", "count") for kind in CLASSES
]


def detailed_pairs(scores: Scores, view: View, look: CompareLook) -> list[Pair]:
    """The pairs of a view that are shown in full: those asked for, else the two best systems by the
    headline of the metric, in the order given; of equals the first, of runs the best of each
    system."""
    if look.pairs:
        chosen = chosen_pairs(scores.systems, look.pairs)
        return [view.pair(a, b) for a, b in chosen if a in view.systems and b in view.systems]
    sign = scores.part(view.metric).sign

    def place(number: int) -> tuple[bool, float, int]:
        value = _value(scores, view, view.systems[number])
        return (value is None, 0.0 if value is None else -sign * value, number)

    first, *others = sorted(range(len(view.systems)), key=place)
    of = [scores.owner(name) for name in view.systems]
    # Two runs of one system are compared if there is nothing else.
    second = next((n for n in others if of[n] != of[first]), others[0])
    a, b = sorted((first, second))
    return [view.pair(view.systems[a], view.systems[b])]


def _value(scores: Scores, view: View, system: str) -> float | None:
    found = scores.find(system, view.metric)
    return None if found is None else found.value


def pair_blocks(scores: Scores, view: View, look: CompareLook) -> list[Block]:
    """Tables of all pairs, of how much they differ and of what the differences are; where it helps,
    a matrix and bars."""
    size = len(view.systems)
    blocks: list[Block] = [difference_table(scores, view)]
    # In a text the numbers of a few pairs are read as easily in the table.
    if size > (2 if look.draws else 3):
        blocks.append(difference_matrix(view, numbered=look.is_text))
    if size > 2:  # the transitions of a single pair say it, too
        blocks.append(class_table(view))
    if look.draws or (look.is_text and size > 2):
        blocks += class_bars(view)
    return blocks


def difference_table(scores: Scores, view: View) -> Table:
    """How many items differ beside the change of the score (Tuggener 2017, Tables 3 and 5), and
    what two systems share: right answers, all answers, fully correct sentences."""
    first = next((r for r in scores if r.metric == view.metric), None)
    headline = first.part().header if first else "value"
    complete = any(pair.complete is not None for pair in view.pairs)
    columns = (
        Column(f"{view.item}s", "different", "count"),
        Column("diff", "different", "percent"),
        Column(headline, "change", kind_of(scores.part(view.metric).kind, "delta")),
        Column("correct", "agreement", "percent"),
        Column("all", "agreement", "percent"),
        *([Column("both", EXACT_MATCH, "count")] if complete else []),
    )
    nothing = f"there are no {view.item}s"
    rows: list[list[Cell]] = []
    for pair in view.pairs:
        a, b = (_value(scores, view, name) for name in (pair.a, pair.b))
        change = None if a is None or b is None else b - a
        cells: list[Cell] = [
            pair.different,
            or_missing(pair.diff, nothing),
            or_missing(change, "undefined for one of the two"),
            or_missing(pair.overlap_right, "nothing is correct"),
            or_missing(pair.overlap_all, nothing),
        ]
        if complete:
            cells.append(None if pair.complete is None else pair.complete.both)
        rows.append(cells)
    return _of_pairs(view, columns, rows, "differences between systems", _difference_note(view))


def _difference_note(view: View) -> str:
    found = []
    if view.average_diff is not None and len(view.pairs) > 1:
        found.append(f"average diff {100 * view.average_diff:.2f}")
    found.append(f"agreement on correct answers and on all {view.item}s")
    if view.shared == "common":
        found.append(f"{view.item}s: those of gold that both systems annotate")
    elif view.has_extra:
        found.append(f"{view.item}s: those of gold and false positives of either system")
    if not view.of_words:
        found.append(f"{EXACT_MATCH}: {view.unit}s without an error")
    return "; ".join(found)


def class_table(view: View) -> Table:
    """How many differences are corrections, new errors and changed errors."""
    columns: list[Column] = []
    for name in map(in_words, CLASSES):
        columns += [Column(f"{view.item}s", name, "count"), Column("share", name, "percent")]
    others = any(pair.both_right for pair in view.pairs)
    columns += [Column(f"{view.item}s", "both correct", "count")] if others else []
    rows: list[list[Cell]] = []
    for pair in view.pairs:
        cells: list[Cell] = []
        for count in pair.counts:
            cells += [count, or_missing(share(count, pair.different), _NO_DIFFERENCES)]
        rows.append([*cells, *([pair.both_right] if others else [])])
    return _of_pairs(view, columns, rows, "classes of differences")


def _of_pairs(
    view: View,
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    title: str,
    note: str = "",
) -> Table:
    return Table(
        (Column("from"), Column("to"), *columns),
        tuple((p.a, p.b, *row) for p, row in zip(view.pairs, rows, strict=True)),
        title=f"{view.metric}: {title}",
        keys=2,
        contests=tuple(pair.a for pair in view.pairs),
        note=note,
    )


def difference_matrix(view: View, *, numbered: bool = False) -> Matrix:
    """How much each two systems differ, similar ones side by side. `numbered` puts numbers in place
    of names above the columns."""
    order = [view.systems.index(name) for name in view.order]
    rows: Sequence[str] = view.order
    columns: Sequence[str] = view.order
    if numbered and len(order) <= MOST_NUMBERED:
        rows = [f"{n} {name}" for n, name in enumerate(view.order, 1)]
        columns = [str(n) for n in range(1, len(order) + 1)]
    values = [[None if a == b else view.differences[a][b] for b in order] for a in order]
    smallest, largest = colour_range([v for row in values for v in row if v is not None])
    return Matrix(
        tuple(rows),
        tuple(columns),
        tuple(map(tuple, values)),
        title=f"{view.metric}: share of {view.item}s on which two systems differ",
        row_axis="system",
        kind="percent",
        note="systems are ordered by similarity",
        largest=largest,
        smallest=smallest,
        name="differences",
    )


def colour_range(shares: Sequence[float]) -> tuple[float, float | None]:
    """Round numbers around some shares, so that colours tell them apart, but do not make much of
    less than a percentage point.

    >>> colour_range([0.3901, 0.5735]), colour_range([0.012, 0.081]), colour_range([0.5011])
    ((0.35, 0.6), (0.0, 0.1), (0.5, 0.51))
    """
    if not shares:
        return 0.0, None
    low, high = 100 * min(shares), 100 * max(shares)
    step = next((s for s in (1, 2, 5, 10) if high - low <= 4 * s), 20)
    first = math.floor(low / step) * step
    return first / 100, max(math.ceil(high / step) * step, first + step) / 100


def drawn_pairs(view: View) -> list[Pair]:
    """The pairs that have a bar, those without differences and, of very many, the last left out."""
    return [pair for pair in view.pairs if pair.different][:MOST_BARS]


def class_bars(view: View) -> list[Block]:
    """What the differences of each pair are, as bars."""
    pairs = drawn_pairs(view)
    if not pairs:
        return []
    left = sum(pair.different > 0 for pair in view.pairs) - len(pairs)
    others = any(pair.both_right for pair in pairs)
    return [
        Bars(
            tuple(f"{pair.a} {ARROW} {pair.b}" for pair in pairs),
            (*map(in_words, CLASSES), *(["both correct"] if others else [])),
            tuple((*pair.counts, *([pair.both_right] if others else [])) for pair in pairs),
            title=f"{view.metric}: corrections, new and changed errors",
            axis="difference",
            unit=f"{view.item}s",
            note=f"{counted(left, 'more pair')} in the table of differences" if left else "",
            numbers=False,
            name="changes",
        )
    ]


def written(transition: Transition) -> str:
    """`NN → NE`, of a changed error `gold → NN → NE`; `none` where there is nothing."""
    names = [transition.a, transition.b]
    if transition.gold is not None:
        names.insert(0, transition.gold)
    return f" {ARROW} ".join(NONE if name is None else name for name in names)


def transition_table(pair: Pair, look: CompareLook, *told: str) -> Table:
    """Class by class the most frequent transitions, with their shares of all differences (Tuggener
    2017, Table 8) and of the class (Tables 4 and 6). `told` is further said below."""
    rows: list[tuple[Cell, ...]] = []
    hidden = 0
    note = ["shares: of all differences, and of those of the same class"]
    every: list[Transition] = []
    for kind, count in zip(CLASSES, pair.counts, strict=True):
        name, found = in_words(kind), pair.transitions(kind)
        whole = or_missing(share(count, pair.different), _NO_DIFFERENCES)
        rows.append((name, ALL, count, whole, None))
        shown = found[: look.rows(TRANSITIONS)]
        hidden += len(found) - len(shown)
        rows += [
            (name, written(t), t.count, t.count / pair.different, t.count / count) for t in shown
        ]
        if any(t.gold is not None for t in found):
            note.append(f"changed errors: gold {ARROW} {pair.a} {ARROW} {pair.b}")
        every += shown
    if pair.both_right:
        rows.append(("both correct", ALL, pair.both_right, pair.both_right / pair.different, None))
    size = "" if pair.diff is None else f"{100 * pair.diff:.2f}% "
    of = f"{pair.items:,}{f' {pair.which}' if pair.shared == 'common' else ''}"
    return Table(
        (
            Column("difference"),
            Column("transition"),
            Column(f"{pair.item}s", "", "count"),
            Column("of all", "share", "percent"),
            Column("of class", "share", "percent"),
        ),
        tuple(rows),
        title=f"{_title(pair)}, difference {size}({pair.different:,}/{of})",
        keys=2,
        contests=tuple(str(row[0]) for row in rows),
        omitted=rest_text(hidden, is_text=look.is_text, noun="rarer transition"),
        note="; ".join(filter(None, (*note, same_label(pair, every), *told))),
    )


def _title(pair: Pair) -> str:
    return f"{pair.metric}: {pair.a} {ARROW} {pair.b}"


def same_label(pair: Pair, found: Sequence[Transition]) -> str:
    """What a transition from a label to itself is, where there is one."""
    if pair.mode == "types" or not any(t.a == t.b for t in found):
        return ""
    return f"X {ARROW} X: same label, different {family(pair.layer).place}"


def type_legend(view: View, found: Sequence[Transition] | None = None) -> str:
    """What types of error in transitions mean, of all or of some, and `none`."""
    every = view.answers.types
    if found is not None:
        names = {(name or "").partition(" ")[0] for t in found for name in (t.a, t.b)}
        every = tuple(name for name in every if name in names)
    silence = f"{NONE} no such {view.item}, which is correct if gold has none"
    told = legend(every, view.error_types), "" if view.answers.silence else silence
    return "; ".join(filter(None, told))


def label_tables(pairs: Sequence[Pair], look: CompareLook) -> list[Table]:
    """Gold labels with both accuracies and what became of their items (Tuggener 2017, Table 12), a
    table for each pair that has any.

    Largest difference first, or with `sort="frequency"` the most frequent label.
    """
    tables = []
    order = "frequency" if look.sort == "frequency" else "difference"
    for pair in pairs:
        labels = pair.labels
        if order == "frequency":
            labels = sorted(labels, key=lambda row: (-row.items, row.label))
        shown = labels[: look.rows(LABELS)]
        left = len(labels) - len(shown)
        adds = pair.items > pair.gold_items
        table = Table(
            (
                Column("label"),
                Column(f"{pair.item}s", "", "count"),
                Column(pair.a, "correct", "percent"),
                Column(pair.b, "correct", "percent"),
                Column("change", "correct", "delta"),
                *_CLASSES,
            ),
            tuple(
                (row.label, row.items, row.accuracy_a, row.accuracy_b, row.delta,
                 row.corrections, row.new_errors, row.changed_errors)
                for row in shown
            ),
            title=f"{_title(pair)}, labels by {order}",
            note=f"gold {pair.item}s only: false positives have no gold label" if adds else "",
            omitted=rest_text(left, is_text=look.is_text, noun="more label"),
        )  # fmt: skip
        tables += [table] if labels else []
    return tables


def right_word(view: View) -> str:
    """What a share of gold items is called: where systems can add items, recall."""
    return "recall" if view.has_extra else family(view.layer).share


def systems_and_bound(view: View) -> tuple[Column, ...]:
    """Columns of the share that every system has right, and of the oracle."""
    word = right_word(view)
    return (
        *(Column(name, word, "percent", "higher", contest=word) for name in view.systems),
        Column(word, "oracle", "percent", bound=True),
        Column("gain", "oracle", "delta"),
    )


def group_blocks(view: View, by: str, pairs: Sequence[Pair]) -> list[Block]:
    """Groups against systems with their upper bound, and what changed in each, pair by pair."""
    if not view.groups:
        return []
    tables: list[Block] = [group_changes(view, by, pair) for pair in pairs]
    # Of two systems, the table of differences says all of it.
    return tables if tables and len(view.systems) == 2 else [group_table(view, by), *tables]


def group_table(view: View, by: str) -> Table:
    """Every system in every group, and the upper bound there."""
    empty = f"there are no gold {view.item}s in the group"
    rows: list[tuple[Cell, ...]] = []
    for name, part in {WHOLE: view, **view.groups}.items():
        oracle = part.oracle
        right = [share(count, oracle.items) for count in oracle.right.tolist()]
        cells = [or_missing(each, empty) for each in (*right, oracle.bound, oracle.gain)]
        rows.append((name, oracle.items, *cells))
    return Table(
        (Column(by), Column(f"{view.item}s", "", "count"), *systems_and_bound(view)),
        tuple(rows),
        title=f"{view.metric}: systems by {by}",
        note="gain: over the best system in the group",
    )


def group_changes(view: View, by: str, pair: Pair) -> Table:
    """What changed between two systems in every group."""
    empty = f"there are no gold {view.item}s in the group"
    rows: list[tuple[Cell, ...]] = []
    for name, part in {WHOLE: view, **view.groups}.items():
        found = part.pair(pair.a, pair.b)
        bound = share(found.right_a + found.right_b - found.shared_right, found.gold_items)
        shares = (found.accuracy_a, found.accuracy_b, found.delta, bound)
        rows.append(
            (
                name,
                found.items,
                found.different,
                or_missing(found.diff, empty.replace("gold ", "")),
                *found.counts,
                *(or_missing(each, empty) for each in shares),
            )
        )
    word = right_word(view)
    return Table(
        (
            Column(by),
            Column(f"{view.item}s", "", "count"),
            Column(f"{view.item}s", "different", "count"),
            Column("diff", "different", "percent"),
            *_CLASSES,
            Column(pair.a, word, "percent"),
            Column(pair.b, word, "percent"),
            Column("change", word, "delta"),
            Column("oracle", word, "percent", bound=True),
        ),
        tuple(rows),
        title=f"{_title(pair)} by {by}",
        note="oracle: correct if either system is",
    )
