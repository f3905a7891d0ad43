"""What was voted comes back when its file is read."""

from pathlib import Path

import numpy as np
import pytest

from tertium.comparison.vote.vote import JointOutput, combine
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Arcs, Spans, Tags
from tertium.exceptions import UsageError
from tertium.families.base import make
from tertium.formats.base import Reading
from tertium.formats.files import read_file, read_stream
from tertium.formats.objects import from_python


def read(text: str, format: str) -> Corpus:
    import io

    return read_stream(io.BytesIO(text.encode()), Reading(origin="file"), format=format)


def back(voted: JointOutput, path: Path) -> Corpus:
    voted.write(path)
    return read_file(path)


CONLLU = (
    "# sent_id = a\n# text = We walk\n"
    "1\tWe\twe\t{}\tPRP\t_\t{}\t{}\t_\t_\n2\twalk\twalk\tVERB\tVB\t_\t{}\t{}\t_\tSpaceAfter=No\n\n"
)


def test_conllu(tmp_path: Path) -> None:
    base = read(CONLLU.format("NOUN", 0, "root", 1, "dep"), "conllu")
    other = read(CONLLU.format("PRON", 2, "nsubj", 0, "root"), "conllu")
    metrics = [make("tags.accuracy(column=upos)"), make("deps.las")]
    found = combine([base, other, other], metrics)
    again = back(found, tmp_path / "voted.conllu")
    assert again.layer("upos", Tags).labels.to_list() == ["PRON", "VERB"]
    assert again.layer("deps", Arcs).head.tolist() == [2, 0]
    assert again.layer("deps", Arcs).label.to_list() == ["nsubj", "root"]
    assert again == found.corpus
    assert again.extras == base.extras  # comments, spaces


def test_columns_of_span_tags(tmp_path: Path) -> None:
    metric = make("spans.f1(column=tag)")
    base = read("Ann S-PER\nLee O\n\nin O\nRome O\n\n", "columns")
    other = read("Ann B-PER\nLee E-PER\n\nin O\nRome S-LOC\n\n", "columns")
    found = combine([base, other, other], [metric])
    again = back(found, tmp_path / "voted.conll")
    assert again.layer("tag", Tags).labels.to_list() == ["B-PER", "E-PER", "O", "S-LOC"]
    assert again == found.corpus


def test_tagged_text(tmp_path: Path) -> None:
    base, other = (read(f"a_{tag} b_Y\n", "tagged") for tag in ("X", "Z"))
    found = combine([base, other, other], [make("tags.accuracy(column=tag)")])
    again = back(found, tmp_path / "voted.tagged")
    assert again.layer("tag", Tags).labels.to_list() == ["Z", "Y"]


def test_spans_with_gaps_over_token_numbers(tmp_path: Path) -> None:
    base = read("NONE\t999\t999\t999\n\nX\t1\t2\t1, 2\n\n", "spans")
    other = read("Y\t2\t5\t2, 3, 5\nZ\t3\t3\t3\n\nX\t1\t2\t1, 2\n\n", "spans")
    found = combine([base, other, other], [make("spans.f1")])
    again = back(found, tmp_path / "voted.spans").layer("spans", Spans)
    assert again == found.corpus.layer("spans", Spans)
    assert again.start.tolist() == [1, 2, 5]
    assert again.token_sets()[0].tolist() == [0, 1, 3]


def test_character_spans_of_jsonl(tmp_path: Path) -> None:
    text = '{"text": "Ann Lee met Bo", "spans": [%s]}\n'
    lee = '{"start": 0, "end": 7, "label": "PER"}, {"start": 4, "end": 7, "label": "LAST"}'
    base = read(text % '{"start": 12, "end": 14, "label": "PER"}', "jsonl")
    other = read(text % lee, "jsonl")
    found = combine([base, other, other], [make("spans.f1")])
    again = back(found, tmp_path / "voted.jsonl")
    assert again.layer("spans", Spans).end.tolist() == [6, 6]
    assert again == found.corpus


def test_compressed(tmp_path: Path) -> None:
    base = read("a X\nb X\n\n", "columns")
    found = combine([base], [make("tags.accuracy(column=tag)")])
    assert back(found, tmp_path / "voted.conll.gz") == base


def test_data_from_python_has_no_format(tmp_path: Path) -> None:
    corpus = from_python([["X", "Y"]], name="python")
    found = combine([corpus], [make("tags.accuracy(column=tag)")])
    with pytest.raises(UsageError, match="name the format"):
        found.write(tmp_path / "voted.conll")


def test_layers_that_a_format_has_no_place_for_are_left_out(tmp_path: Path) -> None:
    base = read(CONLLU.format("NOUN", 0, "root", 1, "dep"), "conllu")
    spans = read('{"tokens": ["We", "walk"], "spans": [[0, 1, "X"]]}\n', "jsonl")
    found = combine([base, spans, spans], [make("spans.f1(column=spans)")])
    assert found.corpus.layer("spans", Spans).start.tolist() == [0]
    found.write(tmp_path / "voted.conllu")
    assert np.array_equal(read_file(tmp_path / "voted.conllu").offsets, base.offsets)
