"""The algebra of multi-function trees, one sentence at a time (Tsarfaty et al. 2012, section 3).

The metric does the same with whole corpora; this is for single sentences, and to test the metric.
"""

from __future__ import annotations

from typing import NamedTuple

from tertium.exceptions import InputError
from tertium.families.theories.multifunction import MultiFunctionTree, Span, crossing, places_of

ADD, DELETE = "add", "delete"
_NAMED = 3  # pairs of crossing spans in a message


class Edit(NamedTuple):
    """One operation of an edit script: add or delete a node with this label over this span."""

    operation: str
    label: str
    span: Span


def subsumes(a: MultiFunctionTree, b: MultiFunctionTree) -> bool:
    """Is `a` more general than `b`, or the same: does `b` have all nodes of `a` with all their
    labels?

    >>> a, b = map(MultiFunctionTree.parse, ("(root (sbj a) b)", "(root (sbj a) (hd b))"))
    >>> subsumes(a, b), subsumes(b, a)
    (True, False)
    """
    _check(a, b)
    return all(span in b.nodes and labels <= b.nodes[span] for span, labels in a.nodes.items())


def generalize(*trees: MultiFunctionTree) -> MultiFunctionTree:
    """The most specific tree that is more general than all of these: the nodes that all have, with
    the labels that all have.

    >>> generalize(
    ...     MultiFunctionTree.parse("(root (sbj John) (hd loves) (obj Mary))"),
    ...     MultiFunctionTree.parse("(root (sbj John) (prd ({} loves) (obj Mary)))"),
    ... )
    MultiFunctionTree.parse('(root (sbj John) ({} loves) (obj Mary))')
    """
    _check(*trees)
    first, *others = trees
    shared = [span for span in first.nodes if all(span in each.nodes for each in others)]
    return MultiFunctionTree(
        first.words,
        {span: frozenset.intersection(*(each.nodes[span] for each in trees)) for span in shared},
    )


def unify(a: MultiFunctionTree, b: MultiFunctionTree) -> MultiFunctionTree:
    """The most general tree that has all nodes and labels of both; raises InputError, naming the
    spans, if nodes cross.

    >>> unify(*map(MultiFunctionTree.parse, ("(root (sbj a) b)", "(root a (hd b))")))
    MultiFunctionTree.parse('(root (sbj a) (hd b))')
    """
    _check(a, b)
    if found := [*crossing(a, b)]:
        more = f" (and {len(found) - _NAMED} more)" if len(found) > _NAMED else ""
        raise InputError(f"cannot unify trees: {'; '.join(found[:_NAMED])}{more}")
    nothing = frozenset[str]()
    return MultiFunctionTree(
        a.words,
        {
            span: a.nodes.get(span, nothing) | b.nodes.get(span, nothing)
            for span in {**a.nodes, **b.nodes}
        },
    )


def tl_unify(a: MultiFunctionTree, b: MultiFunctionTree) -> MultiFunctionTree:
    """The nodes of `a`, each with its labels and those that `b` has over the same words.

    >>> tl_unify(*map(MultiFunctionTree.parse, ("(root (sbj a) ({} b))", "(top (nsubj a) (hd b))")))
    MultiFunctionTree.parse('({root,top} ({nsubj,sbj} a) (hd b))')
    """
    _check(a, b)
    return MultiFunctionTree(
        a.words, {span: own | b.nodes.get(span, frozenset()) for span, own in a.nodes.items()}
    )


def edit_script(a: MultiFunctionTree, b: MultiFunctionTree) -> tuple[Edit, ...]:
    """The shortest way from the sorted function tree of `a` to that of `b`, in the order of the
    text: nodes are added and deleted, never renamed or moved, so it is the only one.

    >>> trees = map(MultiFunctionTree.parse, ("(root (sbj a) b)", "(root (obj a) b)"))
    >>> [(each.operation, each.label) for each in edit_script(*trees)]
    [('delete', 'sbj'), ('add', 'obj')]
    """
    _check(a, b)
    ours, theirs = a.constraints, b.constraints
    steps = [Edit(DELETE, *each) for each in ours - theirs]
    steps += [Edit(ADD, *each) for each in theirs - ours]
    return tuple(sorted(steps, key=_place))


def delta(parse: MultiFunctionTree, gold: MultiFunctionTree, general: MultiFunctionTree) -> int:
    """The errors of a parse: the steps from it to the generalised gold tree that do not also lead
    from its own gold tree there.

    >>> gold, other, parse = map(
    ...     MultiFunctionTree.parse,
    ...     ("(root (sbj a) (hd b))", "(root (sbj a) b)", "(root (obj a) (hd b))"),
    ... )
    >>> delta(parse, gold, generalize(gold, other))
    2
    """
    excused = edit_script(gold, general)
    return sum(step not in excused for step in edit_script(parse, general))


def _place(step: Edit) -> tuple[int, int, tuple[int, ...], bool, str]:
    places = places_of(step.span)
    return places[0], -len(places), places, step.operation == ADD, step.label


def _check(*trees: MultiFunctionTree) -> None:
    sizes = {len(tree.words) for tree in trees}
    if len(sizes) > 1:
        found = " and ".join(str(len(tree.words)) for tree in trees)
        raise InputError(f"trees of {found} words cannot be compared")
