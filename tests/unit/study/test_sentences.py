"""Families that pair sentence by sentence: what is lost is left out, counted and named."""

import pickle
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tertium
from sentence_pairs import LooseF1, corpus, loose_family
from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.exceptions import AlignmentError
from tertium.families.base import make
from tertium.results.lost import Lost, Named
from tertium.study.files import File
from tertium.study.study import Study
from tertium.study.walk import walk

ADA, HE, EVE = "Ada/B-PER met Bob/B-PER", "He left Rome/B-LOC", "Eve/B-PER left Oslo/B-LOC"
GOLD = corpus("gold", ADA, HE, EVE)
OTHER = corpus("other", ADA, HE.replace("He", "She"), EVE.replace("LOC", "PER"))
METRIC = "loose.f1"


@pytest.fixture(autouse=True)
def _family() -> Iterator[None]:
    with loose_family():
        yield


def scored(gold: Corpus, *systems: Corpus, metric: str = METRIC, **options: Any) -> Any:
    names = [system.origin for system in systems]
    return tertium.score(gold, *systems, metric=metric, names=names, **options)


def test_a_sentence_with_other_words_is_left_out_counted_and_named() -> None:
    found = scored(GOLD, OTHER)
    result = found["other", METRIC]
    assert result.counts == {"correct": 3, "gold": 4, "system": 4}
    assert result.coverage == {"scored": 4, "unaligned": 0, "left_out": 1}
    assert found.notes == (
        "other: 1 sentence left out because its words differ from those in gold: 2",
    )
    assert "|align:sentences|" in str(result.signature)


def test_what_is_missing_and_what_gold_lacks_is_named_apart() -> None:
    gold = corpus("gold", f"a: {ADA}", f"b: {HE}", f"c: {EVE}")
    system = corpus("other", f"c: {EVE}", f"x: {HE}", f"y: {HE}", f"a: {ADA}")
    found = scored(gold, system)
    result = found["other", METRIC]
    assert result.counts == {"correct": 4, "gold": 4, "system": 4}
    assert result.coverage == {"scored": 4, "unaligned": 0, "left_out": 1, "ignored": 2}
    assert found.notes == (
        "other: 1 sentence left out because it is missing or empty: b",
        "other: 2 sentences ignored because they are not in gold: x, y",
    )


def test_a_metric_may_judge_what_is_lost() -> None:
    found = scored(GOLD, OTHER, metric="loose.f1(missing='penalise')")
    (result,) = found
    assert result.counts["gold"] == 5
    assert result.coverage["penalised"] == 1
    assert found.notes == (
        "other: 1 sentence counted as wrong because its words differ from those in gold: 2",
    )


def test_a_note_names_the_metric_where_metrics_lose_different_sentences() -> None:
    found = tertium.score(GOLD, OTHER, metric=[METRIC, "loose.f1(missing='penalise')"], names="o")
    assert [note.partition(" because")[0] for note in found.notes] == [
        "o: 1 sentence left out by loose.f1",
        "o: 1 sentence counted as wrong by loose.f1",
    ]


def test_what_only_a_metric_lost_is_named_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """PARSEVAL compares the words that are left after deletions."""

    def aligned(_: Any, gold: Corpus, system: Corpus, alignment: Alignment) -> Alignment:
        return replace(alignment, lost=np.array([False, True, True]))

    monkeypatch.setattr(LooseF1, "aligned", aligned)
    found = scored(GOLD, OTHER)
    assert found["other", METRIC].coverage["left_out"] == 2
    assert found.notes == (
        "other: 1 sentence left out because its words differ from those in gold: 2",
        "other: 1 sentence left out because the compared words differ from those in gold: 3",
    )


