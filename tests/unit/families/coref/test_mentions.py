"""Which mentions count, and which are the same."""

from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

import tertium
from chain_samples import chained, counts, over
from tertium.corpus.labels import Labels, bounds_of
from tertium.corpus.layers import EmptyNodes, Ragged
from tertium.exceptions import InputError, LayerError
from tertium.families.coref.chains import chains_of, duplicates_of, mention_items
from tertium.families.coref.match import match

A, B, C, D = (0, 0), (2, 3), (5, 5), (7, 8)


def test_mentions_of_the_same_tokens_are_the_same() -> None:
    gold, system = chained([[A, B], [C]]), chained([[B, D], [A]])
    found = match(gold, system, over(gold, system))
    assert found.partner.tolist() == [0, 1, -1]
    assert found.of_system.tolist() == [0, 1, -1]
    assert found.gold.entity.tolist() == [0, 0, 1]
    assert found.system.entity.tolist() == [0, 1, 1]


def test_a_gap_tells_mentions_apart() -> None:
    gold, system = chained([[(0, 1, 3), (5, 5)]]), chained([[(0, 2, 3), (5, 5)]])
    assert match(gold, system, over(gold, system)).partner.tolist() == [-1, 1]
    assert match(gold, gold, over(gold, gold)).partner.tolist() == [0, 1]


def test_entities_are_numbered_as_the_reference_scorer_meets_them() -> None:
    # The second chain has a mention of one token where the first begins with a longer one.
    gold = chained([[(1, 3), (5, 6)], [(1, 1), (8, 8)], [(0, 4)]])
    found = match(gold, gold, over(gold, gold)).gold
    assert found.row.tolist() == [0, 1, 2, 3, 4]
    assert found.entity.tolist() == [0, 2, 1, 2, 1]
    assert found.size.tolist() == [1, 2, 2]


def test_entities_of_different_documents_differ() -> None:
    gold = chained([[A, B]], [[A, B]])
    found = match(gold, gold, over(gold, gold)).gold
    assert found.entity.tolist() == [0, 0, 1, 1]
    assert found.unit_of_entity.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("singletons", "sizes"),
    [("keep", (3, 3)), ("drop", (2, 2)), ("drop_gold", (2, 3)), ("drop_system", (3, 2))],
)
def test_singletons_can_be_dropped(singletons: str, sizes: tuple[int, int]) -> None:
    gold, system = chained([[A, B], [C]]), chained([[A, C], [B]])
    found = match(gold, system, over(gold, system), singletons=singletons)
    assert (len(found.gold), len(found.system)) == sizes


def test_a_repeated_mention_makes_no_second_one() -> None:
    gold = chained([[A, A], [B, C]])
    found = match(gold, gold, over(gold, gold), singletons="drop")
    assert len(found.gold) == 2


def test_a_system_mention_stays_in_the_first_entity_if_gold_has_it() -> None:
    gold, system = chained([[A, B], [C, D]]), chained([[A, B], [B, C], [B]])
    found = match(gold, system, over(gold, system))
    assert found.system.entity.tolist() == [0, 0, 1]
    assert found.duplicates_system.tolist() == [2]
    # One that gold does not have stays wherever it is.
    system = chained([[A, (9, 9)], [(9, 9), C]])
    assert len(match(gold, system, over(gold, system)).system) == 4


def test_a_gold_mention_belongs_to_its_last_entity() -> None:
    gold, system = chained([[A, B], [A, C]]), chained([[A, B, C]])
    found = match(gold, system, over(gold, system))
    assert found.gold.entity[found.of_system].tolist() == [1, 0, 1]
    assert found.duplicates_gold.tolist() == [1]


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("coref.muc", [0, 2, 0, 1]),
        ("coref.b3", [2, 4, 2.5, 3]),
        ("coref.ceafe", [5 / 3, 2, 5 / 3, 2]),
    ],
)
def test_a_mention_in_two_gold_chains(metric: str, expected: list[float]) -> None:
    gold = chained([[A, B], [A, C]])
    assert counts(metric, gold, gold) == pytest.approx(expected)


