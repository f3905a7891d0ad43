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
        "Three parsers against a gold standard: tags and dependencies.",
        "score gold.conllu arbor.conllu breeze.conllu cedar.conllu "
        "--metric {TAGS} --metric {UAS} --metric {LAS}",
    ),
    (
        "The same by genre, for labelled attachment alone.",
        "score gold.conllu arbor.conllu breeze.conllu cedar.conllu --metric {LAS} --by genre",
    ),
    (
        "Three recognisers of entities, with a table per label.",
        "score entities-gold.bio entities-arbor.bio entities-breeze.bio entities-cedar.bio "
        "--labels",
    ),
    (
        "What is wrong with one of them: every annotation counts once.",
        "score entities-gold.bio entities-arbor.bio --metric {FAIR} --confusion --error-types",
    ),
    (
        "The errors themselves, in their sentences.",
        "errors entities-gold.bio entities-arbor.bio --type BE --type LBE --limit 4",
    ),
    (
        "What changed between the parsers, and what all of them could reach.",
        "compare gold.conllu arbor.conllu breeze.conllu cedar.conllu --metric {LAS} --limit 3 "
        f"--report {REPORT}",
    ),
    (
        "How easily would the difference between two of them go away?",
        "audit gold.conllu arbor.conllu breeze.conllu --metric {LAS} --by genre --limit 3",
    ),
)


@click.command(short_help="Score and compare the samples that come with Tertium.")
def demo() -> None:
    """Score and compare the sample corpora that come with Tertium, showing each command.

    The texts and the systems' outputs were written for demonstration. The report of the comparison,
    tertium-demo.html, goes to the folder you are in.
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
            _run([report if word == REPORT else word for word in command.split()])
            click.echo()
    click.echo(f"Open {REPORT} in a browser: it holds every item of the last comparison.")
    further = "Next: 'tertium score --help', 'tertium list metrics', 'tertium cite {LAS}'"
    click.echo(with_examples(further))


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
