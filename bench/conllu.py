"""Treebanks in CoNLL-U: a gold standard and a system of about 89 LAS."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import TextIO

import numpy as np

from trees import DEPTH, RELATIONS, Token, Word, attach, contract, move_root, other_head
from vocabulary import FINAL, FUNCTION_WORDS, INNER, Vocabulary, sentence_lengths

FUNCTION_TAGS = "ADP DET PRON CCONJ AUX SCONJ PART".split()
CONTENT_TAGS = ["NOUN"] * 9 + ["VERB"] * 5 + ["ADJ"] * 3 + ["ADV"] * 2 + ["NUM"]
FEATURES = {
    "NOUN": ["Case=Nom|Gender=Fem|Number=Sing", "Case=Acc|Gender=Masc|Number=Plur", "Number=Sing"],
    "PROPN": ["Case=Nom|Number=Sing", "Number=Sing"],
    "VERB": ["Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin", "VerbForm=Inf", "Tense=Past"],
    "ADJ": ["Degree=Pos", "Degree=Cmp", "Case=Nom|Degree=Pos|Gender=Fem|Number=Sing"],
    "PRON": ["Case=Nom|Number=Sing|Person=1|PronType=Prs", "PronType=Rel"],
    "DET": ["Definite=Def|PronType=Art", "Definite=Ind|PronType=Art"],
    "AUX": ["Mood=Ind|Tense=Pres|VerbForm=Fin", "VerbForm=Inf"],
    "NUM": ["NumType=Card"],
}
HEAD_ERRORS, LABEL_ERRORS, ROOT_ERRORS = 0.10, 0.045, 0.03
TAG_ERRORS, LEMMA_ERRORS = 0.03, 0.03
MULTIWORD, UNSPLIT, SPLIT, MERGE, JOIN = 0.015, 0.08, 0.004, 0.004, 0.01

Sentence = list[Token]


def write_conllu(
    gold: Path,
    system: Path,
    *,
    vocabulary: Vocabulary,
    words: int,
    sentences: int,
    multiword: bool,
    seed: int,
) -> None:
    """Two files over the same characters; without multiword tokens also with the same tokens."""
    rng = np.random.default_rng([seed, int(multiword)])
    random = Random(seed)
    number = 0
    held: Sentence = []
    with gold.open("w", encoding="utf-8") as g, system.open("w", encoding="utf-8") as s:
        for sentence in _sentences(rng, random, vocabulary, words, sentences):
            number += 1
            if multiword:
                sentence = _with_multiword_tokens(sentence, random)
            _write(g, sentence, number)
            answer = _parsed(sentence, random)
            if multiword:
                answer = _retokenised(answer, random)
            if held:
                _root(answer).deprel = "parataxis"
                _root(answer).head = _root(held)
                answer, held = held + answer, []
            if multiword and random.random() < JOIN and number < sentences:
                held = answer
            else:
                _write(s, answer, number)


def write_systems(
    gold: Path,
    system: Path,
    *,
    vocabulary: Vocabulary,
    words: int,
    sentences: int,
    systems: int,
    seed: int,
) -> None:
    """A gold file and several systems with errors of their own over the same tokens; the first of
    them is at `system`, the others are numbered from 2."""
    rng = np.random.default_rng([seed, systems])
    randoms = [Random(seed + number) for number in range(systems)]
    with ExitStack() as stack:
        paths = [gold, *(numbered(system, n) for n in range(1, systems + 1))]
        files = [stack.enter_context(path.open("w", encoding="utf-8")) for path in paths]
        drawn = _sentences(rng, Random(seed), vocabulary, words, sentences)
        for number, sentence in enumerate(drawn, 1):
            _write(files[0], sentence, number)
            for file, random in zip(files[1:], randoms, strict=True):
                _write(file, _parsed(sentence, random), number)


def numbered(system: Path, number: int) -> Path:
    """The file of the n-th system, counted from 1."""
    return (
        system if number == 1 else system.with_name(system.name.replace(".system.", f".{number}."))
    )


def _sentences(
    rng: np.random.Generator, random: Random, vocabulary: Vocabulary, words: int, sentences: int
) -> Iterator[Sentence]:
    entries = [_entry(i, form, random) for i, form in enumerate(vocabulary.forms)]
    for length in sentence_lengths(rng, words, sentences).tolist():
        sentence: Sentence = []
        for i in vocabulary.draw(rng, length).tolist():
            last = len(sentence) == length - 1
            if (last and length > 1) or (sentence and random.random() < 0.05):
                sign = random.choice(FINAL if last else INNER)
                entry = (sign, sign, "PUNCT", sign[0], "_")
                sentence[-1].space = False
            else:
                entry = entries[i]
            rank = DEPTH.get(entry[2], 1.5) + random.random()
            sentence.append(Token(entry[0], random.random() > 0.02, [Word(*entry, rank)]))
        attach([token.words[0] for token in sentence], random)
        yield sentence


def _entry(i: int, form: str, random: Random) -> tuple[str, str, str, str, str]:
    if i < FUNCTION_WORDS:
        upos = FUNCTION_TAGS[i % len(FUNCTION_TAGS)]
    else:
        upos = "PROPN" if form[0].isupper() else random.choice(CONTENT_TAGS)
    feats = random.choice(FEATURES.get(upos, ["_"]))
    inflected = upos in {"NOUN", "VERB", "ADJ"} and len(form) > 4
    return form, form[:-1] if inflected else form, upos, f"{upos[:2]}{len(feats) % 7}", feats


def _with_multiword_tokens(sentence: Sentence, random: Random) -> Sentence:
    """Some neighbours are written as one token, the second word without its first letter."""
    out: Sentence = []
    for token in sentence:
        word = token.words[0]
        if (
            out
            and random.random() < MULTIWORD
            and word.upos != "PUNCT"
            and len(out[-1].words) == 1
            and out[-1].words[0].upos != "PUNCT"
        ):
            before = out.pop().words[0]
            shorter = word.form[1:] if len(word.form) > 2 else word.form
            out.append(Token(before.form + shorter, token.space, [before, word]))
        else:
            out.append(token)
    return out


def _parsed(gold: Sentence, random: Random) -> Sentence:
    """The same tokens with a system's errors in every column."""
    old = [word for token in gold for word in token.words]
    new = [word.copy() for word in old]
    match = dict(zip(old, new, strict=True))
    for i, (word, answer) in enumerate(zip(old, new, strict=True)):
        if word.head is not None:
            answer.head, answer.deprel = match[word.head], word.deprel
            if random.random() < HEAD_ERRORS:
                answer.head = other_head(new, i, random) or answer.head
            others = RELATIONS[word.upos]
            if random.random() < LABEL_ERRORS:
                answer.deprel = random.choice([r for r in others if r != word.deprel] or ["dep"])
        if random.random() < LEMMA_ERRORS:
            answer.lemma += "e"
        if random.random() < TAG_ERRORS and word.upos != "PUNCT":
            answer.upos = "NOUN" if word.upos != "NOUN" else "ADJ"
            answer.xpos = answer.upos[:2]
            answer.feats = random.choice(FEATURES[answer.upos])
    if random.random() < ROOT_ERRORS:
        move_root(new, random)
    return [Token(t.surface, t.space, [match[word] for word in t.words]) for t in gold]


