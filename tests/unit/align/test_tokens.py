import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.align.tokens import align, units_by
from tertium.align.units import shared_sentences
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Multiwords
from tertium.exceptions import AlignmentError, UsageError


def text(*sentences: str, multiwords: tuple[tuple[int, int, str], ...] = ()) -> Corpus:
    words = [s.split() for s in sentences]
    extras = {}
    if multiwords:
        start, end, forms = zip(*multiwords, strict=True)
        extras["multiwords"] = Multiwords(
            np.array(start, np.int32),
            np.array(end, np.int32),
            Labels.of(forms),
            Labels.of(["_"] * len(forms)),
        )
    return Corpus(
        np.cumsum([0, *(len(w) for w in words)]),
        Labels.of(w for s in words for w in s),
        extras=extras,
        origin="file",
    )


def pairs(gold: Corpus, system: Corpus, method: str = "auto") -> list[int]:
    return align(gold, system, method=method).system_of_gold.tolist()


def test_identical_tokens() -> None:
    found = align(text("a b", "c"), text("a b", "c"))
    assert found.method == "tokens"
    assert found.system_of_gold.tolist() == [0, 1, 2]
    assert found.unaligned() == (0, 0)


def test_same_characters_split_differently() -> None:
    found = align(text("don't go", "now"), text("do n't go now"))
    assert found.method == "characters"
    assert found.system_of_gold.tolist() == [-1, 2, 3]
    assert found.gold_of_system.tolist() == [-1, -1, 1, 2]
    assert found.unaligned() == (1, 2)
    # A system token belongs to the gold sentence that holds its first character.
    assert found.unit_of_system.tolist() == [0, 0, 0, 1]


def test_white_space_inside_tokens_is_ignored() -> None:
    gold = Corpus(np.array([0, 2]), Labels.of(["10\u00a0000", "\u3000a"]))
    system = Corpus(np.array([0, 2]), Labels.of(["10000", "a"]))
    assert align(gold, system).system_of_gold.tolist() == [0, 1]


def test_white_space_that_is_no_space() -> None:
    """The UD evaluation takes out category Zs alone: a line separator is a character to it."""
    gold = Corpus(np.array([0, 3]), Labels.of(["a\u2028", "\u0085", "b c"]))
    system = Corpus(np.array([0, 2]), Labels.of(["a", "bc"]))
    lenient = align(gold, system)
    assert lenient.system_of_gold.tolist() == [0, -1, 1]
    assert lenient.loose
    with pytest.raises(AlignmentError, match="different texts"):
        align(gold, system, strict=True)
    split = Corpus(np.array([0, 4]), Labels.of(["a", "\u2028", "\u0085", "bc"]))
    found = align(gold, split, strict=True)
    assert found.system_of_gold.tolist() == [-1, 2, 3]
    assert found.gold_end.tolist() == [2, 3, 5]
    assert not found.loose
    assert not align(gold, gold).loose


@pytest.mark.parametrize("place", [0, 1, 2])
def test_multiword_tokens_without_a_character_are_passed_over(place: int) -> None:
    words = ["a", "b"]
    words[place:place] = ["x", "y"]
    odd = text(" ".join(words), multiwords=((place, place + 2, "\u00a0"),))
    plain = text("a b")
    there = [words.index("a"), words.index("b")]
    assert align(plain, odd).system_of_gold.tolist() == there
    assert align(odd, plain).gold_of_system.tolist() == there


def test_offsets_count_characters_not_bytes() -> None:
    found = align(text("äö ü"), text("ä öü"))
    assert found.gold_end.tolist() == [2, 3]
    assert found.system_start.tolist() == [0, 1]


def test_words_of_multiword_tokens_pair_along_a_common_subsequence() -> None:
    gold = text("vamos a el mar", multiwords=((1, 3, "al"),))
    assert pairs(gold, text("vamos al mar")) == [0, -1, -1, 2]  # left unsplit (case u24)
    split = text("vamos A le mar", multiwords=((1, 3, "al"),))
    assert pairs(gold, split) == [0, 1, -1, 3]  # forms compared in lower case


