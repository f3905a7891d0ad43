"""Items on which two systems differ, in their sentences."""

from pathlib import Path

import pytest

import tertium
from tertium.comparison.examples import Examples, entry
from tertium.exceptions import UsageError
from tertium.results.items import ROOT
from tertium.results.scenes import Mark, Scene

TREES = """\
# sent_id = s1
1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_
2\tdog\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsleeps\t_\tVERB\t_\t_\t0\troot\t_\t_

# sent_id = s2
1\tit\t_\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tsnores\t_\tVERB\t_\t_\t0\troot\t_\t_

"""


def found(
    folder: Path, gold: str, a: str, b: str, metric: str, suffix: str
) -> dict[str, list[Scene]]:
    for name, text in (("gold", gold), ("a", a), ("b", b)):
        (folder / f"{name}.{suffix}").write_text(text, encoding="utf-8")
    files = [f"{name}={folder / name}.{suffix}" for name in "ab"]
    comparison = tertium.compare(
        str(folder / f"gold.{suffix}"), *files, metric=metric, examples=True
    )
    assert comparison.material is not None
    source = Examples(comparison.material, comparison.view)
    pair = comparison.view.pairs[0]
    kinds = ("corrections", "new_errors", "changed_errors")
    return {kind: list(source.in_class(pair, kind)) for kind in kinds}


def marks(scene: Scene) -> list[Mark | None]:
    """The one item as gold and the two systems have it."""
    return [side[0] for side in scene.marks]


def test_trees(tmp_path: Path) -> None:
    a = TREES.replace("2\tdet", "3\tdet").replace("3\tnsubj", "3\tobj")
    b = TREES.replace("3\tnsubj", "3\tdep").replace("_\tPRON\t_\t_\t2", "_\tPRON\t_\t_\t0")
    b = b.replace("snores\t_\tVERB\t_\t_\t0\troot", "snores\t_\tVERB\t_\t_\t1\tobj")
    kinds = found(tmp_path, TREES, a, b, "deps.las", "conllu")
    (one,) = kinds["corrections"]
    assert (one.id, one.text, one.focus) == ("s1", "the", (0, 0))
    gold, said_a, said_b = marks(one)
    assert gold == Mark("det", (0,), 1)
    assert said_a is not None
    assert (said_a.label, said_a.second, said_b) == (
        "det", 2, gold._replace(outcome="correct"),
    )  # fmt: skip
    assert said_a.type is not None
    assert said_a.type.startswith("attachment")
    (changed,) = kinds["changed_errors"]
    _, said_a, said_b = marks(changed)
    assert said_a is not None
    assert said_b is not None
    assert (changed.text, said_a.label, said_b.label) == ("dog", "obj", "dep")
    it, snores = kinds["new_errors"]
    assert [(e.id, e.text) for e in (it, snores)] == [("s2", "it"), ("s2", "snores")]
    said_b, gold = marks(it)[2], marks(snores)[0]
    assert said_b is not None
    assert gold is not None
    assert said_b.second == gold.second == ROOT


def bio(*tags: str) -> str:
    return "".join(f"w{n}\t{tag}\n" for n, tag in enumerate(tags, 1)) + "\n"


def test_spans_and_what_is_added(tmp_path: Path) -> None:
    gold = bio("B-PER", "I-PER", "O", "O") + bio("O", "O")
    a = bio("B-PER", "O", "O", "B-LOC") + bio("O", "O")
    b = bio("B-PER", "I-PER", "O", "O") + bio("B-ORG", "I-ORG")
    kinds = found(tmp_path, gold, a, b, "spans.fair", "bio")
    boundary, extra = kinds["corrections"]
    ours = Mark("PER", (0, 1))
    right = ours._replace(outcome="correct")
    assert boundary.text == "w1 w2"
    assert marks(boundary) == [ours, Mark("PER", (0,), type="BEs", outcome="wrong"), right]
    assert (extra.text, marks(extra)) == (
        "w4",
        [None, Mark("LOC", (3,), type="FP", outcome="extra"), None],
    )
    (new,) = kinds["new_errors"]
    assert (new.id, new.focus, marks(new)[1]) == ("2", (0, 1), None)
    comparison = tertium.compare([["N"]], [["N"]], [["V"]], metric="tags.accuracy")
    data = entry(comparison.view.pairs[0], "new_errors", new)
    assert (data["sentence"], data["first"], data["last"], data["gold"]) == ("2", 1, 2, None)
    assert data["said"]["b"] == {
        "label": "ORG", "type": "FP", "first": 1, "last": 2, "head": None
    }  # fmt: skip


def test_they_come_in_the_order_of_the_text(tmp_path: Path) -> None:
    gold = bio("O", "O") + bio("B-X", "O")
    a = bio("O", "O") + bio("B-X", "O")
    b = bio("O", "B-X") + bio("O", "O")  # the gold item of sentence 2 is numbered first
    new = found(tmp_path, gold, a, b, "spans.f1", "bio")["new_errors"]
    assert [(e.id, e.text) for e in new] == [("1", "w2"), ("2", "w1")]


def test_sentences_must_be_asked_for() -> None:
    comparison = tertium.compare([["N"]], [["N"]], [["V"]], metric="tags.accuracy")
    assert comparison.material is None
    with pytest.raises(UsageError, match="no sentences"):
        tertium.render(comparison, examples=1)


def test_the_function_is_there_after_its_package_is_loaded() -> None:
    for _ in range(2):
        comparison = tertium.compare([["N"]], [["N"]], [["V"]], metric="tags.accuracy")
        assert comparison.view.pairs[0].new_errors == 1
