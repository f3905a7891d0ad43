"""The reference scorer of coreference (version 8.01) and Tertium on the same files."""

import re
import subprocess
from pathlib import Path

import tertium

METRICS = {
    "muc": "coref.muc",
    "bcub": "coref.b3",
    "ceafm": "coref.ceafm",
    "ceafe": "coref.ceafe",
    "blanc": "coref.blanc",
}
COUNTS = ("recall_numerator", "recall_denominator", "precision_numerator", "precision_denominator")
_FRACTIONS = re.compile(r"Recall: \(([^ ]+) / ([^ ]+)\).*Precision: \(([^ ]+) / ([^ ]+)\)")
Answer = dict[str, list[float]]


def ask_scorer(scorer: Path, gold: Path, system: Path) -> Answer:
    """Numerators and denominators over all documents; of mentions too."""
    found: Answer = {}
    for (
        name
    ) in METRICS:  # one process for each, since its count of repeated mentions is never reset
        command = ["perl", str(scorer), name, str(gold), str(system), "none"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        totals = done.stdout.split("====== TOTALS =======")[1]
        rows = [[float(n) for n in row] for row in _FRACTIONS.findall(totals)]
        found["mentions"] = rows[0]
        found[name] = [*rows[1], *rows[2]] if name == "blanc" else rows[1]
    return found


def our_answer(gold: Path, system: Path) -> Answer:
    """The same of Tertium."""
    metrics = ["coref.mentions", *METRICS.values()]
    result = tertium.score(gold, system, metric=metrics)
    names = {"coref.mentions": "mentions", **{ours: name for name, ours in METRICS.items()}}
    found = {}
    for score in result.results:
        counts = score.counts
        kinds = ("coref.", "noncoref.") if score.metric == "coref.blanc" else ("",)
        found[names[score.metric]] = [counts[f"{k}{name}"] for k in kinds for name in COUNTS]
    return found
