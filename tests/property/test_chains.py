"""The reader of chains against a plain one, on random files."""

import re

from hypothesis import given
from hypothesis import strategies as st

from strategies import read_bytes, write_bytes
from tertium.corpus.layers import Chains

Rows = list[tuple[str, int, int, str]]


def plain(data: str) -> tuple[Rows, int]:
    """Document, start, end and chain of every mention, in the order of the brackets that open them;
    and how many brackets have no partner."""
    found: Rows = []
    name, token, alone = "", 0, 0
    waiting: dict[str, list[int]] = {}
    for line in data.splitlines():
        if line.startswith("#begin document"):
            alone += sum(map(len, waiting.values()))
            name, waiting = line.partition("(")[2].partition(")")[0], {}
        elif line and not line.startswith("#"):
            for opens, chain, closes in re.findall(r"(\(?)(\d+)(\)?)", line.split()[-1]):
                if opens:
                    waiting.setdefault(chain, []).append(len(found))
                    found.append((name, token, -1, chain))
                if closes and waiting.get(chain):
                    row = waiting[chain].pop()
                    found[row] = (*found[row][:2], token + 1, chain)
                elif closes:
                    alone += 1
            token += 1
    alone += sum(map(len, waiting.values()))
    return [row for row in found if row[2] >= 0], alone


@st.composite
def files(draw: st.DrawFn) -> str:
    bracket = st.sampled_from(["(1", "(2", "1)", "2)", "(1)", "(12)", "(2)"])
    cell = st.lists(bracket, max_size=3).map(lambda found: "|".join(found) or "-")
    space = draw(st.sampled_from(["\t", " ", "   "]))
    words = draw(st.sampled_from([[], ["0"], ["0", "0", "word"], ["0", "0", "(7)", "NN"]]))
    lines = []
    for name in draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True)):
        lines.append(f"#begin document ({name}); part 000")
        for sentence in draw(
            st.lists(st.lists(cell, min_size=1, max_size=6), min_size=1, max_size=3)
        ):
            lines += [space.join([name, *words, each]) for each in sentence]
            lines += [""] * draw(st.integers(1, 2))
        lines += ["#end document"] * draw(st.integers(0, 1))
    return "\n".join(lines) + "\n"


@given(data=files())
def test_as_a_plain_reader_reads(data: str) -> None:
    expected, alone = plain(data)
    corpus = read_bytes("conll2012", data.encode(), on_error="repair")
    assert corpus.repaired == alone
    chains = corpus.layer("coref", Chains)
    names = [name.partition(";")[0] for name in corpus.document_names.to_list()]
    document = corpus.document_of_sentence[chains.sentence].tolist()
    columns = chains.start.tolist(), chains.end.tolist(), chains.name.to_list()
    rows = [*zip((names[number] for number in document), *columns, strict=True)]
    assert rows == expected
    assert (corpus.sentence_of(chains.start) == chains.sentence).all()
    again = read_bytes("conll2012", write_bytes("conll2012", corpus))
    assert again == corpus
