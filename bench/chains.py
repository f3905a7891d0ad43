"""Documents with coreference chains in the columns of CoNLL-2012."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vocabulary import Vocabulary

LENGTHS, SHARES = (1, 2, 3, 5, 9), (0.45, 0.25, 0.15, 0.1, 0.05)  # of mentions, in tokens
KEPT, MOVED, SENTENCE = 0.8, 0.1, 25


def write_chains(
    gold: Path,
    system: Path,
    *,
    documents: int,
    tokens: int,
    mentions: int,
    entities: int,
    singletons: bool,
    seed: int,
    vocabulary: Vocabulary,
) -> None:
    """Two files over the same words. Entities grow as they do in texts: a few are long. Of the
    mentions the system keeps most, moves some to other entities, loses the others and adds as many
    of its own."""
    rng = np.random.default_rng(seed)
    size, each, own = tokens // documents, mentions // documents, entities // documents
    with gold.open("w", encoding="utf-8") as ours, system.open("w", encoding="utf-8") as theirs:
        for number in range(documents):
            forms = [vocabulary.forms[code] for code in vocabulary.draw(rng, size).tolist()]
            places = _places(rng, size, each + each // 10)
            chosen = rng.permutation(len(places))
            entity = _entities(rng, each, own, singletons)
            answer = np.where(rng.random(each) < MOVED, rng.integers(own, size=each), entity)
            kept = rng.random(each) < KEPT + MOVED
            added = rng.integers(own + own // 5, size=len(places) - each)
            before, after = places[chosen[:each]], places[chosen[each:]]
            name = f"#begin document (bench/{number:03}); part 000\n"
            ours.write(name + _text(forms, *_apart(before, entity, 1 if singletons else 2)))
            answers = np.concatenate([before[kept], after]), np.concatenate([answer[kept], added])
            theirs.write(name + _text(forms, *_apart(*answers, 1)))


def _places(rng: np.random.Generator, size: int, count: int) -> NDArray[np.int64]:
    """Distinct mentions: first token and last."""
    found = np.zeros((0, 2), np.int64)
    while len(found) < count:
        first = rng.integers(size - max(LENGTHS), size=2 * count)
        last = first + rng.choice(LENGTHS, p=SHARES, size=2 * count) - 1
        found = np.unique(np.concatenate([found, np.stack([first, last], axis=1)]), axis=0)
    return found[np.sort(rng.choice(len(found), size=count, replace=False))]


def _entities(
    rng: np.random.Generator, mentions: int, entities: int, singletons: bool
) -> NDArray[np.int64]:
    """The entity of each mention: everyone has one mention, or two if there are no singletons."""
    least = np.tile(np.arange(entities), 1 if singletons else 2)
    share = 1 / np.arange(1, entities + 1)
    more = rng.choice(entities, size=mentions - len(least), p=share / share.sum())
    return rng.permutation(np.concatenate([least, more]))


def _apart(
    places: NDArray[np.int64], entity: NDArray[np.int64], least: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The mentions in order, without those that overlap one of their entity, and without entities
    that have fewer mentions than that."""
    order = np.lexsort((-places[:, 1], places[:, 0]))
    places, entity = places[order], entity[order]
    ends: dict[int, int] = {}
    kept = np.zeros(len(entity), np.bool_)
    for row, ((first, last), number) in enumerate(
        zip(places.tolist(), entity.tolist(), strict=True)
    ):
        if first > ends.get(number, -1):
            ends[number], kept[row] = last, True
    kept &= np.bincount(entity[kept], minlength=int(entity.max()) + 1)[entity] >= least
    return places[kept], entity[kept]


def _text(forms: list[str], places: NDArray[np.int64], entity: NDArray[np.int64]) -> str:
    """One document, in sentences of a common length."""
    opens: list[list[str]] = [[] for _ in forms]
    closes: list[list[str]] = [[] for _ in forms]
    for (first, last), number in zip(places.tolist(), entity.tolist(), strict=True):
        opens[first].append(f"({number})" if first == last else f"({number}")
        if last > first:
            closes[last].append(f"{number})")
    lines = []
    for token, form in enumerate(forms):
        cell = "|".join([*opens[token], *closes[token]]) or "-"
        lines.append(f"bench\t0\t{token % SENTENCE}\t{form}\tNN\t*\t-\t-\t-\t-\t*\t{cell}")
        if token % SENTENCE == SENTENCE - 1:
            lines.append("")
    return "\n".join([*lines, "", "#end document"]) + "\n"
