"""A verb as a command: its options from the fields that it declares, one call, one result."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from inspect import cleandoc
from typing import Any

import click

from tertium._progress import announce
from tertium.cli.completion import completions
from tertium.cli.notes import is_quiet, note, quiet
from tertium.cli.output import (
    emit,
    emit_figures,
    figure_files,
    format_of,
    is_file,
    terminal,
    writing_to,
)
from tertium.cli.progress import progress_bar
from tertium.cli.shell import shell_options
from tertium.cli.study import find_study
from tertium.exceptions import GateError, InputError, UsageError, Verdict
from tertium.formats.sources import remember_inputs
from tertium.formats.targets import protect
from tertium.options import GENERAL, GROUPS, Option, Verb, options_of, take
from tertium.report.render.conversion import CONVERTED, converter


def command(verb: Verb, summary: str) -> click.Command:
    """The command of a verb; `summary` is its line in the list of verbs."""
    params: list[click.Parameter] = []
    if verb.arguments:
        params.append(
            click.Argument(
                ["files"], nargs=-1, metavar=verb.arguments, shell_complete=completions(verb)
            )
        )
    params += [parameter(each) for each in help_order(verb)]
    return VerbCommand(
        verb.name,
        params=params,
        callback=partial(run, verb),
        help=cleandoc(verb.text),
        short_help=summary,
    )


def help_order(verb: Verb) -> list[Option]:
    """All options of a verb's command, group by group."""
    found = {**verb.declared(), **shell_options(verb)}
    if verb.prints and verb.look is None:
        from tertium.results.output import Look

        found |= {name: options_of(Look)[name] for name in ("title", "safe_csv")}
    first = ("metric", "format", "output")
    return sorted(found.values(), key=lambda o: (GROUPS.index(o.group), o.name not in first))


class VerbCommand(click.Command):
    """A command whose help lists options in groups, and of which some options may have a value or
    none."""

    @property
    def verb(self) -> Verb:
        """What it calls."""
        found: Verb = self.callback.args[0]  # type: ignore[union-attr]
        return found

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options of every group under its heading; `--help` is among the general ones."""
        of_option = {each.name: each.group for each in help_order(self.verb)}
        groups: dict[str, list[tuple[str, str]]] = {name: [] for name in GROUPS}
        for each in self.get_params(ctx):
            line = each.get_help_record(ctx)
            if line is not None and isinstance(each, click.Option):
                groups[of_option.get(each.name or "", GENERAL)].append(line)
        for name, lines in groups.items():
            if lines:
                with formatter.section(name):
                    formatter.write_dl(lines)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does it. An option without a value gets an empty one, so that it does not take a
        file for it."""
        declared = self.verb.declared().values()
        lenient = {each.flag: each.is_value for each in declared if each.is_value is not None}
        return super().parse_args(ctx, with_values(args, lenient))


def with_values(args: Sequence[str], lenient: Mapping[str, Callable[[str], bool]]) -> list[str]:
    """Arguments in which every lenient option has its value attached: the next argument if that is
    one, else nothing.

    >>> with_values(["--gate", "gold", "--gate", "LAS", "a"], {"--gate": str.isupper})
    ['--gate=', 'gold', '--gate=LAS', 'a']
    """
    found: list[str] = []
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        if arg == "--":
            return [*found, arg, *rest]
        if arg in lenient:
            arg = f"{arg}={rest.pop(0) if rest and lenient[arg](rest[0]) else ''}"
        found.append(arg)
    return found


def parameter(each: Option) -> click.Option:
    """An option of the command line. What is not given is None or empty; one that has a single
    value is refused if it is given twice, since the last would win without a word."""
    names = [each.flag, *([each.short] if each.short else []), each.name]
    if each.kind is bool:
        return Switch(names, is_flag=True, default=None, help=each.help)
    kind: Any = each.kind
    if each.choices:
        kind = click.Choice(each.choices)
    elif each.least is not None or each.most is not None:
        ranged: Any = click.IntRange if kind is int else click.FloatRange
        kind = ranged(min=each.least, max=each.most)
    return click.Option(
        names,
        type=kind,
        multiple=True,
        callback=None if each.many else only_one,
        metavar=each.metavar or None,
        help=each.help,
        shell_complete=None if each.choices else completions(each),
    )


