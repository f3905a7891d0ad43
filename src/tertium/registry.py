"""The registry of plug-ins and the text form they share.

A plug-in (family, metric, coefficient, format) is one frozen dataclass whose fields are its
parameters. Its text is the same in Python, on the command line, in JSON and in the signature:
`deps.las(subtypes=True)`. Built-in plug-ins are named here with the place they load from, so that
listing or scoring one loads no other; third parties use `register` or the entry points
`tertium.families`, `tertium.metrics`, `tertium.coefficients` and `tertium.formats`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, cast

from tertium.exceptions import UsageError, suggestion

_BUILT_IN: dict[str, dict[str, str]] = {
    # What comes later stands on what comes before: errors are listed of the last one first.
    "families": {
        "tags": "tertium.families.tags:TagFamily",
        "deps": "tertium.families.deps.family:DependencyFamily",
        "spans": "tertium.families.spans.family:SpanFamily",
        "trees": "tertium.families.trees.family:TreeFamily",
        "coref": "tertium.families.coref.family:CorefFamily",
        "theories": "tertium.families.theories.family:TheoryFamily",
    },
    "metrics": {
        "tags.accuracy": "tertium.families.tags:Accuracy",
        "spans.f1": "tertium.families.spans.exact:F1",
        "spans.fair": "tertium.families.spans.fair:Fair",
        "spans.partial": "tertium.families.spans.partial:Partial",
        "deps.uas": "tertium.families.deps.attachment:UAS",
        "deps.las": "tertium.families.deps.attachment:LAS",
        "deps.ls": "tertium.families.deps.attachment:LS",
        "deps.undirected": "tertium.families.deps.attachment:Undirected",
        "deps.ned": "tertium.families.deps.attachment:NED",
        "deps.clas": "tertium.families.deps.content:CLAS",
        "deps.mlas": "tertium.families.deps.content:MLAS",
        "deps.blex": "tertium.families.deps.content:BLEX",
        "deps.elas": "tertium.families.deps.enhanced:ELAS",
        "deps.eulas": "tertium.families.deps.enhanced:EULAS",
        "deps.tokens": "tertium.families.deps.segments:Tokens",
        "deps.sentences": "tertium.families.deps.segments:Sentences",
        "deps.words": "tertium.families.deps.segments:Words",
        "deps.upos": "tertium.families.deps.tags:UPOS",
        "deps.xpos": "tertium.families.deps.tags:XPOS",
        "deps.ufeats": "tertium.families.deps.tags:UFeats",
        "deps.alltags": "tertium.families.deps.tags:AllTags",
        "deps.lemmas": "tertium.families.deps.tags:Lemmas",
        "deps.ud": "tertium.families.deps.ud:UD",
        "trees.parseval": "tertium.families.trees.parseval:Parseval",
        "trees.leaf_ancestor": "tertium.families.trees.lineage:LeafAncestor",
        "trees.triples": "tertium.families.trees.triples:Triples",
        "trees.fair": "tertium.families.trees.fair:TreeFair",
        "coref.muc": "tertium.families.coref.partitions:MUC",
        "coref.b3": "tertium.families.coref.partitions:B3",
        "coref.ceafe": "tertium.families.coref.partitions:CEAFe",
        "coref.ceafm": "tertium.families.coref.partitions:CEAFm",
        "coref.conll": "tertium.families.coref.partitions:CoNLL",
        "coref.lea": "tertium.families.coref.partitions:LEA",
        "coref.blanc": "tertium.families.coref.blanc:BLANC",
        "coref.mentions": "tertium.families.coref.detection:MentionDetection",
        "coref.arcs_any": "tertium.families.coref.arcs:ArcsAny",
        "coref.arcs_nom": "tertium.families.coref.arcs:ArcsNom",
        "coref.entities": "tertium.families.coref.detection:Entities",
        "theories.tedeval": "tertium.families.theories.tedeval:TedEval",
    },
    # Of agreement between annotators, by their formulas.
    "coefficients": {
        "agreement": "tertium.agreement.coefficients:RawAgreement",
        "cohen": "tertium.agreement.coefficients:Cohen",
        "scott": "tertium.agreement.coefficients:Scott",
        "fleiss": "tertium.agreement.coefficients:Fleiss",
        "conger": "tertium.agreement.coefficients:Conger",
        "alpha": "tertium.agreement.alpha:Alpha",
        "s": "tertium.agreement.coefficients:S",
        "ac1": "tertium.agreement.coefficients:AC1",
    },
    "formats": {
        "conllu": "tertium.formats.conllu:Conllu",
        "conllx": "tertium.formats.conllx:Conllx",
        "columns": "tertium.formats.columns:Columns",
        "conll2012": "tertium.formats.coref.conll2012:Conll2012",
        "gumcoref": "tertium.formats.coref.gum:GumCoref",
        "tagged": "tertium.formats.tagged:TaggedText",
        "spans": "tertium.formats.spans_tsv:SpansTsv",
        "jsonl": "tertium.formats.jsonl:Jsonl",
        "export": "tertium.formats.trees.export:Export",
        "tigerxml": "tertium.formats.trees.tigerxml:TigerXml",
        "brackets": "tertium.formats.trees.penn:Brackets",
        "discbracket": "tertium.formats.trees.discbracket:DiscBracket",
    },
}
# Metrics that help texts and the demonstration name: what stands in braces is replaced by them.
_EXAMPLES = {
    "{TAGS}": "tags.accuracy",
    "{UAS}": "deps.uas",
    "{LAS}": "deps.las",
    "{UD}": "deps.ud",
    "{SPANS}": "spans.f1",
    "{FAIR}": "spans.fair",
    "{PARSEVAL}": "trees.parseval",
    "{LINEAGES}": "trees.leaf_ancestor",
    "{TRIPLES}": "trees.triples",
    "{COREF}": "coref.conll",
}
_added: dict[str, dict[str, type[Plugin]]] = {kind: {} for kind in _BUILT_IN}


def parameter(
    default: object,
    *,
    help: str,
    choices: Sequence[object] | None = None,
    check: Callable[[Any], bool] | None = None,
    resource: str | None = None,
    needs: str | None = None,
) -> Any:
    """A plug-in's parameter: default, one line of help, and what values are allowed.

    `resource` names a kind of file (such as "lexicon") that is read before the plug-in is made;
    `needs` names another such parameter, without which this one means nothing.
    """
    return field(
        default=default,
        metadata={
            "help": help,
            "choices": tuple(choices) if choices else None,
            "check": check,
            "resource": resource,
            "needs": needs,
        },
    )


@dataclass(frozen=True, repr=False)
class Plugin:
    """Base of families, metrics and formats: checks parameters; its text parses back."""

    id: ClassVar[str]

    def __post_init__(self) -> None:
        for f in fields(self):
            value, choices = getattr(self, f.name), f.metadata.get("choices")
            check = f.metadata.get("check")
            if choices is not None and not any(
                value == c and type(value) is type(c) for c in choices
            ):
                wanted = ", ".join(_literal(c) for c in choices)
                raise UsageError(
                    f"{self.id}: {f.name} must be one of {wanted}. Got {value!r} instead."
                )
            if check is not None and not check(value):
                raise UsageError(
                    f"{self.id}: {f.name} must be {f.metadata['help']}. Got {value!r} instead."
                )
            needs = f.metadata.get("needs")
            if needs and value != f.default and getattr(self, needs) is None:
                raise UsageError(f"{self.id}: {f.name}={_literal(value)} needs {needs}=FILE")

    def parameters(self) -> dict[str, object]:
        """All parameters with their values, in order."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __repr__(self) -> str:
        given = [
            f"{f.name}={_literal(getattr(self, f.name))}"
            for f in fields(self)
            if getattr(self, f.name) != f.default
        ]
        return f"{self.id}({', '.join(given)})" if given else self.id


