"""Families that pair documents on their own: what is missing is empty, counted and named."""

import json
import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from document_pairs import METRIC, corpus, paper_family
from metric_samples import Documents, DocumentTags
from plugins import registered
from tertium.cli.main import main
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Tags
from tertium.exceptions import AlignmentError, InputError
from tertium.results.lost import Lost, Named
from tertium.study.files import File
from tertium.study.study import Study
from tertium.study.walk import walk

pytestmark = pytest.mark.usefixtures("few_samples")

ADA, HE, EVE = "Ada/B-PER met | Bob/B-PER", "He left Rome/B-LOC", "Eve/B-PER left Oslo/B-LOC"
GOLD = corpus("gold", f"a:{ADA}", f"b:{HE}", f"c:{EVE}")
LESS = corpus("less", f"x:{HE}", "c:Eve/B-LOC left Oslo/B-LOC", f"a:{ADA.replace('|', '')}")
SAME = corpus("same", f"a:{ADA}", f"b:{HE}", f"c:{EVE}")
NOTES = (
    "less: 1 document scored as empty because it is missing: b",
    "less: 1 document ignored because it is not in gold: x",
)


@pytest.fixture(autouse=True)
def _family() -> Iterator[None]:
    with paper_family():
        yield


def scored(gold: Corpus, *systems: Corpus, **options: Any) -> Any:
    names = [system.origin for system in systems]
    return tertium.score(gold, *systems, metric=METRIC, names=names, **options)


def test_a_missing_document_is_empty_and_an_extra_one_is_ignored() -> None:
    found = scored(GOLD, LESS)
    result = found["less", METRIC]
    assert result.counts == {"correct": 3, "gold": 5, "system": 4}
    assert result.units == 3
    assert result.coverage["missing_documents"] == result.coverage["ignored_documents"] == 1
    assert result.stats.dense[:, :3].tolist() == [[2, 2, 2], [0, 1, 0], [1, 2, 2]]
    assert found.notes == NOTES
    assert "|align:documents|" in str(result.signature)
    assert str(tertium.Signature.parse(str(result.signature))) == str(result.signature)
    assert scored(GOLD, SAME).notes == ()


def test_other_families_over_documents_refuse_both() -> None:
    with (
        registered(Documents, DocumentTags),
        pytest.raises(AlignmentError, match="less has no document 'b', which gold has"),
    ):
        tertium.score(GOLD, LESS, metric="docs.tags(column=ner)")


def test_differing_forms_are_counted() -> None:
    other = corpus("other", f"a:{ADA.replace('met', 'saw')}", f"b:{HE}", f"c:{EVE}")
    result = scored(GOLD, other)["other", METRIC]
    assert result.value == 1
    assert result.coverage["differing_forms"] == 1
    assert "differing_forms" not in scored(GOLD, SAME)["same", METRIC].coverage


def test_one_alignment_serves_all_metrics() -> None:
    metrics = [METRIC, f"{METRIC}(scheme=iob2)"]
    study = Study.of(GOLD, [LESS], metric=metrics, names=["less"])

    def visit(file: File) -> list[int]:
        (system,) = file.systems()
        judged = [*system.judge()]
        assert judged[0].alignment.derived is judged[1].alignment.derived
        assert judged[0].corpus is judged[1].corpus
        assert judged[0].sentence.max() < GOLD.sentence_count
        return [id(each.alignment) for each in judged]

    ((one, other),) = walk(study, visit)
    assert one == other


def test_what_was_lost_adds_up_and_travels() -> None:
    lost = Lost(missing=Named(2, ("a", "b")), is_judged=True, unit="document")
    both = Lost.added([lost, replace(lost, missing=Named(1, ("c",)), ignored=Named(1, ("d",)))])
    assert both.coverage == {"missing_documents": 3, "ignored_documents": 1}
    assert both.notes("s", "g", "F1") == [
        "s: 3 documents scored as empty by F1 because they are missing: a, b, c",
        "s: 1 document ignored by F1 because it is not in g: d",
    ]
    assert pickle.loads(pickle.dumps(both)) == both


# Verbs.


