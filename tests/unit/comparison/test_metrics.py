"""Metric against metric: correlations, rankings, perfect sentences, sizes, learning curves."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import tertium
from tertium.cli.main import main
from tertium.comparison.metrics.result import MetricComparison
from tertium.exceptions import InputError, LayerError, UsageError

WAYS = ["deps.las", "deps.uas", "deps.ls"]
WORD = "{}\t{}\t_\tX\t_\t_\t{}\t{}\t_\t_\n"


def conllu(*sentences: str) -> str:
    """Sentences of words `head:relation`."""
    texts = []
    for number, sentence in enumerate(sentences, 1):
        words = [word.split(":") for word in sentence.split()]
        lines = [WORD.format(i, f"w{i}", *word) for i, word in enumerate(words, 1)]
        texts.append(f"# sent_id = s{number}\n" + "".join(lines) + "\n")
    return "".join(texts)


GOLD = ["0:root 1:obj", "2:nsubj 0:root", "0:root 1:obj 1:obl", "0:root"]
# The relation is wrong in s1, a head in s2 and s3.
SYSTEMS = {
    "a": ["0:root 1:obl", "2:nsubj 0:root", "0:root 1:obj 2:obl", "0:root"],
    "b": ["0:root 1:obl", "2:obj 0:root", "0:root 1:obj 1:obl", "0:root"],
    "c": ["0:root 1:obj", "2:nsubj 0:root", "0:root 1:obj 2:obl", "0:root"],
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("metrics")
    for name, sentences in {"gold": GOLD, **SYSTEMS}.items():
        (folder / f"{name}.conllu").write_text(conllu(*sentences), "utf-8")
    for size, name in {10: "b", 9: "a", 100: "c"}.items():
        (folder / f"out.{size}.conllu").write_text(conllu(*SYSTEMS[name]), "utf-8")
    return folder


@pytest.fixture(scope="module")
def found(files: Path) -> MetricComparison:
    paths = [str(files / f"{name}.conllu") for name in ("gold", *SYSTEMS)]
    return tertium.metrics(*paths, metric=WAYS)


def perfect(found: MetricComparison, metric: str, other: str) -> dict[str, tuple[Any, Any]]:
    return {
        each["system"].partition(".")[0]: (each["ids"], each["types"])
        for one in found.sets
        for each in one.perfect
        if (each["metric"], each["other"]) == (metric, other)
    }


def test_scores_are_those_of_score(found: MetricComparison, files: Path) -> None:
    paths = [str(files / f"{name}.conllu") for name in ("gold", *SYSTEMS)]
    scores = tertium.score(*paths, metric=WAYS, labels=False)
    entries = [{"set": found.sets[0].name, **each.to_dict()} for each in scores]
    assert found.to_dict()["scores"] == entries


def test_perfect_sentences_and_the_error_types_of_the_other_metric(
    found: MetricComparison,
) -> None:
    assert perfect(found, "deps.uas", "deps.las") == {
        "a": (["s1"], {"label": 1}),
        "b": (["s1", "s2"], {"label": 2}),
    }
    assert perfect(found, "deps.las", "deps.uas") == {}
    by_label = perfect(found, "deps.ls", "deps.uas")
    assert by_label == {name: (["s3"], {"attachment:sibling": 1}) for name in "ac"}


def test_a_sentence_counts_once_for_a_type(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text(conllu("0:root 1:obj 1:obl", "0:root"), "utf-8")
    (tmp_path / "a").write_text(conllu("0:root 1:iobj 1:nmod", "0:root"), "utf-8")
    found = tertium.metrics(str(tmp_path / "gold"), str(tmp_path / "a"), metric=WAYS[:2])
    assert perfect(found, "deps.uas", "deps.las") == {"a": (["s1"], {"label": 1})}


def test_metrics_of_different_units_are_not_compared(found: MetricComparison) -> None:
    one = found.sets[0]
    results = [replace(r, unit="document") if r.metric == "deps.ls" else r for r in one.scores]
    mixed = replace(one, scores=replace(one.scores, results=tuple(results)))
    assert replace(found, sets=(mixed,)).pairs == [("deps.las", "deps.uas")]


def test_every_sentence_is_perfect_under_one_alone_or_not(found: MetricComparison) -> None:
    """The lists follow from values of sentences alone."""
    one = found.sets[0]
    for system in one.scores.systems:
        for a, b in [("deps.uas", "deps.las"), ("deps.ls", "deps.uas")]:
            x, y = one.values[system, a], one.values[system, b]
            ids = [f"s{n + 1}" for n in np.flatnonzero((x == 1) & (y < 1))]
            assert perfect(found, a, b).get(system.partition(".")[0], ([],))[0] == ids


def test_correlations_over_sentences_pool_systems(found: MetricComparison) -> None:
    one = found.sets[0]
    pooled, *of_systems, over = [
        c for c in found.correlations if c["a"] + c["b"] == "deps.lasdeps.uas"
    ]
    x, y = (np.concatenate([one.values[s, m] for s in one.scores.systems]) for m in WAYS[:2])
    assert (pooled["level"], pooled["n"], pooled["undefined"]) == ("sentence", 12, 0)
    assert pooled["pearson"] == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert pooled["spearman"] == pytest.approx(stats.spearmanr(x, y)[0])
    assert pooled["kendall"] == pytest.approx(stats.kendalltau(x, y)[0])
    assert [c["system"] for c in of_systems] == [f"{name}.conllu" for name in SYSTEMS]
    assert all(c["n"] == 4 for c in of_systems)
    assert (over["level"], over["n"]) == ("system", 3)
    assert [c["level"] for c in found.pooled(0)] == ["sentence"] * 3
    assert [c["level"] for c in found.pooled(1)] == ["system"] * 3
    assert over["kendall"] == pytest.approx(
        stats.kendalltau(found.values["deps.las"], found.values["deps.uas"])[0]
    )


def test_undefined_sentences_are_left_out_and_counted() -> None:
    gold = [["B-PER"], ["O"], ["B-LOC"], ["B-PER"]]
    a = [["B-PER"], ["O"], ["O"], ["B-LOC"]]
    first = tertium.metrics(gold, a, metric=["spans.f1", "spans.partial"]).correlations[0]
    assert (first["n"], first["undefined"]) == (3, 1)


def test_systems_that_metrics_rank_differently(found: MetricComparison) -> None:
    values = {m: found.values[m] for m in WAYS}
    names = [each for each, _ in found.labels.values()]
    expected = [
        (names[i], names[j], one, two)
        for one, two in combinations(WAYS, 2)
        for i, j in combinations(range(3), 2)
        if (values[one][j] - values[one][i]) * (values[two][j] - values[two][i]) < -1e-12
    ]
    keys = [(d["a"], d["b"], d["metric"], d["other"]) for d in found.disagreements]
    assert sorted(keys) == sorted(expected)
    assert expected
    for each in found.disagreements:
        i, j = names.index(each["a"]), names.index(each["b"])
        assert each["delta"] == values[each["metric"]][j] - values[each["metric"]][i]
        assert each["delta"] * each["other_delta"] < 0


def test_the_clearest_disagreement_comes_first(samples: Path) -> None:
    files = [str(samples / f"{name}.conllu") for name in ("gold", "arbor", "breeze", "cedar")]
    found = tertium.metrics(*files).disagreements
    clear = [min(abs(each["delta"]), abs(each["other_delta"])) for each in found]
    assert clear == sorted(clear, reverse=True)
    assert clear[0] > clear[-1]


def test_sizes(found: MetricComparison) -> None:
    (one,) = found.to_dict()["sets"]
    assert (one["units"], one["tokens"], one["tokens_per_sentence"]) == (4, 8, 2.0)
    assert one["items"]["deps.las"] == {
        "item": "word", "count": 8, "per_sentence": 2.0, "per_token": 1.0
    }  # fmt: skip


def test_learning_curves_go_by_number(files: Path) -> None:
    pattern = str(files / "out.{size}.conllu")
    found = tertium.metrics(str(files / "gold.conllu"), curve=pattern, metric=WAYS[:2])
    las, uas = found.to_dict()["curves"]
    assert (las["metric"], uas["metric"], las["curve"]) == (
        "deps.las",
        "deps.uas",
        "out.{size}.conllu",
    )
    assert [point["size"] for point in las["points"]] == [9, 10, 100]
    systems = [
        tertium.score(str(files / "gold.conllu"), str(files / f"{s}.conllu"), metric="deps.las")
        for s in "abc"
    ]
    assert [point["value"] for point in las["points"]] == [each.value for each in systems]
    # The largest stands for the system in the other tables.
    assert found.sets[0].scores.systems == ["out.100.conllu"]
    beside = tertium.metrics(
        str(files / "gold.conllu"), str(files / "a.conllu"), curve=pattern, metric=WAYS[:2]
    )
    assert beside.sets[0].scores.systems == ["a.conllu"]
    assert {each["system"] for each in beside.sets[0].perfect} == {"a.conllu"}
    assert [
        block.title
        for block in beside.blocks(beside.look())
        if "curve" in getattr(block, "title", "")
    ]


def test_sets_are_rows_of_one_table(files: Path) -> None:
    gold, a, b, c = (str(files / f"{name}.conllu") for name in ("gold", *SYSTEMS))
    one = tertium.metrics(sets={"x": (gold, a), "y": (gold, b), "z": (gold, c)}, metric=WAYS)
    assert [*one.labels.values()] == [("x", "x"), ("y", "y"), ("z", "z")]
    same = tertium.metrics(gold, a, b, c, metric=WAYS)
    for metric in WAYS:
        assert one.values[metric].tolist() == same.values[metric].tolist()
    assert [c["kendall"] for c in one.pooled(0)] == [c["kendall"] for c in same.pooled(0)]
    several = tertium.metrics(gold, a, sets=[f"y={gold},{b},{c}"], metric=WAYS)
    assert [short for _, short in several.labels.values()] == ["gold.conllu: a", "y: b", "y: c"]
    table = next(
        b for b in several.blocks(several.look()) if getattr(b, "title", "").startswith("Results")
    )
    assert [row[0] for row in table.rows] == ["gold.conllu: a", "y: b", "y: c"]


def test_metrics_of_one_family_are_the_default(files: Path) -> None:
    found = tertium.metrics(str(files / "gold.conllu"), str(files / "a.conllu"))
    assert len(found.metric_names) > 2
    assert all(metric.startswith("deps.") for metric in found.metric_names)


def test_one_metric_is_not_compared_with_any() -> None:
    found = tertium.metrics([["N", "V"]], [["N", "N"]])
    assert found.correlations == found.disagreements == []
    assert found.notes[-1].startswith("there is only one metric")
    assert found.summary() == ""
    assert "only one metric" in tertium.render(found)


def test_the_summary(found: MetricComparison) -> None:
    assert re.match(
        r"Metrics rank \d of 3 pairs of systems differently, such as [abc] and [abc] "
        r"\(\w+ and \w+\); Kendall's tau over sentences is between -?\d\.\d\d \(\w+, \w+\) and ",
        found.summary(),
    )
    alike = tertium.metrics([["B-X"], ["O"]], [["B-X"], ["O"]], [["O"], ["O"]])
    assert alike.summary().startswith("All metrics rank the 2 systems alike")


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "csv", "json"])
def test_every_format_shows_it(found: MetricComparison, format: str) -> None:
    text = tertium.render(found, format)
    assert "UAS" in text or "uas" in text


def test_frames(found: MetricComparison) -> None:
    assert len(found.to_frame()) == len(found.correlations)
    assert len(found.to_frame("disagreements")) == len(found.disagreements)


def test_the_table_of_perfect_sentences(found: MetricComparison) -> None:
    (table,) = (b for b in found.blocks(found.look()) if "perfect" in getattr(b, "title", ""))
    rows = [row[:6] for row in table.rows if row[:2] == ("UAS", "LAS")]
    assert rows == [("UAS", "LAS", "any", 1, 2, 0), ("UAS", "LAS", "label", 1, 2, 0)]
    assert [c.header for c in table.columns[3:]] == ["a", "b", "c"]
    (named,) = (
        b
        for b in found.blocks(found.look())
        if getattr(b, "title", "") == "Some of these sentences"
    )
    assert ("UAS", "LAS", "s1 and s2") in named.rows


def test_ids_of_metrics_on_request(found: MetricComparison) -> None:
    text = tertium.render(found, ids=True)
    assert "deps.las" in text.partition("signature")[0]


def test_long_tables_are_cut_in_text(found: MetricComparison, files: Path) -> None:
    every = tertium.metrics(*(str(files / f"{n}.conllu") for n in ("gold", *SYSTEMS)))
    short, full = (tertium.render(every, all=each) for each in (False, True))
    assert "more; all=True shows all" in short
    assert "all=True" not in full
    assert len(full) > len(short)


def test_folders_add_up(files: Path, tmp_path: Path) -> None:
    for side, sentences in {"gold": GOLD, "a": SYSTEMS["a"]}.items():
        for part in (0, 1):
            (tmp_path / side).mkdir(exist_ok=True)
            text = conllu(*sentences[2 * part : 2 * part + 2])
            (tmp_path / side / f"{part}.conllu").write_text(text, "utf-8")
    found = tertium.metrics(str(tmp_path / "gold"), str(tmp_path / "a"), metric=WAYS)
    whole = tertium.metrics(str(files / "gold.conllu"), str(files / "a.conllu"), metric=WAYS)
    assert [c["kendall"] for c in found.pooled(0)] == [c["kendall"] for c in whole.pooled(0)]
    assert perfect(found, "deps.uas", "deps.las") == {"a": (["0.conllu:s1"], {"label": 1})}
    assert found.sets[0].items == whole.sets[0].items


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sets": ["x"]}, "a set must be NAME=GOLD,SYSTEM"),
        ({"sets": ["x=gold.conllu"]}, "a set must be NAME=GOLD,SYSTEM"),
        ({"sets": ["x=a,b", "x=a,b"]}, "two sets are named"),
        ({"curve": "out.{size}.conllu"}, "give a gold standard"),
        ({}, "give a gold standard"),
        ({"sets": ["x=gold.conllu,{size}.{size}"]}, "must occur once"),
    ],
)
def test_requests_that_cannot_be_understood(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        tertium.metrics(**options)


def test_a_curve_has_sizes(files: Path) -> None:
    with pytest.raises(UsageError, match="must occur once"):
        tertium.metrics(str(files / "gold.conllu"), curve=str(files / "out.*.conllu"))


def test_series_without_files(files: Path) -> None:
    with pytest.raises(InputError, match="no file matches"):
        tertium.metrics(str(files / "gold.conllu"), str(files / "none.{size}.conllu"))
    (files / "out.010.conllu").write_text(conllu(*GOLD), "utf-8")
    try:
        with pytest.raises(InputError, match="the same size"):
            tertium.metrics(str(files / "gold.conllu"), str(files / "out.{size}.conllu"))
    finally:
        (files / "out.010.conllu").unlink()


def test_a_set_without_the_layer_is_refused(files: Path, tmp_path: Path) -> None:
    (tmp_path / "tags.tsv").write_text("a\tN\n\n", "utf-8")
    gold, tags = str(files / "gold.conllu"), str(tmp_path / "tags.tsv")
    with pytest.raises(LayerError):
        tertium.metrics(sets={"x": (gold, gold), "y": (tags, tags)})


def test_the_command_takes_sets_in_place_of_files(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    (files / "tertium.toml").write_text("broken", "utf-8")  # not read where there are sets
    try:
        assert main(["metrics", "--set", "x=gold.conllu,a.conllu", "-m", "deps.las"]) == 0
        assert "gold.conllu" in capsys.readouterr().out
        (files / "x.txt").write_text("", "utf-8")
        args = ["metrics", "--set", "x=gold.conllu,out.{size}.conllu"]
        (files / "out.7.txt").symlink_to(files / "out.9.conllu")
        assert main([*args, "--output", "out.7.txt"]) == 2
        assert "would replace it" in capsys.readouterr().err
    finally:
        (files / "tertium.toml").unlink()


# -- trees --------------------------------------------------------------------------------------

TREES = [
    "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))",
    "(S (NP (PRP she)) (VP (VBZ sees) (NP (DT a) (NN boat)) (PP (IN on) (NP (NN water)))))",
    "(S (NP (NNS dogs)) (VP (VBP bark)))",
]
PARSES = [
    TREES[0].replace("(NN cat)", "(JJ cat)"),  # POS alone
    # A node more, which no dependency shows.
    TREES[1].replace("(NP (PRP she))", "(NP (NP (PRP she)))"),
    "",
]
THREE = ["trees.parseval(prm='paper')", "trees.leaf_ancestor", "trees.triples"]


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    for name, lines in {"gold": TREES, "a": PARSES, "b": TREES}.items():
        (tmp_path / f"{name}.mrg").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def test_perfect_trees_differ_as_in_the_paper(treebank: Path) -> None:
    """Sections 5.1 (wrong tags) and 5.2 (additional nodes)."""
    gold, a = (str(treebank / f"{name}.mrg") for name in ("gold", "a"))
    found = tertium.metrics(gold, a, metric=THREE)
    brackets, paths, triples = THREE
    assert perfect(found, brackets, triples) == {"a": (["1"], {"POS": 1})}
    assert perfect(found, paths, triples) == {"a": (["1"], {"POS": 1})}
    assert perfect(found, triples, brackets) == {"a": (["2"], {"additional": 1})}
    assert perfect(found, triples, paths) == {"a": (["2"], {"additional": 1})}


def test_sentences_that_a_metric_leaves_out(treebank: Path) -> None:
    gold, a, b = (str(treebank / f"{name}.mrg") for name in ("gold", "a", "b"))
    found = tertium.metrics(gold, a, b, metric=THREE)
    for each in found.pooled(0):
        assert (each["n"], each["undefined"]) == (5, 1)
    of_a = next(c for c in found.correlations if c.get("system") == "a.mrg")
    assert of_a["reason"] == "there are fewer than three sentences with both values"
    # Gold items are those of gold, whatever a system lost.
    alone = tertium.metrics(gold, a, metric=THREE)
    assert alone.sets[0].items == found.sets[0].items
    assert found.sets[0].items[THREE[0], "bracket"] == 12
    penalised = tertium.metrics(gold, a, b, metric=["trees.parseval(missing='penalise')", THREE[2]])
    assert penalised.sets[0].values["a.mrg", penalised.scores.metrics[0]][2] == 0


def test_the_effect_of_the_paper_on_the_samples(samples: Path) -> None:
    """PARSEVAL prefers the deeper trees; paths and dependencies the flat ones."""
    sets = {
        name: [str(samples / f"{name}-{side}.export") for side in ("gold", "arbor")]
        for name in ("tiger", "tueba")
    }
    found = tertium.metrics(sets=sets, metric=THREE)
    assert {(d["metric"], d["other"]) for d in found.disagreements} == {
        (THREE[0], THREE[1]), (THREE[0], THREE[2])
    }  # fmt: skip
    assert all(d["delta"] > 0 > d["other_delta"] for d in found.disagreements)
    tiger, tueba = (each["items"][THREE[0]]["per_token"] for each in found.to_dict()["sets"])
    assert tiger < 0.5 < 1 < tueba


def test_statistics_of_real_trees(shared: Path) -> None:
    folder = shared / "data" / "gum-pcfg"
    files = [str(folder / f"{name}.ptb") for name in ("gold", "pcfg-plain", "pcfg-parent")]
    found = tertium.metrics(*files, metric=["trees.parseval", "trees.leaf_ancestor"])
    (one,) = found.to_dict()["sets"]
    assert (one["units"], one["tokens"]) == (300, 4651)
    assert one["items"]["trees.parseval"]["count"] == 4105
    assert found.values["trees.parseval"].round(4).tolist() == [0.7249, 0.7859]
    assert [(c["n"], c["undefined"]) for c in found.pooled(0)] == [(598, 2)]
    assert found.disagreements == []


def test_a_study_file_lists_metrics(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`metrics` is a list there, not the table of the verb."""
    monkeypatch.chdir(tmp_path)
    systems = "".join(f'{name} = "{files / name}.conllu"\n' for name in SYSTEMS)
    text = f'metrics = ["deps.las", "deps.uas"]\n[data]\ngold = "{files}/gold.conllu"\n[systems]\n'
    Path("tertium.toml").write_text(text + systems, "utf-8")
    assert main(["metrics"]) == 0
    assert "Results for 2 metrics" in capsys.readouterr().out
