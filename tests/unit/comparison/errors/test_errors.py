"""Errors as instances: the same decisions as the score, shown where they are."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from metric_samples import Lengths
from tertium import registry
from tertium.align.tokens import Alignment
from tertium.comparison.errors.columns import SideItems
from tertium.comparison.errors.contexts import SentenceTexts
from tertium.comparison.errors.instances import Head, Instance
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.exceptions import LayerError, UsageError
from tertium.families.base import has_items
from tertium.families.spans.exact import F1
from tertium.results.decisions import CORRECT, Decisions
from tertium.results.items import Items
from trees import corpus_of


def bio(path: Path, *sentences: tuple[str, str]) -> str:
    """A file of words and tags."""
    blocks = [
        "\n".join(f"{w}\t{t}" for w, t in zip(words.split(), tags.split(), strict=True))
        for words, tags in sentences
    ]
    path.write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")
    return str(path)


def conllu(path: Path, *sentences: str) -> str:
    """A file of CoNLL-U from lines `form upos head relation [misc]`, with ids a, b, ..."""
    blocks = []
    for letter, sentence in zip("abcdefgh", sentences, strict=False):
        rows = [f"# sent_id = {letter}"]
        number = 0
        for line in filter(str.strip, sentence.split("\n")):
            if line.lstrip().startswith("#"):
                rows.append(line.strip())
                continue
            first, *rest = line.split()
            if "-" in first and first[0].isdigit():
                rows.append(f"{first}\t{rest[0]}\t_\t_\t_\t_\t_\t_\t_\t_")
                continue
            number += 1
            upos, head, relation, *misc = rest
            rows.append(
                f"{number}\t{first}\t_\t{upos}\t_\t_\t{head}\t{relation}\t_\t{(misc or ['_'])[0]}"
            )
        blocks.append("\n".join(rows))
    path.write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")
    return str(path)


def marked(instance: Instance) -> tuple[list[str], list[str]]:
    """The words that are marked for gold and for the system."""
    text = instance.context.text
    sides = (instance.context.gold, instance.context.system)
    return tuple([text[a:z] for a, z in ranges] for ranges in sides)  # type: ignore[return-value]


@pytest.fixture
def news(tmp_path: Path) -> tuple[str, str]:
    gold = bio(
        tmp_path / "gold.bio",
        ("Ann met Acme Labs Oslo in May .", "B-PER O B-ORG I-ORG I-ORG O O O"),
        ("Nothing here .", "O O O"),
        ("New York slept .", "B-LOC I-LOC O O"),
    )
    system = bio(
        tmp_path / "system.bio",
        ("Ann met Acme Labs Oslo in May .", "B-PER O B-ORG I-ORG O O B-MISC O"),
        ("Nothing here .", "O O O"),
        ("New York slept .", "B-ORG I-ORG O O"),
    )
    return gold, system


def test_spans_in_the_order_of_the_text(news: tuple[str, str]) -> None:
    found = tertium.errors(*news, metric="spans.f1")
    assert [(e.type, e.outcome, e.gold_label, e.system_label) for e in found] == [
        ("missing", "missing", "ORG", None),
        ("extra", "extra", None, "ORG"),
        ("extra", "extra", None, "MISC"),
        ("label", "wrong", "LOC", "ORG"),
    ]
    missing, extra, _, label = found
    assert missing.gold_item is not None
    assert (missing.gold_item.first, missing.gold_item.last) == (3, 5)
    assert (missing.gold_item.text, missing.gold_item.line) == ("Acme Labs Oslo", 3)
    assert missing.gold_item.start is None  # a file of columns does not say where spaces are
    assert missing.system_item is None
    assert marked(missing) == (["Acme Labs Oslo"], [])
    assert marked(extra) == ([], ["Acme Labs"])
    assert (label.unit, label.sentence, label.document) == (2, "3", None)
    assert marked(label) == (["New York"], ["New York"])
    assert label.file == news[0]
    assert label.system_item is not None
    assert label.system_item.file == news[1]
    assert label.system_item.line == 14


# The samples have the same words on all sides, no graphs, and systems without lemmas. Theories are
# tested in families/theories; entities have no sentence of their own.
OTHER_FILES = {
    *(f"deps.{n}" for n in ("tokens", "sentences", "words", "elas", "eulas", "lemmas", "blex")),
    *("theories.tedeval", "coref.entities"),
}


METRICS = sorted({*registry.names("metrics"), "deps.ud.las"} - {*OTHER_FILES, "deps.ud"})
METRICS = [name for name in METRICS if has_items(tertium.metric(name))]


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_lists_what_it_decided(metric: str, samples: Path) -> None:
    made = tertium.metric(metric)
    names = {"spans": "entities-{}.bio", "trees": "trees-{}.mrg", "coref": "coref-{}.conll"}
    name = names.get(made.family, "{}.conllu")
    files = [str(samples / name.format(n)) for n in ("gold", "breeze")]
    found = tertium.errors(*files, metric=metric)
    decisions = tertium.decide(*files, metric)
    wrong = np.flatnonzero(decisions.outcome != CORRECT)
    assert len(found) == found.total == len(wrong) > 5
    rows = decisions.to_frame()[wrong.tolist()]
    assert sorted(e.type for e in found) == sorted(rows["error_type"].to_list())
    units = ["unit"] if made.unit == "sentence" else []  # of an error the sentence is told
    key = (*units, "gold_label", "system_label")
    assert sorted(str([getattr(e, k) for k in key]) for e in found) == sorted(
        str(list(row)) for row in rows.select(*units, "gold", "system").rows()
    )
    places = [(e.unit, min(r[0] for r in (*e.context.gold, *e.context.system))) for e in found]
    assert places == sorted(places)
    for e in found:
        for item, ranges in ((e.gold_item, e.context.gold), (e.system_item, e.context.system)):
            if item is not None and item.sentence == e.sentence:
                ((start, end),) = ranges
                assert e.context.text[start:end] == item.text


def test_summary_and_dictionaries(news: tuple[str, str]) -> None:
    found = tertium.errors(*news, metric="spans.f1", limit=1)
    assert found.counts == {"system.bio": {"label": 1, "missing": 1, "extra": 2}}
    assert found.unfiltered == found.counts
    assert (len(found), found.total, found.systems) == (1, 4, ["system.bio"])
    assert found.shown == {"system.bio": 1}
    assert found.coverage["system.bio"]["scored"] == 3
    assert str(found.signatures["system.bio"]).startswith("spans.f1|column:tag|scheme:iob2")
    whole = json.loads(json.dumps(found.to_dict()))
    assert whole["systems"][0]["types"] == {"label": 1, "missing": 1, "extra": 2}
    assert whole["instances"] == [found.instances[0].to_dict()]
    assert whole["instances"][0]["gold_item"] == {
        "label": "ORG",
        "file": news[0],
        "sentence": "1",
        "line": 3,
        "first": 3,
        "last": 5,
        "text": "Acme Labs Oslo",
    }
    assert whole["instances"][0]["context"] == {
        "text": "Ann met Acme Labs Oslo in May .",
        "gold": [[8, 22]],
        "system": [],
        "left_out": [0, 0],
    }
    assert repr(found) == "<Errors: 1 of 4 instances, spans.f1>"


def test_a_frame_has_a_row_for_each(news: tuple[str, str]) -> None:
    frame = tertium.errors(*news, metric="spans.f1").to_frame()
    assert frame["type"].to_list() == ["missing", "extra", "extra", "label"]
    assert frame["gold_first"].to_list() == [3, None, None, 1]
    assert frame["system_text"].to_list() == [None, "Acme Labs", "May", "New York"]
    assert tertium.errors(news[0], news[0]).to_frame().columns == frame.columns


def test_types_are_matched_by_their_beginning(news: tuple[str, str]) -> None:
    def types(*given: str) -> list[str]:
        return [e.type for e in tertium.errors(*news, metric="spans.f1", types=given)]

    assert types("LABEL") == ["label"]
    assert types("mis") == ["missing"]
    assert types("label", "missing") == ["missing", "label"]
    with pytest.raises(UsageError, match=r"no error type 'lable'\. Did you mean 'label'") as error:
        types("lable")
    assert error.value.help == "there are: label, missing, extra"
    with pytest.raises(UsageError):
        types("none")
    with pytest.raises(UsageError):
        types("")


@pytest.mark.parametrize(
    ("gold", "system", "count"),
    [
        (["ORG"], [], 1),
        ([], ["ORG"], 2),
        (["LOC"], ["ORG"], 1),
        (["LOC", "ORG"], [], 2),
        (["none"], [], 2),
        (["_"], ["MISC"], 1),
        ([], ["none"], 1),
        (["PER"], [], 0),
        (["OR"], [], 0),
    ],
)
def test_labels_are_matched_exactly(
    news: tuple[str, str], gold: list[str], system: list[str], count: int
) -> None:
    found = tertium.errors(*news, metric="spans.f1", gold_labels=gold, system_labels=system)
    assert len(found) == found.total == count
    assert sum(found.unfiltered["system.bio"].values()) == 4


def test_a_label_that_is_named_like_no_label() -> None:
    gold, system = [["B-none", "B-X"]], [["B-X", "B-X"]]
    found = tertium.errors(gold, system, metric="spans.f1", gold_labels="none")
    assert [e.gold_label for e in found] == ["none"]


def test_filters_that_meet_nothing_are_noted(news: tuple[str, str]) -> None:
    found = tertium.errors(
        *news, metric="spans.f1", gold_labels="ORGG", system_labels="PER", sentences=["9", "3"]
    )
    assert found.notes == (
        "there is no label 'ORGG' in these files. Did you mean 'ORG'?",
        "there is no sentence '9' in these files",
    )


def test_sentences_are_chosen_by_id(news: tuple[str, str], samples: Path) -> None:
    assert len(tertium.errors(*news, metric="spans.f1", sentences="3")) == 1
    files = (samples / "gold.conllu", samples / "arbor.conllu")
    found = tertium.errors(*files, sentences=["news-1-s1"])
    assert {e.sentence for e in found} == {"news-1-s1"}
    assert {e.document for e in found} == {"news-1"}


def test_limit_and_sample_are_for_each_system(samples: Path) -> None:
    files = [samples / f"entities-{n}.bio" for n in ("gold", "arbor", "breeze")]
    found = tertium.errors(*files, metric="spans.f1", limit=3)
    assert [e.system for e in found] == ["entities-arbor.bio"] * 3 + ["entities-breeze.bio"] * 3
    assert found.total > 6
    whole = tertium.errors(*files, metric="spans.f1").instances
    drawn = tertium.errors(*files, metric="spans.f1", sample=5, seed=1)
    assert drawn.shown == {"entities-arbor.bio": 5, "entities-breeze.bio": 5}
    places = [whole.index(e) for e in drawn]
    assert places == sorted(places)
    assert drawn.seed == 1
    again = tertium.errors(*files, metric="spans.f1", sample=5, seed=1)
    assert again.instances == drawn.instances
    other = tertium.errors(*files, metric="spans.f1", sample=5, seed=2)
    assert other.instances != drawn.instances
    alone = tertium.errors(files[0], files[2], metric="spans.f1", sample=5, seed=1)
    assert alone.instances == drawn.instances[5:]
    assert tertium.errors(*files, metric="spans.f1", sample=10_000).shown == found.shown | {
        name: sum(counts.values()) for name, counts in found.counts.items()
    }


@pytest.mark.parametrize(
    "wrong", [{"limit": -1}, {"sample": -1}, {"context": -1}, {"limit": 1, "sample": 1}]
)
def test_impossible_numbers_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        tertium.errors([["B-X"]], [["O"]], **wrong)  # type: ignore[arg-type]


def test_instances_can_be_handed_on_one_by_one(news: tuple[str, str]) -> None:
    seen: list[Instance] = []
    found = tertium.errors(*news, metric="spans.f1", each=seen.append)
    assert [e.type for e in seen] == ["missing", "extra", "extra", "label"]
    assert (len(found), found.total, found.shown) == (0, 4, {"system.bio": 4})


def test_spans_with_gaps_and_nested_ones(tmp_path: Path) -> None:
    gold, system = tmp_path / "g.spans", tmp_path / "s.spans"
    gold.write_text("A\t1\t6\t1, 2, 5, 6\nB\t2\t2\t2\nA\t1\t3\t1, 2, 3\n\n")
    system.write_text("A\t1\t6\t1, 2, 4, 6\nC\t2\t2\t2\nA\t1\t3\t1, 2, 3\nB\t9\t9\t9\n\n")
    found = tertium.errors(gold, system, metric="spans.f1")
    ours, theirs, nested, beyond = found
    assert ours.gold_item is not None
    assert ours.gold_item.tokens == (1, 2, 5, 6)
    assert ours.gold_item.place == "1-2,5-6"
    assert (ours.gold_item.text, ours.gold_item.line) == (None, None)
    assert marked(ours) == (["1 2", "5 6"], [])
    assert theirs.system_item is not None
    assert theirs.system_item.place == "1-2,4,6"
    assert (nested.gold_label, nested.system_label) == ("B", "C")
    assert marked(beyond) == ([], ["9"])  # gold knows of six tokens only
    assert ours.context.numbers
    assert ours.to_dict()["context"] is None


def test_words_of_the_system_where_gold_has_none(tmp_path: Path) -> None:
    gold = tmp_path / "g.spans"
    gold.write_text("LOC\t1\t2\t1, 2\n\nNONE\t1\t1\t1\n")
    system = bio(tmp_path / "s.bio", ("New York slept", "B-ORG O O"), ("Oh", "O"))
    missing, extra = tertium.errors(gold, system, metric="spans.f1")
    assert marked(missing) == (["New York"], [])
    assert marked(extra) == ([], ["New"])
    assert missing.gold_item is not None
    assert missing.gold_item.text is None
    back = tertium.errors(system, gold, metric="spans.f1").instances
    assert [marked(e) for e in back] == [(["New"], []), ([], ["New York"])]


def test_lists_of_tags_have_numbers_only() -> None:
    (found,) = tertium.errors([["O", "B-X"]], [["O", "B-Y"]], metric="spans.f1")
    assert found.context.numbers
    assert found.context.text == "1 2"
    assert found.context.gold == found.context.system == ((2, 3),)
    assert found.to_dict()["context"] is None


def test_each_side_counts_its_own_tokens(tmp_path: Path) -> None:
    gold = bio(tmp_path / "g.bio", ("Ann didn't visit NewYork today", "B-PER O O B-LOC O"))
    system = bio(tmp_path / "s.bio", ("Ann did n't visit New York today", "B-PER O O O B-LOC O O"))
    missing, extra = tertium.errors(gold, system, metric="spans.f1")
    assert missing.gold_item is not None
    assert extra.system_item is not None
    assert (missing.gold_item.first, missing.gold_item.text) == (4, "NewYork")
    assert (extra.system_item.first, extra.system_item.text) == (5, "New")
    assert marked(missing) == (["NewYork"], [])
    assert marked(extra) == ([], ["New"])  # part of a gold word
    tags = tertium.errors(gold, system, metric="tags.accuracy")
    assert [(e.type, e.outcome, marked(e)) for e in tags] == [
        ("unaligned", "missing", (["didn't"], [])),
        ("unaligned", "extra", ([], ["did"])),
        ("unaligned", "extra", ([], ["n't"])),
        ("unaligned", "missing", (["NewYork"], [])),
        ("unaligned", "extra", ([], ["New"])),
        ("unaligned", "extra", ([], ["York"])),
    ]


def test_other_sentences_and_spaces_inside_words(tmp_path: Path) -> None:
    gold = conllu(
        tmp_path / "g.conllu",
        "One NUM 0 root\nof ADP 3 case\nus PRON 1 nmod",
        "10 NUM 0 root",
    )
    text = Path(gold).read_text().replace("\t10\t", "\t10 000\t")
    Path(gold).write_text(text)
    system = conllu(
        tmp_path / "s.conllu", "One NUM 0 root\nof ADP 1 case\nus PRON 1 obj\n10 NUM 1 x\n000 X 4 y"
    )
    found = tertium.errors(gold, system)
    of, us, missing, ten, thousand = found
    assert of.system_item is not None
    assert of.system_item.head == Head(1, "One")
    assert us.type == "label"
    assert (missing.type, missing.sentence) == ("unaligned", "b")
    assert ten.system_item is not None
    assert (ten.system_item.first, ten.system_item.sentence, ten.sentence) == (4, "a", "b")
    assert marked(ten) == ([], ["10"])
    assert marked(thousand) == ([], ["000"])
    assert ten.context.system_head is None  # stands in another gold sentence


def test_a_system_span_beyond_the_gold_sentence_is_cut(tmp_path: Path) -> None:
    gold = bio(tmp_path / "g.bio", ("in New", "O O"), ("York today", "O O"))
    system = bio(tmp_path / "s.bio", ("in New York today", "O B-LOC I-LOC O"))
    (found,) = tertium.errors(gold, system, metric="spans.f1")
    assert found.system_item is not None
    assert found.system_item.text == "New York"
    assert marked(found) == ([], ["New"])


def test_characters_with_odd_white_space() -> None:
    text = "\tAnn  saw\nNew York."
    gold = [{"text": text, "spans": [[1, 4, "PER"], [10, 18, "LOC"]], "id": "x"}]
    system = [{"text": text, "spans": [[1, 4, "ORG"], [10, 13, "LOC"]]}]
    label, missing, extra = tertium.errors(gold, system, metric="spans.f1")
    assert label.sentence == "x"
    assert label.context.text == text
    assert missing.gold_item is not None
    assert (missing.gold_item.start, missing.gold_item.end) == (10, 18)
    assert missing.gold_item.text == "New York"
    assert (missing.gold_item.first, missing.gold_item.last) == (None, None)
    assert missing.gold_item.place == "characters 10-18"
    assert marked(label) == (["Ann"], ["Ann"])
    assert marked(extra) == ([], ["New"])


TREE = """
    She PRON 2 nsubj
    sleeps VERB 0 root
    at ADP 4 case
    home NOUN 2 obl:tmod SpaceAfter=No
    . PUNCT 2 punct
