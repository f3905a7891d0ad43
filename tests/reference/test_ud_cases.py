"""deps.ud on small files with known counts, on files the UD evaluation refuses, and on real ones.

The cases u04 to u42 and their counts (correct, gold, system) were worked out with the evaluation
script of the CoNLL 2018 shared task and, for enhanced graphs, the current UD tools.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

import tertium
from recordings import record, recorded
from tertium.cli.main import main
from ud_oracles import NAMES, STANZA, answer, assert_equal, judged, replayed, ud_script

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write sentences of rows `id form upos head deprel [deps]` as a file."""

    def write(name: str, *sentences: str) -> Path:
        lines = []
        for sentence in sentences:
            for row in sentence.strip().splitlines():
                number, form, upos, head, deprel, *deps = row.split()
                columns = [number, form, "_", upos, "_", "_", head, deprel, *(deps or ["_"]), "_"]
                lines.append("\t".join(columns) + "\n")
            lines.append("\n")
        path = tmp_path / f"{name}.conllu"
        path.write_text("".join(lines), encoding="utf-8")
        return path

    return write


def counts(gold: Path, system: Path, compat: str = "conll18") -> dict[str, tuple[int, ...]]:
    scores = tertium.score(gold, system, metric=f"deps.ud(compat='{compat}')")
    return {
        r.metric.rpartition(".")[2]: tuple(int(r.counts[n]) for n in ("correct", "gold", "system"))
        for r in scores
    }


RUN = """
1 Ann PROPN 2 nsubj
2 runs VERB 0 root
3 and CCONJ 5 cc
4 Bob PROPN 5 nsubj
5 walks VERB 2 conj
6 . PUNCT 2 punct
"""


def test_u04_one_function_word_for_another(write: Write) -> None:
    found = counts(write("gold", RUN), write("system", RUN.replace("5 cc", "5 mark")))
    assert (found["las"], found["clas"], found["mlas"]) == ((5, 6, 6), (4, 4, 4), (3, 4, 4))


def test_u05_a_function_word_called_content(write: Write) -> None:
    found = counts(write("gold", RUN), write("system", RUN.replace("5 cc", "5 advmod")))
    assert found["clas"] == (4, 4, 5)


def test_u06_a_content_word_called_function(write: Write) -> None:
    found = counts(write("gold", RUN), write("system", RUN.replace("5 nsubj", "5 det")))
    assert found["clas"] == (3, 4, 3)


def test_u24_a_multiword_token_left_unsplit(write: Write) -> None:
    gold = write("gold", "1-2 du _ _ _\n1 de ADP 3 case\n2 le DET 3 det\n3 lac NOUN 0 root")
    system = write("system", "1 du ADP 2 case\n2 lac NOUN 0 root")
    found = counts(gold, system)
    assert (found["tokens"], found["words"]) == ((2, 2, 2), (1, 3, 2))
    assert (found["las"], found["mlas"]) == ((1, 3, 2), (0, 1, 1))


def test_u32_two_sentences_joined(write: Write) -> None:
    gold = write(
        "gold",
        "1 Ann PROPN 2 nsubj\n2 runs VERB 0 root",
        "1 Bob PROPN 2 nsubj\n2 walks VERB 0 root",
    )
    joined = """
1 Ann PROPN 2 nsubj
2 runs VERB 0 root
3 Bob PROPN 4 nsubj
4 walks VERB 2 parataxis
"""
    found = counts(gold, write("system", joined))
    assert (found["sentences"], found["words"]) == ((0, 2, 1), (4, 4, 4))
    assert found["las"] == (3, 4, 4)


def test_u42_enhanced_graphs(write: Write) -> None:
    graph = """
1 Ann PROPN 2 nsubj 2:nsubj|5:nsubj
2 sings VERB 0 root 0:root
3 loudly ADV 2 advmod 2:advmod
4 and CCONJ 5 cc 5:cc
5 dances VERB 2 conj 2:conj:and
6 well ADV 5 advmod 5:advmod
7 . PUNCT 2 punct 2:punct
"""
    poorer = graph.replace("|5:nsubj", "").replace("conj:and", "conj")
    found = counts(write("gold", graph), write("system", poorer), "udtools")
    assert (found["elas"], found["eulas"]) == ((6, 8, 7), (7, 8, 7))


