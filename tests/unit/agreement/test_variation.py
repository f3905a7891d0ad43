"""`tertium variation`: n-grams, questions and answers on examples small enough to check by eye."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.agreement.variation.text import joined
from tertium.cli.main import main
from tertium.corpus.labels import Labels
from tertium.exceptions import InputError, LayerError, UsageError

OFF = "\n".join(["to/P get/V off/R the/D bus/N", "to/P get/V off/I the/D bus/N", "far/A off/R"])


def tagged(text: str) -> list[dict[str, list[str]]]:
    pairs = [[word.split("/") for word in line.split()] for line in text.splitlines()]
    return [{"tokens": [w for w, _ in s], "tags": [t for _, t in s]} for s in pairs]


def columns(folder: Path, name: str, text: str) -> Path:
    rows = ["\n".join(word.replace("/", "\t") for word in s.split()) for s in text.splitlines()]
    path = folder / name
    path.write_text("\n\n".join(rows) + "\n", "utf-8")
    return path


def shown(found: Any) -> list[tuple[str, dict[str, int]]]:
    return [(each.marked, each.labels) for each in found]


def test_a_nucleus_in_its_longest_context() -> None:
    found = tertium.variation(tagged(OFF))
    assert shown(found) == [("to get [off] the bus", {"I": 1, "R": 1})]
    assert (found.nuclei, len(found), found.found) == (1, 1, 1)
    assert (
        repr(found) == "<Variations: gold has 1 variation n-gram, with 1 nucleus in 2 occurrences>"
    )
    (each,) = found
    assert (each.nucleus, each.first, each.last) == ("off", 3, 3)


def test_where_it_occurs(tmp_path: Path) -> None:
    path = columns(tmp_path, "off.tsv", OFF)
    (entry,) = tertium.variation(path).to_dict()["variations"]
    assert entry["words"] == ["to", "get", "off", "the", "bus"]
    assert entry["occurrences"] == [
        {
            "file": str(path),
            "sentence": n,
            "line": line,
            "first": 3,
            "last": 3,
            "label": label,
            "context": "to get [off] the bus",
        }
        for n, line, label in (("1", 3, "R"), ("2", 9, "I"))
    ]


def test_every_occurrence_where_there_is_room(tmp_path: Path) -> None:
    one = columns(tmp_path, "one.tsv", f"{OFF}\nto/P get/V off/R the/D bus/N")
    found = tertium.variation(one)
    row = "to get [off] the bus      5      3  R 2 (3), I 1 (9)"
    assert row in str(found)
    assert "labels: how often each occurs, and its first line" in str(found)
    assert "Occurrences" not in str(found)
    whole = tertium.render(found, all=True)
    assert row in whole
    assert re.findall(r"(\w) +(\d+)  to get \[off\] the bus\n", whole) == [
        ("R", "3"), ("I", "9"), ("R", "18"),
    ]  # fmt: skip
    assert tertium.render(found, "html").count("<bdi>to get [off] the bus</bdi>") == 4
    columns(tmp_path, "two.tsv", "to/P get/V off/I the/D bus/N")
    both = tertium.variation(tmp_path)
    assert "(one.tsv:9)" in str(both)
    assert "<bdi>two.tsv</bdi>" in tertium.render(both, "html")
    unknown = replace(found, text=replace(found.text, lines=0 * found.text.lines))
    assert unknown[0].occurrences[0].line is None
    assert "its first sentence" in str(unknown)
    assert "R 2 (1), I 1 (2)" in str(unknown)


def test_frames_of_n_grams_and_occurrences(tmp_path: Path) -> None:
    path = columns(tmp_path, "off.tsv", OFF)
    found = tertium.variation(path)
    assert found.to_frame().rows() == [("to get [off] the bus", 5, 2, "I 1 (9), R 1 (3)")]
    each = found.to_frame("occurrences")
    assert each.columns == ["variation n-gram", "label", "file", "sentence", "line", "context"]
    assert each["line"].to_list() == [3, 9]


def test_a_page_has_so_many_occurrences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertium.results.output.PAGE_ROWS", 200)
    lines = [f"a/{'XY'[n % 9 == 0]} very/D long/J sentence/N here/R" for n in range(300)]
    found = tertium.variation(columns(tmp_path, "many.tsv", "\n".join(lines)))
    assert "and 100 more; all=True shows all" in tertium.render(found, "html")
    assert "and 100 more" not in tertium.render(found, "html", all=True)
    text, _, _ = tertium.render(found, "text", all=True).partition("coverage")
    assert max(map(len, text.split("\n"))) <= 80


def test_html_is_a_page_with_sections(tmp_path: Path) -> None:
    found = tertium.variation(columns(tmp_path, "off.tsv", OFF))
    page = tertium.render(found, "html", title="My corpus")
    assert "<title>My corpus</title>" in page
    assert 'data-title="Variation n-grams"' in page
    assert 'data-title="Cases"' not in page
    assert "signature</span>" in page
    assert "needed to sort and copy tables" in page
    assert "The example browser" not in page
    tertium.write_report(found, tmp_path / "page.html", title="My corpus")
    assert (tmp_path / "page.html").read_text("utf-8") == page


def test_the_fringe_comes_last_and_can_be_left_out() -> None:
    text = "a/X b/N c/X\na/X b/V c/X\np/N q/X r/X s/X t/X\np/V q/X r/X s/X t/X"
    found = tertium.variation(tagged(text))
    assert [each.marked for each in found] == ["a [b] c", "[p] q r s t"]
    kept = tertium.variation(tagged(text), non_fringe=True)
    assert [each.marked for each in kept] == ["a [b] c"]
    assert (kept.nuclei, kept.found) == (1, 1)


def test_contexts_end_with_the_sentence_unless_they_may_go_on() -> None:
    text = "z/Z\na/X b/N\nc/X\nz/Z\na/X b/V\nc/X"
    assert [e.marked for e in tertium.variation(tagged(text))] == ["a [b]"]
    found = tertium.variation(tagged(text), across_sentences=True)
    assert [e.marked for e in found] == ["z a [b] c"]
    assert [e.marked for e in tertium.variation(tagged(text), context=0)] == ["[b]"]


def test_long_contexts_go_before_frequent_ones_and_limit_keeps_the_first() -> None:
    lines = ["a/X b/N c/X"] * 3 + ["a/X b/V c/X"] + ["k/X l/X m/N n/X", "k/X l/X m/V n/X"]
    found = tertium.variation(tagged("\n".join(lines)))
    assert [e.marked for e in found] == ["k l [m] n", "a [b] c"]
    kept = tertium.variation(tagged("\n".join(lines)), limit=1)
    assert (len(kept), kept.found, kept.nuclei) == (1, 2, 1)
    assert "2 variation n-grams; the first 1 have 1 nucleus in" in kept.summary()


def test_words_that_are_a_span_somewhere_and_none_elsewhere_vary() -> None:
    gold = [
        {"tokens": ["in", "New", "York", "now"], "ner": ["O", "B-LOC", "I-LOC", "O"]},
        {"tokens": ["in", "New", "York", "now"], "ner": ["O", "B-ORG", "I-ORG", "O"]},
        {"tokens": ["see", "New", "York", "now"], "ner": ["O", "O", "O", "O"]},
    ]
    found = tertium.variation(gold)
    assert shown(found) == [("in [New York] now", {"LOC": 1, "ORG": 1})]
    short = tertium.variation(gold, context=0)
    assert shown(short) == [("[New York]", {"(none)": 1, "LOC": 1, "ORG": 1})]


def test_relations_are_of_two_words_and_what_is_between(tmp_path: Path) -> None:
    def sentence(relation: str, head: int) -> str:
        rows = [(1, "the", 2, "det"), (2, "dog", 3, "nsubj"), (3, "barks", 0, "root")]
        rows.append((4, "loudly", head, relation))
        return "".join(f"{i}\t{w}\t_\tX\t_\t_\t{h}\t{r}\t_\t_\n" for i, w, h, r in rows) + "\n"

    path = tmp_path / "trees.conllu"
    path.write_text(sentence("advmod", 3) + sentence("obl", 3) + sentence("obl", 2), "utf-8")
    found = {each.marked: each.labels for each in tertium.variation(path, metric="deps.las")}
    assert found == {
        "the dog [barks loudly]": {"(none)": 1, "advmod-L": 1, "obl-L": 1},
        "the [dog barks loudly]": {"(none)": 2, "obl-L": 1},
    }


def test_texts_without_words_are_refused() -> None:
    with pytest.raises(LayerError, match="has no words"):
        tertium.variation([{"text": "Ann left", "spans": [[0, 3, "PER"]]}])


def test_several_labels_of_the_same_words_are_one() -> None:
    tokens = np.array([0, 0, 4], np.int64)
    spans, label = joined(np.stack((tokens, tokens + 2)), Labels.of(["Y", "X", "Z"]))
    assert spans.tolist() == [[0, 4], [2, 6]]
    assert label.to_list() == ["X+Y", "Z"]


def test_files_of_a_folder_are_one_corpus(tmp_path: Path) -> None:
    columns(tmp_path, "a.tsv", "to/P get/V off/R")
    columns(tmp_path, "b.tsv", "to/P get/V off/I")
    found = tertium.variation(tmp_path)
    assert shown(found) == [("to get [off]", {"I": 1, "R": 1})]
    assert [Path(o.file).name for o in found[0].occurrences] == ["a.tsv", "b.tsv"]
    assert "a.tsv:3" in str(found)
    twice = tertium.variation(tmp_path, jobs=2)
    assert twice.to_dict() == found.to_dict()


def test_nothing_varies() -> None:
    found = tertium.variation(tagged("a/X b/Y"))
    assert (found.to_dict()["variations"], found.nuclei) == ([], 0)
    assert "has no variation n-grams" in found.summary()


def test_one_metric_with_items() -> None:
    with pytest.raises(UsageError, match="one metric at a time"):
        tertium.variation(tagged(OFF), metric=["tags.accuracy", "tags.accuracy(column='tags')"])


# -- questions and answers ---------------------------------------------------------------------


def asked(folder: Path) -> tuple[Path, list[dict[str, str]]]:
    """A corpus, and the questions about it."""
    path = columns(folder, "off.tsv", OFF)
    assert main(["variation", str(path), "--questions", str(folder / "q.tsv")]) == 0
    with (folder / "q.tsv").open(newline="", encoding="utf-8") as file:
        return path, list(csv.DictReader(file, delimiter="\t"))


def answered(folder: Path, name: str, rows: list[dict[str, str]], answers: str) -> str:
    """The table with answers in order: y, n, or - for none."""
    path = folder / name
    words = {"y": "yes", "n": "No", "-": ""}
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, [*rows[0]], delimiter="\t")
        table.writeheader()
        for row, answer in zip(rows, answers, strict=True):
            table.writerow({**row, "answer": words[answer]})
    return str(path)


def test_questions_are_contexts_by_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, rows = asked(tmp_path)
    assert [(row["item"], row["tag"]) for row in rows] == [
        ("1.3:I", "I"), ("1.3:R", "R"), ("2.3:I", "I"), ("2.3:R", "R"),
    ]  # fmt: skip
    assert {row["context"] for row in rows} == {"to get [off] the bus"}
    assert {row["answer"] for row in rows} == {""}


def test_answers_tell_hard_cases_from_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, rows = asked(tmp_path)
    # Sentence 1 has R, sentence 2 has I: both are fine in 1, only R is in 2.
    files = [
        answered(tmp_path, f"{n}.tsv", rows, a) for n, a in enumerate(("yyny", "yyny", "nyyy"))
    ]
    found = tertium.variation(path, answers=files).to_dict()["answers"]
    assert (found["questions"], found["answered"], found["annotators"]) == (4, 4, 3)
    assert found["agreement"] == pytest.approx((1 + 3 + 1 + 3) / 12)
    assert (found["cases"], found["hard"]) == (2, 1)
    assert found["pairs"] == [
        {"labels": ["I", "R"], "cases": 2, "hard": 1, "settled": 0, "wrong": 1, "share": 0.5,
         "of_hard": 1.0}
    ]  # fmt: skip
    text = " ".join(str(tertium.variation(path, answers=files)).split())
    assert "2 disagreements: 1 hard case (50.00%), 0 settled, 1 error (50.00%)." in text
    assert "1 of the 2 annotations asked about is wrong, at least 8.33% of all 12" in text
    assert "2.3:I to get [off] the bus I R" in text
    assert found["wrong"] == [
        {"item": "2.3:I", "context": "to get [off] the bus", "label": "I", "plausible": ["R"]}
    ]


def test_open_and_tied_questions_are_left_out(tmp_path: Path) -> None:
    path, rows = asked(tmp_path)
    files = [answered(tmp_path, f"{n}.tsv", rows, a) for n, a in enumerate(("yny-", "nny-"))]
    found = tertium.variation(path, answers=files).to_dict()["answers"]
    assert (found["answered"], found["tied"], found["cases"]) == (3, 1, 0)
    one = tertium.variation(path, answers=files[0]).to_dict()["answers"]
    assert one["agreement"] is None
    assert one["reason"] == "no question has answers from two annotators"
    assert one["pairs"][0]["wrong"] == 1, "R is annotated in 1, and not plausible"
    assert one["pairs"][0]["of_hard"] is None


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"item": "9.9:I", "answer": "yes"}, "there is no question '9.9:I'"),
        ({"item": "1.3:I", "answer": "perhaps"}, "must be yes or no. Got 'perhaps' instead"),
    ],
)
def test_answers_to_something_else_are_refused(
    tmp_path: Path, row: dict[str, str], message: str
) -> None:
    path, rows = asked(tmp_path)
    table = tmp_path / "a.tsv"
    with table.open("w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, [*rows[0]], delimiter="\t")
        out.writeheader()
        out.writerow({**rows[0], **row})
    with pytest.raises(InputError, match=message):
        tertium.variation(path, answers=str(table))


CASES = [
    *["a/X b/N c/X", "a/X b/V c/X"],  # N-V: one hard, one wrong
    *["d/X e/N f/X", "d/X e/J f/X", "d/X e/J f/X"],  # J-N: three hard
    *["g/X h/R i/X", "g/X h/P i/X"],  # P-R: none
]


@pytest.fixture
def figure_4(tmp_path: Path) -> Any:
    """Three pairs of labels with answers."""
    path = columns(tmp_path, "cases.tsv", "\n".join(CASES))
    assert main(["variation", str(path), "--questions", str(tmp_path / "q.tsv"), "-q"]) == 0
    with (tmp_path / "q.tsv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    fine = {"1": "NV", "2": "N", "3": "NJ", "4": "NJ", "5": "NJ", "6": "R", "7": "P"}
    right = ["y" if row["tag"] in fine[row["item"][0]] else "n" for row in rows]
    return tertium.variation(path, answers=answered(tmp_path, "a.tsv", rows, "".join(right)))


def test_pairs_are_ordered_by_their_share_of_all_hard_cases(figure_4: Any) -> None:
    pairs = figure_4.to_dict()["answers"]["pairs"]
    assert [("".join(each["labels"]), each["of_hard"], each["share"]) for each in pairs] == [
        ("JN", 0.75, 1.0), ("NV", 0.25, 0.5), ("PR", 0.0, 0.0),
    ]  # fmt: skip
    assert [each["wrong"] for each in pairs] == [0, 1, 0]
    assert [each["settled"] for each in pairs] == [0, 0, 2]


def test_figure_4_is_drawn_in_every_format(figure_4: Any) -> None:
    lines = tertium.render(figure_4, "text", width=60, ascii=True).split("\n")
    assert lines[lines.index("Hard cases by pair of labels") + 1 :][:7] == [
        "J-N   75.00  ###################################",
        "     100.00  " + "." * 47,
        "N-V   25.00  ############",
        "      50.00  " + "." * 24,
        "P-R    0.00",
        "       0.00",
        " " * 13 + "0%" + "100%".rjust(45),
    ]
    for format in ("svg", "html"):
        page = tertium.render(figure_4, format)
        assert "<title>J-N, share of all hard cases: 75.00%</title>" in page
        assert "<title>N-V, share of the pair&#x27;s cases that are hard: 50.00%</title>" in page
    assert "| J-N | 75.00 | 100.00 |" in tertium.render(figure_4, "markdown")
    assert "N-V & 2 & 1 & 0 & 1 \\\\" in tertium.render(figure_4, "latex")


def test_without_answers_there_is_no_figure(tmp_path: Path) -> None:
    path = columns(tmp_path, "off.tsv", OFF)
    with pytest.raises(UsageError, match="have no figure") as caught:
        tertium.render(tertium.variation(path), "svg")
    assert "answers='FILE' reads the answers" in (caught.value.help or "")
    (tmp_path / "a.tsv").write_text("item\tanswer\n1.3:R\tyes\n", "utf-8")
    found = tertium.variation(path, answers=str(tmp_path / "a.tsv"))
    assert "1 of 4 questions answered by 1 annotator" in tertium.render(found, "svg")


def test_nothing_that_is_read_is_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, rows = asked(tmp_path)
    answers = answered(tmp_path, "a.tsv", rows, "yyyy")
    for target in (str(path), answers):
        before = Path(target).read_bytes()
        arguments = ["variation", str(path), "--answers", answers, "--questions", target]
        assert main(arguments) == 2
        assert Path(target).read_bytes() == before
    assert main(["variation", str(path), str(path)]) == 2
    assert "give one corpus. Got 2 instead." in capsys.readouterr().err


def test_json_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = columns(tmp_path, "off.tsv", OFF)
    assert main(["variation", str(path), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["nuclei"], found["items"], found["units"]) == (1, 12, 3)


def test_no_corpus_is_refused() -> None:
    with pytest.raises(UsageError, match="no corpus"):
        tertium.variation(None)


def test_surnames_in_longer_names_are_no_candidates() -> None:
    """Words of a longer span are annotated; what no span has varies."""
    found = tertium.variation(
        [
            {
                "tokens": ["Ines", "Calder", "left", "Rome"],
                "tags": ["B-PER", "I-PER", "O", "B-LOC"],
            },
            {"tokens": ["Calder", "left", "Rome"], "tags": ["B-PER", "O", "O"]},
        ],
        metric="spans.f1",
    )
    assert [each.marked for each in found] == ["Calder left [Rome]"]


def test_indices_of_traces_do_not_vary(tmp_path: Path) -> None:
    trees = tmp_path / "t.mrg"
    trees.write_text(
        "(S (NP-SBJ-1 (NN he)) (VP (VB goes)))\n(S (NP-SBJ-2 (NN he)) (VP (VB goes)))\n"
        "(S (NP-SBJ (NN he)) (VP (VB goes)))\n(S (NP (NN he)) (VP (VB goes)))\n"
    )
    (found,) = tertium.variation(trees)
    assert (found.marked, found.labels) == ("[he] goes", {"NP-SBJ": 3, "NP": 1})


def test_coreference_varies_only_where_its_tags_are_named(samples: Path) -> None:
    path = str(samples / "coref-gold.conll")
    with pytest.raises(LayerError, match="annotation of documents only"):
        tertium.variation(path)
    assert len(tertium.variation(path, metric="tags.accuracy")) == 4
