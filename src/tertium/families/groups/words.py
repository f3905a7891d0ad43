"""Properties of words for `--by KEY`: what each word of a corpus is by its own annotation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64, Labels, Names
from tertium.corpus.layers import Arcs, Tags
from tertium.exceptions import UsageError
from tertium.families.groups.buckets import NONE, bucket_names, edges_of
from tertium.formats.resources import Lexicon

DISTANCES = (1, 2, 6)
DEPTHS = (1, 2, 3, 6)
# What each key looks at: the layer that a file must have.
_LAYERS = {
    "deprel": "deps",
    "distance": "deps",
    "direction": "deps",
    "depth": "deps",
    "projectivity": "deps",
    "upos": "upos",
    "xpos": "xpos",
    "feature": "feats",
    "known": "",
}
_UNSPECIFIED = "_"
WORD_KEYS = tuple("feature:NAME" if kind == "feature" else kind for kind in _LAYERS)


@dataclass(frozen=True)
class WordKey:
    """A key that groups words, taken apart.

    - `text`: as the user wrote it
    - `edges`: upper edges of the buckets of `distance` and `depth`
    - `feature`: the name of a morphological feature
    - `full`: are relations kept with their subtypes?
    - `lexicon`: training data that tells known words from unknown ones; `digest` of its content
    """

    text: str
    kind: str
    edges: tuple[int, ...] = ()
    feature: str = ""
    full: bool = False
    lexicon: Lexicon | None = field(default=None, compare=False)
    digest: str = ""

    @property
    def layer(self) -> str:
        """The layer it looks at, which is also the column a reader must provide; "" for forms."""
        return _LAYERS[self.kind]

    @property
    def is_of_trees(self) -> bool:
        """Is it a property of arcs rather than of words as such?"""
        return self.layer == "deps"

    @property
    def fixed_names(self) -> list[str]:
        """All groups in their natural order, for keys whose groups are known beforehand."""
        if self.kind == "distance":
            return ["root", *bucket_names(self.edges)]
        return {
            "depth": bucket_names(self.edges),
            "direction": ["left", "right", "root"],
            "projectivity": ["projective", "non-projective"],
            "known": ["known", "unknown"],
        }.get(self.kind, [])

    def in_order(self, sizes: Mapping[str, float]) -> list[str]:
        """Groups in a natural order, given how many gold items each has: buckets as they follow
        one another, labels from the most frequent to the rarest, then by name; none last."""
        rank = {name: i for i, name in enumerate(self.fixed_names)}
        return sorted(sizes, key=lambda n: (n == NONE, rank[n] if n in rank else -sizes[n], n))


def word_key(by: str | None, lexicon: Lexicon | None = None) -> WordKey | None:
    """The key if it names a property of words, None for keys of units.

    `deprel` (`deprel:full` with subtypes), `upos`, `xpos`, `distance` (`distance:1,4,9` sets other
    upper edges), `direction`, `depth` (`depth:2,4`), `projectivity`, `feature:NAME`, and with a
    lexicon `known`.
    """
    kind, colon, rest = (by or "").partition(":")
    if by is None or kind not in _LAYERS:
        return None
    if kind == "distance":
        return WordKey(by, kind, edges_of(by, DISTANCES))
    if kind == "depth":
        return WordKey(by, kind, edges_of(by, DEPTHS))
    if kind == "feature":
        if not rest:
            raise UsageError(f"'{by}' names no feature; write feature:NAME, such as feature:Case")
        return WordKey(by, kind, feature=rest)
    if by == "known":
        if lexicon is None:
            raise UsageError(
                "known words are those of a lexicon, and none is given",
                help="'--lexicon FILE' names training data",
            )
        return WordKey(by, kind, lexicon=lexicon, digest=lexicon.digest)
    if by == "deprel:full":
        return WordKey(by, kind, full=True)
    if colon:
        known = "deprel or deprel:full" if kind == "deprel" else f"{kind} alone"
        raise UsageError(f"there is no key '{by}'; write {known}")
    return WordKey(by, kind)


def has_layer(corpus: Corpus, key: WordKey) -> bool:
    """Does the corpus have what the key looks at?"""
    if key.kind == "known":
        return corpus.forms is not None and not corpus.forms.is_constant("_")
    return isinstance(corpus.layers.get(key.layer), Arcs if key.is_of_trees else Tags)


def check_layer(gold: Corpus, key: WordKey) -> None:
    """The gold standard must have it."""
    if has_layer(gold, key):
        return
    what = {
        "deps": "dependency trees",
        "feats": "morphological features (layer 'feats')",
        "": "words",
    }.get(key.layer, f"tags '{key.layer}'")
    raise UsageError(
        f"'--by {key.text}' needs {what}, and {gold.origin} has none",
        help=f"it has: {', '.join(gold.layers) or 'no layers'}; '--with FILE' adds those of "
        "another file over the same tokens",
    )


@once
def word_groups(corpus: Corpus, key: WordKey) -> Labels:
    """The group of every word by the corpus's own annotation; NONE where it has none."""
    if not has_layer(corpus, key):
        return Labels.constant(NONE, corpus.token_count)
    if key.kind == "known":
        assert corpus.forms is not None
        assert key.lexicon is not None
        known = key.lexicon.forms
        table = np.array([n not in known for n in corpus.forms.names] or [False], np.int32)
        return Labels(Names.of(key.fixed_names), table[corpus.forms.codes])
    if key.kind == "feature":
        feats = corpus.layer("feats", Tags).labels
        return feats.rename({text: feature_value(text, key.feature) for text in feats.names})
    if not key.is_of_trees:
        return corpus.layer(key.layer, Tags).labels.rename({_UNSPECIFIED: NONE})
    arcs = corpus.layer("deps", Arcs)
    head = _heads(arcs, corpus)
    if key.kind == "deprel":
        return _relations(arcs.label, head, full=key.full)
    return _named(key.fixed_names, _codes(key, head, corpus.offsets))


