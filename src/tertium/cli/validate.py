"""`tertium validate`."""

from __future__ import annotations

import click

from tertium.cli.output import emit, format_of, look, output_options
from tertium.exceptions import InputError

BAD_INPUT = 3


@click.command(short_help="List every problem of annotated files.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--input-format", metavar="FORMAT", help="The files' format.")
@click.option("--columns", metavar="ROLES", help="Roles of columns: form=0,upos=1,ner=-1.")
@output_options
@click.pass_context
def validate(
    ctx: click.Context,
    files: tuple[str, ...],
    input_format: str | None,
    columns: str | None,
    format: str | None,
    output: str | None,
) -> None:
    """List every problem of annotated files, with line and sentence.

    FILE is a file, a folder, a glob in quotes, or - for standard input. Errors break the format's
    rules; notes say what is unusual but was read. Exit code 3 if there is any error.
    """
    from tertium._version import __version__
    from tertium.exceptions import Problem
    from tertium.formats.files import named
    from tertium.formats.sources import resolve
    from tertium.formats.validate import Validation, check_file

    format = format_of(format, output)
    chosen = named(input_format, columns)
    checked = []
    for text in files:
        try:
            paths = resolve(text).files
        except InputError as error:
            checked.append(Validation(text, None, (Problem(error.message, kind="file"),)))
            continue
        checked += [check_file(path, format=chosen) for path in paths]

    if format == "json":
        from tertium.report.render.json import dump

        entries = [c.to_dict() for c in checked]
        emit(dump({"tertium": __version__, "files": entries}), format, output)
    else:
        from tertium.report.render import render_blocks
        from tertium.report.sections.validate import build, build_lines

        blocks = build_lines(checked) if format == "text" else build(checked)
        emit(render_blocks(blocks, format, title="Problems", **look(output)), format, output)
    if any(c.errors for c in checked):
        ctx.exit(BAD_INPUT)
