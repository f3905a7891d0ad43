"""Folders of several files a side, and processes to go through them."""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path

import pytest

from tertium.formats.files import read_file, write_file


@pytest.fixture(scope="module")
def folders(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every sample corpus as a folder of three files of unlike size, cut at documents."""
    root = tmp_path_factory.mktemp("folders")
    for path in [*samples.glob("*.conllu"), *samples.glob("*.bio")]:
        if path.stem.startswith("theories"):
            continue  # samples of another text, which is shorter
        corpus = read_file(path)
        (root / path.stem).mkdir()
        for name, first, last in (("one", 0, 9), ("three", 9, 33), ("two", 33, 40)):
            part = corpus.take(range(first, last))
            write_file(part, str(root / path.stem / f"{name}{path.suffix}"), format=corpus.format)
    return root


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    """Two processes."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        yield executor
