"""Random pairs of trees and parameter files for tests that compare with EVALB."""

import numpy as np

LABELS = ("S", "NP", "NP-SBJ", "VP", "ADVP", "PRT", "X", "NP=2", "-X", "TOP", "A", "B", "C", "")
TAGS = ("NN", "NN", "VB", "DT", "NN-T", ",", ".", "''", "``", "POS", ":", "-NONE-", "ADVP", "PRT")
WORDS = ("a", "b", "c", "'", '"', "/", "Example", "example", "*T*-1")
DELETED = ("TOP", "-NONE-", ",", ":", "``", "''", ".", "A", "ADVP", "", "NN-T")
KEYWORDS = "DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH", "QUOTE_LABEL"


def random_prm(rng: np.random.Generator) -> str:
    """A parameter file: some labels are deleted, some are the same, at times in a chain."""

    def some(values: tuple[str, ...], share: float) -> list[str]:
        return [value for value in values if value and rng.random() < share]

    lines = [f"DELETE_LABEL {label}" for label in some(DELETED, 0.6)]
    lines += [f"DELETE_LABEL_FOR_LENGTH {tag}" for tag in some(TAGS[4:], 0.2)]
    lines += [f"QUOTE_LABEL {tag}" for tag in some(("``", "''", "POS", ":", "NN"), 0.7)]
    pairs = (("ADVP", "PRT"), ("A", "B"), ("B", "C"), ("NN", "VB"), ("X", "TOP"))
    lines += [f"EQ_LABEL {a} {b}" for a, b in pairs if rng.random() < 0.4]
    if rng.random() < 0.5:
        lines.append("EQ_WORD Example example")
    lines.append(f"LABELED {int(rng.random() < 0.8)}")
    return "\n".join(["MAX_ERROR 100000", f"CUTOFF_LEN {rng.integers(1, 9)}", *lines]) + "\n"


def _pick(rng: np.random.Generator, values: tuple[str, ...]) -> str:
    return values[int(rng.integers(len(values)))]


def _tree(rng: np.random.Generator, words: list[tuple[str, str]]) -> str:
    """Random brackets over words with tags."""
    nodes = [f"({tag} {word})" for tag, word in words]
    while len(nodes) > 1 or rng.random() < 0.4:
        first = int(rng.integers(len(nodes)))
        last = min(len(nodes), first + int(rng.integers(1, 4)))
        nodes[first:last] = [f"({_pick(rng, LABELS)} {' '.join(nodes[first:last])})"]
    root = _pick(rng, ("TOP", "ROOT", "", "S", "TOP"))
    return f"({root} {nodes[0]})"


def random_trees(rng: np.random.Generator) -> tuple[str, str]:
    """A gold tree and one of a system: a line each. Words are mostly the same."""
    size = int(rng.integers(1, 9))
    words = [(_pick(rng, TAGS), _pick(rng, WORDS)) for _ in range(size)]
    gold = _tree(rng, words)
    kind = rng.random()
    if kind < 0.2:
        return gold, gold
    if kind < 0.24:
        return gold, _pick(rng, ("", "(())"))
    changed = [(_pick(rng, TAGS) if rng.random() < 0.2 else t, w) for t, w in words]
    if kind < 0.3:
        changed[int(rng.integers(size))] = _pick(rng, TAGS), _pick(rng, WORDS)
    if kind > 0.95:
        changed.insert(int(rng.integers(size + 1)), (_pick(rng, TAGS), _pick(rng, WORDS)))
    return gold, _tree(rng, changed)
