"""Documents paired by name or in order; tokens by their numbers in the document."""

from dataclasses import replace

import numpy as np
import pytest

from document_pairs import corpus
from tertium.align.documents import align_documents, partners, shared_documents, without
from tertium.align.tokens import Alignment
from tertium.align.units import by_document
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Chains
from tertium.exceptions import AlignmentError, InputError

GOLD = corpus("gold", "a:x y | z", "b:u v", "c:w x y")


def places(found: Alignment, side: str) -> list[tuple[int, int]]:
    start, end = (getattr(found, f"{side}_{edge}").tolist() for edge in ("start", "end"))
    return [*zip(start, end, strict=True)]


def test_the_same_tokens_are_paired_whatever_the_sentences() -> None:
    system = corpus("s", "a:x | y z", "b:u v", "c:w x | y")
    moved, found = align_documents(GOLD, system)
    assert moved is system
    assert (found.method, found.differing_forms) == ("tokens", 0)
    assert found.system_of_gold.tolist() == found.gold_of_system.tolist() == [*range(8)]
    assert found.unit_of_gold.tolist() == found.unit_of_system.tolist() == [0, 0, 1, 2, 2, 3, 3, 3]
    by = by_document(found, GOLD)
    assert by.units == 3
    assert by.unit_of_gold.tolist() == by.unit_of_system.tolist() == [0, 0, 0, 1, 1, 2, 2, 2]


def test_documents_are_found_by_their_names() -> None:
    system = corpus("s", "c:w x y", "a:x y z", "b:u v")
    moved, found = align_documents(GOLD, system)
    assert moved.document_names.to_list() == ["a", "b", "c"]
    assert moved.forms is not None
    assert moved.forms.to_list() == "x y z u v w x y".split()
    assert found.method == "tokens"
    assert (found.missing, found.ignored) == ((), ())


@pytest.mark.parametrize("lacks", ["a", "b", "c", "ab", "bc", "ac"])
@pytest.mark.parametrize("other", ["x y | z", "xy z"])
def test_a_missing_document_is_empty_and_moves_nothing(lacks: str, other: str) -> None:
    texts = {"c": "w x y", "b": "u v", "a": other}
    given = [f"{name}:{text}" for name, text in texts.items() if name not in lacks]
    system = corpus("s", "q:1 2 3", *given, "p:4")
    moved, found = align_documents(GOLD, system)
    assert found.missing == tuple(lacks)
    assert found.ignored == ("q", "p")
    assert moved.document_count == 3
    sizes = np.diff(moved.offsets[np.append(moved.documents, moved.sentence_count)])
    expected = {"a": len(other.replace("|", " ").split()), "b": 2, "c": 3}
    assert sizes.tolist() == [0 if name in lacks else expected[name] for name in "abc"]
    names = ["" if name in lacks else name for name in "abc"]
    assert moved.document_names.to_list() == names
    # What both have lies at the same place, and all is in the order of the text.
    ours, theirs = places(found, "gold"), places(found, "system")
    assert ours == sorted(ours)
    assert len({*ours}) == GOLD.token_count
    for token, partner in enumerate(found.system_of_gold.tolist()):
        document = "abc"[GOLD.document_of_sentence[GOLD.sentence_of_token[token]]]
        if document in lacks or (document == "a" and other == "xy z" and token < 2):
            assert partner == -1
        else:
            assert ours[token] == theirs[partner]
            assert found.gold_of_system[partner] == token
    by = by_document(found, GOLD)
    of_system = moved.document_of_sentence[moved.sentence_of_token]
    assert by.unit_of_system.tolist() == of_system.tolist()
    count = sum({"a": 3, "b": 2, "c": 3}[name] for name in lacks)
    assert found.coverage.get("unaligned_gold", 0) >= count


def test_nothing_may_be_there_of_the_system() -> None:
    empty = GOLD.take([])
    moved, found = align_documents(GOLD, replace(empty, origin="s"))
    assert moved.document_count == 3
    assert found.missing == ("a", "b", "c")
    assert (found.system_of_gold == -1).all()


