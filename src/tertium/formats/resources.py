"""Files that are parameters of metrics: read here, kept by value, named in the signature."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations
from pathlib import Path

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32
from tertium.corpus.schemes import spans_of
from tertium.exceptions import InputError, UsageError, suggestion
from tertium.formats.base import Problems, Reading
from tertium.formats.files import read_file
from tertium.formats.lines import check_text
from tertium.formats.lines import load as load_bytes
from tertium.formats.sources import MOST_NAMED, is_there, open_input, resolve

MOST_APART = 1e15  # of two labels, so that sums stay exact


@dataclass(frozen=True, slots=True)
class Resource:
    """A file's content and identity; equal iff name and content are. Its text is its path. What is
    built in has a name for a path, and no digest."""

    path: str
    digest: str

    @property
    def name(self) -> str:
        """What the signature shows: file name and the first 8 digits of its SHA-256."""
        return f"{Path(self.path).name}@{self.digest[:8]}" if self.digest else self.path

    def __str__(self) -> str:
        return self.path


@dataclass(frozen=True, slots=True)
class Lexicon(Resource):
    """What the training data has: its forms, and the texts of its spans per layer. `files` are the
    names of its files, or how many there are."""

    forms: frozenset[str] = field(default=frozenset(), repr=False)
    spans: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False, hash=False)
    files: str = ""

    @property
    def name(self) -> str:
        """What the signature shows, independent of the order of files."""
        return f"{self.files or Path(self.path).name}@{self.digest[:8]}"


@dataclass(frozen=True, slots=True)
class LabelMap(Resource):
    """New names for labels, for the layer `layer` (all layers if empty) of the side `side`: "gold"
    or the name of a system (all sides if empty)."""

    layer: str = ""
    side: str = ""
    mapping: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)

    @property
    def text(self) -> str:
        """What the signature shows: side and layer before the file's name."""
        # A colon would be escaped there.
        side, layer = self.side and f"{self.side}/", self.layer and f"{self.layer}="
        return f"{side}{layer}{self.name}"

    def meets(self, other: LabelMap) -> bool:
        """Can both apply to one label: do they share a side and a layer?"""
        mine, yours = (self.side, self.layer), (other.side, other.layer)
        return all(not a or not b or a == b for a, b in zip(mine, yours, strict=True))


@dataclass(frozen=True, slots=True)
class Distances(Resource):
    """How bad it is to take one label for another: a number for every two labels, 0 for one and the
    same."""

    pairs: Mapping[tuple[str, str], float] = field(default_factory=dict, repr=False, hash=False)

    def square(self, labels: Sequence[str]) -> list[list[float]]:
        """The distances of all pairs of labels. A label that the file does not have is refused, and
        two labels without a distance."""
        known = {label for pair in self.pairs for label in pair}
        for label in labels:
            if label not in known:
                near = suggestion(label, sorted(known))
                raise InputError(
                    f"{self.path} has no label '{label}'.{near}",
                    help="give the distances of all pairs of labels in the data",
                )
        return [[self._between(a, b) for b in labels] for a in labels]

    def _between(self, a: str, b: str) -> float:
        found = 0.0 if a == b else self.pairs.get((a, b))
        if found is None:
            raise InputError(f"{self.path} has no distance between '{a}' and '{b}'")
        return found


def load(kind: str, name: str) -> Resource:
    """Read a resource of a kind ("lexicon", "labels", "distances", "confusions", ...)."""
    if kind not in LOADERS:
        raise UsageError(f"there is no kind of resource '{kind}'")
    return LOADERS[kind](name)


def load_lexicon(*texts: str) -> Lexicon:
    """Corpora in any format: files, folders or globs. What one of them holds counts as known.

    A text may name several, separated by commas. The same files are the same lexicon, in whatever
    order and however they are named.
    """
    paths = [p for text in texts for p in ([text] if is_there(text) else text.split(","))]
    forms: set[str] = set()
    spans: dict[str, frozenset[str]] = {}
    names: dict[str, str] = {}
    for file in dict.fromkeys(file for path in paths for file in resolve(path, name=path).files):
        corpus = read_file(file, digest=True)
        if corpus.forms is None:
            raise InputError(f"{file} holds no words and cannot serve as a lexicon")
        forms |= {*corpus.forms.names}
        for layer, found in span_texts(corpus).items():
            spans[layer] = spans.get(layer, frozenset()) | found
        names[corpus.digest] = min(file, names.get(corpus.digest, file))
    path, digest = ",".join(sorted(paths)), joint_digest(sorted(names))
    return Lexicon(path, digest, frozenset(forms), spans, _called(names.values()))


def _called(files: Iterable[str]) -> str:
    """The names of files without their folders, or how many there are."""
    names = sorted(Path(file).name for file in files)
    return "+".join(names) if len(names) <= MOST_NAMED else f"{len(names)} files"


def span_texts(corpus: Corpus) -> dict[str, frozenset[str]]:
    """The texts of all spans, words joined by spaces, per layer."""
    return {
        name: frozenset(words_of(corpus, spans.start, spans.end))
        for name, layer in corpus.layers.items()
        if (spans := spans_of(layer, corpus.offsets)) is not None
    }


