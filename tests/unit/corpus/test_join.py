"""Corpora one after another."""

import numpy as np
import pytest

from tertium import samples
from tertium.corpus.corpus import Corpus
from tertium.corpus.join import join
from tertium.formats.files import read_file


@pytest.mark.parametrize("name", ["trees-gold.mrg", "tiger-gold.export", "theories-dep.conllu"])
def test_parts_make_the_whole(name: str) -> None:
    whole = read_file(samples.path(name))
    cut = whole.sentence_count // 3
    parts = [whole.take(range(cut)), whole.take(range(cut, whole.sentence_count))]
    found = join(parts)
    assert dict(found.layers) == dict(whole.layers)
    assert dict(found.extras) == dict(whole.extras)
    assert found.forms == whole.forms
    assert found.offsets.tolist() == whole.offsets.tolist()


def test_a_part_without_marks_is_a_document() -> None:
    whole = read_file(samples.path("theories-hazel.mrg"))
    one, two = (
        Corpus(c.offsets, c.forms, origin=f"x/{n}.mrg") for n, c in (("a", whole), ("b", whole))
    )
    skipped = np.zeros(one.sentence_count, bool)
    skipped[1] = True
    found = join([one, Corpus(two.offsets, two.forms, origin="b.mrg", skipped=skipped)])
    assert found.document_names.to_list() == ["a", "b"]
    assert found.document_marks.all()
    assert found.skipped is not None
    assert np.flatnonzero(found.skipped).tolist() == [one.sentence_count + 1]
    assert join([one]) is one