def test_forms_need_not_be_the_same_where_documents_are_equally_long() -> None:
    _, found = align_documents(GOLD, corpus("s", "a:x Y z", "b:u v", "c:W x y", "d:1 2 3 4"))
    assert (found.method, found.differing_forms) == ("position", 2)
    assert found.system_of_gold.tolist() == [*range(8)]
    assert found.unit_of_system.tolist() == [0, 0, 1, 2, 2, 3, 3, 3]
    nameless = replace(GOLD, forms=Labels.of(["_"] * 8), origin="s")
    _, found = align_documents(GOLD, nameless)
    assert (found.method, found.differing_forms) == ("position", 0)
    _, found = align_documents(GOLD, replace(nameless, forms=None))
    assert (found.method, found.differing_forms) == ("position", 0)


def test_other_tokens_are_paired_by_characters() -> None:
    system = corpus("s", "a:xy z", "b:u v", "c:w xy")
    _, found = align_documents(GOLD, system)
    assert found.method == "characters"
    assert found.system_of_gold.tolist() == [-1, -1, 1, 2, 3, 4, -1, -1]
    ours, theirs = places(found, "gold"), places(found, "system")
    assert (ours[0][0], ours[1][1]) == theirs[0]
    assert found.unit_of_system.tolist() == [0, 1, 2, 2, 3, 3]
    _, same = align_documents(GOLD, GOLD, method="characters")
    assert same.method == "characters"


def test_other_texts_are_refused_with_the_first_difference() -> None:
    system = corpus("s", "a:x y z", "b:u v", "c:w x q y")
    with pytest.raises(AlignmentError, match=r"gold, sentence '4' has 'y' .* but s, sentence '3'"):
        align_documents(GOLD, system)
    with pytest.raises(AlignmentError, match="document 'c' has 3 tokens in gold, 4 in s; doc"):
        align_documents(GOLD, system, method="position")
    shifted = corpus("s", "a:x y", "b:z u v", "c:w x y")
    with pytest.raises(AlignmentError, match="document 'b' begins at a different word in gold"):
        align_documents(GOLD, shifted)


def test_documents_without_names_are_taken_in_order() -> None:
    plain = corpus("s", "x y z", "u v", "w x y")
    assert partners(GOLD, plain).tolist() == partners(plain, GOLD).tolist() == [0, 1, 2]
    with pytest.raises(AlignmentError, match="gold has 3 documents, s has 1, and not all"):
        partners(GOLD, corpus("s", "x y z u v w x y"))


def test_a_document_without_a_name_has_that_of_its_file() -> None:
    one = corpus("folder/b.conll", "u v")
    assert partners(GOLD, one).tolist() == [-1, 0, -1]
    assert partners(one, GOLD).tolist() == [1]
    assert partners(corpus("gold", "a:x"), corpus("folder/b.conll", "x")).tolist() == [0]


def test_names_that_say_nothing_are_refused() -> None:
    with pytest.raises(AlignmentError, match="no document in common: the first are 'a' and 'd'"):
        partners(GOLD, corpus("s", "d:x y z", "e:u v"))
    with pytest.raises(InputError, match="s has 2 documents 'a'"):
        partners(GOLD, corpus("s", "a:x y z", "a:u v"))


def with_chain(corpus: Corpus, start: int, end: int) -> Corpus:
    """With one mention."""
    chain = Chains(
        *(np.array([place], np.int32) for place in (start, end)),
        Labels.of([""]),
        entity=np.zeros(1, np.int32),
        name=Labels.of(["1"]),
        sentence=corpus.sentence_of([start]).astype(np.int32),
    )
    return replace(corpus, layers={"coref": chain})


def test_a_mention_across_sentences_moves_with_its_document() -> None:
    system = with_chain(corpus("s", "c:w x y", "a:x | y z"), 3, 6)
    moved, _ = align_documents(GOLD, system)
    chain = moved.layer("coref", Chains)
    assert (chain.start.tolist(), chain.end.tolist(), chain.sentence.tolist()) == ([0], [3], [0])


def test_what_one_side_skipped_takes_its_document_with_it() -> None:
    gold = replace(GOLD, skipped=np.array([False, True, False, False]))
    system = corpus("s", "c:", "b:u v", "d:", skipped=np.array([True, False, True]))
    assert shared_documents(GOLD, [GOLD]) is None
    keep = shared_documents(gold, [GOLD, system])
    assert keep is not None
    assert keep.tolist() == [False, True, False]
    left = without(gold, system, keep)
    assert left.document_names.to_list() == ["b", "d"]
    assert shared_documents(GOLD, [replace(system, skipped=np.array([False, False, True]))]) is None
