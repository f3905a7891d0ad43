"""Where data comes from: compressed files, globs, folders, stdin, and what is wrong with them."""

from __future__ import annotations

import gzip
import io
import os
import sys
import tracemalloc
from pathlib import Path
from types import SimpleNamespace

import pytest
import zstandard

from tertium.exceptions import InputError, UsageError
from tertium.formats import compression
from tertium.formats.files import read_file, write_file
from tertium.formats.sources import Source, open_input, resolve, strip_compression
from tertium.formats.targets import open_output

TEXT = b"a\tX\nb\tY\n\n" * 500


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    path = tmp_path / "a.bio"
    path.write_bytes(TEXT)
    return path


def content(path: object) -> bytes:
    with open_input(str(path)) as stream:
        return stream.read()


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes, *, terminal: bool = False) -> None:
    stdin = SimpleNamespace(buffer=io.BytesIO(data), isatty=lambda: terminal)
    monkeypatch.setattr(sys, "stdin", stdin)


def packed(suffix: str, data: bytes = TEXT) -> bytes:
    return gzip.compress(data) if suffix == ".gz" else zstandard.ZstdCompressor().compress(data)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_compression_is_told_by_content(suffix: str, tmp_path: Path) -> None:
    for name in (f"a.bio{suffix}", "a.bio"):  # whatever the name says
        (tmp_path / name).write_bytes(packed(suffix))
        assert content(tmp_path / name) == TEXT
    (tmp_path / "two").write_bytes(packed(suffix) + packed(suffix, b"more"))
    assert content(tmp_path / "two") == TEXT + b"more"


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
@pytest.mark.parametrize("keep", [5, 12, -9, -1])
def test_cut_off(suffix: str, keep: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"a.bio{suffix}"
    path.write_bytes(packed(suffix)[:keep])
    with pytest.raises(InputError, match=r"a\.bio.*(cut off or damaged|not a whole gzip)"):
        content(path)
    with pytest.raises(InputError):
        read_file(str(path))
    pipe(monkeypatch, packed(suffix)[:keep])
    with pytest.raises(InputError, match=r"^stdin: "):
        read_file("-")


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_damaged(suffix: str, tmp_path: Path) -> None:
    data = bytearray(packed(suffix, bytes(range(256)) * 40))
    data[len(data) // 2] ^= 0xFF
    data[-6] ^= 0xFF
    path = tmp_path / "x"
    path.write_bytes(bytes(data))
    with pytest.raises(InputError):
        content(path)


def test_garbage_after_gzip(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(TEXT) + b"garbage")
    with pytest.raises(InputError, match="not a whole gzip file"):
        content(path)


def test_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, TEXT)
    corpus = read_file("-")
    assert corpus.origin == "stdin"
    assert corpus.sentence_count == 500
    pipe(monkeypatch, gzip.compress(TEXT))
    assert content("-") == TEXT
    pipe(monkeypatch, b"", terminal=True)
    with pytest.raises(UsageError, match="nothing is piped in"):
        content("-")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder, expected a file"):
        read_file(str(tmp_path))


def test_missing_and_unreadable(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*No such file"):
        read_file(str(tmp_path / "nothing"))
    to_nowhere = open_output(str(tmp_path / "nowhere" / "x"))
    with pytest.raises(InputError, match=r"cannot write .*nowhere"), to_nowhere as stream:
        stream.write(b"")


def test_resolve_file(plain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert resolve(str(plain)) == Source(str(plain), (str(plain),))
    assert resolve(f"A={plain}") == Source("A", (str(plain),))
    assert resolve("-") == Source("stdin", ("-",))
    assert resolve("B=-") == Source("B", ("-",))
    monkeypatch.chdir(plain.parent)
    Path("x=y").write_bytes(TEXT)
    assert resolve("x=y").files == ("x=y",)  # a file of that name goes before a name for one
    with pytest.raises(InputError, match=r"there is no file 'b\.bio'") as caught:
        resolve("b.bio")
    assert caught.value.help == "Did you mean 'a.bio'?"
    with pytest.raises(InputError) as caught:
        resolve("no/b.bio")
    assert caught.value.help == "there is no folder 'no' either"


def test_resolve_folder_and_glob(tmp_path: Path) -> None:
    for name in ("b.bio", "a.bio.gz", "deep/c.bio", ".hidden/d.bio", ".e.bio"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(TEXT)
    folder = resolve(str(tmp_path))
    assert list(folder.keys()) == ["a.bio", "b.bio", "deep/c.bio"]
    assert folder.is_sharded
    assert folder.name == tmp_path.name
    assert list(resolve(f"{tmp_path}/*.bio*").keys()) == ["a.bio", "b.bio"]
    assert list(resolve(f"{tmp_path}/**/*.bio").keys()) == ["b.bio", "deep/c.bio"]
    with pytest.raises(InputError, match="no file matches"):
        resolve(f"{tmp_path}/*.conllu")
    (tmp_path / "void").mkdir()
    with pytest.raises(InputError, match="holds no files"):
        resolve(str(tmp_path / "void"))
    (tmp_path / "b.bio.gz").write_bytes(TEXT)
    with pytest.raises(InputError, match="have the same name"):
        resolve(str(tmp_path)).keys()


def test_strip_compression() -> None:
    assert strip_compression("a.conllu.gz") == "a.conllu"
    assert strip_compression("a.conllu") == "a.conllu"


def test_same_data_same_bytes(plain: Path, tmp_path: Path) -> None:
    corpus = read_file(str(plain))
    for name in ("x.bio.gz", "y.bio.gz"):
        write_file(corpus, str(tmp_path / name), format="columns")
    assert (tmp_path / "x.bio.gz").read_bytes() == (tmp_path / "y.bio.gz").read_bytes()


def test_what_cannot_be_written_leaves_no_file(plain: Path, tmp_path: Path) -> None:
    corpus = read_file(str(plain))
    with pytest.raises(InputError):
        write_file(corpus.take([]), str(tmp_path / "x.spans"), format="spans(layer=nothing)")
    assert not (tmp_path / "x.spans").exists()


@pytest.mark.parametrize("data", [b"Some text.\n", b"one\ntwo\n", b"\x89PNG\r\n"])
def test_unknown_formats(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(data)
    with pytest.raises(InputError, match="unrecognised format") as caught:
        read_file(str(path))
    assert "input_format" in (caught.value.help or "")


def test_names_that_cannot_be_files() -> None:
    with pytest.raises(InputError, match=r"cannot read 'xxx.*…"):
        resolve("x" * 5000)
    for empty in ("", "A="):
        with pytest.raises(UsageError, match="empty"):
            resolve(empty)


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), EOFError("Ran out")])
def test_only_reading_is_blamed_on_the_input(fault: Exception, plain: Path) -> None:
    with pytest.raises(type(fault)), open_input(str(plain)):
        raise fault


def test_an_input_reads_by_lines_and_pieces(tmp_path: Path) -> None:
    path = tmp_path / "a.bio.gz"
    path.write_bytes(packed(".gz", b"a\tX\nb\tY\n"))
    with open_input(str(path)) as stream:
        assert stream.readlines() == [b"a\tX\n", b"b\tY\n"]
        assert stream.seek(4) == stream.tell() == 4
        assert io.TextIOWrapper(stream).read() == "b\tY\n"


def test_each_real_folder_is_read_once(tmp_path: Path) -> None:
    """Links to folders above and beside, of which two would never end."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.bio").write_bytes(TEXT)
    (tmp_path / "sub" / "b.bio").write_bytes(TEXT)
    (tmp_path / "self").symlink_to(".")
    (tmp_path / "sub" / "up").symlink_to("..")
    (tmp_path / "also").symlink_to("sub")  # before 'sub' in the alphabet
    wanted = ("a.bio", "sub/b.bio")
    for text in (str(tmp_path), f"{tmp_path}/**/*", f"{tmp_path}/**/*.bio"):
        found = resolve(text)
        assert tuple(found.keys()) == wanted, text
    found = resolve(str(tmp_path))
    assert found.note.startswith(f"left out of '{found.name}': '{tmp_path}/also' (a link into")
    assert found.note.count("(") == 3


def test_a_linked_folder_elsewhere_is_read(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "a.bio").write_bytes(TEXT)
    (tmp_path / "data" / "link").symlink_to(tmp_path / "else")
    found = resolve(str(tmp_path / "data"))
    assert tuple(found.keys()) == ("link/a.bio",)
    assert not found.note


def test_what_is_no_file_is_left_out_and_named(tmp_path: Path) -> None:
    (tmp_path / "a.bio").write_bytes(TEXT)
    (tmp_path / ".hidden.bio").symlink_to("nowhere")
    (tmp_path / "dangling.bio").symlink_to("nowhere")
    (tmp_path / "loop.bio").symlink_to("loop.bio")
    os.mkfifo(tmp_path / "pipe.bio")
    for text in (str(tmp_path), f"{tmp_path}/*.bio", f"{tmp_path}/**/*.bio"):
        found = resolve(text)
        assert [*found.keys()] == ["a.bio"]
        assert "hidden" not in found.note
        assert f"'{tmp_path}/dangling.bio' (a link that leads nowhere)" in found.note
        assert f"'{tmp_path}/loop.bio' (a link that leads nowhere)" in found.note
        assert f"'{tmp_path}/pipe.bio' (neither a file nor a folder)" in found.note


def test_a_pattern_reads_each_folder_once(tmp_path: Path) -> None:
    (tmp_path / "run3").mkdir()
    (tmp_path / "run3" / "a.bio").write_bytes(TEXT)
    (tmp_path / "latest").symlink_to("run3")
    found = resolve(f"{tmp_path}/*/*.bio")
    assert [*found.keys()] == ["run3/a.bio"]
    assert "latest/a.bio" in found.note


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("file/x", "cannot read '{}': Not a directory"),
        ("loop", "cannot read '{}': Too many levels of symbolic links"),
        ("dangling", "'{}' is a link to a file that does not exist"),
        ("a\0b", "cannot read '{}': its name holds a null character"),
    ],
)
def test_what_cannot_be_read_says_why(name: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nowhere")
    with pytest.raises(InputError) as caught:
        resolve(f"{tmp_path}/{name}")
    assert caught.value.message == told.format(f"{tmp_path}/{name}")


def test_a_name_with_a_tilde_is_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    Path("~gold.bio").write_bytes(TEXT)
    assert resolve("~gold.bio").files == ("~gold.bio",)
    assert resolve("A=~gold.bio").files == ("~gold.bio",)
    with pytest.raises(InputError, match="there is no file '~nobody-of-that-name/x'"):
        resolve("~nobody-of-that-name/x")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "x.bio").write_bytes(TEXT)
    assert resolve("~/x.bio").files == (str(tmp_path / "home" / "x.bio"),)
    assert resolve("~/*.bio").files == (str(tmp_path / "home" / "x.bio"),)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_what_grows_beyond_measure_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.setattr(compression, "FREE", 1 << 16)
    bomb, path = b"a\tO\n" * 500_000, tmp_path / f"a.bio{suffix}"
    path.write_bytes(packed(suffix, bomb))
    with (
        pytest.raises(InputError, match=r"became more than .* when decompressed") as caught,
        open_input(str(path)),
    ):
        pass
    assert "TERTIUM_MAX_RATIO" in str(caught.value.help)
    for lifted in ("1e6", "none"):
        monkeypatch.setenv("TERTIUM_MAX_RATIO", lifted)
        with open_input(str(path)) as stream:
            assert stream.read() == bomb
    monkeypatch.setenv("TERTIUM_MAX_RATIO", "many")
    with pytest.raises(UsageError, match="TERTIUM_MAX_RATIO must be"), open_input(str(path)):
        pass


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_bomb_takes_little_memory(tmp_path: Path, suffix: str) -> None:
    """400 MB in a few kilobytes are not unpacked."""
    path = tmp_path / f"a.bio{suffix}"
    path.write_bytes(packed(suffix, bytes(1 << 22)) * 100)  # one file of several parts
    tracemalloc.start()
    with pytest.raises(InputError, match="when decompressed"), open_input(str(path)):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 160 << 20


def test_devices_are_refused_and_pipes_are_not(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'/dev/zero' is a device"), open_input("/dev/zero"):
        pass
    with open_input(os.devnull) as stream:
        assert stream.read() == b""
    reader, writer = os.pipe()
    os.write(writer, TEXT)
    os.close(writer)
    with open_input(f"/dev/fd/{reader}") as stream:
        assert stream.read() == TEXT
    os.close(reader)
