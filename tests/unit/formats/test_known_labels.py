"""Files beside judgements: known labels and dictionaries."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tertium.corpus.labels import Names
from tertium.exceptions import InputError, UsageError
from tertium.formats.known_labels import load_dictionary, read_known_labels


def write(folder: Path, text: str) -> str:
    path = folder / "known.txt"
    path.write_text(text, "utf-8")
    return str(path)


@pytest.mark.parametrize("first", ["N", ",", ";", "{", ""])
def test_a_label_per_line(tmp_path: Path, first: str) -> None:
    found = read_known_labels(write(tmp_path, f"{first}\nV\n"), Names.of(["1", "2"]))
    assert found.labels.to_list() == [first, "V"]


@pytest.mark.parametrize(
    "text",
    ["item,label\n2,V\n", "item;gold\n2;V\n", "item\tlabel\n2\tV\n", '{"item":2,"gold":"V"}'],
)
def test_a_table_of_known_labels(tmp_path: Path, text: str) -> None:
    found = read_known_labels(write(tmp_path, text), Names.of(["1", "2"]))
    assert found.labels.to_list() == ["", "V"]


def test_labels_as_a_list() -> None:
    found = read_known_labels(["N", None], Names.of(["1", "2"]))
    assert found.labels.to_list() == ["N", ""]
    with pytest.raises(InputError, match="the list of labels has 1 line for 2 items"):
        read_known_labels(["N"], Names.of(["1", "2"]))


def test_a_dictionary_as_such() -> None:
    found = load_dictionary({"I": ["PRON", "VERB"], ",": "PUNCT"})
    assert (found.of("I"), found.of(",")) == ({"PRON", "VERB"}, {"PUNCT"})


@pytest.mark.parametrize(
    "text", ["I\tPRON VERB\n", "I PRON VERB\n", "I,PRON\nI,VERB\n", '"I","PRON"\n"I","VERB"\n']
)
def test_layouts_of_dictionaries(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text + '# a comment\n",",PUNCT\n')
    found = load_dictionary(path)
    assert found.of("I") == {"PRON", "VERB"}
    assert found.of(",") == {"PUNCT"}


def test_dictionaries_need_a_word_and_a_tag(tmp_path: Path) -> None:
    for text in ("I\n", "I\t\n", "\tPRON\n", '",PUNCT\n'):
        with pytest.raises(InputError, match=r"known\.txt:1: expected a word and a tag"):
            load_dictionary(write(tmp_path, text))
    with pytest.raises(InputError, match="has no words"):
        load_dictionary(write(tmp_path, "\n"))


def test_a_first_label_with_a_comma_is_no_header(tmp_path: Path) -> None:
    found = read_known_labels(write(tmp_path, "NN,JJ\nV\n"), Names.of(["1", "2"]))
    assert found.labels.to_list() == ["NN,JJ", "V"]


def test_parquet_is_a_table(tmp_path: Path) -> None:
    path = tmp_path / "known.parquet"
    pl.DataFrame({"item": ["2", "1"], "gold": ["V", "N"]}).write_parquet(path)
    assert read_known_labels(str(path), Names.of(["1", "2"])).labels.to_list() == ["N", "V"]


@pytest.mark.parametrize(
    ("line", "word", "tags"),
    [
        ("run, X", "run", {"X"}),
        ("New York,Y", "New York", {"Y"}),
        ('"New York","Y"', "New York", {"Y"}),
        (", PUNCT", ",", {"PUNCT"}),
        ("1,000 NUM", "1,000", {"NUM"}),
        ("u PRON NOUN", "u", {"PRON", "NOUN"}),
    ],
)
def test_lines_of_a_dictionary(tmp_path: Path, line: str, word: str, tags: set[str]) -> None:
    assert load_dictionary(write(tmp_path, line + "\n")).tags == {word: tags}


def test_a_word_without_a_tag_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a word and a tag"):
        load_dictionary(write(tmp_path, "run,\n"))
    for value in (3, True, {"a": 1}):
        with pytest.raises(UsageError, match="from words to tags"):
            load_dictionary(value)


def test_a_table_without_names_of_columns_is_no_list(tmp_path: Path) -> None:
    for text in ("1,N\n2,V\n", "name;gold\n1;N\n2;V\n"):
        with pytest.raises(InputError, match="there is no column 'item'"):
            read_known_labels(write(tmp_path, text), Names.of(["1", "2"]))


def test_tags_with_commas(tmp_path: Path) -> None:
    """Of a file that is not CSV in all its lines."""
    found = load_dictionary(write(tmp_path, "dogs N,pl\ncat N\n"))
    assert found.tags == {"dogs": {"N,pl"}, "cat": {"N"}}


def test_quotes_and_long_lines_of_a_dictionary_stay_in_their_line(tmp_path: Path) -> None:
    found = load_dictionary(write(tmp_path, '" PUNCT\ncat N\n"dog" N\n'))
    assert found.tags == {'"': {"PUNCT"}, "cat": {"N"}, '"dog"': {"N"}}
    with pytest.raises(InputError, match="expected a word and a tag"):
        load_dictionary(write(tmp_path, "x" * 200_000 + "\n"))
