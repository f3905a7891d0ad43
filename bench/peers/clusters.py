"""Read the chains of a CoNLL-2012 file the way the peers want them: clusters of each document."""

import re

BRACKET = re.compile(r"(\()?(\d+)(\))?")
Clusters = list[list[tuple[int, int]]]


def read_clusters(path: str) -> list[Clusters]:
    documents: list[Clusters] = []
    chains: dict[str, list[tuple[int, int]]] = {}
    begun: dict[str, list[int]] = {}
    token = 0
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            if line.startswith("#begin"):
                chains, begun, token = {}, {}, 0
            elif line.startswith("#end"):
                documents.append([*chains.values()])
            elif line != "\n":
                for opens, name, closes in BRACKET.findall(line[line.rindex("\t") :]):
                    if opens:
                        begun.setdefault(name, []).append(token)
                    if closes:
                        chains.setdefault(name, []).append((begun[name].pop(), token))
                token += 1
    return documents
