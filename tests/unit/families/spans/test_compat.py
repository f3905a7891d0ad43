"""compat=: which column, which tokens, what is refused, what the signature says."""

from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.exceptions import AlignmentError, FormatError, InputError, LayerError, UsageError
from tertium.formats.objects import from_python
from tertium.results.scores import Result

MODES = ("conlleval", "seqeval", "seqeval-strict")


def result(gold: Any, system: Any, compat: str, **options: Any) -> Result:
    metric = f"spans.f1(compat={compat})"
    return tertium.score(gold, system, metric=metric, **options).results[0]


def write(path: Path, text: str) -> str:
    path.write_text(text.replace(" ", "\t").replace("/", "\n") + "\n")
    return str(path)


@pytest.mark.parametrize("compat", MODES)
def test_the_signature_names_the_tool_and_leaves_out_what_does_not_count(compat: str) -> None:
    found = str(result([["B-X", "O"]], [["B-X", "O"]], compat).signature)
    assert f"|compat:{compat}|" in found
    assert "repair" not in found
    assert ("scheme:iob2" in found) == (compat == "seqeval-strict")
    assert "compat" not in str(tertium.score([["B-X"]], [["B-X"]]).results[0].signature)


@pytest.mark.parametrize(
    "text",
    [
        "compat=conlleval, repair=drop",
        "compat=seqeval, expected=iob2",
        "compat=seqeval, scheme=iob2",
        "compat=seqeval-strict, scheme=io",
        "compat=seqeval-strict, repair=drop",
        "compat=conll",
    ],
)
def test_what_has_no_meaning_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        tertium.metric(f"spans.f1({text})")


def test_the_column_is_the_named_one_or_the_one_that_looks_like_spans(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "a B-X NN S-VP/b O VB S-PP//")
    assert tertium.score(path, path, metric="spans.f1(compat=seqeval)").results[0].counts[
        "gold"
    ] == len({"VP", "PP"})
    named = tertium.metric("spans.f1(compat=seqeval, column=column1)")
    assert tertium.score(path, path, metric=named).results[0].counts["gold"] == 1
    path = write(tmp_path / "b.tsv", "a B-X NN/b I VB/c O NN//")
    assert [*result(path, path, "seqeval").labels] == ["X", "_"], "some tags are no spans"
    path = write(tmp_path / "c.tsv", "a NN ADJ/b VB ADV//")
    assert [*result(path, path, "seqeval").labels] == ["DJ", "DV"], "the last one"


def test_a_system_with_one_column_of_another_name_is_compared(tmp_path: Path) -> None:
    gold = [{"tokens": ["a", "b"], "ner": ["B-X", "O"]}]
    system = write(tmp_path / "s.tsv", "a B-X/b O//")
    assert result(gold, system, "conlleval").value == 1


def test_spans_that_are_no_tags_are_refused() -> None:
    spans = [{"text": "a b", "spans": [[0, 1, "X"]]}]
    tags = [{"tokens": ["a", "b"], "tags": ["B-X", "O"]}]
    for gold, system in ((spans, tags), (tags, spans)):
        with pytest.raises(LayerError, match="conlleval reads tags, but 'spans' of"):
            result(gold, system, "conlleval")
    with pytest.raises(LayerError, match="no column of tags for seqeval"):
        result([{"tokens": ["a"]}], tags, "seqeval")


@pytest.mark.parametrize("compat", MODES)
def test_tokens_and_sentences_must_be_the_same(tmp_path: Path, compat: str) -> None:
    gold = write(tmp_path / "gold.tsv", "a B-X/b I-X//c O//")
    tokens = write(tmp_path / "tokens.tsv", "ab B-X//c O//")
    tool = compat.partition("-")[0]
    with pytest.raises(AlignmentError, match=rf"{tool} needs the same tokens .* by characters"):
        result(gold, tokens, compat)
    sentences = write(tmp_path / "sentences.tsv", "a B-X//b I-X/c O//")
    with pytest.raises(AlignmentError, match=rf"{tool} .* sentence 1 has 2 tokens in .*, 1 in"):
        result(gold, sentences, compat)
    forms = write(tmp_path / "forms.tsv", "A B-X/b I-X//c O//")
    assert result(gold, forms, compat, align="position").value == 1


def test_strict_mode_names_the_line_of_a_prefix_it_refuses(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "a B-X//b O//")
    system = write(tmp_path / "system.tsv", "a B-X//b S-X//")
    with pytest.raises(
        FormatError, match=r"system.tsv:3, sentence '2': tag 'S-X' .* under iob2"
    ) as caught:
        result(gold, system, "seqeval-strict")
    assert "compat='seqeval'" in (caught.value.help or "")
    plain = write(tmp_path / "plain.tsv", "a NN//b VB//")
    with pytest.raises(FormatError, match=r"plain.tsv:1, sentence '1': tag 'NN' .* of no scheme"):
        result(plain, plain, "seqeval-strict")


def test_many_refused_tags_are_counted() -> None:
    with pytest.raises(FormatError, match=r"\.\.\. and 2,995 more"):
        result([["X-Y"] * 3000], [["O"] * 3000], "seqeval-strict")


