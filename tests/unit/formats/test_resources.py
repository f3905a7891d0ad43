"""Lexicons and label maps: several files as one, and what is read once is signed."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

import tertium
from tertium.exceptions import InputError, UsageError
from tertium.formats.files import read_file
from tertium.formats.resources import load_labels, load_lexicon
from tertium.formats.sources import HEAD, digest_of, open_input


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in "abc":
        Path(f"{name}.bio").write_text(f"{name} B-X\n\n" * 5)
    return tmp_path


@pytest.fixture
def pipes(tmp_path: Path) -> Iterator[object]:
    """Pipes that are written once, as the shell's <(...) are."""
    threads = []

    def make(name: str, data: bytes) -> str:
        path = tmp_path / name
        os.mkfifo(path)
        threads.append(threading.Thread(target=path.write_bytes, args=(data,)))
        threads[-1].start()
        return str(path)

    yield make
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()


def test_several_files_are_one_lexicon(here: Path) -> None:
    found = load_lexicon("a.bio", "b.bio")
    assert found.forms == {"a", "b"}
    assert found.spans == {"tag": {"a", "b"}}
    assert found.name.startswith("a.bio+b.bio@")


def test_a_lexicon_does_not_depend_on_order_or_on_how_it_is_named(here: Path) -> None:
    Path("all").mkdir()
    for name in "abc":
        Path("all", f"{name}.bio").write_bytes(Path(f"{name}.bio").read_bytes())
    names = {
        load_lexicon(*texts).name
        for texts in (
            ("a.bio", "b.bio", "c.bio"),
            ("c.bio", "a.bio", "b.bio", "a.bio"),
            ("c.bio,b.bio,a.bio",),
            ("[ab].bio", "c.bio"),
            ("all",),
        )
    }
    assert len(names) == 1


def test_one_file_has_its_own_digest(here: Path) -> None:
    digest = sha256(Path("a.bio").read_bytes()).hexdigest()
    assert (
        load_lexicon("a.bio").name == load_lexicon("a.bio", "a.bio").name == f"a.bio@{digest[:8]}"
    )


def test_the_text_of_a_lexicon_parses_back(here: Path) -> None:
    found = load_lexicon("b.bio", "a.bio")
    assert load_lexicon(str(found)) == found


@pytest.mark.parametrize("texts", [("none.bio", "a.bio"), ("a.bio", "none.bio"), ("a.bio,none",)])
def test_a_file_that_is_not_there_is_an_error(texts: tuple[str, ...], here: Path) -> None:
    with pytest.raises(InputError, match="there is no file 'none"):
        load_lexicon(*texts)


def test_what_is_no_lexicon_is_refused(here: Path) -> None:
    for wrong in (3, [3], tertium.read("a.bio")):
        with pytest.raises(UsageError, match="lexicon must be"):
            tertium.score("a.bio", "a.bio", lexicon=wrong)


def test_a_mapping_from_a_pipe_is_signed_by_what_it_says(here: Path, pipes: object) -> None:
    Path("map").write_bytes(b"B-X\tB-Y\n")
    told = load_labels(pipes("pipe", b"B-X\tB-Y\n"))  # type: ignore[operator]
    assert (told.digest, told.mapping) == (load_labels("map").digest, {"B-X": "B-Y"})


def test_everything_can_come_from_pipes(here: Path, pipes: object) -> None:
    data = Path("a.bio").read_bytes()
    given = {name: pipes(name, data) for name in ("gold", "lexicon", "with")}  # type: ignore[operator]
    found = tertium.score(
        given["gold"],
        "a.bio",
        metric="spans.f1",
        lexicon=given["lexicon"],
        with_files=[given["with"]],
    )
    digest = sha256(data).hexdigest()
    assert found.gold_digest == digest[:16]
    signature = str(found.results[0].signature)
    assert f"lexicon@{digest[:8]}" in signature
    assert f"join:with@{digest[:8]}" in signature


def test_gold_is_read_once(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    whole = open_input

    def spy(path: str, **options: bool) -> object:
        opened.append(path)
        return whole(path, **options)

    monkeypatch.setattr("tertium.formats.files.open_input", spy)
    tertium.score("a.bio", "a.bio", "b.bio", metric="spans.f1", align="position", names=["x", "y"])
    assert sorted(opened) == ["a.bio", "a.bio", "b.bio"]


@pytest.mark.parametrize("size", [10, HEAD, HEAD + 1, 3 * HEAD])
def test_the_digest_is_of_all_bytes_however_they_were_read(size: int, tmp_path: Path) -> None:
    data = os.urandom(size)
    (tmp_path / "a").write_bytes(data)
    for sizes in ((), (5,), (HEAD, 0, -1), (HEAD, 0, 7, 3, -1)):
        with open_input(str(tmp_path / "a"), digest=True) as stream:
            for each in sizes:
                stream.read(each) if each else stream.seek(0)
            assert digest_of(stream) == sha256(data).hexdigest()


def test_a_corpus_has_a_digest_where_it_is_wanted(here: Path) -> None:
    assert read_file("a.bio").digest == ""
    assert read_file("a.bio", digest=True).digest == load_lexicon("a.bio").digest
