"""Read the tags of a two-column file the way the peers want them: a list of lists of strings."""


def read_tags(path: str) -> list[list[str]]:
    sentences: list[list[str]] = []
    current: list[str] = []
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            if line == "\n":
                sentences.append(current)
                current = []
            else:
                current.append(line[line.index("\t") + 1 : -1])
    if current:
        sentences.append(current)
    return sentences
