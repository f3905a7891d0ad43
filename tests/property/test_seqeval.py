"""spans.f1 under compat, equal to seqeval 1.2.2 (in process) on random tags.

Any tag may stand anywhere: what belongs to no scheme is where tools differ.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata

import numpy as np
import pytest

from random_tags import Judged, Sentences, counts_of, judge, random_pair
from tertium.exceptions import InputError

pytest.importorskip("seqeval", reason="seqeval is not installed; it is what the results must equal")
if metadata.version("seqeval") != "1.2.2":
    pytest.skip("results are those of seqeval 1.2.2", allow_module_level=True)

from seqeval.metrics import sequence_labeling as default_mode
from seqeval.metrics import v1 as strict_mode
from seqeval.scheme import BILOU, IOB1, IOB2, IOBES, IOE1, IOE2, Entities, auto_detect

FILES = 2000
SCHEMES = {"iob1": IOB1, "iob2": IOB2, "ioe1": IOE1, "ioe2": IOE2, "iobes": IOBES, "bilou": BILOU}
PREFIXES = {
    "iob1": "BIO",
    "iob2": "BIO",
    "ioe1": "EIO",
    "ioe2": "EIO",
    "iobes": "BIOES",
    "bilou": "BILOU",
}


@pytest.fixture(autouse=True)
def _silent() -> Iterator[None]:
    """seqeval warns of every odd tag and every division by 0."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_default_mode() -> None:
    rng = np.random.default_rng(0)
    matched = 0
    for _ in range(FILES):
        gold, system = random_pair(rng, "BIESOLUM.b")
        ours = judge("spans.f1(compat=seqeval)", gold, system)
        found = [
            {(kind, start, end) for kind, start, end in default_mode.get_entities(side)}
            for side in (gold, system)
        ]
        assert_equal(ours, found, default_mode.precision_recall_fscore_support, gold, system)
        matched += ours.totals[0]
    assert matched > FILES, "hardly a match says hardly anything"


@pytest.mark.parametrize("scheme", [*SCHEMES, "auto"])
def test_strict_mode(scheme: str) -> None:
    rng = np.random.default_rng(1)
    matched = refused = 0
    for number in range(FILES):
        pool = PREFIXES[[*PREFIXES][number % 6] if scheme == "auto" else scheme]
        odd = "BIOESULM"[number // 8 % 8] if number % 8 == 0 else ""
        gold, system = random_pair(rng, pool + odd)
        text = f"spans.f1(compat=seqeval-strict, scheme={scheme})"
        try:
            named = auto_detect(gold) if scheme == "auto" else SCHEMES[scheme]
            entities = Entities(gold, named), Entities(system, named)
        except (ValueError, KeyError):
            refused += 1
            with pytest.raises(InputError):
                judge(text, gold, system)
            continue
        found = [
            {(e.tag, e.sent_id, e.start, e.end) for sentence in side.entities for e in sentence}
            for side in entities
        ]
        averages = partial(
            strict_mode.precision_recall_fscore_support,
            scheme=named,
            entities_true=entities[0],
            entities_pred=entities[1],
        )
        ours = judge(text, gold, system)
        assert_equal(ours, found, averages, gold, system)
        matched += ours.totals[0]
    assert matched > FILES / 2, "hardly a match says hardly anything"
    assert 10 < refused < FILES / 2


def assert_equal(
    ours: Judged,
    found: list[set[tuple[object, ...]]],
    averages: Callable[..., tuple[float, ...]],
    gold: Sentences,
    system: Sentences,
) -> None:
    """The same counts for every type, and the same averages."""
    both = found[0] & found[1]
    kinds = [Counter(str(entity[0]) for entity in some) for some in (both, *found)]
    assert ours.labels == counts_of(*kinds), (gold, system)
    assert ours.totals == (len(both), len(found[0]), len(found[1]))
    if not ours.labels:
        return  # the mean of no labels is nan there
    for average in ("micro", "macro", "weighted"):
        expected = averages(gold, system, average=average)[:3]
        named = "" if average == "micro" else f"{average}_"
        figures = [ours.scores[f"{named}{part}"] for part in ("precision", "recall", "f1")]
        assert figures == pytest.approx(expected), (average, gold, system)