class Switch(click.Option):
    """An option without a value. Click lets the last of `--x --no-x` win; here they contradict each
    other."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """As click does it, with all that was given instead of the last."""
        for names, value in ((self.opts, True), (self.secondary_opts, False)):
            if names:
                parser.add_option(
                    obj=self, opts=names, dest=self.name, action="append_const", const=value
                )

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """The one value of all that were given."""
        found = {*value} if isinstance(value, list) else {value}
        if len(found) > 1:
            raise UsageError(
                f"'{self.opts[0]}' and '{self.secondary_opts[0]}' contradict each other",
                help="leave one of them out",
            )
        return found.pop()


def only_one(context: click.Context, option: click.Parameter, value: Sequence[Any]) -> Any:
    """The one value of an option, None if there is none."""
    if len(value) > 1:
        raise UsageError(
            f"{option.opts[0]} is given {len(value)} times: {', '.join(map(str, value))}",
            help="give it once",
        )
    return value[0] if value else None


def run(verb: Verb, /, files: tuple[str, ...] = (), **given: Any) -> None:
    """Call a verb with what stands on the command line, which wins over a study file, which wins
    over defaults; print what it gives."""
    given = {name: value for name, value in given.items() if value not in (None, ())}
    asked = dict(given)
    data: tuple[Any, ...] = files
    if "gold" not in verb.declared():
        data = _sides(verb, files, given.pop("gold", ()))
    guard = None
    if verb.study and (data or verb.stands_in not in given or "study" in given):
        told = find_study(data, given.pop("study", None), verb)
        given = told.fill(verb, given)
        data = told.data(data, verb)
        guard = told.guard(verb, asked, given)
    with protect(guard), remember_inputs(), quiet(given.pop("quiet", False)):
        _run(verb, files, data, asked, given)


def _sides(verb: Verb, files: tuple[str, ...], golds: Sequence[str]) -> tuple[Any, ...]:
    """Gold and systems as the verb takes them; all files are systems if `--gold` names gold."""
    if not golds:
        return files
    from tertium.study.theories import FORM, gold_sides

    renamed = [each for each in verb.declared().values() if each.once == "--gold"]
    help = f"'--gold' of earlier versions is now '{renamed[0].flag}'" if renamed else None
    found = gold_sides(golds, help)
    if not files and "[SYSTEM" not in verb.arguments:
        raise UsageError(f"there is no system to score; give {FORM}")
    return found, *files


def _run(
    verb: Verb,
    files: tuple[str, ...],
    data: tuple[Any, ...],
    asked: dict[str, Any],
    given: dict[str, Any],
) -> None:
    """The same with what a study file says filled in."""
    for name, instead in verb.instead.items():
        if given.pop(name, False):
            asked.pop(name, None)
            # It reads the study file by itself, and refuses what it does not take.
            other = find(instead)
            not_its = {k: v for k, v in given.items() if k not in other.declared()}
            run(other, files, **{**not_its, **asked})
            return
    if verb.check is not None:
        verb.check(data)
    output = given.pop("output", None)
    junit = given.pop("junit", None) if verb.checks else None
    annotate = given.pop("annotate", None) if verb.checks else None
    format = format_of(
        given.pop("format", None), output, further=verb.suffixes, figures=verb.figures
    )
    from tertium.results.output import Look

    kind = verb.look or Look
    if format in CONVERTED:
        converter(format)  # refuses, before anything is computed, what cannot be written
    drawn = "svg" if format in CONVERTED else format
    look = kind(format=drawn, **take(kind, given), **terminal(output))
    if verb.study or verb.checks or verb.also_reads:
        named = {"--report": getattr(look, "report", None), "--output": output, "--junit": junit}
        named |= {
            option.flag: given[name]
            for name, option in verb.declared().items()
            if option.path == "written" and name in given
        }
        further = verb.also_reads(given) if verb.also_reads else ()
        check_targets(named, (*data, *further), verb)
    if verb.prepare is not None:
        given = verb.prepare(given, look)
    found = _written(verb, data, given, look, output, format)
    for text in found.notices(look):
        note(text)
    if verb.checks:
        _announce(verb, found.verdicts(), junit, annotate)
    found.check()


def _written(
    verb: Verb,
    data: Sequence[Any],
    given: dict[str, Any],
    look: Any,
    output: str | None,
    format: str,
) -> Any:
    """The result, printed or written: as a whole or, of a list, while it is found. Figures are
    drawn as SVG and converted if the `format` is different."""
    from tertium.report.render import show, show_figures
    from tertium.report.render.data import STREAMED, stream

    # Text opens with a sentence about the whole, unless it is too long to be kept.
    is_long = not look.is_text or getattr(look, "all", False)
    is_streamed = verb.stream is not None and look.format in STREAMED and is_long
    # A bar would be drawn into the midst of what is printed.
    is_drawn_over = is_streamed and output in (None, "-") and sys.stdout.isatty()
    has_bar = not (is_drawn_over or is_quiet())
    with progress_bar("files") if has_bar else nullcontext() as progress:
        if has_bar and any("progress" in options_of(each) for each in verb.options):
            given = {**given, "progress": progress}
        if any("notice" in options_of(each) for each in verb.options):
            given = {**given, "notice": note}
        if verb.stream is None or not is_streamed:
            found = verb.call(*data, **given)
            # Said below; only a gate that names no score comes before output.
            with suppress(GateError, InputError):
                found.check()
        else:
            records = verb.stream(*data, **given)
            with writing_to(output, look.format) as write:
                for piece in stream(records, look):
                    write(piece)
            return records.result
        figures = show_figures(found, look) if look.format == "svg" and is_file(output) else {}
        text = show(found, look) if verb.prints and not figures else ""
        report = getattr(look, "report", None)
        if report is not None:
            from tertium.report.page import page_of, render_page

            announce("writing the report")
            emit(render_page(page_of(found, look)), "html", report)
            note(f"report: {report}")
    if figures and output:
        for target in figure_files(figures, output) if verb.study or verb.checks else ():
            check_targets({"--output": target}, data, verb)
        written = emit_figures(figures, format, output)
        if len(written) > 1:
            note(f"figures: {', '.join(written)}")
    elif verb.prints:
        emit(text, format, output)
    return found


def _announce(
    verb: Verb, verdicts: Sequence[Verdict], junit: str | None, annotate: str | None
) -> None:
    """Pass on what was found about every check, as it was asked for; what failed is an error and
    is printed last."""
    from tertium.report import checks
    from tertium.results.texts import visible

    if junit is not None:
        emit(checks.junit(verdicts, verb.name), "junit", junit)
    if annotate is not None:
        for line in checks.github(verdicts, verb.name):
            click.echo(visible(line), err=True)
    gates = [each for each in verdicts if not each.file]
    if gates and not any(each.offence for each in gates):
        many = "both" if len(gates) == 2 else f"all {len(gates):,}"
        note("the gate is met" if len(gates) == 1 else f"{many} gates are met")


def check_targets(named: Mapping[str, str | None], data: Sequence[Any], verb: Verb) -> None:
    """Refuse to write two things to the same place, or anything over a file that is read; `named`
    are files by the options that name them."""
    given = {option: path for option, path in named.items() if path is not None}
    targets: dict[str, str] = {}  # by where they really are
    for option, path in {"--output": "-", **given}.items():
        what = "the result" if option == "--output" else f"'{option}'"
        if _place(path) in targets:
            raise UsageError(
                f"{what} and {targets[_place(path)]} would be written to the same file",
                help="choose a different file with '--output'",
            )
        targets[_place(path)] = what
    there = [path for path in given.values() if os.path.isfile(path)]
    if not there:
        return
    from tertium.study.sides import files_of
    from tertium.study.theories import is_across, theory_files

    sides = data[: verb.has_gold], data[verb.has_gold :]
    if sides[0] and is_across(data[0]):
        sides = theory_files(data[0], data[1:])
    read = {*map(os.path.realpath, files_of(*sides))}
    for target in there:
        if _place(target) in read:
            what = targets[_place(target)]
            raise UsageError(f"'{target}' is one of the files compared: {what} would replace it")


def _place(path: str) -> str:
    """Where a file really is; what cannot be a name is refused when it is opened."""
    return path if path == "-" or "\0" in path else os.path.realpath(path)


def find(name: str) -> Verb:
    """A verb by its name."""
    from tertium.cli.main import load

    found = load(name)
    assert isinstance(found, Verb)
    return found
