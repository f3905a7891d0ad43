"""`tertium convert`."""

from __future__ import annotations

import io
from contextlib import nullcontext

import click

from tertium.exceptions import UsageError


@click.command(short_help="Write a file in another format.")
@click.argument("source", metavar="INPUT")
@click.argument("target", metavar="OUTPUT")
@click.option("--to", metavar="FORMAT", help="Format to write; by default what OUTPUT's name says.")
@click.option("--input-format", metavar="FORMAT", help="Format of INPUT.")
@click.option("--columns", metavar="ROLES", help="INPUT's columns: form=0,upos=1,ner=-1.")
@click.option(
    "--on-error", type=click.Choice(["fail", "skip", "repair"]), default="fail",
    help="What happens to bad sentences.",
)  # fmt: skip
def convert(
    source: str,
    target: str,
    to: str | None,
    input_format: str | None,
    columns: str | None,
    on_error: str,
) -> None:
    """Write a file in another format.

    INPUT and OUTPUT may be - for standard input and output; .gz and .zst work on both sides. What
    the new format cannot hold is said on stderr. OUTPUT is written whole or not at all.

    \b
    tertium convert a.conllu a.tsv --to columns
    """
    from tertium.cli.notes import note
    from tertium.cli.output import replacing
    from tertium.formats.convert import by_suffix, column_hint, left_out
    from tertium.formats.files import make, named, read_file
    from tertium.formats.sources import open_output, resolve
    from tertium.results.texts import counted

    writer = make(to or by_suffix(target))
    files = resolve(source, name=source).files
    if len(files) > 1:
        raise UsageError(f"'{source}' is {len(files):,} files; convert takes one at a time")
    format = named(input_format, columns)
    corpus = read_file(files[0], format=format, on_error=on_error, checks=frozenset())
    written = io.BytesIO()
    writer.write(corpus, written)
    with nullcontext("-") if target == "-" else replacing(target) as path, open_output(path) as out:
        out.write(written.getvalue())
    left = left_out(corpus, writer, written)
    if left:
        way = column_hint(corpus, writer, left) if columns is None else ""
        note(f"{writer.id} does not hold {', '.join(left)}: not written{way}")
    if writer.lossy:
        note(f"{writer.id} leaves out: {writer.lossy}")
    if corpus.skipped is not None and corpus.skipped.any():
        skipped = int(corpus.skipped.sum())
        note(f"{counted(skipped, 'bad sentence')} {_were(skipped)} skipped")
    if corpus.repaired:
        note(f"{counted(corpus.repaired, 'place')} {_were(corpus.repaired)} repaired")


def _were(count: int) -> str:
    return "was" if count == 1 else "were"
