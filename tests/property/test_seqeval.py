"""spans.f1 under compat, equal to seqeval 1.2.2 on random tags.

Any tag may stand anywhere: what belongs to no scheme is where tools differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from importlib import metadata
from typing import Any

import numpy as np
import pytest

from random_tags import Sentences, counts_of, judge, random_pair
from recordings import BLOCK, confirm, record, recorded
from tertium.exceptions import InputError

# Of every odd tag, and of every division by 0.
pytestmark = pytest.mark.filterwarnings("ignore:::seqeval")
VERSION = "1.2.2"
FILES, RECORDED, QUICK = 2000, 300, 100
PREFIXES = {
    "iob1": "BIO",
    "iob2": "BIO",
    "ioe1": "EIO",
    "ioe2": "EIO",
    "iobes": "BIOES",
    "bilou": "BILOU",
}
# With prefixes at the end, and F2 for F1.
SUFFIXED = {"suffix": "default", "suffix-iob2": "iob2"}
# The first files on record in every run, all of them in `make oracles`.
counts = pytest.mark.parametrize(
    "count", [QUICK, pytest.param(RECORDED, marks=pytest.mark.oracles)]
)
modes = pytest.mark.parametrize("mode", ["default", *PREFIXES, "auto", *SUFFIXED])
Files = list[tuple[Sentences, Sentences]]
# Counts (correct, gold, system) of each type, and the averages; nothing where seqeval refuses.
Answer = tuple[dict[str, tuple[int, int, int]], list[float]] | None


def files(mode: str, count: int) -> Files:
    """Gold and system of every file; fewer of them are the first ones of more."""
    if mode in SUFFIXED:
        turned = [
            [[tag[::-1] for tag in s] for s in f] for p in files(SUFFIXED[mode], count) for f in p
        ]
        return [*zip(turned[::2], turned[1::2], strict=True)]
    if mode == "default":
        random = np.random.default_rng(0)
        return [random_pair(random, "BIESOLUM.b") for _ in range(count)]
    random = np.random.default_rng(1)
    found = []
    for number in range(count):
        pool = PREFIXES[[*PREFIXES][number % 6] if mode == "auto" else mode]
        odd = "BIOESULM"[number // 8 % 8] if number % 8 == 0 else ""
        found.append(random_pair(random, pool + odd))
    return found


def seqeval(mode: str) -> Callable[[Sentences, Sentences], Answer]:
    """What seqeval itself says; skips where it is not installed."""
    pytest.importorskip("seqeval", reason=f"seqeval {VERSION} is not installed")
    if metadata.version("seqeval") != VERSION:
        pytest.skip(f"the numbers are those of seqeval {VERSION}")
    from seqeval import scheme as schemes
    from seqeval.metrics import sequence_labeling, v1

    suffix = mode in SUFFIXED
    more: dict[str, Any] = {"suffix": True, "beta": 2} if suffix else {}
    scheme = SUFFIXED.get(mode, mode)

    def default(gold: Sentences, system: Sentences) -> Answer:
        found = [set(sequence_labeling.get_entities(side, suffix)) for side in (gold, system)]
        averages = partial(sequence_labeling.precision_recall_fscore_support, **more)
        return _answer(found, averages, gold, system)

    def strict(gold: Sentences, system: Sentences) -> Answer:
        try:
            is_auto = scheme == "auto"
            named = schemes.auto_detect(gold) if is_auto else getattr(schemes, scheme.upper())
            entities = [schemes.Entities(side, named, suffix) for side in (gold, system)]
        except (ValueError, KeyError):
            return None
        found = [
            {(e.tag, e.sent_id, e.start, e.end) for sentence in side.entities for e in sentence}
            for side in entities
        ]
        averages = partial(
            v1.precision_recall_fscore_support,
            scheme=named,
            entities_true=entities[0],
            entities_pred=entities[1],
            **more,
        )
        return _answer(found, averages, gold, system)

    return default if scheme == "default" else strict


def _answer(
    found: list[set[Any]],
    averages: Callable[..., tuple[float, ...]],
    gold: Sentences,
    system: Sentences,
) -> Answer:
    kinds = [Counter(str(e[0]) for e in some) for some in (found[0] & found[1], *found)]
    labels: Any = counts_of(*kinds)
    if not labels:
        return {}, []  # the mean of no labels is nan there
    means = [averages(gold, system, average=a)[:3] for a in ("micro", "macro", "weighted")]
    return dict(sorted(labels.items())), [round(float(n), 9) for three in means for n in three]


def compare(mode: str, pairs: Files, answers: list[Any]) -> None:
    """The same counts for every type, the same averages, the same refusals."""
    scheme = SUFFIXED.get(mode, mode)
    more = ", suffix=True, beta=2" if mode in SUFFIXED else ""
    strict = f"spans.f1(compat=seqeval-strict, scheme={scheme}{more})"
    metric = f"spans.f1(compat=seqeval{more})" if scheme == "default" else strict
    matched = refused = 0
    for (gold, system), answer in zip(pairs, answers, strict=True):
        if answer is None:
            refused += 1
            with pytest.raises(InputError):
                judge(metric, gold, system)
            continue
        labels = {label: tuple(counts) for label, counts in answer[0].items()}
        ours = judge(metric, gold, system)
        assert ours.labels == labels, (gold, system)
        assert ours.totals == tuple(sum(c[i] for c in labels.values()) for i in range(3))
        matched += ours.totals[0]
        if labels:
            figures = [
                ours.scores[f"{average}{part}"]
                for average in ("", "macro_", "weighted_")
                for part in ("precision", "recall", "f1")
            ]
            assert figures == pytest.approx(answer[1], rel=1e-6, abs=1e-8), (gold, system)
    is_default = scheme == "default"
    assert matched > len(pairs) / (1 if is_default else 2), "hardly a match says hardly much"
    # About half of the files of any scheme are refused where the scheme is to be detected.
    assert refused == 0 if is_default else len(pairs) / 200 < refused < len(pairs) * 0.6


@modes
@counts
def test_random_files(mode: str, count: int) -> None:
    pairs = files(mode, count)
    compare(mode, pairs, recorded(f"seqeval-{mode}", f"seqeval {VERSION}", pairs))


@modes
def test_seqeval_says_what_is_on_record(mode: str) -> None:
    ask, pairs = seqeval(mode), files(mode, BLOCK)
    confirm(f"seqeval-{mode}", f"seqeval {VERSION}", pairs, [ask(*pair) for pair in pairs])


@pytest.mark.oracles
@modes
def test_many_random_files(mode: str) -> None:
    ask, pairs = seqeval(mode), files(mode, FILES)
    answers = [ask(*pair) for pair in pairs]
    record(f"seqeval-{mode}", f"seqeval {VERSION}", pairs[:RECORDED], answers[:RECORDED])
    compare(mode, pairs, answers)
