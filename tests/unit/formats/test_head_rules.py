"""Head rules, and the heads and dependencies that follow from them."""

from pathlib import Path

import numpy as np
import pytest

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Trees
from tertium.corpus.trees import word_parents
from tertium.exceptions import InputError
from tertium.formats.heads import (
    BUILT_IN,
    HeadRules,
    dependencies,
    has_head_functions,
    head_children,
    load_heads,
    parse_rules,
)
from tertium.formats.resources import load
from trees import corpus_of

GOLD = (
    "(TOP (S (NP (ART Die) (NN Regierung)) (VVFIN rief) (PP (APPRART zum) (ADJA weltweiten)"
    " (NN Kampf) (PP (APPR gegen) (NN Terror))) (PTKVZ auf)) ($. .))"
)


def rules_of(*lines: str) -> HeadRules:
    return parse_rules("test", "0" * 64, lines)


def head_tokens(corpus: Corpus, rules: HeadRules, functions: bool = True) -> list[int]:
    """The lexical head of every constituent, a token; -1 for a constituent without words."""
    found = head_children(corpus, rules, functions).tolist()
    for row in reversed(range(len(found))):
        if (below := found[row] - corpus.token_count) >= 0:
            found[row] = found[below]
    return found


def heads(corpus: Corpus, rules: HeadRules, functions: bool = True) -> list[tuple[str, str]]:
    """Words with their governors, - for the root."""
    forms = corpus.forms.to_list()
    found = dependencies(corpus, rules, functions).head.tolist()
    return [
        (form, forms[head] if head >= 0 else "-") for form, head in zip(forms, found, strict=True)
    ]


def lexical(corpus: Corpus, rules: HeadRules, functions: bool = True) -> dict[str, str]:
    """The lexical head of every constituent, by label."""
    forms, labels = corpus.forms.to_list(), corpus.layer("trees", Trees).label.to_list()
    found = head_tokens(corpus, rules, functions)
    return {label: forms[h] if h >= 0 else "" for label, h in zip(labels, found, strict=True)}


def test_the_example_of_rehbein_and_van_genabith() -> None:
    assert heads(corpus_of(GOLD), load_heads("tiger")) == [
        ("Die", "Regierung"),
        ("Regierung", "rief"),
        ("rief", "-"),
        ("zum", "rief"),
        ("weltweiten", "Kampf"),
        ("Kampf", "zum"),
        ("gegen", "zum"),
        ("Terror", "gegen"),
        ("auf", "rief"),
        (".", "rief"),
    ]


def test_head_children_are_places() -> None:
    corpus = corpus_of("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))")
    children = head_children(corpus, load_heads("penn"))
    assert children.tolist() == [3 + 2, 1, 2]  # S: the row of VP; NP and VP: words


@pytest.mark.parametrize(
    ("tree", "head"),
    [
        ("(NP (NP (DT the) (NN roof)) (PP (IN of) (NP (DT the) (NN house))))", "roof"),
        ("(NP (NP (NNP Mary) (POS 's)) (NN house))", "house"),
        ("(NP (NNP Mary) (POS 's))", "'s"),
        ("(VP (MD will) (VP (VB go)))", "will"),
        ("(VP (TO to) (VP (VB go)))", "to"),
        ("(S (NP (PRP he)) (ADVP (RB often)) (VP (VBZ sleeps)) (. .))", "sleeps"),
        ("(SBAR (IN that) (S (VP (VBZ sleeps))))", "that"),
        ("(SBARQ (WHNP (WP who)) (SQ (VBZ sleeps)) (. ?))", "sleeps"),
        ("(PP (IN of) (NP (NN gold)))", "of"),
        ("(ADJP (RB very) (JJ big))", "big"),
        ("(QP (RB about) (CD ten) (CD million))", "million"),
        ("(NP (NN bread) (CC and) (NN butter))", "butter"),
        ("(ROOT (S (VP (VB go))) (. !))", "go"),
        ("( (S (VP (VB go))) (NP (NN home)))", "go"),
    ],
)
def test_rules_for_penn_trees(tree: str, head: str) -> None:
    corpus = corpus_of(tree)
    found = head_tokens(corpus, load_heads("penn"))[0]
    assert corpus.forms[found] == head


