"""`tertium list` and `tertium cite`."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tertium import registry
from tertium._version import AUTHORS, TITLE, __version__
from tertium.cli.citations import PAPERS, citations, software
from tertium.cli.main import VERBS, load
from tertium.families.base import citation
from tertium.options import Verb

ROOT = Path(__file__).resolve().parents[3]


def test_a_list_is_short_unless_something_is_named(run: Any) -> None:
    lines = run("list", "metrics").out.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == registry.names("metrics")
    assert lines[-1].split(maxsplit=1)[1] == "'tertium list metrics spans.f1' shows parameters"
    full = run("list", "metrics", "spans.f1").out
    assert full.startswith("spans.f1  exact span F1\n    column=None: ")


def test_lists_are_chosen_by_family_and_by_text(run: Any) -> None:
    def ids(*words: str) -> list[str]:
        found = json.loads(run("list", *words, "-f", "json").out)
        return [entry["id"] for entry in found[words[0]]]

    assert ids("metrics", "spans") == ["spans.f1", "spans.fair", "spans.partial"]
    assert ids("metrics", "Lemmas", "tags.") == ["tags.accuracy", "deps.lemmas"]
    assert ids("formats", "columns") == ["columns"], "a name is that alone, also if titles hold it"
    assert ids("verbs", "bibtex") == ["cite"]
    wrong = run("list", "metrics", "span.f1")
    assert wrong.code == 2
    assert wrong.err.startswith("error: no metric matches 'span.f1'. Did you mean 'spans.f1'")


def keys(text: str) -> list[str]:
    return re.findall(r"^@\w+\{(.+),$", text, re.MULTILINE)


def test_the_toolkit_cites_itself(run: Any) -> None:
    assert run("cite", "tertium").out == f"% tertium: the toolkit itself\n{software()}\n"
    assert run("cite", "convert").out.endswith(f"{software()}\n"), "no papers of its own"
    assert f"version = {{{__version__}}}" in software()


def test_the_citation_file_says_the_same() -> None:
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    for line in (f'title: "{TITLE}"', f'  - name: "{AUTHORS}"', f"version: {__version__}"):
        assert f"\n{line}\n" in text
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["authors"] == [{"name": AUTHORS}]


@pytest.mark.parametrize("verb", VERBS)
def test_papers_of_verbs_are_known(verb: str) -> None:
    found = load(verb)
    assert keys(citations(verb).entries[0]["bibtex"]) == (
        [*found.cite] if isinstance(found, Verb) and found.cite else ["tertium"]
    )


def test_papers_of_statistics_are_known() -> None:
    assert all(keys(citation(key)) == [key] for _, key in PAPERS.values())


def test_every_paper_of_the_bibliography_is_whole() -> None:
    text = (ROOT / "src/tertium/families/citations.bib").read_text("utf-8")
    entries = text.strip().split("\n\n")
    assert keys(text) == sorted({*keys(text)})
    for entry in entries:
        assert entry.count("{") == entry.count("}"), entry
        assert all(f"  {field} = {{" in entry for field in ("title", "author", "year")), entry


def test_a_result_cites_all_that_it_used(run: Any, samples: Path, tmp_path: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "cedar")]
    output = tmp_path / "scores.json"
    run("score", *files, "-m", "deps.las", "--significance", "--trials", "50", "-o", output)
    found = citations(str(output)).entries
    assert [e["id"] for e in found][:2] == ["tertium", "deps.las"]
    assert {e["id"] for e in found} == {"tertium", "deps.las", "randomisation", "bca", "holm"}
    run("compare", *files, "-m", "deps.las", "--no-significance", "-o", output)
    found = citations(str(output), "deps.las").entries
    assert [e["id"] for e in found] == ["tertium", "compare", "deps.las"]
    text = run("cite", output).out
    assert len(keys(text)) == len({*keys(text)}), "a paper that serves several is printed once"
    output.write_text("[1]")
    assert run("cite", output).code == 2


def test_what_nobody_cites_is_refused(run: Any) -> None:
    for wrong, near in (("compre", "'compare'"), ("las", "'deps.las'"), ("tertum", "'tertium'")):
        done = run("cite", wrong)
        assert done.code == 2
        assert f"there is nothing to cite for '{wrong}'. Did you mean {near}" in done.err
