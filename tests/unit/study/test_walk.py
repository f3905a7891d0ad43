"""One walk for every verb: results depend neither on processes nor on the order of files."""

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import tertium
from tertium import AlignmentError, LayerError, Testing, UsageError
from tertium.align.tokens import Alignment
from tertium.comparison.compare.files import SideBySide
from tertium.comparison.conventions import conventions
from tertium.comparison.errors.columns import Filters
from tertium.comparison.errors.verb import Search
from tertium.corpus.corpus import Corpus
from tertium.families.base import make
from tertium.families.deps import ud
from tertium.families.tags import Accuracy
from tertium.formats.files import read_file
from tertium.results.decisions import Decisions
from tertium.significance.score.counts import count
from tertium.study.files import File
from tertium.study.study import Study
from tertium.study.walk import walk

pytestmark = pytest.mark.usefixtures("few_samples")

TREES = ("gold", "arbor", "breeze", "cedar")
SPANS = ("entities-gold", "entities-arbor", "entities-breeze")
QUICK = Testing(trials=200)

VERBS: dict[str, Callable[..., Any]] = {
    "score": lambda of, **way: tertium.score(
        *of(*TREES), labels=True, confusion=True, significance=QUICK, **way
    ),
    "score by a property of words": lambda of, **way: tertium.score(
        *of(*TREES[:3]), metric=["deps.las", "deps.uas"], by="distance", **way
    ),
    "score by genre": lambda of, **way: tertium.score(
        *of(*TREES[:3]), metric="deps.ud", by="genre", **way
    ),
    "score runs": lambda of, **way: tertium.score(
        of("gold")[0], tertium.runs("A", *of("arbor", "cedar")), metric="deps.las", **way
    ),
    "score spans": lambda of, **way: tertium.score(
        *of(*SPANS), metric=["spans.fair", "spans.f1"], confusion=True, **way
    ),
    "compare with examples": lambda of, **way: tertium.compare(
        *of(*TREES), by="genre", examples=True, significance=QUICK, **way
    ),
    "compare by a property of words": lambda of, **way: tertium.compare(
        *of(*TREES[:3]), metric="deps.las", by="upos", significance=False, **way
    ),
    "compare with cross-fitted weights": lambda of, **way: tertium.compare(
        *of(*TREES),
        metric=["deps.las", "tags.accuracy"],
        ensembles=True,
        significance=False,
        **way,
    ),
    "compare with given weights": lambda of, **way: tertium.compare(
        *of(*SPANS),
        metric="spans.f1",
        weights_from=tertium.score(*of(*SPANS), metric="spans.f1").to_dict() | {"gold_digest": ""},
        significance=False,
        **way,
    ),
    "compare with further golds": lambda of, **way: tertium.compare(
        *of("gold", "arbor", "breeze"),
        metric="deps.las",
        other_golds=of("cedar"),
        significance=False,
        **way,
    ),
    "errors": lambda of, **way: tertium.errors(*of(*TREES[:3]), limit=7, **way),
    "errors of some kinds": lambda of, **way: tertium.errors(
        *of(*SPANS), types="BE", gold_labels=["ORG", "PER"], **way
    ),
    "errors drawn at random": lambda of, **way: tertium.errors(
        *of(*TREES[:3]), metric="tags.accuracy", sample=5, seed=3, **way
    ),
    "diff": lambda of, **way: tertium.diff(*of("arbor", "breeze"), examples=4, by="genre", **way),
    "draw": lambda of, **way: tertium.draw(*of("gold", "arbor"), limit=12, **way),
    "draw by id and number": lambda of, **way: tertium.draw(
        *of("gold", "arbor"), sentence=["news-1-s2", 11, 35, "39"], **way
    ),
    "audit": lambda of, **way: tertium.audit(
        *of("gold", "arbor", "breeze"),
        metric="deps.las",
        by=["genre", "upos"],
        testing=QUICK,
        samples=5,
        sample_trials=50,
        **way,
    ),
    "power": lambda of, **way: tertium.power(
        *of("gold", "arbor", "cedar"), metric="deps.las", difference=0.3, trials=100, **way
    ),
    "conventions": lambda of, **way: conventions(*of(*SPANS), **way),
}


def assert_same(verb: str, folders: Path, executor: Executor) -> tuple[Any, Any]:
    """A verb gives the same with and without an executor, to the last digit."""

    def of(*names: str) -> list[str]:
        return [str(folders / name) for name in names]

    alone, together = VERBS[verb](of), VERBS[verb](of, executor=executor)
    assert json.dumps(alone.to_dict()) == json.dumps(together.to_dict())
    return alone, together