def with_examples(text: str) -> str:
    """A text with metrics for what stands in braces.

    >>> with_examples("a metric such as {LAS}")
    'a metric such as deps.las'
    """
    for place, metric in _EXAMPLES.items():
        text = text.replace(place, metric)
    return text


def names(kind: str) -> list[str]:
    """Ids of everything registered, built-in ones first."""
    return list(dict.fromkeys([*_BUILT_IN[kind], *_added[kind], *_entry_points(kind)]))


def knows(kind: str, name: str) -> bool:
    """Is there a plug-in of that id? Asks installed packages only if it is not one of ours."""
    return name in _BUILT_IN[kind] or name in _added[kind] or name in _entry_points(kind)


def get(kind: str, name: str) -> type[Plugin]:
    """The plug-in class of that id; loads it on first use."""
    if name in _added[kind]:
        return _added[kind][name]
    if name in _BUILT_IN[kind]:
        module, _, attribute = _BUILT_IN[kind][name].partition(":")
        return cast("type[Plugin]", getattr(import_module(module), attribute))
    if name in _entry_points(kind):
        return cast("type[Plugin]", _entry_points(kind)[name].load())
    raise UsageError(
        f"there is no {singular(kind)} '{name}'.{near(kind, name)}",
        help=f"'tertium list {kind}' shows all",
    )


def singular(kind: str) -> str:
    """What one of a kind is called."""
    return {"families": "family"}.get(kind, kind.removesuffix("s"))


def near(kind: str, name: str, others: Sequence[str] = ()) -> str:
    """Which name may be meant, as the end of a message: one that ends in it, one of a built-in
    plug-in whose title has it, or those of the kind and `others` that are spelt alike."""
    found = [n for n in names(kind) if n.rpartition(".")[2] == name.lower()]
    found += [n for n in _BUILT_IN[kind] if name.lower() in _title_words(get(kind, n))]
    return f" Did you mean '{found[0]}'?" if found else suggestion(name, [*others, *names(kind)])


