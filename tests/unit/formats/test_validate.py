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


WORD = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
TERMINALS = '<terminals>\n<t id="1" word="a" pos="X"/></terminals>'


@pytest.mark.parametrize(
    ("name", "first", "second", "line"),
    [
        ("a.export", "#BOS 12\na X -- -- 0\n#EOS 12\n", "#BOS 7\na X -- -- 0\n#EOS 7\n", 8),
        (
            "a.xml",
            f'<s id="12"><graph>{TERMINALS}</graph></s>\n',
            f'<s id="7"><graph>{TERMINALS}</graph></s>\n',
            7,
        ),
        ("a.conllu", f"# sent_id = 12\n{WORD}\n", f"# sent_id = 7\n{WORD}\n", 8),
    ],
)
def test_ids_that_occur_twice_are_noted(
    tmp_path: Path, name: str, first: str, second: str, line: int
) -> None:
    path = tmp_path / name
    ends = ("<corpus>\n", "</corpus>\n") if name == "a.xml" else ("", "")
    path.write_text(first.join(["", second, ""]).join(ends))
    (found,) = check_file(str(path)).problems
    assert (found.line, found.sentence, found.kind, found.severity) == (line, "12", "id", "note")
    assert found.message == "an earlier sentence has the same id"
    path.write_text((first * 30).join(ends))
    notes = [p.message for p in check_file(str(path)).problems]
    assert len(notes) == 21
    assert notes[20] == "9 more such places from here on: an earlier sentence has the same id"


def test_sentences_without_ids_have_none_in_common(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(f"{WORD}\n# sent_id = 1\n{WORD}\n{WORD}\n")
    assert check_file(str(path)).problems == ()


@pytest.mark.parametrize(
    ("name", "text", "format"),
    [
        ("a.xml", "<corpus><body></body></corpus>", "tigerxml"),
        ("a.export", "#FORMAT 3\n", "export"),
        ("a.conllu", "# only this\n", "conllu"),
    ],
)
def test_files_without_sentences(tmp_path: Path, name: str, text: str, format: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    (error,) = check_file(str(path)).errors
    assert (error.message, error.line) == (f"no sentence in the file, read as {format}", 0)


def test_mentions_that_stand_twice_are_notes(tmp_path: Path) -> None:
    path = tmp_path / "a.key"
    rows = ["(1|(1", "1)|1)", "(2)|(3)|(3)|(3)", "(1)", "-"]
    lines = ["#begin document (x);", *(f"x\t0\t{i}\tw\t{c}" for i, c in enumerate(rows))]
    path.write_text("\n".join([*lines, "#end document", ""]))
    (found,) = validate(path).files
    assert not found.errors
    assert [(p.line, p.message, p.kind) for p in found.notes] == [
        (2, "the mention over tokens 1 to 2 of document 'x' is twice in chain 1", "duplicate"),
        (4, "the mention over token 3 of document 'x' is 3 times in chain 3", "duplicate"),
        (4, "the mention over token 3 of document 'x' is in chains 2 and 3", "duplicate"),
    ]


def test_many_mentions_that_stand_twice_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.key"
    path.write_text("#begin document (x);\n" + "x\t(1)|(1)\n" * 50)
    (found,) = validate(path).files
    assert len(found.notes) == 21
    assert found.notes[-1].message.startswith("30 more such mentions from here on: ")