"""


def test_dependencies_have_heads(tmp_path: Path) -> None:
    system = TREE.replace("at ADP 4 case", "at ADP 2 case").replace("2 obl:tmod", "1 nmod")
    system = system.replace("2 nsubj", "0 root").replace("0 root\n    at", "1 root\n    at")
    gold = conllu(tmp_path / "g.conllu", TREE)
    found = tertium.errors(gold, conllu(tmp_path / "s.conllu", system))
    assert found.metric == "deps.las"
    assert [(e.type, e.gold_label, e.system_label) for e in found] == [
        ("both:root", "nsubj", "root"),
        ("attachment:root", "root", "root"),
        ("attachment:grandparent", "case", "case"),
        ("both:sibling", "obl", "nmod"),
    ]
    she, sleeps, _, home = found
    assert she.gold_item is not None
    assert she.system_item is not None
    assert (she.gold_item.head, she.system_item.head) == (Head(2, "sleeps"), Head(0))
    assert she.system_item.to_dict()["head"] == {"number": 0, "form": None}
    assert sleeps.context.gold_head is None
    assert home.gold_item is not None
    assert (home.gold_item.start, home.gold_item.end) == (14, 18)  # 'SpaceAfter=No' is known
    assert home.context.text == "She sleeps at home."
    heads = (home.context.gold_head, home.context.system_head)
    assert [home.context.text[slice(*h)] for h in heads if h] == ["sleeps", "She"]


def test_offsets_follow_the_text_comment(tmp_path: Path) -> None:
    tree = "# text = She  sleeps at home!?\n" + TREE.replace(" SpaceAfter=No", "").replace(
        ". PUNCT", "!? PUNCT"
    )
    gold = conllu(tmp_path / "g.conllu", tree)
    system = conllu(tmp_path / "s.conllu", tree.replace("sleeps VERB", "sleeps NOUN"))
    (found,) = tertium.errors(gold, system, metric="tags.accuracy")
    assert found.gold_item is not None
    assert (found.gold_item.start, found.gold_item.end) == (5, 11)
    other = tree.replace("# text = She", "# text = He")
    (found,) = tertium.errors(conllu(tmp_path / "g.conllu", other), system, metric="tags.accuracy")
    assert found.gold_item is not None
    assert found.gold_item.start is None  # the comment is of another text
    assert found.system_item is not None
    assert found.system_item.start == 5


def test_words_of_a_multiword_token_stand_apart(tmp_path: Path) -> None:
    tree = """
        # text = Va al bar.
        Va VERB 0 root
        2-3 al
        a ADP 4 case
        el DET 4 det
        bar NOUN 1 obl SpaceAfter=No
        . PUNCT 1 punct
    """
    gold = conllu(tmp_path / "g.conllu", tree)
    system = conllu(tmp_path / "s.conllu", tree.replace("el DET 4 det", "el PRON 4 obj"))
    (found,) = tertium.errors(gold, system, metric="tags.accuracy")
    assert found.context.text == "Va a el bar."
    assert marked(found) == (["el"], ["el"])
    assert found.gold_item is not None
    assert (found.gold_item.start, found.gold_item.end) == (3, 5)
    assert found.gold_item.text == "el"


def test_long_sentences_are_cut_around_the_error(tmp_path: Path) -> None:
    words = " ".join(f"w{i}" for i in range(1000))
    tags = ["O"] * 1000
    tags[500] = "B-X"
    gold = bio(tmp_path / "g.bio", (words, " ".join(tags)))
    tags[500] = "B-Y"
    system = bio(tmp_path / "s.bio", (words, " ".join(tags)))
    (found,) = tertium.errors(gold, system, metric="spans.f1", context=12)
    assert found.context.text == "w498 w499 w500 w501 w502"
    before, after = found.context.left_out
    assert words[before : len(words) - after] == found.context.text
    assert marked(found) == (["w500"], ["w500"])
    (bare,) = tertium.errors(gold, system, metric="spans.f1", context=0)
    assert bare.context.text == "w500"
    (whole,) = tertium.errors(gold, system, metric="spans.f1", context=10_000)
    assert whole.context.text == words


def test_folders_are_gone_through_file_by_file(tmp_path: Path) -> None:
    for side in ("gold", "system"):
        (tmp_path / side).mkdir()
    words = "New York"
    for number in (1, 2, 3):
        bio(tmp_path / "gold" / f"{number}.bio", ("x", "O"), (words, "B-LOC I-LOC"))
        bio(tmp_path / "system" / f"{number}.bio", ("x", "O"), (words, f"B-L{number} I-L{number}"))
    folders = (tmp_path / "gold", tmp_path / "system")
    found = tertium.errors(*folders, metric="spans.f1")
    assert [(Path(e.file).name, e.sentence, e.system_label) for e in found] == [
        ("1.bio", "2", "L1"),
        ("2.bio", "2", "L2"),
        ("3.bio", "2", "L3"),
    ]
    assert found.counts == {"system": {"label": 3}}
    assert found.coverage["system"]["scored"] == 3
    assert len(tertium.errors(*folders, metric="spans.f1", limit=2)) == 2
    drawn = [tertium.errors(*folders, metric="spans.f1", sample=1, seed=s) for s in range(20)]
    assert {e.system_label for each in drawn for e in each} == {"L1", "L2", "L3"}
    assert not tertium.errors(*folders, metric="spans.f1", system_labels="L2").notes
    seen: list[tuple[int, int]] = []
    tertium.errors(*folders, progress=lambda *told: seen.append(told))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_files_of_a_folder_must_have_the_same_layers(tmp_path: Path) -> None:
    for side in ("gold", "system"):
        (tmp_path / side).mkdir()
        bio(tmp_path / side / "1.bio", ("x", "B-A"))
        bio(tmp_path / side / "2.bio", ("x", "NN"))
    with pytest.raises(LayerError, match="different layers than earlier files"):
        tertium.errors(tmp_path / "gold", tmp_path / "system")


def test_skipped_sentences_keep_their_numbers(tmp_path: Path) -> None:
    good, bad = "a\tB-X\n\n", "a\tB-X\textra\n\n"
    (tmp_path / "g.bio").write_text(bad + good + good)
    (tmp_path / "s.bio").write_text(good + good.replace("X", "Y") + good)
    files = (tmp_path / "g.bio", tmp_path / "s.bio")
    (found,) = tertium.errors(*files, metric="spans.f1", on_error="skip", limit=1)
    assert (found.unit, found.sentence) == (0, "2")
    assert found.system_item is not None
    assert (found.system_item.sentence, found.system_item.line) == ("2", 3)
    both = tertium.errors(*files, metric="spans.f1", on_error="skip", sentences="2")
    assert len(both) == 1
    assert both.coverage["s.bio"]["skipped"] == 1


def test_spans_come_before_trees_and_trees_before_tags(samples: Path, tmp_path: Path) -> None:
    gold = samples / "gold.conllu"
    assert tertium.errors(gold, samples / "arbor.conllu").metric == "deps.las"
    tagged = conllu(tmp_path / "t.conllu", TREE.replace("VERB", "X"))
    rows = [line.split("\t") for line in Path(tagged).read_text().split("\n")]
    text = "\n".join(
        "\t".join([*r[:6], "_", "_", *r[8:]]) if len(r) == 10 else "\t".join(r) for r in rows
    )
    Path(tagged).write_text(text)
    found = tertium.errors(conllu(tmp_path / "g.conllu", TREE), tagged)
    assert found.metric == "tags.accuracy"
    assert [e.gold_label for e in found] == ["VERB"]
    entities = [{"tokens": ["a", "b"], "pos": ["N", "V"], "ner": ["B-X", "O"]}]
    others = [{"tokens": ["a", "b"], "pos": ["V", "V"], "ner": ["O", "O"]}]
    assert tertium.errors(entities, others).metric.startswith("spans.")
    nothing = [{"tokens": ["a", "b"], "x": ["N", "V"], "y": ["N", "V"]}]
    with pytest.raises(LayerError, match="share no layer"):
        tertium.errors(entities, nothing)


def test_a_named_metric_needs_its_layer(samples: Path) -> None:
    with pytest.raises(LayerError, match="has no trees"):
        tertium.errors(samples / "gold.conllu", samples / "upos-ann1.tsv", metric="deps.las")


@dataclass(frozen=True, repr=False)
class Rowless(F1):
    """A metric that does not say which items its rows are."""

    id = "spans.rowless"

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        return super().decide(gold, system, alignment).changed(gold_items=None)


@dataclass(frozen=True, repr=False)
class Overlaps(F1):
    """As spans.f1, but an extra span says which gold span it was compared with, as pass 3 of the
    fair evaluation does; its types have names of their own and correct rows one as well."""

    id = "spans.overlaps"

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        rows = super().decide(gold, system, alignment)
        compared = np.where((rows.outcome == 3) & (rows.gold_row < 0), 0, rows.gold_row)
        return rows.changed({"gold_row": compared}, error_types=("TP", "LE", "FN", "BEs"))


@dataclass(frozen=True, repr=False)
class Silent(F1):
    """A metric that gives no types of error at all."""

    id = "spans.silent"

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        rows = super().decide(gold, system, alignment)
        nothing = np.zeros_like(rows.error_type)
        return rows.changed({"error_type": nothing}, error_types=("none",))


def test_metrics_without_items_say_so(samples: Path, news: tuple[str, str]) -> None:
    files = samples / "gold.conllu", samples / "arbor.conllu"
    with pytest.raises(UsageError, match="is a set of metrics") as error:
        tertium.errors(*files, metric="deps.ud(compat='conll07')")
    assert error.value.help == "choose one of them: deps.ud.uas, deps.ud.las, deps.ud.ls"
    found = tertium.errors(*files, metric=Lengths())
    assert (len(found), found.total, found.has_items) == (0, 0, False)
    assert "tokens.lengths does not judge single items" in found.notes[-1]
    with pytest.raises(UsageError, match="does not record positions"):
        tertium.errors(*news, metric=Rowless())


def test_an_extra_item_can_show_what_it_was_compared_with(news: tuple[str, str]) -> None:
    found = tertium.errors(*news, metric=Overlaps(), types="be")
    assert {e.type for e in found} == {"BEs"}
    assert [marked(e)[0] for e in found] == [["Ann"], ["Ann"]]
    assert [e.gold_label for e in found] == [None, None]
    assert found.unfiltered["system.bio"] == {"LE": 1, "FN": 1, "BEs": 2}
    with pytest.raises(UsageError):
        tertium.errors(*news, metric=Overlaps(), types="TP")


def test_outcomes_speak_where_types_do_not(news: tuple[str, str]) -> None:
    found = tertium.errors(*news, metric=Silent())
    assert found.counts["system.bio"] == {"wrong": 1, "missing": 1, "extra": 2}
    assert len(tertium.errors(*news, metric=Silent(), types="wrong")) == 1


def test_no_errors(news: tuple[str, str]) -> None:
    found = tertium.errors(news[0], news[0])
    assert (found.total, len(found), found.unfiltered) == (0, 0, {"gold.bio": {}})


def test_label_maps_come_first(news: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "map.tsv").write_text("LOC\tPLACE\nORG\tPLACE\n")
    found = tertium.errors(*news, metric="spans.f1", map_labels=[str(tmp_path / "map.tsv")])
    assert [e.type for e in found] == ["missing", "extra", "extra"]
    assert all("map:" in str(signature) for signature in found.signatures.values())


def test_a_list_of_errors_on_real_data(shared: Path) -> None:
    folder = shared / "data" / "wnut17-ner"
    found = tertium.errors(
        folder / "emerging.test.annotated",
        folder / "submissions" / "uh_ritual",
        metric="spans.f1",
        limit=10,
    )
    (counts,) = found.counts.values()
    assert counts == {"label": 93, "missing": 631, "extra": 169}
    raw = shared / "data" / "ewt-systems"
    files: list[Any] = [raw / "gold-dev.conllu", raw / "udpipe-raw-dev.conllu"]
    found = tertium.errors(*files)
    assert found.total == len(found) > 1000
    for e in found:
        for start, end in (*e.context.gold, *e.context.system):
            assert 0 <= start < end <= len(e.context.text), e


def test_columns_that_are_not_shown_are_named(tmp_path: Path, samples: Path) -> None:
    path = tmp_path / "germeval.tsv"
    path.write_text("1\tAnn\tB-PER\tO\n2\tsees\tO\tO\n3\tBob\tB-PER\tB-LOC\n")
    note = "only column 'outer' is shown; for inner: "
    note += "--metric \"spans.{}(column='inner')\""
    assert tertium.errors(path, path).notes == (note.format("fair"),)
    assert tertium.errors(path, path, metric="spans.f1").notes == (note.format("f1"),)
    for column in ("inner", "outer"):
        assert not tertium.errors(path, path, metric=f"spans.f1(column='{column}')").notes
    files = samples / "gold.conllu", samples / "arbor.conllu"
    assert not tertium.errors(*files).notes
    assert not tertium.errors(*files, metric="tags.accuracy").notes
    path.write_text("Ann NNP B-NP B-PER\nsees VB B-VP O\n")
    assert "for chunk" in tertium.errors(path, path, metric="spans.f1").notes[0]


def test_an_item_over_no_word_has_no_text() -> None:
    """A constituent over a trace alone stands before a word."""
    corpus = corpus_of("(S (NP (N dogs)) (V bark))", "(S (V go) (R home))")
    ends = np.array([[2, 2], [3, 3], [2, 4]], np.int32)
    side = SideItems(corpus, Items(ends[:, 0], ends[:, 1], Labels.of("ABC")), None)
    side.texts = SentenceTexts(corpus)
    found = [side.item(row) for row in range(3)]
    assert [(each.sentence, each.first, each.text) for each in found if each] == [
        ("2", 1, ""),
        ("2", 2, ""),
        ("2", 1, "go home"),
    ]


def test_a_system_may_divide_documents_into_other_sentences(tmp_path: Path) -> None:
    """What is left out on all sides is counted by gold sentences, of which it has others."""
    begin, end = "#begin document ({});\n", "#end document\n"
    first = f"{begin.format('a')}a\t(1)\n\na\t(1)\n{end}"
    second = f"{begin.format('b')}b\t(1)\nb\t(1)\nb\t(2)\nb\t(2)\n{end}"
    gold, system = tmp_path / "gold.conll", tmp_path / "system.conll"
    gold.write_text(first + second)
    bad = first.replace("(1)", "(1", 1)
    system.write_text(bad + second.replace("\nb\t(2)", "\n\nb\t(1)", 1))
    found = tertium.errors(gold, system, on_error="skip")
    assert sorted(each.type for each in found.instances) == ["fn", "fp"]
