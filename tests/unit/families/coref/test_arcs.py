"""ARCS: classes of mentions, on a small document and against a plain program."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Chains, EmptyNodes, Ragged, Tags
from tertium.families.base import make
from tertium.results.items import NOWHERE

FILES = Path(__file__).parents[4] / "docs" / "metrics" / "coref.arcs_nom.files"
GOLD, A, B = (str(FILES / f"garden-{name}.conll") for name in ("gold", "a", "b"))
ANY, CLOSEST = "coref.arcs_any", "coref.arcs_nom"
FARTHEST = "coref.arcs_nom(antecedent='farthest')"
# The mentions of the document by sentence and first word: what each criterion says of A and of B.
EXPECTED = {
    "1 a dog": ("fp tn", "fp tn", "fp tn"),
    "1 a garden": ("tn fp", "tn fp", "tn fp"),
    "2 She": ("wl tp", "wl tp", "wl tp"),
    "2 it": ("tp wl", "tp wl", "wl wl"),
    "2 it, the second": ("fn wl", "fn wl", "fn wl"),
    "2 her": ("fn tp", "fn tp", "fn tp"),
    "3 Ann": ("tp fn", "tp fn", "tp fn"),
    "3 the garden": ("tp wl", "tp wl", "tp wl"),
    "3 its": ("tp tp", "tp tp", "tp wl"),
    "3 Bea": ("wl fn", "wl fn", "wl fn"),
    "3 the dog": ("tp tp", "tp wl", "wl tp"),
    "4 It": ("fp tn", "fp tn", "fp tn"),
    "4 it": ("tn fp", "tn fp", "tn fp"),
    "5 my": ("tp wl", "", ""),
}
TABLE_8 = {"wl tp", "fn tp", "fp tn", "tp wl", "tp fn", "tn fp", "fn wl", "wl fn"}
Span = tuple[int, int]


@pytest.mark.parametrize(("number", "metric"), [*enumerate((ANY, CLOSEST, FARTHEST))])
def test_every_class_and_every_transition_of_a_small_document(number: int, metric: str) -> None:
    expected = Counter(each[number] for each in EXPECTED.values() if each[number])
    pair = tertium.compare(GOLD, A, B, metric=metric).view.pairs[0]
    kinds = ("corrections", "new_errors", "changed_errors")
    found = Counter({f"{t.a} {t.b}": t.count for kind in kinds for t in pair.transitions(kind)})
    same = {"tp tp", "wl wl"}
    assert found == Counter({k: n for k, n in expected.items() if k not in same})
    assert found.keys() >= TABLE_8
    assert pair.items == expected.total()
    for system, side in ((A, 0), (B, 1)):
        counts = tertium.score(GOLD, system, metric=metric).results[0].counts
        classes = Counter(both.split()[side] for both in expected.elements())
        assert counts == {name: classes[name] for name in ("tp", "fp", "fn", "wl")}


def test_the_numbers_follow_from_the_classes() -> None:
    a, b = (tertium.score(GOLD, system, metric=CLOSEST).results[0].parts for system in (A, B))
    assert a == pytest.approx(
        dict.fromkeys(("precision", "recall", "f1"), 5 / 9) | {"accuracy": 5 / 7}
    )
    assert b == pytest.approx(
        dict.fromkeys(("precision", "recall", "f1"), 3 / 9) | {"accuracy": 3 / 7}
    )


def test_antecedents_are_shown_and_the_class_alone_is_the_answer() -> None:
    rows = tertium.decide(GOLD, A, CLOSEST)
    ours, theirs = rows.sides()
    she = int(np.flatnonzero(rows.to_frame()["gold_text"].to_numpy() == "She")[0])
    gold, system = rows.gold_row[she], rows.system_row[she]
    assert (ours.detail(gold), theirs.detail(system)) == ("← Ann", "← a dog")
    assert (ours.second[gold], theirs.second[system]) == (0, 4)  # type: ignore[index]
    first = int(np.flatnonzero(ours.start == 0)[0])
    assert ours.second[first] == NOWHERE  # type: ignore[index]
    assert ours.detail(first) is None
    # A missed mention is missed, whether the system has it or not; it has it if it is in a chain.
    fn = rows.error_type == rows.error_types.index("fn")
    assert {*rows.answer[fn].tolist()} == {0}
    assert {*rows.answer[~fn].tolist()}.isdisjoint({0})


def test_a_mention_that_begins_its_chain_in_the_system_is_annotated_but_missed() -> None:
    gold = corpus([[(0, 1), (2, 3)]])
    rows = tertium.decide(gold, corpus([[(2, 3), (4, 5)], [(0, 1)]]), ANY)
    kinds = [rows.error_types[code] for code in rows.error_type.tolist()]
    assert kinds == ["fn", "fp"]
    assert rows.in_system.tolist() == [True, True]
    rows = tertium.decide(gold, corpus([[(0, 1)]]), ANY)
    assert rows.in_system.tolist() == [False]


def test_oracle_by_group_of_mentions() -> None:
    oracle = tertium.compare(GOLD, A, B, metric=CLOSEST).view.oracle
    assert {row.label: (row.items, row.right, row.bound) for row in oracle.labels} == {
        "noun": (4, (3, 0), 3),
        "pronoun": (4, (1, 2), 3),
        "possessive pronoun": (1, (1, 1), 1),
    }
    groups = tertium.compare(GOLD, A, B, metric=CLOSEST, by="mention").view.groups
    assert {n: (g.oracle.items, g.oracle.correct) for n, g in groups.items()} == {
        "noun": (4, 3),
        "pronoun": (4, 3),
        "possessive pronoun": (1, 1),
    }
    # False positives are in the group of the system's mention.
    assert {n: g.pairs[0].items for n, g in groups.items()} == {
        "noun": 6,
        "pronoun": 6,
        "possessive pronoun": 1,
    }


def test_criteria_stand_in_one_table() -> None:
    found = tertium.compare(GOLD, A, B, significance=False)
    assert found.metrics[-2:] == [CLOSEST, ANY]
    text = found.render("text", tables=("criteria",))
    row = next(line for line in text.splitlines() if line.startswith("garden-a  "))
    assert row.split() == ["garden-a", "garden-b", "85.71", "-20.00", "92.31", "-22.22"]
    assert "by criterion" not in tertium.compare(GOLD, A, B, metric=ANY).render("text")


def test_common_items_are_those_that_both_systems_annotate() -> None:
    found = tertium.compare(GOLD, A, B, metric=CLOSEST, items="common")
    pair = found.view.pairs[0]
    # She, it, the garden, its and the dog are in chains of both.
    assert (pair.items, pair.different, pair.gold_items) == (5, 4, 5)
    assert pair.counts == (1, 3, 0)
    view = found.to_dict()["views"][0]
    assert found.to_dict()["items"] == "common"
    assert view["signature"].endswith("|items:common")
    assert view["oracle"]["items"] == 9  # which is of all gold items
    assert "4 of 5 common mentions differ" in found.render("text")


# ------------------------------------------------------------------ parts of speech


def test_nouns_need_parts_of_speech() -> None:
    gold = corpus([[(0, 1), (2, 3)]], tags=None)
    with pytest.raises(tertium.UsageError, match="needs parts of speech") as error:
        tertium.score(gold, gold, metric=CLOSEST)
    assert "with_files=" in str(error.value.help)  # on the command line: --with
    assert error.value.exit_code == 2
    with pytest.raises(tertium.UsageError, match="mention' needs parts of speech"):
        tertium.score(gold, gold, metric=ANY, by="mention")
    found = tertium.score(gold, gold)
    assert ANY in found.metrics
    assert CLOSEST not in found.metrics
    assert any("no parts of speech, so any correct antecedent counts" in n for n in found.notes)


def test_tags_that_nobody_knows_are_named() -> None:
    gold = corpus([[(0, 1), (2, 3)]], tags=["S", "V"] * 6)
    with pytest.raises(tertium.UsageError, match="needs parts of speech"):
        tertium.score(gold, gold, metric=CLOSEST)
    assert tertium.score(gold, gold, metric="coref.arcs_nom(nouns='S')").value == 1
    with pytest.raises(tertium.UsageError, match=r"'xpos' of .* has no known tags of nouns"):
        tertium.score(gold, gold, metric="coref.arcs_nom(nouns='S', tags='xpos')")


def test_parts_of_speech_of_a_system_do_not_count() -> None:
    gold = corpus([[(0, 1), (2, 3)]], tags=["NN", "V", "PRP", *["V"] * 9])
    system = corpus([[(0, 1), (2, 3)]], tags=["PRP", "V", "NN", *["V"] * 9])
    assert tertium.score(gold, system, metric=CLOSEST).results[0].counts["tp"] == 1
    labels = tertium.decide(gold, system, CLOSEST).to_frame()
    assert (labels["gold"].to_list(), labels["system"].to_list()) == (["pronoun"], ["pronoun"])


def test_a_system_without_parts_of_speech_has_groups() -> None:
    gold = corpus([[(0, 1), (2, 3), (3, 4)]], tags=["NN", "V", "PRP", "PRP$", *["V"] * 8])
    system = corpus([[(0, 1), (2, 3)], [(3, 4), (4, 5)]], tags=None)
    found = tertium.score(gold, system, metric=ANY, by="mention").results[0].groups
    assert {name: group.parts["precision"] for name, group in found.items()} == {
        "pronoun": 1.0,
        "possessive pronoun": 0.0,  # nothing is linked, and 0 divided by 0 is 0 here
        "other": 0.0,
    }
    assert not any("(none)" in note for note in tertium.score(gold, system, by="mention").notes)


def test_a_mention_has_as_many_tokens_as_gold_says() -> None:
    gold = corpus([[(0, 1)], [(2, 3)]], tags=["PRP", "V", "PRP", "NN"])
    forms = Labels.of(["w", "0", "w1", "w2", "w3"])
    system = corpus([[(0, 2), (3, 4)]], tags=["NN"] * 5)
    counts = tertium.score(gold, replace(system, forms=forms), metric=CLOSEST).results[0].counts
    assert counts == {"tp": 0, "fp": 0, "fn": 0, "wl": 0}
    assert (
        tertium.score(gold, replace(system, forms=forms), metric=ANY).results[0].counts["fp"] == 1
    )


@pytest.mark.parametrize(
    ("tags", "features", "expected"),
    [
        ("NN NNS NNP NNPS", None, ["noun"] * 4),
        ("PRP PRP$ DT CD WP", None, ["pronoun", "possessive pronoun", *["other"] * 3]),
        ("NE NN PPER PRF PPOSAT PDS", None,
         ["noun", "noun", "pronoun", "pronoun", "possessive pronoun", "other"]),
        ("NOUN PROPN PRON PRON DET DET", "_ _ PronType=Prs Case=Gen|Poss=Yes Poss=Yes _",
         ["noun", "noun", "pronoun", "possessive pronoun", "possessive pronoun", "other"]),
    ],
)  # fmt: skip
def test_groups_by_tag_set(tags: str, features: str | None, expected: list[str]) -> None:
    every = tags.split()
    chain = [[(at, at + 1) for at in range(len(every))]]
    gold = corpus(chain, tags=[*every, "NOUN", "NN"])
    if features is not None:
        layer = Tags(Labels.of([*features.split(), "_", "_"]))
        gold = replace(gold, layers={**gold.layers, "feats": layer})
    items = make(ANY).items(gold)
    assert [items.label[row] for row in range(len(items))] == expected


def test_longer_mentions_are_nominal_and_empty_nodes_are_zeros() -> None:
    gold = corpus([[(0, 2), (3, 3), (4, 5)]], tags=["PRP"] * 11 + ["NN"])
    layer = gold.layer("coref", Chains)
    zeros = Ragged(np.array([0, 0, 1, 1]), np.array([0], np.int32))
    node = EmptyNodes(np.array([0]), np.array([3]), np.array([1]), Labels.of(["_"]))
    layers = {**gold.layers, "coref": replace(layer, zeros=zeros)}
    gold = replace(gold, layers=layers, extras={"empty": node})
    items = make(ANY).items(gold)
    assert [items.label[row] for row in range(3)] == ["noun", "zero", "pronoun"]
    assert tertium.score(gold, gold, metric=CLOSEST).results[0].counts["tp"] == 2


@pytest.mark.parametrize("verb", [tertium.score, tertium.compare])
def test_parts_of_speech_of_the_text_are_judged_only_if_named(verb: Any) -> None:
    found = verb(GOLD, A, B)
    assert {metric.split(".")[0] for metric in getattr(found, "scores", found).metrics} == {"coref"}
    assert verb(GOLD, A, B, metric="tags.accuracy") is not None


# ------------------------------------------------------------------ a plain program


def corpus(
    chains: Sequence[Sequence[Span]], tags: Sequence[str] | None = (), size: int = 12
) -> Corpus:
    """A document of one sentence. Chains are given in the order of their mentions; the layer has
    mentions by their first token, those of the same token as chains are given."""
    rows = [(a, z, entity) for entity, chain in enumerate(chains) for a, z in chain]
    rows.sort(key=lambda row: row[0])
    start, end, entity = (np.array(column, np.int32) for column in zip(*rows, strict=True))
    numbers = {number: n for n, number in enumerate(dict.fromkeys(entity.tolist()))}
    layers: dict[str, Any] = {
        "coref": Chains(
            start=start,
            end=end,
            label=Labels.constant("", len(rows)),
            entity=np.array([numbers[n] for n in entity.tolist()], np.int32),
            name=Labels.of(map(str, entity.tolist())),
            sentence=np.zeros(len(rows), np.int32),
        )
    }
    size = size if not tags else len(tags)
    if tags is not None:
        layers["pos"] = Tags(Labels.of([*tags] or ["NN", "VB"] * (size // 2)))
    return Corpus(np.array([0, size]), Labels.of(f"w{n}" for n in range(size)), layers)


def by_hand(
    key: Sequence[Sequence[Span]],
    response: Sequence[Sequence[Span]],
    is_nominal: Callable[[Span], bool],
    criterion: str,
) -> Counter[str]:
    """The classes as the paper and its script define them."""
    before_in_key = {m: chain[:n] for chain in key for n, m in enumerate(chain)}
    before = {m: chain[:n] for chain in response for n, m in enumerate(chain)}
    found: Counter[str] = Counter()
    for mention, known in before_in_key.items():
        if not known or (criterion != ANY and not any(map(is_nominal, known))):
            continue
        said = before.get(mention, [])
        if criterion != ANY:
            nominal = [each for each in said if is_nominal(each)]
            said = nominal[-1:] if criterion == CLOSEST else nominal[:1]
        if not said:
            found["fn"] += 1
        else:
            found["tp" if {*said} & {*known} else "wl"] += 1
    for mention, said in before.items():
        resolved = said if criterion == ANY else [each for each in said if is_nominal(each)]
        found["fp"] += bool(resolved) and not before_in_key.get(mention)
    return found


def drawn(source: random.Random, pool: Sequence[Span]) -> list[list[Span]]:
    """Some of the mentions in some chains, each in the order of the text."""
    chains: list[list[Span]] = [[] for _ in range(source.randint(1, 5))]
    for mention in source.sample(pool, source.randint(1, len(pool))):
        source.choice(chains).append(mention)
    source.shuffle(chains)
    return [sorted(chain, key=lambda m: m[0]) for chain in chains if chain]


def test_classes_are_those_of_a_plain_program() -> None:
    source = random.Random(20)
    seen: Counter[str] = Counter()
    for _ in range(150):
        tags = [source.choice(("NN", "PRP", "DT")) for _ in range(11)] + ["NN"]
        spans = {(a, a + source.choice((1, 1, 2, 3))) for a in range(9) for _ in range(2)}
        pool = sorted(spans)
        key, response = drawn(source, pool), drawn(source, pool)
        # Chains of the files, in which mentions that begin at one token follow their brackets.
        golds, systems = corpus(key, tags), corpus(response, tags)
        for criterion in (ANY, CLOSEST, FARTHEST):
            expected = by_hand(
                chains_of(golds),
                chains_of(systems),
                lambda m, tags=tags: m[1] - m[0] > 1 or tags[m[0]] == "NN",  # type: ignore[misc]
                criterion,
            )
            counts = tertium.score(golds, systems, metric=criterion).results[0].counts
            assert counts == {name: expected[name] for name in ("tp", "fp", "fn", "wl")}
            seen += expected
    assert min(seen.values()) > 100


def chains_of(given: Corpus) -> list[list[Span]]:
    """Chains with their mentions in the order of the layer."""
    layer = given.layer("coref", Chains)
    found: dict[int, list[Span]] = {}
    columns = (layer.entity.tolist(), layer.start.tolist(), layer.end.tolist())
    for entity, start, end in zip(*columns, strict=True):
        found.setdefault(entity, []).append((start, end))
    return [*found.values()]


def test_a_mention_that_is_in_a_chain_twice_is_no_antecedent_of_itself() -> None:
    gold = corpus([[(0, 1), (0, 1)], [(2, 3), (4, 5), (4, 5)]])
    counts = tertium.score(gold, gold, metric=ANY).results[0].counts
    assert counts == {"tp": 1, "fp": 0, "fn": 0, "wl": 0}
    system = corpus([[(6, 7), (6, 7)]])
    counts = tertium.score(gold, system, metric=ANY).results[0].counts
    assert counts == {"tp": 0, "fp": 0, "fn": 1, "wl": 0}


def test_a_gold_mention_in_two_chains_is_asked_for_in_both() -> None:
    gold = corpus([[(0, 1), (4, 5)], [(2, 3), (4, 5)]])
    system = corpus([[(0, 1), (4, 5)]])
    counts = tertium.score(gold, system, metric=ANY).results[0].counts
    assert counts == {"tp": 1, "fp": 0, "fn": 0, "wl": 1}


def test_the_same_false_positive_of_two_systems_is_one_item() -> None:
    gold = corpus([[(0, 1), (2, 3)]])
    a, b = corpus([[(4, 5), (6, 7)]]), corpus([[(0, 1), (6, 7)]])
    pair = tertium.compare(gold, a, b, metric=ANY, names=["a", "b"]).view.pairs[0]
    assert (pair.items, pair.different) == (2, 0)
    common = tertium.compare(gold, a, b, metric=ANY, names=["a", "b"], items="common")
    assert common.view.pairs[0].items == 0  # gold does not have it
