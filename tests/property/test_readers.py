"""Whatever bytes a reader gets, it raises FormatError or gives a corpus that keeps its promises."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from strategies import examples, garbage, mutated, read_bytes, write_bytes
from tertium import registry
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import (
    Arcs,
    Chains,
    Comments,
    EmptyNodes,
    Layer,
    Multiwords,
    Spans,
    Tags,
    Trees,
)
from tertium.exceptions import FormatError, InputError
from tertium.formats.base import ON_ERROR, Reading
from tertium.formats.files import read_stream

FORMATS = registry.names("formats")
each_format = pytest.mark.parametrize("name", FORMATS)
policies = st.sampled_from(ON_ERROR)
# Several times as many as usual: 50, or 2,000 in `make levels`.
MANY = 5 * settings.default.max_examples  # type: ignore[union-attr]
often = settings(max_examples=MANY, suppress_health_check=[HealthCheck.too_slow])


@each_format
@often
@given(data=st.data(), on_error=policies)
def test_mutated_files(name: str, data: st.DataObject, on_error: str) -> None:
    example = data.draw(st.sampled_from(examples(name)))
    feed(name, on_error, data.draw(mutated(example)))


@each_format
@often
@given(data=garbage(), on_error=policies)
def test_any_bytes(name: str, data: bytes, on_error: str) -> None:
    feed(name, on_error, data)


@often
@given(data=garbage() | st.sampled_from(FORMATS).flatmap(lambda n: mutated(examples(n)[0])))
def test_sniffed(data: bytes) -> None:
    corpus, error = attempt(
        lambda: read_stream(io.BytesIO(data), Reading(origin="test.file", on_error="skip"))
    )
    if corpus is not None:
        check(corpus)
    else:
        assert error.message.startswith(("test.file", "<input>"))


def attempt(read: Callable[[], Corpus]) -> tuple[Corpus | None, FormatError]:
    """What comes out: a corpus or a FormatError; nothing else may."""
    try:
        return read(), FormatError("", [])
    except FormatError as error:
        return None, error


def feed(name: str, on_error: str, data: bytes) -> None:
    """Read; if that works, the corpus must be sound, and what can be written must read the same."""
    collected, _ = attempt(lambda: read_bytes(name, data, check=True))
    corpus, error = attempt(lambda: read_bytes(name, data, on_error=on_error))
    if corpus is None:
        assert error.problems
        assert error.message.startswith("test.file")
        assert all(p.severity == "error" for p in error.problems)
        # What is raised is also what `validate` would list.
        if collected is not None and on_error == "fail":
            assert set(error.problems) <= set(collected.problems)
        return
    errors = [p for p in corpus.problems if p.severity == "error"]
    if on_error == "fail":
        assert not errors
        assert corpus.skipped is None
    if errors:
        assert corpus.repaired or (corpus.skipped is not None and corpus.skipped.any())
    check(corpus)
    rewrite(name, on_error, corpus)


def rewrite(name: str, on_error: str, corpus: Corpus) -> None:
    """Written and read again, all sentences that were read come back with their layers."""
    try:
        written = write_bytes(name, corpus)
    except InputError:
        return
    again = read_bytes(name, written, on_error="repair" if on_error == "repair" else "fail")
    kept = corpus if corpus.skipped is None else corpus.take(~corpus.skipped)
    assert np.array_equal(again.offsets, kept.offsets)
    assert again.forms == kept.forms
    assert dict(again.layers) == dict(kept.layers)
    # Choosing sentences may leave a layer without rows, which reading does not make.
    if name in ("conllu", "jsonl") and corpus.skipped is None:
        assert dict(again.extras) == dict(kept.extras)


def check(corpus: Corpus) -> None:
    """What every corpus promises."""
    assert corpus.offsets.dtype == np.int64
    assert corpus.offsets[0] == 0
    assert (np.diff(corpus.offsets) >= 0).all()
    if corpus.forms is not None:
        assert len(corpus.forms) == corpus.token_count
        check_labels(corpus.forms)
        assert "" not in corpus.forms.to_list()
    if corpus.skipped is not None:
        assert len(corpus.skipped) == corpus.sentence_count
        assert not np.diff(corpus.offsets)[corpus.skipped].any()
    if corpus.lines is not None:
        assert len(corpus.lines) == corpus.token_count
    assert corpus.documents[:1].tolist() == [0] * (corpus.sentence_count > 0)
    assert (np.diff(corpus.documents) > 0).all()
    assert len(corpus.document_names) == len(corpus.document_marks) == corpus.document_count
    assert corpus.document_marks[1:].all()
    assert not len(corpus.documents) or corpus.documents[-1] < corpus.sentence_count
    for name, layer in (*corpus.layers.items(), *corpus.extras.items()):
        if name != "functions":  # most words have none
            check_layer(corpus, layer)
    assert corpus.origin in repr(corpus)


def check_layer(corpus: Corpus, layer: Layer) -> None:
    for value in vars(layer).values():
        if isinstance(value, Labels):
            check_labels(value)
    if isinstance(layer, Tags):
        assert len(layer.labels) == corpus.token_count
        assert "" not in layer.labels.to_list()
    elif isinstance(layer, Arcs):
        assert len(layer.head) == len(layer.label) == corpus.token_count
        assert (layer.head >= -1).all()
        sizes = np.diff(corpus.offsets)[corpus.sentence_of_token]
        assert (layer.head <= sizes).all()
        check_acyclic(corpus, layer)
    elif isinstance(layer, Spans | Multiwords):
        sentence = layer.sentence_of_row(corpus.offsets)
        # A constituent may hold traces alone, a mention empty nodes; that may cross sentences.
        assert (layer.start < layer.end + isinstance(layer, Trees | Chains)).all()
        limit = corpus.offsets[sentence + 1]
        if isinstance(layer, Chains):
            ends = np.append(corpus.offsets[corpus.documents[1:]], corpus.token_count)
            limit = ends[corpus.document_of_sentence[sentence]]
            check_entities(corpus, layer)
        assert (layer.end <= limit).all()
        assert (layer.start >= corpus.offsets[sentence]).all()
        if isinstance(layer, Spans) and layer.tokens is not None:
            for row in np.flatnonzero(layer.start < layer.end).tolist():
                covered = layer.tokens[row]
                assert covered[0] == 0
                assert covered[-1] == layer.end[row] - layer.start[row] - 1
                assert (np.diff(covered) > 0).all()
    elif isinstance(layer, Comments | EmptyNodes):
        assert ((layer.sentence >= 0) & (layer.sentence < corpus.sentence_count)).all()


def check_entities(corpus: Corpus, chains: Chains) -> None:
    """Entities are numbered in their documents by their first mentions, and have a name each."""
    seen: dict[int, dict[int, str]] = {}
    document = corpus.document_of_sentence[chains.sentence].tolist()
    rows = zip(document, chains.entity.tolist(), chains.name.to_list(), strict=True)
    for number, entity, name in rows:
        names = seen.setdefault(number, {})
        assert entity <= len(names)
        assert names.setdefault(entity, name) == name
    assert (np.diff(chains.start) >= 0).all()


def check_labels(labels: Labels) -> None:
    assert ((labels.codes >= 0) & (labels.codes < len(labels.names))).all()
    assert len(set(labels.names)) == len(labels.names)


def check_acyclic(corpus: Corpus, arcs: Arcs) -> None:
    for sentence in range(corpus.sentence_count):
        first, last = corpus.offsets[sentence : sentence + 2].tolist()
        heads = arcs.head[first:last].tolist()
        for start in range(len(heads)):
            word, steps = start, 0
            while heads[word] > 0 and steps <= len(heads):
                word, steps = heads[word] - 1, steps + 1
            assert steps <= len(heads)
