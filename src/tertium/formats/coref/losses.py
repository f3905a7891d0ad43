"""What coreference loses when it is written in a different format."""

from __future__ import annotations

from collections import Counter

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Chains, covered
from tertium.exceptions import counted
from tertium.formats.coref.corefud import NOWHERE, entity_chains


def lost_mentions(whole: Corpus, back: Corpus | None) -> list[str]:
    """Mentions that did not come back or, if all did, what is no longer said about them."""
    chains = entity_chains(whole)
    again = None if back is None else entity_chains(back)
    if chains is None or not len(chains.start):
        return []
    mine, theirs = _spans(chains), _spans(again)
    if lost := (mine - theirs).total():
        return [counted(lost, "mention")]
    assert again is not None
    before, after = _facts(chains), _facts(again)
    return [counted(n, *what) for what in before if (n := before[what] - after[what]) > 0]


def _spans(chains: Chains | None) -> Counter[tuple[int, int]]:
    if chains is None:
        return Counter()
    return Counter(zip(chains.start.tolist(), chains.end.tolist(), strict=True))


def _facts(chains: Chains) -> dict[tuple[str, str], int]:
    """How often something is said of mentions, by its name and its plural."""
    sizes = covered(chains.start, chains.end, chains.tokens)
    return {
        ("mention's gaps", "mentions' gaps"): int((sizes < chains.end - chains.start).sum()),
        ("mention's type", "mentions' types"): len(chains.label) - len(chains.label.where("")),
        ("mention's head", "mentions' heads"): 0
        if chains.head is None
        else int((chains.head != NOWHERE).sum()),
        ("mention's empty node", "mentions' empty nodes"): 0
        if chains.zeros is None
        else len(chains.zeros.values),
    }