def test_the_scheme_is_detected_on_all_gold_files_together(tmp_path: Path) -> None:
    for side, first in (("gold", "a B-X/b E-X//"), ("system", "a B-X/b E-X//")):
        (tmp_path / side).mkdir()
        write(tmp_path / side / "1.tsv", first)
        write(tmp_path / side / "2.tsv", "a B-X/b I-X//")  # IOB2 if it stood alone
        write(tmp_path / side / "3.tsv", "a O/b O//")  # of no scheme if it stood alone
    found = result(str(tmp_path / "gold"), str(tmp_path / "system"), "seqeval-strict")
    assert "scheme:iobes" in str(found.signature)
    assert found.counts == {"correct": 1, "gold": 1, "system": 1}
    for side in ("gold", "system"):
        write(tmp_path / side / "1.tsv", "a O/b O//")
        write(tmp_path / side / "2.tsv", "a O/b O//")
    with pytest.raises(InputError, match="detects no scheme"):
        result(str(tmp_path / "gold"), str(tmp_path / "system"), "seqeval-strict")


def test_conlleval_takes_a_line_of_its_mark_for_the_end_of_a_sentence(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "a B-X/-X- I-X/b I-X//")
    assert result(path, path, "conlleval").counts["gold"] == 2
    assert result(path, path, "seqeval").counts["gold"] == 1


def test_empty_tags_are_refused() -> None:
    import numpy as np

    from tertium.corpus.corpus import Corpus
    from tertium.corpus.labels import Labels
    from tertium.corpus.layers import Tags

    forms = Labels.of(["a", "b"])
    corpus = Corpus(np.array([0, 2]), forms, {"tag": Tags(Labels.of(["B-X", ""]))})
    for compat in MODES:
        with pytest.raises(FormatError, match="sentence '1': tag '' in column 'tag' is empty"):
            result(corpus, corpus, compat)


@pytest.mark.parametrize("compat", ["conlleval", "seqeval"])
def test_undefined_is_zero_by_the_tools_convention_and_said(compat: str) -> None:
    scores = tertium.score([["B-X"]], [["O"]], metric=f"spans.f1(compat={compat})")
    found = scores.results[0]
    assert found.parts["precision"] == 0
    assert found.reasons["precision"] == "the system has no spans"
    assert found.labels["X"]["precision"] == 0
    assert scores.notes == (
        f"system: spans.f1(compat='{compat}') precision is 0 by {compat}'s convention: "
        "the system has no spans",
    )


def test_undefined_is_as_asked_for() -> None:
    null = tertium.score([["O"]], [["O"]], metric="spans.f1(compat=conlleval, undefined=null)")
    assert null.value is None
    assert null.notes == ()
    assert "undefined:null" in str(null.results[0].signature)
    zero = tertium.score([["O"]], [["O"]], metric="spans.f1(undefined=zero)")
    assert zero.value == 0
    assert zero.to_dict()["scores"][0]["reason"] == "neither gold nor system has spans"
    assert "f1 is 0 because undefined='zero': neither gold nor system" in zero.notes[-1]


def test_coverage_has_nothing_irregular() -> None:
    assert result([["B-X", "O"]], [["I-X", "O"]], "seqeval").coverage == {
        "scored": 1,
        "unaligned": 0,
    }


def test_decisions_point_at_the_chunks_as_the_tool_reads_them() -> None:
    gold, system = [["S-P", "S-P", "O", "B-X"]], [["S-P", "S-P", "O", "B-Y"]]
    metric = tertium.metric("spans.f1(compat=conlleval)")
    corpora = from_python(gold), from_python(system)
    fitted = metric.fit(metric.facts(corpora[0]))
    ours, theirs = (fitted.items(corpus) for corpus in corpora)
    decisions = tertium.decide(*corpora, metric)
    assert decisions.to_frame()["error_type"].to_list() == ["none", "label"]
    rows = ours.start[decisions.gold_row], theirs.start[decisions.system_row]
    assert [r.tolist() for r in rows] == [[0, 3], [0, 3]]
    assert ours.end.tolist() == [2, 4]


def test_equal_chunks_that_conlleval_finds_unlike_are_missing_and_extra() -> None:
    """No end of S without a type is seen at O, so that what follows tells both sides apart."""
    gold, system = [["B-X", "S", "O", "O"]], [["B-X", "S", "O", "I-Y"]]
    frame = tertium.decide(gold, system, "spans.f1(compat=conlleval)").to_frame()
    assert frame["outcome"].to_list() == ["correct", "missing", "extra", "extra"]
    corpus = from_python(gold)
    metric = tertium.metric("spans.f1(compat=conlleval)")
    chunks = metric.fit(metric.facts(corpus)).items(corpus)
    assert chunks.end.tolist() == [1, 2], "no chunk is said to cover O"


def test_seen_spans_are_those_of_the_tool(tmp_path: Path) -> None:
    train = write(tmp_path / "train.tsv", "a B-X/b I-X//")
    gold = [{"tokens": ["a", "b", "c"], "tags": ["B-X", "I-X", "B-X"]}]
    found = result(gold, gold, "seqeval", lexicon=train)
    assert found.stats is not None
    assert found.stats.totals()["seen_gold"] == 1
    assert (found.parts["seen_f1"], found.parts["unseen_f1"]) == (1, 1)


@pytest.mark.parametrize(
    "metric", ["spans.partial", "spans.f1(compat='conlleval')", "spans.f1(compat='seqeval')"]
)
def test_stacked_tags_are_told(metric: str) -> None:
    gold = [["B-S|B-NP", "I-S|I-NP"]]
    scores = tertium.score(gold, gold, metric=metric)
    assert any("takes 'S|B-NP' for a type" in note for note in scores.notes)
    assert not tertium.score(gold, gold, metric="spans.f1").notes
