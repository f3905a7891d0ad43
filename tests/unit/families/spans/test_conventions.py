"""What conlleval and seqeval make of small sequences; expected values are the tools' own."""

from pathlib import Path

import pytest

import tertium
from tertium.exceptions import InputError
from tertium.families.spans.compat.grammars import STRICT_SCHEMES, detected
from tertium.formats.objects import from_python

CONLLEVAL, SEQEVAL = "spans.f1(compat='conlleval')", "spans.f1(compat='seqeval')"
STRICT = "spans.f1(compat='seqeval-strict')"
OURS = "spans.f1"
# The letter-number names are those of the cases in the literature notes.
CASES = [
    # b02: I without B
    ("B-X I-X", "I-X I-X", {OURS: (1, 1, 1), CONLLEVAL: (1, 1, 1), SEQEVAL: (1, 1, 1)}),
    ("B-X I-X", "I-X I-X", {STRICT: (0, 1, 0)}),
    # b03: another type inside
    ("B-P I-P I-P", "B-P I-L I-L", {OURS: (0, 1, 2), CONLLEVAL: (0, 1, 2), SEQEVAL: (0, 1, 2)}),
    ("B-P I-P I-P", "B-P I-L I-L", {STRICT: (0, 1, 1)}),
    # b10: a type that gold lacks
    ("B-P O O", "B-P O B-L", {OURS: (1, 1, 2), CONLLEVAL: (1, 1, 2), SEQEVAL: (1, 1, 2)}),
    ("B-P O O", "B-P O B-L", {STRICT: (1, 1, 2)}),
    # b12: hyphens at the end of a type
    ("B-A- I-A- O B-A", "B-A I-A O B-A-", {OURS: (0, 2, 2), CONLLEVAL: (0, 2, 2)}),
    ("B-A- I-A- O B-A", "B-A I-A O B-A-", {SEQEVAL: (0, 2, 2), STRICT: (2, 2, 2)}),
    # b14: conlleval does not see E before B
    ("B-M E-M B-M E-M", "B-M I-M I-M E-M", {OURS: (0, 2, 1), CONLLEVAL: (1, 1, 1)}),
    ("B-M E-M B-M E-M", "B-M I-M I-M E-M", {SEQEVAL: (0, 2, 1), STRICT: (0, 2, 1)}),
    # b15: nor does it know S
    ("S-P S-P O", "S-P S-P O", {OURS: (2, 2, 2), CONLLEVAL: (1, 1, 1), SEQEVAL: (2, 2, 2)}),
    ("S-P S-P O", "S-P S-P O", {"spans.f1(compat=seqeval-strict, scheme=iobes)": (2, 2, 2)}),
    # seqeval's strict IOB1 has no entity at B after O
    ("B-X I-X O", "B-X I-X O", {"spans.f1(compat=seqeval-strict, scheme=iob1)": (1, 1, 1)}),
    ("B-X O", "B-X O", {"spans.f1(compat=seqeval-strict, scheme=iob1)": (0, 0, 0)}),
    # brackets are chunks of one token for conlleval; 0 is no type; - and . are odd
    ("[-X ]-X", "[-X ]-X", {CONLLEVAL: (2, 2, 2)}),
    ("B-0 I", "B I-0", {CONLLEVAL: (1, 1, 1)}),
    ("B-X .-X .-Y S-Y O", "B-X .-X .-Y S-Y O", {CONLLEVAL: (1, 1, 1)}),
]


@pytest.mark.parametrize(("gold", "system", "expected"), CASES)
def test_counts(gold: str, system: str, expected: dict[str, tuple[int, int, int]]) -> None:
    for metric, counts in expected.items():
        found = tertium.score([gold.split()], [system.split()], metric=metric).results[0]
        assert tuple(found.counts[n] for n in ("correct", "gold", "system")) == counts, metric