def test_repetitions_are_named_and_counted() -> None:
    gold = chained([[A, B], [A, C]], [[B, B, B]], origin="gold.conll")
    count, told = duplicates_of(gold)
    assert count == 3
    assert told == "'d0' token 1 in chains 0 and 1; 'd1' tokens 3-4 in chain 0 (3 times)"
    many = chained([[(n, n) for n in range(7)]] * 2)
    count, told = duplicates_of(many)
    assert count == 7
    assert told.count(";") == 4


def test_repetitions_are_refused_if_asked(tmp_path: Path) -> None:
    gold, system = chained([[A, B]]), chained([[A, B], [A, C]], origin="system.conll")
    options = {"singletons": "keep", "matching": "exact", "duplicates": "refuse"}
    with pytest.raises(InputError, match=r"system\.conll: 1 repeated mention: 'd0' token 1 in"):
        match(gold, system, over(gold, system), **options)
    path = tmp_path / "a.conll"
    path.write_text("#begin document (x);\nx\t0\t0\ta\t(1)|(2)\nx\t0\t1\tb\t(1)\n\n#end document\n")
    result = tertium.score(path, path, metric="coref.muc").results[0]
    assert result.coverage["duplicates_gold"] == result.coverage["duplicates_system"] == 1
    with pytest.raises(InputError, match="'x' token 1 in chains 1 and 2"):
        tertium.score(path, path, metric="coref.muc(duplicates=refuse)")


def with_zeros(corpus: tertium.Corpus, zeros: list[list[int]]) -> tertium.Corpus:
    """The mentions with empty nodes; there are three of these, all behind the last token."""
    numbers = Ragged(bounds_of([*map(len, zeros)]), np.array([*chain(*zeros)], np.int32))
    nodes = EmptyNodes(
        np.zeros(3, np.int32),
        np.full(3, 12, np.int32),
        np.arange(1, 4, dtype=np.int32),
        Labels.constant("\t".join("_" * 9), 3),
    )
    layer = replace(chains_of(corpus), zeros=numbers)
    return replace(corpus, layers={"coref": layer}, extras={"empty": nodes})


def test_empty_nodes_tell_mentions_apart() -> None:
    one, two = (with_zeros(chained([[A, B]]), zeros) for zeros in ([[0], []], [[1], []]))
    assert match(one, two, over(one, two)).partner.tolist() == [-1, 1]
    assert match(one, one, over(one, one)).partner.tolist() == [0, 1]
    without = chained([[A, B]])
    assert match(one, without, over(one, without)).partner.tolist() == [-1, 1]


def test_a_mention_of_empty_nodes_alone_has_a_token_of_its_sentence() -> None:
    text = with_zeros(chained([[A, (11, 11)]]), [[], [2]])
    start, end = np.array([0, 12], np.int32), np.array([1, 12], np.int32)
    layer = replace(chains_of(text), start=start, end=end)
    text = replace(text, layers={"coref": layer})
    items = mention_items(text)
    assert items.start.tolist() == [0, 11]
    assert items.end.tolist() == [1, 11]
    found = match(text, text, over(text, text), zeros="position")
    assert found.partner.tolist() == [0, 1]


def test_a_file_without_chains_is_refused() -> None:
    bare = replace(chained([[A, B]], origin="x.conllu"), layers={})
    with pytest.raises(LayerError, match=r"x\.conllu has no coreference chains"):
        chains_of(bare)


WORDS = "1\tAnn\t_\tPROPN\t_\t_\t0\troot\t_\t{}\n2\tshe\t_\tPRON\t_\t_\t1\tdep\t_\t{}\n\n"


@pytest.mark.parametrize(
    ("cells", "note"),
    [
        (("Entity=(e1)", "Entity=(e1)|SplitAnte=e1<e2"), "1 split antecedent was not read"),
        (("(0+1)", "(1)"), "1 mention with split antecedents was not read, the first of chain 0+1"),
    ],
)
def test_split_antecedents_are_told_where_they_are_scored(
    cells: tuple[str, str], note: str, tmp_path: Path
) -> None:
    path = tmp_path / "a"
    columns = WORDS if "Entity" in cells[0] else "#begin document (d);\nd\t{}\nd\t{}\n"
    path.write_text(columns.format(*cells))
    assert f"{path}: {note}" in tertium.score(path, path, metric=["coref.muc"]).notes


