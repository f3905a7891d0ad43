"""Coreference in shared corpora: every file is read, and the numbers are those of the corpora."""

from collections import Counter
from pathlib import Path

import numpy as np

from tertium.corpus.layers import Chains
from tertium.formats.coref.corefud import entity_chains
from tertium.formats.files import read_file
from tertium.formats.validate import validate


def test_cases_of_the_official_scorer(shared: Path) -> None:
    files = [*(shared / "data/coref/conll_v8.01").glob("*.*e*")]
    files = [file for file in files if file.suffix in (".key", ".response")]
    assert len(files) == 36
    sizes = {}
    for file in files:
        corpus = read_file(file)
        assert corpus.format == "conll2012"
        assert not corpus.problems
        sizes[file.name] = corpus.token_count, len(corpus.layer("coref", Chains).start)
    assert sizes["TC-A.key"] == (20, 6)
    assert sizes["TC-A-9.response"] == (20, 17)
    assert sizes["TC-B.key"] == (71, 5)
    notes = {
        file.name: [p.message for each in validate(file).files for p in each.notes]
        for file in files
    }
    assert {name for name, found in notes.items() if found} == {
        f"TC-A-{number}.response" for number in (7, 8, 9)
    }


def test_layers_of_gum(shared: Path) -> None:
    found = {}
    for layer in ("coref_gum", "coref_ontogum"):
        sizes = np.zeros(4, np.int64)
        for file in sorted((shared / "data/gum" / layer).glob("*.conll")):
            corpus = read_file(file)
            assert corpus.format == "gumcoref"
            assert corpus.document_names.to_list() == [file.stem]
            counts = np.bincount(corpus.layer("coref", Chains).entity)
            sizes += [1, corpus.token_count, len(counts), (counts == 1).sum()]
        found[layer] = sizes.tolist()
    assert found == {"coref_gum": [24, 21603, 3398, 2538], "coref_ontogum": [24, 21603, 648, 0]}


def test_gum_has_the_same_mentions_in_misc(shared: Path) -> None:
    """But for one type, in which the two files of a document differ."""
    different = Counter[str]()
    for file in sorted((shared / "data/gum/dep").glob("*.conllu")):
        twin = read_file(shared / "data/gum/coref_gum" / f"{file.stem}.conll")
        chains = entity_chains(read_file(file, needs=frozenset({"coref"})))
        assert chains is not None
        other = twin.layer("coref", Chains)
        for name in ("start", "end", "entity"):
            assert np.array_equal(getattr(chains, name), getattr(other, name)), file.name
        labels = zip(chains.label.to_list(), other.label.to_list(), strict=True)
        different[file.stem] += sum(mine != theirs for mine, theirs in labels)
    assert +different == {"GUM_court_insanity": 1}