@pytest.mark.parametrize(
    ("tree", "head"),
    [
        ("(S (NP (ART der) (NN Hund)) (VAFIN hat) (VP (VVPP gebellt)))", "hat"),
        ("(VP (NP (ART den) (NN Hund)) (VVPP gesehen))", "gesehen"),
        ("(VP (VZ (PTKZU zu) (VVINF sehen)))", "sehen"),
        ("(NP (ART der) (NN Hut) (NP (ART des) (NN Mannes)))", "Hut"),
        ("(NP (NE Peters) (NN Hut))", "Hut"),
        ("(PN (NE Eva) (NE Maier))", "Maier"),
        ("(CNP (NN Brot) (KON und) (NN Butter))", "Brot"),
        ("(CS (S (VVFIN kam)) (KON und) (S (VVFIN ging)))", "kam"),
        ("(PP (APPR mit) (ART dem) (NN Hut))", "mit"),
        ("(AP (ADV sehr) (ADJD gut))", "gut"),
        ("(VROOT ($, ,) (S (VVIMP geh)) ($. !))", "geh"),
    ],
)
def test_rules_for_tiger_trees(tree: str, head: str) -> None:
    corpus = corpus_of(tree)
    found = head_tokens(corpus, load_heads("tiger"))[0]
    assert corpus.forms[found] == head


@pytest.mark.parametrize(
    ("tree", "head"),
    [
        ("(SIMPX (VF (NX (PPER er))) (LK (VXFIN (VAFIN hat))) (VC (VXINF (VVPP geredet))))", "hat"),
        ("(SIMPX (C (KOUS dass)) (MF (NX (PPER er))) (VC (VXFIN (VVFIN redet))))", "redet"),
        ("(VC (VXINF (VVPP geredet)) (VXFIN (VAFIN hat)))", "hat"),
        ("(PX (APPR mit) (NX (ART dem) (NN Hut)))", "Hut"),
        ("(NX (NX (ART der) (NN Hut)) (PX (APPR von) (NX (NE Eva))))", "Hut"),
        ("(NX (NX (NN Brot)) (KON und) (NX (NN Butter)))", "Brot"),
        ("(EN-ADD (NX (NE Eva) (NE Maier)))", "Maier"),
        ("(SIMPX (VF (NX (PPER er))) (FKOORD (FKONJ (LK (VXFIN (VVFIN kam)))) (KON und)"
         " (FKONJ (LK (VXFIN (VVFIN ging))))))", "kam"),
    ],
)  # fmt: skip
def test_rules_for_tueba_trees(tree: str, head: str) -> None:
    corpus = corpus_of(tree)
    found = head_tokens(corpus, load_heads("tueba"))[0]
    assert corpus.forms[found] == head


def test_what_is_in_a_topological_field_depends_on_the_verb() -> None:
    corpus = corpus_of(
        "(SIMPX (VF (NX (PPER sie))) (LK (VXFIN (VVFIN gab)))"
        " (MF (NX (PPER ihm)) (ADVX (ADV heute)) (NX (ART den) (NN Hut))))"
    )
    found = dependencies(corpus, load_heads("tueba"))
    assert heads(corpus, load_heads("tueba")) == [
        ("sie", "gab"),
        ("gab", "-"),
        ("ihm", "gab"),
        ("heute", "gab"),
        ("den", "Hut"),
        ("Hut", "gab"),
    ]
    labels = corpus.layer("trees", Trees).label
    assert labels[int(found.place[2]) - 6] == "NX"  # not the field


def test_a_field_that_heads_a_fragment_has_a_head() -> None:
    corpus = corpus_of("(SIMPX (MF (NX (NN Post)) (PX (APPR aus) (NX (NE Rom)))))")
    assert heads(corpus, load_heads("tueba"))[0] == ("Post", "-")
    assert ("Rom", "Post") in heads(corpus, load_heads("tueba"))
    nested = corpus_of("(MF (MF (NX (NN Post)) (ADVX (ADV heute))))")
    assert heads(nested, load_heads("tueba")) == [("Post", "-"), ("heute", "Post")]


def test_functions_go_before_rules_unless_they_are_ignored() -> None:
    corpus = corpus_of("(NP (NN-HD ein) (NN Paar) (NP-HD (NN Schuhe)))")
    assert has_head_functions(corpus)
    assert lexical(corpus, load_heads("tiger"))["NP"] == "Schuhe"  # the inner one
    assert head_tokens(corpus, load_heads("tiger"))[0] == 0  # of two the first
    assert head_tokens(corpus, load_heads("tiger"), functions=False)[0] == 1
    assert not has_head_functions(corpus_of(GOLD))


