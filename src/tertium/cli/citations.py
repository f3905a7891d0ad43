"""`tertium cite`: BibTeX of Tertium itself and of the papers behind verbs, tests and metrics."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tertium import registry
from tertium._version import AUTHORS, TITLE, YEAR, __version__
from tertium.cli.catalogue import Catalogue
from tertium.exceptions import UsageError
from tertium.families.base import citation
from tertium.formats.sources import load_json
from tertium.options import Verb
from tertium.results.blocks import Block, Text
from tertium.results.output import Look

TOOL = "tertium"
# What to cite for a choice of `--test`, `--interval`, `--correction` or `--method`, and for a
# parameter of metrics.
PAPERS = {
    "randomisation": ("approximate randomisation test", "noreen-1989-computer"),
    "berg-kirkpatrick": ("one-sided paired bootstrap", "berg-kirkpatrick-etal-2012-empirical"),
    "koehn": ("paired bootstrap", "koehn-2004-statistical"),
    "wilcoxon": ("signed-rank test", "wilcoxon-1945-individual"),
    "mcnemar": ("McNemar's test", "mcnemar-1947-note"),
    "bca": ("bootstrap confidence intervals", "efron-1987-better"),
    "holm": ("Holm's correction", "holm-1979-simple"),
    "bh": ("false discovery rate", "benjamini-hochberg-1995-controlling"),
    "mace": ("multi-annotator competence estimation", "hovy-etal-2013-learning"),
    "mace-em": ("the same by plain EM", "hovy-etal-2013-learning"),
    "dawid-skene": ("error rates of observers", "dawid-skene-1979-maximum"),
    "debatable": ("debatable and plain errors", "plank-etal-2014-linguistically"),
}


class Citations(Catalogue):
    """What to cite, one entry per name that was given."""

    @property
    def title(self) -> str:
        """What it is for."""
        return "What to cite"

    def blocks(self, look: Look) -> list[Block]:
        """BibTeX below every name; a paper that serves several is printed once."""
        blocks: list[Block] = []
        printed: set[str] = set()
        for entry in self.entries:
            heading = f"{entry['id']}: {entry['title']}"
            if look.is_text:
                # BibTeX takes lines outside entries for comments; % keeps other programs calm too.
                blocks.append(Text(f"% {heading}", role="code"))
            else:
                blocks.append(Text(heading, role="title"))
            papers = [each for each in entry["bibtex"].split("\n\n") if each not in printed]
            if papers:
                blocks.append(Text("\n\n".join(papers), role="code"))
            printed.update(papers)
        return blocks


def citations(*names: str) -> Citations:
    """What to cite for `tertium`, for verbs, tests and metrics, and for all that a JSON output of
    Tertium made use of."""
    found: dict[str, dict[str, Any]] = {}
    for name in names:
        for each in _used(name) if _is_output(name) else [name]:
            entry = _entry(each)
            found[entry["id"]] = entry
    return Citations("citations", [*found.values()])


def software() -> str:
    """The entry of Tertium itself."""
    return "\n".join(
        [
            f"@software{{{TOOL},",
            f"  title = {{{TITLE}}},",
            f"  author = {{{{{AUTHORS}}}}},",
            f"  version = {{{__version__}}},",
            f"  year = {{{YEAR}}}",
            "}",
        ]
    )


def _entry(text: str) -> dict[str, Any]:
    from tertium.cli.main import VERBS, load

    if text == TOOL:
        return {"id": text, "title": "the toolkit itself", "bibtex": software()}
    if text in VERBS:
        verb = load(text)
        keys = verb.cite if isinstance(verb, Verb) else ()
        title = VERBS[text][1].removesuffix(".")
        return {"id": text, "title": title, "bibtex": citation(*keys) if keys else software()}
    if text in PAPERS:
        title, key = PAPERS[text]
        return {"id": text, "title": title, "bibtex": citation(key)}
    name = registry.parse_call(text)[0]
    kind = "coefficients" if registry.knows("coefficients", name) else "metrics"
    if not registry.knows(kind, name):
        others = [TOOL, *VERBS, *PAPERS, *registry.names("coefficients")]
        near = registry.near("metrics", name, others)
        raise UsageError(
            f"there is nothing to cite for '{name}'.{near}",
            help=f"give '{TOOL}', a verb, a test, a metric or a coefficient; "
            "'tertium list metrics' and 'tertium list coefficients' show these",
        )
    metric: Any = registry.get(kind, name)
    cite = getattr(metric, "cite", "").strip()
    if not cite:
        raise UsageError(f"{name} has no citation")
    return {"id": name, "title": metric.title, "bibtex": cite}


def _is_output(text: str) -> bool:
    return text.endswith(".json") and os.path.isfile(text)


def _used(path: str) -> list[str]:
    """What a JSON output of Tertium made use of."""
    data = load_json(path)
    if not isinstance(data, Mapping) or TOOL not in data:
        raise UsageError(f"{path} is not the JSON output of a verb of Tertium")
    verbs = ["compare"] if "pairs" in data and "oracle" in data else []
    return [*dict.fromkeys([TOOL, *verbs, *_names_in(data)])]


def _names_in(data: Any) -> Iterator[str]:
    """Metrics and statistics that a result names, wherever they are."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key == "metric" and isinstance(value, str):
                yield registry.parse_call(value)[0]
            elif key == "coefficients" and isinstance(value, Mapping):
                names = (registry.parse_call(text)[0] for text in value)
                yield from (name for name in names if registry.knows("coefficients", name))
            elif key in ("test", "interval", "correction", "method") and value in [*PAPERS]:
                yield value
        data = [*data.values()]
    for each in data if isinstance(data, list) else ():
        yield from _names_in(each)


def _check(given: Sequence[str]) -> None:
    if not given:
        raise UsageError(
            "name one or more things to cite",
            help=f"'tertium cite {TOOL}' cites the toolkit; 'tertium list metrics' shows metrics",
        )


def _offers(before: Sequence[str]) -> list[str]:
    from tertium.cli.main import VERBS

    plugins = (name for kind in ("metrics", "coefficients") for name in registry.names(kind))
    return [TOOL, *VERBS, *PAPERS, *plugins]


VERB = Verb(
    "cite",
    citations,
    f"""Print what to cite, as BibTeX.

    NAME is '{TOOL}' for the toolkit itself, a metric, a coefficient, a verb, a test, a method such
    as mace, or the JSON output of a verb for everything used in it. The output can be appended to a
    bibliography.

    \b
    tertium cite {TOOL} {{LAS}} >> references.bib
    tertium cite compare audit
    tertium cite scores.json
    """,
    arguments="NAME...",
    check=_check,
    study=False,
    suffixes={".bib": "text"},
    offers=_offers,
)