def test_compare_pairs_the_systems_item_by_item() -> None:
    found = tertium.compare(GOLD, LESS, SAME, metric=METRIC, names=["less", "same"])
    (pair,) = found.views[0].pairs
    assert (pair.corrections, pair.new_errors) == (2, 0)
    assert {*NOTES} <= {*found.notes}
    cut = corpus("cut", "a:A da/B-PER met Bob/B-PER", f"b:{HE}", f"c:{EVE}")  # other tokens
    found = tertium.compare(GOLD, LESS, cut, metric=METRIC, names=["less", "cut"])
    assert found.views[0].pairs[0].new_errors == 2  # what is missing, and what is there instead


def test_diff_errors_draw_audit_and_power() -> None:
    other = tertium.diff(GOLD, LESS, metric=METRIC)
    assert other.layer.different == 2
    wrong = tertium.errors(GOLD, LESS, metric=METRIC, names=["less"])
    assert [(e.document, e.outcome) for e in wrong.instances] == [("b", "missing"), ("c", "wrong")]
    assert {*NOTES} <= {*wrong.notes}
    drawing = tertium.draw(GOLD, LESS, metric=METRIC, sentence=["2", "3"])
    assert [scene.words for scene in drawing.pairs] == [("Bob",), ("He", "left", "Rome")]
    assert {*NOTES} <= {*drawing.notes}
    assert tertium.audit(GOLD, LESS, SAME, metric=METRIC).main.test.unit == "document"
    assert tertium.power(GOLD, LESS, SAME, metric=METRIC).to_dict()


# Bad documents.


def test_a_bad_document_is_left_out_on_all_sides() -> None:
    bad = corpus("bad", f"c:{EVE}", "b:", f"a:{ADA}", skipped=np.array([False, True, False, False]))
    found = scored(GOLD, bad, LESS, on_error="skip")
    assert found["bad", METRIC].counts == {"correct": 4, "gold": 4, "system": 4}
    assert found["less", METRIC].counts == {"correct": 3, "gold": 4, "system": 4}
    assert found["less", METRIC].coverage["skipped_documents"] == 1
    assert found["less", METRIC].coverage["skipped"] == 1
    assert "missing_documents" not in found["less", METRIC].coverage
    note = "1 document of gold left out on all sides because one side has errors there: b"
    assert found.notes[0] == note
    alone = corpus("bad", *("abc"[n] + ":" for n in range(3)), skipped=np.ones(3, np.bool_))
    with pytest.raises(InputError, match="every sentence was skipped"):
        scored(GOLD, alone, on_error="skip")


# Files.


def columns(documents: dict[str, str]) -> str:
    """Documents as CoNLL-U with entities in the last column."""
    lines = []
    for name, text in documents.items():
        lines.append(f"# newdoc id = {name}")
        for sentence in text.split("|"):
            for place, word in enumerate(sentence.split(), 1):
                form, _, tag = word.partition("/")
                lines.append(f"{place}\t{form}\t_\t{tag or 'O'}\t_\t_\t_\t_\t_\t_")
            lines.append("")
    return "\n".join(lines) + "\n"


