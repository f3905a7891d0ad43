"""Dependency and constituent trees of GUM over the same words, repeated, and a parser of each that
gets some of them wrong. GUM is read from the folder that `TERTIUM_SHARED` names."""

from pathlib import Path
from random import Random

from constituents import GUM, nodes_of, read_trees, spoil, text_of

WRONG = 0.08  # of the heads and relations
ID, HEAD, RELATION = 0, 6, 7


def read_words(text: str) -> list[list[list[str]]]:
    """Sentences of words as lists of cells, without comments and multiword tokens."""
    blocks = (block.splitlines() for block in text.strip().split("\n\n"))
    rows = ([line.split("\t") for line in block if line[:1] != "#"] for block in blocks)
    return [[row for row in each if row[ID].isdigit()] for each in rows]


def spoil_words(words: list[list[str]], relations: list[str], random: Random) -> None:
    """Attach some words higher, so there is no cycle, and change relations."""
    for word in words:
        if word[HEAD] == "0" or random.random() >= WRONG:
            continue
        above = words[int(word[HEAD]) - 1][HEAD]
        if above != "0" and random.random() < 0.6:
            word[HEAD] = above
        else:
            word[RELATION] = random.choice(relations)


def write_theories(
    gold: Path, system: Path, *, sentences: int, seed: int, vocabulary: object
) -> None:
    """Write dependencies of gold and system, and constituents with functions beside them."""
    random = Random(seed)
    sources = sorted(GUM.parent.glob("dep/*.conllu"))
    words = [each for path in sources for each in read_words(path.read_text(encoding="utf-8"))]
    texts = [(GUM / f"{path.stem}.ptb").read_text(encoding="utf-8") for path in sources]
    lines = [text_of(tree) for text in texts for tree in read_trees(text)]
    if not words or len(words) != len(lines):
        raise SystemExit(f"no trees in {GUM.parent}; TERTIUM_SHARED names the folder with data/")
    relations = [word[RELATION] for each in words for word in each]
    every = [node for line in lines for node in nodes_of(read_trees(line)[0])]
    labels = [node.label for node in every if not node.word]
    tags = [node.label for node in every if node.word and node.label.isalpha()]
    with (
        gold.open("w", encoding="utf-8") as right,
        system.open("w", encoding="utf-8") as wrong,
        gold.with_suffix(".mrg").open("w", encoding="utf-8") as right_tree,
        system.with_suffix(".mrg").open("w", encoding="utf-8") as wrong_tree,
    ):
        for number in range(sentences):
            own = [[*cells] for cells in words[number % len(words)]]
            right.write("".join("\t".join(cells) + "\n" for cells in own) + "\n")
            spoil_words(own, relations, random)
            wrong.write("".join("\t".join(cells) + "\n" for cells in own) + "\n")
            line = lines[number % len(lines)]
            root = read_trees(line)[0]
            spoil(root, labels, tags, random)
            right_tree.write(line + "\n")
            wrong_tree.write(text_of(root) + "\n")
