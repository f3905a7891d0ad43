"""The metric, the format and the verb of CONTRIBUTING.md are complete: they run, and keep the
contract.

Its family is taken through every verb in test_family.py.
"""

import importlib.util
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tertium
from tertium import registry
from tertium.cli.main import VERBS, main
from tertium.formats.base import Reading
from tertium.formats.files import make, read_file, sniff

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"


@pytest.fixture
def examples(tmp_path: Path) -> Iterator[None]:
    """Each as the one file it claims to be."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    blocks = [block for block in blocks if "register(" in block and "ReplyFamily" not in block]
    assert len(blocks) == 2
    try:
        for number, block in enumerate(blocks):
            path = tmp_path / f"example{number}.py"
            path.write_text(block, encoding="utf-8")
            spec = importlib.util.spec_from_file_location(path.stem, path)
            assert spec is not None
            assert spec.loader is not None
            spec.loader.exec_module(importlib.util.module_from_spec(spec))
        yield
    finally:
        registry.unregister("metrics", "tags.coarse")
        registry.unregister("formats", "pairs")


@pytest.mark.usefixtures("examples")
def test_the_metric(samples: Path) -> None:
    files = samples / "gold.conllu", samples / "arbor.conllu"
    scores = tertium.score(
        *files,
        metric=["tags.accuracy(column=xpos)", "tags.coarse(column=xpos,letters=2)"],
    )
    exact, coarse = (r.value or 0 for r in scores)
    assert exact < coarse < 1
    assert tertium.score(files[0], files[0], metric="tags.coarse").value == 1
    assert "letters:2" in str(scores.results[1].signature)
    with pytest.raises(tertium.UsageError, match="letters must be"):
        tertium.metric("tags.coarse(letters=0)")


@pytest.mark.usefixtures("examples")
def test_the_format(samples: Path, tmp_path: Path) -> None:
    corpus = read_file(str(samples / "upos-ann1.tsv"))
    path = tmp_path / "out.pairs"
    tertium.write(corpus, str(path), format="pairs")
    assert sniff(path.read_bytes(), "x").id == "pairs"
    again = read_file(str(path))
    assert again.format == "pairs"
    assert again == corpus
    with pytest.raises(tertium.FormatError, match=":1, sentence '1': a pair is not word:TAG"):
        make("pairs").read(io.BytesIO(b"a:N; b\n"), Reading())


def test_the_verb(
    samples: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (block,) = [block for block in blocks if "VERB = Verb(" in block]
    (tmp_path / "clean_verb.py").write_text(block, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(VERBS, "clean", ("clean_verb:VERB", "Count sentences without an error."))
    files = str(samples / "gold.conllu"), f"A={samples / 'arbor.conllu'}"
    assert main(["clean", *files, "--metric", "deps.las"]) == 0
    complete = tertium.score(*files, metric="deps.las")["deps.las"].parts["complete"]
    words = capsys.readouterr().out.split()
    assert words[words.index("A") + 1] == str(round(complete * 64))
    assert words[-3:] == ["of", "64", "sentences"]
    assert main(["clean", *files, "--metric", "deps.las", "--format", "csv", "--least", "10"]) == 0
    assert ",clean.A," in capsys.readouterr().out
    assert main(["clean", *files, "--help"]) == 0
    assert "Pass over sentences with fewer items." in capsys.readouterr().out
