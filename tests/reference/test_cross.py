"""Parsers of two theories on one scale: GUM dependencies with seeded errors, and the output of two
PCFG parsers on 300 of the same sentences."""

import random
from pathlib import Path

import pytest

import tertium

PLAIN = "theories.tedeval(labeled=False)"
TURNED = {"nmod": "obl", "obl": "nmod", "obj": "obl", "acl": "advcl", "amod": "compound"}


def with_errors(text: str, rng: random.Random, heads: float, relations: float) -> str:
    """Words attached too high, which never makes a cycle, and with wrong relations."""
    sentences = []
    for block in text.strip().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line.partition("\t")[0].isdigit()]
        head = {row[0]: row[6] for row in rows}
        for row in rows:
            if head.get(head[row[0]], "0") != "0" and rng.random() < heads:
                row[6] = head[row[0]] = head[head[row[0]]]
            if row[6] != "0" and rng.random() < relations:
                row[7] = TURNED.get(row[7].partition(":")[0], "dep")
            row[8] = row[9] = "_"
        sentences.append("\n".join("\t".join(row) for row in rows))
    return "\n\n".join(sentences) + "\n\n"


@pytest.fixture(scope="module")
def found(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> tertium.CrossComparison:
    gum, pcfg, made = (
        shared / "data/gum/dep",
        shared / "data/gum-pcfg",
        tmp_path_factory.mktemp("x"),
    )
    for name, rates in {"attach": (0.15, 0.03), "relate": (0.05, 0.2)}.items():
        (made / name).mkdir()
        rng = random.Random(7)
        for file in sorted(gum.glob("*.conllu")):
            text = with_errors(file.read_text("utf-8"), rng, *rates)
            (made / name / file.name).write_text(text, "utf-8")
    systems = [f"{name}=dep:{made / name}" for name in ("attach", "relate")]
    systems += [f"{name}=ps:{pcfg / f'pcfg-{name}.ptb'}" for name in ("plain", "parent")]
    golds = {"dep": gum, "ps": pcfg / "gold-functions.ptb"}
    return tertium.cross(golds, *systems, trials=1000)


def test_sentences_of_a_folder_and_a_file_are_paired(found: tertium.CrossComparison) -> None:
    assert (found.scores.units, found.scores.tokens) == (300, 4651)
    assert "dep: 629 sentences left out" in " ".join(found.render("text").split())


def test_brackets_are_those_of_evalb(found: tertium.CrossComparison) -> None:
    values = [found.native["ps"][name, "trees.parseval"].value for name in ("plain", "parent")]
    assert values == pytest.approx([0.7249, 0.7859], abs=5e-5)


def test_parsers_of_both_theories_are_ranked(found: tertium.CrossComparison) -> None:
    """By unlabelled scores, since PCFG parsers have no functions."""
    assert found.main == PLAIN
    values = {name: found.scores[name, PLAIN].value or 0 for name in found.systems}
    assert sorted(values, key=lambda name: -values[name]) == ["relate", "attach", "parent", "plain"]
    assert (values["plain"], values["parent"]) == pytest.approx((0.9214, 0.9407), abs=5e-5)
    tests = found.scores.assessment
    assert tests is not None
    assert {name: tests.letters[name, PLAIN] for name in values} == {
        "relate": "a",
        "attach": "b",
        "parent": "c",
        "plain": "d",
    }


def test_overlap_and_ceiling(found: tertium.CrossComparison) -> None:
    (overlap,), (conversion,) = found.overlap, found.conversions
    assert overlap["labeled"] == pytest.approx(0.0814, abs=5e-5)
    assert overlap["unlabeled"] == pytest.approx(0.8471, abs=5e-5)
    assert conversion["value"] == pytest.approx(0.7235, abs=5e-5)
    uas = [found.native["dep"][name, "deps.uas"].value or 0 for name in ("plain", "parent")]
    assert uas[0] < uas[1] < conversion["value"]
