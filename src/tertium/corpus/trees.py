"""How constituent trees lie in a corpus, for those who read, write or judge them.

- layer `trees` (`Trees`): one row per constituent in preorder. `label` is the category without its
  function: `NP` and `SBJ-1` for NP-SBJ-1. A bracket without a name has the label "". Constituents
  of several roots are several rows without a parent
- layer `pos` (`Tags`): parts of speech
- extra `functions` (`Tags`): functions of words, empty for none; only if a word has one
- extra `empty` (`EmptyNodes`): traces. The k-th trace of the corpus is the k-th row of `trees` that
  has no children and no tokens: `label` is its tag, `start` and `end` are the token before which it
  is. `fields` hold its form and tag as FORM and XPOS
- extra `written` (`Tags`): forms as the file writes them, only if some of them cannot be told from
  the form, which is unescaped (`-LRB-` is `(`)
"""

from __future__ import annotations

import numpy as np

from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64, Labels
from tertium.corpus.layers import Bools, Tags, Trees

TREES, POS, FUNCTIONS, WRITTEN, EMPTY = "trees", "pos", "functions", "written", "empty"


def split_label(written: str) -> tuple[str, str]:
    """Category and function of a label such as NP-SBJ; the function is empty where there is none.

    >>> split_label("NP-SBJ-1"), split_label("NP=2"), split_label("-NONE-"), split_label("NP-")
    (('NP', 'SBJ-1'), ('NP', '=2'), ('-NONE-', ''), ('NP-', ''))
    """
    cut = next((place for place, sign in enumerate(written) if sign in "-="), 0)
    function = written[cut:].removeprefix("-") if cut else ""
    if not function or join_label(written[:cut], function) != written:
        return written, ""
    return written[:cut], function


def join_label(label: str, function: str) -> str:
    """A label as Penn brackets write it.

    >>> join_label("NP", "SBJ-1"), join_label("NP", "=2"), join_label("NP", "")
    ('NP-SBJ-1', 'NP=2', 'NP')
    """
    if not function:
        return label
    return f"{label}{function}" if function.startswith("=") else f"{label}-{function}"


def joined_labels(label: Labels, function: Labels) -> Labels:
    """Labels with their functions, as Penn brackets write them."""
    if function.is_constant(""):
        return label
    size = len(function.names)
    key = label.codes.astype(np.int64) * size + function.codes
    used = np.zeros(len(label.names) * size, np.bool_)
    used[key] = True
    pairs = np.flatnonzero(used)
    written = Labels.of(
        join_label(label.names[pair // size], function.names[pair % size])
        for pair in pairs.tolist()
    )
    place = np.zeros(len(used), np.int32)
    place[pairs] = written.codes
    return Labels(written.names, place[key])


def trace_rows(trees: Trees) -> Bools:
    """Which rows are traces: those without children and tokens."""
    found: Bools = trees.start == trees.end
    found[trees.parent[trees.parent >= 0]] = False
    return found


@once
def word_parents(corpus: Corpus) -> Int32:
    """The row of the lowest constituent over every token, -1 for none."""
    from tertium.corpus._kernels import lowest_rows

    trees = corpus.layer(TREES, Trees)
    parents = np.full(corpus.token_count, -1, np.int32)
    if trees.tokens is None:
        lowest_rows(trees.start, trees.end, parents)
    else:
        owner = np.repeat(np.arange(len(trees.start)), np.diff(trees.tokens.bounds))
        places = trees.start[owner] + trees.tokens.values
        parents[places] = owner  # of several rows the last one, which is the lowest, stays
    return parents


def written_forms(corpus: Corpus) -> Labels:
    """The forms as the file writes them."""
    written = corpus.extra(WRITTEN, Tags)
    assert corpus.forms is not None
    return corpus.forms if written is None else written.labels


def preorder_ends(trees: Trees) -> Int64:
    """The row behind the last descendant of each row."""
    from tertium.corpus._kernels import grow_ends

    ends = np.arange(1, len(trees.parent) + 1, dtype=np.int64)
    grow_ends(trees.parent, ends)
    return ends
