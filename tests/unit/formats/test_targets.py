"""Where files go: whole or not at all, under names that nobody can foresee."""

from __future__ import annotations

import builtins
import gzip
import os
from pathlib import Path
from typing import Any

import pytest

from tertium.exceptions import InputError, UsageError
from tertium.formats.targets import Guard, open_output, protect, replacing

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")


def write(path: object, data: bytes = b"new\n") -> None:
    with open_output(str(path)) as out:
        out.write(data)


def test_a_name_of_255_bytes_can_be_written(tmp_path: Path) -> None:
    target = tmp_path / ("a" * 255)
    write(target)
    assert [*tmp_path.iterdir()] == [target]


def test_the_temporary_name_is_new_each_time_and_opened_exclusively(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, flags = [], []
    opened = os.open

    def spy(path: Any, how: int, *rest: Any) -> int:
        names.append(path)
        flags.append(how)
        return opened(path, how, *rest)

    monkeypatch.setattr(os, "open", spy)
    write(tmp_path / "a")
    write(tmp_path / "a")
    assert len(set(names)) == 2
    assert all(str(os.getpid()) not in Path(name).name[:8] for name in names)
    assert all(how & os.O_EXCL for how in flags)


def test_mode_and_umask_are_kept(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write(target)
    plain = tmp_path / "plain"
    plain.write_text("")
    assert target.stat().st_mode == plain.stat().st_mode
    target.chmod(0o640)
    write(target)
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("file/x", "Not a directory"),
        ("loop", "Too many levels of symbolic links"),
        ("none/x", "No such file or directory"),
        ("b" * 300, "File name too long"),
        ("a\0b", "its name holds a null character"),
        ("a\ud800", "its name holds an unknown character"),
        (".", "it is a folder"),
    ],
)
def test_what_cannot_be_written_is_named(name: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError) as caught:
        write(f"{tmp_path}/{name}")
    assert caught.value.message.startswith(f"cannot write '{tmp_path}")
    assert caught.value.message.endswith(told)
    assert sorted(tmp_path.iterdir()) == before


@needs_full
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_a_full_disk_names_the_target(suffix: str, tmp_path: Path) -> None:
    target = tmp_path / f"out{suffix}"
    target.symlink_to(FULL)
    with pytest.raises(InputError) as caught:
        write(target, os.urandom(100_000))
    assert caught.value.message == f"cannot write '{target}': No space left on device"


def test_what_fails_in_the_block_is_not_the_targets_fault(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="elsewhere"), replacing(str(tmp_path / "a")):
        raise OSError("elsewhere")
    assert not [*tmp_path.iterdir()]


def test_without_zstandard_the_target_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported = builtins.__import__

    def no_zstd(name: str, *rest: Any) -> Any:
        if name == "zstandard":
            raise ImportError
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", no_zstd)
    with pytest.raises(InputError) as caught:
        write(tmp_path / "a.zst")
    assert caught.value.message.startswith(f"cannot write '{tmp_path / 'a.zst'}': ")
    assert not [*tmp_path.iterdir()]


def test_compressed_by_its_name(tmp_path: Path) -> None:
    write(tmp_path / "a.gz")
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"new\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    here = tmp_path / "study"
    here.mkdir()
    (here / "tertium.toml").write_text("")
    return here


def guarded(folder: Path, target: object, data: bytes = b"new\n") -> None:
    with protect(Guard(str(folder / "tertium.toml"), (str(target),))):
        write(target, data)


def test_a_found_study_writes_new_files_below_its_folder(folder: Path) -> None:
    guarded(folder, folder / "a")
    assert (folder / "a").read_bytes() == b"new\n"
    guarded(folder, folder / "a", b"new\nother\n")
    assert (folder / "a").read_bytes() == b"new\nother\n", "an earlier result is replaced"


def test_a_found_study_cannot_name_what_is_no_path(folder: Path) -> None:
    with pytest.raises(InputError, match="null character"):
        guarded(folder, f"{folder}/a\0")


@pytest.mark.parametrize("target", ["../a", "link", "out/a", "strange", "pipe", "tertium.toml"])
def test_a_found_study_writes_nowhere_else(target: str, folder: Path) -> None:
    (folder / "out").symlink_to(folder.parent)
    (folder / "link").symlink_to(folder / "real")
    (folder / "strange").write_text("mine\n")
    os.mkfifo(folder / "pipe")
    with pytest.raises(UsageError, match="was found in this folder and not named"):
        guarded(folder, folder / target)
    assert not (folder.parent / "a").exists()
    assert not (folder / "real").exists()
    assert (folder / "strange").read_text() == "mine\n"


def test_an_earlier_result_names_tertium_where_the_new_one_does(folder: Path) -> None:
    (folder / "a.json").write_text('{\n  "mine": 1\n}\n')
    with pytest.raises(UsageError, match="does not look like its own result"):
        guarded(folder, folder / "a.json", b'{\n  "tertium": "1"\n}\n')


def test_what_the_user_names_is_free(folder: Path) -> None:
    (folder / "strange").write_text("mine\n")
    with protect(Guard(str(folder / "tertium.toml"), (str(folder / "other"),))):
        write(folder / "strange")
    assert (folder / "strange").read_bytes() == b"new\n"
