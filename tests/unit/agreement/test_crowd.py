"""`tertium crowd`: input, dictionary, gold, controls, what is written, what is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import tertium
from tertium.cli.main import main
from tertium.exceptions import AlignmentError, InputError, LayerError, UsageError

# Figure 1 of Hovy, Plank and Søgaard (2014).
FIGURE = {
    "@USER": ("NOUN NOUN X NOUN - NOUN", "NOUN"),
    ":": (". . - . . .", "X"),
    "I": ("PRON NOUN PRON NOUN PRON -", "PRON"),
    "owe": ("VERB VERB - VERB VERB VERB", "VERB"),
    "U": ("PRON X - NOUN NOUN PRON", "PRON"),
}
DICTIONARY = "i\tPRON\nowe\tVERB\nu\tPRON NOUN\n@USER\tNUM\n"


@pytest.fixture
def figure(tmp_path: Path) -> Path:
    rows = ["item,sentence,word,annotator,label,gold"]
    for number, (word, (votes, gold)) in enumerate(FIGURE.items(), 1):
        for annotator, label in enumerate(votes.split(), 1):
            rows.append(f"{number},s1,{word},{annotator},{label.replace('-', '')},{gold}")
    path = tmp_path / "figure.csv"
    path.write_text("\n".join(rows) + "\n", "utf-8")
    (tmp_path / "dictionary.tsv").write_text(DICTIONARY, "utf-8")
    return path


def test_the_figure_of_the_paper(figure: Path) -> None:
    plain = tertium.crowd(figure, method="majority")
    assert plain.labels.to_list()[:4] == ["NOUN", ".", "PRON", "VERB"]
    assert plain.accuracy == pytest.approx((3 + 0.5) / 5)  # a tie of NOUN and PRON for U
    assert plain.data.oracle == {
        "accuracy": 0.8, "items": 5, "lost": [{"gold": "X", "ballot": ". (5)", "count": 1}]
    }  # fmt: skip
    dictionary = str(figure.with_name("dictionary.tsv"))
    both = tertium.crowd(figure, method="all", dictionary=dictionary)
    assert [(row["method"], row["dictionary"]) for row in both.methods] == [
        (method, filtered)
        for filtered in (False, True)
        for method in ("majority", "dawid-skene", "mace-em", "mace")
    ]
    votes = both.votes
    kept = {both.data.words[int(i)]: n for i, n in enumerate(np.diff(votes.start))}  # type: ignore[index]
    assert kept == {"@USER": 5, ":": 5, "I": 3, "owe": 5, "U": 4}  # nothing licensed: all stay
    assert both.labels.to_list() == ["NOUN", ".", "PRON", "VERB", "PRON"]
    assert both.accuracy == 0.8


def test_a_dictionary_needs_words() -> None:
    rows = [{"item": 1, "annotator": "a", "label": "N"}]
    with pytest.raises(UsageError, match="has no words to look up"):
        tertium.crowd(rows, dictionary=tertium_dictionary())


def tertium_dictionary() -> Any:
    from tertium.formats.known_labels import TagDictionary

    return TagDictionary("d", "", {"x": frozenset("N")})


def test_files_of_annotators(samples: Path, tmp_path: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("arbor", "breeze", "cedar")]
    gold, metric = samples / "gold.conllu", "tags.accuracy"
    found = tertium.crowd(*files, gold=gold, metric=metric, write=str(tmp_path / "x.conllu"))
    assert {*found.competence} == {"arbor.conllu", "breeze.conllu", "cedar.conllu"}
    values = [*found.competence.values()]
    assert values == sorted(values, reverse=True), "the most competent first"
    scored = tertium.score(samples / "gold.conllu", tmp_path / "x.conllu", metric="tags.accuracy")
    assert scored["tags.accuracy"].value == pytest.approx(found.accuracy)
    single = tertium.score(samples / "gold.conllu", files[0], metric="tags.accuracy")
    accuracy = {row["annotator"]: row["accuracy"] for row in found.annotators}
    assert accuracy["arbor.conllu"] == pytest.approx(single["tags.accuracy"].value)
    other = tertium.crowd(*files, metric="tags.accuracy(column='xpos')")
    assert "NN" in other.labels.used_names()
    with pytest.raises(LayerError, match="no layer 'nope'"):
        tertium.crowd(*files, metric="tags.accuracy(column='nope')")


def test_tags_of_spans_are_made_legal(tmp_path: Path) -> None:
    tags = ("B-X I-X O", "O I-X O", "O I-X O")
    files = []
    for name, line in zip("abc", tags, strict=True):
        path = tmp_path / f"{name}.bio"
        path.write_text("".join(f"w{n}\t{t}\n" for n, t in enumerate(line.split())) + "\n")
        files.append(path)
    found = tertium.crowd(*files, method="majority", write=str(tmp_path / "all.bio"))
    assert found.labels.to_list() == ["O", "B-X", "O"]
    assert "1 tag was changed to make spans legal" in found.notes
    assert (tmp_path / "all.bio").read_text() == "w0\tO\nw1\tB-X\nw2\tO\n\n"


def test_tables_of_labels(figure: Path, tmp_path: Path) -> None:
    found = tertium.crowd(figure)
    for ending, read in (
        (".csv", pl.read_csv),
        (".jsonl", pl.read_ndjson),
        (".parquet", pl.read_parquet),
    ):
        found.write(tmp_path / f"x{ending}")
        frame = read(tmp_path / f"x{ending}")
        assert frame["label"].to_list() == found.labels.to_list()
        assert {"item", "word", "confidence", "entropy", "gold"} <= {*frame.columns}
    found.write(tmp_path / "x.tsv")
    assert (tmp_path / "x.tsv").read_text().startswith("@USER\tNOUN\n")
    assert found.to_frame("items").equals(found.to_frame())
    assert found.to_frame("annotators").height == 6


def test_labels_without_words_are_a_table(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("N,N\n\nV,V\n")
    found = tertium.crowd(tmp_path / "m.csv")
    assert found.labels.to_list() == ["N", "_", "V"]
    found.write(tmp_path / "x.tsv")
    assert pl.read_csv(tmp_path / "x.tsv", separator="\t")["label"].to_list() == ["N", None, "V"]
    with pytest.raises(UsageError, match="has no words"):
        found.write(tmp_path / "x.conllu")


@pytest.mark.parametrize("words", [True, False])
def test_spans_of_a_table_end_with_their_sentence(words: bool) -> None:
    tags = {"s1": ["O", "B-X"], "s2": ["I-X", "I-X"]}
    rows = [
        {"item": f"{sentence}:{n}", "annotator": "ann", "label": tag, "sentence": sentence}
        for sentence, labels in tags.items()
        for n, tag in enumerate(labels)
    ]
    rows = [{**row, "word": "w"} for row in rows] if words else rows
    found = tertium.crowd(rows, method="majority")
    assert found.labels.to_list() == ["O", "B-X", "B-X", "I-X"]
    assert "1 tag was changed to make spans legal" in found.notes


def test_gold_and_controls(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("N,N,V\nV,N,V\n\nN,V,V\n")
    (tmp_path / "key").write_text("N\nV\n\nN\n")
    (tmp_path / "gold.csv").write_text("item,gold\n4,N\n1,N\n9,V\n")
    found = tertium.crowd(tmp_path / "m.csv", gold=str(tmp_path / "key"), method="majority")
    assert found.accuracy == pytest.approx(2 / 3)
    table = tertium.crowd(tmp_path / "m.csv", gold=str(tmp_path / "gold.csv"), method="majority")
    assert table.accuracy == 0.5
    assert "gold.csv has 1 item that nobody judged" in table.notes
    (tmp_path / "controls").write_text("\n\n\nQ\n")
    known = tertium.crowd(tmp_path / "m.csv", controls=str(tmp_path / "controls"))
    assert known.labels.to_list()[3] == "Q"
    told = "no annotator gave the label of 1 control item (the first is 'Q' of item '4')"
    assert told in known.notes
    with pytest.raises(UsageError, match="majority' does not use control items"):
        tertium.crowd(tmp_path / "m.csv", controls=str(tmp_path / "controls"), method="majority")
    (tmp_path / "short").write_text("N\n")
    with pytest.raises(InputError, match="1 line for 4 items"):
        tertium.crowd(tmp_path / "m.csv", gold=str(tmp_path / "short"))
    (tmp_path / "other.csv").write_text("item,gold\nx,N\n")
    with pytest.raises(InputError, match="no item that was judged"):
        tertium.crowd(tmp_path / "m.csv", gold=str(tmp_path / "other.csv"))


def test_the_threshold(figure: Path) -> None:
    found = tertium.crowd(figure, threshold=0.4)
    assert 0 < (found.methods[-1]["coverage"] or 0) < 1
    assert "_" in found.labels.to_list()
    assert "threshold:0.4" in found.signature


def test_ties_at_random(figure: Path) -> None:
    found = tertium.crowd(figure, method="majority", ties="random", seed=3)
    assert (
        found.accuracy == tertium.crowd(figure, method="majority", ties="random", seed=3).accuracy
    )
    assert found.accuracy == pytest.approx(0.7, abs=0.05)
    assert found.accuracy != found.methods[-1]["output_accuracy"]


def test_white_space_around_cells_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("item, annotator, label\n1, a, N\n1, b, N \n2,a,\n2,b,  \n")
    found = tertium.crowd(tmp_path / "v.csv", method="majority")
    assert (found.competence, found.data.votes.labels.strings) == ({"a": 1.0, "b": 1.0}, ["N"])
    (tmp_path / "m.csv").write_text("N ,V, N\nV,  ,V\n")
    found = tertium.crowd(tmp_path / "m.csv", method="majority")
    assert [found.data.votes.ballot(row) for row in (0, 1)] == ["N (2), V (1)", "V (2)"]


def test_a_label_that_looks_like_none_is_one(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("item,annotator,label\n1,a,_\n1,b,_\n1,c,N\n2,a,N\n2,b,N\n")
    found = tertium.crowd(tmp_path / "v.csv", method="majority")
    assert [row["label"] for row in found.item_rows()] == ["_", "N"]


def test_equal_restarts_do_not_depend_on_the_order_of_rows() -> None:
    """What rounding leaves of equal likelihoods does not choose the restart."""
    rows = "1aN 1bN 2bN 2cN 3aN 3cN 4aN 4bN 4cN".split()
    one, other = (
        tertium.crowd(votes_of(" ".join(each)), method="mace-em").competence
        for each in (rows, rows[::-1])
    )
    assert one == pytest.approx(other, abs=1e-9)


def test_odd_votes_are_named(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("item,annotator,label\n1,a,N\n1,b,N\n2,c,N\n3,d,\n")
    found = tertium.crowd(tmp_path / "v.csv")
    assert [*found.notes] == [
        "the competence of c is unreliable: no items in common with other annotators",
        "the competence of d is unreliable: no votes",
        "every vote is 'N'",
    ]
    (tmp_path / "w.csv").write_text("item,annotator,label\n1,a,N\n2,b,V\n")
    assert "every item has a single vote" in " ".join(tertium.crowd(tmp_path / "w.csv").notes)


def test_pseudonyms(figure: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figure.write_text(figure.read_text().replace(",s1,", ",s1,").replace(",1,", ",Ann Smith,"))
    for format in ("text", "json", "csv"):
        assert main(["crowd", str(figure), "--pseudonyms", "--format", format]) == 0
        done = capsys.readouterr()
        assert "Ann Smith" not in done.out + done.err
    assert main(["crowd", str(figure)]) == 0
    assert "Ann Smith" in capsys.readouterr().out


def test_pseudonyms_of_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where notes and titles name a file."""
    (tmp_path / "smith.tsv").write_text("the\tD\tx\ncat\tN\tx\n\na\tD\ty\n\n", "utf-8")
    (tmp_path / "miller.tsv").write_text("the\tD\tx\ncat\tV\tx\n\n", "utf-8")
    files = [str(tmp_path / "smith.tsv"), f"miller={tmp_path / 'miller.tsv'}"]
    columns = ["--columns", "form=0,upos=1,xpos=2", "--pseudonyms", "--metric", "tags.accuracy"]
    for format in ("text", "json", "csv", "html", "latex"):
        assert main(["crowd", *files, *columns, "--format", format]) == 0
        done = capsys.readouterr()
        assert "smith" not in done.out + done.err
        assert "miller" not in done.out + done.err
        if format == "text":
            assert "'A2' has 1 of 2 sentences" in done.out
            assert "copied unchanged from A1: xpos" in done.out


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "csv"])
def test_every_format(figure: Path, format: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crowd", str(figure), "--method", "all", "--format", format]) == 0
    assert "dawid-skene" in capsys.readouterr().out


def test_json_has_what_the_contract_says(figure: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crowd", str(figure), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"method", "accuracy", "coverage", "log_likelihood", "competence", "items"} <= {*found}
    assert (found["method"], found["items"], len(found["competence"])) == ("mace", 5, 6)


def test_what_is_refused(figure: Path, samples: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.tsv"
    other.write_text("another\tDET\ntext\tNOUN\n", encoding="utf-8")
    with pytest.raises(UsageError, match="give a table of judgements"):
        tertium.crowd()
    with pytest.raises(UsageError, match="alpha must be above 0"):
        tertium.crowd(figure, alpha=0.0)
    with pytest.raises(UsageError, match="needs a file to write"):
        tertium.crowd(figure, to="conllu")
    with pytest.raises(UsageError, match="two annotators are named"):
        tertium.crowd(f"x={samples / 'arbor.conllu'}", f"x={samples / 'breeze.conllu'}")
    with pytest.raises(AlignmentError, match="different texts"):
        tertium.crowd(samples / "upos-ann1.tsv", other)
    (tmp_path / "none.csv").write_text("item,annotator,label\n1,a,\n")
    with pytest.raises(InputError, match="has no votes"):
        tertium.crowd(tmp_path / "none.csv")
    (tmp_path / "bad.tsv").write_text("word\n")
    with pytest.raises(InputError, match=r"bad.tsv:1: expected a word and a tag"):
        tertium.crowd(figure, dictionary=str(tmp_path / "bad.tsv"))


def test_nothing_that_is_read_is_overwritten(
    figure: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    votes, key = tmp_path / "votes.csv", tmp_path / "key.txt"
    votes.write_bytes(figure.read_bytes())
    key.write_text("NOUN\nVERB\nPRON\nX\nPRON\n", encoding="utf-8")
    for options in (
        ["--write", str(votes)],
        ["--output", str(votes)],
        ["--controls", str(key), "--output", str(key)],
        ["--gold", str(key), "--write", str(key)],
        ["--write", str(tmp_path / "x.csv"), "--output", str(tmp_path / "x.csv")],
    ):
        assert main(["crowd", str(votes), *options]) == 2
        assert "would" in capsys.readouterr().err
    assert votes.read_bytes() == figure.read_bytes()


def test_a_format_must_hold_what_was_voted_on(tmp_path: Path, samples: Path) -> None:
    tags = [samples / f"upos-ann{n}.tsv" for n in (1, 2, 3)]
    with pytest.raises(InputError, match="'conllu' cannot hold 'tag'"):
        tertium.crowd(*tags, write=str(tmp_path / "x.conllu"))
    assert not (tmp_path / "x.conllu").exists()
    trees = [samples / f"{name}.conllu" for name in ("arbor", "breeze", "cedar")]
    with pytest.raises(InputError, match="'columns' cannot hold 'deps'"):
        tertium.crowd(*trees, write=str(tmp_path / "x.bio"))
    found = tertium.crowd(
        *trees, metric="tags.accuracy(column=upos)", write=str(tmp_path / "x.bio")
    )
    assert found.lost[0] == "847 dependency arcs"
    assert "the written format cannot hold 847 dependency arcs" in found.notices(found.look())[0]
    assert not tertium.crowd(*trees, write=str(tmp_path / "x.conllu")).lost


def votes_of(rows: str) -> list[dict[str, str]]:
    """`item annotator label`, a judgement per word of three letters."""
    return [dict(zip(("item", "annotator", "label"), row, strict=True)) for row in rows.split()]


def test_notes_on_votes_that_say_little() -> None:
    two = tertium.crowd(votes_of("1aN 1bV 2aN 2bN"))
    told = "no item has more than two votes, so nothing shows which of two is right"
    assert two.notes == (told,)
    assert tertium.crowd(votes_of("1aN 1bV 2bN 2cN 3aV 3cN")).notes == (told,)
    assert not tertium.crowd(votes_of("1aN 1bN 2aV 2bV")).notes
    most = votes_of(" ".join(f"{n}{who}O" for n in "12345678" for who in "abc") + " 9aN 9bN 9cO")
    skewed = "92.59% of all votes are 'O', but MACE assumes that all labels are equally likely"
    assert any(note.startswith(skewed) for note in tertium.crowd(most).notes)
    assert not tertium.crowd(most, method="dawid-skene").notes


def test_disputed_items_say_who_voted_for_what() -> None:
    found = tertium.crowd(votes_of("1aN 1bV 1cN 2aN 2bN 2cN"))
    assert found.to_frame("disputed")["voters"].to_list() == ["N: a, c; V: b"]
    assert "N: a, c; V: b" in tertium.render(found, "html")
    assert "N (2), V (1)" in str(found)


def test_equal_entropies_are_all_within_a_threshold() -> None:
    table = votes_of(
        " ".join(
            f"{n}{who}{label}"
            for n in range(6)
            for who, label in zip("abcdef", "NNNVVX", strict=True)
        )
    )
    found = tertium.crowd(table, method="majority", threshold=0.0)
    assert found.labels.to_list() == ["N"] * 6


def test_malformed_tables_exit_with_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "v.csv"
    path.write_text("item,annotator,label\n1,a,N\n1,a\n")
    assert main(["crowd", str(path)]) == 3
    assert "v.csv:3: 2 columns, expected 3" in capsys.readouterr().err


def test_annotators_of_parts_of_a_text(tmp_path: Path) -> None:
    texts = {
        "whole": "the\tD\ncat\tN\n\na\tD\ndog\tN\n\nit\tP\n",
        "end": "a\tD\ndog\tV\n\nit\tP\n",
        "begin": "the\tX\ncat\tV\n",
        "more": "a\tD\ndog\tV\n\nno\tI\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.tsv").write_text(text + "\n", encoding="utf-8")
    whole, end, begin, more = (f"{name}={tmp_path / name}.tsv" for name in texts)
    found = tertium.crowd(whole, end, begin, method="majority", gold=str(tmp_path / "whole.tsv"))
    votes = found.data.votes
    rows = zip(votes.item.tolist(), votes.side.tolist(), votes.label.tolist(), strict=True)
    said = {(item, votes.sides[side]): votes.labels[label] for item, side, label in rows}
    assert said == {
        **{(item, "whole"): tag for item, tag in enumerate("DNDNP")},
        (0, "begin"): "X",
        (1, "begin"): "V",
        (2, "end"): "D",
        (3, "end"): "V",
        (4, "end"): "P",
    }
    assert found.data.gold is not None
    assert found.data.gold.to_list() == [*"DNDNP"]
    assert found.data.notes == ("'end' has 2 of 3 sentences", "'begin' has 1 of 3 sentences")
    assert found.data.text is not None
    assert found.data.text.sentence_count == 3
    for order in ((end, whole, begin), (begin, more, end, whole)):
        again = tertium.crowd(*order, method="majority")
        assert again.data.text is not None
        forms = again.data.text.forms
        assert forms is not None
        both = dict(zip(forms.to_list(), again.labels.to_list(), strict=True))
        assert both.items() >= dict(zip(["the", "a", "it"], "DDP", strict=True)).items()
    with pytest.raises(AlignmentError, match="'begin' has no sentence in common"):
        tertium.crowd(end, more, begin)


def test_control_items_are_not_scored(tmp_path: Path) -> None:
    """Their labels are given, so they say nothing about the method, nor about the oracle."""
    (tmp_path / "m.csv").write_text("N,N,V\nV,V,V\nN,V,V\n")
    (tmp_path / "key").write_text("N\nN\nN\n")
    (tmp_path / "controls").write_text("N\n\n\n")
    options: dict[str, Any] = {"gold": str(tmp_path / "key"), "iterations": 5}
    found = tertium.crowd(tmp_path / "m.csv", controls=str(tmp_path / "controls"), **options)
    assert found.labels.to_list()[0] == "N"
    assert (found.accuracy, found.methods[-1]["coverage"]) == (0, 1)
    assert found.data.oracle is not None
    assert (found.data.oracle["accuracy"], found.data.oracle["items"]) == (0.5, 2)
    assert "control items do not count in accuracy" in found.notes


def test_labels_of_gold_and_controls_are_renamed_as_votes_are(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("item,annotator,label\n1,a,n\n1,b,n\n2,a,v\n2,b,v\n3,a,n\n")
    (tmp_path / "gold.csv").write_text("item,gold\n1,n\n2,v\n3,n\n")
    (tmp_path / "controls.csv").write_text("item,label\n1,n\n")
    (tmp_path / "new.tsv").write_text("n\tNOUN\nv\tVERB\n")
    files = {"gold": str(tmp_path / "gold.csv"), "controls": str(tmp_path / "controls.csv")}
    found = tertium.crowd(tmp_path / "t.csv", map_labels=str(tmp_path / "new.tsv"), **files)
    assert found.labels.to_list() == ["NOUN", "VERB", "NOUN"]
    assert found.accuracy == 1
    assert found.data.votes.labels.strings == ["NOUN", "VERB"]


def test_gold_of_a_file_goes_before_that_of_the_table(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("item,annotator,label,gold\n1,a,N,N\n1,b,N,N\n")
    (tmp_path / "gold.csv").write_text("item,gold\n1,V\n")
    found = tertium.crowd(tmp_path / "t.csv", gold=str(tmp_path / "gold.csv"))
    assert found.accuracy == 0
    assert "gold labels are those of gold.csv, not of the table" in found.notes


def test_requests_that_decide_something_have_signatures_of_their_own(figure: Path) -> None:
    gold = figure.with_name("gold.csv")
    gold.write_text("item,gold\n1,NOUN\n2,X\n3,PRON\n4,VERB\n5,PRON\n", "utf-8")
    new = figure.with_name("new.tsv")
    new.write_text("X\tNOUN\n", "utf-8")
    asked: list[dict[str, Any]] = [
        {}, {"ties": "random"}, {"ties": "random", "seed": 1}, {"gold": str(gold)},
        {"map_labels": str(new)}, {"columns": "label=gold"}, {"method": "mace"},
        {"method": "mace", "seed": 1}, {"method": "mace", "alpha": 0.4}, {"threshold": 0.5},
    ]  # fmt: skip
    found = [tertium.crowd(figure, **{"method": "majority", **each}).signature for each in asked]
    assert len({*found}) == len(asked)


def test_numbers_are_names_and_a_note_says_so() -> None:
    table = [{"item": i, "annotator": a, "label": str(i)} for i in range(10) for a in "ab"]
    told = "numbers are treated as names: 8 and 0 are equally far from 7"
    assert told in tertium.crowd(table, method="majority").notes
    assert told not in tertium.crowd(table[:18], method="majority").notes


def test_the_least_competent_are_shown_where_not_all_are() -> None:
    """Of 24 annotators the last gives another label each time."""
    table = [
        {"item": i, "annotator": f"a{a}", "label": "NV"[(i + (a == 23)) % 2]}
        for i in range(6)
        for a in range(24)
    ]
    text = str(tertium.crowd(table, method="majority"))
    last = text.partition("Least competent annotators")[2]
    assert "a23" in last
    assert len([line for line in last.splitlines() if line.startswith("a")]) == 11  # with a header


def test_texts_of_python_are_written(tmp_path: Path) -> None:
    side = {"tokens": ["a", "b"], "tags": ["N", "V"]}
    found = tertium.crowd([side], [side], [side])
    found.write(tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_text().startswith("item,")
    found.write(tmp_path / "text.tsv", to="columns")
    assert (tmp_path / "text.tsv").read_text() == "a\tN\nb\tV\n\n"


def test_the_ending_of_the_file_names_a_scheme(tmp_path: Path) -> None:
    side = {"tokens": ["Ann", "Lee", "left"], "tags": ["B-PER", "I-PER", "O"]}
    tertium.crowd([side], [side], [side], write=str(tmp_path / "out.bioes"))
    tags = [line.split("\t")[1] for line in (tmp_path / "out.bioes").read_text().splitlines()[:3]]
    assert tags == ["B-PER", "E-PER", "O"]


INTERLEAVED = "item,annotator,label,word,sentence\n" + "".join(
    f"{item},{who},{label},w{item},{sentence}\n"
    for item, sentence, label in (("1", "s1", "A"), ("2", "s2", "B"), ("3", "s1", "C"))
    for who in "ab"
)


def test_lines_of_gold_and_controls_are_in_the_order_of_the_file(tmp_path: Path) -> None:
    """Whatever sentences do to it."""
    (tmp_path / "t.csv").write_text(INTERLEAVED, "utf-8")
    (tmp_path / "lines").write_text("A\nB\nC\n", "utf-8")
    lines = str(tmp_path / "lines")
    assert tertium.crowd(tmp_path / "t.csv", gold=lines).accuracy == 1
    assert tertium.crowd(tmp_path / "t.csv", gold=["A", "B", "C"]).accuracy == 1
    known = tertium.crowd(tmp_path / "t.csv", controls=lines)
    assert known.labels.to_list() == ["A", "C", "B"]


def test_pseudonyms_change_no_number() -> None:
    rows = ["1 zoe X", "1 adam Y", "2 zoe Y", "2 adam X", "3 zoe X"]
    table = [dict(zip(("item", "annotator", "label"), row.split(), strict=True)) for row in rows]
    one, other = tertium.crowd(table), tertium.crowd(table, pseudonyms=True)
    assert one.labels.to_list() == other.labels.to_list()
    assert other.competence == {"A1": one.competence["zoe"], "A2": one.competence["adam"]}


def test_words_without_a_label_are_outside_spans_and_counted(tmp_path: Path) -> None:
    texts = {"x": "B-P I-P O", "y": "B-P I-P B-Q", "z": "B-P O O"}
    for name, tags in texts.items():
        lines = [f"w{n}\t{tag}" for n, tag in enumerate(tags.split())]
        (tmp_path / f"{name}.bio").write_text("\n".join(lines) + "\n\n", "utf-8")
    files = [str(tmp_path / f"{name}.bio") for name in texts]
    found = tertium.crowd(*files, threshold=0, method="majority")
    assert found.corpus().layers["tag"].labels.to_list() == ["B-P", "O", "O"]
    assert "2 words without a label: O in the text" in found.notes


@pytest.mark.parametrize("option", ["method", "threshold", "restarts", "seed", "ties", "write"])
def test_options_of_one_value_take_no_list(option: str) -> None:
    table = [{"item": 1, "annotator": "a", "label": "N"}]
    for value in ([], (1, 2), np.array([1.0]), {"a": 1}):
        with pytest.raises(UsageError, match=f"{option} takes one value"):
            tertium.crowd(table, **{option: value})


def test_known_labels_of_selections_are_in_the_text(tmp_path: Path) -> None:
    """As tags of spans."""
    rows = [f't1\tper\t{who}\t0 1\t["Ann", "Lee", "left"]' for who in "abc"]
    (tmp_path / "s.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    (tmp_path / "known").write_text("per\nper\nO\n", "utf-8")
    found = tertium.crowd(tmp_path / "s.tsv", controls=str(tmp_path / "known"))
    assert found.labels.to_list() == ["B-per", "I-per", "O"]
    assert not [note for note in found.notes if "cannot have" in note]