# -- what is refused ----------------------------------------------------------------------------

A = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n"
B = "2\tb\tb\tX\t_\t_\t1\tdep\t_\t_\n"
GOOD = A + B + "\n" + A + B + "\n"


REFUSED = {
    "no final blank line": A + B + "\n" + A + B,
    "no final newline": (A + B + "\n" + A + B)[:-1],
    "double blank line": A + B + "\n\n" + A + B + "\n",
    "two blank lines at the end": GOOD + "\n",
    "blank line at the beginning": "\n" + GOOD,
    "comments alone": "# a\n\n" + GOOD,
    "line of spaces": A + B + " \n" + A + B + "\n",
    "comment inside": A + "# a\n" + B + "\n" + A + B + "\n",
    "comment at the end of a sentence": A + B + "# a\n\n" + A + B + "\n",
    "byte order mark": "\ufeff" + GOOD,
    "two roots": GOOD + A + B.replace("\t1\tdep", "\t0\troot") + "\n",
    "no root": GOOD.replace("\t0\troot", "\t2\tdep"),
    "cycle": GOOD + A + B.replace("\t1\tdep", "\t2\tdep") + "\n",
    "head outside": GOOD + A + B.replace("\t1\tdep", "\t3\tdep") + "\n",
    "no heads": GOOD.replace("\t0\troot", "\t_\t_").replace("\t1\tdep", "\t_\t_"),
    "one head missing": GOOD + A + B.replace("\t1\tdep", "\t_\tdep") + "\n",
    "nine columns": GOOD + A.replace("\t_\n", "\n") + "\n",
    "ids": GOOD + A + "3" + B[1:] + "\n",
    "form of a space": GOOD + A.replace("\ta\ta", "\t\u00a0\ta") + "\n",
    "empty form": GOOD + A.replace("\ta\ta", "\t\ta") + "\n",
    "another text": GOOD.replace("\tb\t", "\tc\t"),
    "a part of the text": A + B + "\n",
}
TAKEN = {
    "as it should be": GOOD,
    "CR LF": GOOD.replace("\n", "\r\n"),
    "comments at the end": GOOD + "# a\n",
    "comments at the end without a newline": GOOD + "# a",
}


def command(gold: Path, system: Path) -> int:
    return main(["score", str(gold), str(system), "--metric", "deps.ud", "--format", "json"])