def test_order_of_preference_and_direction() -> None:
    corpus = corpus_of("(X (A a) (B b) (A c) (B d) (C e))")
    for line, head in (
        ("X first A B", "a"),
        ("X last A B", "c"),
        ("X last B A", "d"),
        ("X last A/B", "d"),
        ("X first C* B", "e"),
        ("X first Q", "a"),
        ("X last Q", "e"),
        ("X/Y last A", "c"),
        ("default last A", "c"),
        ("Y last A", "a"),
    ):
        assert lexical(corpus, rules_of(line))["X"] == head, line
    two_lines = rules_of("X first Q", "X last B", "default first")
    assert lexical(corpus, two_lines)["X"] == "d"


def test_punctuation_is_head_only_if_it_is_named_or_alone() -> None:
    corpus = corpus_of("(X ($. .) (A a) ($. !))", "(Y ($. .) ($. !))", "(Z (Q q) (LS -))")
    found = lexical(corpus, rules_of("default last", "Z first LS"))
    assert found == {"X": "a", "Y": "!", "Z": "-"}


def test_traces_are_never_heads() -> None:
    corpus = corpus_of(
        "(S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB go) (NP (-NONE- *T*-1)))))",
        "(NP (-NONE- *))",
    )
    penn = load_heads("penn")
    assert head_children(corpus, penn).tolist() == [2 + 3, -1, -1, 0, 1, -1, -1, -1, -1]
    assert head_tokens(corpus, penn) == [0, -1, -1, 0, 1, -1, -1, -1, -1]
    assert heads(corpus, penn) == [("to", "-"), ("go", "to")]


def test_gaps_several_roots_and_words_outside() -> None:
    corpus = corpus_of("(S (VP (NP (NN 0=Hunde)) (VVPP 2=gesehen)) (VAFIN 1=hat) (PPER 3=er))")
    assert heads(corpus, load_heads("tiger")) == [
        ("Hunde", "gesehen"),
        ("hat", "-"),
        ("gesehen", "hat"),
        ("er", "hat"),
    ]
    apart = corpus_of("(NP (NN Hunde)) ($, ,) (S (VVFIN bellen)) ($. .)")
    joined = corpus_of("(VROOT (NP (NN Hunde)) ($, ,) (S (VVFIN bellen)) ($. .))")
    tiger = load_heads("tiger")
    assert heads(apart, tiger) == heads(joined, tiger)
    assert heads(apart, tiger)[2] == ("bellen", "-")


def test_projections() -> None:
    corpus = corpus_of("(S (NP (NN Hunde)) (VVFIN bellen) (ADV laut))")
    found = dependencies(corpus, load_heads("tiger"))
    assert found.place.tolist() == [3 + 1, 3 + 0, 2]


def test_a_group_inside_a_phrase() -> None:
    corpus = corpus_of(
        "(PP (APPR mit) (ART dem) (AP (ADV sehr) (ADJA alten)) (NN Hut) (PP (NN x)))"
    )
    assert heads(corpus, load_heads("tiger")) == [
        ("mit", "-"),
        ("dem", "Hut"),
        ("sehr", "alten"),
        ("alten", "Hut"),
        ("Hut", "mit"),
        ("x", "mit"),
    ]
    alone = corpus_of("(PP (APPR mit) (ART dem) (ADJA alten))")
    assert heads(alone, load_heads("tiger"))[1:] == [("dem", "mit"), ("alten", "mit")]


def test_deep_and_long_trees() -> None:
    deep = corpus_of("(NP " * 5000 + "(NN a) (NN b)" + ")" * 5000)
    assert set(head_tokens(deep, load_heads("tiger"))) == {1}
    wide = corpus_of("(S " + "(NN a) " * 5000 + "(VVFIN b) " + "(NN a) " * 4999 + ")")
    assert set(dependencies(wide, load_heads("tiger")).head.tolist()) == {-1, 5000}
    fields = corpus_of("(SIMPX (LK (VVFIN a)) " + "(MF " * 3000 + "(NX (NN b))" + ")" * 3001)
    assert dependencies(fields, load_heads("tueba")).head.tolist() == [-1, 0]


def plain_heads(corpus: Corpus, rules: HeadRules) -> list[int]:
    """Lexical heads of rows, written down anew: daughters one by one, from the last row up."""
    trees, tags = corpus.layer("trees", Trees), corpus.layers["pos"].labels.to_list()
    labels = trees.label.to_list()
    daughters: list[list[tuple[int, str, int]]] = [[] for _ in labels]
    for token, row in enumerate(word_parents(corpus).tolist()):
        daughters[row].append((token, tags[token], token))
    found = [-1] * len(labels)
    for row in reversed(range(len(labels))):
        lines = rules.searches.get(labels[row], rules.searches["default"])
        best = None
        for line in lines:
            ordered = sorted(daughters[row], reverse=line.last)
            for wanted in line.wanted:
                best = best or next((d for d in ordered if d[1] in wanted), None)
        best = best or next(iter(sorted(daughters[row], reverse=lines[-1].last)), None)
        found[row] = best[2] if best else -1
        if best and trees.parent[row] >= 0:
            daughters[trees.parent[row]].append((int(trees.start[row]), labels[row], best[2]))
    return found


