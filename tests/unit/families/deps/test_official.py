"""Where the official scripts refuse or score what others would not: cases made from their rules."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from random_conllu import random_pair
from tertium.align.tokens import align
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("official")


def conllu(folder: Path, name: str, *rows: str) -> Path:
    """Rows of ID, FORM and HEAD; an empty one ends a sentence."""
    path = folder / f"{name}.conllu"
    lines = []
    for row in rows:
        number, form, head = (*row.split(" "), "", "")[:3]
        relation = {"0": "root", "_": "_"}.get(head, "dep")
        columns = (number, form, "_", "_", "_", "_", head, relation, "_", "_")
        lines.append("\t".join(columns) if number else "")
    path.write_text("\n".join([*lines, "", ""]), encoding="utf-8", newline="")
    return path


def parsed(*heads: int, forms: str = "abc") -> Corpus:
    arcs = Arcs(np.array(heads, np.int32), Labels.of(["dep"] * len(heads)))
    return Corpus(np.array([0, len(heads)]), Labels.of(forms[: len(heads)]), {"deps": arcs})


# -- white space -----------------------------------------------------------------------------------


@pytest.mark.parametrize("space", ["\u2028", "\x85", "\x0b", "\x0c"])
def test_only_space_characters_are_left_out(folder: Path, space: str) -> None:
    """conll18_ud_eval.py drops characters of category Zs from forms, and no others."""
    gold = conllu(folder, "gold", f"1 a{space}b 0", "2 c 1")
    cut = conllu(folder, "cut", f"1 a{space} 0", "2 b 1", "3 c 1")
    las = tertium.score(gold, cut, metric="deps.las").results[0]
    assert las.counts == tertium.score(gold, cut, metric="deps.ud")["deps.ud.las"].counts
    # Without it the text is another one: the script refuses, and so does deps.las.
    without = conllu(folder, "without", "1 a 0", "2 b 1", "3 c 1")
    for metric in ("deps.ud", "deps.las", "deps.uas", "deps.words"):
        with pytest.raises(tertium.AlignmentError, match="different texts"):
            tertium.score(gold, without, metric=metric)


@pytest.mark.parametrize("seed", range(0, 45, 3))
def test_las_is_that_of_the_evaluation_on_any_text(folder: Path, seed: int) -> None:
    """Tokens differ in these pairs; deps.ud is held to the script by recorded scores."""
    files = []
    for name, text in zip("gs", random_pair(seed)[:2], strict=True):
        files.append(folder / f"{name}{seed}.conllu")
        files[-1].write_text(text, encoding="utf-8", newline="")
    found: list[Any] = []
    for metric, key in (("deps.las", "deps.las"), ("deps.ud(compat=udtools)", "deps.ud.las")):
        try:
            found.append(tertium.score(*files, metric=metric)[key].counts)
        except tertium.AlignmentError as error:
            found.append(error.message)
    assert found[0] == found[1]


# -- empty nodes inside multiword tokens -----------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("1-2 ab _/1 a 0/1.1 x _/2 b 1/3 c 1", "'2' for word 'b', expected '3'"),
        ("1 c 0/2-3 ab _/2 a 1/2.1 x _/2.2 x _/3 b 1", "'3' for word 'b', expected '4'"),
        ("1-3 abc _/1 a 0/1.1 x _/2 b 1/3 c 1", "'3' for word 'c', expected '4'"),
        ("1-3 abc _/1 a 0/1.1 x _/2 b 1/2.1 x _/3 c 1", "'3' for word 'c', expected '4'"),
        ("1-3 abc _/1 a 0/1.1 x _/1.2 x _/2 b 1/3 c 1", "'2' for word 'b', expected '4'"),
    ],
)
def test_the_script_of_2018_takes_empty_nodes_for_words(
    folder: Path, rows: str, message: str
) -> None:
    path = conllu(folder, "nodes", *rows.split("/"))
    with pytest.raises(tertium.FormatError, match=f"Incorrect word ID {message}"):
        tertium.score(path, path, metric="deps.ud")
    # udtools and single metrics skip them.
    assert tertium.score(path, path, metric="deps.ud(compat=udtools)")["deps.ud.las"].value == 1
    assert tertium.score(path, path, metric="deps.las").value == 1


def test_empty_nodes_beside_multiword_tokens_are_fine(folder: Path) -> None:
    rows = "0.1 x _/1-2 ab _/1 a 0/2 b 1/2.1 x _/3 c 1/3.1 x _"
    path = conllu(folder, "beside", *rows.split("/"))
    assert tertium.score(path, path, metric="deps.ud")["deps.ud.las"].value == 1


# -- eval07.pl -------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["deps.las(compat=conll07)", "deps.ud(compat=conll07)"])
def test_eval07_refuses_other_sentences(folder: Path, metric: str) -> None:
    one = conllu(folder, "one", "1 a 0", "2 b 1")
    two = conllu(folder, "two", "1 a 0", "", "1 b 0")
    other = conllu(folder, "other", "1 ab 0")
    for pair in ((one, two), (two, one), (one, other)):
        with pytest.raises(tertium.AlignmentError, match=r"eval07\.pl"):
            tertium.score(*pair, metric=metric)
    assert tertium.score(one, two, metric="deps.las").results[0].counts["gold"] == 2


@pytest.mark.parametrize("on_error", ["fail", "skip", "repair"])
def test_eval07_scores_a_cycle_word_by_word(folder: Path, on_error: str) -> None:
    gold = conllu(folder, "gold", "1 a 0", "2 b 3", "3 c 1")
    system = conllu(folder, "cycle", "1 a 0", "2 b 3", "3 c 2")
    found = tertium.score(gold, system, metric="deps.las(compat=conll07)", on_error=on_error)
    assert (found.results[0].counts["correct"], found.results[0].counts["gold"]) == (2, 3)
    ud = tertium.score(gold, system, metric="deps.ud(compat=conll07)", on_error=on_error)
    assert ud["deps.ud.las"].counts["correct"] == 2


def test_other_metrics_refuse_or_mend_a_cycle(folder: Path) -> None:
    gold = conllu(folder, "gold", "1 a 0", "2 b 3", "3 c 1")
    system = conllu(folder, "cycle", "1 a 0", "2 b 3", "3 c 2")
    lax = "deps.las(compat=conll07)"
    for metric in ("deps.las", "deps.las(compat=compareval)", [lax, "deps.uas"], None):
        with pytest.raises(tertium.FormatError, match="its own ancestor"):
            tertium.score(gold, system, metric=metric)
    mended = tertium.score(gold, system, metric="deps.las", on_error="repair").results[0]
    assert (mended.counts["correct"], mended.counts["gold"]) == (1, 3)


def test_cycles_made_in_python() -> None:
    pair = parsed(0, 1, 2), parsed(0, 3, 2)
    assert tertium.score(*pair, metric="deps.las(compat=conll07)").value == pytest.approx(2 / 3)
    with pytest.raises(tertium.FormatError, match="its own ancestor"):
        tertium.score(*pair, metric="deps.las")


# -- nothing to compare ----------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["deps.las(punct=deprel)", "deps.uas(compat=compareval)"])
def test_sides_without_words(metric: str) -> None:
    for heads in (((), ()), ((), (0,)), ((0,), ())):
        gold, system = (parsed(*each, forms="\u00a0") for each in heads)
        alignment = align(gold, system, method="characters", strict=True)
        rows = tertium.metric(metric).decide(gold, system, alignment)
        assert len(rows) == sum(map(len, heads))
