"""Where results go: stdout or a file, written whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from tertium.exceptions import UsageError
from tertium.formats.targets import check_target, replacing
from tertium.report.render import FORMATS, check_format
from tertium.report.render.conversion import CONVERTED, converted
from tertium.results.texts import FILLS

SUFFIXES = {
    ".json": "json",
    ".csv": "csv",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".svg": "svg",
    ".pdf": "pdf",
    ".png": "png",
}
TEXT_SUFFIXES = ("", ".txt", ".log", ".out")
PICTURES = ("svg", *CONVERTED)
TABLES = tuple(format for format in FORMATS if format not in PICTURES)
ALL_FORMATS = (*FORMATS, *CONVERTED)


def format_of(
    format: str | None,
    output: str | None,
    *,
    further: Mapping[str, str] | None = None,
    figures: bool = False,
) -> str:
    """The requested format, or that of the output file's suffix, or text.

    `further` are suffixes of the verb and their formats. An unknown suffix is an error, and so is a
    picture of what has no figures.
    """
    suffix = Path(output or "").suffix.lower()
    suffixes = {**SUFFIXES, **dict.fromkeys(TEXT_SUFFIXES, "text"), **(further or {})}
    if format:
        found = format if format in CONVERTED else check_format(format)
    elif suffix in suffixes:
        found = suffixes[suffix]
    else:
        known = [s for s, name in suffixes.items() if s and (figures or name in TABLES)]
        raise UsageError(
            f"cannot infer a format from '{output}'; use '--format'",
            help=f"formats: {', '.join(ALL_FORMATS if figures else TABLES)}; "
            f"known endings: {', '.join(known)}",
        )
    if found in PICTURES and not figures:
        raise UsageError(
            f"there is no figure to write as {found.upper()}",
            help=f"formats here: {', '.join(TABLES)}; "
            "'tertium score --confusion' and 'tertium score --error-types' draw figures, "
            "'tertium draw' trees",
        )
    return found


def terminal(output: str | None) -> dict[str, Any]:
    """How text may look where it goes. NO_COLOR is respected (no-color.org)."""
    if is_file(output):
        return {"width": 80, "color": False, "ascii": False}
    terminal = sys.stdout.isatty()
    color = terminal and os.environ.get("TERM") != "dumb"
    if os.environ.get("FORCE_COLOR"):
        color = True
    if os.environ.get("NO_COLOR"):
        color = False
    return {
        "width": max(shutil.get_terminal_size((80, 24)).columns, 40),
        "color": color,
        "ascii": not _can_encode(f"─•◦–·¹→▲▼◆{FILLS}"),
    }


def _can_encode(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def is_file(output: str | None) -> bool:
    """Is the output a file, rather than stdout?"""
    return output not in (None, "-")


def emit(text: str, format: str, output: str | None) -> None:
    """Print or write a result as a whole; PDF and PNG are only printed, `emit_figures` writes
    them."""
    if format in CONVERTED:
        if sys.stdout.isatty():
            raise UsageError(f"{format.upper()} is not text", help="name a file with '--output'")
        sys.stdout.buffer.write(converted(text, format))
        sys.stdout.buffer.flush()
        return
    with writing_to(output, format) as write:
        write(text)


def figure_files(figures: Iterable[str], output: str) -> list[str]:
    """The files of figures, by what tells these apart."""
    path = Path(output)
    return [
        str(path.with_name(f"{path.stem}-{name}{path.suffix}")) if name else output
        for name in figures
    ]


def emit_figures(figures: Mapping[str, str], format: str, output: str) -> list[str]:
    """Write figures, drawn as SVG and by what tells them apart, to a file each; the names of the
    files. All are checked before the first is written."""
    files = figure_files(figures, output)
    for target in files:
        check_target(target)
    for target, text in zip(files, figures.values(), strict=True):
        with replacing(target) as out:
            out.write(converted(text, format))
    return files


@contextmanager
def writing_to(output: str | None, format: str) -> Iterator[Callable[[str], None]]:
    """A function that prints or writes one piece after another. Everything but text for the screen
    is UTF-8.

    What an encoding cannot hold (bytes of a file name that are not UTF-8, say) is written as a
    backslash escape, which JSON reads back.
    """
    if output not in (None, "-"):
        assert output is not None
        with replacing(output) as out:
            yield lambda text: _put(out, text, "utf-8")
        return
    encoding = sys.stdout.encoding if format == "text" else "utf-8"
    sys.stdout.flush()
    yield lambda text: _put(sys.stdout.buffer, text, encoding or "utf-8")
    sys.stdout.buffer.flush()


def _put(out: BinaryIO, text: str, encoding: str) -> None:
    out.write(text.encode(encoding, "backslashreplace"))
