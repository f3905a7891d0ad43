"""One block of every sort and odd ones besides, for tests of renderers."""

from __future__ import annotations

from dataclasses import replace

from arc_samples import figure, two
from result_samples import HOSTILE
from tertium.results.blocks import (
    Bars,
    Block,
    Cell,
    Column,
    Excerpt,
    Hinton,
    Intersections,
    Kind,
    Lines,
    Matrix,
    Missing,
    Picture,
    Range,
    Ranks,
    Series,
    Shares,
    Table,
    Text,
    Underline,
    table_of,
)

LONG = "Case=Nom|Definite=Def|Gender=Masc|Number=Sing|PronType=Art"
SIZES = (100, 250, 500, 1000, 1500, 2000)

# By kind, what its cells look like; every kind of cell can be missing or empty besides.
CELLS: dict[Kind, tuple[Cell, ...]] = {
    "text": ("arbor", "breeze"),
    "percent": (0.9123, 0.9011),
    "letters": ("a", "ab"),
    "interval": (Range(0.9, 0.92), Range(0.89, 0.91)),
    "delta": (-0.0112, 0.0),
    "interval_delta": (Range(-0.02, 0.001), Range(0.0, 0.0)),
    "p": (0.00001, 1.0),
    "count": (25096, 3),
    "number": (1.25, 7),
    "interval_number": (Range(1, 2.5), Range(-1234.5, 9)),
    "flag": (1, 0),
    "value": (-1234.5, 0.81),
    "interval_value": (Range(-1300.25, -1200), Range(0.7, 1.2)),
    "value_delta": (12.345, -0.00001),
    "interval_value_delta": (Range(-1.5, 3), Range(0, 0)),
    "count_delta": (-12, 0.5),
    "interval_count": (Range(3, 4.5), Range(1, 25096)),
    "interval_count_delta": (Range(-3, 4.5), Range(0, 0)),
}
KINDS = table_of(
    [Column(kind if kind != "letters" else "", "", kind) for kind in CELLS],
    [
        *zip(*CELLS.values(), strict=True),
        ("cedar", *(Missing("too few units") for _ in range(len(CELLS) - 1))),
        ("dogwood", *(None for _ in range(len(CELLS) - 1))),
    ],
    title="kinds",
)
CURVES = Lines(
    (
        Series("accuracy", SIZES, (0.62, 0.31, 0.12, 0.041, 0.012, 0.0004)),
        Series("F1, bootstrap", SIZES, (0.55, 0.29, 0.14, 0.05, 0.02, 0.002)),
        Series("complete", SIZES, (0.9, None, 0.42, 0.33, 0.21, 0.17), reason="one unit only"),
    ),
    title="p-values by sample size",
    x_axis="sentences",
    y_axis="p",
    x_kind="count",
    y_kind="p",
    thresholds=((0.05, ".05"), (0.0025, ".0025")),
    shade_below=0.05,
    note="10,000 trials",
)
LOGARITHMIC = replace(CURVES, log_x=True, log_y=True, marks=((750, "750"),), numbers=False)
BANDS = Lines(
    (
        Series("arbor", (1, 2, 4), (0.91, 0.92, 0.93), (0.87, 0.9, 0.92), (0.95, 0.94, 0.94)),
        Series("breeze", (1, 2, 4), (0.9, None, 0.91), (0.86, None, 0.9), (0.94, None, 0.92)),
    ),
    title="bands",
    y_axis="accuracy",
    y_kind="percent",
    steps=True,
)
RANKS = Ranks(
    ("cedar", "arbor", "dogwood", "breeze"),
    (2.6, 1.3, 3.7, 2.4),
    1.48,
    (("arbor", "breeze", "cedar"), ("cedar", "dogwood", "breeze")),
    title="mean ranks over 10 data sets",
    note="Friedman test",
)
SHARES = Shares(
    ("ADP-PRT", "ADJ-NOUN", "DET-PRON", "ADV-NOUN"),
    ("of all hard cases", "hard cases of the pair"),
    ((0.625, 0.8333), (0.25, 1), (0.125, None), (0.0, 0.0)),
    title="hard cases",
    axis="pair",
    most=3,
    note="three annotators",
    reason="no case",
)
FLAT = tuple(1 + n / 10 for n in range(len(HOSTILE)))
ODD_PLOTS: dict[str, Block] = {
    "no shares": Shares((), (), ()),
    "no series": Shares(("a", "b"), (), ((), ())),
    "one share": Shares(("a",), ("b",), ((1.0,),)),
    "no share at all": Shares(("a", "b"), ("c",), ((None,), (None,)), reason="no item"),
    "many shares": Shares(
        tuple(f"{LONG}{n}" for n in range(99)),
        tuple(f"{LONG}{n}" for n in range(9)),
        tuple(tuple(n * m % 9 / 8 for m in range(9)) for n in range(99)),
        *(LONG * 3, LONG, 40, LONG * 9),
    ),
    "hostile shares": Shares(
        HOSTILE,
        HOSTILE,
        ((0.5,) * len(HOSTILE),) * (len(HOSTILE) - 1) + ((None,) * len(HOSTILE),),
        *HOSTILE[1:3],
        *(None, HOSTILE[4], HOSTILE[0]),
    ),
    "no curve": Lines(()),
    "one point": Lines((Series("one", (500,), (0.03,)),), y_kind="p"),
    "one point with a band": Lines((Series("one", (1,), (0.5,), (0.4,), (0.6,)),)),
    "one point on logarithms": Lines((Series("one", (5,), (3,)),), log_x=True, log_y=True),
    "no value": Lines((Series("none", (1, 2), (None, None)),), y_kind="p"),
    "no value on logarithms": Lines((Series("none", (1, 2), (None, None)),), log_y=True),
    "equal values": Lines(tuple(Series(n, (1, 2), (0.0, 0.0)) for n in "ab"), y_kind="percent"),
    "all perfect": Lines((Series("a", (1, 2), (1.0, 1.0)),), y_kind="percent"),
    "p of 0": Lines(
        (Series("a", (1, 2, 3), (0.0, 1e-300, 0.2)),), y_kind="p", log_y=True, y_axis="p"
    ),
    "a range that leaves values out": Lines(
        (Series("a", (1, 2, 3), (-5, 0.5, 7)),),
        y_range=(0, 1),
        thresholds=((3, "beyond"), (0.5, "inside")),
        marks=((2, "two"), (9, "nine"), (2.01, "another near two")),
    ),
    "negative deltas": Lines((Series("a", (1, 2), (-0.02, 0.01)),), y_kind="delta"),
    "changes of a value": Lines(
        (Series("a", (1, 2), (-120.0, 10.0), (-150.0, 5.0), (-100.0, 15.0)),), y_kind="value_delta"
    ),
    "large and small": Lines((Series("a", (1e-9, 1e12), (1e15, -1e15)),)),
    "many curves": Lines(
        tuple(Series(f"{LONG}{n}", tuple(range(99)), tuple(range(n, n + 99))) for n in range(40)),
        LONG * 3,
        *(LONG, LONG),
        thresholds=tuple((n / 10, f"{LONG}{n}") for n in range(30)),
        marks=tuple((n / 10, LONG) for n in range(9)),
        note=LONG * 9,
    ),
    "hostile curves": Lines(
        tuple(Series(name, (1, 2), (1, 2)) for name in HOSTILE),
        *HOSTILE[1:4],
        thresholds=((1.5, HOSTILE[0]), (1.6, HOSTILE[1])),
        marks=((1.5, HOSTILE[2]),),
        note=HOSTILE[4],
    ),
    "no ranks": Ranks((), ()),
    "one rank": Ranks(("a",), (1,), 0.5),
    "ties": Ranks(("a", "b"), (1.5, 1.5), None, (("a", "b"),)),
    "a critical difference beyond the axis": Ranks(("a", "b"), (1.2, 1.8), 4.0, (("a", "b"),)),
    "many ranks": Ranks(
        tuple(f"{LONG}{n}" for n in range(60)),
        tuple(1 + n / 2 for n in range(60)),
        3.0,
        tuple((f"{LONG}{n}", f"{LONG}{n + 1}", f"{LONG}{n + 4}") for n in range(56)),
        LONG * 3,
    ),
    "hostile ranks": Ranks(HOSTILE, FLAT, 2, (HOSTILE[:3], HOSTILE[2:]), HOSTILE[1], HOSTILE[2]),
}  # fmt: skip
BLOCKS: dict[str, Block] = {
    "text": Text("a note"),
    "paragraph": Text("some words that are long enough to be broken " * 3, "paragraph"),
    "table": KINDS,
    "hostile table": Table(
        tuple(
            Column(text, text, kind) for text, kind in zip(HOSTILE, ("text", "p") * 5, strict=True)
        ),
        (tuple(HOSTILE), tuple(HOSTILE[::-1])),
        HOSTILE[1],
    ),
    "hinton": Hinton(("A", "B"), ("A", "B"), ((None, 0.25), (1.0, 0.0)), title="h", kind="value"),
    "matrix": Matrix(("A", None), ("A", None), ((3, 1), (0, None)), title="m"),
    "bars": Bars(("x", "y"), ("p", "q"), ((1, 3), (0, None)), title="b"),
    "shares": SHARES,
    "bars without numbers": Bars(("x",), ("p",), ((1,),), note="why", numbers=False),
    "sets": Intersections(("A", "B"), ((True, False), (True, True)), (3, 9), title="s"),
    "arcs": Picture(figure(two([1, -1], [1, -1], ["a", "b"])), KINDS),
    "excerpt": Excerpt(
        ("label", "gold A 2", "system B 2-3", "f:1"),
        "a bb ccc",
        (Underline("gold", ((2, 4),), "A"), Underline("system", ((2, 8),), "B")),
    ),
    "curves": CURVES,
    "curves on logarithms": LOGARITHMIC,
    "curves with bands": BANDS,
    "ranks": RANKS,
    **ODD_PLOTS,
}
