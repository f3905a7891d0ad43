"""Recall by the gold side's groups, precision by the system's: counted by hand."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import tertium
from metric_samples import Lengths
from tertium import registry
from tertium.families.base import Metric, make
from tertium.families.groups import harmonic_mean, sided_scores
from tertium.families.sets import MetricSet
from tertium.results.scores import Result

Word = tuple[str, str, int, str]  # form, tag, head, relation


def write(path: Path, *sentences: list[Word]) -> str:
    text = ""
    for words in sentences:
        for number, (form, upos, head, label) in enumerate(words, 1):
            text += f"{number}\t{form}\t_\t{upos}\t_\t_\t{head}\t{label}\t_\t_\n"
        text += "\n"
    path.write_text(text)
    return str(path)


GOLD: list[Word] = [
    ("She", "PRON", 2, "nsubj"),
    ("sleeps", "VERB", 0, "root"),
    ("at", "ADP", 4, "case"),
    ("home", "NOUN", 2, "obl"),
    (".", "PUNCT", 2, "punct"),
]
# "at" depends on "sleeps" and is called obl, "home" on "at"; "." hangs on "home".
SYSTEM: list[Word] = [
    ("She", "PRON", 2, "nsubj"),
    ("sleeps", "VERB", 0, "root"),
    ("at", "NOUN", 2, "obl"),
    ("home", "NOUN", 3, "obl"),
    (".", "PUNCT", 4, "punct"),
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    return write(tmp_path / "g.conllu", GOLD), write(tmp_path / "s.conllu", SYSTEM)


def counts(result: Result, *names: str) -> dict[str, tuple[float, ...]]:
    return {group: tuple(r.counts[n] for n in names) for group, r in result.groups.items()}


BOTH = ("correct", "gold", "correct_system", "system")


def test_by_distance(files: tuple[str, str]) -> None:
    """Gold: She 1, at 1, home 2, '.' 3. System: She 1, at 1, home 1, '.' 1."""
    result = tertium.score(*files, metric="deps.uas", by="distance").results[0]
    assert counts(result, *BOTH) == {
        "root": (1, 1, 1, 1),
        "1": (1, 2, 1, 4),
        "2": (0, 1, 0, 0),
        "3-6": (0, 1, 0, 0),
    }
    one, two = result.groups["1"], result.groups["2"]
    assert one.parts == {
        "precision": 0.25,
        "recall": 0.5,
        "f1": pytest.approx(1 / 3),
        "aligned_accuracy": 0.5,
    }
    assert one.coverage == {"items": 2}
    assert (two.value, two.parts["precision"], two.parts["recall"]) == (0, None, 0)
    assert two.reasons == {"precision": "the system has nothing in this group"}


def test_by_relation_is_what_the_table_per_label_says(files: tuple[str, str]) -> None:
    result = tertium.score(*files, metric="deps.las", by="deprel").results[0]
    for name, group in result.groups.items():
        row = result.labels[name]
        for part in ("precision", "recall", "f1"):
            assert group.parts[part] == pytest.approx(row[part]), (name, part)
        assert {n: group.counts[n] for n in row["counts"]} == row["counts"]
        assert group.counts["correct_system"] == group.counts["correct"]


def test_a_measure_that_ignores_relations_may_be_right_under_another_one(
    files: tuple[str, str],
) -> None:
    """Heads alone: 'at' is wrong on both sides, under case in gold and obl of the system."""
    result = tertium.score(*files, metric="deps.uas", by="deprel").results[0]
    assert counts(result, *BOTH) == {
        "case": (0, 1, 0, 0),
        "nsubj": (1, 1, 1, 1),
        "obl": (0, 1, 0, 2),
        "punct": (0, 1, 0, 1),
        "root": (1, 1, 1, 1),
    }


def test_numerators_of_the_sides_differ(tmp_path: Path) -> None:
    """The head is right, but one word too many in between makes the arc longer."""
    gold = write(
        tmp_path / "g.conllu",
        [("a", "X", 0, "root"), ("cannot", "X", 1, "x"), ("b", "X", 1, "y")],
    )
    system = write(
        tmp_path / "s.conllu",
        [
            ("a", "X", 0, "root"),
            ("can", "X", 1, "x"),
            ("not", "X", 2, "x"),
            ("b", "X", 1, "y"),
        ],
    )
    result = tertium.score(gold, system, metric="deps.las", by="distance").results[0]
    assert counts(result, *BOTH) == {
        "root": (1, 1, 1, 1),
        "1": (0, 1, 0, 2),
        "2": (1, 1, 0, 0),  # b in gold
        "3-6": (0, 0, 1, 1),  # b as the system has it
    }
    assert counts(result, "aligned") == {"root": (1,), "1": (0,), "2": (1,), "3-6": (0,)}
    two, three = result.groups["2"], result.groups["3-6"]
    assert (two.parts["recall"], two.parts["precision"], two.value) == (1, None, None)
    assert two.reasons["value"] == "gold or system has nothing in this group"
    assert (three.parts["recall"], three.parts["precision"], three.value) == (None, 1, None)
    assert three.reasons["recall"] == "the gold standard has nothing in this group"
    whole = result.counts
    for name in ("correct", "gold", "system", "aligned"):
        assert sum(g.counts[name] for g in result.groups.values()) == whole[name]


def test_tags(files: tuple[str, str]) -> None:
    result = tertium.score(*files, metric="tags.accuracy", by="upos").results[0]
    names = ("correct", "items", "correct_system", "system")
    assert counts(result, *names) == {
        "ADP": (0, 1, 0, 0),
        "NOUN": (1, 1, 1, 2),
        "PRON": (1, 1, 1, 1),
        "PUNCT": (1, 1, 1, 1),
        "VERB": (1, 1, 1, 1),
    }
    noun = result.groups["NOUN"]
    assert noun.parts == {
        "accuracy": 1,
        "precision": 0.5,
        "recall": 1,
        "f1": pytest.approx(2 / 3),
    }, "nothing about whole sentences"


SPANS = """\
{{"tokens": ["Ann", "saw", "New", "York"], "upos": ["PROPN", "VERB", "{tag}", "PROPN"], \
"spans": [[0, 1, "PER"], [2, 4, "{label}"]{more}]}}
"""


@pytest.fixture
def span_files(tmp_path: Path) -> tuple[str, str]:
    gold, system = tmp_path / "g.jsonl", tmp_path / "s.jsonl"
    gold.write_text(SPANS.format(tag="ADJ", label="LOC", more=""))
    system.write_text(SPANS.format(tag="PROPN", label="LOC", more=', [1, 2, "PER"]'))
    return str(gold), str(system)


def test_spans_are_in_the_group_of_their_first_word(span_files: tuple[str, str]) -> None:
    result = tertium.score(*span_files, metric="spans.f1", by="upos").results[0]
    assert counts(result, *BOTH) == {
        "ADJ": (1, 1, 0, 0),
        "PROPN": (1, 1, 2, 2),
        "VERB": (0, 0, 0, 1),
    }
    assert set(result.groups["PROPN"].parts) == {
        *("precision", "recall", "f1"),
        *(f"unlabeled_{part}" for part in ("precision", "recall", "f1")),
    }


def test_counts_of_system_spans_are_by_the_system(span_files: tuple[str, str]) -> None:
    fair = tertium.score(*span_files, metric="spans.fair", by="upos").results[0]
    names = ("tp", "gold", "tp_system", "system", "fp")
    assert counts(fair, *names) == {
        "ADJ": (1, 1, 0, 0, 0),
        "PROPN": (1, 1, 2, 2, 0),
        "VERB": (0, 0, 0, 1, 1),
    }
    verb = fair.groups["VERB"]
    assert verb.parts["traditional"] == {"precision": 0, "recall": None, "f1": 0}
    partial = tertium.score(*span_files, metric="spans.partial", by="upos").results[0]
    assert counts(partial, "possible", "actual", "spurious")["VERB"] == (0, 1, 1)


@pytest.mark.parametrize("metric", ["spans.f1", "spans.fair", "spans.partial"])
def test_counts_of_spans_add_up(samples: Path, metric: str, tmp_path: Path) -> None:
    """Both files with the words' tags in a column of their own."""
    words = (samples / "gold.conllu").read_text().splitlines()
    tags = [word.split("\t")[3] for word in words if word[:1].isdigit()]
    files = []
    for name in ("gold", "arbor"):
        tag = iter(tags)
        lines = (samples / f"entities-{name}.bio").read_text().splitlines()
        rows = [
            f"{next(tag)}\t{line}" if line else ""
            for line in lines
            if not line.startswith("-DOCSTART-")
        ]
        (tmp_path / name).write_text("\n".join(rows) + "\n\n")
        files.append(str(tmp_path / name))
    result = tertium.score(
        *files, metric=f"{metric}(column=ner)", columns="upos=0,form=1,ner=2", by="upos"
    ).results[0]
    assert len(result.groups) > 1
    for name, whole in result.counts.items():
        assert sum(g.counts[name] for g in result.groups.values()) == whole, name


