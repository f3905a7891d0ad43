"""spans.f1(compat='conlleval'), equal to conlleval's rules, told again as plainly as possible.

conlleval reads two columns at once, line by line, and an empty line after each sentence is a line
of O and O. It compares each line with the one before.
"""

from collections import Counter

import numpy as np
import pytest

from random_tags import KINDS, Sentences, counts_of, judge, random_pair

FILES, QUICK = 2000, 200


class Column:
    """One of the two columns: the tag of this line and of the one before."""

    def __init__(self) -> None:
        self.before, self.type_before = "O", ""
        self.tag, self.type = "O", ""

    def read(self, written: str) -> None:
        """The next line: what stands before the first hyphen, and what follows it."""
        self.before, self.type_before = self.tag, self.type
        self.tag, _, self.type = written.partition("-")
        if self.type == "0":  # counts as nothing in Perl
            self.type = ""

    def starts(self) -> bool:
        """Does a chunk start on this line?"""
        if self.tag in ("[", "]"):
            return True
        if self.tag not in ("O", ".") and self.type != self.type_before:
            return True
        if self.tag == "B":
            return self.before in ("B", "I", "O")
        return self.tag in ("I", "E") and self.before in ("E", "O")

    def ends(self) -> bool:
        """Did a chunk end on the line before?"""
        if self.before in ("[", "]"):
            return True
        if self.before not in ("O", ".") and self.type != self.type_before:
            return True
        if self.before in ("B", "I"):
            return self.tag in ("B", "O")
        return self.before == "E" and self.tag in ("E", "I", "O")


def conlleval(gold: Sentences, system: Sentences) -> list[Counter[str]]:
    """How many chunks are correct, in gold and in the system, by type."""
    correct: Counter[str] = Counter()
    in_gold: Counter[str] = Counter()
    in_system: Counter[str] = Counter()
    ours, theirs = Column(), Column()
    correct_so_far = False
    for gold_tags, system_tags in zip(gold, system, strict=True):
        for gold_tag, system_tag in zip([*gold_tags, "O"], [*system_tags, "O"], strict=True):
            ours.read(gold_tag)
            theirs.read(system_tag)
            if correct_so_far:
                same_type = ours.type_before == theirs.type_before
                if ours.ends() and theirs.ends() and same_type:
                    correct[ours.type_before] += 1
                    correct_so_far = False
                elif ours.ends() != theirs.ends() or ours.type != theirs.type:
                    correct_so_far = False
            if ours.starts() and theirs.starts() and ours.type == theirs.type:
                correct_so_far = True
            in_gold[ours.type] += ours.starts()
            in_system[theirs.type] += theirs.starts()
    if correct_so_far:
        correct[ours.type] += 1
    return [+correct, +in_gold, +in_system]


@pytest.mark.parametrize("files", [QUICK, pytest.param(FILES, marks=pytest.mark.oracles)])
def test_the_same_counts(files: int) -> None:
    rng = np.random.default_rng(2)
    matched = unusual = 0
    for number in range(files):
        prefixes = ["BI", "BIES", "BIE.[]", "BIESO.[]ULMb"][number % 4]
        gold, system = random_pair(rng, prefixes, KINDS[: 2 if number % 8 < 4 else None])
        ours = judge("spans.f1(compat=conlleval)", gold, system)
        expected = conlleval(gold, system)
        assert ours.labels == counts_of(*expected), (gold, system)
        assert ours.totals == tuple(counter.total() for counter in expected)
        matched += ours.totals[0]
        unusual += ours.totals != judge_as_sets(gold, system)
    assert matched > files, "hardly a match says hardly anything"
    assert unusual > files / 100, "the cases in which only the order of lines explains the count"


def judge_as_sets(gold: Sentences, system: Sentences) -> tuple[int, int, int]:
    """What the counts would be if equal chunks were the correct ones."""
    sides = []
    for sentences in (gold, system):
        chunks = set()
        for number, tags in enumerate(sentences):
            column, opened = Column(), None
            for place, tag in enumerate([*tags, "O"]):
                column.read(tag)
                if opened is not None and (column.ends() or column.starts()):
                    chunks.add((number, *opened, place))
                    opened = None
                if column.starts():
                    opened = (place, column.type)
            if opened is not None:
                chunks.add((number, *opened, len(tags)))
        sides.append(chunks)
    return len(sides[0] & sides[1]), len(sides[0]), len(sides[1])