def test_the_table_in_the_documentation_is_true() -> None:
    page = Path(__file__).parents[4] / "docs" / "metrics" / "spans.f1.md"
    if not page.is_file():
        pytest.skip("the documentation is not installed")
    lines = page.read_text(encoding="utf-8").partition("| gold | system | default |")[2]
    rows = [line.split("|")[1:-1] for line in lines.partition("\n\n")[0].splitlines()[2:]]
    assert len(rows) == 7
    for gold, system, *expected, _ in rows:
        for metric, cell in zip((OURS, CONLLEVAL, SEQEVAL, STRICT), expected, strict=True):
            try:
                found = tertium.score([gold.split()], [system.split()], metric=metric).results[0]
                counts = "/".join(str(n) for n in found.counts.values())
            except InputError:
                counts = "refused"
            assert cell.strip() == counts, (gold, system, metric)


def test_strict_mode_refuses_what_seqeval_refuses() -> None:
    with pytest.raises(InputError, match=r"prefixes of the gold tags are O, S\n"):
        tertium.score([["S-P", "S-P", "O"]], [["S-P", "S-P", "O"]], metric=STRICT)
    with pytest.raises(InputError, match=r"gold, sentence '1': tag 'E-M' .* under iob2 \(I, O, B"):
        tertium.score([["B-M", "E-M"]], [["B-M", "O"]], metric=f"{STRICT[:-1]}, scheme='iob2')")


def test_conlleval_lets_a_chunk_live_on_into_the_next_sentence() -> None:
    """S without a type starts at a change of type and never ends."""
    gold = [["B-X", "S"], ["O", "B-Y"]]
    found = tertium.score(gold, gold, metric=CONLLEVAL).results[0]
    assert found.counts == {"correct": 2, "gold": 3, "system": 3}
    assert found.labels[""]["counts"] == {"correct": 0, "gold": 1, "system": 1}


def test_conlleval_counts_a_chunk_under_the_type_with_which_it_ends() -> None:
    tags = ["B-X", ".-X", ".-Y", "S-Y", "O"]
    labels = tertium.score([tags], [tags], metric=CONLLEVAL).results[0].labels
    assert labels["X"]["counts"] == {"correct": 0, "gold": 1, "system": 1}
    assert labels["Y"]["counts"] == {"correct": 1, "gold": 0, "system": 0}


def test_seqeval_takes_one_letter_off_plain_tags() -> None:
    found = tertium.score([["ADJ", "NOUN"]], [["ADJ", "NOUN"]], metric=SEQEVAL).results[0]
    assert [*found.labels] == ["DJ", "OUN"]


def test_entities_of_seqeval_may_begin_in_an_earlier_sentence() -> None:
    gold = [["B-X", "O"], ["L", "B-X"]]
    found = tertium.decide(gold, gold, SEQEVAL)
    assert len(found) == 3
    metric = tertium.metric(SEQEVAL)
    corpus = from_python(gold)
    spans = metric.fit(metric.facts(corpus)).items(corpus)
    assert (spans.start.tolist(), spans.end.tolist()) == ([0, 0, 3], [1, 3, 4])
    assert spans.label.to_list() == ["X", "_", "X"]


@pytest.mark.parametrize(
    ("prefixes", "scheme"),
    [
        ("B", "iob2"),
        ("BO", "iob2"),
        ("E", "ioe2"),
        ("IOE", "ioe2"),
        ("BE", "iobes"),
        ("BEIOS", "iobes"),
        ("S", "iobes"),
        ("BL", "bilou"),
        ("BILOU", "bilou"),
        ("U", "bilou"),
    ],
)
def test_detected_schemes(prefixes: str, scheme: str) -> None:
    assert detected(frozenset(prefixes)) == scheme


@pytest.mark.parametrize("prefixes", ["", "O", "I", "IO", "SO", "UO", "BIS", "BILE", "BEL", "ESO"])
def test_undetected_schemes(prefixes: str) -> None:
    with pytest.raises(InputError, match="detects no scheme") as caught:
        detected(frozenset(prefixes))
    assert "iobes" in (caught.value.help or "")


def test_every_table_has_all_prefixes() -> None:
    for convention in STRICT_SCHEMES.values():
        starts, ends, inside = convention.tables()
        assert starts.shape == ends.shape == inside.shape == (8, 8, 2)
        assert not inside[:, 0].any(), "nothing goes on at O"
        assert not starts[:, 0].any(), "nothing starts at O"
