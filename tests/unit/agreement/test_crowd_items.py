"""`tertium crowd` on annotated texts: tags, spans and trees as items, parts of a text."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.exceptions import InputError, LayerError, UsageError

TEXT = "Ann Lee left New York City"
Span = tuple[int, int, str]


def side(*spans: Span) -> list[dict[str, Any]]:
    return [{"text": TEXT, "spans": [*spans]}]


def spans_of(found: Any) -> set[Span]:
    corpus = found.corpus()
    layer = corpus.layers["spans"]
    rows = zip(layer.start.tolist(), layer.end.tolist(), layer.label.to_list(), strict=True)
    return {*rows}


def test_spans_are_items() -> None:
    """Of every stretch that anybody marks; who could have marked it and did not votes as well."""
    a = side((0, 7, "PER"), (13, 26, "LOC"), (13, 21, "LOC"))
    b = side((0, 7, "PER"), (13, 26, "LOC"))
    c = side((0, 3, "PER"), (13, 26, "ORG"))
    found = tertium.crowd(a, b, c, method="majority")
    said = {found.data.words[n]: found.data.votes.ballot(n) for n in range(len(found.data.votes))}  # type: ignore[index]
    assert said == {
        "Ann": "(none) (2), PER (1)",
        "Ann Lee": "PER (2), (none) (1)",
        "New York": "(none) (2), LOC (1)",
        "New York City": "LOC (2), ORG (1)",
    }
    assert spans_of(found) == {(0, 6, "PER"), (10, 21, "LOC")}
    assert found.labels.to_list() == ["(none)", "PER", "(none)", "LOC"]
    same = tertium.crowd(c, b, a, method="majority")
    assert (spans_of(same), same.labels.to_list()) == (spans_of(found), found.labels.to_list())


def test_two_labels_of_one_stretch_are_two_items() -> None:
    a, b = side((0, 3, "PER"), (0, 3, "ORG")), side((0, 3, "ORG"))
    found = tertium.crowd(a, b, a, method="majority")
    assert [*found.data.items] == ["1:1-3", "1:1-3#2"]
    assert spans_of(found) == {(0, 3, "ORG"), (0, 3, "PER")}


def test_gold_spans_that_nobody_marked_are_named() -> None:
    a, gold = side((0, 7, "PER")), side((0, 7, "PER"), (13, 26, "LOC"))
    found = tertium.crowd(a, a, side(), gold=gold, method="majority")
    assert found.accuracy == 1
    assert "1 span of gold that no annotator has" in found.notes
    assert found.score is not None
    assert (found.score.metric, found.score.value) == (
        "spans.f1(column='spans')",
        pytest.approx(2 / 3),
    )


def bio(folder: Path, name: str, tags: str) -> str:
    path = folder / f"{name}.bio"
    path.write_text("".join(f"w{n}\t{t}\n" for n, t in enumerate(tags.split())) + "\n", "utf-8")
    return str(path)


def test_spans_of_tags_do_not_overlap(tmp_path: Path) -> None:
    """Two mark one of two stretches that overlap, three the other."""
    first, second = "B-X I-X O O", "O B-Y I-Y I-Y"
    lines = [first, first, second, second, second]
    files = [bio(tmp_path, f"{n}", line) for n, line in enumerate(lines)]
    found = tertium.crowd(*files, metric="spans.f1", method="majority")
    assert found.corpus().layers["tag"].labels.to_list() == second.split()
    one = tertium.crowd(*files, metric="spans.f1", restarts=1, iterations=1)
    tags = one.corpus().layers["tag"].labels.to_list()
    assert tags in (first.split(), second.split(), "O O O O".split())


def test_a_part_of_the_text_is_all_that_is_voted_on(tmp_path: Path) -> None:
    """Whoever lacks a sentence does not vote against the spans there."""
    one, two = [{"tokens": ["a", "b"], "tags": ["B-X", "O"]}], [{"tokens": ["c"], "tags": ["B-Y"]}]
    found = tertium.crowd(one + two, two, one, metric="spans.f1", method="majority")
    votes = found.data.votes
    assert [votes.ballot(n) for n in range(2)] == ["X (2)", "Y (2)"]


def trees(folder: Path, name: str, *sentences: str) -> str:
    """Sentences as `word:head:relation ...`."""
    text = ""
    for sentence in sentences:
        for number, cell in enumerate(sentence.split(), 1):
            word, head, relation = cell.split(":", 2)
            text += f"{number}\t{word}\t_\tX\t_\t_\t{head}\t{relation}\t_\t_\n"
        text += "\n"
    path = folder / f"{name}.conllu"
    path.write_text(text, "utf-8")
    return str(path)


def problems_of(path: Path) -> list[str]:
    (file,) = tertium.validate(path).files
    return [each.message for each in file.problems]


def test_words_with_heads_are_items(tmp_path: Path) -> None:
    a = trees(tmp_path, "a", "he:2:nsubj saw:0:root her:2:obj")
    b = trees(tmp_path, "b", "he:2:nsubj saw:0:root her:2:iobj")
    c = trees(tmp_path, "c", "he:0:root saw:1:dep her:2:obj:x")
    found = tertium.crowd(a, b, c, method="majority")
    votes = found.data.votes
    assert [votes.ballot(n) for n in range(3)] == [
        "nsubj+1 (2), root+0 (1)", "root+0 (2), dep-1 (1)",
        "iobj-1 (1), obj-1 (1), obj:x-1 (1)",
    ]  # fmt: skip
    layer = found.corpus().layers["deps"]
    assert layer.head.tolist() == [2, 0, 2]
    assert layer.label.to_list()[:2] == ["nsubj", "root"]


def test_the_result_is_a_tree_where_the_best_heads_are_none(tmp_path: Path) -> None:
    """Most say that 2 depends on 3, and most that 3 depends on 2."""
    a = trees(tmp_path, "a", "x:0:root y:3:d z:1:d")
    b = trees(tmp_path, "b", "x:0:root y:3:d z:1:d")
    c = trees(tmp_path, "c", "x:0:root y:1:e z:2:d")
    d = trees(tmp_path, "d", "x:0:root y:1:e z:2:d")
    e = trees(tmp_path, "e", "x:2:d y:0:root z:2:d")
    found = tertium.crowd(a, b, c, d, e, method="majority")
    path = tmp_path / "m.conllu"
    found.write(path)
    head = found.corpus().layers["deps"].head.tolist()
    assert head == [0, 1, 2]
    assert not problems_of(path)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("method", ["majority", "mace", "mace-em", "dawid-skene"])
def test_random_trees_stay_trees(seed: int, method: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)

    def tree(size: int) -> str:
        order = rng.permutation(size) + 1
        head = {int(order[0]): 0}
        for place in range(1, size):
            head[int(order[place])] = int(order[rng.integers(place)])
        label = ["root", "a", "b:c", "d+1"]
        cells = (
            f"w{n}:{head[n]}:{label[0] if not head[n] else label[rng.integers(1, 4)]}"
            for n in range(1, size + 1)
        )
        return " ".join(cells)

    sizes = rng.integers(1, 7, 8).tolist()
    files = [trees(tmp_path, f"{n}", *map(tree, sizes)) for n in range(4)]
    found = tertium.crowd(*files, method=method, restarts=2, iterations=5)
    found.write(tmp_path / "m.conllu")
    assert not problems_of(tmp_path / "m.conllu")
    layer, said = found.corpus().layers["deps"], Counter[tuple[int, int, str]]()
    for file in files:
        own = tertium.read(file).layers["deps"]
        said.update(enumerate_arcs(own))
    assert all(arc in said for arc in enumerate_arcs(layer))


def enumerate_arcs(layer: Any) -> list[tuple[int, int, str]]:
    heads, labels = layer.head.tolist(), layer.label.to_list()
    return [*zip(range(len(heads)), heads, labels, strict=True)]


def test_one_annotator_twice_wins_throughout(samples: Path) -> None:
    one, other = samples / "arbor.conllu", samples / "cedar.conllu"
    found = tertium.crowd(f"a={one}", f"b={one}", other, method="majority")
    assert found.corpus().layers["deps"] == tertium.read(one).layers["deps"]


def test_control_items_have_their_labels_in_the_text(tmp_path: Path) -> None:
    files = [bio(tmp_path, name, "N V N") for name in "ab"]
    (tmp_path / "known.csv").write_text("item,label\n1:2,Q\n1:3,V\n", "utf-8")
    found = tertium.crowd(*files, controls=str(tmp_path / "known.csv"))
    assert found.labels.to_list() == ["N", "Q", "V"]
    assert found.corpus().layers["tag"].labels.to_list() == ["N", "Q", "V"]
    assert found.methods[-1]["coverage"] == 1


def test_words_without_a_label_are_not_voted_on(tmp_path: Path) -> None:
    files = [bio(tmp_path, name, tags) for name, tags in (("a", "N _ N"), ("b", "N V _"))]
    found = tertium.crowd(*files, method="majority")
    assert [found.data.votes.ballot(n) for n in range(3)] == ["N (2)", "V (1)", "N (1)"]


def test_what_cannot_be_voted_on(samples: Path) -> None:
    files = [samples / "arbor.conllu", samples / "breeze.conllu"]
    with pytest.raises(UsageError, match="one layer at a time"):
        tertium.crowd(*files, metric="deps.mlas")
    trees = [samples / "trees-arbor.mrg", samples / "trees-breeze.mrg"]
    with pytest.raises(UsageError, match=r"the items of trees\.parseval cannot be voted on"):
        tertium.crowd(*trees, metric="trees.parseval")
    with pytest.raises(LayerError, match="no layer that annotators can vote on"):
        tertium.crowd(*trees)
    with pytest.raises(UsageError, match="one layer at a time"):
        tertium.crowd(*files, metric=["tags.accuracy", "deps.las"])


# -- tasks about the same words --------------------------------------------------------------------

TASKS = """\
1\tper\ta\t0\t["Ann", "in", "Oslo"]
1\tper\tb\t0\t["Ann", "in", "Oslo"]
2\tloc\ta\t2\t["Ann", "in", "Oslo"]
2\tloc\tb\t0 2\t["Ann", "in", "Oslo"]
2\tloc\tc\t0 2\t["Ann", "in", "Oslo"]
3\tloc\ta\t\t["Hi"]
4\tloc\ta\t2\t["Ann", "in", "Oslo"]
"""


@pytest.mark.parametrize("turned", [False, True])
def test_tasks_about_the_same_words_are_one_sentence(tmp_path: Path, turned: bool) -> None:
    """The more confident label of a word stays: two of two for per, two of three for loc. Tasks
    that ask for the same label are about two texts."""
    lines = TASKS.splitlines()
    path = tmp_path / "tasks.tsv"
    path.write_text("\n".join(lines[2:5] + lines[:2] + lines[5:] if turned else lines) + "\n")
    found = tertium.crowd(path, method="majority")
    assert len(found.labels) == 10
    assert found.notes[0] == "4 tasks are about 3 texts"
    found.write(tmp_path / "one.conll")
    assert (tmp_path / "one.conll").read_text() == (
        "Ann\tB-per\nin\tO\nOslo\tB-loc\n\nHi\tO\n\nAnn\tO\nin\tO\nOslo\tB-loc\n\n"
    )


def heads(folder: Path, *relations: str) -> list[str]:
    """Annotators of `a b`, where b is the head of a."""
    return [trees(folder, f"t{n}", f"a:2:{r} b:0:root") for n, r in enumerate(relations)]


@pytest.mark.parametrize(
    ("label", "message"),
    [("nsubj", "'nsubj' does not say how far away the head is"), ("obj+1", None)],
)
def test_control_items_of_dependencies(tmp_path: Path, label: str, message: str | None) -> None:
    controls = tmp_path / "controls.csv"
    controls.write_text(f"item,label\n1:1,{label}\n", "utf-8")
    files = heads(tmp_path, "nsubj", "nsubj", "obj")
    if message is not None:
        with pytest.raises(InputError, match=message):
            str(tertium.crowd(*files, controls=str(controls)))
    else:
        found = tertium.crowd(*files, controls=str(controls))
        assert found.corpus().layers["deps"].label.to_list() == ["obj", "root"]


def test_a_known_head_that_is_impossible_is_named(tmp_path: Path) -> None:
    controls = tmp_path / "controls.csv"
    controls.write_text("item,label\n1:1,obj+7\n", "utf-8")
    found = tertium.crowd(*heads(tmp_path, "nsubj", "nsubj", "obj"), controls=str(controls))
    assert "the text cannot have the known label of 1 control item" in found.notes


def test_a_dictionary_of_tags_is_not_for_heads(tmp_path: Path) -> None:
    (tmp_path / "d.tsv").write_text("a\tX\n", "utf-8")
    files = heads(tmp_path, "nsubj", "obj", "obj")
    with pytest.raises(UsageError, match="but these votes are on heads"):
        tertium.crowd(*files, dictionary=str(tmp_path / "d.tsv"))


def test_the_score_is_that_of_the_metric(tmp_path: Path) -> None:
    """With subtypes nsubj:pass is not nsubj."""
    files = heads(tmp_path, "nsubj:pass", "nsubj:pass", "nsubj")
    (tmp_path / "gold").mkdir()
    (gold,) = heads(tmp_path / "gold", "nsubj")
    for metric, value in (("deps.las", 1.0), ("deps.las(subtypes=true)", 0.5)):
        found = tertium.crowd(*files, gold=gold, metric=metric).score
        assert found is not None
        assert found.value == value, metric


def test_a_label_that_would_mean_no_annotation_is_refused() -> None:
    a, b = side((0, 3, "(none)")), side()
    with pytest.raises(InputError, match="would mean no annotation"):
        tertium.crowd(a, b, a)


def test_heads_may_have_no_relations(tmp_path: Path) -> None:
    files = [trees(tmp_path, f"t{n}", "a:2:_ b:0:_") for n in range(3)]
    votes = tertium.crowd(*files).data.votes
    assert [votes.ballot(n) for n in range(len(votes))] == ["_+1 (3)", "_+0 (3)"]


def test_sentences_with_one_id_are_numbered(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    row = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
    path.write_text(f"# sent_id = s\n{row}\n# sent_id = s\n{row}\n", "utf-8")
    files = {name: str(path) for name in "abc"}
    assert [*tertium.crowd(files).data.items] == ["1:1", "2:1"]


def test_a_known_root_makes_no_second_one(tmp_path: Path) -> None:
    """The other word has no head but the root, so the known label cannot stay."""
    controls = tmp_path / "controls.csv"
    controls.write_text("item,label\n1:1,root+0\n", "utf-8")
    found = tertium.crowd(*heads(tmp_path, "nsubj", "nsubj", "obj"), controls=str(controls))
    assert found.corpus().layers["deps"].head.tolist() == [2, 0]
    assert "the text cannot have the known label of 1 control item" in found.notes


def test_labels_of_controls_are_renamed_as_those_of_files_are(tmp_path: Path) -> None:
    (tmp_path / "new.tsv").write_text("X\tY\n", "utf-8")
    (tmp_path / "controls").write_text("X\n\n", "utf-8")
    files = []
    for name in "abc":
        (tmp_path / f"{name}.tsv").write_text("v\tX\nw\tZ\n\n", "utf-8")
        files.append(str(tmp_path / f"{name}.tsv"))
    options = {"map_labels": str(tmp_path / "new.tsv"), "controls": str(tmp_path / "controls")}
    assert tertium.crowd(*files, **options).labels.to_list() == ["Y", "Z"]
