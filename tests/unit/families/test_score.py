"""`tertium.score`: inputs, shards, groups, policies; the numbers have tests of their own."""

import gzip
import io
import os
import re
import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.exceptions import AlignmentError, FormatError, InputError, LayerError, UsageError
from tertium.formats.files import read_file, write_file


@pytest.fixture
def folders(samples: Path, tmp_path: Path) -> tuple[Path, Path]:
    """The sample, one file per document, for gold and one system; one file compressed."""
    for name in ("gold", "arbor"):
        corpus = read_file(str(samples / f"{name}.conllu"))
        ends = [*corpus.documents.tolist()[1:], corpus.sentence_count]
        for number, (first, last) in enumerate(zip(corpus.documents.tolist(), ends, strict=True)):
            suffix = ".gz" if (name, number) == ("arbor", 1) else ""
            (tmp_path / name / "deep").mkdir(parents=True, exist_ok=True)
            folder = tmp_path / name / "deep" if number == 2 else tmp_path / name
            path = folder / f"doc{number}.conllu{suffix}"
            write_file(corpus.take(list(range(first, last))), str(path), format="conllu")
    return tmp_path / "gold", tmp_path / "arbor"


def values(scores: tertium.Scores) -> list[tuple[str, Any, Any]]:
    return [(r.metric, r.value, dict(r.counts)) for r in scores]


def test_shards_give_the_same_as_one_file(samples: Path, folders: tuple[Path, Path]) -> None:
    whole = tertium.score(samples / "gold.conllu", samples / "arbor.conllu")
    parts = tertium.score(*folders)
    assert values(parts) == values(whole)
    assert parts.units == whole.units
    assert [r.labels for r in parts] == [r.labels for r in whole]
    pattern = tertium.score(f"{folders[0]}/**/*.conllu*", f"{folders[1]}/**/*.conllu*")
    assert values(pattern) == values(whole)


@pytest.mark.slow
def test_shards_in_processes(samples: Path, folders: tuple[Path, Path]) -> None:
    whole = tertium.score(samples / "gold.conllu", samples / "arbor.conllu")
    assert values(tertium.score(*folders, jobs=2)) == values(whole)


class Recorder(Executor):
    """Stands for a cluster's executor: runs at once, and remembers what it was given."""

    def __init__(self) -> None:
        self.calls = 0

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.calls += 1
        future: Future[Any] = Future()
        future.set_result(function(*args, **kwargs))
        return future


@pytest.mark.parametrize("kind", [Recorder, ThreadPoolExecutor])
def test_any_executor_does(samples: Path, folders: tuple[Path, Path], kind: Any) -> None:
    whole = tertium.score(samples / "gold.conllu", samples / "arbor.conllu", metric="deps.las")
    with kind() as executor:
        found = tertium.score(*folders, metric="deps.las", executor=executor)
    assert values(found) == values(whole)
    if kind is Recorder:
        assert executor.calls == 8


def test_shards_are_paired_by_name(folders: tuple[Path, Path]) -> None:
    (folders[1] / "doc0.conllu").rename(folders[1] / "other.conllu")
    with pytest.raises(InputError, match=r"lacks 'doc0.conllu'.*has 'other.conllu', which 'gold'"):
        tertium.score(*folders)


def test_an_error_in_a_shard_names_its_file(folders: tuple[Path, Path]) -> None:
    (folders[1] / "doc3.conllu").write_text("1\tx\n\n")
    with pytest.raises(FormatError, match=r"doc3\.conllu"):
        tertium.score(*folders)


def test_groups_by_metadata_add_up(samples: Path) -> None:
    scores = tertium.score(
        samples / "gold.conllu", samples / "cedar.conllu", metric="deps.las", by="genre"
    )
    groups = scores.results[0].groups
    assert list(groups) == ["mail", "news"]
    for name in ("correct", "gold", "system"):
        assert sum(g.counts[name] for g in groups.values()) == scores.results[0].counts[name]
    assert groups["news"].value > groups["mail"].value  # type: ignore[operator]


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("length", ["1-10", "11-20", "21-40"]),
        ("length:5,15", ["1-5", "6-15", "16-"]),
        ("sent_id~^[a-z]+", ["mail", "news"]),
        ("sent_id~^([a-z])", ["m", "n"]),
    ],
)
def test_other_groups(samples: Path, by: str, expected: list[str]) -> None:
    scores = tertium.score(samples / "gold.conllu", samples / "arbor.conllu", by=by)
    assert set(scores.results[0].groups) <= set(expected)
    assert list(scores.results[0].groups) == [g for g in expected if g in scores.results[0].groups]


