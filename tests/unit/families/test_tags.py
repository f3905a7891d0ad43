"""tags.accuracy on examples small enough to check by eye."""

from pathlib import Path
from typing import get_args

import pytest

import tertium
from tertium.exceptions import LayerError
from tertium.families.family import Use
from tertium.families.tags import TagFamily
from trees import corpus_of


def test_counts_sentence_mean_and_complete_sentences() -> None:
    gold = [["N", "V", "N", "P"], ["N"], ["V", "N"]]
    system = [["N", "V", "V", "P"], ["N"], ["N", "V"]]
    result = tertium.score(gold, system, metric="tags.accuracy")["tags.accuracy"]
    assert result.counts == {"correct": 4, "items": 7, "system": 7}
    assert result.value == pytest.approx(4 / 7)
    assert result.parts["sentence_mean"] == pytest.approx((3 / 4 + 1 + 0) / 3)
    assert result.parts["complete"] == pytest.approx(1 / 3)


def test_numbers_per_tag() -> None:
    result = tertium.score([["N", "V", "N"]], [["N", "N", "X"]], metric="tags.accuracy").results[0]
    assert result.labels["N"] == {
        "precision": 0.5,
        "recall": 0.5,
        "f1": 0.5,
        "counts": {"correct": 1, "gold": 2, "system": 2},
    }
    assert result.labels["V"]["precision"] is None, "never said: undefined, not 0"
    assert result.labels["V"]["recall"] == 0
    assert result.labels["X"]["recall"] is None


def test_confusion() -> None:
    result = tertium.score(
        [["N", "V", "N"]], [["N", "N", "V"]], metric="tags.accuracy", confusion=True
    ).results[0]
    assert result.confusion == {("N", "N"): 1, ("V", "N"): 1, ("N", "V"): 1}


def test_unaligned_tokens_count_as_wrong_and_are_reported() -> None:
    gold = [{"tokens": ["do", "n't", "go"], "tags": ["AUX", "PART", "VERB"]}]
    system = [{"tokens": ["don't", "go"], "tags": ["AUX", "VERB"]}]
    result = tertium.score(gold, system, metric="tags.accuracy").results[0]
    assert result.value == pytest.approx(1 / 3)
    assert result.parts["precision"] == 0.5
    assert result.parts["recall"] == pytest.approx(1 / 3)
    assert result.coverage == {
        "scored": 3,
        "unaligned": 3,
        "unaligned_gold": 2,
        "unaligned_system": 1,
    }
    assert result.parts["complete"] == 0


def test_known_and_unknown_words(tmp_path: object) -> None:
    from pathlib import Path

    train = Path(str(tmp_path)) / "train.tsv"
    train.write_text("a\tN\nb\tV\n\n")
    gold = [{"tokens": ["a", "b", "c"], "tags": ["N", "V", "N"]}]
    system = [{"tokens": ["a", "b", "c"], "tags": ["N", "N", "N"]}]
    result = tertium.score(gold, system, metric="tags.accuracy", lexicon=str(train)).results[0]
    assert result.parts["known"] == 0.5
    assert result.parts["unknown"] == 1.0
    assert "lexicon:train.tsv@" in str(result.signature)


def test_no_unknown_words_is_undefined_with_the_reason(tmp_path: object) -> None:
    from pathlib import Path

    train = Path(str(tmp_path)) / "train.tsv"
    train.write_text("a\tN\n\n")
    data = [{"tokens": ["a"], "tags": ["N"]}]
    result = tertium.score(data, data, metric="tags.accuracy", lexicon=str(train)).results[0]
    assert result.parts["unknown"] is None
    assert result.reasons["unknown"] == "no unknown words"
    assert result.value == 1


def test_a_column_can_be_chosen() -> None:
    gold = [{"tokens": ["a"], "pos": ["N"], "case": ["acc"]}]
    system = [{"tokens": ["a"], "pos": ["N"], "case": ["dat"]}]
    scores = tertium.score(gold, system)
    assert scores["tags.accuracy"].value == 1
    assert scores["tags.accuracy(column='case')"].value == 0
    with pytest.raises(LayerError, match=r"no layer 'cas'.*Did you mean 'case'"):
        tertium.score(gold, system, metric="tags.accuracy(column=cas)")


def test_a_system_without_the_column_is_undefined_beside_one_that_has_it() -> None:
    gold = [{"tokens": ["a"], "pos": ["N"], "case": ["acc"]}]
    other = [{"tokens": ["a"], "pos": ["N"]}]
    scores = tertium.score(gold, gold, other)
    assert scores["system2", "tags.accuracy(column='case')"].value is None
    assert "no layer" in scores["system2", "tags.accuracy(column='case')"].reasons["value"]
    assert any("system2" in note for note in scores.notes)
    with pytest.raises(LayerError):
        tertium.score(gold, other, metric="tags.accuracy(column=case)")


def test_lexical_semantics_is_judged_by_its_tags(tmp_path: Path) -> None:
    """Of the 17 columns of .conllulex: not heads, lemmas or numbers of words, though a lemma looks
    like a tag of spans."""
    rows = (
        "1 O o INTJ UH _ 2 disc 2:disc _ _ INTJ o _ _ _ _ _ O-INTJ",
        "2 B-52 b-52 NOUN NN Num=Sing 0 root 0:root _ _ N b-52 n.ART _ 1:1 _ b-52 B-N-n.ART",
        "3 ran run VERB VB _ 2 dep 2:dep _ 1:1 V run v.mot _ _ _ _ B-V-v.mot",
        "4 I i PRON PR _ 3 obj 3:obj _ 1:2 _ I-x _ p _ _ _ I_",
    )
    path = tmp_path / "a.conllulex"
    path.write_text("\n".join(row.replace(" ", "\t") for row in rows) + "\n\n")
    metrics = tertium.score(path, path).metrics
    columns = [metric.partition("column='")[2].removesuffix("')") for metric in metrics]
    assert columns == ["", "xpos", "feats", "lexcat", "ss", "ss2", "lextag"]
    assert tertium.score(path, path, metric="tags.accuracy(column=head)").value == 1


def test_parts_of_speech_of_trees_are_judged_with_the_trees_unless_somebody_asks() -> None:
    trees = corpus_of("(S (NP (N dogs)) (VP (V bark)))")
    for use in get_args(Use):
        assert TagFamily().usual(trees, use) == []
    assert TagFamily().find(trees) == ["pos"]
    assert tertium.score(trees, trees, metric="tags.accuracy").value == 1
