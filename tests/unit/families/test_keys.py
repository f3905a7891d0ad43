"""Properties of words, counted by hand on trees small enough to draw."""

import numpy as np
import pytest

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Layer, Tags
from tertium.exceptions import UsageError
from tertium.families.keys import check_key, key_forms, key_of, word_groups
from tertium.families.tags import feature_value
from tertium.formats.resources import Lexicon


def corpus(*heads: list[int], labels: list[str] | None = None, **tags: list[str]) -> Corpus:
    """Sentences with these heads; relations and tags by name."""
    offsets = np.cumsum([0, *map(len, heads)]).astype(np.int64)
    flat = np.array([h for each in heads for h in each], np.int32)
    layers: dict[str, Layer] = {
        "deps": Arcs(flat, Labels.of(labels or ["dep"] * len(flat))),
        **{name: Tags(Labels.of(each)) for name, each in tags.items()},
    }
    return Corpus(offsets, Labels.of(["w"] * len(flat)), layers, origin="gold.conllu")


def groups(data: Corpus, by: str) -> list[str]:
    key = key_of(by)
    assert key is not None
    return word_groups(data, key).to_list()


def test_distance_and_direction() -> None:
    data = corpus([2, 0, 9, 2, 4, 2, 2, 2, 2], [0], [2, 0])
    assert groups(data, "distance") == [
        "1", "root", "3-6", "2", "1", "3-6", "3-6", "3-6", "7-", "root", "1", "root",
    ]  # fmt: skip
    assert groups(data, "direction") == [
        "left", "root", "left", *["right"] * 6, "root", "left", "root",
    ]  # fmt: skip


def test_other_edges() -> None:
    data = corpus([2, 0, 9, 2, 4, 2, 2, 2, 2])
    expected = ["1", "root", "5-", "2-4", "1", "2-4", "5-", "5-", "5-"]
    assert groups(data, "distance:1,4") == expected
    assert groups(corpus([0, 1, 2, 3]), "depth:2,3") == ["1-2", "1-2", "3", "4-"]


def test_depth() -> None:
    chain = list(range(8))
    assert groups(corpus(chain, [2, 0, 2]), "depth") == [
        "1", "2", "3", "4-6", "4-6", "4-6", "7-", "7-", "2", "1", "2",
    ]  # fmt: skip
    assert groups(corpus([2, 3, 4, 0]), "depth") == ["4-6", "3", "2", "1"]


def test_several_roots() -> None:
    data = corpus([0, 1, 0, 3])
    assert groups(data, "depth") == ["1", "2", "1", "2"]
    assert groups(data, "distance") == ["root", "1", "root", "1"]
    assert groups(data, "projectivity") == ["projective"] * 4


def test_words_without_a_head() -> None:
    """Word 2 has none, word 3 hangs on it."""
    data = corpus([0, -1, 2, 1], labels=["root", "_", "obj", "punct"])
    assert groups(data, "distance") == ["root", "(none)", "1", "3-6"]
    assert groups(data, "direction") == ["root", "(none)", "right", "right"]
    assert groups(data, "deprel") == ["root", "(none)", "obj", "punct"]
    assert groups(data, "depth") == ["1", "(none)", "(none)", "2"], "no chain leads to the root"
    # 2 and 3 stand between 1 and 4 and are no descendants of 1.
    assert groups(data, "projectivity") == [
        "projective", "(none)", "projective", "non-projective",
    ]  # fmt: skip


def test_cycles_and_heads_outside_of_the_sentence_are_none() -> None:
    data = corpus([2, 1, 2, 0, 4], [1], [9, 0])
    assert groups(data, "depth") == ["(none)"] * 3 + ["1", "2", "(none)", "(none)", "1"]
    assert groups(data, "projectivity") == (
        ["(none)"] * 3 + ["projective"] * 2 + ["(none)", "(none)", "projective"]
    )
    assert groups(data, "distance")[-2:] == ["(none)", "root"]


@pytest.mark.parametrize(
    ("heads", "crossing"),
    [
        ([0, 1, 2, 3], []),
        ([2, 0, 5, 2, 2], [3]),  # 4 hangs on 2, and stands between 3 and its head 5
        ([3, 4, 0, 3], [2]),  # the root word stands between 2 and its head 4
        ([3, 0, 2], [1]),  # 2 is the head of 3, no descendant
        ([2, 0, 1], [3]),  # 2 is no descendant of 1
        ([4, 1, 4, 0, 3, 1], [5, 6]),  # 4 is no descendant of 3, nor 3, 4 and 5 of 1
        ([0, 5, 1, 1, 1], [2]),
        ([], []),
    ],
)
def test_projectivity(heads: list[int], crossing: list[int]) -> None:
    found = groups(corpus(heads), "projectivity")
    assert [i for i, name in enumerate(found, 1) if name == "non-projective"] == crossing
    assert set(found) <= {"projective", "non-projective"}


