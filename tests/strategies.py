"""Strategies for property tests, and a small valid file of every format to start from."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import (
    Arcs,
    Chains,
    Comments,
    EmptyNodes,
    Graph,
    Layer,
    Ragged,
    Spans,
    Tags,
    Trees,
)
from tertium.formats.base import Reading
from tertium.formats.files import make

CONLLU = """\
# newdoc id = walk
# sent_id = w-1
# genre = tale
# text = Ann walked du lac.
0.1\tOnce\tonce\tADV\t_\t_\t_\t_\t2:advmod\t_
1\tAnn\tAnn\tPROPN\tNNP\tNumber=Sing\t2\tnsubj\t2:nsubj\t_
2\twalked\twalk\tVERB\tVBD\tTense=Past\t0\troot\t0:root\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\tIN\t_\t5\tcase\t5:case\t_
4\tle\tle\tDET\tDT\t_\t5\tdet\t5:det\t_
4.1\tgone\tgo\tVERB\t_\t_\t_\t_\t2:conj\tNote=Elided
5\tlac\tlac\tNOUN\tNN\tNumber=Sing\t2\tobl\t2:obl\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t2\tpunct\t2:punct\t_

# newpar
# sent_id = w-2
# text = Très bien
1\tTrès\ttrès\tADV\tRB\t_\t2\tadvmod\t2:advmod\t_
2\tbien\tbien\tADV\tRB\t_\t0\troot\t0:root\t_

"""
CONLL2012 = """\
#begin document (bc/cctv/00/cctv_0000); part 000
# speaker: first
bc/cctv/00/cctv_0000 0 0 Ann NNP (TOP(S(NP* - - - Speaker#1 (PERSON) (ARG0*) (1)|(12
bc/cctv/00/cctv_0000 0 1 's POS *) - - - Speaker#1 * * -
bc/cctv/00/cctv_0000 0 2 -LRB- -LRB- (VP(PRN* say 01 1 Speaker#1 (GPE* (V*) (1
bc/cctv/00/cctv_0000 0 3 dog NN *)))) - - - Speaker#1 *) * 1)|12)

bc/cctv/00/cctv_0000 0 0 Très RB (TOP*) - - - - * (0)

#end document
#begin document (bc/cctv/00/cctv_0000); part 001
bc/cctv/00/cctv_0000 1 0 It PRP (TOP(NP*)) - - - - * (1)|(1)

#end document
"""
CONLL2012_WORDS = """\
#begin document (a b);
a\t0\t0\tNew York\t(8
a\t0\t1\t2)\t-
a\t0\t2\tit\t(8)|8)

a\t0\t0\té\t-
#end document
#begin document (c);
c\t0\t0\tit\t_
#end document
"""
CONLL2012_BARE = """\
#begin document (a_0); part 000
a_0 -
a_0 (1
a_0 1)