def _retokenised(sentence: Sentence, random: Random) -> Sentence:
    """The same characters, cut differently in places."""
    words = [word for token in sentence for word in token.words]
    out: Sentence = []
    for token in sentence:
        draw = random.random()
        single = len(token.words) == 1
        if not single and draw < UNSPLIT:
            token.words = [contract(words, *token.words)]
            token.words[0].form = token.surface
        elif single and draw < SPLIT and len(token.surface) > 3:
            word, half = token.words[0], len(token.surface) // 2
            rest = Word(word.form[half:], word.lemma, word.upos, word.xpos, "_", word.rank + 1e-9)
            rest.head, rest.deprel = word, "goeswith"
            word.form = word.form[:half]
            out.append(Token(word.form, False, [word]))
            token = Token(rest.form, token.space, [rest])
        elif single and draw < SPLIT + MERGE and out and len(out[-1].words) == 1:
            before = out.pop()
            word = contract(words, before.words[0], token.words[0])
            word.form = before.surface + token.surface
            token = Token(word.form, token.space, [word])
        out.append(token)
    return out


def _root(sentence: Sentence) -> Word:
    return next(word for token in sentence for word in token.words if word.head is None)


def _write(stream: TextIO, sentence: Sentence, number: int) -> None:
    ids = {word: i for i, word in enumerate((w for t in sentence for w in t.words), start=1)}
    text = "".join(t.surface + " " * t.space for t in sentence).rstrip()
    lines = [f"# sent_id = s{number}", f"# text = {text}"]
    for token in sentence:
        misc = "_" if token.space else "SpaceAfter=No"
        if len(token.words) > 1:
            first, last = ids[token.words[0]], ids[token.words[-1]]
            lines.append(f"{first}-{last}\t{token.surface}" + "\t_" * 7 + f"\t{misc}")
            misc = "_"
        for w in token.words:
            head = 0 if w.head is None else ids[w.head]
            lines.append(
                f"{ids[w]}\t{w.form}\t{w.lemma}\t{w.upos}\t{w.xpos}\t{w.feats}\t{head}\t{w.deprel}\t_\t{misc}"
            )
    stream.write("\n".join(lines) + "\n\n")