def _codes(key: WordKey, head: Int64, offsets: Int64) -> Int64:
    """Each word's place among the groups that are known beforehand, -1 for none."""
    if key.kind == "projectivity":
        from tertium.families.groups._kernels import projective

        verdict = projective(head, offsets)
        return np.where(verdict < 0, -1, 1 - verdict).astype(np.int64)
    if key.kind == "depth":
        from tertium.families.groups._kernels import depths

        depth = depths(head, offsets)
        return np.where(depth == 0, -1, np.searchsorted(key.edges, depth)).astype(np.int64)
    place = np.arange(1, len(head) + 1) - np.repeat(offsets[:-1], np.diff(offsets))
    if key.kind == "direction":
        codes = np.where(place < head, 0, 1)
        codes[head == 0] = 2
    else:
        codes = np.searchsorted(key.edges, np.abs(place - head)) + 1
        codes[head == 0] = 0
    codes[head < 0] = -1
    return codes


def _heads(arcs: Arcs, corpus: Corpus) -> Int64:
    """Heads that point into their sentence; all others are none."""
    size = np.repeat(np.diff(corpus.offsets), np.diff(corpus.offsets))
    head = arcs.head.astype(np.int64)
    return np.where(head > size, -1, head)


def _relations(labels: Labels, head: Int64, *, full: bool) -> Labels:
    cut = {n: NONE if n == _UNSPECIFIED else n if full else n.split(":")[0] for n in labels.names}
    renamed = labels.rename(cut)
    if not (head < 0).any():
        return renamed
    names = dict.fromkeys([*renamed.names, NONE])
    place = [*names].index(NONE)
    return Labels(Names.of(names), np.where(head < 0, place, renamed.codes).astype(np.int32))


def _named(names: list[str], codes: Int64) -> Labels:
    return Labels(Names.of([*names, NONE]), _compact(codes, len(names)))


def _compact(codes: Int64, none: int) -> Int32:
    return np.where(codes < 0, none, codes).astype(np.int32)


def feature_value(feats: str, name: str) -> str:
    """The value of a feature in a FEATS column, several values as written; NONE without it.

    >>> feature_value("Case=Nom,Acc|Number[psor]=Sing", "Number[psor]")
    'Sing'
    >>> feature_value("Case=Nom,Acc|Number[psor]=Sing", "Number")
    '(none)'
    """
    for entry in feats.split("|"):
        key, equals, value = entry.partition("=")
        if equals and key == name:
            return value
    return NONE