def plain_governors(corpus: Corpus, rules: HeadRules) -> list[int]:
    """What words depend on, written down anew: from each word up as long as it is the head."""
    trees, size = corpus.layer("trees", Trees), corpus.token_count
    labels = [*corpus.layers["pos"].labels.to_list(), *trees.label.to_list()]
    children, lexical = head_children(corpus, rules).tolist(), plain_heads(corpus, rules)
    mothers = [*word_parents(corpus).tolist(), *trees.parent.tolist()]
    found = []
    for word in range(size):
        place = word
        while mothers[place] >= 0 and children[mothers[place]] == place:
            place = size + mothers[place]
        mother = mothers[place]
        group = rules.groups.get(labels[size + mother]) if mother >= 0 else None
        while mother >= 0 and labels[size + mother] in rules.open:
            mother = mothers[size + mother]
        found.append(lexical[mother] if mother >= 0 else -1)
        if group and (labels[place],) in group[1].wanted:
            sisters = [p for p, m in enumerate(mothers) if m == mother and p != children[m]]
            heads = [p for p in sisters if (labels[p],) in group[0].wanted]
            first = {p: int(trees.start[p - size]) if p >= size else p for p in heads}
            inner = max(heads, key=first.__getitem__, default=place)
            if inner != place:
                found[-1] = lexical[inner - size] if inner >= size else inner
    return found


def random_tree(rng: np.random.Generator, words: list[int], depth: int = 0) -> str:
    """A tree over some words, with gaps."""
    if len(words) == 1 and (depth > 4 or rng.random() < 0.5):
        return f"({rng.choice([*'abc'])} {words[0]}=w{words[0]})"
    parts: dict[int, list[int]] = {}
    for word in words:
        parts.setdefault(int(rng.integers(3)), []).append(word)
    if len(parts) == 1 and depth > 6:
        parts = {word: [word] for word in words}
    below = " ".join(random_tree(rng, part, depth + 1) for part in parts.values())
    return f"({rng.choice([*'ABCD'])} {below})"


def test_random_trees_against_plain_code() -> None:
    rng = np.random.default_rng(3)
    rules = rules_of(
        *("default last C", "A first B c", "A last A/b", "B last a A", "C first c/C b"),
        *("A group last C of B b a", "D open"),
    )
    trees = (random_tree(rng, [*range(int(rng.integers(2, 9)))]) for _ in range(300))
    corpus = corpus_of(*(f"(B {tree})" for tree in trees))
    assert head_tokens(corpus, rules) == plain_heads(corpus, rules)
    assert dependencies(corpus, rules).head.tolist() == plain_governors(corpus, rules)


def test_built_in_rules_and_files(tmp_path: Path) -> None:
    assert [load("heads", name).name for name in BUILT_IN] == [*BUILT_IN]
    file = tmp_path / "own.txt"
    file.write_text("# mine\n\nS last VP\ndefault first\n")
    mine = load("heads", str(file))
    assert isinstance(mine, HeadRules)
    assert mine.name == f"own.txt@{mine.digest[:8]}"
    assert str(mine) == str(file)
    assert {*mine.searches} == {"S", "default"}


@pytest.mark.parametrize(
    "line",
    ["S", "S VP", "S left VP", "PP group last NN", "PP group NN of ART", "S open VP",
     "PP group last NN of", "PP group last of NN", "default open", "S/default open", "S/ first",
     "S first VP//NP"],
)  # fmt: skip
def test_lines_that_are_not_rules(line: str) -> None:
    with pytest.raises(InputError, match=r"test:2: '.*' is not a head rule"):
        rules_of("# a comment", line)


def test_unknown_rules_are_named() -> None:
    with pytest.raises(InputError, match="no head rules 'pen'") as caught:
        load("heads", "pen")
    assert caught.value.help == "built-in rules are penn, penn-content, tiger, tueba"


def test_files_without_rules() -> None:
    with pytest.raises(InputError, match="test has no head rules"):
        rules_of("# nothing")