def _title_words(plugin: type[Plugin]) -> list[str]:
    return re.findall(r"[a-z][\w-]*", getattr(plugin, "title", "").lower())


def register(kind: str, plugin: type[Plugin]) -> type[Plugin]:
    """Add a plug-in for this process; it is then known everywhere by its id."""
    if plugin.id in _BUILT_IN[kind]:
        raise UsageError(f"'{plugin.id}' is built in and cannot be replaced")
    _added[kind][plugin.id] = plugin
    return plugin


def added() -> dict[str, dict[str, type[Plugin]]]:
    """Everything that `register` added, to be taken to another process."""
    return {kind: dict(plugins) for kind, plugins in _added.items()}


def restore(plugins: dict[str, dict[str, type[Plugin]]]) -> None:
    """Know what was registered in the process that the work comes from."""
    for kind, each in plugins.items():
        _added[kind].update(each)


def unregister(kind: str, name: str) -> None:
    """Forget what `register` added."""
    _added[kind].pop(name, None)


@cache
def _entry_points(kind: str) -> dict[str, Any]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=f"tertium.{kind}")}


def build(kind: str, text: str, *, load: Callable[[str, str], object] | None = None) -> Plugin:
    """Make a plug-in from its text. `load(kind, name)` reads parameters that are files.

    >>> build("metrics", "deps.las(subtypes=yes)")
    deps.las(subtypes=True)
    """
    name, written = _arguments(text)
    given = {key: _value(value) for key, value in written.items()}
    plugin = get(kind, name)
    known: dict[str, Field[Any]] = {f.name: f for f in fields(plugin)}
    for key in given:
        if key not in known:
            there = f" It has: {', '.join(known)}." if known else " It has none."
            raise UsageError(f"{name} has no parameter '{key}'.{suggestion(key, [*known])}{there}")
        resource = known[key].metadata.get("resource")
        if (resource or _is_text(known[key])) and isinstance(given[key], bool | int | float):
            given[key] = written[key]  # a bare 5 or yes that means a name
        if resource and isinstance(given[key], str):
            if load is None:
                raise UsageError(f"{name}: '{key}' is a file and cannot be read in this place")
            given[key] = load(resource, cast(str, given[key]))
        choices = known[key].metadata.get("choices") or ()
        if written[key] in choices:  # a bare word that would mean something else, such as null
            given[key] = written[key]
        if known[key].default is not MISSING and isinstance(known[key].default, str):
            given[key] = _as_text(given[key], choices)
    return plugin(**given)


def _is_text(field: Field[Any]) -> bool:
    return field.type is str or str(field.type) in ("str", "str | None")


def _as_text(value: object, choices: Sequence[object]) -> object:
    """Bare words such as `2` where the parameter is a string."""
    if value is None or isinstance(value, str) or value in choices:
        return value
    return str(value)


_CALL = re.compile(r"\s*([\w.\-]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_ARGUMENT = re.compile(
    r"""\s*(\w+)\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^,'"()]*?)\s*(?:,|$)""", re.DOTALL
)
_WORDS: dict[str, object] = {
    "true": True,
    "yes": True,
    "false": False,
    "no": False,
    "none": None,
    "null": None,
}


def parse_call(text: str) -> tuple[str, dict[str, object]]:
    """`name(key=value, ...)` as a name and a dictionary; quotes are optional.

    >>> parse_call("spans.f1(compat='conlleval', limit=2)")
    ('spans.f1', {'compat': 'conlleval', 'limit': 2})
    """
    name, written = _arguments(text)
    return name, {key: _value(value) for key, value in written.items()}


def _arguments(text: str) -> tuple[str, dict[str, str]]:
    """The name and the values as they are written."""
    match = _CALL.fullmatch(text) if isinstance(text, str) else None
    if not match:
        raise UsageError(f"'{text}' is not of the form NAME or NAME(PARAMETER=VALUE, ...)")
    name, inside = match[1], (match[2] or "").strip()
    given: dict[str, str] = {}
    position = 0
    while position < len(inside):
        argument = _ARGUMENT.match(inside, position)
        if not argument:
            raise UsageError(f"'{inside[position:]}' in '{text}' is not PARAMETER=VALUE")
        if argument[1] in given:
            raise UsageError(f"'{argument[1]}' is given twice in '{text}'")
        given[argument[1]] = argument[2]
        position = argument.end()
    return name, given


def _value(text: str) -> object:
    if text[:1] in ("'", '"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _literal(value: object) -> str:
    if isinstance(value, bool | int | float) or value is None:
        return str(value)
    escaped = str(value).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
