"""trees.triples: the paper's example, what counts, what is wrong."""

from dataclasses import replace

import numpy as np
import pytest

from tertium.align.sentences import pair_sentences
from tertium.align.tokens import Alignment, align
from tertium.corpus.corpus import Corpus
from tertium.exceptions import LayerError
from tertium.families.base import make
from tertium.families.trees.triples import Triples
from tertium.formats.heads import load_heads
from tertium.results.decisions import Decisions
from trees import corpus_of

# Figures 3 and 4 of Rehbein and van Genabith (2007)
GOLD = (
    "(TOP (S (NP (ART Die) (NN Regierung)) (VVFIN rief) (PP (APPRART zum) (ADJA weltweiten)"
    " (NN Kampf) (PP (APPR gegen) (NN Terror))) (PTKVZ auf)) ($. .))"
)
PARSE = (
    "(TOP (S (NP (ART Die) (NN Regierung)) (VVFIN rief) (PP (APPRART zum) (ADJA weltweiten)"
    " (NN Kampf)) (PP (APPR gegen) (NN Terror)) (PTKVZ auf)) ($. .))"
)
TABLE_2 = """Die ART Regierung
Regierung NN rief
rief VVFIN -
zum APPRART rief
weltweiten ADJA Kampf
Kampf NN zum
gegen APPR zum
Terror NN gegen
auf PTKVZ rief"""


def judged(
    gold: Corpus, system: Corpus, metric: str = "trees.triples", method: str = "auto"
) -> Decisions:
    made = make(metric)
    fitted = made.fit(made.facts(gold))
    system, alignment = pair_sentences(gold, system, method=method)
    return fitted.decide(gold, system, alignment)


def scores(*arguments: object, metric: str = "trees.triples", **options: str) -> tuple[float, ...]:
    """Precision, recall and F1 in percent."""
    stats = make(metric).stats(judged(*arguments, metric, **options))  # type: ignore[arg-type]
    found = make(metric).score(stats.totals())
    return tuple(round(100 * float(found[name]), 2) for name in ("precision", "recall", "f1"))


def errors(decisions: Decisions) -> list[str]:
    return [decisions.error_types[code] for code in decisions.error_type.tolist()]


def triples(corpus: Corpus, metric: str = "trees.triples") -> list[str]:
    """WORD POS HEAD, without punctuation."""
    items, forms = make(metric).items(corpus), corpus.forms.to_list()
    heads = [forms[head] if head >= 0 else "-" for head in items.second.tolist()]
    rows = zip(forms, items.label.to_list(), heads, strict=True)
    return [" ".join(row) for row in rows if row[0] != "."]


def test_tables_2_and_3_of_the_paper() -> None:
    gold, system = corpus_of(GOLD), corpus_of(PARSE)
    assert triples(gold) == TABLE_2.splitlines()
    ours, theirs = triples(gold), triples(system)
    assert [b for a, b in zip(ours, theirs, strict=True) if a != b] == ["gegen APPR rief"]
    assert scores(gold, system) == (88.89, 88.89, 88.89)
    decisions = judged(gold, system)
    assert errors(decisions).count("attachment") == 1
    assert len(decisions) == 9


def test_punctuation_counts_on_request() -> None:
    gold, system = corpus_of(GOLD), corpus_of(PARSE)
    assert scores(gold, system, metric="trees.triples(punct='keep')") == (90.0, 90.0, 90.0)


def test_a_head_that_does_not_count_is_still_a_head() -> None:
    gold = corpus_of("(S (NP (SYM %) (NN a)) (VP (VBZ is)))")
    system = corpus_of("(S (NP (NN %) (SYM a)) (VP (VBZ is)))")
    decisions = judged(gold, system, "trees.triples(rules='penn')")
    assert errors(decisions) == ["POS and attachment", "none"]  # a depends on %


