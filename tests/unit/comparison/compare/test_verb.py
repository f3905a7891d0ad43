"""What is asked of `tertium.compare`: files, groups, layers, labels, odd data."""

import json
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.comparison.pairs import CLASSES
from tertium.exceptions import LayerError, TertiumError, UsageError

COUNTS = ("items", "different", *CLASSES, "right_a", "right_b", "shared_right")
NAMES = ("gold", "arbor", "breeze", "cedar")


def trees(samples: Path) -> list[str]:
    return [str(samples / f"{name}.conllu") for name in NAMES]


def entities(samples: Path) -> list[str]:
    return [str(samples / f"entities-{name}.bio") for name in NAMES]


# Groups.


@pytest.mark.parametrize("by", ["genre", "length", "document", "file"])
def test_groups_of_sentences_are_the_whole(samples: Path, by: str) -> None:
    found = tertium.compare(*trees(samples), by=by)
    scored = tertium.score(*trees(samples), metric=found.metrics, by=by)
    for view in found.views:
        assert list(view.groups) == list(scored[view.systems[0], view.metric].groups)
        for n, pair in enumerate(view.pairs):
            parts = [group.pairs[n] for group in view.groups.values()]
            for name in COUNTS:
                assert sum(getattr(p, name) for p in parts) == getattr(pair, name), name
            for field in ("a", "b", "both", "sentences"):
                total = sum(getattr(p.complete, field) for p in parts)
                assert total == getattr(pair.complete, field)
        assert sum(g.oracle.correct for g in view.groups.values()) == view.oracle.correct


@pytest.mark.parametrize("by", ["genre", "length"])
def test_a_group_is_what_its_sentences_alone_are(samples: Path, by: str) -> None:
    files = trees(samples)
    corpora = [tertium.read(f) for f in files]
    found = tertium.compare(*files, metric="deps.las", by=by)
    scored = tertium.score(*files, metric="deps.las", by=by)
    for name, group in found.view.groups.items():
        for s, system in enumerate(group.systems):
            counts = scored[system, "deps.las"].groups[name].counts
            assert group.oracle.right[s] == counts["correct"]
            assert group.answers.gold_items == counts["gold"]
    assert corpora[0].sentence_count == sum(
        g.pairs[0].complete.sentences for g in found.view.groups.values()
    )


@pytest.mark.parametrize("by", ["deprel", "upos", "distance"])
def test_groups_of_words_have_no_sentences(samples: Path, by: str) -> None:
    found = tertium.compare(*trees(samples), metric="deps.las", by=by)
    scored = tertium.score(*trees(samples), metric="deps.las", by=by)
    view = found.view
    # A group may have items on a system's side alone: here these stand in gold's groups.
    told = scored[view.systems[0], "deps.las"].groups
    assert list(view.groups) == [name for name in told if name in view.groups]
    assert all(group.counts["gold"] == 0 for n, group in told.items() if n not in view.groups)
    assert all(len(group.answers) for group in view.groups.values())
    for name, group in view.groups.items():
        for s, system in enumerate(group.systems):
            counts = scored[system, "deps.las"].groups[name].counts
            assert group.oracle.right[s] == counts["correct"]
        for pair in group.pairs:
            assert pair.complete is None
            assert "complete" not in pair.to_dict()
    for n, pair in enumerate(view.pairs):
        assert sum(g.pairs[n].different for g in view.groups.values()) == pair.different


def test_known_and_unknown_words(samples: Path, tmp_path: Path) -> None:
    lexicon = tmp_path / "train.conllu"
    text = (samples / "gold.conllu").read_text()
    lexicon.write_text("\n\n".join(text.split("\n\n")[:20]) + "\n\n")
    files = trees(samples)
    view = tertium.compare(*files, metric="tags.accuracy", by="known", lexicon=str(lexicon)).view
    scored = tertium.score(*files, metric="tags.accuracy", by="known", lexicon=str(lexicon))
    assert len(view.groups) == 2
    for name, group in view.groups.items():
        counts = scored[view.systems[0], view.metric].groups[name].counts
        assert group.oracle.right[0] == counts["correct"]
    assert sum(g.pairs[0].different for g in view.groups.values()) == view.pairs[0].different


def test_groups_of_spans_by_sentence(samples: Path) -> None:
    found = tertium.compare(*entities(samples), by="length")
    view = found["spans.fair"]
    for n, pair in enumerate(view.pairs):
        for name in COUNTS:
            total = sum(getattr(g.pairs[n], name) for g in view.groups.values())
            assert total == getattr(pair, name)


