"""What theories are judged by natively, and constituents as dependencies."""

from dataclasses import replace

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Arcs
from tertium.families.theories.native import (
    as_dependencies,
    has_dependencies,
    head_rules,
    native_metrics,
)
from tertium.formats.files import read_file
from tertium.formats.heads import load_heads
from tertium.samples import path


def sample(name: str) -> Corpus:
    return read_file(str(path(name)))


def test_trees_are_judged_by_the_metrics_of_their_kind_and_not_by_those_of_tags() -> None:
    dep, ps = sample("theories-dep.conllu"), sample("trees-gold.mrg")
    assert [repr(each) for each in native_metrics(dep)] == ["deps.uas", "deps.las"]
    assert [repr(each) for each in native_metrics(ps)] == ["trees.parseval"]
    assert (has_dependencies(dep), has_dependencies(ps)) == (True, False)


def test_constituents_become_dependencies_within_their_sentences() -> None:
    found = as_dependencies(sample("trees-gold.mrg"), load_heads("penn-content"))
    heads = found.layer("deps", Arcs).head
    # Halden Rail will reopen its oldest line on Monday after a two - year closure .
    assert heads[:16].tolist() == [2, 4, 4, 0, 7, 7, 4, 9, 4, 15, 15, 14, 14, 15, 4, 4]
    # The company , which runs trains ... , was fined $ 4 million in 2019 .
    assert heads[16:22].tolist() == [2, 13, 2, 5, 2, 5]
    assert heads[27:35].tolist() == [13, 0, 13, 14, 14, 18, 13, 13]
    assert np.count_nonzero(heads == 0) == found.sentence_count


def test_rules_that_agree_best_with_gold_dependencies_are_chosen() -> None:
    ps, dep = sample("trees-gold.mrg"), sample("theories-dep.conllu")
    chosen = head_rules(ps, dep)
    assert chosen is not None
    assert chosen.name == "penn-content"
    other = head_rules(ps, as_dependencies(ps, load_heads("penn")))
    assert other is not None
    assert other.name == "penn"
    bare = replace(
        ps, layers={"trees": replace(ps.layers["trees"], label=ps.layers["trees"].function)}
    )  # type: ignore[call-arg,attr-defined]
    assert head_rules(bare, dep) is None
