"""`tertium compare`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.command import only_one
from tertium.cli.memory import start_lightly
from tertium.cli.output import emit, figure_options, format_of, look
from tertium.cli.progress import progress_bar
from tertium.cli.reading import DEFAULTS as READING
from tertium.cli.reading import reading_arguments, reading_options
from tertium.cli.study import NAME, StudyFile, find_study
from tertium.cli.testing import USUAL, asked_testing, significance_options
from tertium.exceptions import UsageError
from tertium.options import Verb, options_of
from tertium.report.render import render
from tertium.results.assessment import Testing
from tertium.study.study import Study, Way

if TYPE_CHECKING:
    from tertium.comparison.compare.result import Comparison
    from tertium.results.assessment import Testing

_VERB = Verb("compare", print, "", arguments="GOLD A B...", options=(Study, Testing, Way))


class _Command(click.Command):
    """`--fail-if-worse` may have a value or none, and takes no file for one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        from tertium.comparison.compare.gates import with_values

        return super().parse_args(ctx, with_values(args))


@click.command(cls=_Command, short_help="Show what changed between systems.")
@click.argument("files", nargs=-1, metavar="GOLD A B...")
@click.option(
    "--metric", "metrics", multiple=True, metavar="ID",
    help="A metric that judges single items, such as {LAS}; repeatable. By default accuracy of "
    "tags, LAS of trees and fair F1 of spans.",
)  # fmt: skip
@click.option(
    "--gold", "golds", multiple=True, metavar="FILE",
    help="A further gold standard of the same text, such as another annotator's; repeatable. Every "
    "score is then given against each, with minimum, mean and maximum.",
)  # fmt: skip
@click.option(
    "--pair", "pairs", multiple=True, metavar="A:B",
    help="Show this pair in full; repeatable. By default the two best systems.",
)  # fmt: skip
@click.option(
    "--transitions", type=click.Choice(["auto", "labels", "types", "both"]), default="auto",
    help="What is told of an answer that changed: its label, its error type, or both. By default "
    "types of spans and of heads alone, labels of all else.",
)  # fmt: skip
@click.option(
    "--table", "tables", multiple=True, metavar="NAME",
    help="Show this alone: scores, significance, golds, differences, transitions, labels, "
    "examples, bounds, solvers, ensembles or groups; repeatable.",
)  # fmt: skip
@click.option(
    "--sort", type=click.Choice(["frequency", "difference"]),
    help="Order of labels. By default differences of a pair come by size, upper bounds by "
    "frequency.",
)  # fmt: skip
@click.option(
    "--limit", type=click.IntRange(min=0), metavar="N",
    help="Rows of a table, 0 for all. By default 5 transitions of each class, 10 labels and 30 "
    "tests.",
)  # fmt: skip
@click.option(
    "--examples", type=click.IntRange(min=0), metavar="N",
    help="Show the first N of each class in their sentences, 0 for all.",
)  # fmt: skip
@click.option(
    "--ensembles", is_flag=True,
    help="Let the systems vote, and score the vote beside the upper bound.",
)  # fmt: skip
@click.option(
    "--weights-from", metavar="JSON",
    help="Weigh votes by the scores of the systems on other data, from the JSON output of 'tertium "
    "score' there. By default weights are cross-fitted by document.",
)  # fmt: skip
@click.option(
    "--write-ensembles", "folder", metavar="FOLDER", help="Write the votes there as files."
)
@click.option(
    "--report", metavar="FILE",
    help="Also write an interactive page with every example, which needs nothing from outside.",
)  # fmt: skip
@click.option(
    "--by", metavar="KEY", multiple=True, callback=only_one,
    help="Also compare inside groups, as 'tertium score --by' makes them.",
)  # fmt: skip
@click.option("--lexicon", metavar="FILE", help="Training data: score known and unknown apart.")
@click.option(
    "--fail-if-worse", "worse", multiple=True, metavar="[METRIC]",
    help="Exit with 1 if the last system is below the first in this metric, or in any that is "
    "compared; repeatable.",
)  # fmt: skip
@click.option(
    "--significant", is_flag=True,
    help="With --fail-if-worse: only if the difference is significant, p < alpha, by itself.",
)  # fmt: skip
@click.option(
    "--max-new-errors", "most_new", type=click.IntRange(min=0), metavar="N",
    help="Exit with 1, listing them, if the last system makes more than N errors that the first "
    "does not make.",
)  # fmt: skip
@significance_options(
    switch="Confidence intervals and tests of all differences are shown unless left out.",
    seed="Seed of resamples, and of the sample of examples in a report with more than 20 MB of "
    "them.",
)
@reading_options()
@click.option(
    "--study", metavar="TOML",
    help=f"Take data, metrics and options of reading from a file. {NAME} is used by itself where "
    "no GOLD is given.",
)  # fmt: skip
@figure_options
def compare(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    pairs: tuple[str, ...],
    worse: tuple[str, ...],
    significant: bool,
    most_new: int | None,
    folder: str | None,
    report: str | None,
    study: str | None,
    format: str | None,
    output: str | None,
    **given: Any,
) -> None:
    """Show what changed between systems: corrections, new errors, changed errors, and what all of
    them could reach together.

    GOLD and the systems A, B, ... are given as to 'tertium score', in the order in which they were
    made: changes are told from the earlier to the later. Differences of scores are tested.

    \b
    tertium compare gold.conllu old.conllu new.conllu
    tertium compare gold.conllu a.conllu b.conllu c.conllu --metric {LAS}
    tertium compare gold.bio old.bio new.bio --examples 3 --report changes.html
    tertium compare gold.bio old.bio new.bio --fail-if-worse --significant
    tertium compare gold.bio old.bio new.bio --max-new-errors 20
    """
    from tertium.comparison.compare.gates import check, check_metrics, check_significant

    told = _study(files, study)
    format = format_of(format, output, figures=True)
    _check_targets(report, output, files)
    # Tests inside groups take long where there are many: they are made if somebody asks.
    usual = replace(USUAL, groups=False)
    testing = asked_testing(given, told.significance, usual=usual, tests=("mcnemar",))
    check_metrics(worse)
    check_significant(worse, testing, significant=significant)
    start_lightly()
    from tertium.comparison.compare.look import Choice

    Choice(tables=given.get("tables") or ())  # refuses a name that there is not
    given = {k: v for k, v in given.items() if v not in (None, ())}
    tests = options_of(Testing)
    shared = {k: v for k, v in told.fill(_VERB, {}).items() if k not in ("metric", *tests)}
    if "with_files" in shared:
        shared["with"] = shared.pop("with_files")
    options = {**READING, **shared, **given}
    wants_sentences = "examples" in options or most_new is not None or report is not None
    options["ensembles"] = options.get("ensembles", False) or folder is not None
    found = _compare(
        files, told, metrics or told.metrics, options, testing, examples=wants_sentences
    )
    if folder is not None:
        _write_ensembles(found, folder)
    shown: dict[str, Any] = {name: options.get(name) for name in ("sort", "limit", "examples")}
    shown["tables"] = options.get("tables", ())
    page = render(found, format, pairs=_pairs(pairs, found), **shown, **look(output))
    if report is not None:
        _write_report(found, report, testing.seed if testing else options.get("seed") or 0)
    emit(page, format, output)
    check(found, worse, most_new, significant=significant)


