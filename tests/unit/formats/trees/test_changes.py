"""Changes of trees by parameters of formats, and how they are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from strategies import read_bytes, write_bytes
from tertium.corpus.corpus import Corpus
from tertium.exceptions import UsageError
from tertium.formats.base import CHANGED
from tertium.formats.convert import convert
from tertium.formats.files import make
from tertium.formats.validate import validate
from tertium.significance.score.verb import score
from trees import corpus_of

WHO = """\
#BOS 1
Who WP -- -- 500
did VB -- HD 504
Fritz NNP -- SB 504
tell VB -- HD 503
Hans NNP -- -- 503
that IN -- HD 502
Manfred NNP -- HD 501
likes VB -- HD 500
? ? -- -- 0
#500 VP -- -- 502
#501 NP -- -- 502
#502 SBAR -- -- 503
#503 VP -- -- 504
#504 S -- -- 0
#EOS 1
"""


def changed(corpus: Corpus, parameters: str) -> tuple[list[str], list[str]]:
    """Trees in brackets, changed while they are written; and notes on the changes."""
    format = make(f"brackets({parameters})")
    found = format.changed(corpus)
    notes = [p.message for p in found.problems if p.kind == CHANGED]
    return write_bytes("brackets", found).decode().splitlines(), notes


def raised(*texts: str) -> tuple[list[str], list[str]]:
    return changed(corpus_of(*texts), "crossing=raise")


def test_non_heads_are_raised_until_nothing_crosses() -> None:
    corpus = read_bytes("export", WHO.encode())
    assert changed(corpus, "crossing=raise, root=VROOT, functions=strip") == (
        [
            "(VROOT (S (WP Who) (VB did) (NNP Fritz) (VP (VB tell) (NNP Hans) (SBAR (IN that) "
            "(NP (NNP Manfred)) (VP (VB likes))))) (? ?))"
        ],
        [
            "a root 'VROOT' was added to 1 sentence",
            "crossing branches in 1 sentence: 1 word raised (head rules: penn)",
            "6 functions were removed",
        ],
    )


def test_a_constituent_goes_whole() -> None:
    trees, notes = raised(
        "(S (NP (ART 0=der) (NN-HD 1=Mann) (S-RC (PRELS 3=der) (VVFIN-HD 4=singt))) "
        "(VVFIN-HD 2=kam))",
        "(S (NN a))",
    )
    assert trees == [
        "(S (NP (ART der) (NN-HD Mann)) (VVFIN-HD kam) (S-RC (PRELS der) (VVFIN-HD singt)))",
        "(S (NN a))",
    ]
    assert notes == ["crossing branches in 1 sentence: 1 constituent raised (head rules: tiger)"]


def test_head_rules_decide_without_functions() -> None:
    trees, notes = raised("(S (VP (PP (APPR 0=ohne) (NN 1=Geld)) (VVPP 3=gereist)) (VAFIN 2=ist))")
    assert trees == ["(S (PP (APPR ohne) (NN Geld)) (VAFIN ist) (VP (VVPP gereist)))"]
    assert notes == ["crossing branches in 1 sentence: 1 constituent raised (head rules: tiger)"]


def test_without_a_constituent_above_what_is_raised_becomes_a_root() -> None:
    trees, _ = raised("(S (X 0=a) (X-HD 2=c)) (Y 1=b)")
    assert trees == ["(X a) (Y b) (S (X-HD c))"]


def test_punctuation_is_lowered_first() -> None:
    trees, notes = raised(
        "(S (PPER 0=er) (VVFIN-HD 1=sagt) (S (KOUS 3=dass) (PPER 5=sie) (VVFIN-HD 6=singt))) "
        "($, 2=,) "
        "($( 4=-) ($. 7=.)".replace("$(", "$*LRB*")
    )
    assert trees == [
        "(S (PPER er) (VVFIN-HD sagt) ($, ,) (S (KOUS dass) ($*LRB* -) (PPER sie) "
        "(VVFIN-HD singt))) ($. .)"
    ]
    assert notes == [
        "crossing branches in 1 sentence: 2 punctuation marks lowered (head rules: tiger)"
    ]


def test_punctuation_of_another_constituent_stays() -> None:
    trees, _ = raised("(S (A-HD (X-HD 0=a) (X 3=d)) (B (, 1=,) (X 2=c)))")
    assert trees == ["(S (A-HD (X-HD a)) (B (, ,) (X c)) (X d))"]


def test_traces() -> None:
    corpus = corpus_of("(S (NP-SBJ (-NONE- *)) (VP (V go) (SBAR (-NONE- 0) (S (-NONE- *T*)))))")
    assert changed(corpus, "traces=strip") == (
        ["(S (VP (V go)))"],
        ["3 traces and 3 constituents above them were removed"],
    )
    assert changed(corpus_of("(S (X a) (-NONE- *))"), "traces=strip")[1] == ["1 trace was removed"]


def test_a_root_where_there_is_no_single_one() -> None:
    texts = ["(S (X a))", "(S (X a)) (Y b)", "(Y b)", "", "(A (X a)) (B (X b))"]
    assert changed(corpus_of(*texts), "root=TOP") == (
        ["(S (X a))", "(TOP (S (X a)) (Y b))", "(TOP (Y b))", "(())", "(TOP (A (X a)) (B (X b)))"],
        ["a root 'TOP' was added to 3 sentences"],
    )


def test_nothing_to_change_is_not_noted() -> None:
    every = "root=TOP, crossing=raise, functions=strip, traces=strip"
    assert changed(corpus_of("(S (X a))"), every) == (["(S (X a))"], [])


def test_values_are_checked() -> None:
    for text in ("crossing=lower", "traces=no", "functions=drop"):
        with pytest.raises(UsageError, match="must be one of"):
            make(f"export({text})")


def test_reading_and_writing_do_the_same(tmp_path: Path) -> None:
    source = tmp_path / "a.export"
    source.write_text(WHO)
    asked = "crossing=raise, root=VROOT"
    one = convert(str(source), str(tmp_path / "1.mrg"), to=f"brackets({asked})")
    two = convert(str(source), str(tmp_path / "2.mrg"), input_format=f"export({asked})")
    assert (tmp_path / "1.mrg").read_text() == (tmp_path / "2.mrg").read_text()
    assert one.notes == two.notes
    assert one.notes[:2] == (
        "a root 'VROOT' was added to 1 sentence",
        "crossing branches in 1 sentence: 1 word raised (head rules: penn)",
    )


def test_changes_that_were_asked_for_are_not_lost(tmp_path: Path) -> None:
    source = tmp_path / "a.mrg"
    source.write_text("(S (NP-SB (X a)) (-NONE- *))\n")
    every = "brackets(functions=strip, traces=strip)"
    result = convert(str(source), str(tmp_path / "b.mrg"), to=every, strict=True)
    result.check()
    assert result.lost == ()
    assert (tmp_path / "b.mrg").read_text() == "(S (NP (X a)))\n"


def test_validate_notes_changes(tmp_path: Path) -> None:
    source = tmp_path / "a.export"
    source.write_text(WHO)
    found = validate(str(source), input_format="export(crossing=raise)")
    assert "crossing branches in 1 sentence" in str(found)


def test_what_other_formats_lose(tmp_path: Path) -> None:
    source, target = tmp_path / "a.export", tmp_path / "b.conllu"
    source.write_text(WHO)
    result = convert(str(source), str(target))
    assert result.lost == ("5 constituents", "6 functions of words")
    assert "1\tWho\t_\t_\tWP\t_" in target.read_text()


@pytest.fixture
def german(tmp_path: Path) -> tuple[str, str]:
    """A gold file with functions, and a system's without."""
    gold, system = tmp_path / "gold.export", tmp_path / "system.export"
    gold.write_text(WHO)
    system.write_text(WHO.replace(" HD ", " -- ").replace(" SB ", " -- "))
    return str(gold), str(system)


