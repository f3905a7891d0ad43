"""Options of the command line alone, which no Python function takes: where a result goes, in which
format, and what else is printed or written beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from tertium.cli.output import ALL_FORMATS, TABLES
from tertium.options import GATES, INPUT, OUTPUT, Option, Verb, option, options_of

STUDY_FILE = "tertium.toml"
ALSO_NAMED = {"markdown": "markdown (md)", "latex": "latex (tex)"}


@dataclass(frozen=True)
class Shell:
    """What a command takes in addition to the options of its verb."""

    option_group: ClassVar[str] = OUTPUT

    gold: tuple[str, ...] = option(
        (), "The gold standard of one theory; repeatable. Every argument is then a system: "
        "NAME=THEORY:FILE.",
        metavar="THEORY=FILE", path="labels", group=INPUT,
    )  # fmt: skip
    study: str | None = option(
        None, f"Read data, metrics and options from a TOML file. Default: ./{STUDY_FILE} if no "
        "files are given.",
        metavar="TOML", group=INPUT, path=True,
    )  # fmt: skip
    format: str | None = option(
        None, "Output format: {FORMATS}. Default: inferred from the name of the output file, "
        "otherwise text.",
        metavar="FORMAT", short="-f",
    )  # fmt: skip
    output: str | None = option(
        None, "Write the result to FILE (atomically) instead of printing it.",
        metavar="FILE", path="written", short="-o",
    )  # fmt: skip
    quiet: bool = option(False, "Print no notes and no progress to stderr.", short="-q")
    annotate: str | None = option(
        None, "Print failed checks to stderr as annotations for a CI service.",
        choices=("github",), group=GATES,
    )  # fmt: skip
    junit: str | None = option(
        None, "Write all checks to FILE as JUnit XML.",
        metavar="FILE", path="written", group=GATES,
    )  # fmt: skip


def shell_options(verb: Verb) -> dict[str, Option]:
    """Those of a verb, by name."""
    taken = {
        "gold": verb.has_gold and "enrich" in verb.declared(),
        "study": verb.study,
        "format": verb.prints,
        "output": verb.prints,
        "quiet": True,
        "annotate": verb.checks,
        "junit": verb.checks,
    }
    found = {name: each for name, each in options_of(Shell).items() if taken[name]}
    names = [ALSO_NAMED.get(name, name) for name in (ALL_FORMATS if verb.figures else TABLES)]
    text = f"{', '.join(names[:-1])} or {names[-1]}"
    return {n: replace(o, help=o.help.replace("{FORMATS}", text)) for n, o in found.items()}
