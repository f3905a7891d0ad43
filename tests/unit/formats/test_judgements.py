"""Judgements from tables, matrices and selections."""

import gzip
import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from tertium.exceptions import FormatError, InputError, UsageError
from tertium.formats.judgements import Judgements, read_judgements

ROWS = [("i", "ann", "N"), ("i", "ben", "V"), ("j", "ben", "N")]
TABLE = "item,annotator,label\ni,ann,N\ni,ben,V\nj,ben,N\n"


def rows_of(found: Judgements) -> list[tuple[str, str, str]]:
    columns = (found.item, found.annotator, found.label)
    return [*zip(*(column.to_list() for column in columns), strict=True)]


def write(folder: Path, text: str, name: str = "votes.csv") -> str:
    path = folder / name
    path.write_bytes(text.encode())
    return str(path)


@pytest.mark.parametrize(
    "text",
    [
        TABLE,
        TABLE.replace(",", "\t"),
        TABLE.replace("\n", "\r\n"),
        "\ufeff" + TABLE.rstrip("\n"),
        TABLE.replace(",ann,", ',"ann",'),
        TABLE.replace(",", ";"),
        TABLE.replace(",", ";").replace(";ann;", ';"ann";'),
        TABLE.replace("item,annotator,label", "Item,Annotator,LABEL"),
        "task,worker,response\n" + TABLE.partition("\n")[2],
        "label,item,annotator,x\nN,i,ann,1\nV,i,ben,2\nN,j,ben,3\n",
        "\n".join(
            json.dumps(dict(zip(("item", "annotator", "label"), row, strict=True))) for row in ROWS
        ),
    ],
)
def test_one_table_in_several_layouts(tmp_path: Path, text: str) -> None:
    assert rows_of(read_judgements(write(tmp_path, text))) == ROWS


def test_parquet_frames_and_dictionaries(tmp_path: Path) -> None:
    records = [dict(zip(("item", "annotator", "label"), row, strict=True)) for row in ROWS]
    frame = pl.DataFrame(records)
    frame.write_parquet(tmp_path / "votes.parquet")
    for data in (str(tmp_path / "votes.parquet"), frame, frame.lazy(), records):
        assert rows_of(read_judgements(data)) == ROWS


WIDE = 'id,text,ann,ben\ni,"a, b",N,V\nj,c,,N\n'


def test_a_column_per_annotator(tmp_path: Path) -> None:
    for text in (WIDE, WIDE.replace('"a, b"', "a"), WIDE.replace(",", ";").replace("a; b", "a, b")):
        assert rows_of(read_judgements(write(tmp_path, text), columns="annotator=ann+ben")) == ROWS
    frame = pl.read_csv(WIDE.encode())
    assert rows_of(read_judgements(frame, columns={"annotator": "ann+ben"})) == ROWS
    found = read_judgements(frame, columns={"annotator": "ben+ann", "word": "text"})
    assert rows_of(found) == [("i", "ben", "V"), ("i", "ann", "N"), ("j", "ben", "N")]
    assert found.words is not None
    assert found.words.to_list() == ["a, b", "c"]
    named = read_judgements(write(tmp_path, WIDE), columns="item=text,annotator=ann+ben")
    assert named.item.to_list() == ["a, b", "a, b", "c"]
    numbered = read_judgements(
        write(tmp_path, "a+b,c\nX,Y\n"), columns="annotator=a+b,label=c,item=c"
    )
    assert rows_of(numbered) == [("Y", "X", "Y")], "a column may be called a+b"
    without = read_judgements(write(tmp_path, "ann,ben\nN,V\n,N\n"), columns="annotator=ann+ben")
    assert rows_of(without) == [("1", "ann", "N"), ("1", "ben", "V"), ("2", "ben", "N")]