def words_of(corpus: Corpus, start: Int32, end: Int32) -> list[str]:
    """The text of each span from `start` to `end`: its words joined by spaces."""
    assert corpus.forms is not None
    names, codes = corpus.forms.names.strings, corpus.forms.codes.tolist()
    return [
        " ".join(names[c] for c in codes[a:z])
        for a, z in zip(start.tolist(), end.tolist(), strict=True)
    ]


def split_map(text: str, exists: Callable[[str], bool] = os.path.exists) -> tuple[str, str, str]:
    """Side, layer and path of `[SIDE:][LAYER=]FILE`. A file of that very name goes before.

    >>> split_map("gold:upos=map.tsv"), split_map("upos=a:b.tsv"), split_map("map.tsv")
    (('gold', 'upos', 'map.tsv'), ('', 'upos', 'a:b.tsv'), ('', '', 'map.tsv'))
    """
    side, colon, rest = text.partition(":")
    if exists(text) or not colon or "=" in side:
        side, rest = "", text
    layer, equals, path = rest.partition("=")
    return (side, layer, path) if equals and not exists(rest) else (side, "", rest)


def load_labels(text: str) -> LabelMap:
    """`[SIDE:][LAYER=]FILE`: two columns, separated by a tab or spaces; `#` begins a comment."""
    side, layer, path = split_map(text)
    mapping: dict[str, str] = {}
    lines, digest = text_lines(path)
    for number, line in enumerate(lines, 1):
        fields = line.split("\t") if "\t" in line else line.split()
        if not line.strip() or (line.startswith("# ") and "\t" not in line):
            continue
        if len(fields) != 2:
            raise InputError(
                f"{path}:{number}: {len(fields)} columns, expected 2 (old and new label)"
            )
        old, new = (f.strip() for f in fields)
        if mapping.setdefault(old, new) != new:
            raise InputError(
                f"{path}:{number}: '{old}' is mapped to '{mapping[old]}' and to '{new}'"
            )
    return LabelMap(path, digest, layer=layer, side=side, mapping=mapping)


def load_distances(path: str) -> Distances:
    """Three columns: two labels, in either order, and a number that is not negative; separated by a
    tab or spaces, `#` begins a comment."""
    pairs: dict[tuple[str, str], float] = {}
    lines, digest = text_lines(path)
    for number, line in enumerate(lines, 1):
        fields = line.split("\t") if "\t" in line else line.split()
        if not line.strip() or (line.startswith("# ") and "\t" not in line):
            continue
        where, value = f"{path}:{number}", None
        if len(fields) != 3:
            raise InputError(
                f"{where}: {len(fields)} columns, expected 3 (two labels and their distance)"
            )
        a, b, text = (f.strip() for f in fields)
        with suppress(ValueError):
            value = float(text)
        if value is None or not 0 <= value <= MOST_APART:
            message = f"a distance must be a number from 0 to {MOST_APART:.0e}. Got '{text}'."
            raise InputError(f"{where}: {message}")
        if a == b and value:
            raise InputError(f"{where}: the distance of '{a}' to itself must be 0. Got {text}.")
        if pairs.setdefault((a, b), value) != value:
            raise InputError(f"{where}: '{a}' and '{b}' have two distances")
        pairs[b, a] = value
    if not any(pairs.values()):
        raise InputError(f"{path} has no distance above 0")
    return Distances(path, digest, pairs)


def text_lines(path: str, content: bytes | None = None) -> tuple[list[str], str]:
    """The lines of a text file, and its digest; `content` is what was read of it before."""
    if content is None:
        with open_input(path) as stream:
            content = stream.read()
    problems = Problems(Reading(path))
    buf = load_bytes(io.BytesIO(content), problems)
    check_text(buf, problems)
    return buf.tobytes().decode().splitlines(), sha256(content).hexdigest()


def load_maps(given: Sequence[str | LabelMap]) -> tuple[LabelMap, ...]:
    """Several maps, of which no two say different things about a label of the same layer and
    side; in an order that does not depend on theirs."""
    maps = tuple(load_labels(each) if isinstance(each, str) else each for each in given)
    for one, other in combinations(maps, 2):
        if not one.meets(other):
            continue
        for old in sorted(one.mapping.keys() & other.mapping.keys()):
            if (new := one.mapping[old]) != other.mapping[old]:
                raise InputError(
                    f"'{old}' is mapped to '{new}' in {one.path} "
                    f"and to '{other.mapping[old]}' in {other.path}"
                )
    return tuple(sorted(maps, key=lambda each: (each.text, each.path)))


def joint_digest(digests: Sequence[str]) -> str:
    """The digest of several files: of one its own, else that of all digests."""
    return digests[0] if len(digests) == 1 else sha256("".join(digests).encode()).hexdigest()


def _load_heads(name: str) -> Resource:
    from tertium.formats.heads import load_heads  # which needs this module

    return load_heads(name)


def _load_prm(name: str) -> Resource:
    from tertium.formats.evalb_prm import load_prm

    return load_prm(name)


def _load_confusions(name: str) -> Resource:
    from tertium.formats.confusions import load_confusions

    return load_confusions(name)


LOADERS: dict[str, Callable[[str], Resource]] = {
    "lexicon": load_lexicon,
    "labels": load_labels,
    "distances": load_distances,
    "heads": _load_heads,
    "prm": _load_prm,
    "confusions": _load_confusions,
}