@pytest.mark.parametrize("verb", VERBS)
def test_processes_make_no_difference(verb: str, folders: Path, pool: Executor) -> None:
    alone, together = assert_same(verb, folders, pool)
    if verb == "compare with examples":
        pairs = [found.views[0].pairs[0] for found in (alone, together)]
        assert pairs[0].transitions("new_errors") == pairs[1].transitions("new_errors")


def test_the_command_line_starts_processes(folders: Path) -> None:
    files = [str(folders / name) for name in TREES[:2]]
    code = "from tertium.cli.main import main; main()"
    command = [sys.executable, "-c", code, "errors", *files, "--format", "json", "--jobs", "2"]
    told = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    found = [json.loads(line) for line in told.splitlines()]
    assert found == [instance.to_dict() for instance in tertium.errors(*files)]


def test_an_error_in_a_process_comes_back_whole(
    folders: Path, tmp_path: Path, pool: Executor
) -> None:
    for path in (folders / "arbor").iterdir():
        text = path.read_text(encoding="utf-8")
        (tmp_path / path.name).write_text(text.replace("\tRail\t", "\tRoad\t"), encoding="utf-8")
    told = []
    for way in ({}, {"executor": pool}):
        with pytest.raises(AlignmentError, match="news-1-s1") as caught:
            tertium.score(folders / "gold", tmp_path, metric="deps.las", **way)
        told.append((caught.value.message, caught.value.help))
    assert told[0] == told[1]
    with pytest.raises(UsageError, match="jobs must be at least 1"):
        tertium.diff(folders / "gold", folders / "arbor", jobs=0)