def test_columns_of_annotators_are_checked(tmp_path: Path) -> None:
    path = write(tmp_path, WIDE)
    with pytest.raises(InputError, match=r"there is no column 'bem'\. Did you mean 'ben'"):
        read_judgements(path, columns="annotator=ann+bem")
    with pytest.raises(UsageError, match="column per annotator has no column of labels"):
        read_judgements(path, columns="annotator=ann+ben,label=text")
    with pytest.raises(UsageError, match="'columns' names the annotator 'ann' twice"):
        read_judgements(path, columns="annotator=ann+ben+ann")
    with pytest.raises(InputError, match="'ann' judges item 'i' again, after line 2"):
        read_judgements(write(tmp_path, WIDE.replace("j,", "i,")), columns="annotator=ann+ben")
    with pytest.raises(InputError, match="there is no column 'annotator'") as raised:
        read_judgements(path)
    assert "if every annotator has a column, columns=" in str(raised.value.help)


def test_compressed_files(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv.gz"
    path.write_bytes(gzip.compress(TABLE.encode()))
    assert rows_of(read_judgements(path)) == ROWS


def test_numbers_keep_their_text() -> None:
    rows: list[dict[str, Any]] = [
        {"item": 1, "annotator": 2.0, "label": True},
        {"item": 1, "annotator": "b", "label": 0.5},
    ]
    assert rows_of(read_judgements(rows)) == [("1", "2", "true"), ("1", "b", "0.5")]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.int64(3), "3"),
        (np.float32(3), "3"),
        (np.bool_(True), "true"),
        (np.str_("N"), "N"),
        (Decimal("1.5"), "1.5"),
        (date(2020, 1, 2), "2020-01-02"),
        (np.array(["N"]), "N"),
        (["N", "V"], '["N", "V"]'),
        (float("nan"), ""),
        (np.float32("nan"), ""),
        (np.datetime64("NaT"), ""),
        (None, ""),
    ],
)
def test_values_of_libraries_are_their_text(value: Any, text: str) -> None:
    rows = [{"item": 1, "annotator": name, "label": label} for name, label in (("a", value), "bN")]
    found = rows_of(read_judgements(rows))
    assert found == [("1", "a", text)] * bool(text) + [("1", "b", "N")]


def test_columns_are_named_by_their_roles(tmp_path: Path) -> None:
    text = "!worker\torig id\tresponse\tgold\nw1\ta b\t1\t2\nw2\ta b\t\t\nw1\tc\t3\t\n"
    columns = "item=orig id,annotator=!worker,label=response"
    found = read_judgements(write(tmp_path, text), columns=columns)
    assert rows_of(found) == [("a b", "w1", "1"), ("c", "w1", "3")]
    assert found.annotator.names.strings == ["w1", "w2"]  # also who judged nothing
    assert found.gold is not None
    assert found.gold.to_list() == ["2", ""]


def test_quoted_fields_hold_commas_and_line_breaks(tmp_path: Path) -> None:
    text = 'item,annotator,label\n"a, b",ann,"N ""x"""\n"c\nd",ann,V\n'
    found = read_judgements(write(tmp_path, text))
    assert rows_of(found) == [("a, b", "ann", 'N "x"'), ("c\nd", "ann", "V")]


def test_words_and_sentences(tmp_path: Path) -> None:
    text = "item,sentence,word,annotator,label\n"
    text += "1,s,I,a,PRON\n3,t,go,a,VERB\n2,s,run,a,VERB\n1,s,I,b,NOUN\n"
    found = read_judgements(write(tmp_path, text))
    assert found.words is not None
    assert found.sentence is not None
    assert found.item.names.strings == ["1", "2", "3"]  # sentences in one piece
    assert found.words.to_list() == ["I", "run", "go"]
    assert found.sentence.to_list() == ["s", "s", "t"]
    assert rows_of(found)[1] == ("3", "a", "VERB")


def test_the_matrix_of_mace(tmp_path: Path) -> None:
    found = read_judgements(write(tmp_path, "N,,V\nN,N,\n\n,V,N"))
    assert rows_of(found) == [
        *[("1", "1", "N"), ("1", "3", "V"), ("2", "1", "N")],
        *[("2", "2", "N"), ("4", "2", "V"), ("4", "3", "N")],
    ]
    assert found.item.names.strings == ["1", "2", "3", "4"]  # the blank line is an item
    assert found.sentence is not None
    assert found.sentence.codes.tolist() == [0, 0, 1, 1]


