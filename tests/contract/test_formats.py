"""What every registered format promises."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

import numpy as np
import pytest
from hypothesis import given

from strategies import corpora, examples, read_bytes, write_bytes
from tertium import registry
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Layer, Tags, Trees
from tertium.corpus.trees import written_forms
from tertium.exceptions import FormatError, InputError
from tertium.formats.base import Format, Reading
from tertium.formats.coref.corefud import entity_chains
from tertium.formats.files import make, read_file, read_stream, sniff, write_file

FORMATS = registry.names("formats")
CASES = [
    pytest.param(name, data, id=f"{name}{i or ''}")
    for name in FORMATS
    for i, data in enumerate(examples(name))
]
GARBAGE = {
    "nul": b"a\tb\n\0\n",
    "latin-1": "caf\xe9\tNOUN\n".encode("latin-1"),
    "utf-16": "1\ta\n".encode("utf-16"),
    "image": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "cut character": b"1\t\xf0\x9f\x98",
    "surrogate": b"\xed\xa0\x80\tX\n",
    "old mac": b"a\tX\rb\tY\r",
}

each_format = pytest.mark.parametrize("name", FORMATS)
each_example = pytest.mark.parametrize(("name", "data"), CASES)


@each_format
def test_declares_itself(name: str) -> None:
    format = make(name)
    assert isinstance(format, Format)
    assert format.id == name
    assert format.title
    assert format.layers
    assert format.suffixes
    assert all(s.startswith(".") and s == s.lower() for s in format.suffixes)
    assert make(repr(format)) == format


@each_example
def test_read_write_read(name: str, data: bytes) -> None:
    corpus = read_bytes(name, data)
    assert corpus.sentence_count
    assert corpus.format == name
    assert corpus.origin == "test.file"
    assert read_bytes(name, write_bytes(name, corpus)) == corpus


@each_example
def test_no_final_newline(name: str, data: bytes) -> None:
    corpus = read_bytes(name, data.rstrip(b"\n"))
    assert corpus == read_bytes(name, data)
    assert any("no newline" in p.message for p in corpus.problems)


@each_example
def test_crlf(name: str, data: bytes) -> None:
    corpus = read_bytes(name, data.replace(b"\n", b"\r\n"))
    assert corpus == read_bytes(name, data)
    assert any("CR LF" in p.message for p in corpus.problems)


@each_example
def test_byte_order_mark(name: str, data: bytes) -> None:
    marked = b"\xef\xbb\xbf" + data
    corpus = read_bytes(name, marked)
    assert corpus == read_bytes(name, data)
    assert any("byte order mark" in p.message for p in corpus.problems)
    assert sniff(marked).id == name


@each_example
def test_blank_lines_around(name: str, data: bytes) -> None:
    assert read_bytes(name, b"\n\n" + data + b"\n\n").forms == read_bytes(name, data).forms


@each_example
def test_is_sniffed(name: str, data: bytes) -> None:
    assert sniff(data).id == name
    assert sniff(data.replace(b"\n", b"\r\n")).id == name
    assert sniff(data.rstrip()).id == name
    for suffix in make(name).suffixes:
        assert sniff(data, f"file{suffix}").id == name
        assert sniff(data, f"folder.x/file{suffix}.gz").id == name


# -- against all other formats ----------------------------------------------------------------

CLEARLY = 0.1
SAMPLES = Path(str(resources.files("tertium") / "samples"))


def written_samples(name: str) -> Iterator[bytes]:
    """The samples as the format writes them, where it can hold more of them than the words."""
    for path in sorted(SAMPLES.iterdir()):
        if path.suffix in (".py", ".md") or path.is_dir():
            continue
        with suppress(InputError):
            data = write_bytes(name, sample(path))
            if entity_chains(corpus := read_bytes(name, data)) is not None or corpus.layers:
                yield data


@cache
def sample(path: Path) -> Corpus:
    return read_file(path)


def confidence(data: bytes) -> dict[str, float]:
    """How sure every format is without the name of a file, the surest first."""
    found = {other: make(other).sniff(data[: 1 << 16]) for other in FORMATS}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def could_have_written(name: str, corpus: Corpus, data: bytes) -> bool:
    try:
        return write_bytes(name, corpus) == data
    except InputError:
        return False


@each_format
def test_its_samples_are_clearly_its_own(name: str) -> None:
    for data in (*examples(name), *written_samples(name)):
        # CoNLL-X without projective columns is CoNLL-U to the byte: then the name decides.
        corpus = read_bytes(name, data)
        equal = [other for other in FORMATS if could_have_written(other, corpus, data)]
        for variant in (data, data.replace(b"\n", b"\r\n"), data.rstrip(b"\n")):
            sure = confidence(variant)
            best = next(iter(sure))
            assert best in (name, *equal)
            second = max(sure[other] for other in FORMATS if other not in (name, *equal))
            assert sure[best] >= second + CLEARLY, sure
            assert sniff(variant).id == best
        marked = b"\xef\xbb\xbf" + data
        assert sniff(marked).id in (name, *equal)
        for suffix in make(name).suffixes:
            assert sniff(marked, f"x{suffix}").id == name


@dataclass(frozen=True, repr=False)
class Toy(Format):
    """A format of a third party."""

    id = "toy"
    title = "a format of a third party"
    suffixes = (".toy",)
    layers = ("tags",)
    begins: ClassVar[bytes] = b""
    sure: ClassVar[float] = 0.95

    def sniff(self, head: bytes) -> float:
        return self.sure if head.startswith(self.begins) else 0.0

    def read(self, stream: BinaryIO, reading: Reading) -> Corpus:
        raise NotImplementedError

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        raise NotImplementedError


@pytest.fixture
def toy() -> Iterator[type[Toy]]:
    class Fresh(Toy):
        pass

    registry.register("formats", Fresh)
    yield Fresh
    registry.unregister("formats", Fresh.id)


FOREIGN = {
    "json": b'{"words": ["a_b", "c_d"], "arcs": [[0, 1]]}\n{"words": ["a_b"], "arcs": []}\n',
    "json, cut": b'{"words": ["' + b"a" * (1 << 16),
    "regular table": b"doc1\t1\ta\nitem\t2\tb\n" * 9,
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_third_parties_win_with_what_is_theirs(kind: str, toy: type[Toy]) -> None:
    data = FOREIGN[kind]
    assert next(iter(confidence(data).values())) <= 0.65
    toy.begins, toy.sure = data[:8], 0.8
    assert sniff(data).id == sniff(data, "x.txt").id == "toy"
    toy.sure = 0.0
    assert sniff(data, "x.toy").id == "toy"


@each_example
def test_third_parties_win_where_they_are_as_sure(name: str, data: bytes, toy: type[Toy]) -> None:
    toy.begins, toy.sure = data[:1], make(name).sniff(data)
    assert sniff(data).id == "toy"
    toy.begins = b"other"
    assert sniff(data).id == name


@pytest.mark.parametrize("name", ["", "x.json", "x.jsonl", "x.tsv", "x.conll", "x.tagged", "x.pos"])
def test_unknown_objects_are_refused_with_advice(name: str, tmp_path: Path) -> None:
    assert sniff(FOREIGN["json"], name).id == "jsonl"
    path = tmp_path / (name or "x")
    path.write_bytes(FOREIGN["json"])
    with pytest.raises(FormatError, match="there is neither 'tokens' nor 'text'"):
        read_file(path)


@each_format
@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n \n\t\n", b"\xef\xbb\xbf"])
def test_empty_file(name: str, data: bytes) -> None:
    corpus = read_bytes(name, data)
    assert corpus.sentence_count == corpus.token_count == 0
    with pytest.raises(FormatError, match=r"^test\.file: the file is empty"):
        read_stream(io.BytesIO(data), Reading(origin="test.file"), format=name)


@each_example
@pytest.mark.parametrize("suffix", [".gz", ".zst", ""])
def test_compressed(name: str, data: bytes, suffix: str, tmp_path: Path) -> None:
    corpus = read_bytes(name, data)
    path = tmp_path / f"file{make(name).suffixes[0]}{suffix}"
    write_file(corpus, str(path), format=name)
    again = read_file(str(path))
    assert again == corpus
    assert again.format == name
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == (suffix == ".gz")


@each_example
def test_does_not_depend_on_seeking(name: str, data: bytes) -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *args: Any) -> int:
            raise OSError

    assert read_stream(Pipe(data), Reading()) == read_bytes(name, data)


@each_format
@pytest.mark.parametrize("kind", GARBAGE)
@pytest.mark.parametrize("on_error", ["fail", "skip", "repair"])
def test_garbage(name: str, kind: str, on_error: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_bytes(name, GARBAGE[kind], on_error=on_error)
    assert caught.value.message.startswith("test.file")
    assert caught.value.problems[0].line
    assert caught.value.help


@each_example
def test_binary_in_the_middle_names_its_line(name: str, data: bytes) -> None:
    lines = data.split(b"\n")
    lines[1] += b"\xff"
    with pytest.raises(FormatError, match=r"test\.file:2: byte 0xff is not valid UTF-8"):
        read_bytes(name, b"\n".join(lines))


@each_example
def test_order_and_choice_of_sentences(name: str, data: bytes) -> None:
    """Every layer a reader makes moves with its sentences."""
    corpus = read_bytes(name, data)
    count = corpus.sentence_count
    back = np.arange(count)[::-1]
    assert corpus.take(np.arange(count)) == corpus
    turned = corpus.take(back)
    assert turned.take(back).layers == corpus.layers
    assert turned.take(back).extras == corpus.extras
    again = corpus.take([*range(count), *range(count)]).take(np.arange(count, 2 * count))
    assert again.layers == corpus.layers
    assert again.forms == corpus.forms
    assert again.extras == corpus.extras


@each_example
def test_needs_leaves_the_text_alone(name: str, data: bytes) -> None:
    corpus, bare = read_bytes(name, data), read_bytes(name, data, needs=frozenset())
    assert np.array_equal(bare.offsets, corpus.offsets)
    assert bare.forms == corpus.forms


@each_example
def test_names_it_does_not_know_are_ignored(name: str, data: bytes) -> None:
    unknown = frozenset({"rooted", "no such column"})
    assert read_bytes(name, data, needs=unknown) == read_bytes(name, data, needs=frozenset())
    assert read_bytes(name, data, checks=unknown) == read_bytes(name, data)


@each_example
def test_clean_files_have_no_errors(name: str, data: bytes) -> None:
    for on_error in ("fail", "skip", "repair"):
        corpus = read_bytes(name, data, on_error=on_error)
        assert corpus == read_bytes(name, data)
        assert corpus.skipped is None
        assert corpus.repaired == 0
        assert not [p for p in corpus.problems if p.severity == "error"]


@each_example
def test_lines_are_those_of_the_file(name: str, data: bytes) -> None:
    corpus = read_bytes(name, data)
    if corpus.lines is None or corpus.forms is None or corpus.atoms != "words":
        return
    lines = data.decode().split("\n")
    assert all(
        form in lines[line - 1]
        for form, line in zip(written_forms(corpus).to_list(), corpus.lines.tolist(), strict=True)
    )


@each_format
@given(corpus=corpora())
def test_any_corpus_is_refused_or_survives(name: str, corpus: Corpus) -> None:
    try:
        written = write_bytes(name, corpus)
    except InputError:
        return
    if name != "columns":  # words and tags can be such that they look like anything
        assert sniff(written, f"x{make(name).suffixes[0]}").id == name
    once = read_bytes(name, written)
    assert once.sentence_count == corpus.sentence_count
    if once.forms is not None:
        assert once.forms == corpus.forms
        assert np.array_equal(once.offsets, corpus.offsets)
    for layer in make(name).layers:
        if layer in once.layers and layer in corpus.layers and once.forms is not None:
            assert once.layers[layer] == corpus.layers[layer]
    assert read_bytes(name, write_bytes(name, once)) == once


@each_format
def test_skipped_sentences_are_not_written(name: str) -> None:
    corpus = read_bytes(name, examples(name)[0])
    skipped = np.zeros(corpus.sentence_count, np.bool_)
    skipped[0] = True
    without = write_bytes(name, replace(corpus, skipped=skipped))
    assert read_bytes(name, without).forms == corpus.take(~skipped).forms
    assert read_bytes(name, without).sentence_count == corpus.sentence_count - 1


WORD = b"1\ta\tb\tc\td\te\tf\tg\th\ti\n"
BROKEN = {
    "conllu": WORD + b"2\ta\tb\n",
    "conllx": WORD + b"2\ta\tb\n\n" + WORD.replace(b"1", b"7") + b"\n",
    "columns": b"a\tX\nb\t\n\n",
    "conll2012": b"#begin document (a);\na (1\na 1\n",
    "gumcoref": b"# begin document a\n0\ta\t1)\n",
    "tagged": b"a_B c d_E f_G\n",
    "spans": b"X\t2\t1\t1\n",
    "jsonl": b"{\n",
    "brackets": b"(S (NP a b))\n",
    "discbracket": b"(S (NP 1=a))\n",
    "export": b"#BOS 1\na X -- -- 507\n#EOS 1\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_many_problems_take_little_time(name: str) -> None:
    """A file of another kind breaks every line: what is listed is bounded, all are counted."""
    data = BROKEN[name] * 20_000
    corpus = read_bytes(name, data, on_error="skip")
    assert corpus.skipped is not None
    assert corpus.skipped.any()
    assert 10_000 < len(corpus.problems) < 10_100
    assert "more errors are not listed" in corpus.problems[-1].message
    with pytest.raises(FormatError, match=r"\.\.\. and (\d\d|[12]\d\d),\d{3} more"):
        read_bytes(name, data)


@each_format
def test_a_long_sentence(name: str) -> None:
    size = 30_000
    tags = Labels.of("B-X" if i % 2 else "O" for i in range(size))
    heads = np.arange(size, dtype=np.int32)  # a chain as deep as the sentence is long
    start, end = np.array([0, 0], np.int32), np.array([size, size], np.int32)
    label, parent = Labels.of(["TOP", "S"]), np.array([-1, 0], np.int32)
    more = {"function": Labels.of(["", ""]), "parent": parent, "sentence": np.zeros(2, np.int32)}
    trees = Trees(start, end, label, **more)
    layers: dict[str, Layer] = {"tag": Tags(tags), "deps": Arcs(heads, tags)}
    if "trees" in make(name).layers:
        layers["trees"] = trees
    corpus = Corpus(np.array([0, size]), Labels.constant("w", size), layers)
    again = read_bytes(name, write_bytes(name, corpus))
    assert again.token_count == size