def slow_projectivity(heads: list[int]) -> list[str]:
    """By the definition: walk up from every word in between."""

    def is_below(word: int, top: int) -> bool:
        while word > 0:
            word = heads[word - 1]
            if word == top:
                return True
        return False

    found = []
    for word, head in enumerate(heads, 1):
        between = range(min(word, head) + 1, max(word, head))
        right = head == 0 or all(is_below(w, head) for w in between)
        found.append("projective" if right else "non-projective")
    return found


def test_projectivity_by_its_definition() -> None:
    random = np.random.default_rng(1)
    for size in (*range(1, 20), 64, 65):
        for _ in range(15):
            order = random.permutation(size)
            heads = [0] * size
            for place in range(1, size):
                heads[order[place]] = int(order[random.integers(max(0, place - 4), place)]) + 1
            assert groups(corpus(heads), "projectivity") == slow_projectivity(heads)


def test_long_chains_and_stars() -> None:
    """Nothing here may recurse, or look at every word between the ends of every arc."""
    size = 100_000
    chain, star = corpus([*range(size)]), corpus([2, 0, *[2] * (size - 2)])
    assert groups(chain, "depth")[-1] == "7-"
    assert set(groups(chain, "projectivity")) == {"projective"}
    assert groups(star, "depth").count("2") == size - 1
    assert set(groups(star, "projectivity")) == {"projective"}
    crossed = corpus([0, size, *[1] * (size - 2)])
    assert groups(crossed, "projectivity").count("non-projective") == 1


def test_relations_and_tags() -> None:
    labels = ["nsubj:pass", "root", "nsubj", "_"]
    data = corpus([2, 0, 2, 2], labels=labels, upos=["NOUN", "VERB", "_", "PUNCT"])
    assert groups(data, "deprel") == ["nsubj", "root", "nsubj", "(none)"]
    assert groups(data, "deprel:full") == ["nsubj:pass", "root", "nsubj", "(none)"]
    assert groups(data, "upos") == ["NOUN", "VERB", "(none)", "PUNCT"]
    assert groups(data, "xpos") == ["(none)"] * 4, "no such layer"


def test_features() -> None:
    feats = ["Case=Nom|Number[psor]=Sing", "_", "Case=Acc,Dat", "Number=Plur"]
    data = corpus([2, 0, 2, 2], feats=feats)
    assert groups(data, "feature:Case") == ["Nom", "(none)", "Acc,Dat", "(none)"]
    assert groups(data, "feature:Number") == ["(none)", "(none)", "(none)", "Plur"]
    assert groups(data, "feature:Number[psor]") == ["Sing", "(none)", "(none)", "(none)"]
    assert feature_value("Case", "Case") == "(none)"


def test_order() -> None:
    sizes = {"(none)": 9, "7-": 1, "root": 2, "3-6": 3, "1": 4, "2": 0}
    key = key_of("distance")
    assert key is not None
    assert key.in_order(sizes) == ["root", "1", "2", "3-6", "7-", "(none)"]
    key = key_of("deprel")
    assert key is not None
    sizes = {"(none)": 9, "obj": 2, "det": 3, "amod": 2, "x": 0}
    assert key.in_order(sizes) == ["det", "amod", "obj", "x", "(none)"]
    key = key_of("depth:9,10,99")
    assert key is not None
    assert key.in_order({"100-": 1, "11-99": 2, "10": 3}) == ["10", "11-99", "100-"]


def test_what_is_no_key_of_words() -> None:
    for by in (None, "length", "length:5", "genre", "file", "upos~N", "deprels"):
        assert key_of(by) is None
    for by in ("distance:", "distance:2,2", "depth:x", "depth:0", "direction:1", "deprel:half"):
        with pytest.raises(UsageError, match=by.partition(":")[0]):
            key_of(by)
    for by in ("feature", "feature:"):
        with pytest.raises(UsageError, match="feature:NAME, such as feature:Case"):
            key_of(by)
    lexicon = Lexicon("train", "d1", frozenset({"a"}), {})
    assert {key_of(by, lexicon) is not None for by in key_forms()} == {True}


def test_words_of_a_lexicon_are_known() -> None:
    with pytest.raises(UsageError, match="none is given"):
        key_of("known")
    key = key_of("known", Lexicon("train", "d1", frozenset({"a"}), {}))
    other = key_of("known", Lexicon("train", "d2", frozenset({"b"}), {}))
    assert key is not None
    assert other is not None
    words = Corpus(np.array([0, 3]), Labels.of(["a", "b", "a"]))
    assert word_groups(words, key).to_list() == ["known", "unknown", "known"]
    assert word_groups(words, other).to_list() == ["unknown", "known", "unknown"]


@pytest.mark.parametrize(
    ("by", "what"),
    [("depth", "dependency trees"), ("upos", "tags 'upos'"), ("feature:Case", "layer 'feats'")],
)
def test_gold_must_have_the_layer(by: str, what: str) -> None:
    key = key_of(by)
    assert key is not None
    data = Corpus(np.array([0, 1]), Labels.of(["w"]), {"tag": Tags(Labels.of(["N"]))})
    with pytest.raises(UsageError, match=what) as caught:
        check_key(data, key)
    assert "it has: tag" in (caught.value.help or "")
