"""`--by` with properties of words through `tertium.score`: files, policies, notes."""

from pathlib import Path

import pytest

import tertium
from tertium.exceptions import UsageError
from tertium.results.scores import Result
from tertium.significance.score.result import Scores
from tertium.study.study import Study

KEYS = (
    "deprel", "deprel:full", "upos", "xpos", "distance", "distance:1,4,9", "direction", "depth",
    "projectivity", "feature:Number",
)  # fmt: skip


def figures(scores: Scores) -> list[dict[str, tuple[object, ...]]]:
    def row(group: Result) -> tuple[object, ...]:
        return group.value, group.parts, group.counts, group.coverage

    return [{name: row(group) for name, group in r.groups.items()} for r in scores]


@pytest.fixture
def folders(samples: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Gold and system, a file per document."""
    for name in ("gold", "arbor"):
        folder = tmp_path / name
        folder.mkdir()
        text = (samples / f"{name}.conllu").read_text()
        for number, part in enumerate(text.split("# newdoc")[1:]):
            (folder / f"{number}.conllu").write_text("# newdoc" + part)
    return tmp_path / "gold", tmp_path / "arbor"


@pytest.mark.parametrize("by", KEYS)
def test_files_and_processes_change_nothing(
    samples: Path, folders: tuple[Path, Path], by: str
) -> None:
    metrics = ["deps.las", "deps.uas(punct=form)", "tags.accuracy"]
    whole = tertium.score(samples / "gold.conllu", samples / "arbor.conllu", metric=metrics, by=by)
    apart = tertium.score(*folders, metric=metrics, by=by)
    assert figures(apart) == figures(whole)
    assert [list(r.groups) for r in apart] == [list(r.groups) for r in whole]
    for result in whole:
        for name, count in result.counts.items():
            assert sum(g.counts[name] for g in result.groups.values()) == count


def test_processes(samples: Path, folders: tuple[Path, Path]) -> None:
    whole = tertium.score(
        samples / "gold.conllu", samples / "arbor.conllu", metric="deps.las", by="depth"
    )
    assert figures(tertium.score(*folders, metric="deps.las", by="depth", jobs=2)) == figures(whole)


def test_only_what_the_key_looks_at_is_read() -> None:
    def needs(by: str, metric: str | None = "deps.las") -> frozenset[str] | None:
        return Study.of([["N"]], [[["N"]]], metric=metric, by=by).needs()

    assert needs("distance") == {"deps", "rooted"}
    assert needs("upos") == {"deps", "rooted", "upos"}
    assert needs("feature:Case") == {"deps", "rooted", "feats"}
    assert needs("genre") is None
    assert needs("distance", None) is None


def write(path: Path, *sentences: list[tuple[str, int | str]]) -> str:
    text = ""
    for words in sentences:
        for number, (form, head) in enumerate(words, 1):
            text += f"{number}\t{form}\t_\tX\t_\t_\t{head}\tdep\t_\t_\n"
        text += "\n"
    path.write_text(text)
    return str(path)


def test_skipped_sentences_are_in_no_group(tmp_path: Path) -> None:
    good: list[tuple[str, int | str]] = [("a", 0), ("b", 1), ("c", 1)]
    bad: list[tuple[str, int | str]] = [("a", 0), ("b", 9), ("c", 1)]
    gold = write(tmp_path / "g.conllu", good, good)
    system = write(tmp_path / "s.conllu", bad, good)
    result = tertium.score(gold, system, metric="deps.las", by="distance", on_error="skip").results[
        0
    ]
    assert {n: g.counts["gold"] for n, g in result.groups.items()} == {"root": 1, "1": 1, "2": 1}
    result = tertium.score(
        gold, system, metric="deps.las", by="distance", on_error="repair"
    ).results[0]
    assert result.groups["(none)"].counts["system"] == 1, "a head was taken away"
    assert result.groups["(none)"].counts["gold"] == 0
    assert list(result.groups) == ["root", "1", "2", "(none)"]


def test_by_position(tmp_path: Path) -> None:
    gold = write(tmp_path / "g.conllu", [("a", 0), ("b", 1), ("c", 1)])
    system = write(tmp_path / "s.conllu", [("x", 0), ("y", 1), ("z", 2)])
    result = tertium.score(gold, system, metric="deps.las", by="distance", align="position")
    groups = result.results[0].groups
    assert {n: (g.counts["correct"], g.counts["system"]) for n, g in groups.items()} == {
        "root": (1, 1),
        "1": (1, 2),
        "2": (0, 0),
    }


def test_a_system_without_the_layer_is_in_none(tmp_path: Path, samples: Path) -> None:
    text = (samples / "arbor.conllu").read_text()
    rows = [
        "\t".join([*line.split("\t")[:3], "_", *line.split("\t")[4:]]) if "\t" in line else line
        for line in text.splitlines()
    ]
    bare = tmp_path / "bare.conllu"
    bare.write_text("\n".join(rows) + "\n\n")
    scores = tertium.score(samples / "gold.conllu", bare, metric="deps.las", by="upos")
    groups = scores.results[0].groups
    assert [*groups][-1] == "(none)"
    assert groups["(none)"].counts["system"] == 847
    assert groups["(none)"].counts["gold"] == 0
    assert groups["NOUN"].parts["precision"] is None
    assert groups["NOUN"].parts["recall"] > 0.5
    assert any("bare.conllu has no 'upos'" in note for note in scores.notes)


def test_gold_without_the_layer_is_refused(samples: Path) -> None:
    files = samples / "entities-gold.bio", samples / "entities-arbor.bio"
    with pytest.raises(UsageError, match="by='depth' needs dependency trees"):
        tertium.score(*files, by="depth")


def test_a_property_of_arcs_is_asked_of_dependencies(samples: Path) -> None:
    files = samples / "gold.conllu", samples / "arbor.conllu"
    scores = tertium.score(*files, by="depth")
    assert scores.metrics == ["deps.ufeats", "deps.uas", "deps.las"]
    assert any("depth is a property of dependencies" in note for note in scores.notes)
    assert "tags.accuracy" in tertium.score(*files, by="upos").metrics
    named = tertium.score(*files, by="depth", metric="tags.accuracy")
    assert (named.metrics, named.notes) == (["tags.accuracy"], ())


def test_metrics_without_items_are_left_out_of_groups(samples: Path) -> None:
    files = samples / "coref-gold.conll", samples / "coref-arbor.conll"
    scores = tertium.score(*files, by="mention")
    assert scores.metrics == ["coref.arcs_nom"]
    assert any("have no groups by mention" in note for note in scores.notes)
    named = tertium.score(*files, by="mention", metric="coref.muc")
    assert named.metrics == ["coref.muc"]
    assert len(tertium.score(*files, by="document").metrics) > 1, "documents can be grouped"


def test_built_in_keys_win_over_comments(tmp_path: Path) -> None:
    for name in ("g", "s"):
        (tmp_path / name).write_text("# depth = deep\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    scores = tertium.score(
        tmp_path / "g", tmp_path / "s", metric="deps.las", by="depth", input_format="conllu"
    )
    assert list(scores.results[0].groups) == ["1"]


def test_a_misspelt_key_is_refused_with_those_there_are(samples: Path) -> None:
    files = samples / "gold.conllu", samples / "arbor.conllu"
    with pytest.raises(UsageError, match="Did you mean 'distance'") as caught:
        tertium.score(*files, by="distanse")
    assert "deprel, distance, direction, depth" in (caught.value.help or "")
    with pytest.raises(UsageError, match="edges of distance"):
        tertium.score("nowhere", "nowhere", by="distance:4,1")


def test_a_feature_that_nobody_has_is_said(samples: Path) -> None:
    files = samples / "gold.conllu", samples / "arbor.conllu"
    scores = tertium.score(*files, metric="deps.las", by="feature:Nmber")
    assert list(scores.results[0].groups) == ["(none)"]
    assert scores.notes == ("nothing in the gold standard has the feature 'Nmber'",)
    assert not tertium.score(*files, metric="deps.las", by="feature:Number").notes


def test_punctuation_that_does_not_count_is_in_no_group(samples: Path) -> None:
    result = tertium.score(
        samples / "gold.conllu", samples / "arbor.conllu",
        metric="deps.las(punct=deprel)", by="deprel",
    ).results[0]  # fmt: skip
    assert "punct" not in result.groups
    assert sum(g.coverage["items"] for g in result.groups.values()) == result.coverage["scored"]