class Post(Executor):
    """Stands for another machine: everything is sent by post, and comes back so. `sizes` are those
    of the letters."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        letter = pickle.dumps((function, args, kwargs))
        self.sizes.append(len(letter))
        function, args, kwargs = pickle.loads(letter)
        future: Future[Any] = Future()
        future.set_result(pickle.loads(pickle.dumps(function(*args, **kwargs))))
        return future


def test_a_file_travels_without_the_others(folders: Path, tmp_path: Path) -> None:
    for side in ("gold", "arbor"):
        (tmp_path / side).mkdir()
        for number in range(30):
            text = (folders / side / "one.conllu").read_bytes()
            (tmp_path / side / f"{number}.conllu").write_bytes(text)
    sizes = []
    for given in (folders, tmp_path):
        with Post() as post:
            tertium.score(given / "gold", given / "arbor", metric="deps.las", executor=post)
        sizes.append(max(post.sizes))
    assert sizes[1] < sizes[0] + 200


def copy(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def test_a_study_travels(folders: Path) -> None:
    study = Study.of(
        str(folders / "gold"), [str(folders / "arbor")], metric="deps.ud", by="genre", align="auto"
    )
    again = copy(study)
    assert again.shards == study.shards
    assert (again.metrics, again.sets, again.by) == (study.metrics, study.sets, study.by)
    assert [shard.number for shard in study.shards] == [0, 1, 2]
    assert study.without_files().shards == ()
    assert study.without_files().metrics == study.metrics


def test_what_is_found_in_a_file_travels(folders: Path) -> None:
    gold, system = (read_file(folders / name / "one.conllu") for name in ("gold", "arbor"))
    assert copy(gold) == gold
    decisions = tertium.decide(gold, system, "deps.las")
    again = copy(decisions)
    assert again.to_frame().equals(decisions.to_frame())
    stats = make("deps.las").stats(decisions)
    assert str(copy(stats).totals()) == str(stats.totals())
    assert copy(stats).columns == stats.columns
    answers = Decisions.join([decisions] * 2, counted=np.ones(9, np.bool_))
    assert np.array_equal(copy(answers).answer, answers.answer)
    visits = [count, SideBySide(places=True), Search(Filters()), _visit_nothing]
    study = Study.of(gold, [system, system], metric="deps.las", names=["a", "b"])
    for visit in visits:
        (found,) = walk(study, copy(visit))
        assert pickle.dumps(found)


def _visit_nothing(file: File) -> int:
    return file.gold.sentence_count


def tags(path: Path, *sentences: str) -> None:
    """Write a file of words and tags."""
    path.parent.mkdir(exist_ok=True)
    lines = ["\n".join(f"w\t{tag}" for tag in sentence.split()) for sentence in sentences]
    path.write_text("\n\n".join(lines) + "\n")


@pytest.mark.parametrize("metric", ["spans.f1(repair='drop')", "spans.f1(compat='seqeval-strict')"])
@pytest.mark.parametrize("order", ["abc", "bca", "cab"])
def test_all_gold_files_together_settle_a_scheme(
    metric: str, order: str, tmp_path: Path, pool: Executor
) -> None:
    texts = ("O O O", "B-X O B-X", "B-X I-X O") if "strict" in metric else TEXTS
    for name, text in zip(order, texts, strict=True):
        tags(tmp_path / "gold" / f"{name}.bio", text)
        tags(tmp_path / "sys" / f"{name}.bio", text.replace("B-X O", "I-X O"))
    tags(tmp_path / "gold.bio", *texts)
    tags(tmp_path / "sys.bio", *(text.replace("B-X O", "I-X O") for text in texts))
    whole = tertium.score(tmp_path / "gold.bio", tmp_path / "sys.bio", metric=metric)
    listed = tertium.errors(tmp_path / "gold.bio", tmp_path / "sys.bio", metric=metric)
    for way in ({}, {"executor": pool}):
        parts = tertium.score(tmp_path / "gold", tmp_path / "sys", metric=metric, **way)
        assert (parts.value, parts.results[0].counts) == (whole.value, whole.results[0].counts)
        assert parts.results[0].signature == whole.results[0].signature
        found = tertium.errors(tmp_path / "gold", tmp_path / "sys", metric=metric, **way)
        assert found.total == listed.total


TEXTS = ("B-X O I-X", "B-X B-X I-X", "B-X I-X O")


@pytest.mark.parametrize("metric", ["spans.f1", "spans.f1(repair='drop')", None])
def test_files_must_agree_on_the_column(metric: str | None, tmp_path: Path, pool: Executor) -> None:
    for side in ("gold", "sys"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.bio").write_text("w\tB-X\nw\tO\n")
        (tmp_path / side / "b.bio").write_text("w\tn\tB-X\nw\tn\tO\n")
    for way in ({}, {"executor": pool}):
        with pytest.raises(LayerError, match=r"differ.*(column2.*tag|accuracy)"):
            tertium.score(tmp_path / "gold", tmp_path / "sys", metric=metric, **way)


@dataclass(frozen=True, repr=False)
class Shifted(Accuracy):
    """Tags of the neighbour to the right: pairs words in its own way."""

    id: ClassVar[str] = "test.shifted"
    asked: ClassVar[list[str]] = []

    def aligned(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Alignment:
        self.asked.append(system.origin)
        partner = np.append(alignment.system_of_gold[1:], np.int32(-1))
        back = np.append(np.int32(-1), alignment.gold_of_system[:-1])
        return replace(alignment, system_of_gold=partner, gold_of_system=back)


def test_a_metric_is_asked_once_how_it_pairs_words(folders: Path) -> None:
    given = [str(folders / name) for name in TREES[:3]]
    metric = Shifted(column="upos")
    Shifted.asked.clear()
    scores = tertium.score(*given, metric=metric, confusion=True, by="deprel")
    assert len(Shifted.asked) == 3 * 2
    assert scores.results[0].value is not None
    assert scores.results[0].value < 0.5
    Shifted.asked.clear()
    found = tertium.errors(*given, metric=metric)
    assert len(Shifted.asked) == 3 * 2
    for result in scores:
        counts = result.counts
        wrong = {k: n for k, n in found.unfiltered[result.system].items() if k != "unaligned"}
        assert counts["items"] - counts["correct"] == sum(wrong.values()) + 3  # last words


def test_all_numbers_of_an_evaluation_share_an_alignment(
    folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def counted(gold: Corpus, system: Corpus, alignment: Alignment) -> Alignment:
        made.append(system.origin)
        return by_characters(gold, system, alignment)

    by_characters = ud._by_characters
    monkeypatch.setattr(ud, "_by_characters", counted)
    given = [str(folders / name) for name in TREES[:3]]
    tertium.score(*given, metric="deps.ud", align="position")
    assert len(made) == 3 * 2


def test_a_small_cluster_gives_the_same(folders: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=False,
            protocol="tcp://",
            host="127.0.0.1",
            dashboard_address=None,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        for verb in ("score by genre", "compare with cross-fitted weights"):
            assert_same(verb, folders, client.get_executor())
