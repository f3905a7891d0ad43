"""Crafted cases: small files and numbers that once took minutes, gigabytes, or exit code 70."""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Callable

from fuzz.cases import Case

WORD = "{}\tw\t_\tNOUN\t_\t_\t0\troot\t_\t_\n"


def one(name: str, data: str | bytes, *options: str) -> Callable[[], Case]:
    """Score a file against itself."""
    raw = data.encode() if isinstance(data, str) else data
    return lambda: Case(0, ("score", name, name, *options), {name: raw}, (name,))


def listed(name: str, data: str | bytes) -> Callable[[], Case]:
    """List its problems."""
    raw = data.encode() if isinstance(data, str) else data
    return lambda: Case(0, ("validate", name), {name: raw}, (name,))


def told(*options: str, verb: str = "score", study: str = "") -> Callable[[], Case]:
    """A verb with odd options, or an odd study file, over two files that are fine."""
    data = b"a\tB-X\nb\tO\n\nc\tB-Y\n\n"
    files = {"g.bio": data, "a.bio": data, "b.bio": data.replace(b"X", b"Y")}
    given = () if study or verb == "ppv" else (*files,)
    if study:
        files["tertium.toml"] = study.encode()
    return lambda: Case(0, (verb, *given, *options), files, given)


def shaped() -> dict[str, str]:
    """Files of a few hundred kilobytes in which something is much, long or deep."""
    comments, ones = "#\n" * 5_000, (WORD.format(1) * 5_000) + "\n"
    return {
        "comments.conllu": comments + ones,
        "comments-good.conllu": comments * 20 + "".join(WORD.format(i) for i in range(1, 5)) + "\n",
        "long-id.conllu": "# sent_id = " + "x" * 100_000 + "\n" + ones,
        "ids.conllu": "".join(f"# sent_id = 1\n{WORD.format(1)}\n" for _ in range(8_000)),
        "heads.conllu": "".join(
            WORD.format(i).replace("\t0\t", f"\t{9_000 - i}\t") for i in range(1, 9_000)
        )
        + "\n",
        "ranges.conllu": "".join(f"{i}-9000\tw" + "\t_" * 8 + "\n" for i in range(1, 5_000)) + "\n",
        "feats.conllu": WORD.format(1).replace("_", "|".join(f"A{i}=b" for i in range(20_000)), 1),
        "deps.conllu": WORD.format(1).replace("root\t_", "root\t" + "|".join(["0:a"] * 30_000)),
        "keys.jsonl": "{" + ",".join(f'"k{i}":1' for i in range(20_000)) + ',"k1":2}\n',
        "deep.jsonl": '{"text": "a", "spans": ' + "[" * 100_000 + "]" * 100_000 + "}\n",
        "spans.jsonl": '{"text": "ab", "spans": [' + ",".join(['[0,2,"X"]'] * 30_000) + "]}\n",
        "brackets.jsonl": "[" * 300_000,
        "number.jsonl": '{"text": "a", "spans": [[0, ' + "1" * 300_000 + ', "X"]]}\n',
        "wide.tsv": ("x\t" * 1_000 + "O\n") * 2 + "\n",
        "wider.tsv": ("x\t" * 100_000 + "O\n") * 2 + "\n",
        "labels.bio": "".join(f"w\tB-L{i}\n\n" for i in range(20_000)),
        "one-line.pos": "a_B " * 80_000 + "\n",
        "long-word.bio": "x" * 300_000 + "\tO\n\n",
        "many.spans": "PER\t1\t1000000\t\n\n" * 20,
        "more.spans": "PER\t1\t1000000\t\n\n" * 200,
        "gaps.spans": "PER\t1\t1000000\t1, 1000000\n\n" * 90,
        "nested.spans": "".join(f"PER\t1\t{i}\t\n" for i in range(1, 5_000)) + "\n",
        "blank.txt": "\n" * 300_000,
        "spaces.txt": " " * 300_000,
        "tabs.txt": "\t" * 300_000,
        "returns.txt": "\r" * 300_000,
    }


def bombs() -> dict[str, bytes]:
    """Compressed files that become very large."""
    piece = b"w O\n" * 250_000
    # One megabyte after the other: a file may be made of several compressed ones.
    made = {"bomb.bio.gz": gzip.compress(piece, mtime=0) * 600}
    with contextlib.suppress(ImportError):
        import zstandard

        made["bomb.bio.zst"] = zstandard.ZstdCompressor().compress(piece) * 600
    return made


DIGITS = "1" * 5_000
STUDIES = {
    "digits": f"[options]\nseed = {DIGITS}\n",
    "nul": '[data]\ngold = "g.bio"\n[systems]\nA = "a.bio"\n[options]\noutput = "x\\u0000"\n',
    "empty": '[data]\ngold = ""\n',
    "home": '[data]\ngold = "~nobody/g.bio"\n[systems]\nA = "a.bio"\n',
    "above": '[data]\ngold = "g.bio"\n[systems]\nA = "a.bio"\n[options]\noutput = "../x.txt"\n',
    "bashrc": '[data]\ngold = "g.bio"\n[systems]\nA = "a.bio"\n[options]\noutput = "~/.bashrc"\n',
    "over": '[data]\ngold = "g.bio"\n[systems]\nA = "a.bio"\n[options]\noutput = "b.bio"\n',
    "deep": "a = " + "[" * 50_000 + "]" * 50_000,
}
OPTIONS = [
    ("score", "--significance", "--trials", "99999999999999"),
    ("score", "--significance", "--level", "0.9999999999999999"),
    ("score", "--seed", DIGITS),
    ("score", "--output", "g.bio/x.json"),
    ("score", "--output", "x" * 300),
    ("score", "--map-labels", "x" * 300),
    ("score", "--lexicon", "m\udcff"),
    ("score", "--with", "~nobody/x"),
    ("score", "--columns", "\udcff=1"),
    ("score", "--by", "sent_id~(a+)+$"),
    ("score", "--metric", "spans.f1(" * 10_000),
    ("compare", "--trials", "99999999999999"),
    ("compare", "--limit", "99999999999999999999999"),
    ("power", "--trials", "99999999999999"),
    ("audit", "--samples", "10000000000000"),
    ("ppv", "--alpha", "1e-320"),
]


def shapes() -> dict[str, Callable[[], Case]]:
    """All of them, by name."""
    return {
        **{f"score {name}": one(name, data) for name, data in shaped().items()},
        **{f"validate {name}": listed(name, data) for name, data in shaped().items()},
        **{f"bomb {name}": one(name, data) for name, data in bombs().items()},
        **{f"study {name}": told(study=text) for name, text in STUDIES.items()},
        **{f"option {i}": told(*rest, verb=verb) for i, (verb, *rest) in enumerate(OPTIONS)},
    }
