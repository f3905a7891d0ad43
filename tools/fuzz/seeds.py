"""Where cases start: small valid files of every format, and of everything else that is read."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

SAMPLES = Path(str(resources.files("tertium") / "samples"))
# Words inside multiword tokens, empty nodes and enhanced graphs, which the samples have not.
GRAPHS = (
    """\
# newdoc id = d1
# sent_id = s1
0.1\tOnce\tonce\tADV\t_\t_\t_\t_\t3:advmod\t_
1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_
1\tde\tde\tADP\t_\t_\t3\tcase\t3:case\t_
2\tle\tle\tDET\t_\t_\t3\tdet\t3:det\t_
3\tlac\tlac\tNOUN\t_\tNumber=Sing\t0\troot\t0:root\tSpaceAfter=No

# sent_id = s2
1\tTrès\ttrès\tADV\tRB\t_\t2\tadvmod\t2:advmod\t_
2\tbien\tbien\tADV\tRB\t_\t0\troot\t0:root\t_

""",
    """\
# newdoc id = d1
1\tdu\tdu\tADP\t_\t_\t2\tcase\t2:case\t_
2\tl\tlac\tNOUN\t_\tNumber=Sing\t0\troot\t0:root|1:conj>det\t_
3\tac\tlac\tNOUN\t_\t_\t2\tflat\t2:flat\t_

1\tTrès\ttrès\tADV\tRB\t_\t0\troot\t0:root\t_
2\tbien\tbien\tADV\tRB\t_\t1\tflat\t1:flat\t_

""",
)
PLUS = """\
# global.columns = ID FORM UPOS NER
1\tAnn\tPROPN\tB-PER
2\tsaw\tVERB\tO

1\tNew\tPROPN\tB-LOC
2\tYork\tPROPN\tI-LOC

"""
CONLL2003 = """\
-DOCSTART- -X- -X- O

Ann NNP B-NP B-PER
saw VBD B-VP O
New NNP B-NP B-LOC
York NNP I-NP I-LOC

"""
SPANS = """\
NX\t1\t2\t1, 2
VX\t3\t5\t3, 5

NONE\t999\t999\t999

PX\t4\t4\t4

"""
RECORDS = (
    """\
{"id": "a", "genre": "news", "text": " Ann saw\\tNew York. ", "spans": [[1, 4, "PER"]]}
{"id": "b", "genre": "mail", "text": "São Paulo, 😀!", "spans": [[0, 9, "LOC"]]}
""",
    """\
{"id": "a", "text": "Ann saw New York.", "ents": [{"start": 0, "end": 3, "label": "PER"}]}
{"id": "b", "text": "São Paulo", "ents": []}
""",
    """\
{"sent_id": "a", "tokens": ["Ann", "saw"], "tags": ["B-PER", "O"], "upos": ["PROPN", "VERB"]}
{"tokens": ["Bob"], "tags": ["B-PER"], "upos": ["PROPN"], "spans": []}
""",
    """\
{"doc_key": "a", "sentences": [["Ann", "saw", "her"], ["It"]], "clusters": [[[0, 0], [2, 2]]]}
{"doc_key": "b", "sentences": [["Bo", "slept"]], "pos": [["NNP", "VBD"]], "clusters": []}
""",
)
CHAINS = tuple(
    f"""\
#begin document (a); part 000
a\t0\t0\tAnn\tNNP\t(TOP(NP*\t{cells[0]}
a\t0\t1\tBo\tNNP\t*))\t{cells[1]}

a\t0\t0\tShe\tPRP\t(TOP*)\t{cells[2]}

#end document
#begin document (a); part 001
a\t1\t0\tIt\tPRP\t(TOP*)\t{cells[3]}

