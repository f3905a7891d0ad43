"""Caches of compiled code that are damaged, full or not writable: compiled again, one note."""

from __future__ import annotations

import importlib.util
import resource
import sys
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from chaos_runs import LONG, Chaos
from tertium import _jit
from tertium.exceptions import InputError

KERNEL = "def double(x):\n    return x + x\n"
DAMAGED = "is damaged; it is compiled again"


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "cut": cut,
    "garbage": lambda path: path.write_bytes(b"\x80\x04garbage"),
    "text": lambda path: path.write_text("not a pickle"),
    "flipped": flip,
    "folder": make_folder,
}


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """A small kernel as a new process would see it, its cache in `tmp_path/cache`."""
    from numba.core import config

    source = tmp_path / "toy.py"
    source.write_text(KERNEL)
    spec = importlib.util.spec_from_file_location("toy", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "cache"))

    def new() -> Any:
        monkeypatch.setattr(_jit, "_notes", [])
        monkeypatch.setattr(_jit, "_losses", [])
        return _jit.kernel(module.double)

    return new


def files(folder: Path, suffix: str) -> list[Path]:
    return sorted((folder / "cache").rglob(f"*{suffix}"))


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_damage_is_mended(
    suffix: str, toy: Callable[[], Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert toy()(21) == 42
    assert capsys.readouterr().err == ""
    for damage, change in DAMAGES.items():
        (path,) = files(tmp_path, suffix)
        change(path)
        assert toy()(21) == 42
        note = capsys.readouterr().err
        if damage != "flipped" or suffix == ".nbc":  # an index may name nothing that is known
            assert note.startswith("note: compiled code in '")
            assert note.endswith(f"{DAMAGED}\n")
        again = toy()
        assert again(21) == 42
        assert sum(again.stats.cache_hits.values()) == 1, damage
        assert capsys.readouterr().err == ""


def test_a_folder_that_holds_something_is_left(
    toy: Callable[[], Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert toy()(21) == 42
    (path,) = files(tmp_path, ".nbi")
    make_folder(path)
    (path / "mine").touch()
    assert toy()(21) == 42
    assert (path / "mine").exists()


def test_too_little_memory_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)  # an ImportError
    with pytest.raises(InputError, match=r"compiled code \(numba\) could not be loaded") as error:
        _jit.kernel(abs)
    assert "memory" in (error.value.help or "")


def test_a_full_disk_costs_only_time(
    toy: Callable[[], Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, limits[1]))
    try:
        assert toy()(21) == 42
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    note = capsys.readouterr().err
    assert note.startswith("note: compiled code cannot be kept in '")
    assert note.endswith("set NUMBA_CACHE_DIR to a folder only you can write\n")
    assert note.count("\n") == 1
    assert not [path for path in files(tmp_path, "") if path.is_file()]


def test_no_folder_is_a_note(
    toy: Callable[[], Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from numba.core.caching import CacheImpl

    monkeypatch.setattr(CacheImpl, "_locator_classes", [])
    assert toy()(21) == 42
    assert capsys.readouterr().err == (
        "note: compiled code cannot be kept: no folder is writable; to start faster, "
        "set NUMBA_CACHE_DIR to a folder only you can write\n"
    )


@pytest.mark.skipif(not LONG, reason="only in `make chaos`")
@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_command_with_a_damaged_cache(suffix: str, chaos: Chaos) -> None:
    """Every file of the cache is damaged; the result is that of a sound one, once and again."""
    files = [chaos.data / name for name in ("entities-gold.bio", "entities-arbor.bio")]
    score = partial(chaos.run, "score", *files, env={"NUMBA_CACHE_DIR": str(chaos.data / "cache")})
    sound = score()
    damages = cycle(name for name in DAMAGES if name != "folder")
    for path, damage in zip(
        sorted((chaos.data / "cache").rglob(f"*{suffix}")), damages, strict=False
    ):
        DAMAGES[damage](path)
        chaos.tried.append(f"cache, {suffix} {damage}: exit 0")
    first, second = score(), score()
    for ended in (sound, first, second):
        ended.assert_orderly(0)
    assert sound.out == first.out == second.out
    assert first.err.count(DAMAGED) == 1
    assert second.err == ""


@pytest.mark.skipif(not LONG, reason="only in `make chaos`")
def test_a_command_with_a_full_cache(chaos: Chaos) -> None:
    files = [chaos.data / name for name in ("entities-gold.bio", "entities-arbor.bio")]
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
    ended = chaos.run(
        "score",
        *files,
        env={"NUMBA_CACHE_DIR": str(chaos.folder / "cache")},
        prepare=limit,
        outputs=("cache",),
    )
    assert ended.code == 0
    assert ended.err.count("note: compiled code cannot be kept") == 1
    assert "score" not in ended.err
    chaos.tried.append("cache, full: exit 0")