def test_every_kind_of_error() -> None:
    gold = corpus_of("(S (NP-SBJ (NN a)) (VP (VBZ b) (NP-OBJ (NN c)) (PP (IN d) (NP (NN e)))))")
    parse = "(S (NP-SBJ (NN a)) (VP (VBZ b) (NP-OBJ (NN c) (PP (IN d) (NP (VB e))))))"
    assert errors(judged(gold, corpus_of(parse))) == ["none", "none", "none", "attachment", "POS"]
    moved = corpus_of("(S (NP-OBJ (NN a)) (VP (VBZ b) (NP-OBJ (NNS c) (PP (RB d) (NP (NN e))))))")
    assert errors(judged(gold, moved)) == ["none", "none", "POS", "POS and attachment", "none"]
    labeled = errors(judged(gold, moved, "trees.triples(labeled=True)"))
    assert labeled == ["relation", "none", "POS", "POS and attachment", "none"]


def test_functions_are_compared_without_indices_and_not_at_the_root() -> None:
    one = corpus_of("(S-X (NP-SBJ-1 (NN a)) (VP (VBZ b) (NP (NN-Q c))))")
    two = corpus_of("(S-Y (NP-SBJ=2 (NN a)) (VP (VBZ b) (NP (NN-R c))))")
    assert scores(one, two, metric="trees.triples(labeled=True)") == (100.0, 100.0, 100.0)
    bare = corpus_of("(S (NN-Q c) (VP (VBZ b)))")
    other = corpus_of("(S (NN-R c) (VP (VBZ b)))")
    rules = "trees.triples(labeled=True, rules='penn')"
    assert errors(judged(bare, other, rules)) == ["relation", "none"]
    items = make(rules).items(bare)
    assert items.detail(0) == "Q"
    assert make("trees.triples(rules='penn')").items(bare).detail(0) is None


def test_two_systems_differ_if_an_answer_does() -> None:
    gold = corpus_of("(S (NP-A (NN a)) (VP (VBZ b)))")
    other = corpus_of("(S (NP-B (NN a)) (VP (VBZ b)))")
    for metric, differ in (("trees.triples", 0), ("trees.triples(labeled=True)", 1)):
        ours, theirs = (judged(gold, each, metric).answer for each in (gold, other))
        assert int((ours != theirs).sum()) == differ


def test_functions_say_heads_unless_rules_are_asked_for() -> None:
    gold = corpus_of("(NP (NN-HD Glas) (NN Wein))")
    plain = corpus_of("(NP (NN Glas) (NN Wein))")
    tiger = "trees.triples(rules='tiger')"
    assert scores(gold, plain, metric=tiger) == (0.0, 0.0, 0.0)
    only = "trees.triples(heads='rules', rules='tiger')"
    assert scores(gold, plain, metric=only) == (100.0, 100.0, 100.0)
    metric = make(tiger)
    assert isinstance(metric, Triples)
    assert metric.agreement(gold) == (0, 2)
    assert metric.remarks(gold, plain) == [
        "corpus: head rules (tiger) against function labels: P, R and F1 0.00 (0 of 2 words)"
    ]
    assert metric.remarks(plain, gold) == []
    assert make(only).remarks(gold, plain) == []


