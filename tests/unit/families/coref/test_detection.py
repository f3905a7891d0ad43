"""Entities that are missing, extra, split, merged, mixed or partial, one hand-made case each."""

from io import BytesIO
from itertools import permutations

import numpy as np
import pytest

from tertium.comparison.compare.verb import compare
from tertium.comparison.errors.verb import errors
from tertium.corpus.corpus import Corpus
from tertium.formats.base import Reading
from tertium.formats.coref.conll2012 import Conll2012
from tertium.significance.score.verb import score

METRIC = "coref.entities"
SIZE = 10


def written(*chains: str, name: str = "d", size: int = SIZE) -> str:
    """A document of the tokens a, b, c, ... in which each chain has the mentions of its letters."""
    letters = [chr(ord("a") + n) for n in range(size)]
    cells: dict[str, list[str]] = {letter: [] for letter in letters}
    for number, chain in enumerate(chains):
        for letter in chain:
            cells[letter].append(f"({number})")
    lines = [f"{name}\t0\t{n}\t{x}\t-\t{'|'.join(cells[x]) or '-'}" for n, x in enumerate(letters)]
    joined = "\n".join(lines)
    return f"#begin document ({name}); part 000\n{joined}\n\n#end document\n"


def read(text: str) -> Corpus:
    return Conll2012().read(BytesIO(text.encode()), Reading(origin="text"))


def text(*chains: str, size: int = SIZE) -> Corpus:
    """One document."""
    return read(written(*chains, size=size))


def found(gold: Corpus, system: Corpus, metric: str = METRIC) -> list[tuple[str, str, str]]:
    """Type, and the chains of gold and system."""
    return [
        (e.type, *("" if item is None else str(item.detail) for item in e.items))
        for e in errors(gold, system, metric=metric)
    ]  # type: ignore[misc]


def counts(gold: Corpus, system: Corpus, metric: str = METRIC) -> dict[str, float]:
    return dict(score(gold, system, metric=metric)[metric].counts)


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        (["ab", "cd"], ["cd", "ab"], []),
        (["abc"], [], [("missing", "a, b, c", "")]),
        ([], ["abc"], [("extra", "", "a, b, c")]),
        (["abcd"], ["abc"], [("partial", "a, b, c, d", "a, b, c")]),
        (["abc"], ["abcd"], [("partial", "a, b, c", "a, b, c, d")]),
        (["ab"], ["ac"], [("partial", "a, b", "a, c")]),
        (
            ["abcde"],
            ["ab", "cde"],
            [("split", "a, b, c, d, e", "c, d, e"), ("split", "a, b, c, d, e", "a, b")],
        ),
        (
            ["abc", "de"],
            ["abcde"],
            [("merged", "a, b, c", "a, b, c, d, e"), ("merged", "d, e", "a, b, c, d, e")],
        ),
        (
            ["abc", "de"],
            ["abd", "ce"],
            [("mixed", "a, b, c", "a, b, d"), ("mixed", "d, e", "c, e")],
        ),
        # The second entity of gold is whole in one of the system, but not alone there.
        (
            ["abcd", "ef"],
            ["abef", "cd"],
            [
                ("mixed", "a, b, c, d", "c, d"),
                ("merged", "e, f", "a, b, e, f"),
            ],
        ),
    ],
)
def test_what_happened_to_an_entity(
    gold: list[str], system: list[str], expected: list[tuple[str, str, str]]
) -> None:
    assert found(text(*gold), text(*system)) == expected


def test_entities_are_counted_as_gold_or_the_system_has_them() -> None:
    gold, system = text("abc", "de", "fg", "hi"), text("ab", "c", "defg", "j")
    assert counts(gold, system) == {
        "correct": 0, "gold": 4, "system": 4, "missing": 1, "extra": 1, "split": 1, "merged": 1,
    }  # fmt: skip


def test_sides_in_turn_swap_what_is_counted() -> None:
    gold, system = text("abc", "de", "fg", "hi"), text("ab", "c", "defg", "hi", "j")
    there, back = counts(gold, system), counts(system, gold)
    for one, other in (
        ("gold", "system"), ("missing", "extra"), ("split", "merged"), ("correct", "correct"),
    ):  # fmt: skip
        assert (there[one], there[other]) == (back[other], back[one])


def test_the_order_of_chains_changes_nothing() -> None:
    gold, chains = text("abc", "de", "fgh"), ("abd", "ce", "fg", "h")
    every = [found(gold, text(*order)) for order in permutations(chains)]
    assert all(each == every[0] for each in every)


def test_singletons_are_entities_unless_they_are_dropped() -> None:
    gold, system = text("ab", "c"), text("ab", "d")
    assert counts(gold, system)["gold"] == 2
    dropped = counts(gold, system, f"{METRIC}(singletons='drop')")
    assert (dropped["correct"], dropped["gold"], dropped["system"]) == (1, 1, 1)


def test_a_mention_that_an_entity_has_twice_counts_once() -> None:
    gold = text("aab", "cd")
    assert counts(gold, text("ab", "cd"))["correct"] == 2
    assert counts(gold, gold)["correct"] == 2


def test_documents_are_judged_apart() -> None:
    gold = read(written("ab", name="x") + written("ab", name="y"))
    system = read(written("ab", name="x") + written("a", "b", name="y"))
    result = score(gold, system, metric=METRIC)[METRIC]
    assert (result.counts["correct"], result.counts["gold"], result.counts["split"]) == (1, 2, 1)
    assert result.unit == "document"


def test_systems_differ_where_the_rest_of_an_entity_is_elsewhere() -> None:
    """Both pair the entity with {a, b}; one has its third mention alone, one not at all."""
    gold = text("abc")
    view = compare(gold, text("ab", "c"), text("ab"), metric=METRIC, names=["A", "B"]).views[0]
    (pair,) = view.pairs
    assert [(t.a, t.b) for t in pair.transitions("changed_errors")] == [("split", "partial")]
    assert view.answers.right[:, 0].tolist() == [False, False]


def test_the_same_extra_entity_of_two_systems_is_one_item() -> None:
    gold = text("ab")
    view = compare(
        gold, text("ab", "cde"), text("edc", "ab"), metric=METRIC, names=["A", "B"]
    ).views[0]
    assert len(view.answers) == 2
    assert view.pairs[0].different == 0


def test_long_chains_are_cut() -> None:
    chain = "abcdefghijklmnopqrstuvwxyz" + "".join(map(chr, range(ord("z") + 1, ord("z") + 10)))
    ((_, gold, _),) = found(text(chain, size=40), text(size=40))
    assert gold.startswith("a, b, c")
    assert gold.endswith("… (35 mentions)")


def test_counts_are_those_of_a_plain_count() -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        sides = [_partition(rng) for _ in range(2)]
        gold, system = ([{*chain} for chain in side] for side in sides)
        told = counts(text(*sides[0]), text(*sides[1]))
        parts = [sum(bool(g & s) for s in system) for g in gold]
        held = [sum(bool(g & s) for g in gold) for s in system]
        assert told == {
            "correct": sum(g in system for g in gold),
            "gold": len(gold),
            "system": len(system),
            "missing": parts.count(0),
            "extra": held.count(0),
            "split": sum(n > 1 for n in parts),
            "merged": sum(n > 1 for n in held),
        }


def _partition(rng: np.random.Generator) -> list[str]:
    chains = [""] * 4
    for letter in "abcdefghij":
        place = int(rng.integers(6))
        if place < len(chains):
            chains[place] += letter
    return [chain for chain in chains if chain]
