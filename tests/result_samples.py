"""Results built by hand, for tests of everything that shows them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from tertium import registry
from tertium.families.family import family
from tertium.results.parts import Count, Way, precision_recall_f1_parts
from tertium.results.scores import Result
from tertium.signature import Signature
from tertium.significance.score.result import Scores

VERSION = "0.1.0"


COUNTS = (
    Count("correct", "both"),
    Count("gold", is_total=True),
    Count("system", "system", is_total=True),
)


def result(
    system: str = "arbor",
    metric: str = "deps.las",
    value: float | None = 0.8423,
    *,
    better: Way | None = None,
    **other: Any,
) -> Result:
    """A result with sensible contents wherever nothing is given; `better` is that of its F1."""
    name = metric.partition("(")[0]
    family_id = name.partition(".")[0]
    if better is not None:
        other["headline"] = "f1"
    parts = precision_recall_f1_parts()
    given: dict[str, Any] = {
        "parts": {"precision": value, "recall": value, "f1": value, "complete": 0.25},
        "counts": {"correct": 21142, "gold": 25096, "system": 25096},
        "labels": {},
        "coverage": {"scored": 25096, "unaligned": 0},
        "signature": Signature.make(
            name,
            {
                "punct": "keep",
                "subtypes": False,
                "align": "tokens",
                "version": 1,
                "tertium": VERSION,
            },
        ),
        "declared": tuple(replace(part, better=better or "higher") for part in parts),
        "declared_counts": COUNTS,
        "shown": ("precision", "recall", "f1"),
        "types": family(family_id).types if registry.knows("families", family_id) else (),
        "reasons": {}
        if value is not None
        else {"value": "there are no words", "f1": "there are no words"},
    }
    return Result(system, metric, value, **{**given, **other})


def label(
    precision: float | None, recall: float | None, gold: int, system: int, correct: int
) -> dict[str, Any]:
    """A row of `Result.labels`."""
    f1 = 2 * correct / (gold + system) if gold + system else None
    counts = {"correct": correct, "gold": gold, "system": system}
    return {"precision": precision, "recall": recall, "f1": f1, "counts": counts}


def scores(*results: Result, **other: Any) -> Scores:
    """Scores of hand-made results."""
    given: dict[str, Any] = {
        "gold": "gold.conllu",
        "units": 2077,
        "tokens": 25096,
        "version": VERSION,
    }
    return Scores(results=results, **{**given, **other})


def entity_scores() -> Scores:
    """Three systems, one metric with labels, confusions and an undefined value."""
    rows = []
    for system, f1, lost in (("arbor", 0.9123, 0), ("breeze", 0.8712, 3), ("cedar", 0.9123, 1)):
        rows.append(
            result(
                system,
                "spans.f1",
                f1,
                parts={"precision": f1 + 0.01, "recall": f1 - 0.01, "f1": f1, "macro_f1": None},
                counts={"correct": 52 - lost, "gold": 57, "system": 57},
                labels={
                    "LOC": label(0.9, 0.9, 20, 20, 18),
                    "PER": label((30 - lost) / 32, (30 - lost) / 31, 31, 32, 30 - lost),
                    "MISC": label(0.0, None, 0, 5, 0),
                },
                confusion={
                    ("LOC", "PER"): 2 + lost,
                    ("PER", "LOC"): 2,
                    ("PER", "PER"): 30,
                    (None, "MISC"): 5,
                },
                error_types={
                    ("label", "LOC", "PER"): 2 + lost,
                    ("label", "PER", "LOC"): 2,
                    ("extra", None, "MISC"): 5,
                },
                signature=Signature.make(
                    "spans.f1", {"scheme": "iob2", "version": 1, "tertium": VERSION}
                ),
                reasons={"macro_f1": "MISC does not occur in gold"},
                coverage={"scored": 60, "unaligned": lost},
            )
        )
    return scores(*rows, gold="entities-gold.bio", units=60, tokens=713)


def grouped_scores() -> Scores:
    """Two systems, two metrics, two groups, one of them undefined for one system."""
    rows = []
    for system, value in (("arbor", 0.84), ("breeze", 0.86)):
        for metric, more in (("deps.uas", 0.03), ("deps.las", 0.0)):
            groups = {
                "news": result(system, metric, value + more + 0.02),
                "mail": result(system, metric, value + more - 0.04 if system == "arbor" else None),
            }
            rows.append(result(system, metric, value + more, groups=groups))
    return scores(*rows, by="genre")


HOSTILE = (
    "a|b\\&%$#_{}~^<>\"'`--[x]*",
    "<script>alert(1)</script>",
    "line\nbreak\r\n\ttab",
    "\x1b[31mred\x1b[0m\x07",
    "\u202eevil\u202c שלום مرحبا",
    '=HYPERLINK("http://x")',
    "{{ 7 * 7 }}{% raw %}",
    "日本語",
    "broken \udc80 bytes",
    "]]><!-- \"x\" onload='y' &amp; -->\ufffe",
)


def hostile_scores() -> Scores:
    """Every text that comes from outside holds signs that some output format gives a meaning."""
    rows = [
        result(
            name,
            "spans.f1(scheme='|&_<b>')",
            0.5 + i / 100,
            labels={text: label(0.5, 0.5, 4, 4, 2) for text in HOSTILE},
            confusion={(text, HOSTILE[j - 1]): j + 1 for j, text in enumerate(HOSTILE)},
            error_types={(text, text, HOSTILE[j - 1]): j + 1 for j, text in enumerate(HOSTILE)},
            reasons={text: text for text in HOSTILE},
            groups={text: result(name, "spans.f1", None, reasons={"f1": text}) for text in HOSTILE},
            coverage={"scored": 4, "una|igned_<b>": 2},
            signature=Signature.make("spans.f1", {"map": HOSTILE[0] + HOSTILE[3], "version": 1}),
        )
        for i, name in enumerate(HOSTILE)
    ]
    return scores(*rows, gold=HOSTILE[0], by=HOSTILE[1], notes=HOSTILE)


def fair_scores(*systems: str) -> Scores:
    """The named entities of Ortmann (2022): Table 2, and the matrix of Figure 2."""
    labels = ("LOC", "ORG", "OTH", "PER")
    confused = {  # gold label: system labels, then missing
        "LOC": (0, 54, 14, 28, 98),
        "ORG": (66, 0, 32, 26, 167),
        "OTH": (41, 59, 0, 33, 142),
        "PER": (14, 29, 11, 0, 55),
    }
    # gold label: BEs, BEl, BEo, LE; what is confused beyond LE is LBE
    told = {"LOC": (29, 28, 0, 56), "ORG": (16, 27, 0, 76), "OTH": (15, 26, 3, 89)}
    told["PER"] = (11, 25, 0, 31)
    errors: dict[tuple[str, str | None, str | None], int] = {}
    for gold in labels:
        *boundary, left = told[gold]
        for kind, count in zip(("BEs", "BEl", "BEo"), boundary, strict=True):
            errors[kind, gold, gold] = count
        for system, count in zip(labels, confused[gold], strict=False):
            right = min(left, count)
            left -= right
            errors["LE", gold, system], errors["LBE", gold, system] = right, count - right
        errors["FN", gold, None] = confused[gold][4]
    for system, count in zip(labels, (81, 87, 48, 37), strict=True):
        errors["FP", None, system] = count
    confusion: Counter[tuple[str | None, str | None]] = Counter()
    for name, correct in zip(labels, (2132, 1002, 473, 1552), strict=True):
        confusion[name, name] = correct
    for (_, gold_label, system_label), count in errors.items():
        confusion[gold_label, system_label] += count
    rows = {
        name: {
            "precision": 0.9,
            "f1": 0.8,
            "traditional": {"precision": 0.7, "f1": 0.6},
            "weighted": {"precision": None, "f1": 0.85},
            "counts": {"tp": 100 * n, "gold": 1000 - n},
            "reasons": {"weighted.precision": "nothing to divide by"},
        }
        for n, name in enumerate(labels)
    }
    results = [
        result(
            name,
            "spans.fair",
            0.888,
            parts={
                "precision": 0.9042,
                "recall": 0.8723,
                "f1": 0.888,
                "traditional": {"precision": 0.8666, "recall": 0.8351, "f1": 0.8505},
                "weighted": {"precision": 0.9114, "recall": 0.8821, "f1": 0.8965},
            },
            counts={"tp": 5159, "fp": 253, "fn": 462, "traditional_tp": 5159}
            | {"traditional_fp": 794, "traditional_fn": 1019},
            declared_counts=(),
            labels=rows,
            confusion=dict(confusion),
            error_types={key: count for key, count in errors.items() if count},
            signature=Signature.make("spans.fair", {"version": 1, "tertium": VERSION}),
            coverage={"scored": 6178, "unaligned": 0},
        )
        for name in systems or ("stanza",)
    ]
    return scores(*results, gold="ner_spans.csv", units=4000, tokens=None)