@pytest.mark.parametrize(
    ("precision", "recall", "expected"),
    [
        (0.5, 1, 2 / 3),
        (0, 0, 0),
        (0, 0.5, 0),
        (np.nan, 0, 0),  # as ever: something was to be found, and nothing was claimed
        (0, np.nan, 0),
        (np.nan, 0.5, np.nan),
        (0.5, np.nan, np.nan),
        (np.nan, np.nan, np.nan),
    ],
)
def test_harmonic_mean(precision: float, recall: float, expected: float) -> None:
    found = harmonic_mean(np.array(precision), np.array(recall))
    assert found == pytest.approx(expected, nan_ok=True)


def test_groups_can_be_resampled(samples: Path) -> None:
    result = tertium.score(
        samples / "gold.conllu", samples / "arbor.conllu", metric="deps.las", by="distance"
    ).results[0]
    stats = result.groups["7-"].stats
    assert stats is not None
    assert stats.units < 64, "only units that have something in the group"
    weights = np.vstack([np.ones(stats.units), np.zeros(stats.units)])
    found = sided_scores(make("deps.las"), stats.totals(weights))
    for part, value in result.groups["7-"].parts.items():
        assert found[part].tolist() == [value, pytest.approx(np.nan, nan_ok=True)]


def test_undefined_is_0_where_a_tool_says_so(span_files: tuple[str, str]) -> None:
    verb = tertium.score(*span_files, metric="spans.partial", by="upos").results[0].groups["VERB"]
    assert verb.parts["recall"] == 0
    assert verb.reasons["recall"] == "the gold standard has nothing in this group"