#end document
"""
    for cells in (("(1|(2)", "1)", "(1)", "(3)"), ("(1)", "(2)|(1)", "(2)", "-"))
)
ENTITIES = """\
# newdoc id = a
# global.Entity = eid-etype-head-other
1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tsaw\tsee\tVERB\t_\t_\t0\troot\t_\tEntity=(e2[1/2]-event)
2.1\t_\tgo\tVERB\t_\t_\t_\t_\t2:conj\tEntity=(e1-person)
3\ther\ther\tPRON\t_\t_\t2\tobj\t_\tEntity=(e2[2/2]-event)(e1-person-1-)

# newdoc id = b
1\tIt\tit\tPRON\t_\t_\t0\troot\t_\tEntity=(e3-animal-1-)

"""
STUDY = """\
metrics = ["{metric}"]
[data]
gold = "{gold}"
[systems]
A = "{a}"
B = ["{a}", "{b}"]
[options]
align = "auto"
labels = true
output = "out.json"
[significance]
trials = 10
seed = 1
[gates]
"{metric}" = 0.1
[compare]
examples = 1
report = "out.html"
"""


@dataclass(frozen=True)
class Text:
    """Files of one format over one text, gold first; `blank` if an empty line ends a sentence."""

    format: str
    suffix: str
    files: tuple[bytes, ...]
    blank: bool = True

    def cut(self, random: Random) -> tuple[bytes, ...]:
        """Some of the first sentences."""
        count = random.choice([1, 2, 3, 5, 8])
        end = b"\n\n" if self.blank else b"\n"
        return tuple(end.join([*file.split(end)[:count], b""]) for file in self.files)


@cache
def texts() -> tuple[Text, ...]:
    """The samples, as they are and converted to every format, and what they do not show."""
    trees = [f"{name}.conllu" for name in ("gold", "arbor", "breeze", "cedar")]
    spans = [f"entities-{name}.bio" for name in ("gold", "arbor", "breeze", "cedar")]
    tags = [f"upos-ann{number}.tsv" for number in (1, 2, 3)]
    found = [
        Text("conllu", ".conllu", tuple((SAMPLES / name).read_bytes() for name in trees)),
        Text("columns", ".bio", tuple((SAMPLES / name).read_bytes() for name in spans)),
        Text("columns", ".tsv", tuple((SAMPLES / name).read_bytes() for name in tags)),
        Text("conllx", ".conllx", converted(trees, "conllx")),
        Text("tagged", ".pos", converted(tags, "tagged"), blank=False),
        Text("spans", ".spans", converted(spans, "spans")),
        Text("jsonl", ".jsonl", converted(spans, "jsonl"), blank=False),
        Text("conllu", ".conllu", tuple(text.encode() for text in GRAPHS)),
        Text("columns", ".conllup", (PLUS.encode(),)),
        Text("columns", ".conll", (CONLL2003.encode(),)),
        Text("spans", ".spans", (SPANS.encode(),)),
        Text("conll2012", ".key", tuple(text.encode() for text in CHAINS)),
        Text("conllu", ".conllu", (ENTITIES.encode(),)),
    ]
    found += [Text("jsonl", ".jsonl", (text.encode(),), blank=False) for text in RECORDS]
    return tuple(found)


def converted(names: list[str], format: str) -> tuple[bytes, ...]:
    """Samples in another format."""
    return tuple(output("convert", SAMPLES / name, "-", "--to", format) for name in names)


@cache
def json_results() -> tuple[bytes, ...]:
    """What `score` wrote: of spans with tests, and of trees."""
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        made = []
        for suffix, options in ((".bio", ["--significance", "--trials", "10"]), (".conllu", [])):
            text = next(text for text in texts() if text.suffix == suffix)
            names = [f"{name}{suffix}" for name in "gab"]
            for name, data in zip(names, text.cut(Random(3)), strict=False):
                Path(name).write_bytes(data)
            gold, a, b = names
            made.append(output("score", gold, f"A={a}", f"B={b}", "--format", "json", *options))
            json.loads(made[-1])
        return tuple(made)


def output(*args: object) -> bytes:
    """What a command prints."""
    from tertium.cli.main import main

    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()) as said:
        code = main([str(arg) for arg in args])
    assert code == 0, said.getvalue()
    return out.buffer.getvalue()