SELECTIONS = (
    "#key\ttype\tworker\tselected\ttokens\n"
    '7\tloc\ta\t0 1\t["New", "York", "is"]\n'
    '7\tloc\tb\t\t["New", "York", "is"]\n'
    '8\tper\tb\t0\t["Ann"]\n'
)


def test_selections_are_votes_on_tokens(tmp_path: Path) -> None:
    found = read_judgements(write(tmp_path, SELECTIONS, "selections.tsv"))
    assert rows_of(found) == [
        *[("7:0", "a", "loc"), ("7:1", "a", "loc"), ("7:2", "a", "O")],
        *[("7:0", "b", "O"), ("7:1", "b", "O"), ("7:2", "b", "O")],
        ("8:0", "b", "per"),
    ]
    assert found.words is not None
    assert found.sentence is not None
    assert found.words.to_list() == ["New", "York", "is", "Ann"]
    assert found.sentence.to_list() == ["7", "7", "7", "8"]
    assert found.joins
    names = "task=#key,asked=type,annotator=worker,chosen=selected,tokens=tokens"
    path = write(tmp_path, SELECTIONS)
    assert rows_of(read_judgements(path, columns=names)) == rows_of(found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,annotator,label\ni,a,N\ni,a\n", r":3: 2 columns, expected 3"),
        ('item,annotator,label\ni,a,"N\n', r":2: not CSV"),
        ('item,annotator,label\ni,"a",N\ni,b\n', r":3: 2 columns, expected 3"),
        (
            "item,annotator,label\ni,a,N\nj,a,N\ni,a,V\n",
            r":4: 'a' judges item 'i' again, after line 2",
        ),
        ("item,annotator,label\n,a,N\n", r":2: the item is empty"),
        ("item,annotator,label\n", r"no judgement in the file"),
        ("item,annotator,label,label\ni,a,N,V\n", r":1: two columns are named 'label'"),
        ('item,annotator,label,label\ni,a,N,"V"\n', r":1: two columns are named 'label'"),
        (
            "item,annotator,label,gold\ni,a,N,N\ni,b,N,V\n",
            r":3: item 'i' has the gold 'V', in an earlier line 'N'",
        ),
        ("x\ty\tz\n1\t2\t3\n", r":1: not a table of judgements: none of its columns"),
        ("x,y\na,b\nb,a\n", r":1: the first line looks like names of columns"),
        ("item,annotator,\ni,a,N\nj,a,N\n", r":1: the first line looks like names of columns"),
        (",,\n,,\n", r"no judgement in the file"),
        ('{"item": 1, "item": 2}\n', r":1: not JSON: a key occurs twice"),
        ("N,V\nN\n", r":2: 1 annotators, expected 2 as in line 1"),
        ('{"item": 1}\n[1]\n', r":2: not a JSON object"),
        ('{"item": 1\n', r":1: not JSON"),
        ("\n \n", r"the file is empty"),
        (
            SELECTIONS.replace("\t0 1\t", "\t0 3\t"),
            r":2: token 3 was chosen, but the last one is 2",
        ),
        (SELECTIONS.replace("\t0 1\t", "\tx\t"), r":2: expected token numbers separated by spaces"),
        (
            SELECTIONS.replace('loc\tb\t\t["New"', 'loc\tb\t\t["Old"'),
            r":3: item '7' has the",
        ),
        (SELECTIONS.replace("loc\tb", "loc\ta"), r":3: 'a' judges item '7' again, after line 2"),
        (SELECTIONS.replace('["Ann"]', "Ann"), r":4: the tokens are not a JSON list"),
        (
            't1\tPER\ta\t0\t["A",""]\nt2\tPER\ta\t0\t["A"]\n',
            r":1: the tokens are not a JSON list",
        ),
        (SELECTIONS.replace('["Ann"]', r'["\ud800"]'), r":4: the tokens are not a JSON list"),
        ('\tPER\ta\t0\t["A"]\n', r":1: the task is empty"),
        ('t1\t\ta\t0\t["A"]\n', r":1: the label is empty"),
        ('t1\tPER\t\t0\t["A"]\n', r":1: the annotator is empty"),
    ],
)
def test_what_is_malformed_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(FormatError, match=message) as caught:
        read_judgements(path)
    assert caught.value.exit_code == 3
    assert path in str(caught.value)