# Metrics that cannot be grouped, and sets.


@dataclass(frozen=True, repr=False)
class Several(MetricSet):
    """Two metrics with items, one without."""

    id = "deps.several"
    title = "several"
    family = "deps"
    cite = "@misc{x}"

    def members(self) -> Mapping[str, Metric]:
        return {"uas": make("deps.uas"), "las": make("deps.las"), "lengths": Lengths()}


@pytest.fixture
def registered() -> Iterator[None]:
    plugins: tuple[type[registry.Plugin], ...] = (Lengths, Several)
    for plugin in plugins:
        registry.register("metrics", plugin)
    yield
    for plugin in plugins:
        registry.unregister("metrics", plugin.id)


@pytest.mark.usefixtures("registered")
def test_a_metric_without_items_has_no_groups(files: tuple[str, str]) -> None:
    scores = tertium.score(*files, metric=["deps.las", "tokens.lengths"], by="depth")
    assert scores["deps.las"].groups
    assert not scores["tokens.lengths"].groups
    assert scores["tokens.lengths"].value is not None
    note = "tokens.lengths is not grouped by depth: it does not judge single items"
    assert scores.notes == (note,)
    scores = tertium.score(*files, metric="deps.sentences", by="depth")
    assert not scores["deps.sentences"].groups
    assert "its value is over whole sentences" in scores.notes[0]


def test_a_part_of_few_words_has_its_own_reason(samples: Path) -> None:
    files = samples / "gold.conllu", samples / "arbor.conllu"
    lexicon = str(samples / "gold.conllu")
    [result] = tertium.score(*files, metric="tags.accuracy", by="upos", lexicon=lexicon)
    group = result.groups["NOUN"]
    assert group.coverage["items"] > 0
    assert group.parts["unknown"] is None
    assert group.reasons["unknown"] == "no unknown words", "not that the group is empty"


@pytest.mark.usefixtures("registered")
def test_members_of_sets_are_grouped(files: tuple[str, str]) -> None:
    scores = tertium.score(*files, metric="deps.several", by="distance")
    alone = tertium.score(*files, metric=["deps.uas", "deps.las"], by="distance")
    for name in ("uas", "las"):
        found, expected = scores[f"deps.{name}"], alone[f"deps.{name}"]
        assert {g: r.counts for g, r in found.groups.items()} == {
            g: r.counts for g, r in expected.groups.items()
        }
    assert not scores["tokens.lengths"].groups
    assert any(n.startswith("tokens.lengths is not grouped by distance") for n in scores.notes)


def test_every_result_has_the_same_groups_in_the_same_order(
    files: tuple[str, str], tmp_path: Path
) -> None:
    """A relation that only one system has is a group of all of them."""
    odd = [*SYSTEM[:2], ("at", "ADP", 2, "odd"), *SYSTEM[3:]]
    scores = tertium.score(
        *files, write(tmp_path / "odd.conllu", odd), metric=["deps.las", "deps.uas"], by="deprel"
    )
    names = [list(r.groups) for r in scores]
    assert names == [["case", "nsubj", "obl", "punct", "root", "odd"]] * 4
    empty = scores["s.conllu", "deps.las"].groups["odd"]
    assert (empty.value, empty.counts["gold"], empty.coverage) == (None, 0, {"items": 0})