@pytest.fixture
def folders(tmp_path: Path) -> list[str]:
    """Gold and a system in two files each."""
    sides = {
        "gold": [{"a": ADA, "b": HE}, {"c": EVE}],
        "less": [{"a": ADA}, {"y": HE, "c": EVE.replace("PER", "LOC")}],
    }
    for side, files in sides.items():
        (tmp_path / side).mkdir()
        for number, documents in enumerate(files):
            (tmp_path / side / f"{number}.conllu").write_text(columns(documents), "utf-8")
    return [str(tmp_path / side) for side in sides]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_folders_and_jobs(
    folders: list[str], jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("--metric", f"{METRIC}(column=upos)", "--format", "json", "--jobs", jobs)
    assert main(["score", *folders, *asked]) == 0
    found = json.loads(capsys.readouterr().out)
    (score,) = found["scores"]
    assert score["counts"] == {"correct": 3, "gold": 5, "system": 4}
    assert score["coverage"]["missing_documents"] == score["coverage"]["ignored_documents"] == 1
    told = " ".join(found["notes"])
    assert "scored as empty because it is missing: b (0.conllu)" in told
    assert "ignored because it is not in gold: y (1.conllu)" in told


def test_a_name_in_two_files_is_refused(folders: list[str]) -> None:
    (Path(folders[1]) / "1.conllu").write_text(columns({"a": HE, "c": EVE}), "utf-8")
    with pytest.raises(InputError, match=r"'0.conllu' and '1.conllu' both have a document 'a'"):
        tertium.score(*folders, metric=f"{METRIC}(column=upos)")


def test_standard_input(
    folders: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import io
    import sys

    text = (Path(folders[1]) / "0.conllu").read_bytes()
    stream = io.TextIOWrapper(io.BytesIO(text), "utf-8")
    monkeypatch.setattr(sys, "stdin", stream)
    gold = str(Path(folders[0]) / "0.conllu")
    assert main(["score", gold, "-", "--metric", f"{METRIC}(column=upos)"]) == 0
    assert "missing: b" in " ".join(capsys.readouterr().out.split())


def test_with_lends_tags_to_both_sides(folders: list[str], tmp_path: Path) -> None:
    """Words are grouped by a column of the text, which systems see through the alignment."""
    (tmp_path / "tags").mkdir()
    for number, documents in enumerate([{"a": ADA, "b": HE}, {"c": EVE}]):
        text = columns(documents).replace("\tO\t_", "\tO\tX").replace("PER\t_", "PER\tN")
        text = text.replace("\tB-PER\t", "\t_\t").replace("\tB-LOC\t", "\t_\t")
        (tmp_path / "tags" / f"{number}.conll").write_text(text, "utf-8")
    scores = tertium.score(
        *folders,
        metric=f"{METRIC}(column=upos)",
        by="xpos",
        with_files=[str(tmp_path / "tags")],
    )
    groups = scores.results[0].groups
    counts = groups["N"].counts
    assert (counts["correct"], counts["gold"], counts["system"]) == (2, 3, 3)
    assert "|join:tags@" in str(scores.results[0].signature)
    assert tertium.read(str(tmp_path / "tags" / "0.conll")).layer("xpos", Tags)


def test_layers_that_nobody_named_are_left_out_where_texts_differ() -> None:
    found = tertium.score(GOLD, LESS, SAME, names=["less", "same"])
    told = "less: only spans can be compared because these are different texts: gold, sentence '1'"
    assert [note for note in found.notes if note.startswith(told)]
    assert found["less", "spans.f1"].value is None
    assert found["same", "spans.f1"].value == 1
    assert found["less", METRIC].value == pytest.approx(2 * 3 / 9)
    alone = tertium.score(GOLD, LESS, names=["less"])
    assert [result.metric for result in alone] == [METRIC]
    with pytest.raises(AlignmentError, match="different texts"):
        tertium.score(GOLD, LESS, metric=[METRIC, "spans.f1"])


def test_systems_without_a_form_are_compared_beside_lent_layers(tmp_path: Path) -> None:
    chains = "# begin document d\n0\tAnn\t(1)\n1\t{}\t_\n2\tshe\t({})\n"
    columns = "{0}\t{1}\t_\t{2}\t_\t_\t{3}\tdep\t_\t_\n"
    words = (("Ann", "PROPN", 0), ("|", "PUNCT", 1), ("she", "PRON", 1))
    files = {
        "gold.gumcoref": chains.format("", 1),
        "a.gumcoref": chains.format("|", 1),
        "b.gumcoref": chains.format("", 2),
        "dep.conllu": "".join(columns.format(n, *w) for n, w in enumerate(words, 1)) + "\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    gold, *systems, dep = (tmp_path / name for name in files)
    options = {"with_files": str(dep), "significance": False, "names": ["a", "b"]}
    found = tertium.compare(gold, *systems, **options)
    assert {view.metric for view in found.views} == {"coref.arcs_nom", "coref.arcs_any"}
    assert found.scores["b", "coref.arcs_nom"].coverage["differing_forms"] == 1
    assert [pair.new_errors for pair in found["coref.arcs_nom"].pairs] == [1]
