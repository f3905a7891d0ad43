"""Names as tables show them: of systems without the endings of their files, of metrics as the
field writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from typing import Any, TypeVar

from tertium import registry
from tertium.results.blocks import Text

B = TypeVar("B")

# Fields that hold names of systems, or results that do; and those of them that are mappings with
# other keys.
_WITH_NAMES = {
    "system", "systems", "a", "b", "runs", "results", "groups", "comparisons", "intervals",
    "letters", "across", "datasets", "mean_ranks", "pairs", "replicability", "assessment",
    "against", "changes", "regrouped",
}  # fmt: skip
_OTHER_KEYS = {"groups", "across"}
# Fields of blocks that may name metrics and systems, and texts that do not.
_TOLD = {
    "title", "note", "omitted", "reason", "columns", "rows", "header", "group", "name", "names",
    "categories", "sets", "series", "groups", "heading", "whose", "row_axis", "column_axis",
}  # fmt: skip
OTHER_SUFFIXES = {".txt", ".out", ".pred", ".gz", ".zst"}
_AS_WRITTEN = ("signature", "code", "gold")


def common_ending(names: Sequence[str]) -> str:
    """What all names of files end in and none needs to be told apart; empty if there is nothing.

    It begins at a dash, underscore or dot and holds a known suffix of files, so names that a person
    gave stay unchanged.

    >>> common_ending(["crf-test.conllu", "spacy-test.conllu"])
    '-test.conllu'
    >>> common_ending(["v1.0", "v2.0"]), common_ending(["bert.large", "xlm.large"])
    ('', '')
    """
    if len(set(names)) < 2:
        return ""
    size = min(map(len, names))
    while any(not name.endswith(names[0][len(names[0]) - size :]) for name in names):
        size -= 1
    found = re.search(r"[-_.].*", names[0][len(names[0]) - size :], re.DOTALL)
    if found is None or not _suffix().search(found[0]) or found[0] in names:
        return ""
    return found[0]


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Each name without the common ending or, where there is none, without the suffix of a file.
    Names that would be the same keep what tells them apart.

    >>> [*short_names(["crf-test.conllu", "spacy-test.conllu"]).values()]
    ['crf', 'spacy']
    >>> [*short_names(["a.txt", "b"]).values()], [*short_names(["a.txt", "a.bio", "b"]).values()]
    (['a', 'b'], ['a.txt', 'a.bio', 'b'])
    """
    ending = common_ending(names)
    if ending:
        return {name: name.removesuffix(ending) for name in names}
    short = {name: _suffix().sub("", name) or name for name in names}
    taken = [*short.values()]
    return {name: name if taken.count(each) > 1 else each for name, each in short.items()}


def ending_note(names: Sequence[str]) -> list[str]:
    """That names are shorter than their files, where more than a file's suffix was cut off."""
    ending = common_ending(names)
    is_more = bool(_suffix().sub("", ending))
    return [f"names of systems are shown without '{ending}'"] if is_more else []


@cache
def _suffix() -> re.Pattern[str]:
    """Suffixes of all formats, of compressed files, and others that outputs usually have."""
    known: list[Any] = [registry.get("formats", name) for name in registry.names("formats")]
    every = {suffix for each in known for suffix in each.suffixes} | OTHER_SUFFIXES
    return re.compile(f"({'|'.join(map(re.escape, sorted(every)))})+$")


def renamed(found: Any, names: Mapping[str, str], *, keys: bool = True) -> Any:
    """Results, or anything that holds them, with other names of systems; whatever has no other name
    keeps its own. `keys` of a mapping are names of systems, or tuples that begin with one."""
    if isinstance(found, str):
        return names.get(found, found)
    if isinstance(found, tuple):
        return tuple(renamed(each, names) for each in found)
    if isinstance(found, Mapping):
        return {
            _key(key, names) if keys else key: renamed(each, names) for key, each in found.items()
        }
    if not is_dataclass(found) or isinstance(found, type):
        return found
    held = {each.name: getattr(found, each.name) for each in fields(found)}
    changed = {
        name: renamed(value, names, keys=name not in _OTHER_KEYS)
        for name, value in held.items()
        if name in _WITH_NAMES
    }
    if "notes" in held:
        changed["notes"] = tuple(map(teller(names), held["notes"]))
    return replace(found, **changed)


def called(blocks: Iterable[B], names: Mapping[str, str]) -> list[B]:
    """Blocks in which metrics and systems go by other names, in titles, headers, cells, figures and
    texts; signatures, code, places in files and the name of the gold standard stay as they are."""
    told = teller(names)
    return [_called(block, names, told) for block in blocks]


def teller(names: Mapping[str, str]) -> Callable[[str], str]:
    """What puts other names into a text.

    >>> teller({"a.bio": "a"})("a.bio: d/a.bio has no tags in a.bio:3")
    'a: d/a.bio has no tags in a.bio:3'
    """
    ids = sorted((text for text, name in names.items() if text != name), key=len, reverse=True)
    if not ids:
        return str
    every = "|".join(map(re.escape, ids))
    pattern = re.compile(rf"(?<![\w./-])({every})(?![\w(/-]|\.\w|:\d)")
    return partial(pattern.sub, lambda found: names[found[0]])


def _called(found: Any, names: Mapping[str, str], told: Callable[[str], str]) -> Any:
    """A block, or what is in one. Texts in a tuple, such as cells, are names as a whole or not."""
    if isinstance(found, str):
        return told(found)
    if isinstance(found, tuple):
        return tuple(
            names.get(v, v) if isinstance(v, str) else _called(v, names, told) for v in found
        )
    if not is_dataclass(found) or isinstance(found, type):
        return found
    wanted = [each.name for each in fields(found) if each.name in _TOLD]
    changed = {name: _called(getattr(found, name), names, told) for name in wanted}
    if isinstance(found, Text) and found.role not in _AS_WRITTEN:
        changed["text"] = told(found.text)
    return replace(found, **changed) if changed else found


def _key(key: Any, names: Mapping[str, str]) -> Any:
    return (names.get(key[0], key[0]), *key[1:]) if isinstance(key, tuple) else names.get(key, key)


def pseudonyms(names: Sequence[str]) -> dict[str, str]:
    """Names without meaning, in the order given.

    >>> pseudonyms(["ann", "ben"])
    {'ann': 'A1', 'ben': 'A2'}
    """
    width = len(str(len(names)))
    return {name: f"A{number:0{width}}" for number, name in enumerate(names, 1)}