def test_scores_note_changes_and_sign_them(german: tuple[str, str]) -> None:
    asked = "export(crossing=raise, root=TOP)"
    found = score(*german, metric="trees.parseval", input_format=asked)
    assert "|changes:root=TOP,crossing=raise|" in str(found.results[0].signature)
    text = " ".join(str(found).split())
    assert "a root 'TOP' was added to 1 sentence" in text
    assert "crossing branches in 1 sentence: 1 word raised (head rules: penn)" in text
    found = score(*german, metric="trees.parseval", input_format=asked, system_format="export")
    assert "|changes:gold/root=TOP,crossing=raise|" in str(found.results[0].signature)
    plain = score(*german, metric="trees.parseval")
    assert "changes" not in str(plain.results[0].signature)


def test_functions_in_a_column_are_no_part_of_tags(german: tuple[str, str], tmp_path: Path) -> None:
    def tagging(*files: str) -> float:
        return score(*files, metric="trees.parseval").results[0].parts["tagging"]

    assert tagging(*german) == 1
    brackets = [str(tmp_path / f"{name}.mrg") for name in ("gold", "system")]
    for source, target in zip(german, brackets, strict=True):
        convert(source, target, to="brackets(crossing=raise, root=TOP)")
    assert tagging(*brackets) == 3 / 9  # EVALB does not cut NNP-HD