a_0 (1)
#end document
"""
GUMCOREF = """\
# begin document GUM_walk
0\t2\t(abstract-1
1\t(\t_
2\tAnn\t(person-12-Ann_Bo(place-3)
3\t#\tabstract-1)person-12-Ann_Bo)
4\tcafé\t(place-3)
# end document

# begin document GUM_talk
0\tShe\t(7)
# end document

"""
COREFUD = """\
# newdoc id = walk
# global.Entity = eid-etype-head-other
# sent_id = c-1
1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tsaw\tsee\tVERB\t_\t_\t0\troot\t_\tEntity=(e2[1/2]-event
3\ther\ther\tPRON\t_\t_\t4\tdet\t_\tEntity=e2[1/2])(e3-animal-2-(e1-person-1-)
4\tdog\tdog\tNOUN\t_\t_\t2\tobj\t_\tEntity=e3)|SpaceAfter=No
4.1\t_\tgo\tVERB\t_\t_\t_\t_\t2:conj\tEntity=(e2[2/2]-event)(e1-person)
5\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\tSplitAnte=e1<e3

# sent_id = c-2
1\tIt\tit\tPRON\t_\t_\t0\troot\t_\tEntity=(e3-animal-1-)

"""
CONLLX = """\
1\tAnn\tAnn\tN\tNNP\tnum=sg\t2\tSBJ\t2\tSBJ
2\tsleeps\tsleep\tV\tVBZ\t_\t0\tROOT\t0\tROOT
3\t.\t.\t.\t.\t_\t2\tP\t2\tP

1\tÇa\tça\tP\tPRP\t_\t2\tSBJ\t2\tSBJ
2\tva\taller\tV\tVB\t_\t0\tROOT\t0\tROOT

"""
COLUMNS = """\
-DOCSTART- -X- O

Ann NNP B-PER
saw VBD O
New NNP B-LOC
York NNP I-LOC

# CD O
1 CD O

-DOCSTART- -X- O

São NNP B-LOC
Paulo NNP I-LOC

"""
TAGGED = """\
Ann_PROPN saw_VERB a/b_SYM São_PROPN Paulo_PROPN ._PUNCT
snake_case_NOUN !_PUNCT
"""
SPANS = """\
NX\t1\t2\t1, 2
VX\t3\t5\t3, 5
NX\t1\t2\t1, 2

NONE\t999\t999\t999

PX\t4\t4\t4

"""
JSONL = """\
{"id": "a", "genre": "news", "year": 2003, "text": "  Ann saw\\tNew York. ", "spans": \
[{"start": 2, "end": 5, "label": "PER"}, {"start": 10, "end": 18, "label": "LOC"}]}
{"id": "b", "genre": "mail", "year": 2004, "text": "São Paulo, 😀!", "spans": [[0, 9, "LOC"]]}
{"id": "c", "text": "nothing here", "spans": []}
"""
JSONL_TOKENS = """\
{"sent_id": "a", "tokens": ["Ann", "saw", "New York"], "tags": ["B-PER", "O", "B-LOC"], \
"upos": ["PROPN", "VERB", "PROPN"], "spans": [{"start": 2, "end": 3, "label": "LOC"}]}
{"tokens": [], "tags": [], "upos": [], "spans": []}
{"tokens": ["Très", "bien"], "tags": ["O", "O"], "upos": ["ADV", "ADV"], "spans": []}
"""
JSONL_CLUSTERS = """\
{"doc_key": "a_0", "genre": "news", "year": 2003, "sentences": [["Ann", "saw", "her", "dog"], \
["It", "slept"]], "pos": [["NNP", "VBD", "PRP$", "NN"], ["PRP", "VBD"]], \
"clusters": [[[2, 3], [4, 4]], [[0, 0], [2, 2]]]}
{"doc_key": "b", "sentences": [["Très", "bien"]], "pos": [["RB", "RB"]], "clusters": []}
"""
BRACKETS = """\
( (S (NP-SBJ-1 (NNP Ann)) (VP (VBD seemed) (S (NP-SBJ (-NONE- *-1)) (VP (VB sleep)))) (. .)))
(())
(TOP (FRAG (RB Très) (RB-HD bien)) (, ,))

(S (PRN (-LRB- -LRB-) (NP=2 (NN é)) (-RRB- -RRB-))) (NP (NNS dogs)) (. .)
"""
BRACKETS_SPREAD = """\
( (S
    (NP-SBJ (NNP Ann) )
    (VP (VBZ sleeps) )
    (. .) ))

(ROOT
  (NP (NNS dogs)
    (SBAR (-NONE- 0)
      (S (NP (-NONE- *T*-1))))))
"""
DISCBRACKET = """\
(S (VP (VB 0=is) (JJ 2=rich)) (NP-SBJ (PRP 1=he)) (? 3=?))
(())
(TOP (S (NP (NN-HD 0=Très)) (RB 1=bien))) (. 2=.)
"""
EXPORT = """\
%% word tag morph edge parent
#FORMAT 3
#BOT EDITOR
1 Ann #BOS
#EOT EDITOR
#BOS 7 1 985275570 2 %% checked twice
Wen\t\t\tPWS\tAcc\tOA\t500
sieht\t\t\tVVFIN\t3.Sg\tHD\t501
``\t\t\t$(\t--\t--\t0
Çelik\t\t\tNE\t--\tSB\t501
''\t\t\t$(\t--\t--\t0
kommen\t\t\tVVINF\tInf\tHD\t500
?\t\t\t$.\t--\t--\t0
#500\t\t\tVP\t--\tOC\t501
#501\t\t\tS\t--\t--\t0
#EOS 7
#BOS 8
#EOS 8
#BOS 9 1
#1 XY -- -- 0
#EOS
"""
EXPORT_4 = """\
#BOS s1 0 0 0
Das\tdas\tART\tNom\tNK\t500
%%\t\tcomment
Haus\tHaus\tNN\tNom\tNK\t500
*T*-1\t--\t-NONE-\t--\tMO\t501
#500\t--\tNP\t--\t--\t501
#501\t--\t--\t--\t--\t0
#EOS s1
#BOS s2 0 0 0
Nein\tnein\tPTKANT\t--\t--\t0
.\t.\t$.\t--\t--\t0
#EOS s2
"""
TIGERXML = """\
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<corpus id="x">
<body>
<s id="s1">
<graph root="s1_VROOT" discontinuous="true">
<terminals>
<t id="s1_1" word="Wen" lemma="wer" pos="PWS" morph="Acc"/>
<t id="s1_2" word="sieht" lemma="sehen" pos="VVFIN" morph="3.Sg"/>
<t id="s1_3" word="Çelik" lemma="--" pos="NE" morph="--"/>
<t id="s1_4" word="kommen" lemma="kommen" pos="VVINF" morph="--"/>
<t id="s1_5" word="?" lemma="--" pos="$." morph="--"/>
</terminals>
<nonterminals>
<nt id="s1_500" cat="VP">
<edge label="OA" idref="s1_1"/>
<edge label="HD" idref="s1_4"/>
</nt>
<nt id="s1_501" cat="S">
<edge label="HD" idref="s1_2"/>
<edge label="SB" idref="s1_3"/>
<edge label="OC" idref="s1_500"/>
</nt>
<nt id="s1_VROOT" cat="VROOT">
<edge label="--" idref="s1_501"/>
<edge label="--" idref="s1_5"/>
</nt>
</nonterminals>
</graph>
</s>
<s id="s2"><graph root=""><terminals/><nonterminals/></graph></s>
<s id="s3">
<graph root="s3_1">
<terminals>
<t id="s3_1" word="Nein" lemma="nein" pos="PTKANT" morph="--"/>
</terminals>
<nonterminals/>
</graph>
</s>
</body>
</corpus>
"""
# Several examples where a format has faces that share little code.
EXAMPLES: dict[str, tuple[bytes, ...]] = {
    "conllu": (CONLLU.encode(), COREFUD.encode()),
    "conllx": (CONLLX.encode(),),
    "columns": (COLUMNS.encode(),),
    "conll2012": (CONLL2012.encode(), CONLL2012_WORDS.encode(), CONLL2012_BARE.encode()),
    "gumcoref": (GUMCOREF.encode(),),
    "tagged": (TAGGED.encode(),),
    "spans": (SPANS.encode(),),
    "jsonl": (JSONL.encode(), JSONL_TOKENS.encode(), JSONL_CLUSTERS.encode()),
    "brackets": (BRACKETS.encode(), BRACKETS_SPREAD.encode()),
    "discbracket": (DISCBRACKET.encode(),),
    "export": (EXPORT.encode(), EXPORT_4.encode()),
    "tigerxml": (TIGERXML.encode(),),
}


def read_bytes(format: str, data: bytes, **options: Any) -> Corpus:
    """A corpus from bytes, by a format's text."""
    return make(format).read(io.BytesIO(data), Reading(**{"origin": "test.file", **options}))


def write_bytes(format: str, corpus: Corpus) -> bytes:
    """A corpus as bytes, by a format's text."""
    stream = io.BytesIO()
    make(format).write(corpus, stream)
    return stream.getvalue()


def examples(format: str) -> tuple[bytes, ...]:
    """Valid files of a format; of one that is not ours, what it writes of some tagged words."""
    if format not in EXAMPLES:
        forms, tags = Labels.of(["Ann", "saw", "Bob"]), Tags(Labels.of(["N", "V", "N"]))
        corpus = Corpus(np.array([0, 2, 3]), forms, {"tag": tags})
        return (write_bytes(format, corpus),)
    return EXAMPLES[format]


# -- bytes ------------------------------------------------------------------------------------

# Bytes that mean something to some reader are likelier to get through to its depths.
_TELLING = st.sampled_from([*b"\t\n\r #_-.,:|/(){}[]\"'\\0123456789ON", 0, 0xC3, 0xEF, 0xFF])
_ANY = st.integers(0, 255)


@st.composite
def mutated(draw: st.DrawFn, data: bytes) -> bytes:
    """A valid file with a few accidents: bytes changed, lost, added; lines swapped, doubled."""
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(("set", "delete", "insert", "cut", "swap", "double", "drop")))
        if kind in ("swap", "double", "drop"):
            lines = data.split(b"\n")
            i, j = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
            if kind == "swap":
                lines[i], lines[j] = lines[j], lines[i]
            elif kind == "double":
                lines.insert(j, lines[i])
            else:
                del lines[i]
            data = b"\n".join(lines)
            continue
        at = draw(st.integers(0, len(data)))
        byte = bytes([draw(_TELLING | _ANY)])
        size = draw(st.integers(0, 4))
        if kind == "set":
            data = data[:at] + byte + data[at + 1 :]
        elif kind == "delete":
            data = data[:at] + data[at + size + 1 :]
        elif kind == "insert":
            data = data[:at] + byte * (size + 1) + data[at:]
        else:
            data = data[:at]
    return data


def garbage() -> st.SearchStrategy[bytes]:
    """Any bytes, and bytes that look a little like files."""
    return st.binary(max_size=200) | st.lists(_TELLING, max_size=60).map(bytes)


# -- corpora ----------------------------------------------------------------------------------

_CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
any_string = st.text(_CHARACTERS, min_size=1, max_size=6)
plain_string = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters="_/|\ufeff"),
    min_size=1,
    max_size=6,
)


@st.composite
def corpora(
    draw: st.DrawFn, strings: st.SearchStrategy[str] = plain_string, *, smallest: int = 1
) -> Corpus:
    """Words with some of: tag layers, a dependency tree, spans, comments."""
    sizes = draw(st.lists(st.integers(smallest, 6), min_size=1, max_size=4))
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    count = int(offsets[-1])

    def labels() -> Labels:
        return Labels.of(draw(st.lists(strings, min_size=count, max_size=count)))

    layers: dict[str, Layer] = {
        name: Tags(labels())
        for name in ("tag", "upos", "xpos", "lemma")
        if count and draw(st.booleans())
    }
    if count and draw(st.booleans()):
        heads = [draw(st.integers(min(i, 1), i)) for size in sizes for i in range(size)]
        layers["deps"] = Arcs(np.array(heads, np.int32), labels())
    if draw(st.booleans()):
        layers["spans"] = _spans(draw, offsets, strings)
    extras: dict[str, Layer] = {}
    if draw(st.booleans()):
        texts = [f" sent_id = {i}" for i in range(len(sizes))]
        extras["comments"] = Comments(np.arange(len(sizes), dtype=np.int32), Labels.of(texts))
    return Corpus(offsets, labels(), layers, extras)


def _spans(draw: st.DrawFn, offsets: Any, strings: st.SearchStrategy[str]) -> Spans:
    rows: list[tuple[int, int, str]] = []
    for first, last in pairwise(offsets.tolist()):
        for _ in range(draw(st.integers(0, 3)) if last > first else 0):
            start = draw(st.integers(first, last - 1))
            rows.append((start, draw(st.integers(start + 1, last)), draw(strings)))
    start, end = (np.array([row[i] for row in rows], np.int32) for i in (0, 1))
    return Spans(start, end, Labels.of(row[2] for row in rows))


@st.composite
def annotated(draw: st.DrawFn) -> Corpus:
    """Sentences, some without tokens, in documents, with a layer of every class."""
    sizes = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    count, sentences = int(offsets[-1]), range(len(sizes))
    label = st.sampled_from("xyz")

    def some(strategy: st.SearchStrategy[Any], most: int = 3) -> list[tuple[int, Any]]:
        return [(s, x) for s in sentences for x in draw(st.lists(strategy, max_size=most))]

    def labels(size: int) -> Labels:
        return Labels.of(draw(st.lists(label, min_size=size, max_size=size)))

    def ints(values: Any) -> Any:
        return np.array(list(values), np.int32)

    def stretches(least: int) -> tuple[Any, Any, Any]:
        """Sentence, start and end of some stretches of at least so many tokens."""
        rows = []
        for s, _ in some(st.none()):
            if sizes[s] < least:
                continue
            start = draw(st.integers(0, sizes[s] - least))
            end = draw(st.integers(start + least, sizes[s]))
            rows.append((s, offsets[s] + start, offsets[s] + end))
        return tuple(ints(row[i] for row in rows) for i in range(3))  # type: ignore[return-value]

    hidden = some(label, 2)
    empty = EmptyNodes(
        ints(s for s, _ in hidden),
        ints(0 for _ in hidden),
        ints(range(len(hidden))),
        Labels.of(f"e{i}" for i in range(len(hidden))),
    )
    trees, mentions, spans = stretches(0), stretches(1), stretches(1)
    rows = range(len(trees[0]))
    above = [[r for r in rows[:row] if trees[0][r] == trees[0][row]] for row in rows]
    ends = Ragged(
        np.arange(len(spans[0]) + 1) * 2,
        np.stack([0 * spans[1], spans[2] - spans[1] - 1], 1).ravel(),
    )
    nodes = []
    for s, kind in some(st.sampled_from(["token", "empty", "nothing"])):
        mine = [i for i, (of, _) in enumerate(hidden) if of == s]
        if kind == "token" and sizes[s]:
            nodes.append((s, draw(st.integers(int(offsets[s]), int(offsets[s + 1]) - 1))))
        elif kind == "empty" and mine:
            nodes.append((s, count + draw(st.sampled_from(mine))))
        else:
            nodes.append((s, -2))
    edges = [
        (s, *(draw(st.sampled_from([-1, -2, *inside])) for _ in range(2)))
        for s, _ in some(st.none())
        for inside in [[row for row, (of, _) in enumerate(nodes) if of == s]]
    ]
    layers: dict[str, Layer] = {
        "tag": Tags(labels(count)),
        "deps": Arcs(ints(0 for _ in range(count)), labels(count)),
        "spans": Spans(
            spans[1], spans[2], labels(len(spans[0])), draw(st.sampled_from([None, ends]))
        ),
        "trees": Trees(
            trees[1],
            trees[2],
            labels(len(rows)),
            function=labels(len(rows)),
            parent=ints(draw(st.sampled_from([-1, *rows])) for rows in above),
            sentence=trees[0],
        ),
        "chains": Chains(
            mentions[1],
            mentions[2],
            labels(len(mentions[0])),
            entity=ints(draw(st.integers(0, 2)) for _ in mentions[0]),
            name=labels(len(mentions[0])),
            sentence=mentions[0],
        ),
        "graph": Graph(
            place=ints(place for _, place in nodes),
            top=np.array([draw(st.booleans()) for _ in nodes], np.bool_),
            node_sentence=ints(s for s, _ in nodes),
            node_label=labels(len(nodes)),
            source=ints(edge[1] for edge in edges),
            target=ints(edge[2] for edge in edges),
            label=labels(len(edges)),
            sentence=ints(edge[0] for edge in edges),
        ),
    }
    comments = some(st.sampled_from([" newdoc id = d", " newdoc", " genre = g"]), 1)
    text = Labels.of(text for _, text in comments)
    extras: dict[str, Layer] = {
        "empty": empty,
        "comments": Comments(ints(s for s, _ in comments), text),
    }
    return Corpus(offsets, labels(count), layers, extras)
