"""Layers of `--with`: joined to gold, and seen by systems through the alignment."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tertium
from document_pairs import corpus
from tertium import Corpus, LayerError
from tertium.align.tokens import align
from tertium.corpus.layers import Arcs, Tags
from tertium.exceptions import AlignmentError
from tertium.formats.objects import from_python
from tertium.study.prepare import join_layers, lend_layers


def tagged(words: str, **columns: str) -> Corpus:
    """One sentence with some columns of tags."""
    tokens = words.split()
    return from_python(
        [{"tokens": tokens, **{name: text.split() for name, text in columns.items()}}], name="x"
    )


def lent(system: Corpus, gold: Corpus, *names: str) -> dict[str, list[str]]:
    """The tags of a system after gold has lent it some."""
    found = lend_layers(system, gold, names, align(gold, system))
    return {name: layer.labels.to_list() for name, layer in found.of_kind(Tags).items()}


GOLD = tagged("ab c d", tags="B-X O O", upos="N V D")


def test_tags_reach_the_same_tokens() -> None:
    system = tagged("ab c d", tags="O O O")
    assert lent(system, GOLD, "upos")["upos"] == ["N", "V", "D"]
    assert "upos" not in system.layers


def test_tags_reach_partners_of_other_tokens() -> None:
    assert lent(tagged("a b c d", tags="O O O O"), GOLD, "upos")["upos"] == ["_", "_", "V", "D"]


def test_a_layer_of_its_own_stays() -> None:
    assert lent(tagged("ab c d", upos="A B C"), GOLD, "upos")["upos"] == ["A", "B", "C"]


def test_trees_are_lent_only_as_a_whole(samples: Path) -> None:
    gold = tertium.read(samples / "gold.conllu")
    words = [[*gold.take([n]).forms.to_list()] for n in range(2)]  # type: ignore[union-attr]
    same = from_python([{"tokens": w, "tags": ["O"] * len(w)} for w in words], name="same")
    cut = [[w[0][:1], w[0][1:], *w[1:]] for w in words]
    other = from_python([{"tokens": w, "tags": ["O"] * len(w)} for w in cut], name="other")
    two = gold.take([0, 1])
    assert lend_layers(same, two, ["deps"], align(two, same)).of_kind(Arcs)
    assert not lend_layers(other, two, ["deps"], align(two, other)).of_kind(Arcs)


def test_layers_of_the_same_name_are_not_replaced() -> None:
    gold, notes = join_layers(GOLD, [tagged("ab c d", upos="A B C", xpos="1 2 3")])
    assert gold.layer("upos", Tags).labels.to_list() == ["N", "V", "D"]
    assert [*gold.layers] == [*GOLD.layers, "xpos"]
    assert notes == ["layer 'upos' of x is not used: x has its own"]


def test_words_are_grouped_by_what_the_text_lends(samples: Path) -> None:
    given = [samples / f"entities-{name}.bio" for name in ("gold", "arbor", "breeze")]
    further = [str(samples / "gold.conllu")]
    scores = tertium.score(*given, metric="spans.f1", by="upos", with_files=further)
    for result in scores:
        groups = result.groups.values()
        assert sum(g.counts["system"] for g in groups) == result.counts["system"]
        assert "(none)" not in result.groups
    compared = tertium.compare(
        *given, metric="spans.f1", by="upos", with_files=further, significance=False
    )
    assert set(compared.views[0].groups) <= set(scores.results[0].groups)


def test_what_is_lent_is_not_scored(samples: Path) -> None:
    given = [samples / f"entities-{name}.bio" for name in ("gold", "arbor")]
    further = [str(samples / "gold.conllu")]
    scores = tertium.score(*given, with_files=further)
    assert {result.metric for result in scores if result.value is not None} <= {
        result.metric for result in tertium.score(*given)
    }
    for metric in ("deps.las", "tags.accuracy(column='upos')"):
        with pytest.raises(LayerError, match=r"entities-arbor\.bio has no"):
            tertium.score(*given, metric=metric, with_files=further)


def test_a_nameless_column_is_judged_although_the_text_has_one_of_the_name(tmp_path: Path) -> None:
    (tmp_path / "gold.bio").write_text("ab\tB-X\nc\tO\n")
    (tmp_path / "gold.conllu").write_text(
        "1\tab\t_\tN\t_\t_\t0\troot\t_\t_\n2\tc\t_\tV\t_\t_\t1\tdep\t_\t_\n\n"
    )
    (tmp_path / "sys.tsv").write_text("ab\tN\nc\tN\n")
    result = tertium.score(
        tmp_path / "gold.bio",
        tmp_path / "sys.tsv",
        metric="tags.accuracy",
        with_files=[str(tmp_path / "gold.conllu")],
    ).results[0]
    assert result.value == 0.5


def test_columns_that_an_evaluation_does_without_are_not_lent(tmp_path: Path) -> None:
    def tree(tag: str) -> str:
        return f"1\tab\t_\t{tag}\t_\t_\t0\troot\t_\t_\n\n"

    (tmp_path / "gold.conllu").write_text(tree("_"))
    (tmp_path / "tags.conllu").write_text(tree("N"))
    scores = tertium.score(
        tmp_path / "gold.conllu",
        tmp_path / "gold.conllu",
        metric="deps.ud.upos",
        names=["sys"],
        with_files=[str(tmp_path / "tags.conllu")],
    )
    assert scores.value == 0


def test_a_text_without_sentences_has_those_of_a_second_file(tmp_path: Path) -> None:
    plain = corpus("plain", ":Ada/B-PER met Bob . He left .", "b:Go !")
    other = corpus("other", "p:Ada met Bob . | He left . | Go !")
    (tmp_path / "x.conllu").write_text(
        "# newdoc id = n\n# genre = news\n1\tAda\t_\tN\t_\t_\t0\troot\t_\t_\n\n"
        "1\tmet\t_\tV\t_\t_\t0\troot\t_\t_\n\n"
    )
    found, notes = join_layers(plain, [replace(other, layers={"upos": other.layers["ner"]})])
    assert found.offsets.tolist() == [0, 4, 7, 9]
    assert found.documents.tolist() == [0, 2]
    assert found.document_names.to_list() == ["", "b"]
    assert [*found.layers] == ["ner", "upos"]
    assert notes == []
    back, _ = join_layers(other, [plain])  # the other way round
    assert back.offsets.tolist() == [0, 4, 7, 9]
    # Documents that are marked stay, those that are not are taken over with the comments.
    text = tertium.read(tmp_path / "x.conllu")
    unmarked = Corpus(np.array([0, 2]), text.forms, {})
    joined, _ = join_layers(unmarked, [text])
    assert joined.document_names.to_list() == ["n"]
    assert joined.metadata("genre") == ["news", "news"]
    marked = corpus("marked", "a:Ada met")
    assert join_layers(marked, [text])[0].document_names.to_list() == ["a"]


def test_sentences_that_end_elsewhere_are_refused() -> None:
    plain = corpus("plain", "a:x y", "b:z")
    with pytest.raises(AlignmentError, match="b has other sentences than plain"):
        join_layers(plain, [corpus("b", "a:x | y z")])
    with pytest.raises(AlignmentError, match="b has other tokens than plain"):
        join_layers(plain, [corpus("b", "a:x | y w")])


def test_forms_that_say_nothing_are_those_of_a_second_file() -> None:
    other = corpus("other", "a:x y | _")
    for bare, count in (("_ _ _", "2 tokens"), ("x _ _", "1 token")):
        found, notes = join_layers(corpus("bare", f"a:{bare}"), [other])
        assert found.forms == other.forms
        assert notes[0] == f"{count} without a form in bare: read from other"
    with pytest.raises(AlignmentError, match="other has other tokens than bare"):
        join_layers(corpus("bare", "a:y _ _"), [other])
