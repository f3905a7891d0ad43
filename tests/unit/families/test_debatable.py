"""Debatable or wrong: errors that annotators also make."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tertium
from tertium.exceptions import InputError, UsageError
from tertium.families.base import make
from tertium.formats.confusions import Confusions, load_confusions

# Annotators confuse N and J four times, N and V once: P(J | N) = 4 / (2 * 10 + 4 + 1).
COUNTS = {"N": {"N": 10, "J": 3, "V": 1}, "J": {"N": 1, "J": 5}, "V": {"V": 20}}
GOLD = [["N", "N", "N", "N"], ["J", "V"]]
SYSTEM = [["N", "J", "V", "N"], ["N", "J"]]  # N -> J and J -> N are debatable, two are not


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "agree.json"
    path.write_text(json.dumps({"confusion": COUNTS}), "utf-8")
    return path


def test_probabilities(file: Path) -> None:
    known = load_confusions(str(file))
    assert known.times("N", "J") == known.times("J", "N") == 4
    assert known.probability("J", gold="N") == pytest.approx(4 / 25)
    assert known.probability("N", gold="J") == pytest.approx(4 / 14)
    assert known.probability("N", gold="N") == pytest.approx(10 / 25)
    assert known.probability("J", gold="?") == known.probability("V", gold="J") == 0


def test_a_square_as_agree_writes_it(tmp_path: Path, file: Path) -> None:
    path = tmp_path / "square.json"
    counts = [[5, 1, 0], [3, 10, 1], [0, 0, 20]]
    told = {"labels": ["J", "N", "V"], "items": 40, "counts": counts, "pairs": []}
    path.write_text(json.dumps({"confusion": told}), "utf-8")
    square, nested = load_confusions(str(path)), load_confusions(str(file))
    for one in "JNV":
        for other in "JNV":
            assert square.probability(one, other) == nested.probability(one, other)


def test_confusions_of_other_labels_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(json.dumps({"confusion": {"PER": {"LOC": 3}}}), "utf-8")
    metric = f"tags.accuracy(debatable={path})"
    with pytest.raises(InputError, match=r"other\.json has none of the labels that are scored"):
        tertium.score(GOLD, SYSTEM, metric=metric)


def test_thresholds_allow_for_sums_of_shares(tmp_path: Path) -> None:
    """Three annotators: 3 items N N V, 18 items N N N. Exactly 2 / 40 confuse the two."""
    rows = [(n, who, "V" if n < 3 and who == "c" else "N") for n in range(21) for who in "abc"]
    table = [dict(zip(("item", "annotator", "label"), row, strict=True)) for row in rows]
    path = tmp_path / "agree.json"
    path.write_text(json.dumps(tertium.agree(table).to_dict()), "utf-8")
    metric = f"tags.accuracy(debatable={path})"
    assert tertium.score([["N"]], [["V"]], metric=metric).value == 1


def result_of(metric: str, **options: object) -> tertium.Result:
    return tertium.score(GOLD, SYSTEM, metric=metric, **options).results[0]


def test_plain_scoring_excuses_what_is_debatable(file: Path) -> None:
    found = result_of(f"tags.accuracy(debatable='{file}')", confusion=True)
    assert found.counts["correct"] == 4
    assert found.value == pytest.approx(4 / 6)
    assert found.parts["plain_of_errors"] == pytest.approx(2 / 4)
    assert found.parts["plain"] == pytest.approx(2 / 6)
    assert {pair for pair in found.confusion if pair[0] != pair[1]} == {("N", "V"), ("V", "J")}
    assert found.labels["N"]["counts"] == {"correct": 3, "gold": 4, "system": 3}
    assert all(
        each["precision"] is None or each["precision"] <= 1 for each in found.labels.values()
    )


def test_an_excused_token_counts_under_the_label_of_gold(file: Path) -> None:
    metric = f"tags.accuracy(debatable='{file}')"
    found = tertium.score([["N", "N"]], [["J", "N"]], metric=metric).results[0]
    assert {*found.labels} == {"N"}
    assert found.labels["N"]["counts"] == {"correct": 2, "gold": 2, "system": 2}


def test_weighted_scoring_gives_credit(file: Path) -> None:
    found = result_of(f"tags.accuracy(debatable='{file}', scoring=weighted)", confusion=True)
    assert found.value == pytest.approx((2 + 4 / 25 + 4 / 14) / 6)
    assert found.parts["plain_of_errors"] == pytest.approx(2 / 4)
    assert found.parts["complete"] == 0
    assert found.error_types == {
        ("debatable", "N", "J"): 1,
        ("debatable", "J", "N"): 1,
        ("label", "N", "V"): 1,
        ("label", "V", "J"): 1,
    }


def test_credit_of_one_does_not_make_a_sentence_right(tmp_path: Path) -> None:
    path = tmp_path / "agree.json"
    path.write_text(json.dumps({"confusion": {"N": {"J": 2}}}), "utf-8")
    metric = f"tags.accuracy(debatable='{path}', scoring=weighted)"
    found = tertium.score([["N"]], [["J"]], metric=metric).results[0]
    assert (found.value, found.parts["complete"]) == (1, 0)


@pytest.mark.parametrize(
    ("parameters", "value"),
    [
        ("confused=5", 2 / 6),
        ("confused=4", 4 / 6),
        ("share=0.2", 3 / 6),
        ("confused=1, share=0", 5 / 6),
    ],
)
def test_what_is_debatable(file: Path, parameters: str, value: float) -> None:
    found = result_of(f"tags.accuracy(debatable='{file}', {parameters})")
    assert found.value == pytest.approx(value)


def test_without_a_file_nothing_changes() -> None:
    found = result_of("tags.accuracy")
    assert found.value == pytest.approx(2 / 6)
    assert not {"plain", "plain_of_errors"} & {*found.parts}
    assert "scoring" not in str(found.signature)
    assert "share" not in str(found.signature)


@pytest.mark.parametrize("metric", ["tags.accuracy", "deps.upos", "deps.xpos"])
@pytest.mark.parametrize("set", ["scoring='weighted'", "confused=3", "share=0.5"])
def test_other_parameters_need_a_file(metric: str, set: str) -> None:
    with pytest.raises(UsageError, match=f"{metric}: {set} needs debatable=FILE"):
        make(f"{metric}({set})")


def test_notes_say_what_becomes_of_debatable_errors(file: Path) -> None:
    metric = f"tags.accuracy(debatable='{file}')"
    told = tertium.score(GOLD, SYSTEM, metric=metric).notes
    assert told == (f"errors that are debatable according to {file} are excused",)
    weighted = f"tags.accuracy(debatable='{file}', scoring=weighted)"
    (told,) = tertium.score(GOLD, SYSTEM, metric=weighted).notes
    assert told.endswith("earn P(s | g) as credit")


def test_a_note_names_labels_that_no_annotator_gave(file: Path) -> None:
    metric = f"tags.accuracy(debatable='{file}')"
    told = tertium.score([["N", "X", "P"]], [["N", "J", "N"]], metric=metric).notes
    assert told[1] == f"{file} lacks 'P' and 'X': errors on these labels are plain"


def test_the_signature_and_the_text_name_the_file(file: Path) -> None:
    metric = make(f"tags.accuracy(debatable='{file}', scoring=weighted)")
    assert make(repr(metric)) == metric
    assert isinstance(metric.parameters()["debatable"], Confusions)
    signature = str(result_of(repr(metric)).signature)
    assert "debatable:agree.json@" in signature
    assert "scoring:weighted|confused:2.0|share:0.05" in signature


def test_the_summary_says_what_is_plain_wrong(file: Path) -> None:
    found = tertium.score(GOLD, SYSTEM, metric=f"tags.accuracy(debatable='{file}')")
    text = "50.00% of its disagreements with gold and 33.33% of all its tags are plain errors"
    assert text in found.summary()


def test_a_system_without_errors_has_no_share_of_them(file: Path) -> None:
    metric = f"tags.accuracy(debatable='{file}')"
    found = tertium.score(GOLD, GOLD, metric=metric).results[0]
    assert found.parts["plain_of_errors"] is None
    assert found.reasons["plain_of_errors"] == "the system agrees with gold everywhere"
    assert found.parts["plain"] == 0


def test_systems_are_compared_on_plain_errors(file: Path) -> None:
    other = [["N", "N", "V", "N"], ["V", "V"]]  # of 4 errors it makes one, and a plain one more
    metric = f"tags.accuracy(debatable='{file}')"
    found = tertium.compare(
        GOLD, SYSTEM, other, metric=metric, names=["a", "b"], significance=False
    )
    pair = found.to_dict()["pairs"][0]
    assert (pair["corrections"], pair["new_errors"]) == (1, 1)
    listed = tertium.errors(GOLD, SYSTEM, metric=metric)
    labels = sorted((e.gold_label or "", e.system_label or "") for e in listed)
    assert labels == [("N", "V"), ("V", "J")]


@pytest.mark.parametrize("metric", ["deps.upos", "deps.xpos"])
def test_tags_of_words(tmp_path: Path, file: Path, metric: str) -> None:
    def written(name: str, sentences: list[list[str]]) -> Path:
        rows = [
            "".join(
                f"{i}\tw{i}\t_\t{tag}\t{tag}\t_\t{i - 1}\tdep\t_\t_\n"
                for i, tag in enumerate(sentence, 1)
            )
            for sentence in sentences
        ]
        path = tmp_path / name
        path.write_text("\n".join(rows) + "\n", "utf-8")
        return path

    gold, system = written("gold.conllu", GOLD), written("system.conllu", SYSTEM)
    plain = tertium.score(gold, system, metric=f"{metric}(debatable='{file}')").results[0]
    assert plain.counts["correct"] == 4
    assert (plain.parts["plain_of_errors"], plain.parts["plain"]) == (0.5, pytest.approx(2 / 6))
    text = f"{metric}(debatable='{file}', scoring=weighted)"
    weighted = tertium.score(gold, system, metric=text).results[0]
    assert weighted.value == pytest.approx((2 + 4 / 25 + 4 / 14) / 6)
    assert "scoring" not in str(tertium.score(gold, system, metric=metric).results[0].signature)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "has no counts of confused labels"),
        ('{"confusion": {}}', "has no counts of confused labels"),
        ('{"confusion": {"N": 3}}', "must have an object for 'N'"),
        ('{"confusion": {"N": {"V": -1}}}', "must be a number from 0 to"),
        ('{"confusion": {"N": {"V": NaN}}}', "must be a number from 0 to"),
        ('{"confusion": {"labels": ["N", "V"], "counts": [[1, 2]]}}', "a row and a column"),
        ('{"confusion": {"labels": ["N", "N"], "counts": [[1, 1], [1, 1]]}}', "must be different"),
        ('{"confusion": {"labels": ["N", null], "counts": [[1, 1], [1, 1]]}}', "must be different"),
        ('{"confusion": {"labels": [], "counts": []}}', "all counts of 'confusion' are 0"),
        ('{"confusion": {"N": {"V": 1e308}}}', "must be a number from 0 to"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        load_confusions(str(path))


def test_thresholds_are_checked() -> None:
    with pytest.raises(UsageError, match="share must be a probability"):
        make("tags.accuracy(share=2)")
    with pytest.raises(UsageError, match="confused must be a number, 0 or more"):
        make("tags.accuracy(confused=-1)")