def test_half_a_surrogate_pair_is_no_label(tmp_path: Path) -> None:
    row = {"item": "1", "annotator": "a", "label": "\ud800"}
    for data in ([row], write(tmp_path, json.dumps(row), "votes.jsonl")):
        with pytest.raises(InputError, match="the column 'label' holds half a surrogate pair"):
            read_judgements(data)


def test_a_matrix_of_numbers_has_no_header(tmp_path: Path) -> None:
    assert len(read_judgements(write(tmp_path, "1.5,2.5\n3.5,4.5\n")).label) == 4


def test_json_lines_by_their_name(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=":1: not JSON"):
        read_judgements(write(tmp_path, "x\n", "votes.jsonl"))
    row = '\n{"item": "i", "annotator": "ann", "label": ["N"]}\n'
    assert rows_of(read_judgements(write(tmp_path, row, "votes.jsonl"))) == ROWS[:1]


def test_roles_are_checked(tmp_path: Path) -> None:
    path = write(tmp_path, TABLE)
    with pytest.raises(UsageError, match=r"has no role 'labl'\. Did you mean 'label'"):
        read_judgements(path, columns="labl=label")
    with pytest.raises(UsageError, match="must be ROLE=NAME"):
        read_judgements(path, columns="label")
    with pytest.raises(FormatError, match=r"there is no column 'lable'\. Did you mean 'label'"):
        read_judgements(path, columns="label=lable")
    with pytest.raises(UsageError, match="cannot read judgements from int"):
        read_judgements(7)
    broken = tmp_path / "x.parquet"
    broken.write_bytes(b"PAR1 and no more")
    with pytest.raises(InputError, match="is not a whole Parquet file"):
        read_judgements(broken)


def test_quoted_cells_of_any_length(tmp_path: Path) -> None:
    long = "x" * 1_000_000
    found = read_judgements(write(tmp_path, f'item,annotator,label\ni,a,"{long}"\n'))
    assert rows_of(found) == [("i", "a", long)]


@pytest.mark.parametrize(
    "text",
    [
        "item,1,2\ns1,A,B\ns2,A,A\n",  # annotators that are called 1 and 2
        "item,annotator,category\n1,ann,item\n1,ben,Y\n",  # a name that is also a cell
        "item,item,label\n1,a,X\n1,b,X\n",  # a name twice
    ],
)
def test_headers_are_no_votes(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.csv").write_text(text, "utf-8")
    with pytest.raises(FormatError, match="looks like names of columns"):
        read_judgements(str(tmp_path / "t.csv"))


def test_a_matrix_may_have_labels_that_are_names_of_columns(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("VERB,id\nVERB,id\nid,id\n", "utf-8")
    assert len(read_judgements(str(tmp_path / "m.csv")).item.names) == 3


def test_labels_that_are_usual_names_of_columns_are_votes(tmp_path: Path) -> None:
    """Dialogue acts, for example."""
    rows = ["answer,answer,question", "question,answer,answer", "answer,,question"]
    (tmp_path / "m.csv").write_text("\n".join(rows) + "\n", "utf-8")
    assert len(read_judgements(str(tmp_path / "m.csv")).label) == 8


def test_every_item_has_a_sentence_or_none_has(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("item,annotator,label,sentence\n1,a,X,s1\n2,a,X,\n", "utf-8")
    with pytest.raises(FormatError, match="item '2' has no sentence"):
        read_judgements(str(tmp_path / "t.csv"))