def test_on_ties_the_gold_word_is_passed_over_first() -> None:
    gold = text("x y z", multiwords=((0, 3, "xyz"),))
    system = text("y x z", multiwords=((0, 3, "xyz"),))
    # x-y and y-x are equally long; passing over gold x first pairs y.
    assert pairs(gold, system) == [-1, 0, 2]


def test_different_texts_are_refused_with_the_place() -> None:
    with pytest.raises(AlignmentError, match=r"sentence '2' has 'd' in 'c d'.*has 'x'") as caught:
        align(text("a b", "c d"), text("a b", "c x"))
    assert "align='position'" in (caught.value.help or "")


def test_a_cut_text_is_refused() -> None:
    with pytest.raises(AlignmentError, match="ends after 2 tokens") as caught:
        align(text("a b", "c d"), text("a b"))
    assert "position" not in (caught.value.help or "")


def test_position_counts_differing_forms() -> None:
    found = align(text("a b", "c"), text("a x", "c"), method="position")
    assert (found.method, found.differing_forms) == ("position", 1)


@pytest.mark.parametrize("other", [("a b",), ("a", "b c")])
def test_position_needs_the_same_shape(other: tuple[str, ...]) -> None:
    with pytest.raises(AlignmentError, match=r"sentences|tokens"):
        align(text("a b", "c"), text(*other), method="position")


def test_data_without_forms_pairs_by_position() -> None:
    assert align(text("_ _", "_"), text("_ _", "_")).method == "position"
    with pytest.raises(AlignmentError, match="sentences of different length: 2"):
        align(text("_ _", "_"), text("_", "_ _"))


def test_span_files_pair_by_number_whatever_the_lengths() -> None:
    gold = Corpus(np.array([0, 3, 3]), None, atoms="indices")
    system = Corpus(np.array([0, 1, 4]), None, atoms="indices")
    found = align(gold, system)
    assert np.asarray(found.gold_start).tolist() == [0, 1, 2]
    second = 2**32  # the same for every system, however long its first sentence is
    assert np.asarray(found.system_start).tolist() == [0, second, second + 1, second + 2]
    assert np.asarray(found.gold_of_system).tolist() == [0, -1, -1, -1]
    assert np.asarray(found.system_of_gold).tolist() == [0, -1, -1]
    assert found.unaligned() == (2, 3)
    with pytest.raises(AlignmentError, match="2 sentences"):
        align(gold, Corpus(np.array([0, 1]), None, atoms="indices"))


def test_columns_that_are_worked_out_answer_as_arrays_do() -> None:
    gold = Corpus(np.array([0, 3, 3, 5]), None, atoms="indices")
    system = Corpus(np.array([0, 1, 4, 4]), None, atoms="indices")
    for found in (align(gold, system), align(system, gold)):
        for name in ("gold_start", "gold_end", "system_start", "system_end"):
            column, other = getattr(found, name), np.asarray(getattr(found, name))
            places = np.unique([other - 1, other, other + 1])
            places = places[places >= int("end" in name)]
            for side in ("left", "right"):
                expected = other.searchsorted(places, side=side)
                assert column.searchsorted(places, side=side).tolist() == expected.tolist()
            assert len(column) == len(other)
            assert column[1:3].tolist() == column[[1, 2]].tolist() == other[1:3].tolist()
            assert column[other > 1].tolist() == other[other > 1].tolist()
        for unit in (found.unit_of_gold, found.unit_of_system):
            numbers, table = np.arange(3), np.array([7, 8, 9], np.int32)
            whole = np.asarray(unit)
            assert unit.searchsorted(numbers).tolist() == whole.searchsorted(numbers).tolist()
            assert np.asarray(units_by(table, unit)).tolist() == table[whole].tolist()