def test_groups_by_document_and_file(samples: Path, folders: tuple[Path, Path]) -> None:
    by_document = tertium.score(
        samples / "gold.conllu", samples / "arbor.conllu", metric="deps.las", by="document"
    ).results[0]
    assert len(by_document.groups) == 8
    by_file = tertium.score(*folders, metric="deps.las", by="file").results[0]
    assert sorted(g.counts["correct"] for g in by_file.groups.values()) == sorted(
        g.counts["correct"] for g in by_document.groups.values()
    )


def test_an_unknown_key_is_refused_with_those_there_are(samples: Path) -> None:
    with pytest.raises(UsageError, match=r"genr.*Did you mean 'genre'") as caught:
        tertium.score(samples / "gold.conllu", samples / "arbor.conllu", by="genr")
    assert "genre, newdoc id, length, document, file" in (caught.value.help or "")
    for bad in ("length:", "length:5,x", "length:0,4", "length:5,5"):
        with pytest.raises(UsageError, match="rising numbers"):
            tertium.score(samples / "gold.conllu", samples / "arbor.conllu", by=bad)
    with pytest.raises(UsageError, match="not a regular expression"):
        tertium.score(samples / "gold.conllu", samples / "arbor.conllu", by="sent_id~(")


def broken(samples: Path, tmp_path: Path) -> Path:
    """The sample system with a head out of range in its second sentence."""
    lines = (samples / "arbor.conllu").read_text(encoding="utf-8").split("\n")
    blank = lines.index("")
    at = next(i for i in range(blank, len(lines)) if lines[i].startswith("1\t"))
    fields = lines[at].split("\t")
    lines[at] = "\t".join([*fields[:6], "99", *fields[7:]])
    path = tmp_path / "broken.conllu"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_policies_for_bad_sentences(samples: Path, tmp_path: Path) -> None:
    gold, bad = samples / "gold.conllu", broken(samples, tmp_path)
    with pytest.raises(FormatError, match=r"HEAD is 99, but the sentence has \d+ words"):
        tertium.score(gold, bad, metric="deps.las")
    skipped = tertium.score(
        gold, samples / "breeze.conllu", bad, metric="deps.las", on_error="skip"
    )
    assert skipped.units == 63
    for result in skipped:  # all systems are judged on the same sentences
        assert result.coverage["skipped"] == 1
        assert result.counts["gold"] == skipped.results[0].counts["gold"] < 847
        assert "on_error:skip" in str(result.signature)
    repaired = tertium.score(gold, bad, metric="deps.las", on_error="repair").results[0]
    assert repaired.coverage["repaired"] == 1
    assert repaired.counts["gold"] == 847


