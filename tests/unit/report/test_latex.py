"""LaTeX tables for papers: captions, labels, comments, digits."""

import re

import pytest

import tertium
from result_samples import result, scores
from tertium.exceptions import UsageError
from tertium.report.render import latex, render
from tertium.results.blocks.tables import Column, Table
from tertium.significance.score.result import Scores


def ranked() -> Scores:
    gold = [["B-X", "B-Y"], ["B-X", "O"], ["O", "B-Y"]] * 10
    systems = (
        [["B-X", "B-Y"], ["B-X", "O"], ["O", "O"]] * 10,
        [["B-X", "B-Y"], ["O", "O"], ["O", "B-X"]] * 10,
        [["B-X", "B-X"], ["O", "O"], ["O", "B-X"]] * 10,
    )
    names = ["a_1.bio", "b&c.bio", "d%.bio"]
    return tertium.score(gold, *systems, names=names, significance=True, trials=100)


def test_a_caption_is_short_and_the_rest_is_in_comments() -> None:
    page = render(ranked(), "latex", sort="f1")
    comments, _, table = page.partition("\n\n")
    assert all(line.startswith("%") for line in comments.split("\n"))
    assert "seed 0" in comments.replace("\n%  ", "")
    assert "% signature: spans.f1|" in comments
    [caption] = re.findall(r"\\caption{(.*)}\\label{tab:scores}", table)
    assert caption.startswith("F1 on gold (30 sentences, 60 tokens). ")
    assert len(caption) < 200
    assert "Systems that share a letter" in caption
    assert table.count(r"\begin{table}") == 1, "letters without the table of tests"


def test_names_are_escaped_and_ranked() -> None:
    page = render(ranked(), "latex", sort="f1")
    rows = re.findall(r"^    (\S+) & .* \\\\$", page, re.MULTILINE)
    assert rows == ["System", r"a\_1", r"b\&c", r"d\%"]
    assert r"\textsuperscript{a}" in page


def test_a_caption_and_a_label_of_ones_own() -> None:
    page = render(ranked(), "latex", caption="F1 of 3 systems, 50% & more", label="tab:ner_1")
    assert "\\caption{F1 of 3 systems, 50\\% \\& more.}\\label{tab:ner_1}\n" in page
    assert "bold" not in page
    missing = scores(result("a"), result("b", value=None, parts={}, shown=()))
    assert "\\textsuperscript{1}~Not in this system's file." in render(
        missing, "latex", caption="x"
    )


def test_further_tables_have_numbers_in_their_labels() -> None:
    page = render(ranked(), "latex", tests=True, label="tab:x")
    assert re.findall(r"\\label{(.*?)}", page) == ["tab:x", "tab:x-2"]


@pytest.mark.parametrize("label", ["a b", "x}", "%", ""])
def test_labels_that_latex_cannot_have_are_refused(label: str) -> None:
    with pytest.raises(UsageError, match="is not a valid LaTeX label"):
        render(ranked(), "latex", label=label)


@pytest.mark.parametrize(("digits", "shown"), [(0, "84"), (1, "84.2"), (3, "84.230")])
def test_digits(digits: int, shown: str) -> None:
    some = scores(result("a"), result("b", value=0.5))
    for format in ("text", "markdown", "latex", "html"):
        assert re.search(rf"\b{re.escape(shown)}\b(?!\.)", render(some, format, digits=digits))
    assert "0.8423" in render(some, "json", digits=digits)
    with pytest.raises(UsageError):
        render(some, "text", digits=-1)


def test_a_wide_table_spans_both_columns_of_a_page() -> None:
    for columns, name in ((8, "table"), (9, "table*")):
        table = Table(tuple(Column(f"c{n}") for n in range(columns)), (("x",) * columns,))
        text = latex.render([table])
        assert text.count(f"{{{name}}}") == 2
