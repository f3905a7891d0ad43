"""`tertium demo`."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
from importlib import resources
from pathlib import Path

import click

from tertium.registry import with_examples

WIDTH = 78  # of a command that is shown
REPORT = "tertium-demo.html"
COMMANDS = (
    (
        "Three parsers against a gold standard: scores, significance, and a report.",
        "compare gold.conllu arbor.conllu breeze.conllu cedar.conllu --metric {LAS} "
        f"--table scores --report {REPORT}",
    ),
    (
        "An error of a named entity recogniser in its sentence.",
        "errors entities-gold.bio entities-arbor.bio --type LBE --limit 1",
    ),
)


@click.command(short_help="Score and compare the samples that come with Tertium.")
@click.option("--quiet", "-q", is_flag=True, help="Print no notes and no progress to stderr.")
def demo(quiet: bool) -> None:
    """Score and compare the sample corpora that come with Tertium, showing each command.

    The texts and the systems' outputs were written for demonstration. An interactive report,
    tertium-demo.html, is written to the current folder.
    """
    report = _place_of_report()
    folder = Path(str(resources.files("tertium") / "samples"))
    click.echo(f"Samples: {folder}\n")
    with contextlib.chdir(folder):
        for title, template in COMMANDS:
            command = with_examples(template)
            click.echo(f"# {title}")
            click.echo("\n".join(_wrapped(f"$ tertium {command}")) + "\n")
            sys.stdout.flush()
            words = [report if word == REPORT else word for word in command.split()]
            _run([*words, *["--quiet"] * quiet])
            click.echo()
    click.echo(f"Report: {report} (open it in a browser)")
    click.echo("Next: 'tertium score --help', 'tertium compare --help', 'tertium list metrics'")


def _place_of_report() -> str:
    """Where the user is or, if nothing can be written there, a folder for temporary files."""
    folder = Path.cwd()
    if not os.access(folder, os.W_OK):
        folder = Path(tempfile.mkdtemp(prefix="tertium-"))
    return str(folder / REPORT)


def _run(args: list[str]) -> None:
    from tertium.cli.main import tertium

    with tertium.make_context("tertium", args) as ctx:
        tertium.invoke(ctx)


def _wrapped(command: str) -> list[str]:
    """A command over several lines as a shell takes it; an option stays with its value."""
    lines = [""]
    for piece in re.split(r" (?=--)|(?<!--metric) (?!--)", command):
        if lines[-1] and len(f"{lines[-1]} {piece} \\") > WIDTH:
            lines[-1] += " \\"
            lines.append(f"    {piece}")
        else:
            lines[-1] += f" {piece}" if lines[-1] else piece
    return lines
