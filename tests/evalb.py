"""EVALB and trees.parseval on the same trees: counts per sentence and over all."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tertium.align.sentences import pair_sentences
from tertium.families.base import make
from tertium.families.trees.parseval import Parseval
from tertium.families.trees.words import lengths
from tertium.formats.files import read_file
from tertium.results.stats import Stats

COLLINS = """
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL .
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL ADVP PRT
"""
NEW = COLLINS + "QUOTE_LABEL ''\nQUOTE_LABEL POS\nQUOTE_LABEL NN\n"
PLAIN = "(S (NP (DT a) (NN b)) (VP (VB c) (NP (NN d))) (. .))"
Counts = tuple[int, int, int, int, int, int] | None
# Of every rule: parameters, gold, system, and how many brackets are right, in gold, in the system,
# crossing, how many words there are, with the right tag; None if the sentence is left out.
CASES: dict[str, tuple[str, str, str, Counts]] = {
    "1 preterminals are no brackets": (COLLINS, PLAIN, PLAIN, (4, 4, 4, 0, 4, 4)),
    "1 a root without a label is counted": (
        *(COLLINS, "( (S (NP (NN a)) (VB b)))", "(TOP (S (NP (NN a)) (VB b)))"),
        (2, 3, 2, 0, 2, 2),
    ),
    "1 ROOT is not deleted": (
        *(COLLINS, "(ROOT (S (NP (NN a)) (VB b)))", "(TOP (S (NP (NN a)) (VB b)))"),
        (2, 3, 2, 0, 2, 2),
    ),
    "2 words are taken out, spans numbered anew": (
        *(COLLINS, "(S (NP (NN a) (, x)) (VP (VB b)))", "(S (NP (NN a)) (, y) (VP (VB b)))"),
        (3, 3, 3, 0, 2, 2),
    ),
    "2 words that are taken out are not compared": (
        *(COLLINS, "(S (NP (NN a)) (, ,) (. .))", "(S (NP (NN a)) (: -))"),
        (2, 2, 2, 0, 1, 1),
    ),
    "2 of a constituent only the bracket goes": (
        *(COLLINS, "(S (TOP (NN a) (NN b)) (NN c))", "(S (NN a) (NN b) (NN c))"),
        (1, 1, 1, 0, 3, 3),
    ),
    "2 brackets without words are dropped": (
        *(COLLINS, "(S (NP (-NONE- *)) (VP (VB b)))", "(S (VP (VB b)))"),
        (2, 2, 2, 0, 1, 1),
    ),
    "2 tags are compared as written": (
        *(COLLINS, "(S (NN a) (,-X ,))", "(S (NN a) (, ,))"),
        None,
    ),
    "3 sides delete apart": (COLLINS, PLAIN, PLAIN.replace("(. .)", "(NN .)"), None),
    "3 quotes are an error": (COLLINS, "(S (NP (NN a) (POS ')))", "(S (NP (NN a) ('' ')))", None),
    "3 quotes are repaired": (
        *(NEW, "(S (NP (NN a) (POS ')))", "(S (NP (NN a)) ('' '))"),
        (1, 2, 2, 0, 2, 1),
    ),
    "3 quotes of gold are repaired": (
        *(NEW, "(S (NP (NN a)) ('' '))", "(S (NP (NN a) (POS ')))"),
        (1, 2, 2, 0, 2, 1),
    ),
    "3 only certain words are repaired": (
        *(NEW, "(S (NP (NN a) (POS 's)))", "(S (NP (NN a) ('' 's)))"),
        None,
    ),
    "3 a mark is repaired twice": (
        *(NEW, "(S (NP (NN a)) ('' '))", "(S (NP (NN a)) (POS ') (NN '))"),
        (2, 2, 2, 0, 3, 1),
    ),
    "4 labels are cut": (
        *(COLLINS, "(S (NP-SBJ-1 (NN a)) (VP=2 (VB b)))", "(S-X (NP (NN a)) (VP (VB b)))"),
        (3, 3, 3, 0, 2, 2),
    ),
    "4 a label that begins with a hyphen is empty": (
        *(COLLINS, "(S (-X (NN a)) (NN b))", "(S (-Y (NN a)) (NN b))"),
        (2, 2, 2, 0, 2, 2),
    ),
    "4 tags are not cut": (COLLINS, "(S (NN-X a))", "(S (NN a))", (1, 1, 1, 0, 1, 0)),
    "4 other signs do not cut": (COLLINS, "(S|X (NN a))", "(S (NN a))", (0, 1, 1, 0, 1, 1)),
    "5 labels are the same both ways": (
        *(COLLINS, "(S (ADVP (NN a)) (PRT (NN b)))", "(S (PRT (NN a)) (ADVP (NN b)))"),
        (3, 3, 3, 0, 2, 2),
    ),
    "5 but not in a chain": (
        *("EQ_LABEL A B\nEQ_LABEL B C\n", "(S (A (NN a)) (A (NN b)))", "(S (B (NN a)) (C (NN b)))"),
        (2, 3, 3, 0, 2, 2),
    ),
    "5 the first that fits is taken": (
        *("EQ_LABEL A B\n", "(S (A (B (NN a))) (NN b))", "(S (B (A (NN a))) (NN b))"),
        (3, 3, 3, 0, 2, 2),
    ),
    "5 a choice that leaves one over": (
        *("EQ_LABEL A B\nEQ_LABEL B C\n", "(S (B (A (NN a))) (NN b))", "(S (A (C (NN a))) (NN b))"),
        (2, 3, 3, 0, 2, 2),
    ),
    "5 tags are the same": ("EQ_LABEL X Y\n", "(S (X a))", "(S (Y a))", (1, 1, 1, 0, 1, 1)),
    "5 what is the same as a deleted label goes": (
        *("DELETE_LABEL A\nEQ_LABEL A B\n", "(S (B (NN a)) (NN b))", "(S (NN a) (NN b))"),
        (1, 1, 1, 0, 2, 2),
    ),
    "5 but not words with such tags": (
        *("DELETE_LABEL A\nEQ_LABEL A B\n", "(S (B a) (NN b))", "(S (B a) (NN b))"),
        (1, 1, 1, 0, 2, 2),
    ),
    "6 one bracket matches one": (
        *(COLLINS, "(S (NP (NP (NN a))) (NN b))", "(S (NP (NN a)) (NN b))"),
        (2, 3, 2, 0, 2, 2),
    ),
    "6 the order of a chain does not matter": (
        *(COLLINS, "(S (NP (VP (NN a))) (NN b))", "(S (VP (NP (NN a))) (NN b))"),
        (3, 3, 3, 0, 2, 2),
    ),
    "6 unlabelled brackets match one to one": (
        *("LABELED 0\n", "(S (A (B (C (NN a)))) (NN b))", "(T (X (NN a)) (NN b))"),
        (2, 4, 2, 0, 2, 2),
    ),
    "7 a system bracket that crosses two counts once": (
        COLLINS,
        "(S (X (NN a) (NN b)) (Y (NN c) (NN d)))",
        "(S (NN a) (Z (NN b) (NN c)) (NN d))",
        (1, 3, 2, 1, 4, 4),
    ),
    "7 each of two that cross one counts": (
        COLLINS,
        "(S (NN a) (Z (NN b) (NN c)) (NN d))",
        "(S (X (NN a) (NN b)) (Y (NN c) (NN d)))",
        (1, 2, 3, 2, 4, 4),
    ),
    "7 deleted brackets do not cross": (
        COLLINS,
        "(S (NN a) (TOP (NN b) (NN c)) (NN d))",
        "(S (X (NN a) (NN b)) (Y (NN c) (NN d)))",
        (1, 1, 3, 0, 4, 4),
    ),
    "8 tags of words that are left": (
        *(COLLINS, "(S (NN a) (VB b) (. .))", "(S (NN a) (NN b) (. .))"),
        (1, 1, 1, 0, 2, 1),
    ),
    "8 a sentence without brackets": (
        *(COLLINS, "(TOP (NN a))", "(TOP (NN a))"),
        (0, 0, 0, 0, 1, 1),
    ),
    "9 other words are left out": (COLLINS, "(S (NN a))", "(S (NN b))", None),
    "9 words that count as the same are not": (
        *("EQ_WORD a b\n", "(S (NN a) (NN b))", "(S (NN b) (NN a))"),
        (1, 1, 1, 0, 2, 2),
    ),
    "9 an empty line is left out": (COLLINS, "(S (NN a))", "", None),
    "9 an empty tree is left out": (COLLINS, "(S (NN a))", "(())", None),
    "9 nothing left of both sides": (COLLINS, "(S (. .))", "(S (. .))", None),
    "9 nothing left of gold": (COLLINS, "(S (. .))", "(S (NN .))", None),
    "traces are words unless they are deleted": (
        "EQ_LABEL ADVP PRT\n",
        "(S (NP (-NONE- *)) (VP (VB b)))",
        "(S (NP (-NONE- *)) (X (VB b)))",
        (2, 3, 3, 0, 2, 2),
    ),
}
Pair = tuple[str, str]  # a gold tree and one of a system, each on a line


class Row(NamedTuple):
    """What EVALB prints about a sentence; of a sentence that it leaves out only length and
    status."""

    length: int
    is_lost: bool
    correct: int = 0
    gold: int = 0
    system: int = 0
    crossing: int = 0
    words: int = 0
    tags: int = 0


def written(pairs: Sequence[Pair], prm: str, folder: Path) -> tuple[str, str, str]:
    """Parameter file, gold and system."""
    paths = [folder / name for name in ("test.prm", "gold.mrg", "system.mrg")]
    paths[0].write_text(prm)
    for path, side in zip(paths[1:], zip(*pairs, strict=True), strict=True):
        path.write_text("".join(f"{line}\n" for line in side))
    return str(paths[0]), str(paths[1]), str(paths[2])


def judged(pairs: Sequence[Pair], prm: str, folder: Path, **options: Any) -> tuple[Parseval, Stats]:
    """The metric, and its counts per sentence. `prm` is the text of a file or a preset."""
    path, *files = written(pairs, prm, folder)
    name = path if "\n" in prm else prm
    given = "".join(f", {key}={value}" for key, value in options.items())
    metric = make(f"trees.parseval(prm='{name}'{given})")
    gold, system = map(read_file, files)
    system, alignment = pair_sentences(gold, system)
    decisions = metric.decide(gold, system, metric.aligned(gold, system, alignment))
    assert isinstance(metric, Parseval)
    return metric, metric.stats(decisions)


def our_rows(pairs: Sequence[Pair], prm: str, folder: Path) -> list[Row]:
    """Our counts, in EVALB's order."""
    metric, stats = judged(pairs, prm, folder)
    names = ("skipped", *("correct", "gold", "system", "crossing", "words", "tags_correct"))
    counts = stats.dense[:, [stats.columns.index(name) for name in names]].astype(int).tolist()
    sizes = lengths(read_file(str(folder / "gold.mrg")), metric.prm).tolist()
    return [Row(n, bool(c[0]), *c[1:]) for n, c in zip(sizes, counts, strict=True)]


