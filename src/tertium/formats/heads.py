"""Heads of constituents: rules that say which daughter is the head (docs/head-rules.md), and what
follows from them: the lexical head of every constituent, the governor of every word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Bytes, Int32, Int64, Labels, unite
from tertium.corpus.layers import Bools, Tags, Trees
from tertium.corpus.trees import FUNCTIONS, POS, TREES, word_parents
from tertium.exceptions import InputError
from tertium.formats.resources import Resource, text_lines
from tertium.formats.sources import is_there

BUILT_IN = ("penn", "penn-content", "tiger", "tueba")
HEAD = "HD"  # the function of a head
ROOT_RULE, DEFAULT = "VROOT", "default"
DIRECTIONS = ("first", "last")
# Ranks: 0 for the function of a head, then preferences by their place in a rule; twice that, and
# one more where the last daughter is preferred.
_UNLISTED = 1 << 20


class Preference(NamedTuple):
    """One line of a rule: preferences, each a set of labels (`VV*`: all that begin so), and which
    of several daughters is taken, the first or the last."""

    last: bool
    wanted: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class HeadRules(Resource):
    """Head rules: built-in ones by their name, or those of a file.

    - `searches`: of each category the lines of its rule, and the line for all other categories
    - `groups`: of a category whose daughters form a nameless group, such as the noun phrase inside
      a flat prepositional phrase: how its head is found, and its members
    - `open`: categories without a head, such as topological fields: their daughters depend on the
      head of the constituent above
    """

    searches: Mapping[str, tuple[Preference, ...]] = field(
        default_factory=dict, hash=False, repr=False
    )
    groups: Mapping[str, tuple[Preference, Preference]] = field(
        default_factory=dict, hash=False, repr=False
    )
    open: frozenset[str] = frozenset()


def load_heads(name: str) -> HeadRules:
    """Built-in rules, or those of a file."""
    if name not in BUILT_IN and not is_there(name):
        raise InputError(
            f"there are no head rules '{name}', and no file of that name",
            help=f"built-in rules are {', '.join(BUILT_IN)}",
        )
    if name not in BUILT_IN:
        lines, digest = text_lines(name)
        return parse_rules(name, digest, lines)
    path = resources.files("tertium") / "formats" / "rules" / f"{name}.heads"
    return parse_rules(name, "", path.read_text("utf-8").splitlines())


def parse_rules(path: str, digest: str, lines: Iterable[str]) -> HeadRules:
    """Rules from the lines of a file."""
    searches: dict[str, tuple[Preference, ...]] = {}
    groups: dict[str, tuple[Preference, Preference]] = {}
    is_open: set[str] = set()
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if not fields or fields[0].startswith("#"):
            continue
        categories, words = fields[0].split("/"), fields[1:]
        if "" in "/".join([fields[0], *words]).split("/"):
            raise _refusal(path, number, line)
        if words == ["open"] and DEFAULT not in categories:
            is_open.update(categories)
        elif _is_group(words):
            cut = words.index("of", 3)
            pair = _search(words[1], words[2:cut]), _search("first", words[cut + 1 :])
            groups |= dict.fromkeys(categories, pair)
        elif words and words[0] in DIRECTIONS:
            for each in categories:
                searches[each] = (*searches.get(each, ()), _search(words[0], words[1:]))
        else:
            raise _refusal(path, number, line)
    if not searches:
        raise InputError(f"{path} has no head rules")
    return HeadRules(path, digest, searches, groups, frozenset(is_open))


def _refusal(path: str, number: int, line: str) -> InputError:
    return InputError(
        f"{path}:{number}: '{line.strip()}' is not a head rule",
        help="a line is 'CATEGORY first LABEL ...', 'CATEGORY last LABEL ...', "
        "'CATEGORY group last LABEL ... of LABEL ...' or 'CATEGORY open'",
    )


def _is_group(words: Sequence[str]) -> bool:
    """Is this `group last LABEL ... of LABEL ...`?"""
    return words[:1] == ["group"] and "of" in words[3:-1] and words[1] in DIRECTIONS


def _search(direction: str, wanted: Sequence[str]) -> Preference:
    return Preference(direction == "last", tuple(tuple(each.split("/")) for each in wanted))


def _matches(label: str, patterns: Iterable[str]) -> bool:
    return any(
        label.startswith(each[:-1]) if each.endswith("*") else label == each for each in patterns
    )


def _ranks(searches: Sequence[Preference], names: Sequence[str]) -> list[int]:
    """Of every label its rank under the lines of a rule; the last line's direction holds for labels
    that none of them lists."""
    ways = [(patterns, each.last) for each in searches for patterns in each.wanted]
    found = [_UNLISTED + searches[-1].last] * len(names)
    for code, label in enumerate(names):
        for place, (patterns, last) in enumerate(ways, 1):
            if _matches(label, patterns):
                found[code] = 2 * place + last
                break
    return found


class _Nodes(NamedTuple):
    """Everything in the trees of a corpus. Places are tokens, then rows; nodes are rows, then one
    virtual root per sentence.

    - `mother`: the node over each place, -1 over rows without tokens
    - `label`: tags and categories of places, as codes into `names`
    - `start`: where places begin
    - `category`: codes into `names` of nodes
    """

    mother: Int32
    label: Int32
    start: Int32
    category: Int32
    names: list[str]

    @classmethod
    def of(cls, corpus: Corpus) -> _Nodes:
        trees, tokens = corpus.layer(TREES, Trees), corpus.token_count
        rows = len(trees.start)
        layer = corpus.layers.get(POS)
        tags = layer.labels if isinstance(layer, Tags) else Labels.constant("", tokens)
        names, (of_token, of_row, root) = unite(tags, trees.label, Labels.of([ROOT_RULE]))
        above = np.concatenate([word_parents(corpus), trees.parent])
        sentence = np.concatenate([corpus.sentence_of_token, trees.sentence])
        mother = np.where(above < 0, rows + sentence, above).astype(np.int32)
        mother[tokens:][trees.start == trees.end] = -1
        roots = np.full(corpus.sentence_count, root[0], np.int32)
        nameless = names.find("")
        category = np.concatenate([np.where(of_row == nameless, root[0], of_row), roots])
        return cls(
            mother,
            np.concatenate([of_token, of_row]).astype(np.int32),
            np.concatenate([np.arange(tokens, dtype=np.int32), trees.start]).astype(np.int32),
            category.astype(np.int32),
            [*names],
        )

    def ranks(self, rules: Mapping[str, Sequence[Preference]]) -> tuple[Int32, Int32]:
        """A table of ranks, a row per rule and a column per label, and the rule of every node."""
        every = [rules.get(DEFAULT, (Preference(False),))]
        of_name = np.zeros(len(self.names), np.int32)
        for code, name in enumerate(self.names):
            if name in rules:
                of_name[code] = len(every)
                every.append(rules[name])
        table = np.array([_ranks(each, self.names) for each in every], np.int32)
        return table, of_name[self.category]

    def chosen(
        self,
        mother: Int32,
        rules: Mapping[str, Sequence[Preference]],
        flags: Bytes,
        only_listed: bool,
    ) -> Int32:
        """The best daughter of every node, with or without those that no rule lists."""
        from tertium.formats._kernels import choose_heads

        best = np.full(len(self.category), -1, np.int32)
        columns = mother, self.label, self.start, flags
        choose_heads(*columns, *self.ranks(rules), _UNLISTED, only_listed, best)
        return best


# Labels of one style only: categories, and tags.
_SIGNS = {
    "tueba": {"SIMPX", "VXFIN", "VXINF", "VF", "MF", "LK"},
    "tiger": {"VVFIN", "VAFIN", "VMFIN", "APPR", "ADJA", "CNP", "CPP", "CVP", "AVP", "MPN"},
    "penn": {"SBAR", "ADJP", "ADVP", "WHNP", "SINV", "VBD", "VBZ", "VBP", "VBN", "NNS", "DT"},
}


def fitting_rules(corpus: Corpus) -> list[str]:
    """The built-in rules whose style a corpus has labels of, the likeliest first."""
    labels = corpus.layer(TREES, Trees).label.used_names()
    tags = corpus.layers.get(POS)
    found = {*labels, *(tags.labels.used_names() if isinstance(tags, Tags) else ())}
    return [name for name, signs in _SIGNS.items() if found & signs]


@once
def marks(corpus: Corpus) -> Bools:
    """Which words have no letter and no digit: punctuation and symbols."""
    assert corpus.forms is not None
    found = [not any(map(str.isalnum, form)) for form in corpus.forms.names]
    return np.array([*found, False], np.bool_)[corpus.forms.codes]


def _functions(corpus: Corpus) -> Labels:
    """The functions of words."""
    found = corpus.extra(FUNCTIONS, Tags)
    return Labels.constant("", corpus.token_count) if found is None else found.labels


def has_head_functions(corpus: Corpus) -> bool:
    """Does a constituent or word have the function of a head?"""
    both = _functions(corpus), corpus.layer(TREES, Trees).function
    return any(len(each.where(HEAD)) for each in both)


@once
def _nodes(corpus: Corpus) -> _Nodes:
    return _Nodes.of(corpus)


@once
def _best(corpus: Corpus, rules: HeadRules, functions: bool) -> Int32:
    """The head daughter of every node."""
    nodes, tokens = _nodes(corpus), corpus.token_count
    flags = np.zeros(len(nodes.mother), np.uint8)
    flags[:tokens][marks(corpus)] = 2
    if functions:
        flags[_functions(corpus).where(HEAD)] = 1
        flags[tokens + corpus.layer(TREES, Trees).function.where(HEAD)] = 1
    return nodes.chosen(nodes.mother, rules.searches, flags, False)


@once
def _lexical(corpus: Corpus, rules: HeadRules, functions: bool) -> Int32:
    """The lexical head of every place, a token, and of every virtual root; -1 for none."""
    best, tokens = _best(corpus, rules, functions), corpus.token_count
    below = np.concatenate([np.arange(tokens), best])
    below = np.where(below < 0, np.arange(len(below)), below)
    found = chain_ends(below)
    return np.where(found < tokens, found, -1).astype(np.int32)


def chain_ends(steps: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.integer[Any]]:
    """Where chains of steps end: in what leads to itself. Twice as many steps each time."""
    while not np.array_equal(further := steps[steps], steps):
        steps = further
    return steps


def head_children(corpus: Corpus, rules: HeadRules, functions: bool = True) -> Int32:
    """The head daughter of every constituent: a token, or the number of tokens plus a row; -1 for a
    constituent without words.

    A daughter with the function HD is the head, unless `functions` are to be ignored; of several
    the first. Otherwise the rules decide. Words without a letter or digit are heads only where a
    rule lists their tag or there is no other daughter.
    """
    return _best(corpus, rules, functions)[: len(corpus.layer(TREES, Trees).start)]


class Dependencies(NamedTuple):
    """What every word depends on.

    - `head`: a token, -1 for the word that heads its sentence
    - `place`: the word's maximal projection, the largest constituent that it heads: the token
      itself, or the number of tokens plus a row
    """

    head: Int64
    place: Int64


@once
def dependencies(corpus: Corpus, rules: HeadRules, functions: bool = True) -> Dependencies:
    """The governor of every word. Several roots, and words outside of all constituents, are
    daughters of a virtual root, which is treated as a constituent VROOT."""
    nodes, tokens = _nodes(corpus), corpus.token_count
    best, lexical = (find(corpus, rules, functions) for find in (_best, _lexical))
    rows = len(corpus.layer(TREES, Trees).start)
    is_open = np.array([name in rules.open for name in nodes.names], np.bool_)[nodes.category]
    over: npt.NDArray[np.integer[Any]] = np.arange(len(best))
    over[:rows] = np.where(is_open[:rows] & (best[:rows] >= 0), nodes.mother[tokens:], over[:rows])
    over = chain_ends(over)  # of every node the first one above it, or itself, that is not open
    places = np.flatnonzero(
        (nodes.mother >= 0) & ~np.append(np.zeros(tokens, np.bool_), is_open[:rows])
    )
    mother = nodes.mother[places]
    governor = lexical[tokens + over[mother]]
    if rules.groups:
        governor = np.where(*_grouped(nodes, rules, best, lexical, places), governor)
    word = lexical[places]
    below = lexical[tokens + over[mother]] != word
    head, place = np.full(tokens, -1, np.int64), np.arange(tokens, dtype=np.int64)
    head[word[below]] = governor[below]
    place[word[below]] = places[below]
    tops = np.flatnonzero(best[rows:] >= 0)
    place[lexical[tokens + rows + tops]] = best[rows + tops]
    return Dependencies(head, place)


def _grouped(
    nodes: _Nodes, rules: HeadRules, best: Int32, lexical: Int32, places: Int64
) -> tuple[Bools, Int32]:
    """Which places depend on the head of a group inside their mother, and what that is."""
    free = nodes.mother.copy()
    free[best[best >= 0]] = -1
    heads, members = ({n: (pair[k],) for n, pair in rules.groups.items()} for k in (0, 1))
    inner = nodes.chosen(free, heads, np.zeros(len(free), np.uint8), True)
    table, rule = nodes.ranks(members)
    mother = nodes.mother[places]
    is_member = (table[rule[mother], nodes.label[places]] < _UNLISTED) & (free[places] >= 0)
    is_member &= (inner[mother] >= 0) & (inner[mother] != places)
    return is_member, lexical[inner[mother]]