def test_brackets_must_match_wherever_coreference_is_scored(tmp_path: Path) -> None:
    """Whatever else is asked for; but what does not look at it does not mind."""
    gold, bad = tmp_path / "gold.conllu", tmp_path / "bad.conllu"
    gold.write_text(WORDS.format("Entity=(e1)", "Entity=(e1)"))
    bad.write_text(WORDS.format("Entity=(e1", "Entity=(e1)"))
    names = ("coref.conll", "coref.arcs_nom", "coref.b3(matching='head')")
    asked: list[dict[str, object]] = [{"metric": [name]} for name in names]
    asked += [{}, {"metric": ["deps.las", "coref.muc"]}]
    asked += [{"metric": ["coref.mentions"], "by": key} for key in ("document", "mention")]
    for options in asked:
        with pytest.raises(InputError, match=r"bad\.conllu:1.*entity e1 is opened here and never"):
            tertium.score(gold, bad, **options)
    assert tertium.score(gold, bad, metric=["deps.las"]).systems


def test_columns_that_are_needed_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(WORDS.format("Entity=(e1)", "Entity=(e1)"))
    found = tertium.score(path, path, metric=["coref.mentions"], by="mention")
    (score,) = found.to_dict()["scores"]
    assert [*score["groups"]] == ["noun", "pronoun"]


TWICE = {
    "a.conll": "#begin document (d);\nd\t(1)\nd\t(1)\n#end document\n" * 2,
    "a.jsonl": '{"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}\n' * 2,
}


@pytest.mark.parametrize("name", TWICE)
def test_a_document_that_is_there_twice_is_read_once_if_asked(name: str, tmp_path: Path) -> None:
    twice, once = tmp_path / name, tmp_path / f"once-{name}"
    twice.write_text(TWICE[name])
    once.write_text(TWICE[name][: len(TWICE[name]) // 2])
    with pytest.raises(InputError, match="is in the file twice"):
        tertium.score(once, twice, metric=["coref.muc"])
    line = 5 if name == "a.conll" else 2
    for sides in ((once, twice), (twice, once)):
        found = tertium.score(*sides, metric=["coref.muc"], on_error="skip")
        assert found.to_dict()["scores"][0]["counts"]["recall_denominator"] == 1
        assert any(f"d (line {line})" in note for note in found.notes)


def test_other_clusters_of_a_file_are_told(tmp_path: Path) -> None:
    """Predictions often stand beside what they are predictions of."""
    path = tmp_path / "a.jsonl"
    both = '"clusters": [[[0, 0], [1, 1]]], "predicted_clusters": []'
    path.write_text(f'{{"sentences": [["a", "b"]], {both}}}\n')
    notes = tertium.score(path, path, metric=["coref.muc"]).notes
    assert f"{path}: key 'predicted_clusters' was not read (1 time)" in notes


def test_systems_with_another_word_are_compared_whatever_gold_has_besides(tmp_path: Path) -> None:
    """Tags and dependencies cannot be compared over such a text, and nobody asked for them."""
    text = "#begin document (d);\nd\t0\t0\tAnn\t(1)\nd\t0\t1\tshe\t(1)\n#end document\n"
    paths = [tmp_path / f"{name}.conll" for name in ("gold", "a", "b")]
    for path, words in zip(paths, (text, text.replace("she", "her"), text), strict=True):
        path.write_text(words)
    more = tmp_path / "more.conllu"
    more.write_text(WORDS.format("_", "_"))
    gold, a, b = paths
    for systems in ((a, b), (b, a)):
        found = tertium.compare(gold, *systems, with_files=[more])
        assert {pair["layer"] for pair in found.to_dict()["pairs"]} == {"coref"}
    assert tertium.diff(gold, a, with_files=[more]).to_dict()["layers"]
