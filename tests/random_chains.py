"""Random pairs of documents with chains, for tests that compare with the reference scorer."""

import numpy as np

Mention = tuple[int, int]  # first and last token
Chains = list[list[Mention]]
MOST_REPEATS = 8  # the reference scorer refuses files with more than ten repeated mentions


def random_pair(rng: np.random.Generator) -> tuple[str, str]:
    """Gold and system in the columns of CoNLL-2012: some documents, of which a system may lack one
    and add another. Mentions may be nested, repeated, in two chains, alone in a chain."""
    gold, system, left = [], [], MOST_REPEATS
    for number in range(int(rng.integers(1, 4))):
        size = int(rng.integers(3, 30))
        chains = _chains(rng, size, repeats=int(rng.integers(3)))
        answer = _answer(rng, chains, size)
        repeats = _repeats(answer)
        if repeats > left:
            answer = [sorted({*chain}) for chain in _chains(rng, size, repeats=0)]
        else:
            left -= repeats
        chains, answer = ([_without_crossing(c) for c in each] for each in (chains, answer))
        gold.append(_text(rng, f"d{number}", size, chains))
        if number == 0 or rng.random() < 0.8:
            system.append(_text(rng, f"d{number}", size, answer))
    if rng.random() < 0.2:
        size = int(rng.integers(3, 9))
        further = [_without_crossing(chain) for chain in _chains(rng, size, repeats=0)]
        system.append(_text(rng, "further", size, further))
    rng.shuffle(system)
    return "".join(gold), "".join(system)


def _mention(rng: np.random.Generator, size: int) -> Mention:
    first = int(rng.integers(size))
    return first, min(size - 1, first + int(rng.choice([0, 0, 0, 1, 2, 5])))


def _chains(rng: np.random.Generator, size: int, repeats: int) -> Chains:
    """Chains of distinct mentions, and a few that are there again."""
    mentions = [*{_mention(rng, size) for _ in range(int(rng.integers(0, size)))}]
    chains: Chains = [[] for _ in range(max(1, len(mentions) // 3))]
    for mention in sorted(mentions):
        chains[int(rng.integers(len(chains)))].append(mention)
    for _ in range(repeats if mentions else 0):
        again = mentions[int(rng.integers(len(mentions)))]
        chains[int(rng.integers(len(chains)))].append(again)
    return [chain for chain in chains if chain]


def _answer(rng: np.random.Generator, chains: Chains, size: int) -> Chains:
    """Chains like those of gold: some mentions moved, lost, added or repeated."""
    found: Chains = [[] for _ in range(len(chains) + 2)]
    for number, chain in enumerate(chains):
        for mention in chain:
            chance = rng.random()
            if chance < 0.7:
                found[number].append(mention)
            elif chance < 0.9:
                found[int(rng.integers(len(found)))].append(mention)
    for _ in range(int(rng.integers(0, 5))):
        found[int(rng.integers(len(found)))].append(_mention(rng, size))
    return [chain for chain in found if chain]


def _without_crossing(chain: list[Mention]) -> list[Mention]:
    """Without mentions that overlap one of the same chain and do not lie in each other: the
    reference scorer takes their brackets for others."""
    kept: list[Mention] = []
    for a, z in chain:
        if not any(a < b <= z < y or b < a <= y < z for b, y in kept):
            kept.append((a, z))
    return kept


def _repeats(chains: Chains) -> int:
    mentions = [mention for chain in chains for mention in chain]
    return len(mentions) - len({*mentions})


def _text(rng: np.random.Generator, name: str, size: int, chains: Chains) -> str:
    """A document. Brackets at a token stand in any order that leaves mentions as they are: what
    ends comes first of what began last."""
    cells: list[list[str]] = [[] for _ in range(size)]
    names = rng.permutation(len(chains) * 2)[: len(chains)].tolist()
    for first in range(size):
        begun = [(c, m) for c, chain in enumerate(chains) for m in chain if m[0] == first]
        rng.shuffle(begun)
        # Of a chain, the longer mention opens first: a bracket closes what was opened last.
        ends = {c: sorted((m[1] for o, m in begun if o == c), reverse=True) for c, _ in begun}
        for chain, _ in begun:
            last = ends[chain].pop(0)
            cells[first].append(f"({names[chain]})" if last == first else f"({names[chain]}")
            if last > first:
                cells[last].append(f"{names[chain]})")
    lines = [f"#begin document ({name});"]
    for token, cell in enumerate(cells):
        lines.append("\t".join([name, "0", str(token), f"w{token}", "|".join(cell) or "-"]))
        if rng.random() < 0.1:
            lines.append("")
    return "\n".join([*lines, "", "#end document"]) + "\n"
