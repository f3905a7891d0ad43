"""Documents as units beside sentences: one run, all verbs, text and JSON."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import tertium
from metric_samples import Documents, DocumentTags, DocumentVerbs
from plugins import registered
from schemas import validator_of
from tertium.cli.main import main
from tertium.exceptions import AlignmentError, InputError
from tertium.results.stats import add

pytestmark = pytest.mark.usefixtures("few_samples")

METRICS = ["docs.tags", "docs.verbs", "tags.accuracy"]
WITH_ITEMS = ["docs.tags", "tags.accuracy"]

# Documents: name, genre, and sentences of form/tag.
Document = tuple[str | None, str, Sequence[str]]
GOLD: list[Document] = [
    ("d1", "news", ["dogs/NOUN bark/VERB loudly/ADV", "cats/NOUN sleep/VERB"]),
    ("d2", "news", ["she/PRON sings/VERB", "rain/NOUN falls/VERB often/ADV", "go/VERB"]),
    ("d3", "blog", ["it/PRON works/VERB"]),
]


def changed(documents: list[Document], **tags: str) -> list[Document]:
    """The same with other tags for some words."""

    def told(pair: str) -> str:
        form, _, tag = pair.partition("/")
        return f"{form}/{tags.get(form, tag)}"

    return [(n, g, [" ".join(map(told, s.split())) for s in each]) for n, g, each in documents]


A = changed(GOLD, loudly="ADJ", falls="NOUN")
B = changed(GOLD, sleep="NOUN")


def conllu(documents: list[Document]) -> str:
    """Documents as CoNLL-U: those without a name are not marked."""
    lines = []
    for name, genre, sentences in documents:
        for number, sentence in enumerate(sentences, 1):
            if number == 1 and name is not None:
                lines += [f"# newdoc id = {name}".removesuffix(" id = "), f"# genre = {genre}"]
            lines.append(f"# sent_id = {name}-{number}")
            for place, pair in enumerate(sentence.split(), 1):
                form, _, tag = pair.partition("/")
                tree = "0\troot" if place == 1 else "1\tdep"
                lines.append(f"{place}\t{form}\t{form}\t{tag}\t_\t_\t{tree}\t_\t_")
            lines.append("")
    return "\n".join(lines) + "\n"


@pytest.fixture(autouse=True)
def document_family() -> Iterator[None]:
    with registered(Documents, DocumentTags, DocumentVerbs):
        yield


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """Writes documents to a file and gives its path."""

    def written(name: str, documents: list[Document]) -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(conllu(documents), "utf-8")
        return str(path)

    return written


@pytest.fixture
def files(write: Any) -> tuple[str, str, str]:
    return write("gold.conllu", GOLD), write("a.conllu", A), write("b.conllu", B)


@pytest.fixture
def folders(write: Any, tmp_path: Path) -> list[str]:
    """The same in two files a side."""
    for side, documents in (("gold", GOLD), ("A", A), ("B", B)):
        write(f"{side}/x.conllu", documents[:2])
        write(f"{side}/y.conllu", documents[2:])
    return [str(tmp_path / side) for side in ("gold", "A", "B")]


def run(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> str:
    assert main(args) == code
    out, err = capsys.readouterr()
    return err if code else out


def asked(metrics: Sequence[str] = METRICS) -> list[str]:
    return [word for metric in metrics for word in ("--metric", metric)]


def without_digest(scores: tertium.Scores) -> dict[str, Any]:
    return {**scores.to_dict(), "gold": "", "gold_digest": ""}


# Scores, intervals and tests.


def test_documents_and_sentences_in_one_run(files: tuple[str, str, str]) -> None:
    scores = tertium.score(*files, metric=METRICS, names=["A", "B"], significance=True)
    assert scores.units == 6
    assert scores["A", "docs.tags"].value == scores["A", "tags.accuracy"].value == 11 / 13
    assert scores["A", "docs.verbs"].value == 2 / 3
    kinds = {r.metric: (r.unit, r.units, r.stats and r.stats.kind) for r in scores}
    assert kinds == {
        "docs.tags": ("document", 3, "document"),
        "docs.verbs": ("document", 3, "document"),
        "tags.accuracy": ("sentence", 6, "sentence"),
    }
    assert scores.assessment is not None
    tests = {c.metric: (c.test.units, c.test.unit) for c in scores.assessment.comparisons}
    assert tests["docs.tags"] == tests["docs.verbs"] == (3, "document")
    assert tests["tags.accuracy"] == (6, "sentence")
    intervals = scores.assessment.intervals
    assert intervals["A", "docs.tags", None].unit == "document"
    ends = [(i.low, i.high) for i in (intervals["A", m, None] for m in WITH_ITEMS)]
    assert ends[0] != ends[1]  # the same value over other units varies otherwise


def test_stats_of_different_units_are_never_mixed(files: tuple[str, str, str]) -> None:
    scores = tertium.score(*files[:2], metric=WITH_ITEMS)
    stats = [r.stats for r in scores if r.stats is not None]
    documents = stats[1].by_document(tertium.read(files[0]).document_of_sentence, 3)
    names = ["correct", "items", "system"]
    assert [documents.totals()[n] for n in names] == [stats[0].totals()[n] for n in names]
    assert (documents.dense[:, :3] == stats[0].dense[:, :3]).all()
    with pytest.raises(ValueError, match="different units: document and sentence"):
        add([stats[0], stats[1]])

    from tertium.significance.resample import unit_counts

    with pytest.raises(ValueError, match="different units"):
        unit_counts(list(scores))


def test_json_of_scores(files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "score", *files, *asked(), "--significance", "--format", "json")
    data = json.loads(text)
    validator_of("score").validate(data)
    assert data["units"] == 6
    kinds = [(s["metric"], s.get("unit"), s.get("units")) for s in data["scores"][:3]]
    assert kinds == [
        ("docs.tags", "document", 3),
        ("docs.verbs", "document", 3),
        ("tags.accuracy", None, None),
    ]
    assert [s["interval"].get("unit") for s in data["scores"][:3]] == ["document", "document", None]
    tests = [(t["metric"], t.get("unit"), t["units"]) for t in data["significance"]["tests"]]
    assert tests == [
        ("docs.tags", "document", 3),
        ("docs.verbs", "document", 3),
        ("tags.accuracy", None, 6),
    ]


def test_text_of_scores(files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    both = run(capsys, "score", *files, *asked(), "--significance")
    assert "· 6 sentences · 3 documents · 13 tokens" in " ".join(both.split())
    assert "fewer than 200 documents: bootstrap intervals may be too narrow" in both
    assert "fewer than 200 sentences: bootstrap intervals may be too narrow" in both
    alone = run(capsys, "score", *files, *asked(["tags.accuracy"]), "--significance")
    assert "· 6 sentences · 13 tokens" in " ".join(alone.split())
    assert "fewer than 200 sentences: bootstrap intervals may be too narrow" in alone
    test = run(capsys, "score", *files, *asked(["docs.tags"]), "--test", "bootstrap")
    test = " ".join(test.split())
    assert "fewer than 200 documents: p-values of the bootstrap may be artificially" in test


# Groups.


def test_by_length_documents_have_their_own_buckets(write: Any) -> None:
    sizes = (2, 200, 201, 1001)
    documents: list[Document] = [
        (f"d{n}", "news", ["a/X"] * n) for n in sizes
    ]  # one word a sentence
    gold = write("gold.conllu", documents)
    scores = tertium.score(gold, gold, metric=METRICS, by="length")
    of_documents = {"1-200": 2, "201-500": 1, "1001-": 1}
    for metric in ("docs.tags", "docs.verbs"):
        groups = scores[metric].groups
        assert {name: g.coverage["units"] for name, g in groups.items()} == of_documents
    assert {n: g.units for n, g in scores["tags.accuracy"].groups.items()} == {"1-10": sum(sizes)}
    edges = tertium.score(gold, gold, metric=METRICS, by="length:100,200")
    assert {n: g.units for n, g in edges["docs.tags"].groups.items()} == {
        "1-100": 1,
        "101-200": 1,
        "201-": 2,
    }


def test_by_key_of_comments(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    scores = tertium.score(*files[:2], metric=METRICS, by="genre", significance=True)
    sizes = {m: {n: g.units for n, g in scores[m].groups.items()} for m in METRICS}
    assert sizes == {
        "docs.tags": {"blog": 1, "news": 2},
        "docs.verbs": {"blog": 1, "news": 2},
        "tags.accuracy": {"blog": 1, "news": 5},
    }
    assert scores["docs.verbs"].groups["news"].value == 0.5
    data = json.loads(run(capsys, "score", *files, *asked(), "--by", "genre", "--format", "json"))
    validator_of("score").validate(data)
    assert data["scores"][0]["groups"]["news"]["coverage"] == {"units": 2}
    text = run(capsys, "score", *files, *asked(), "--by", "genre").splitlines()
    headers = [line.split() for line in text if line.startswith("genre")]
    assert [line[2] for line in headers] == ["documents", "sentences"]
    whole = [line.split()[2] for line in text if line.startswith("all")]
    assert whole == ["3", "6"]


def test_by_property_of_words(files: tuple[str, str, str]) -> None:
    scores = tertium.score(
        *files, metric=WITH_ITEMS, by="upos", names=["A", "B"], significance=True
    )
    of_documents, of_sentences = (scores["A", m].groups["VERB"] for m in WITH_ITEMS)
    assert of_documents.parts["recall"] == of_sentences.parts["recall"] == 5 / 6
    assert of_documents.stats is not None
    assert of_documents.stats.kind == "document"
    assert of_documents.stats.out_of == 3
    assert scores.assessment is not None
    found = scores.assessment.of("A", "B", "docs.tags", "VERB")
    assert found is not None
    assert (found.test.units, found.test.unit) == (3, "document")


# Many files.


def test_jobs_and_files_do_not_matter(files: tuple[str, str, str], folders: list[str]) -> None:
    options: dict[str, Any] = {
        "metric": METRICS,
        "names": ["A", "B"],
        "by": "genre",
        "significance": True,
    }
    whole = without_digest(tertium.score(*files, **options))
    assert without_digest(tertium.score(*folders, **options)) == whole
    assert without_digest(tertium.score(*folders, jobs=2, **options)) == whole


def test_files_without_marks_are_documents(write: Any, tmp_path: Path) -> None:
    for side, documents in (("gold", GOLD), ("A", A)):
        for name, genre, sentences in documents:
            write(f"{side}/{name}.conllu", [(None, genre, sentences)])
    scores = tertium.score(
        str(tmp_path / "gold"), str(tmp_path / "A"), metric=METRICS, by="document"
    )
    assert scores["docs.tags"].units == 3
    assert [*scores["docs.tags"].groups] == ["d1", "d2", "d3"]
    assert [*scores["tags.accuracy"].groups] == ["(none)"]
    assert scores.notes == ("files that do not mark documents are scored as one document each",)


# Pairing.


def test_needs_alone_do_not_lose_documents(files: tuple[str, str, str]) -> None:
    assert tertium.score(*files[:2], metric="docs.tags").results[0].units == 3


def test_documents_in_another_order(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    gold, a, b = write("gold.conllu", GOLD), write("a.conllu", A), write("b.conllu", B)
    turned = write("t.conllu", A[::-1])
    metrics = ["docs.tags", "docs.verbs"]
    straight = tertium.score(gold, a, metric=metrics, by="genre")
    moved = tertium.score(gold, turned, metric=metrics, by="genre")
    for metric in metrics:
        assert moved[metric].stats.dense.tolist() == straight[metric].stats.dense.tolist()  # type: ignore[union-attr]
        assert {n: g.value for n, g in moved[metric].groups.items()} == {
            n: g.value for n, g in straight[metric].groups.items()
        }
    errors = [*tertium.errors(gold, turned, metric="docs.tags").instances]
    assert [(e.sentence, e.document) for e in errors] == [("d1-1", "d1"), ("d2-2", "d2")]
    assert [e.system_item.line for e in errors if e.system_item] == [
        conllu(A[::-1]).splitlines().index(line) + 1
        for line in ("3\tloudly\tloudly\tADJ\t_\t_\t1\tdep\t_\t_",
                     "2\tfalls\tfalls\tNOUN\t_\t_\t1\tdep\t_\t_")
    ]  # fmt: skip
    ours = tertium.compare(gold, a, b, metric="docs.tags").views[0].pairs[0].to_dict()
    theirs = tertium.compare(gold, turned, b, metric="docs.tags").views[0].pairs[0].to_dict()
    assert {**theirs, "a": "a.conllu"} == ours
    assert tertium.diff(a, turned, metric="docs.tags").layer.different == 0
    with pytest.raises(AlignmentError):  # sentences are in the order of the text
        tertium.score(gold, turned, metric=WITH_ITEMS)
    told = run(capsys, "score", gold, turned, *asked(), code=3)
    assert "gold.conllu" in told


@pytest.mark.parametrize("lacks", ["gold", "system"])
def test_a_document_that_one_side_lacks(
    write: Any, capsys: pytest.CaptureFixture[str], lacks: str
) -> None:
    gold = write("gold.conllu", GOLD[: 2 if lacks == "gold" else 3])
    system = write("a.conllu", A[: 2 if lacks == "system" else 3])
    told = run(capsys, "score", gold, system, *asked(["docs.tags"]), code=3)
    without, other = ("gold", "a") if lacks == "gold" else ("a", "gold")
    assert f"{without}.conllu has no document 'd3'" in told
    assert f"{other}.conllu has" in told


def test_a_name_twice_in_one_file(write: Any, capsys: pytest.CaptureFixture[str]) -> None:
    gold = write("gold.conllu", GOLD)
    twice = write("a.conllu", [*A[:2], ("d1", *A[2][1:])])
    told = run(capsys, "score", gold, twice, *asked(["docs.tags"]), code=3)
    assert "a.conllu has 2 documents 'd1', the second from line " in told
    assert run(capsys, "score", gold, twice, *asked(["tags.accuracy"]))  # sentences are fine


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_name_twice_in_two_files(write: Any, tmp_path: Path, jobs: int) -> None:
    for side, documents in (("gold", GOLD), ("A", A)):
        write(f"{side}/x.conllu", documents[:2])
        write(f"{side}/y.conllu", [("d2", *documents[2][1:])])
    paths = [str(tmp_path / side) for side in ("gold", "A")]
    both = r"gold: 'x.conllu' and 'y.conllu' both have a document 'd2'"
    with pytest.raises(InputError, match=both):
        tertium.score(*paths, metric=METRICS, jobs=jobs)
    assert tertium.score(*paths, metric="tags.accuracy").units == 6


def test_a_file_without_marks_is_one_document(
    write: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = write("plain.conllu", [(None, g, s) for _, g, s in GOLD])
    a = write("a.conllu", A)
    scores = tertium.score(plain, a, metric=METRICS, by="document")
    assert scores["docs.tags"].units == 1
    assert [*scores["docs.tags"].groups] == ["plain"]
    note = "does not mark documents and is scored as one"
    assert [n for n in scores.notes if note in n]
    assert note in " ".join(run(capsys, "score", plain, a, *asked()).split())
    assert note not in run(capsys, "score", plain, a, *asked(["tags.accuracy"]))
    # A system without marks follows the gold standard.
    scores = tertium.score(write("gold.conllu", GOLD), plain, metric=METRICS)
    assert scores["docs.tags"].units == 3
    assert not scores.notes


def test_documents_without_a_name(write: Any) -> None:
    gold = write("gold.conllu", [(None, *GOLD[0][1:]), *GOLD[1:]])
    scores = tertium.score(gold, gold, metric=METRICS, by="document")
    assert [*scores["docs.tags"].groups] == ["d2", "d3", "gold"]
    assert [*scores["tags.accuracy"].groups] == ["d2", "d3", "(none)"]
    unnamed = write("gold.conllu", [("", *each[1:]) for each in GOLD])
    scores = tertium.score(unnamed, unnamed, metric=METRICS, by="document")
    assert [*scores["docs.tags"].groups] == ["gold 1", "gold 2", "gold 3"]


# Comparisons.


def test_compare(
    files: tuple[str, str, str],
    folders: list[str],
    pool: Executor,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = run(capsys, "compare", *files, *asked(), "--by", "genre", "--format", "json")
    data = json.loads(text)
    validator_of("compare").validate(data)
    assert [(p["metric"], p["different"], p["complete"]) for p in data["pairs"]] == [
        ("docs.tags", 3, {"a": 1, "b": 2, "both": 1, "documents": 3}),
        ("tags.accuracy", 3, {"a": 4, "b": 5, "both": 3, "sentences": 6}),
    ]
    found = tertium.compare(*folders, metric=METRICS, by="genre", executor=pool)
    of_folders = [pair.to_dict() for view in found.views for pair in view.pairs]
    assert [{**p, "a": "", "b": ""} for p in of_folders] == [
        {**{k: v for k, v in p.items() if k in of_folders[0]}, "a": "", "b": ""}
        for p in data["pairs"]
    ]
    shown = " ".join(run(capsys, "compare", *files, *asked(), "--all").split())
    for unit in ("documents", "sentences"):
        assert f"exact match: {unit} without an error" in shown
    assert "docs.verbs is scored, not compared: it does not judge single items" in shown


def test_examples_are_in_their_sentences(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(
        run(capsys, "compare", *files, *asked(WITH_ITEMS), "--examples", "0", "--format", "json")
    )
    told = [
        [(e["class"], e["document"], e["sentence"], e["text"], e["first"])
         for e in data["examples"] if e["metric"] == metric]
        for metric in WITH_ITEMS
    ]  # fmt: skip
    assert told[0] == told[1]
    assert ("corrections", "d2", "d2-2", "falls", 2) in told[0]


def test_vote_weights_are_cross_fitted_by_document(files: tuple[str, str, str]) -> None:
    found = tertium.compare(*files, metric=WITH_ITEMS, ensembles=True)
    of_documents, of_sentences = (
        [vote.scores[metric].value for vote in found.ensembles] for metric in WITH_ITEMS
    )
    assert of_documents == of_sentences


def test_errors(files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    told = [
        run(capsys, "errors", *files[:2], *asked([metric]), "--format", "json")
        for metric in WITH_ITEMS
    ]
    entries = [[json.loads(line) for line in text.splitlines()] for text in told]
    assert [e["sentence"] for e in entries[0]] == ["d1-1", "d2-2"]
    for ours, theirs in zip(*entries, strict=True):
        assert {k for k in ours if ours[k] != theirs[k]} <= {"metric", "signature"}


def test_diff(
    files: tuple[str, str, str],
    folders: list[str],
    pool: Executor,
    capsys: pytest.CaptureFixture[str],
) -> None:
    args = (*files[1:], *asked(WITH_ITEMS), "--by", "genre")
    data = json.loads(run(capsys, "diff", *args, "--format", "json"))
    validator_of("diff").validate(data)
    assert data["units"] == 6
    documents, sentences = data["layers"]
    assert documents["documents"] == {"all": 3, "same": 1}
    assert documents["groups"]["news"]["documents"] == {"all": 2, "same": 0}
    assert sentences["sentences"] == {"all": 6, "same": 3}
    both = tertium.diff(*folders[1:], metric=WITH_ITEMS, by="genre", executor=pool)
    assert [layer.to_dict()["groups"] for layer in both.layers] == [
        layer["groups"] for layer in data["layers"]
    ]
    assert "6 sentences · 3 documents · 13 tokens" in run(capsys, "diff", *args)


# Audit and power.


def test_audit(files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    quick = ("--samples", "5", "--trials", "1000")
    args = (*files, *asked(), *quick, "--by", "length", "--by", "genre")
    data = json.loads(run(capsys, "audit", *args, "--format", "json"))
    validator_of("audit").validate(data)
    assert (data["unit"], data["units"]) == ("document", 3)
    looks = {(look["family"], look["name"]): look for look in data["looks"]}
    assert looks["main", "docs.tags"]["unit"] == "document"
    # The same values over other units are another number.
    accuracy = looks["metric", "tags.accuracy"]
    assert (accuracy["units"], accuracy.get("unit")) == (6, None)
    assert looks["metric", "docs.verbs"]["units"] == 3
    assert ("size", "1 random document") in looks
    lengths = [look["most_words"] for look in looks.values() if look["family"] == "length"]
    assert lengths == [2, 5]  # words of documents, the longest being the main result
    assert looks["group", "length 1-200"]["units"] == 3
    assert looks["group", "genre news"]["units"] == 2
    sizes = {(r["metric"], r.get("unit"), r["units"]) for r in data["rates"] if r["share"] == 1}
    assert sizes == {
        ("docs.tags", "document", 3),
        ("docs.verbs", "document", 3),
        ("tags.accuracy", None, 6),
    }
    text = " ".join(run(capsys, "audit", *args, "--all").split())
    for told in (
        "(3 documents): a difference of",
        "As documents are added in 5 random orders",
        "random halves of the documents",
        "cut-off of document length",
        "words of the longest document",
        "2, 2, 3 documents; 1, 2, 3, 4, 6 sentences",
    ):
        assert told in text
    other = json.loads(run(capsys, "audit", *files, *asked([*METRICS[::-1]]), "--format", "json"))
    assert (other.get("unit"), other["units"]) == (None, 6)


def test_power(files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    args = (*files, *asked(), "--trials", "500", "--format", "json")
    data = json.loads(run(capsys, "power", *args))
    validator_of("power").validate(data)
    assert data["units"] == 6
    told = {m["metric"]: (m.get("unit"), m["test"]["units"]) for m in data["metrics"]}
    assert told == {
        "docs.tags": ("document", 3),
        "docs.verbs": ("document", 3),
        "tags.accuracy": (None, 6),
    }
    sizes = [[s["units"] for s in m["by_units"]] for m in data["metrics"]]
    assert [max(each) for each in sizes] == [48, 48, 96]
    words = [m["by_units"][-1]["words"] for m in data["metrics"]]
    assert words == [208, 208, 208]
    for each in sizes:
        assert all(a < b for a, b in pairwise(each))
    text = " ".join(run(capsys, "power", *files, *asked()).split())
    assert "0.00 23 documents 100" in text  # in a column with sentences
    assert "takes 23 documents (100 words)" in text
    assert "docs.tags: power by difference, 3 documents" in text
    assert "accuracy: power by difference, 6 sentences" in text


@pytest.mark.parametrize("turned", [False, True])
def test_sentences_are_drawn_whatever_the_unit(write: Any, turned: bool) -> None:
    system = write("a.conllu", A[::-1] if turned else A)
    drawing = tertium.draw(write("gold.conllu", GOLD), system, metric="docs.tags")
    assert [scene.id for scene in drawing.pairs] == ["d1-1", "d2-2"]
    wrong = [[scene.words[place] for place in scene.differing] for scene in drawing.pairs]
    assert wrong == [["loudly"], ["falls"]]
    assert "ADV ≠" in drawing.text()
