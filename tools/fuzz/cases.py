"""A case: files, a command and a law, all of them made from one seed."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields
from random import Random
from typing import Any

from fuzz.laws import LAWS
from fuzz.mutations import FIELDS, damaged, in_json, repeated
from fuzz.seeds import STUDY, Text, json_results, texts

VERBS = {
    "score": 30,
    "compare": 12,
    "errors": 8,
    "diff": 5,
    "draw": 5,
    "conventions": 4,
    "metrics": 4,
    "audit": 2,
    "power": 3,
    "ppv": 1,
    "datasets": 5,
    "validate": 12,
    "convert": 13,
}
FORMATS = ["text", "json", "csv", "markdown", "latex", "html", "svg"]
# Values of options that are neither numbers nor switches nor choices.
WORDS: dict[str, list[str]] = {
    "by": "length length:2,3 document file genre sent_id sent_id~^([a-z]+)- deprel upos xpos "
    "distance direction depth projectivity feature:Number known x".split(),
    "columns": ["form=0,ner=-1", "form=1,upos=3", "form=0,tag=1", "ner=9", "form=-1", "x"],
    "test": "randomisation bootstrap berg-kirkpatrick koehn wilcoxon sign mcnemar".split(),
    "table": "scores significance golds differences transitions labels examples oracle solvers "
    "ensembles groups".split(),
    "type": ["label", "attachment", "BE", "LE", "missing"],
    "direction": ["greater", "less"],
    "pair": ["A:B", "B:A", "A:A"],
    "sentence": ["1", "2", "99", "news-1-s1"],
    "fail_under": ["deps.las=0.85", "spans.f1=0.5", "tags.accuracy=1", "x=1"],
    "fail_if_worse": ["", "deps.las"],
}
FAMILIES = {"conllu": "deps", "conllx": "deps", "tagged": "tags", "conll2012": "coref"}
NUMBERS = [0, 1, 2, 3, 10]
SLOW = ("trials", "samples", "sample_trials")  # work, not rows of a table
HOSTILE_NUMBERS = ["-1", "99999999999999999999", "1.5", "nan", "1" * 5000, "1e3", "٣"]
SHARES = ["0.5", "0.05", "0.95", "0.01"]
HOSTILE_SHARES = ["0", "1", "-1", "nan", "inf", "1e-320", "0.9999999999999999", "1e999", "x"]
NAMES = [*" =*~é\n", "\x1b[31m", "\u202e", "<b>", "&", "$(x)", "%s", "\udcff", ".gz"]
NOT_HERE = ("jobs", "output", "format", "study")


@dataclass(frozen=True)
class Case:
    """`data` are the names of gold and systems, which the law may use in commands of its own."""

    seed: int
    args: tuple[str, ...]
    files: dict[str, bytes]
    data: tuple[str, ...] = ()
    law: str = "plain"
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"tertium {shlex.join(self.args)}" + (f"  # {self.law}" * (self.law != "plain"))


def case_of(seed: int) -> Case:
    """The case of a seed, always the same."""
    random = Random(seed)
    law = random.choice([*LAWS]) if random.random() < 0.35 else "plain"
    verb = random.choices([*VERBS], [*VERBS.values()])[0] if law == "plain" else "score"
    if verb == "datasets":
        return _datasets(seed, random)
    text = random.choice(texts())
    files = _files(text, random, law)
    names = tuple(files)
    options = _options(verb, text, files, random) if law == "plain" else _few(text, random)
    # As many files as the verb takes; now and then the same one twice.
    counts = {"convert": 1, "diff": 2, "draw": 2, "audit": 3, "power": 3, "ppv": 0, "compare": 3}
    given = (*names, *names)[: counts.get(verb, len(names))]
    args = [verb, *given, *options]
    if verb == "convert":
        args.insert(2, "out" + random.choice([".conllu", ".tsv", ".jsonl", ".gz", ".zst", ""]))
        if "--to" not in args and random.random() < 0.8:
            args += ["--to", _format(random)]
    elif given and random.random() < 0.03:
        args[1] = "-"
    if law == "plain" and verb not in ("ppv", "validate", "convert") and random.random() < 0.06:
        study = STUDY.format(metric=_metric(text, random), gold=names[0], a=names[-1], b=names[-1])
        files["tertium.toml"] = damaged(study.encode(errors="surrogateescape"), random)
        args = [verb, *random.choice([(), ("--study", "tertium.toml")])]
    return Case(seed, tuple(args), files, names, law, tuple(options))


def _files(text: Text, random: Random, law: str) -> dict[str, bytes]:
    """Gold and up to three systems, some of them damaged."""
    cut = text.cut(random)
    count = random.choice([2, 3, 3, 4])
    files = [cut[number % len(cut)] for number in range(count)]
    others = tuple(random.choice(texts()).files)
    chance = random.choice([0.0, 0.3, 0.7]) if law == "plain" else 0.3
    for number in range(count):
        if random.random() < chance:
            files[number] = damaged(files[number], random, others)
    if law == "plain" and random.random() < 0.03:
        files[-1] = repeated(files[-1], random)
        if random.random() < 0.5:
            files[0] = files[-1]
    suffix = random.choice([text.suffix] * 8 + ["", ".txt"])
    if law == "plain" and random.random() < 0.05:
        suffix = random.choice(NAMES) + suffix
    return {f"{'gabc'[number]}{suffix}": data for number, data in enumerate(files)}


def _few(text: Text, random: Random) -> list[str]:
    """Options under which a law must hold: they are the same for both of its sides."""
    options = ["--on-error", random.choice(["fail", "skip"])]
    if random.random() < 0.4:
        options += ["--metric", _metric(text, random)]
    if random.random() < 0.2:
        options += ["--align", random.choice(["auto", "characters", "position"])]
    return options


def _options(verb: str, text: Text, files: dict[str, bytes], random: Random) -> list[str]:
    """Some of the options that the verb declares, most values good ones."""
    from tertium.cli.main import load
    from tertium.options import options_of
    from tertium.results.assessment import Testing

    declared: dict[str, Any] = load(verb).declared()  # type: ignore[union-attr]
    found: list[str] = []
    for name, option in declared.items():
        likely = name in ("metric", "on_error", "input_format")
        if name in NOT_HERE or random.random() > (0.3 if likely else 0.06):
            continue
        if option.kind is bool:
            found.append(random.choice(option.flag.split("/")))
            continue
        value = _value(name, option, text, files, random)
        found += [option.flag, value] if not value.startswith("-") else [f"{option.flag}={value}"]
    # `score` tests nothing unless an option of tests is given.
    of_tests = {declared[name].flag for name in options_of(Testing) if name in declared}
    tests = verb != "score" or bool({"--significance", *of_tests} & {*found})
    for name, few in {"trials": 10, "samples": 2, "sample_trials": 5}.items():
        if name in declared and declared[name].flag not in found and tests:
            found += [declared[name].flag, str(400 if verb == "power" else few)]
    if verb != "convert":
        figures = {"--confusion", "--error-types"} & {*found} or verb in ("draw", "compare", "ppv")
        found += ["--format", random.choice(FORMATS if figures else FORMATS[:-1])]
        if random.random() < 0.1:
            found += ["--output", "out.txt"]
        if found[-1] == "csv" and "--safe-csv" not in found:
            found += random.choice([[], ["--safe-csv"]])
    return found


def _value(name: str, option: Any, text: Text, files: dict[str, bytes], random: Random) -> str:
    hostile = random.random() < 0.05
    if name == "report":
        return "out.html"
    if name == "write_ensembles":
        return "out"
    if name in ("against", "weights_from"):
        files["old.json"] = in_json(random.choice(json_results()), random)
        return "old.json"
    if name == "map_labels":
        lines = "nsubj\tsubj\nPER\tP\nB-PER\tB-P\nNOUN VERB\n# x\n"
        files["map"] = damaged(lines.encode(), random)
        return random.choice(["map", "upos=map", "ner=map", "=map"])
    if option.path or name in ("lexicon", "gold", "with_files"):
        if name == "gold" and not option.path:
            return random.choice(["PER", "none", "nsubj", *FIELDS])
        files["more"] = damaged(random.choice(random.choice(texts()).cut(random)), random)
        return random.choice(["more", *files, "nofile" if hostile else "more"])
    if name == "metric":
        return _metric(text, random)
    if "format" in name:
        return text.format if random.random() < 0.7 else _format(random)
    if name == "to":
        return _format(random)
    if option.choices:
        return "x" if hostile else random.choice(option.choices)
    if option.kind is int:
        usual = [10, 20] if name in SLOW else NUMBERS
        return random.choice(HOSTILE_NUMBERS) if hostile else str(random.choice(usual))
    if option.kind is float:
        return random.choice(HOSTILE_SHARES if hostile else SHARES)
    return random.choice(WORDS.get(name, FIELDS) if not hostile else FIELDS)


def _format(random: Random) -> str:
    from tertium import registry

    odd = ["columns(separator='space')", "tagged(separator='/')", "x"]
    return random.choice([*registry.names("formats") * 3, *odd])


def _metric(text: Text, random: Random) -> str:
    """A metric that may fit the text, with parameters of its declaration."""
    from tertium import registry

    names = [*registry.names("metrics")]
    if random.random() < 0.9:
        family = FAMILIES.get(text.format, "spans")
        names = [name for name in names if name.startswith((family, "tags"))]
    name = random.choice(names)
    given = []
    for each in fields(registry.get("metrics", name)):
        if random.random() < 0.2:
            usual = each.metadata.get("choices") or [1, 50.0, "tag", "ner", "upos", *FIELDS[:20]]
            given.append(f"{each.name}={random.choice([*usual])!r}")
    return f"{name}({', '.join(given)})" if given else name


def _datasets(seed: int, random: Random) -> Case:
    count = random.choice([1, 2, 3])
    source = random.choice(json_results())
    files = {f"{'xyz'[number]}.json": source for number in range(count)}
    for name in files:
        if random.random() < 0.7:
            files[name] = in_json(files[name], random)
        if random.random() < 0.2:
            files[name] = damaged(files[name], random)
    options = ["--format", random.choice(FORMATS)]
    return Case(seed, ("datasets", *files, *options), files, tuple(files))