@pytest.mark.parametrize(
    ("tree", "rules"),
    [
        ("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "penn"),
        (GOLD, "tiger"),
        ("(SIMPX (VF (NX (PPER er))) (LK (VXFIN (VVFIN kam))))", "tueba"),
        ("(Q (W w))", "penn"),
    ],
)
def test_rules_fit_the_gold_standard(tree: str, rules: str) -> None:
    corpus, metric = corpus_of(tree), make("trees.triples")
    fitted = metric.fit(metric.facts(corpus))
    assert fitted.settings(frozenset())["rules"] == rules
    assert make(repr(fitted)) == fitted
    named = make("trees.triples(rules='tueba')")
    assert named.fit(named.facts(corpus)) == named


def test_all_gold_files_say_which_rules_fit() -> None:
    metric, small = make("trees.triples"), corpus_of("(Q (W w))")
    assert metric.fit(frozenset()) != metric  # so all files are looked at
    facts = metric.facts(small) | metric.facts(corpus_of(GOLD))
    assert metric.fit(facts).settings(frozenset())["rules"] == "tiger"


def test_both_sides_have_the_rules_of_gold() -> None:
    gold = corpus_of("(NP (NN Glas) (NN Wein) (ADJA w))", "(S (VVFIN x))")
    system = corpus_of("(NP (NN Glas) (NN Wein) (DT w))", "(S (VBZ x))")
    decisions = make("trees.triples").decide(gold, system, align(gold, system))
    assert errors(decisions) == ["none", "none", "POS", "POS"]
    assert judged(gold, system).error_type.tolist() == decisions.error_type.tolist()


def test_lost_sentences_are_left_out() -> None:
    gold = corpus_of(GOLD, "(S (NP (NN a)) (VVFIN b))", GOLD)
    system = corpus_of(PARSE, "(S (NP (NN a)) (VVFIN c))", "")
    decisions = judged(gold, system)
    assert decisions.unit.tolist() == [0] * 9
    assert scores(gold, system) == (88.89, 88.89, 88.89)
    kept = judged(gold, system, "trees.triples(punct='keep')")
    assert len(kept) == 10


def test_words_paired_by_position_count_as_in_gold() -> None:
    gold, system = corpus_of("(S (NN a) (VVFIN b))"), corpus_of("(S (NN -) (VVFIN b))")
    decisions = judged(gold, system, method="position")
    assert errors(decisions) == ["none", "none"]
    turned = judged(system, gold, method="position")
    assert errors(turned) == ["none"]


def test_other_tokens_are_paired_by_characters() -> None:
    gold = corpus_of("(S (NP (NN ab)) (VVFIN c) (NP (NN d)))")
    system = corpus_of("(S (NP (NN a) (NN b)) (VVFIN c) (NP (NN d)))")
    assert scores(gold, system, method="characters") == (50.0, 66.67, 57.14)
    decisions = judged(gold, system, method="characters")
    assert errors(decisions) == ["unaligned", "none", "none", "unaligned", "unaligned"]


def test_virtual_roots_do_not_matter() -> None:
    apart = corpus_of("(NP (NN a)) ($, ,) (S (VVFIN b) (NP (NN c))) ($. .)")
    joined = corpus_of("(VROOT (NP (NN a)) ($, ,) (S (VVFIN b) (NP (NN c))) ($. .))")
    assert scores(apart, joined, metric="trees.triples(punct='keep')") == (100.0, 100.0, 100.0)


def test_files_without_trees_or_tags() -> None:
    corpus = corpus_of(GOLD)
    for name, what in (("trees", "trees"), ("pos", "parts of speech")):
        layers = {each: layer for each, layer in corpus.layers.items() if each != name}
        with pytest.raises(LayerError, match=f"corpus has no {what} for trees.triples"):
            make("trees.triples").facts(replace(corpus, layers=layers))


def test_nothing_to_score() -> None:
    gold = corpus_of("(S ($. .))")
    metric = make("trees.triples")
    found = metric.score(metric.stats(judged(gold, gold)).totals())
    assert all(np.isnan(value) for value in found.values())
    assert metric.reason("f1") == "there are no words to score"


def test_own_rules_are_named_in_the_signature() -> None:
    metric = Triples(rules=load_heads("tiger"))
    assert repr(metric) == "trees.triples(rules='tiger')"
    assert metric.settings(frozenset()) == {
        "heads": "auto",
        "rules": "tiger",
        "labeled": False,
        "punct": "drop",
    }


def test_alignments_without_lost_sentences_have_none() -> None:
    gold = corpus_of(GOLD)
    found: Alignment = align(gold, gold)
    assert found.lost is None
