"""Trees as Python objects."""

from __future__ import annotations

import numpy as np
import pytest

from tertium.exceptions import FormatError, InputError
from tertium.formats.objects import from_python
from trees import corpus_of


class NltkTree(list):  # type: ignore[type-arg]
    """What is used of nltk's trees."""

    def __init__(self, label: str, children: list[object]) -> None:
        super().__init__(children)
        self._label = label

    def label(self) -> str:
        return self._label

    def leaves(self) -> list[str]:
        raise NotImplementedError


def test_strings() -> None:
    corpus = from_python(["(S (NP-SBJ (A a))\n   (B b))", "", None, "(S (C c))"])
    assert corpus == corpus_of("(S (NP-SBJ (A a)) (B b))", "", "", "(S (C c))")


def test_numbered_strings() -> None:
    texts = ["(S (VP (V 0=is) (A 2=rich)) (NP (P 1=he)))", "(S (A 0=a))"]
    assert from_python(texts) == corpus_of(*texts)


def test_trees_of_nltk() -> None:
    noun = NltkTree("NP-SBJ", [NltkTree("DT", ["the"]), NltkTree("NN", ["cat"])])
    tree = NltkTree("S", [noun, NltkTree("-LRB-", ["("])])
    corpus = from_python([tree, None])
    assert corpus.forms is not None
    assert corpus.forms.to_list() == ["the", "cat", "("]
    assert corpus.layers == corpus_of("(S (NP-SBJ (DT the) (NN cat)) (-LRB- x))", "").layers
    deep = NltkTree("N", ["w"])
    for _ in range(5_000):
        deep = NltkTree("X", [deep])
    assert np.diff(from_python([deep]).offsets).tolist() == [1]


def test_wrong_objects() -> None:
    with pytest.raises(FormatError, match=r"data:2, sentence '2': a bracket is not closed"):
        from_python(["(S (A a))", "(S (A a)"])
    with pytest.raises(InputError, match="item 2 is of type str, expected a list of tags"):
        from_python([["O"], "(S (A a))"])
    with pytest.raises(InputError, match="half a surrogate pair"):
        from_python(["(S (A \ud800))"])
