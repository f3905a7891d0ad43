"""What a hostile review found once."""

from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.cli.main import main

GOLD = """
1 the _ DET _ _ 2 det
2 dog _ NOUN _ Number=Sing 3 nsubj
3 barks _ VERB _ _ 0 root
"""


def test_forms_that_are_not_given_are_no_other_text(trees: Any) -> None:
    """Single metrics pair such files by position; the UD evaluation compares characters."""
    blank = GOLD.replace("the", "_").replace("dog", "_").replace("barks", "_")
    files = trees.write(GOLD), trees.write(blank)
    assert tertium.score(*files, metric="deps.las").value == 1
    for pair in (files, files[::-1]):
        with pytest.raises(tertium.AlignmentError, match="different texts"):
            tertium.score(*pair, metric="deps.ud")
    same = trees.write(blank)
    assert tertium.score(files[1], same, metric="deps.ud")["deps.ud.las"].value == 1


def test_other_formats_are_refused_by_the_ud_evaluation(tmp_path: Path) -> None:
    path = tmp_path / "x.conll"
    path.write_text("1\ta\t_\tX\t_\t_\t0\troot\t_\n\n")
    assert tertium.score(path, path, metric="deps.las").value == 1
    with pytest.raises(tertium.FormatError, match="read as conllx"):
        tertium.score(path, path, metric="deps.ud")
    assert tertium.score(path, path, metric="deps.ud(compat=conll07)")["deps.ud.las"].value == 1


def test_function_words_are_part_of_the_answer(trees: Any) -> None:
    """Two systems with other wrong function words gave other answers."""
    gold = trees.write(GOLD)
    systems = [
        trees.write(GOLD.replace("2 det", relation)) for relation in ("2 case", "2 mark", "3 det")
    ]
    answers = [tertium.decide(gold, s, "deps.mlas").answer for s in systems]
    noun = [int(a[0]) for a in answers]
    assert len(set(noun)) == 3
    assert noun == [int(tertium.decide(gold, s, "deps.mlas").answer[0]) for s in systems]


def test_the_signature_says_what_made_sentences_bad(trees: Any) -> None:
    """With `skip` one metric decides which sentences others are judged on."""
    two = GOLD.replace("2 det", "0 root")
    files = trees.write(f"{GOLD}\n{GOLD}"), trees.write(f"{GOLD}\n{two}")
    lax, strict = "deps.las(compat=conll07)", "deps.uas"
    alone = tertium.score(*files, metric=lax, on_error="skip").results[0]
    beside = tertium.score(*files, metric=[lax, strict], on_error="skip").results[0]
    assert (alone.counts["gold"], beside.counts["gold"]) == (6, 3)
    assert "on_error:skip+any-roots+cycles|" in str(alone.signature)
    assert "on_error:skip|" in str(beside.signature)


def test_groups_without_items_are_not_shown(trees: Any) -> None:
    files = trees.write(GOLD), trees.write(GOLD)
    assert "det" not in tertium.score(*files, metric="deps.clas", by="deprel").results[0].groups
    assert "det" in tertium.score(*files, metric="deps.las", by="deprel").results[0].groups


def test_far_heads_do_not_bring_the_whole_sentence_along(tmp_path: Path) -> None:
    sides = []
    for name, head in (("gold", "{before}"), ("system", "1")):
        rows = [
            f"{i}\tw{i}\t_\t_\t_\t_\t{head.format(before=i - 1) if i > 1 else 0}\tdep\t_\t_"
            for i in range(1, 3001)
        ]
        sides.append(tmp_path / f"{name}.conllu")
        sides[-1].write_text("\n".join(rows) + "\n\n")
    found = tertium.errors(*sides, metric="deps.las")
    assert len(found) == 2998
    assert max(len(e.context.text) for e in found) < 3000
    last = found.instances[-1]
    assert last.system_item is not None
    assert last.system_item.head is not None
    assert last.system_item.head.number == 1
    assert last.context.system_head is None


def test_a_long_first_line_is_not_another_format(tmp_path: Path) -> None:
    cell = "|".join(f"0:root{'x' * 50}{i}" for i in range(3000))
    path = tmp_path / "long.conllu"
    path.write_text(f"1\ta\t_\tX\t_\t_\t0\troot\t{cell}\t_\n\n")
    assert tertium.read(path).format == "conllu"


def test_gates_on_numbers_of_two_evaluations(
    trees: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    file = trees.write(GOLD)
    metrics = ["--metric", "deps.ud", "--metric", "deps.ud(compat='udtools')"]
    for gate in ("deps.ud.las", "deps.ud.las(compat='udtools')"):
        assert main(["score", file, file, *metrics, "--fail-under", f"{gate}=0.9"]) == 0
    assert "deps.ud.elas(compat='udtools')" not in capsys.readouterr().err