def our_summary(pairs: Sequence[Pair], prm: str, folder: Path, **options: Any) -> list[str]:
    """Sentences, those left out, and the percentages that EVALB prints, 0 for what is undefined."""
    metric, stats = judged(pairs, prm, folder, **options)
    totals = stats.totals()
    scores = metric.score(totals)
    names = ("complete", "crossing", "no_crossing", "two_or_less_crossing", "tagging")
    shown = [scores[name] * (1 if name == "crossing" else 100) for name in names]
    shown = [100 * scores["recall"], 100 * scores["precision"], *shown]
    lost, valid = int(totals["skipped"]), int(totals["sentences"])
    return [f"{lost + valid} {lost}", *(f"{0.0 if n != n else float(n):.2f}" for n in shown)]


class Evalb(NamedTuple):
    """What EVALB prints: rows, and the summaries of all sentences and of short ones."""

    rows: list[Row]
    every: list[str]
    short: list[str]


def ask_evalb(binary: Path, pairs: Sequence[Pair], prm: str, folder: Path) -> Evalb:
    """Run EVALB."""
    path, *files = written(pairs, prm, folder)
    command = [str(binary), "-p", path, *files]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()[3:]
    cut = next(n for n, line in enumerate(lines) if line.startswith("==="))
    rows = []
    for line in lines[:cut]:
        _, length, status, _, _, *counts = line.split()[:11]
        rows.append(Row(int(length), status != "0", *map(int, counts)))
    blocks = done.stdout.split("\n-- ")[1:]
    every, short = ([line.split("=")[1].strip() for line in b.split("\n")[1:13]] for b in blocks)
    told = [[f"{b[0]} {int(b[1]) + int(b[2])}", *b[4:6], *b[7:]] for b in (every, short)]
    return Evalb(rows, *told)