def test_alignment_errors_name_the_sentence_id(samples: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.conllu"
    text = (samples / "arbor.conllu").read_text(encoding="utf-8")
    word = text.split("\n1\t")[5].split("\t")[0]
    other.write_text(text.replace(f"\n1\t{word}\t", "\n1\tQQQ\t", 1), encoding="utf-8")
    with pytest.raises(AlignmentError, match=r"sentence '[a-z]+-\d+-s\d+' has 'QQQ'"):
        tertium.score(samples / "gold.conllu", other, metric="deps.las")


def test_standard_input(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = gzip.compress((samples / "arbor.conllu").read_bytes())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    scores = tertium.score(samples / "gold.conllu", "-", on_error="skip")
    whole = tertium.score(samples / "gold.conllu", samples / "arbor.conllu")
    assert [v[1] for v in values(scores)] == [v[1] for v in values(whole)]
    assert scores.systems == ["stdin"]
    with pytest.raises(UsageError, match="only once"):
        tertium.score("-", "-")


def test_systems_can_be_named(samples: Path) -> None:
    scores = tertium.score(
        samples / "gold.conllu", f"A={samples / 'arbor.conllu'}", f"B={samples / 'cedar.conllu'}"
    )
    assert scores.systems == ["A", "B"]
    assert scores["A", "deps.las"].value != scores["B", "deps.las"].value
    with pytest.raises(UsageError, match="is used twice"):
        tertium.score(*[samples / "gold.conllu"] * 3)
    with pytest.raises(KeyError, match="2 systems"):
        scores["deps.las"]


def test_labels_are_mapped_before_comparing(samples: Path, tmp_path: Path) -> None:
    table = tmp_path / "map.tsv"
    table.write_text("PROPN\tNOUN\n")
    files = samples / "gold.conllu", samples / "arbor.conllu"
    plain = tertium.score(*files, metric="tags.accuracy").results[0]
    mapped = tertium.score(*files, metric="tags.accuracy", map_labels=[f"upos={table}"]).results[0]
    assert mapped.value > plain.value  # type: ignore[operator]
    assert "PROPN" not in mapped.labels
    assert "|map:upos=map.tsv@" in str(mapped.signature)
    types = tmp_path / "types.tsv"
    types.write_text("PER\tNAME\nLOC\tNAME\nORG\tNAME\nMISC\tNAME\n")
    spans = tertium.score(
        samples / "entities-gold.bio", samples / "entities-breeze.bio", map_labels=[str(types)]
    ).results[0]
    assert set(spans.labels) == {"NAME"}


@pytest.mark.parametrize("layers", [("upos=", "upos="), ("", "upos="), ("upos=", "")])
def test_maps_that_contradict_each_other(
    layers: tuple[str, str], samples: Path, tmp_path: Path
) -> None:
    files = samples / "gold.conllu", samples / "arbor.conllu"
    for name, new in (("a", "NOUN"), ("b", "X"), ("c", "NOUN")):
        (tmp_path / name).write_text(f"PROPN\t{new}\nADJ\tADJ\n")
    a, b = (f"{layer}{tmp_path / name}" for layer, name in zip(layers, "ab", strict=True))
    with pytest.raises(InputError, match=r"'PROPN' is mapped to 'NOUN' in .*a and to 'X' in .*b"):
        tertium.score(*files, metric="tags.accuracy", map_labels=[a, b])
    equal = [a, f"{layers[1]}{tmp_path / 'c'}"]
    assert tertium.score(*files, metric="tags.accuracy", map_labels=equal)
    other = [f"upos={tmp_path / 'a'}", f"xpos={tmp_path / 'b'}"]
    assert tertium.score(*files, metric="tags.accuracy", map_labels=other)


def test_maps_apply_at_once_in_any_order(tmp_path: Path) -> None:
    """What one map gives is not renamed by the next, in one file or in two."""
    (tmp_path / "a").write_text("A B\n")
    (tmp_path / "b").write_text("B C\n")
    (tmp_path / "ab").write_text("A B\nB C\n")
    gold, system = [["A", "B", "C"]], [["B", "C", "C"]]
    for names in (("a", "b"), ("b", "a"), ("ab",)):
        maps = [str(tmp_path / name) for name in names]
        result = tertium.score(gold, system, metric="tags.accuracy", map_labels=maps).results[0]
        assert set(result.labels) == {"B", "C"}
        assert result.counts["correct"] == 2  # A:B is B:C, B:C is C:C, C:C stays
        if len(names) == 2:
            assert re.search(r"[|]map:a@\w+,b@", str(result.signature))


def test_labels_of_one_side_are_mapped(tmp_path: Path) -> None:
    (tmp_path / "m").write_text("A B\n")
    gold, one, two = [["A", "B"]], [["B", "B"]], [["A", "B"]]

    def correct(*maps: str, **more: Any) -> list[int]:
        given = [each.replace("m", str(tmp_path / "m")) for each in maps]
        found = tertium.score(
            gold, one, two, names=["one", "two"], metric="tags.accuracy", map_labels=given, **more
        )
        return [int(result.counts["correct"]) for result in found.results]

    assert correct() == [1, 2]
    assert correct("m") == [2, 2]
    assert correct("gold:m") == [2, 1]
    assert correct("two:m") == [1, 1]
    assert correct("gold:tag=m", "two:m") == correct("two:m", "gold:tag=m") == [2, 2]
    with pytest.raises(UsageError, match=r"no side 'tow' .* Did you mean 'two'") as caught:
        correct("tow:m")
    assert caught.value.help == "sides: gold, one, two"
    with pytest.raises(LayerError, match="no layer 'upos'"):
        correct("two:upos=m")


def test_maps_of_sides_stand_in_the_signature_and_contradict(tmp_path: Path) -> None:
    (tmp_path / "m").write_text("A B\n")
    (tmp_path / "n").write_text("A C\n")
    m, n = f"gold:{tmp_path / 'm'}", str(tmp_path / "n")
    options: dict[str, Any] = {"metric": "tags.accuracy", "names": ["a"]}
    data = [["A", "B"]], [["A", "B"]]
    found = tertium.score(*data, map_labels=[m, f"a:{n}"], **options)
    assert "|map:a/n@" in (signature := str(found.results[0].signature))
    assert ",gold/m@" in signature
    with pytest.raises(InputError, match=r"'A' is mapped to 'B' in .*m and to 'C' in .*n"):
        tertium.score(*data, map_labels=[m, n], **options)
    (tmp_path / "z").write_text("Z Y\n")
    notes = tertium.score(*data, map_labels=[f"a:{tmp_path / 'z'}"], **options).notes
    assert any("maps no label of a" in note for note in notes), notes


def test_a_side_of_maps_may_be_named_by_its_file(samples: Path, tmp_path: Path) -> None:
    table = tmp_path / "m"
    table.write_text("PROPN NOUN\n")
    files = samples / "gold.conllu", samples / "arbor.conllu"
    values = {
        tertium.score(*files, metric="tags.accuracy", map_labels=f"{side}:{table}").value
        for side in ("arbor", "arbor.conllu")
    }
    assert len(values) == 1


@pytest.mark.parametrize("given", [3, [3], {"a": 1}])
@pytest.mark.parametrize("name", ["map_labels", "with_files", "lexicon"])
def test_what_must_be_files(name: str, given: Any, samples: Path) -> None:
    with pytest.raises(UsageError, match=rf"^{name} must be .*\. Got .* instead\.$"):
        tertium.score(samples / "gold.conllu", samples / "arbor.conllu", **{name: given})


def test_a_path_may_stand_for_several(samples: Path, tmp_path: Path) -> None:
    files = samples / "gold.conllu", samples / "arbor.conllu"
    (tmp_path / "map").write_text("PROPN\tNOUN\n")
    scores = tertium.score(*files, map_labels=tmp_path / "map", with_files=None)
    assert "|map:map@" in str(scores.results[0].signature)


def test_layers_of_other_files_can_be_joined(samples: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.conllu"
    rows = (samples / "gold.conllu").read_text(encoding="utf-8").split("\n")
    cut = ["\t".join([*f[:3], "_", *f[4:]]) if len(f := r.split("\t")) == 10 else r for r in rows]
    bare.write_text("\n".join(cut), encoding="utf-8")
    metric = "deps.las(punct=upos)"
    with pytest.raises(LayerError, match="upos"):
        tertium.score(bare, samples / "arbor.conllu", metric=metric)
    joined = tertium.score(
        bare, samples / "arbor.conllu", metric=metric, with_files=[str(samples / "gold.conllu")]
    )
    direct = tertium.score(samples / "gold.conllu", samples / "arbor.conllu", metric=metric)
    assert joined.value == direct.value
    assert "|join:gold.conllu@" in str(joined.results[0].signature)
    short = tmp_path / "short.bio"
    short.write_text("only\tO\n\n")
    with pytest.raises(AlignmentError, match="other tokens"):
        tertium.score(bare, bare, metric="deps.las", names=["x"], with_files=[str(short)])


def test_joined_files_must_have_the_same_sentences(tmp_path: Path) -> None:
    word = "{}\t{}\t_\tX\t_\t_\t{}\troot\t_\t_\n"
    one, two = tmp_path / "one.conllu", tmp_path / "two.conllu"
    one.write_text(word.format(1, "a", 0) + word.format(2, "b", 1) + "\n")
    two.write_text(word.format(1, "a", 0) + "\n" + word.format(1, "b", 0) + "\n")
    with pytest.raises(AlignmentError, match="other sentences"):
        tertium.score(two, one, with_files=[str(one)], metric="deps.las")


def test_what_is_dropped_does_not_depend_on_shards(tmp_path: Path) -> None:
    files = {"g/1": "O\n", "s/1": "I-P\n", "g/2": "B-P\nI-P\n", "s/2": "B-P\nI-P\n"}
    for name, tags in files.items():
        path = tmp_path / f"{name}.bio"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"w\t{t}\n" for t in tags.split()) + "\n")
    for side in "gs":
        whole = "".join((tmp_path / side / f"{n}.bio").read_text() for n in (1, 2))
        (tmp_path / f"{side}.bio").write_text(whole)
    metric = "spans.f1(repair=drop)"
    one = tertium.score(tmp_path / "g.bio", tmp_path / "s.bio", metric=metric).results[0]
    many = tertium.score(tmp_path / "g", tmp_path / "s", metric=metric).results[0]
    assert one.counts == many.counts == {"correct": 1, "gold": 1, "system": 1}
    assert one.signature == many.signature
    assert one.metric == many.metric == "spans.f1(repair='drop')"


def test_shards_must_agree_on_what_is_scored(folders: tuple[Path, Path]) -> None:
    for folder in folders:
        path = folder / "doc3.conllu"
        rows = [r.split("\t") for r in path.read_text(encoding="utf-8").split("\n")]
        cut = ["\t".join([*f[:4], "_", *f[5:]] if len(f) == 10 else f) for f in rows]
        path.write_text("\n".join(cut), encoding="utf-8")
    with pytest.raises(LayerError, match=r"'doc3\.conllu' and .* have different layers"):
        tertium.score(*folders)
    assert tertium.score(*folders, metric="deps.las").value


def test_labels_are_mapped_where_sentences_were_skipped(tmp_path: Path) -> None:
    gold, system, table = (tmp_path / n for n in ("g.bio", "s.bio", "map.tsv"))
    gold.write_text("a\tB-X\nb\tO\n\nc\tNOUN\textra\n\n")
    system.write_text("a\tB-Y\nb\tO\n\nc\tO\n\n")
    table.write_text("X\tZ\nY\tZ\n")
    result = tertium.score(gold, system, on_error="skip", map_labels=[str(table)])["spans.f1"]
    assert result.value == 1
    assert result.coverage["skipped"] == 1


def test_every_sentence_skipped_is_said(tmp_path: Path) -> None:
    gold, system = tmp_path / "g.conllu", tmp_path / "s.conllu"
    row = "1\ta\t_\tX\t_\t_\t{}\troot\t_\t_\n\n"
    gold.write_text(row.format(0))
    system.write_text(row.format(7))
    with pytest.raises(InputError, match="every sentence was skipped"):
        tertium.score(gold, system, metric="deps.las", on_error="skip")


def test_macro_in_groups_is_over_the_labels_of_the_group(tmp_path: Path) -> None:
    gold = [
        {"tokens": ["a"], "tags": ["B-X"], "part": "one"},
        {"tokens": ["b"], "tags": ["B-Y"], "part": "two"},
    ]
    result = tertium.score(gold, gold, metric="spans.f1", by="part").results[0]
    assert [g.parts["macro_f1"] for g in result.groups.values()] == [1, 1]
    assert [list(g.labels) for g in result.groups.values()] == [["X"], ["Y"]]


def test_without_labels_there_are_no_macro_averages() -> None:
    result = tertium.score([["B-X"]], [["B-X"]], metric="spans.f1", labels=False).results[0]
    assert "macro_f1" not in result.parts
    assert result.reasons == {}
    nothing = tertium.score([["O"]], [["O"]], metric="spans.f1").results[0]
    assert nothing.reasons["macro_f1"] == "neither gold nor system has spans"


def test_joined_comments_give_groups(samples: Path) -> None:
    result = tertium.score(
        samples / "entities-gold.bio",
        samples / "entities-arbor.bio",
        with_files=[str(samples / "gold.conllu")],
        by="genre",
    ).results[0]
    assert set(result.groups) == {"mail", "news"}


def test_a_span_column_does_not_answer_to_plain_tags(samples: Path) -> None:
    scores = tertium.score(
        samples / "entities-gold.bio",
        samples / "entities-arbor.bio",
        with_files=[str(samples / "gold.conllu")],
    )
    assert scores.metrics == ["spans.f1"]


def test_maps_that_do_nothing_say_so(samples: Path, tmp_path: Path) -> None:
    files = samples / "gold.conllu", samples / "arbor.conllu"
    table = tmp_path / "map.tsv"
    table.write_text("# a comment\n\nPROPN\tNOUN\n#\tX\n")
    with pytest.raises(LayerError, match=r"no layer 'upo' .* Did you mean 'upos'"):
        tertium.score(*files, metric="tags.accuracy", map_labels=[f"upo={table}"])
    scores = tertium.score(*files, metric="tags.accuracy", map_labels=[f"upos={table}"])
    assert "leaves labels of 'upos' unchanged: ADJ, ADP" in scores.notes[0]
    scores = tertium.score(*files, metric="deps.las", map_labels=[f"deps={table}"])
    assert "maps no label" in scores.notes[0]


def test_another_gold_standard_has_another_digest(
    samples: Path, folders: tuple[Path, Path]
) -> None:
    one, two = (
        tertium.score(samples / gold, samples / "arbor.conllu", metric="deps.las").gold_digest
        for gold in ("gold.conllu", "breeze.conllu")
    )
    assert one is not None
    assert one != two
    assert tertium.score(*folders, metric="deps.las").gold_digest not in (None, one, two)
    assert tertium.score([["A"]], [["A"]]).gold_digest is None


def test_a_lexicon_that_no_metric_uses_is_noted(samples: Path) -> None:
    files = samples / "gold.conllu", samples / "arbor.conllu"
    scores = tertium.score(*files, metric="deps.las", lexicon=str(samples / "gold.conllu"))
    assert "is not used" in scores.notes[0]
    scores = tertium.score(*files, metric="tags.accuracy", lexicon=str(samples / "gold.conllu"))
    assert scores.notes == ()
    assert scores.results[0].shown == ("accuracy", "known", "unknown")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no pipes with names here")
def test_pipes_are_read_once(samples: Path) -> None:
    read, write = os.pipe()
    os.write(write, (samples / "entities-gold.bio").read_bytes())
    os.close(write)
    scores = tertium.score(f"G=/dev/fd/{read}", samples / "entities-arbor.bio", on_error="skip")
    os.close(read)
    whole = tertium.score(samples / "entities-gold.bio", samples / "entities-arbor.bio")
    assert scores.value == whole.value


def test_systems_are_named_by_their_files(samples: Path, tmp_path: Path) -> None:
    other = tmp_path / "entities-arbor.bio"
    other.write_bytes((samples / "entities-arbor.bio").read_bytes())
    gold = samples / "entities-gold.bio"
    assert tertium.score(gold, other).systems == ["entities-arbor.bio"]
    both = tertium.score(gold, other, samples / "entities-arbor.bio").systems
    assert both == [str(other), str(samples / "entities-arbor.bio")]


def test_columns_of_one_file_for_gold_and_system(tmp_path: Path) -> None:
    path = tmp_path / "both.txt"
    path.write_text("a B-X B-X\nb O B-Y\n\n")
    result = tertium.score(
        path, f"S={path}", columns="form=0,ner=-2", system_columns="form=0,ner=-1"
    )["spans.f1"]
    assert result.counts == {"correct": 1, "gold": 1, "system": 2}


def test_formats_may_differ_between_gold_and_system(samples: Path, tmp_path: Path) -> None:
    gold = read_file(str(samples / "gold.conllu"))
    path = tmp_path / "tagged.txt"
    tags = gold.layers["upos"].labels.to_list()  # type: ignore[attr-defined]
    assert gold.forms is not None
    words = [f"{w}_{t}" for w, t in zip(gold.forms.to_list(), tags, strict=True)]
    offsets = gold.offsets.tolist()
    lines = [" ".join(words[a:z]) for a, z in pairwise(offsets)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    scores = tertium.score(samples / "gold.conllu", path, system_format="tagged")
    assert scores.value == 1
    assert scores.notes == (f"{path}: column 'tag' is compared with 'upos'",)


def test_requests_that_make_no_sense() -> None:
    data = [["N"]]
    for problem, arguments in {
        "no system": {},
        "align must be": {"align": "x"},
        "on_error must be": {"on_error": "x"},
        "jobs must be": {"jobs": 0},
        "given twice": {"metric": ["tags.accuracy", "tags.accuracy"]},
        "2 names": {"names": ["a", "b"]},
        "no metric": {"metric": "x"},
        "by must be": {"by": ""},
    }.items():
        with pytest.raises(UsageError, match=problem):
            tertium.score(data, *([data] if arguments else []), **arguments)


def test_nothing_shared_to_score(samples: Path) -> None:
    with pytest.raises(LayerError, match="share no layer"):
        tertium.score([{"tokens": ["a"], "pos": ["N"]}], [{"tokens": ["a"], "case": ["x"]}])


def test_value_needs_a_single_result(samples: Path) -> None:
    scores = tertium.score(samples / "gold.conllu", samples / "arbor.conllu")
    with pytest.raises(ValueError, match="results; choose one"):
        _ = scores.value
    with pytest.raises(KeyError, match=r"deps.lass"):
        scores["deps.lass"]


def test_results_do_not_depend_on_the_order_of_labels(samples: Path) -> None:
    """Sentences reversed: other codes for every label, the same numbers in the same order."""
    gold, system = (read_file(str(samples / f"entities-{n}.bio")) for n in ("gold", "breeze"))
    backwards = [c.take(range(c.sentence_count)[::-1]) for c in (gold, system)]
    one, two = tertium.score(gold, system).results[0], tertium.score(*backwards).results[0]
    assert one.labels == two.labels
    assert list(one.labels) == list(two.labels) == sorted(one.labels)
    assert one.parts == two.parts
