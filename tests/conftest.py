"""What all tests share: the hypothesis profile and the places of samples and shared corpora."""

import gc
import os
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

# Kernels compile on first use, which takes seconds: a deadline would fail the first example. On a
# build server the examples are the same in every run. `make levels` tries many more.
COMMON = {"deadline": None, "derandomize": bool(os.environ.get("CI"))}
settings.register_profile("tertium", max_examples=10, **COMMON)
settings.register_profile("thorough", max_examples=400, **COMMON)
settings.load_profile("tertium")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that asks for the shared corpora carries the marker `shared` without saying so."""
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.shared)


def pytest_collection_finish() -> None:
    """What was loaded so far, some 8,000 tests among it, is not looked through for garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared material (corpora are in `data/`); a test is skipped without it."""
    path = Path(os.environ.get("TERTIUM_SHARED") or ROOT.parent / "shared")
    if not (path / "data").is_dir():
        pytest.skip(f"no shared corpora at {path}; set TERTIUM_SHARED to the folder that has data/")
    return path


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of the sample corpora that come with the package."""
    return Path(str(resources.files("tertium") / "samples"))


@pytest.fixture
def spellings() -> Iterator[None]:
    """For tests that declare options: how they are spelt changes no message elsewhere."""
    from tertium.exceptions import SPELLINGS
    from tertium.options import options_of

    before = dict(SPELLINGS)
    options_of.cache_clear()
    yield
    SPELLINGS.update(before)


@pytest.fixture(scope="module")
def few_samples() -> Iterator[None]:
    """For audits whose random orders of data, and power whose test sets, are not the point: 5
    instead of 21, and 20 instead of 200."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tertium.significance.audit.curves.ORDERS", 5)
        patch.setattr("tertium.significance.simulation.TEST_SETS", 20)
        yield
