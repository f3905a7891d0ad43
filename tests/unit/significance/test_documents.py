"""Documents as what is resampled."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from count_samples import f1_result, plain_f1
from tertium.exceptions import InputError, UsageError
from tertium.results.assessment import Testing
from tertium.results.scores import Result
from tertium.significance.assess import assess
from tertium.significance.documents import by_documents, over_documents
from tertium.significance.score.verb import score
from tertium.significance.tests import paired_test

pytestmark = pytest.mark.usefixtures("few_samples")

DOCUMENT = {"unit": "document", "trials": 300}


def files(samples: Path) -> list[str]:
    return [str(samples / f"{name}.conllu") for name in ("gold", "arbor", "breeze")]


def alike(random: np.random.Generator, documents: int, size: int) -> tuple[Result, Result]:
    """Equal systems with document effects: all sentences of a document are better for one."""
    of_sentence = np.repeat(np.arange(documents), size)
    ahead = random.normal(0.0, 0.06, documents)[of_sentence]
    gold = np.full(documents * size, 10)
    pair = []
    for name, sign in (("a", 1), ("b", -1)):
        correct = random.binomial(gold, np.clip(0.8 + sign * ahead, 0, 1))
        one = f1_result(name, np.column_stack([correct, gold, gold]))
        pair.append(replace(one, documents=of_sentence.astype(np.int32)))
    return pair[0], pair[1]


def test_document_effects_reject_true_nulls_unless_documents_are_resampled() -> None:
    times, by_sentence, by_document = 100, 0, 0
    for seed in range(times):
        a, b = alike(np.random.default_rng(seed), 20, 8)
        by_sentence += (paired_test(a, b, trials=200).p or 1) < 0.05
        both = over_documents(a), over_documents(b)
        by_document += (paired_test(*both, trials=200).p or 1) < 0.05
    assert by_sentence >= 0.15 * times
    assert 0.005 * times <= by_document <= 0.12 * times


def test_documents_are_swapped_whole() -> None:
    """Exactly what swapping by hand gives: every way to swap six documents of two sentences."""
    a, b = alike(np.random.default_rng(5), 6, 2)
    found = paired_test(over_documents(a), over_documents(b), trials=10_000)
    assert a.stats is not None
    assert b.stats is not None
    first, second = (r.stats.dense.reshape(6, 2, -1).sum(axis=1) for r in (a, b))
    observed = abs(plain_f1(second) - plain_f1(first))
    beyond = 0
    for swapped in product([False, True], repeat=6):
        mask = np.array(swapped)[:, None]
        one, other = np.where(mask, second, first), np.where(mask, first, second)
        apart = plain_f1(other) - plain_f1(one)
        beyond += abs(apart) >= observed - 1e-12
    assert (found.unit, found.units, found.exact) == ("document", 6, True)
    assert found.p == pytest.approx(beyond / 2**6)


def test_the_samples_by_document_are_what_summed_counts_give(samples: Path) -> None:
    found = score(*files(samples), metric="deps.las", **DOCUMENT)
    plain = score(*files(samples), metric="deps.las", documents=True)
    assert [r.value for r in found] == [r.value for r in plain]
    documents = tertium.read(files(samples)[0]).document_of_sentence
    a, b = (replace(r, stats=r.stats.by_document(documents, 8)) for r in plain if r.stats)
    assert found.assessment is not None
    assert found.assessment.comparisons[0].test == paired_test(a, b, trials=300)
    data = found.to_dict()
    told = data["significance"]
    assert (told["unit"], told["units"]) == ("document", 8)
    assert (told["tests"][0]["unit"], told["tests"][0]["units"]) == ("document", 8)
    assert data["scores"][0]["interval"]["unit"] == "document"
    text = tertium.render(found, "text", width=300)
    assert "resampled by document (8 documents)" in text
    assert "fewer than 200 documents" in text


@pytest.mark.parametrize("by", ["genre", "length", "upos"])
def test_groups_are_of_documents_too(samples: Path, by: str) -> None:
    scores = score(*files(samples), metric="deps.las", by=by, documents=True)
    for result in by_documents(scores):
        for name, group in result.groups.items():
            held = scores[result.system, result.metric].groups[name]
            assert group.stats is not None
            assert held.stats is not None
            assert group.stats.kind == "document"
            assert (group.stats.out_of or group.stats.units) <= 8
            assert np.array_equal(group.stats.dense.sum(axis=0), held.stats.dense.sum(axis=0))
    found = assess(scores, Testing(**DOCUMENT))
    assert {c.test.unit for c in found.comparisons} == {"document"}


@pytest.mark.parametrize("verb", [tertium.score, tertium.compare, tertium.audit, tertium.power])
def test_data_without_documents_is_refused(samples: Path, verb: Callable[..., Any]) -> None:
    names = [str(samples / f"entities-{name}.bio") for name in ("gold", "arbor", "breeze")]
    with pytest.raises(InputError, match="does not mark documents") as caught:
        tertium.render(verb(*names, metric="spans.f1", unit="document"), "json")
    assert "newdoc" in (caught.value.help or "")


def test_items_cannot_be_tested_by_document(samples: Path) -> None:
    with pytest.raises(UsageError, match="compares single tokens"):
        tertium.compare(*files(samples), metric="deps.las", test="mcnemar", unit="document")


def conllu(folder: Path, name: str, right: np.ndarray) -> str:
    """A document a row of `right`, in it a sentence of one word each: is its tag right?"""
    lines = []
    for number, document in enumerate(right):
        for place, is_right in enumerate(document):
            lines += [f"# newdoc id = d{number}"] * (place == 0)
            tag = "NOUN" if is_right else "VERB"
            lines += [f"1\tw\t_\t{tag}\t_\t_\t0\troot\t_\t_", ""]
    path = folder / f"{name}.conllu"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def clustered(tmp_path: Path) -> list[str]:
    """Twelve documents of four sentences; each system fails on whole documents."""
    whole = np.ones((12, 4), bool)
    a, b = whole.copy(), whole.copy()
    a[:3], b[3:5] = False, False
    return [conllu(tmp_path, n, r) for n, r in (("gold", whole), ("a", a), ("b", b))]


def test_a_design_effect_is_told_with_both_intervals(clustered: list[str]) -> None:
    found = score(*clustered, metric="tags.accuracy", significance=True, trials=300)
    assert found.assessment is not None
    (design,) = found.assessment.designs
    # Whole documents are right or wrong: four sentences are as good as one.
    assert design.effect == pytest.approx(4 * (12 / 11) * (47 / 48), rel=0.05)
    assert [each.unit for each in design.intervals] == ["sentence", "document"]
    (note,) = [note for note in found.assessment.notes if "design effect" in note]
    assert "by document" in note
    assert "'--unit document'" in note
    told = found.to_dict()["significance"]["design_effects"]
    assert (told[0]["a"], told[0]["documents"]) == ("a.conllu", 12)
    alone = score(*clustered[:2], metric="tags.accuracy", significance=True, trials=300)
    assert alone.assessment is not None
    assert alone.assessment.designs[0].systems == ("a.conllu",)


def test_documents_without_effects_are_not_told_of(tmp_path: Path) -> None:
    whole = np.ones((12, 4), bool)
    a = whole.copy()
    a[:, 0] = False  # every document alike
    names = [conllu(tmp_path, n, r) for n, r in (("gold", whole), ("a", a))]
    found = score(*names, metric="tags.accuracy", significance=True, trials=100)
    assert found.assessment is not None
    assert found.assessment.designs[0].effect < 1.2
    assert not any("design effect" in note for note in found.assessment.notes)


def test_audit_and_power_go_by_documents(clustered: list[str]) -> None:
    quick = {"metric": "tags.accuracy", "trials": 100}
    found = tertium.audit(*clustered, unit="document", samples=2, sample_trials=10, **quick)
    assert (found.unit, found.units, found.main.test.units) == ("document", 12, 12)
    (other,) = [look for look in found.tests if look.key]
    assert (other.name, other.test.units) == ("paired approximate randomisation by sentence", 48)
    plain = tertium.audit(*clustered, samples=2, sample_trials=10, **quick)
    (other,) = [look for look in plain.tests if look.key]
    assert (other.name, other.test) == (
        "paired approximate randomisation by document",
        found.main.test,
    )
    power = tertium.power(*clustered, unit="document", **quick).metrics[0]
    assert (power.unit, power.test) == ("document", found.main.test)
