"""Constituent trees of GUM, repeated, and a system that gets some of them wrong.

GUM is not ours to copy: it is read from the folder that `TERTIUM_SHARED` names.
"""

import os
import re
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("TERTIUM_SHARED") or ROOT.parent / "shared")
GUM = SHARED / "data" / "gum" / "const"
TOKEN = re.compile(r"[()]|[^()\s]+")
WRONG = 0.08  # of the constituents and tags


class Node:
    """A constituent, or a word with its tag (then it has no children)."""

    __slots__ = ("children", "label", "word")

    def __init__(self, label: str, word: str = "") -> None:
        self.label, self.word = label, word
        self.children: list[Node] = []


def read_trees(text: str) -> list[Node]:
    """Bracketed trees; brackets decide where they end."""
    roots, stack = [], [Node("")]
    tokens = TOKEN.findall(text)
    for at, token in enumerate(tokens):
        if token == "(":
            node = Node("" if tokens[at + 1] in "()" else tokens[at + 1])
            stack[-1].children.append(node)
            stack.append(node)
        elif token == ")":
            stack.pop()
            if len(stack) == 1:
                roots += stack[0].children
                stack[0].children = []
        elif tokens[at - 1] != "(":
            stack[-1].word = token
    return roots


def text_of(root: Node) -> str:
    pieces: list[str] = []
    stack: list[Node | str] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            pieces.append(node)
        elif node.word:
            pieces.append(f" ({node.label} {node.word})")
        else:
            pieces.append(f" ({node.label}")
            stack += [")", *reversed(node.children)]
    return "".join(pieces).strip()


def nodes_of(root: Node) -> list[Node]:
    found = [root]
    for node in found:
        found += node.children
    return found


def spoil(root: Node, labels: list[str], tags: list[str], random: Random) -> None:
    """Change labels, tags and boundaries, remove constituents and add some; the words stay.

    Punctuation keeps its tags, or EVALB would leave the sentence out.
    """
    for node in nodes_of(root):
        for at in reversed(range(len(node.children))):
            child = node.children[at]
            if random.random() >= WRONG:
                continue
            if child.word:
                if child.label.isalpha():
                    child.label = random.choice(tags)
            elif random.random() < 0.4:
                child.label = random.choice(labels)
            elif random.random() < 0.3:
                node.children[at : at + 1], child.children = child.children, []
            elif at + 1 < len(node.children) and len(after := node.children[at + 1].children) > 1:
                child.children.append(after.pop(0))  # crosses
            else:
                above = Node(random.choice(labels))
                above.children = node.children[at : at + 2]
                node.children[at : at + 2] = [above]


def write_trees(gold: Path, system: Path, *, sentences: int, seed: int, vocabulary: object) -> None:
    """Write gold and system, one tree per line, without functions."""
    random = Random(seed)
    texts = [path.read_text(encoding="utf-8") for path in sorted(GUM.glob("*.ptb"))]
    if not texts:
        raise SystemExit(f"no trees in {GUM}; set TERTIUM_SHARED to the folder that has data/")
    lines = []
    for root in (tree for text in texts for tree in read_trees(text)):
        for node in nodes_of(root):
            if not node.word:
                node.label = re.split("[-=]", node.label)[0]
        lines.append(text_of(root))
    every = [node for line in lines for node in nodes_of(read_trees(line)[0])]
    labels = [node.label for node in every if not node.word]
    tags = [node.label for node in every if node.word and node.label.isalpha()]
    with gold.open("w", encoding="utf-8") as right, system.open("w", encoding="utf-8") as wrong:
        for number in range(sentences):
            line = lines[number % len(lines)]
            root = read_trees(line)[0]
            spoil(root, labels, tags, random)
            right.write(line + "\n")
            wrong.write(text_of(root) + "\n")
