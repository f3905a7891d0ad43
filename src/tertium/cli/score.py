"""`tertium score`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from tertium.cli.conventions import show_conventions
from tertium.cli.gates import check_gates, check_names, parse_gates
from tertium.cli.memory import start_lightly
from tertium.cli.output import emit, figure_options, format_of, look
from tertium.cli.progress import progress_bar
from tertium.cli.reading import DEFAULTS as READING
from tertium.cli.reading import reading_arguments, reading_options
from tertium.cli.study import NAME, StudyFile, find_study
from tertium.cli.testing import asked_testing, significance_options
from tertium.exceptions import UsageError
from tertium.formats.sources import load_json
from tertium.report.render import check_figures, render

if TYPE_CHECKING:
    from tertium.report.against import Against
    from tertium.results.assessment import Testing
    from tertium.results.scores import Scores

DEFAULTS: dict[str, Any] = {
    **READING,
    "labels": False,
    "confusion": False,
    "error_types": False,
    "conventions": False,
    "parts": False,
}


def only_one(context: click.Context, option: click.Parameter, value: tuple[str, ...]) -> str | None:
    """An option that may be given once; the last of several would win without a word."""
    if len(value) > 1:
        raise UsageError(
            f"--{option.name} is given {len(value)} times: {', '.join(value)}", help="give it once"
        )
    return value[0] if value else None


@click.command(short_help="Score systems against a gold standard.")
@click.argument("files", nargs=-1, metavar="GOLD SYSTEM...")
@click.option(
    "--metric", "metrics", multiple=True, metavar="ID",
    help="A metric such as {LAS} or '{SPANS}(scheme=iob2)'; repeatable. "
    "By default those that fit the layers present.",
)  # fmt: skip
@reading_options()
@click.option(
    "--by",
    metavar="KEY",
    multiple=True,
    callback=only_one,
    help="Also score groups: length (length:5,15), document, file, a key of the comments, or a "
    "property of words: deprel, upos, xpos, distance, direction, depth, projectivity, "
    "feature:NAME, or known (with --lexicon).",
)
@click.option("--lexicon", metavar="FILE", help="Training data: score known and unknown apart.")
@click.option("--labels", is_flag=True, default=None, help="Show a table per label.")
@click.option("--confusion", is_flag=True, default=None, help="Show which labels are confused.")
@click.option("--error-types", is_flag=True, default=None, help="Show how errors are distributed.")
@click.option(
    "--conventions", is_flag=True, default=None,
    help="Show what every convention of the field says about the spans, and where they part.",
)  # fmt: skip
@click.option("--parts", is_flag=True, default=None, help="Show all parts of each metric.")
@click.option(
    "--fail-under", "gates", multiple=True, metavar="METRIC=VALUE",
    help="Exit with 1 if a system is below, such as {LAS}=0.85; repeatable.",
)  # fmt: skip
@significance_options(
    switch="Show confidence intervals and test all differences between systems. Any of the "
    "following options asks for it, too.",
)
@click.option("--against", metavar="JSON", help="Show changes since an earlier run's JSON output.")
@click.option(
    "--study", metavar="TOML",
    help=f"Take data, metrics, options and gates from a file. {NAME} is used by itself where no "
    "GOLD is given.",
)  # fmt: skip
@figure_options
def score(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    gates: tuple[str, ...],
    study: str | None,
    **given: Any,
) -> None:
    """Score systems against a gold standard.

    GOLD and each SYSTEM is a file, a folder, a glob in quotes, or - for standard input; .gz and
    .zst are read as they are. A=path names a system; A=path,path,... are several runs of one. The
    format is recognised.

    \b
    tertium score gold.conllu a.conllu b.conllu
    tertium score gold.bio NEW=out.bio --metric {SPANS} --labels
    tertium score gold.conllu a.conllu --metric {LAS} --by distance
    tertium score gold.conllu a.conllu b.conllu --significance
    tertium score gold.conllu a.conllu --format json --output a.json
    tertium score gold.bio a.bio --confusion --error-types --output a.svg
    """
    told = _study(files, study)
    # Whatever stands on the command line wins over the study, which wins over the defaults.
    options = {
        **DEFAULTS,
        **told.options,
        **{k: v for k, v in given.items() if v not in (None, ())},
    }
    wanted = {**told.gates, **parse_gates(gates)}
    check_names(wanted)
    earlier = [load_json(options["against"])] if options.get("against") else []
    output = options.get("output")
    format = format_of(options.get("format"), output, figures=True)
    testing = asked_testing(given, told.significance, usual=None)
    if options["conventions"]:
        if testing is not None:
            raise UsageError(
                "'--conventions' has no tests",
                help="'tertium score --significance' tests each metric without it",
            )
        if wanted:
            raise UsageError("'--conventions' has no gates", help="gate a score without it")
        data = told.data(files)
        show_conventions(data, metrics or told.metrics, options, format)
        return
    if format == "svg":
        check_figures(confusion=options["confusion"], error_types=options["error_types"])

    scores = _score(files, told, metrics or told.metrics, options, format)
    if testing is not None:
        scores = _assessed(scores, testing)
    against = _against(scores, earlier[0], options) if earlier else None

    shown = {name: options[name] for name in ("labels", "confusion", "error_types", "parts")}
    emit(render(scores, format, against=against, **shown, **look(output)), format, output)
    check_gates(scores, wanted)


def _study(files: tuple[str, ...], path: str | None) -> StudyFile:
    told = find_study(files, path, "score", "scored")
    if len(files) == 1:
        raise UsageError(
            f"there is no system to score against '{files[0]}'",
            help="the gold standard comes first, then one or more systems",
        )
    return told


def _score(
    files: tuple[str, ...],
    told: StudyFile,
    metrics: tuple[str, ...],
    options: dict[str, Any],
    format: str,
) -> Scores:
    start_lightly()
    from tertium.significance.score import score as score_all

    # Figures per label are made only where they are shown: they cost time on large data.
    labels: bool | Literal["single"] = options["labels"] or options["parts"]
    if not labels and format in ("json", "csv"):
        labels = "single"
    with progress_bar("files") as progress:
        return score_all(
            *told.data(files),
            metric=metrics or None,
            **reading_arguments(options),
            by=options.get("by"),
            lexicon=options.get("lexicon"),
            labels=labels,
            confusion=options["confusion"] or options["error_types"],
            progress=progress,
        )


def _assessed(scores: Scores, testing: Testing) -> Scores:
    from dataclasses import replace

    from tertium.significance.assessing import assess

    return replace(scores, assessment=assess(scores, testing))


def _against(scores: Scores, earlier: Any, options: dict[str, Any]) -> Against:
    from tertium.report.against import changes

    return changes(scores, earlier, options["against"])