def test_groups_are_in_json(samples: Path) -> None:
    data = tertium.compare(*trees(samples), metric="deps.las", by="genre").to_dict()
    groups = data["views"][0]["groups"]
    assert groups
    for group in groups.values():
        assert group["oracle"]["items"] >= group["oracle"]["correct"]
    json.dumps(data, allow_nan=False)


# Files.


def cut(file: str, folder: Path, parts: int) -> Path:
    """The sentences of a file dealt out to several."""
    folder.mkdir()
    blocks = Path(file).read_text().strip("\n").split("\n\n")
    size = -(-len(blocks) // parts)
    for n in range(parts):
        text = "\n\n".join(blocks[n * size : (n + 1) * size]) + "\n\n"
        (folder / f"{n}{Path(file).suffix}").write_text(text)
    return folder


@pytest.mark.parametrize("kind", [trees, entities])
def test_folders_of_files_are_one_corpus(samples: Path, tmp_path: Path, kind: Any) -> None:
    """Labels are numbered as they come in each file: the numbers must be made one."""
    files = kind(samples)
    folders = [cut(f, tmp_path / name, 4) for f, name in zip(files, NAMES, strict=True)]
    whole = tertium.compare(*files, names=NAMES[1:])
    parts = tertium.compare(*folders, names=NAMES[1:])
    assert whole.metrics == parts.metrics
    for one, other in zip(whole.pairs, parts.pairs, strict=True):
        assert one.to_dict() == other.to_dict()
    for one, other in zip(whole.views, parts.views, strict=True):
        assert one.oracle.to_dict() == other.oracle.to_dict()
        assert one.order == other.order


def test_groups_over_several_files(samples: Path, tmp_path: Path) -> None:
    files = trees(samples)
    folders = [cut(f, tmp_path / name, 3) for f, name in zip(files, NAMES, strict=True)]
    for by in ("length", "deprel"):
        whole = tertium.compare(*files, metric="deps.las", names=NAMES[1:], by=by).view
        parts = tertium.compare(*folders, metric="deps.las", names=NAMES[1:], by=by).view
        assert list(whole.groups) == list(parts.groups)
        for name, group in whole.groups.items():
            assert group.pairs[0].to_dict() == parts.groups[name].pairs[0].to_dict()


def test_places_over_several_files(samples: Path, tmp_path: Path) -> None:
    files = trees(samples)
    folders = [cut(f, tmp_path / name, 3) for f, name in zip(files, NAMES, strict=True)]
    for given in (files, folders):
        found = tertium.compare(*given, metric="tags.accuracy", examples=True)
        assert found.material is not None
        answers = found.view.answers
        first, _, _ = answers.place_in(0, found.material.starts[answers.unit])
        words = [
            found.material.scene(int(s)).words[w] for s, w in zip(answers.unit, first, strict=True)
        ]
        forms = tertium.read(files[0]).forms
        assert forms is not None
        assert words == forms.to_list()


# Layers and labels.


def test_a_system_without_the_layer_is_left_out_of_its_view(tmp_path: Path) -> None:
    with_tree = "1\ta\t_\tN\t_\t_\t0\troot\t_\t_\n\n"
    without = "1\ta\t_\tV\t_\t_\t_\t_\t_\t_\n\n"
    for name, text in (("g", with_tree), ("a", with_tree), ("b", without), ("c", with_tree)):
        (tmp_path / f"{name}.conllu").write_text(text)
    files = [str(tmp_path / f"{n}.conllu") for n in "gabc"]
    found = tertium.compare(*files)
    assert found["tags.accuracy"].systems == ("a.conllu", "b.conllu", "c.conllu")
    assert found["deps.las"].systems == ("a.conllu", "c.conllu")
    pair = found["deps.las"].pairs[0]
    assert (pair.a, pair.b) == ("a.conllu", "c.conllu")
    deltas = {(d.metric, d.part): d for d in found.deltas("a.conllu", "b.conllu")}
    assert deltas["tags.accuracy", "accuracy"].delta == -1
    assert deltas["deps.las", "f1"].delta is None


def test_a_layer_that_only_one_system_has_is_told(tmp_path: Path) -> None:
    with_tree = "1\ta\t_\tN\t_\t_\t0\troot\t_\t_\n\n"
    without = "1\ta\t_\tV\t_\t_\t_\t_\t_\t_\n\n"
    for name, text in (("g", with_tree), ("a", with_tree), ("b", without)):
        (tmp_path / f"{name}.conllu").write_text(text)
    files = [str(tmp_path / f"{n}.conllu") for n in "gab"]
    named = tertium.compare(*files, metric=["tags.accuracy", "deps.las"])
    assert named.metrics == ["tags.accuracy"]
    assert any("deps.las: fewer than two systems" in note for note in named.notes)
    with pytest.raises((LayerError, UsageError)):
        tertium.compare(*files, metric="deps.las")


def test_labels_are_mapped_before_anything_is_compared(tmp_path: Path) -> None:
    """Footnotes 4 and 5 of Tuggener (2017): PROP is PROAV, '[' is '('."""
    table = tmp_path / "map.tsv"
    table.write_text("PROP\tPROAV\n[\t(\n")
    gold = [["PROP", "(", "NN"]]
    a, b = [["PROAV", "[", "NN"]], [["PROAV", "(", "NE"]]
    plain = tertium.compare(gold, a, b, metric="tags.accuracy")
    assert plain.pairs[0].different == 2
    found = tertium.compare(gold, a, b, metric="tags.accuracy", map_labels=[str(table)])
    pair = found.pairs[0]
    assert (pair.different, pair.corrections, pair.new_errors) == (1, 0, 1)
    assert pair.accuracy_a == 1
    assert [row.label for row in found.view.oracle.labels] == ["(", "NN", "PROAV"]
    assert "map" in str(found.view.signatures[found.systems[0]])


def test_names_in_any_script() -> None:
    gold = [["名詞", "ß", "é"]]
    a, b = [["名詞", "ss", "e\u0301"]], [["動詞", "ß", "é"]]
    found = tertium.compare(gold, a, b, metric="tags.accuracy", names=["Größe", "系统"])
    pair = found.view.pair("Größe", "系统")
    assert (pair.corrections, pair.new_errors) == (2, 1)
    assert [(t.a, t.b) for t in pair.transitions("new_errors")] == [("名詞", "動詞")]
    assert json.loads(json.dumps(found.to_dict()))["pairs"][0]["a"] == "Größe"


def test_one_label_only() -> None:
    gold = [["N", "N"]]
    found = tertium.compare(gold, gold, [["N", "N"]], metric="tags.accuracy", names="ab")
    pair = found.pairs[0]
    assert (pair.different, pair.diff, pair.overlap_all) == (0, 0, 1)
    assert [r.label for r in pair.labels] == ["N"]
    assert found.view.oracle.gain == 0


# What is undefined.


def test_nothing_to_compare_is_undefined_not_zero() -> None:
    found = tertium.compare([[]], [[]], [[]], metric="tags.accuracy").to_dict()
    pair = found["pairs"][0]
    assert pair["diff"] is None
    assert pair["accuracy"] == {"a": None, "b": None, "delta": None}
    assert pair["overlap"] == {"right": None, "all": None}
    assert pair["reason"] == "there is nothing to compare"
    assert pair["reasons"]["accuracy.a"] == "there is nothing in gold"
    assert found["oracle"]["bound"] is None
    assert found["oracle"]["gain"] is None
    assert found["oracle"]["reason"] == "there is nothing in gold"
    assert found["views"][0]["average_diff"] is None
    assert found["views"][0]["reason"] == "there is nothing to compare"
    assert pair["scores"]["tags.accuracy"]["accuracy"] == {"a": None, "b": None, "delta": None}


def test_additions_to_nothing_differ_although_accuracy_is_undefined() -> None:
    gold, a, b = [["O", "O"]], [["O", "B-X"]], [["B-Y", "O"]]
    pair = tertium.compare(gold, a, b, metric="spans.fair").pairs[0]
    assert (pair.diff, pair.overlap_all) == (1, 0)
    assert (pair.accuracy_a, pair.delta, pair.overlap_right) == (None, None, None)
    assert pair.labels == []


def test_a_group_without_gold_items_is_undefined() -> None:
    gold = [
        {"tokens": ["a"] * 3, "tags": ["O", "O", "O"]},
        {"tokens": ["a"] * 12, "tags": ["B-X", *["O"] * 11]},
    ]
    found = tertium.compare(gold, gold, gold, metric="spans.fair", names="ab", by="length")
    short, long = found.view.groups.values()
    assert (short.pairs[0].diff, short.oracle.bound) == (None, None)
    assert (long.pairs[0].diff, long.oracle.bound) == (0, 1)


# Requests that cannot be met.


@pytest.mark.parametrize(
    ("systems", "options", "message"),
    [
        ([[["N"]]], {}, "two or more systems"),
        ([[["N"]], [["N"]]], {"transitions": "x"}, "transitions must be one of"),
        ([[["N"]], [["N"]]], {"names": ["a", "a"]}, "the name 'a' is used twice"),
        ([[["N"]], [["N"]]], {"metric": "deps.ud"}, ""),
        ([[["N"]], [["N"]]], {"metric": "tags.acuracy"}, "tags.accuracy"),
    ],
)
def test_requests_that_cannot_be_met(
    systems: list[Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(TertiumError) as raised:
        tertium.compare([["N"]], *systems, **options)
    assert message in f"{raised.value} {raised.value.help}"


def test_a_measure_without_items_is_scored_beside(samples: Path) -> None:
    found = tertium.compare(*trees(samples), metric=["deps.ud", "deps.las"])
    assert found.metrics == ["deps.las"]
    assert any("these can be compared: deps.ud.tokens" in note for note in found.notes)
    deltas = {(d.metric, d.part): d.delta for d in found.deltas("arbor.conllu", "breeze.conllu")}
    a, b = (found.scores[s, "deps.las"].value for s in ("arbor.conllu", "breeze.conllu"))
    assert a is not None
    assert b is not None
    assert deltas["deps.las", "f1"] == pytest.approx(b - a)


def test_views_by_name(samples: Path) -> None:
    found = tertium.compare(*trees(samples))
    assert found["deps.las"].metric == "deps.las"
    with pytest.raises(UsageError, match="no view of 'lsa'"):
        found["lsa"]
    with pytest.raises(UsageError, match="2 views"):
        _ = found.view


def test_complete_sentences_are_those_of_the_score(samples: Path) -> None:
    found = tertium.compare(*trees(samples))
    for view in found.views:
        for s, system in enumerate(view.systems):
            parts = found.scores[system, view.metric].parts
            share = view.complete[s].sum() / view.answers.counted.sum()
            assert share == pytest.approx(parts["complete"])


# What a person at a prompt wants.


def test_systems_by_what_tells_them_apart(samples: Path) -> None:
    view = tertium.compare(*trees(samples), metric="deps.las").view
    assert view.pair("arbor", "breeze.conllu").rows == (0, 1)
    assert "arbor.conllu" in repr(view)
    assert len(repr(view)) < 200
    assert len(repr(view.oracle)) < 200


def test_pairs_as_a_frame(samples: Path) -> None:
    found = tertium.compare(*trees(samples))
    frame = found.to_frame()
    assert frame.height == len(found.pairs)
    assert frame["corrections"].to_list() == [pair.corrections for pair in found.pairs]


def test_what_a_system_adds_has_no_gold_label() -> None:
    """Also where the metric compared it with a gold span that has a partner already."""
    gold, a, b = [["B-X", "I-X", "I-X"]], [["B-X", "O", "B-X"]], [["O", "O", "B-Y"]]
    of = tertium.compare(gold, a, b, metric="spans.fair").view.answers
    assert of.gold_items == 1
    assert of.gold[1:].tolist() == [-1] * (len(of) - 1)
    assert len(of) > 1


def test_a_number_of_a_set_tells_changes_as_it_does_alone(samples: Path) -> None:
    files = trees(samples)
    for alone, member in (("deps.uas", "deps.ud.uas"), ("deps.las", "deps.ud.las")):
        modes = {tertium.compare(*files, metric=m).view.mode for m in (alone, member)}
        assert len(modes) == 1


def test_csv_has_the_oracle_of_each_metric_once() -> None:
    gold, a, b = [["N", "V"]], [["N", "N"]], [["V", "V"]]
    found = tertium.compare(gold, a, b, metric="tags.accuracy")
    bounds = [r for r in found.to_rows() if str(r["part"]).endswith("bound")]
    assert [(r["section"], r["metric"]) for r in bounds] == [("views", "tags.accuracy")]
    assert found.to_dict()["oracle"] == found.view.oracle.to_dict()


def test_whose_signature_it_is_stands_in_json_where_systems_differ() -> None:
    gold, a = [["B-X", "O", "O"]], [["B-X", "O", "B-X"]]
    b = [["B-X", "I-Y", "O"]]  # an irregular tag: another scheme
    found = tertium.compare(gold, a, b, names=["A", "B"], metric="spans.f1")
    view = found.to_dict()["views"][0]
    assert view["signatures"] == {
        name: str(found.scores[name, "spans.f1"].signature) for name in "AB"
    }
    assert len({*view["signatures"].values()}) == 2
    assert view["signature"] == view["signatures"]["A"]
    same = tertium.compare(gold, a, gold, metric="spans.f1").to_dict()["views"][0]
    assert "signatures" not in same