def _write_ensembles(found: Comparison, folder: str) -> None:
    from tertium.cli.notes import note

    for vote in found.ensembles:
        note(f"{vote.name} vote: {', '.join(vote.write(folder))}")


def _write_report(found: Comparison, path: str, seed: int) -> None:
    from tertium.cli.notes import note
    from tertium.comparison.compare.page import report

    emit(report(found, seed=seed), "html", path)
    note(f"report: {path}")


def _check_targets(report: str | None, output: str | None, files: tuple[str, ...]) -> None:
    """Refuse to write the page where the result goes, or over a file that is compared."""
    if report is None:
        return
    target = Path(report).resolve()
    same = output not in (None, "-") and target == Path(str(output)).resolve()
    if same or report == (output or "-"):
        raise UsageError(
            "'--report' and the result would be written to the same place",
            help="'--output' names another file for the result",
        )
    named = {Path(text).resolve() for file in files for text in (file, file.partition("=")[2])}
    if target.is_file() and target in named:
        raise UsageError(f"'{report}' is one of the files compared: the report would replace it")


def _study(files: tuple[str, ...], path: str | None) -> StudyFile:
    from tertium.study.sides import count_of

    told = find_study(files, path, _VERB)
    systems = files[1:] if files else tuple(told.data(files, _VERB)[1:])
    if len(systems) < 2 and count_of(systems) < 2:
        raise UsageError(
            "there must be two systems or more to compare",
            help="the gold standard comes first, then the systems; 'tertium score' scores one",
        )
    return told


def _compare(
    files: tuple[str, ...],
    told: StudyFile,
    metrics: tuple[str, ...],
    options: dict[str, Any],
    testing: Testing | None,
    *,
    examples: bool,
) -> Comparison:
    from tertium.comparison.compare.verb import compare as compare_all

    with progress_bar("files") as progress:
        return compare_all(
            *told.data(files, _VERB),
            metric=metrics or None,
            transitions=options["transitions"],
            **reading_arguments(options),
            by=options.get("by"),
            lexicon=options.get("lexicon"),
            ensembles=options["ensembles"],
            weights_from=options.get("weights_from"),
            golds=options.get("golds", ()),
            examples=examples,
            significance=testing or False,
            progress=progress,
        )


def _pairs(texts: tuple[str, ...], found: Comparison) -> list[tuple[str, str]]:
    """Pairs by names, which may be as short as tables show them."""
    from tertium.comparison.compare.views import short_names
    from tertium.comparison.compare.look import named_pair

    full = {short: name for name, short in short_names(found.systems).items()}
    full |= {name: name for name in found.systems}
    chosen = [named_pair(text, [*full]) for text in texts]
    return list(dict.fromkeys((full[a], full[b]) for a, b in chosen))
