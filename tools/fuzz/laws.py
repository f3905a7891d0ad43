"""Laws: what two commands must have in common. Each gets a case and a function that runs commands
in its folder (`go`), and yields what it finds broken.

A law speaks only of what was scored on both of its sides: to refuse a file is right more often
than a fuzzer can know.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fuzz.cases import Case
    from fuzz.checks import Result

Go = Callable[..., "Result"]


def plain(case: Case, go: Go) -> Iterator[str]:
    """The command alone: what holds for every command is checked in any case."""
    go(*case.args)
    yield from ()


def itself(case: Case, go: Go) -> Iterator[str]:
    """Gold against itself is perfect or undefined."""
    gold = case.data[0]
    for score in _list(go("score", gold, gold, *case.options), "scores"):
        value = score["value"]
        # 0 divided by 0 is 0 to some scorers, and where `undefined='zero'` asks for it.
        if value not in (None, 1.0) and not (value == 0 and score.get("reason")):
            yield f"gold against itself is {value} in {score['metric']}"


def disguise(case: Case, go: Go) -> Iterator[str]:
    """CR LF, a byte order mark, gzip and a missing end of the last line change nothing."""
    gold, system = case.data[:2]
    usual = scored(go("score", gold, f"S={system}", *case.options))
    data = Path(system).read_bytes()
    if data.startswith((b"\x1f\x8b", b"(\xb5")):  # compressed once is enough
        return
    clothes = {"gz": gzip.compress(data, mtime=0)}
    # The evaluation of UD shared tasks refuses a byte order mark, and CR is a character to it.
    if "deps." not in str(case.options) and not data.startswith(b"\xef"):
        clothes["bom"] = b"\xef\xbb\xbf" + data
        if b"\r" not in data:
            clothes["crlf"] = data.replace(b"\n", b"\r\n")
    for name, dressed in clothes.items() if usual else ():
        Path(f"out-{system}").write_bytes(dressed)
        other = scored(go("score", gold, f"S=out-{system}", *case.options))
        yield from differences(usual, other, name, strict=True)


def order(case: Case, go: Go) -> Iterator[str]:
    """The order of systems changes no score and no p-value."""
    gold, *systems = case.data
    named = [f"S{number}={system}" for number, system in enumerate(systems)]
    tests = ["--significance", "--trials", "10"]
    first = go("score", gold, *named, *tests, *case.options)
    second = go("score", gold, *named[::-1], *tests, *case.options)
    yield from differences(scored(first), scored(second), "order", strict=True)
    yield from differences(tested(first), tested(second), "p in other order", strict=True)


def shards(case: Case, go: Go) -> Iterator[str]:
    """A file cut into two scores as the whole does, if both parts are read alike."""
    gold, system = case.data[:2]
    ends = [Path(name).read_bytes().count(b"\n\n") for name in (gold, system)]
    whole = go("score", gold, f"S={system}", *case.options)
    if ends[0] != ends[1] or ends[0] < 2 or not scored(whole):
        return
    for side, name in (("out-g", gold), ("out-s", system)):
        Path(side).mkdir()
        sentences = Path(name).read_bytes().split(b"\n\n")
        half = len(sentences) // 2
        for number, part in enumerate((sentences[:half], sentences[half:])):
            Path(side, f"{number}{Path(name).suffix}").write_bytes(b"\n\n".join([*part, b""]))
    parts = go("score", "out-g", "S=out-s", *case.options)
    if signatures(whole) == signatures(parts) and coverage(whole) == coverage(parts):
        yield from differences(scored(whole), scored(parts), "in two files")


def rewrite(case: Case, go: Go) -> Iterator[str]:
    """What is written in its own format reads again, and scores as before."""
    gold, system = case.data[:2]
    whole = go("score", gold, f"S={system}", *case.options)
    format = {".conllu": "conllu", ".conllx": "conllx", ".spans": "spans", ".jsonl": "jsonl"}
    format[".key"] = "conll2012"
    to = format.get(Path(gold).suffix)
    if to is None or not scored(whole):
        return
    policy = case.options[:2]
    for name in (gold, system):
        if go("convert", name, f"out-{name}", "--to", to, *policy).code:
            return
        # 'validate' would be too strict: it also checks columns that nobody has asked for.
        if go("convert", f"out-{name}", f"out-again-{name}", "--input-format", to, "--to", to).code:
            yield f"what 'convert' wrote of {name} as {to} cannot be read"
            return
    # Skipped sentences are gone from the file and keep their places in the corpus.
    if "skip" not in policy:
        again = go("score", f"out-{gold}", f"S=out-{system}", *case.options)
        if signatures(whole) == signatures(again):
            yield from differences(scored(whole), scored(again), "written again")


LAWS: dict[str, Callable[[Case, Go], Iterator[str]]] = {
    law.__name__: law for law in (plain, itself, disguise, order, shards, rewrite)
}

# -- what is compared --------------------------------------------------------------------------

Values = dict[tuple[str, ...], Any]


def _list(result: Result, *keys: str) -> list[dict[str, Any]]:
    tree = json.loads(result.out) if result.code == 0 else {}
    for key in keys:
        tree = (tree or {}).get(key)
    return tree or []


def scored(result: Result) -> Values:
    """Values by system and metric; nothing if the command was refused."""
    return {(s["system"], s["metric"]): s["value"] for s in _list(result, "scores")}


def signatures(result: Result) -> Values:
    """Signatures by system and metric."""
    return {(s["system"], s["metric"]): s["signature"] for s in _list(result, "scores")}


def coverage(result: Result) -> Values:
    """What was scored, by system and metric."""
    return {(s["system"], s["metric"]): s["coverage"] for s in _list(result, "scores")}


def tested(result: Result) -> Values:
    """p-values by pair and metric."""
    tests = _list(result, "significance", "tests")
    return {(*sorted((t["a"], t["b"])), t["metric"]): t["p"] for t in tests}


def differences(one: Values, other: Values, what: str, *, strict: bool = False) -> Iterator[str]:
    """Values that differ; if `strict`, also that one side has none at all."""
    if strict and bool(one) != bool(other):
        yield f"{what}: one is scored and the other is not"
    for key in one.keys() & other.keys():
        a, b = one[key], other[key]
        if a != b and (a is None or b is None or abs(a - b) > 1e-9):
            yield f"{what}: {' '.join(key)} is {a} and {b}"
