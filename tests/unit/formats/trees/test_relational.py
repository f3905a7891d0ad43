"""Relational-realizational trees: function and projection nodes removed, or read as functions."""

from __future__ import annotations

import pytest

from strategies import write_bytes
from tertium.exceptions import UsageError
from tertium.formats.base import CHANGED
from tertium.formats.files import make
from trees import corpus_of

TREE = (
    "(TOP (S ({SBJ,PRD,OBJ}@S (SBJ@S (NP (NNP John))) (PRD@S (VB loves)) "
    "(OBJ@S (NP (NP (NNP Mary)) (CC and) (NP-CJ (NNP Ann)))))))"
)


def changed(text: str, parameters: str) -> tuple[str, list[str]]:
    found = make(f"brackets({parameters})").changed(corpus_of(text))
    notes = [p.message for p in found.problems if p.kind == CHANGED]
    return write_bytes("brackets", found).decode().strip(), notes


def test_function_and_projection_nodes_are_removed() -> None:
    assert changed(TREE, "relational=strip") == (
        "(TOP (S (NP (NNP John)) (VB loves) (NP (NP (NNP Mary)) (CC and) (NP-CJ (NNP Ann)))))",
        ["3 function nodes and 1 projection node were removed"],
    )


def test_function_nodes_become_functions() -> None:
    assert changed(TREE, "relational=functions") == (
        "(TOP (S (NP-SBJ (NNP John)) (-PRD (VB loves)) "
        "(NP-OBJ (NP (NNP Mary)) (CC and) (NP-CJ (NNP Ann)))))",
        ["3 function nodes and 1 projection node were read as functions"],
    )


@pytest.mark.parametrize(
    ("text", "functions"),
    [
        ("(S (A@S (NP (N a)) (N b)))", "(S (-A (NP (N a)) (N b)))"),  # two children
        ("(S (A@S (NP-X (N a))))", "(S (-A (NP-X (N a))))"),  # has a function of its own
        ("(S (A@S (B@S (NP (N a)))))", "(S (-A (NP-B (N a))))"),
        ("(A-B@S (NP (N a)))", "(NP-A-B (N a))"),  # is above everything
        ("({A}@S (N a))", "(N a)"),
        ("(S (@S (N a)) (N@ (N b)) (X|<A@B> (N c)))", None),
    ],
)
def test_nodes_that_stay(text: str, functions: str | None) -> None:
    found, notes = changed(text, "relational=functions")
    assert found == (functions or text)
    assert bool(notes) == bool(functions)


def test_labels_may_be_written_in_a_different_way() -> None:
    given = "relational=functions, relational_labels='Proj|F:(.*)'"
    text = "(S (Proj (F:SBJ (NP (N a))) (B@S (N b))))"
    assert changed(text, given)[0] == "(S (NP-SBJ (N a)) (B@S (N b)))"


@pytest.mark.parametrize("pattern", ["(", "a|b"])
def test_a_pattern_has_a_group(pattern: str) -> None:
    with pytest.raises(UsageError, match="regular expression"):
        make(f"brackets(relational_labels={pattern!r})")