def test_spans_beyond_a_known_sentence_are_refused() -> None:
    with pytest.raises(AlignmentError, match=r"has 2 tokens .* has a span over token 3"):
        align(text("a b"), Corpus(np.array([0, 3]), None, atoms="indices"))


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(UsageError, match="align must be one of"):
        align(text("a"), text("a"), method="fuzzy")


def test_empty_corpora_align() -> None:
    assert align(text(), text()).units == 0


def test_a_sentence_skipped_anywhere_is_skipped_everywhere() -> None:
    gold, a, b = text("a", "b", "c"), text("a", "b", "c"), text("a", "b", "c")
    object.__setattr__(a, "skipped", np.array([False, True, False]))
    object.__setattr__(b, "skipped", np.array([True, False, False]))
    keep = shared_sentences(gold, [a, b])
    assert keep is not None
    assert keep.tolist() == [False, False, True]
    assert shared_sentences(gold, [gold]) is None
    short = text("a", "b")
    with pytest.raises(AlignmentError, match="numbers of sentences differ"):
        shared_sentences(gold, [a, short])


cuts = st.lists(st.booleans(), min_size=0, max_size=30)


@given(st.text("abé", min_size=1, max_size=25), cuts, cuts, cuts)
def test_any_two_tokenisations_of_one_text_align(
    characters: str, first: list[bool], second: list[bool], sentences: list[bool]
) -> None:
    def cut(where: list[bool], also: list[bool]) -> Corpus:
        pieces, offsets, start = [], [0], 0
        for i in range(1, len(characters) + 1):
            ends = i == len(characters)
            if ends or (i < len(where) and where[i]) or (i < len(also) and also[i]):
                pieces.append(characters[start:i])
                start = i
            if ends or (i < len(also) and also[i]):
                offsets.append(len(pieces))
        return Corpus(np.array(offsets), Labels.of(pieces))

    gold, system = cut(first, sentences), cut(second, [])
    found = align(gold, system)
    partner = found.system_of_gold[found.system_of_gold >= 0]
    assert (np.diff(partner) > 0).all()
    for g, s in enumerate(found.system_of_gold.tolist()):
        if s >= 0:
            assert gold.forms is not None
            assert system.forms is not None
            assert gold.forms[g] == system.forms[s]
            assert found.gold_of_system[s] == g
    same = {(a, z) for a, z in zip(found.gold_start, found.gold_end, strict=True)}
    theirs = {(a, z) for a, z in zip(found.system_start, found.system_end, strict=True)}
    assert len(partner) == len(same & theirs)


def test_forms_count_in_the_whole_stretch_not_only_inside_multiword_tokens() -> None:
    """The UD evaluation begins a stretch with words that lie before the multiword token."""
    gold = text("ab d b", multiwords=((1, 3, "c"),))
    assert pairs(gold, text("a b c")) == [-1, -1, 1]


def test_spaces_in_forms_count_only_inside_multiword_tokens() -> None:
    gold = Corpus(np.array([0, 2]), Labels.of(["a b", "c"]), origin="gold")
    system = text("ab x c", multiwords=((0, 2, "ab"),))
    assert pairs(gold, system) == [0, 2]


def test_the_same_words_in_other_multiword_tokens_are_aligned_by_characters() -> None:
    gold = text("a a a", multiwords=((0, 2, "aa"),))
    found = align(gold, text("a a a", multiwords=((1, 3, "aa"),)))
    assert found.method == "characters"
    assert align(gold, gold).method == "tokens"
    # A system that was given words and wrote no ranges is still the same text.
    french = text("de le pain", multiwords=((0, 2, "du"),))
    assert align(french, text("de le pain")).method == "tokens"
    with pytest.raises(AlignmentError, match="different texts"):
        align(french, text("de le pain", multiwords=((0, 2, "de"),)))
