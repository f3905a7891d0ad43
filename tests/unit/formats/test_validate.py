"""What `validate` finds beyond the rules of a format: tags that cannot be spans, odd spans."""

from pathlib import Path

import pytest

from tertium.formats.validate import check_file, validate


def check(tmp_path: Path, text: str) -> list[tuple[int, str, str]]:
    path = tmp_path / "file.tsv"
    path.write_text(text)
    return [(p.line, p.severity, p.message) for p in check_file(str(path)).problems]


def test_untyped_tags_among_span_tags_are_errors(tmp_path: Path) -> None:
    found = check(tmp_path, "a\tB-X\nb\tB\n\nc\tNOUN\nd\tO\n\n")
    assert found == [
        (2, "error", "tag 'B' in column 'tag' is neither O nor PREFIX-TYPE"),
        (4, "error", "tag 'NOUN' in column 'tag' is neither O nor PREFIX-TYPE"),
    ]


@pytest.mark.parametrize("text", ["a\tB-X\nb\tI-X\nc\tO\n\n", "a\tNOUN\nb\tVERB\n\n"])
def test_regular_files_have_no_problems(tmp_path: Path, text: str) -> None:
    assert check(tmp_path, text) == []


def test_irregular_spans_are_noted_with_the_first(tmp_path: Path) -> None:
    found = check(tmp_path, "a\tB-X\nb\tO\nc\tI-X\n\nd\tI-X\ne\tO\n\n")
    message = "2 spans of column 'tag' are irregular under iob2, the first of them here"
    assert found == [(3, "note", message)]


def test_lemmas_that_look_like_tags_are_lemmas(tmp_path: Path) -> None:
    row = "{}\t{}\t{}\tX\t_\t_\t{}\tdep\t_\t_\n"
    lemmas = ("O", "B-52", "fly")
    path = tmp_path / "file.conllu"
    path.write_text("".join(row.format(i, x, x, i - 1) for i, x in enumerate(lemmas, 1)) + "\n")
    assert check_file(str(path)).problems == ()


def test_real_treebank(shared: Path) -> None:
    for name in ("ewt/answers-test", "gum/dep/GUM_interview_libertarian"):
        assert check_file(str(shared / "data" / f"{name}.conllu")).problems == ()


def test_real_output(shared: Path) -> None:
    path = shared / "data" / "wnut17-ner" / "submissions" / "mic-cis.txt"
    messages = [p.message for p in check_file(str(path)).problems]
    assert any(m.startswith("13 spans of column 'tag' are irregular") for m in messages)


def test_problems_as_a_frame(tmp_path: Path) -> None:
    good, bad = tmp_path / "a.conllu", tmp_path / "b.conllu"
    good.write_text("1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    bad.write_text("1\ta\t_\tX\t_\t_\t7\troot\t_\t_\n\n")
    frame = validate(str(good), str(bad)).to_frame()
    assert frame["file"].to_list() == [str(good), str(bad)]
    assert frame["line"].to_list() == [None, 1]
    assert frame["severity"].to_list() == [None, "error"]


def test_a_file_that_cannot_be_opened_is_named_once(tmp_path: Path) -> None:
    path = tmp_path / "a.bio.gz"
    path.write_bytes(b"\x1f\x8b\x08")
    (found,) = validate(path).files
    assert found.errors[0].message.startswith("the compressed file is cut off")
    assert found.errors[0].message.endswith("; fetch or write it again")


def test_many_problems_are_grouped_by_kind(tmp_path: Path) -> None:
    path = tmp_path / "bad.conllu"
    word = "1\tw\t_\tN\t_\t_\t{}\troot\t_\t_\n\n"
    path.write_text(word.format(9) * 40 + "1\tw\n\n" * 3, "utf-8")
    found = validate(path)
    text = str(found)
    assert text.startswith(f"{path}: 43 errors.\n")
    assert text.index("errors of kind 'head': 40\n") < text.index("errors of kind 'format': 3\n")
    assert text.count("HEAD is 9") == 10
    assert text.count("2 columns") == 3
    assert "... and 30 more; '--all' lists all\n" in text
    every = str(validate(path, all=True))
    assert every.count("HEAD is 9") == 40
    assert "of kind" not in every
    assert len(found.to_rows()) == 43