def test_files_add_up_and_name_the_first_sentences() -> None:
    one = Lost(Named.of(["1 (x)", "2 (x)", "3 (x)"]), ignored=Named.of(["s"]))
    two = Lost(Named.of(["7 (y)", "8 (y)", "9 (y)"]), Named.of(["4 (y)"]))
    both = Lost.added([one, two])
    assert both.coverage == {"left_out": 7, "ignored": 1}
    assert both.notes("a", "gold", "F1")[0] == (
        "a: 6 sentences left out by F1 because their words differ from those in gold: "
        "1 (x), 2 (x), 3 (x), 7 (y), 8 (y) and 1 more"
    )


def test_different_numbers_without_ids_are_refused() -> None:
    with pytest.raises(AlignmentError, match="3 sentences, other has 2"):
        scored(GOLD, corpus("other", ADA, HE))


def test_characters_lose_nothing() -> None:
    system = corpus("other", f"{ADA} {HE}", EVE)
    result = scored(GOLD, system, align="characters")["other", METRIC]
    assert result.value == 1
    assert result.coverage == {"scored": 5, "unaligned": 0}
    with pytest.raises(AlignmentError):
        scored(GOLD, system)


def test_position_pairs_other_words() -> None:
    found = scored(GOLD, OTHER, align="position")["other", METRIC]
    assert found.counts["gold"] == 5
    assert found.coverage == {"scored": 5, "unaligned": 0, "differing_forms": 1}


def test_metrics_that_pair_the_text_stand_beside() -> None:
    """Each family has its own way; the text of the other one still has to be the same."""
    same = corpus("same", ADA, EVE, HE)
    gold = corpus("gold", f"a: {ADA}", f"c: {EVE}", f"b: {HE}")
    texts, sentences = tertium.score(gold, same, metric=["spans.f1", METRIC], names="s")
    assert texts.value == sentences.value == 1
    assert "align:auto" in str(texts.signature)
    assert "align:sentences" in str(sentences.signature)
    moved = corpus("moved", f"b: {HE}", f"a: {ADA}", f"c: {EVE}")
    assert scored(gold, moved)["moved", METRIC].value == 1
    with pytest.raises(AlignmentError, match="different texts"):
        scored(gold, moved, metric="spans.f1")


def test_decisions_have_no_rows_of_lost_units_and_remember_them() -> None:
    def lost(file: File) -> Any:
        ((judged,),) = ([*system.judge()] for system in file.systems())
        return judged.decisions

    study = Study.of(GOLD, [OTHER], metric=METRIC)
    (rows,) = walk(study, lost)
    assert rows.lost.tolist() == [False, True, False]
    assert set(rows.unit.tolist()) == {0, 2}
    assert pickle.loads(pickle.dumps(rows)).lost.tolist() == [False, True, False]
    some = rows.take(np.flatnonzero(rows.unit == 2), np.array([1, 2]))
    assert some.lost.tolist() == [True, False]
    assert set(some.unit.tolist()) == {1}


def test_numbers_are_those_of_the_file_where_sentences_were_skipped() -> None:
    skipped = np.array([True, False, False])
    gold = replace(GOLD, skipped=skipped)
    found = scored(gold, OTHER, on_error="skip")
    assert found.notes[-1].endswith("differ from those in gold: 2")


def test_skipped_sentences_are_those_of_the_same_id() -> None:
    gold = corpus("gold", f"a: {ADA}", f"b: {HE}", f"c: {EVE}")
    system = corpus("other", f"c: {EVE}", f"a: {ADA}")
    found = scored(gold, replace(system, skipped=np.array([True, False])), on_error="skip")
    result = found["other", METRIC]
    assert result.counts == {"correct": 2, "gold": 2, "system": 2}
    assert result.coverage == {"scored": 2, "unaligned": 0, "skipped": 1, "left_out": 1}
    assert found.notes[-1] == "other: 1 sentence left out because it is missing or empty: b"


def test_a_family_pairs_the_text_unless_it_says_otherwise() -> None:
    from tertium.families.family import family_of

    assert family_of(make("spans.f1")).pairs == "text"
    assert family_of(make(METRIC)).pairs == "sentences"