@pytest.mark.parametrize("content", REFUSED.values(), ids=REFUSED.keys())
def test_files_that_are_refused(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.conllu", tmp_path / "bad.conllu"
    good.write_bytes(GOOD.encode())
    bad.write_bytes(content.encode())
    for gold, system in ((good, bad), (bad, good)):
        assert command(gold, system) == 3
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("error: ")
        assert "Traceback" not in err


@pytest.mark.parametrize("content", TAKEN.values(), ids=TAKEN.keys())
def test_files_that_are_taken(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, other = tmp_path / "good.conllu", tmp_path / "other.conllu"
    good.write_bytes(GOOD.encode())
    other.write_bytes(content.encode())
    assert command(good, other) == 0
    assert '"deps.ud.las"' in capsys.readouterr().out


@pytest.mark.parametrize("content", REFUSED.values(), ids=REFUSED.keys())
def test_the_script_refuses_the_same(content: str, tmp_path: Path) -> None:
    script = ud_script()
    good, bad = tmp_path / "good.conllu", tmp_path / "bad.conllu"
    good.write_bytes(GOOD.encode())
    bad.write_bytes(content.encode())
    for gold, system in ((good, bad), (bad, good)):
        with pytest.raises((script.UDError, ValueError)):
            judged(script, gold, system)


@pytest.mark.parametrize("content", TAKEN.values(), ids=TAKEN.keys())
def test_the_script_takes_the_same(content: str, tmp_path: Path) -> None:
    script = ud_script()
    good, other = tmp_path / "good.conllu", tmp_path / "other.conllu"
    good.write_bytes(GOOD.encode())
    other.write_bytes(content.encode())
    expected = judged(script, good, other)
    assert_equal(tertium.score(good, other, metric="deps.ud"), expected, NAMES, content)


# -- real systems -------------------------------------------------------------------------------

PARSERS = ("udpipe-swap", "udpipe-proj", "spacy", "udpipe-raw")
TAGGERS = ("crf", "lexicon")
splits = pytest.mark.parametrize("split", ["dev", "test"])


@splits
@pytest.mark.parametrize("system", PARSERS)
def test_official_scores(shared: Path, system: str, split: str) -> None:
    folder = shared / "data" / "ewt-systems"
    with (folder / "official_scores.tsv").open() as lines:
        rows = [r for r in csv.DictReader(lines, delimiter="\t") if r["system"] == system]
    official = {r["metric"]: r for r in rows if r["split"] == split}
    scores = tertium.score(
        folder / f"gold-{split}.conllu", folder / f"{system}-{split}.conllu", metric="deps.ud"
    )
    checked = 0
    for ours, theirs in NAMES.items():
        if theirs not in official:  # the system does not predict it
            continue
        parts = scores[f"deps.ud.{ours}"].parts
        for part in ("precision", "recall", "f1", "aligned_accuracy"):
            found = parts[part]
            shown = "" if found is None else f"{100 * found:.2f}"
            assert shown == official[theirs][part], (theirs, part)
        checked += 1
    assert checked >= 7


def _real_pair(shared: Path, system: str, split: str, folder: Path) -> tuple[Path, Path]:
    """Gold and answers. Taggers have no trees, which the script refuses: each word is given the one
    before as head."""
    given = shared / "data" / "ewt-systems"
    gold, answers = given / f"gold-{split}.conllu", given / f"{system}-{split}.conllu"
    if system in TAGGERS:
        lines = answers.read_text(encoding="utf-8").split("\n")
        answers = folder / "answers.conllu"
        answers.write_text("\n".join(_with_head(line) for line in lines), encoding="utf-8")
    return gold, answers


def _with_head(line: str) -> str:
    columns = line.split("\t")
    if not columns[0].isdigit():
        return line
    number = int(columns[0])
    return "\t".join([*columns[:6], str(number - 1), "root" if number == 1 else "dep", "_", "_"])


@splits
@pytest.mark.parametrize("system", [*PARSERS, *TAGGERS])
def test_systems_equal_the_script(shared: Path, system: str, split: str, tmp_path: Path) -> None:
    pair = _real_pair(shared, system, split, tmp_path)
    texts = [[path.read_text(encoding="utf-8") for path in pair]]
    (given,) = recorded(f"ud-script-{system}-{split}", f"stanza {STANZA}", texts)
    expected = replayed(given, NAMES)
    assert expected["UPOS"].correct > 20_000
    assert_equal(tertium.score(*pair, metric="deps.ud"), expected, NAMES, system)


@pytest.mark.oracles
@splits
@pytest.mark.parametrize("system", [*PARSERS, *TAGGERS])
def test_the_script_says_so(shared: Path, system: str, split: str, tmp_path: Path) -> None:
    pair = _real_pair(shared, system, split, tmp_path)
    texts = [[path.read_text(encoding="utf-8") for path in pair]]
    answers = [answer(judged(ud_script(), *pair), NAMES)]
    record(f"ud-script-{system}-{split}", f"stanza {STANZA}", texts, answers)


@splits
@pytest.mark.parametrize("system", TAGGERS)
def test_taggers_without_trees(
    shared: Path, system: str, split: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared / "data" / "ewt-systems"
    gold, answers = folder / f"gold-{split}.conllu", folder / f"{system}-{split}.conllu"
    assert command(gold, answers) == 3
    assert capsys.readouterr().out == ""
    with (folder / "official_scores.tsv").open() as lines:
        rows = [r for r in csv.DictReader(lines, delimiter="\t") if r["system"] == system]
    official = {r["metric"]: r["f1"] for r in rows if r["split"] == split}
    names = ("tokens", "sentences", "words", "upos")
    scores = tertium.score(gold, answers, metric=[f"deps.{name}" for name in names])
    for name in names:
        value = scores[f"deps.{name}"].value
        assert value is not None
        assert f"{100 * value:.2f}" == official[NAMES[name]]
