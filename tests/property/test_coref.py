"""coref.* against an implementation in plain Python, on any chains whatever."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chain_samples import chained, counts, over
from plain_coref import plain_counts
from tertium.families.base import make

MENTIONS = st.sampled_from([(a, z) for a in range(7) for z in range(a, min(a + 3, 8))])
CHAINS = st.lists(st.lists(MENTIONS, min_size=1, max_size=6), max_size=6)
METRICS = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
Document = Sequence[Sequence[tuple[int, int]]]


def in_file_order(chains: Document) -> Document:
    """As the reference scorer meets them: by the first mention, one token before several."""
    ordered = [sorted(chain) for chain in chains]
    return sorted(ordered, key=lambda chain: min((a, z > a) for a, z in chain))


@pytest.mark.parametrize("name", METRICS)
@given(gold=st.lists(CHAINS, min_size=1, max_size=3), data=st.data())
def test_counts_are_those_of_plain_python(
    name: str, gold: list[Document], data: st.DataObject
) -> None:
    system = [data.draw(st.one_of(CHAINS, st.just(document))) for document in gold]
    # Of chains that begin in the same place the order of the text is that of the lists.
    gold, system = ([in_file_order(document) for document in side] for side in (gold, system))
    plain = [plain_counts(a, b)[name] for a, b in zip(gold, system, strict=True)]
    ours = counts(f"coref.{name}", chained(*gold), chained(*system))
    assert ours == pytest.approx(np.sum(plain, axis=0), abs=1e-9)


@given(gold=CHAINS, system=CHAINS, seed=st.integers(0, 99))
def test_names_and_order_of_chains_do_not_matter_without_repetitions(
    gold: Document, system: Document, seed: int
) -> None:
    sides = []
    for chains in (gold, system):
        seen: set[tuple[int, int]] = set()
        kept = [[m for m in chain if m not in seen and not seen.add(m)] for chain in chains]
        sides.append([chain for chain in kept if chain])
    shuffled = [np.random.default_rng(seed).permutation(len(chains)) for chains in sides]
    for name in METRICS:
        one = counts(f"coref.{name}", *map(chained, sides))
        two = counts(
            f"coref.{name}",
            *(chained([c[n] for n in o]) for c, o in zip(sides, shuffled, strict=True)),
        )
        assert one == pytest.approx(two, abs=1e-9)
        swapped = counts(f"coref.{name}", chained(sides[1]), chained(sides[0]))
        assert swapped[:4] == pytest.approx([*one[2:4], *one[:2]], abs=1e-9)


@given(gold=CHAINS, system=CHAINS, heads=st.integers(0, 2))
def test_every_mention_has_one_partner_at_most(
    gold: Document, system: Document, heads: int
) -> None:
    from dataclasses import replace

    ours, theirs = map(chained, (gold, system))
    with_heads = []
    for corpus in (ours, theirs):
        layer = corpus.layers["coref"]
        head = np.minimum(layer.start + heads, layer.end - 1)  # type: ignore[attr-defined]
        with_heads.append(replace(corpus, layers={"coref": replace(layer, head=head)}))  # type: ignore[call-arg]
    found = {}
    for matching in ("exact", "partial", "head"):
        made = make(f"coref.mentions(matching={matching})")
        match = made.match(*with_heads, over(*with_heads))  # type: ignore[attr-defined]
        met = match.partner[match.partner >= 0]
        distinct = {*match.gold.key[match.partner >= 0].tolist()}
        assert len({*met.tolist()}) == len(distinct)
        assert (match.gold.key[match.of_system[met]] == match.system.key[met]).all()
        found[matching] = len(distinct)
    assert found["exact"] <= found["partial"]
