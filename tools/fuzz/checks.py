"""One case in this process: every command it runs keeps the promises of docs/reliability.md."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock
from xml.etree import ElementTree

from fuzz.cases import Case
from fuzz.laws import LAWS

SECONDS = 5.0  # of processor time, for a command
MEGABYTES = 400  # that a command may need beyond what was there before
CODES = (0, 1, 2, 3)
# Nothing a terminal or a reader of the page would act on. CSV keeps what was in the data.
CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
FORMULA = re.compile("[=+@\t\r-]")  # how a cell begins that a spreadsheet evaluates


@dataclass(frozen=True)
class Result:
    """What a command did."""

    code: int
    out: str
    err: str
    seconds: float
    megabytes: float


def findings(case: Case) -> list[str]:
    """What is wrong with a case; each begins with its kind and a colon."""
    found: list[str] = []
    with TemporaryDirectory(prefix="fuzz-") as outside:
        folder = Path(outside, "case")
        folder.mkdir()
        with contextlib.chdir(folder), mock.patch.dict(os.environ, {"HOME": outside}):
            for name, data in case.files.items():
                Path(name).write_bytes(data)

            def go(*args: str) -> Result:
                if args[0] == "score" and args != case.args:  # a law reads what it compares
                    args = (*args, "--format", "json")
                stdin = case.files[case.data[0]] if "-" in args[1:2] else b""
                result = run(args, stdin)
                broken = (*check(args, result), *_litter(case, outside, args, result))
                found.extend(f"{each} [tertium {' '.join(args)[:300]}]" for each in broken)
                return result

            found.extend(f"law: {each}" for each in LAWS[case.law](case, go))
    return found


def run(args: tuple[str, ...], stdin: bytes = b"") -> Result:
    """Call the command line as a shell would."""
    from tertium.cli.main import main

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    before = _memory("VmRSS", reset=True)
    start = time.process_time()
    with (
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8")),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        warnings.catch_warnings(record=True) as heard,
    ):
        warnings.simplefilter("always")
        code = main(list(args))
    seconds = time.process_time() - start
    said = err.buffer.getvalue().decode("utf-8", "replace")
    said += "".join(f"Warning: {w.message}\n" for w in heard if "tertium" in w.filename)
    text = out.buffer.getvalue().decode("utf-8", "replace")
    return Result(code, text, said, seconds, _memory("VmHWM") - before)


def check(args: tuple[str, ...], result: Result) -> Iterator[str]:
    """What holds for every command."""
    if result.code not in CODES:
        yield f"exit: code {result.code}: {result.err[-400:]}"
    if "Traceback" in result.err or "Warning: " in result.err:
        yield f"trace: {result.err[-400:]}"
    if result.code in (2, 3) and "error: " not in result.err and args[0] != "validate":
        yield f"silence: exit code {result.code} and no message"
    # These two print what they find while they read.
    if result.code in (2, 3) and result.out and args[0] not in ("validate", "errors"):
        yield f"output: exit code {result.code} and output: {result.out[:200]}"
    if "with errors" in result.err and not result.out and "--output" not in args:
        yield "silence: there are errors, and none is listed"
    if result.seconds > SECONDS:
        yield f"time: {result.seconds:.1f} s"
    if result.megabytes > MEGABYTES:
        yield f"memory: {result.megabytes:.0f} MB"
    if result.code in (0, 1) and result.out:
        yield from _form(args, result.out)
    if CONTROL.search(result.err):
        yield f"control: {result.err[:300]!r} on stderr"


def _form(args: tuple[str, ...], out: str) -> Iterator[str]:
    """Is the output what its format promises?"""
    format = args[args.index("--format") + 1] if "--format" in args else "text"
    try:
        if format == "json":
            lines = out.splitlines() if args[0] == "errors" else [out]
            for line in lines:
                json.loads(line, parse_constant=_refuse)
        elif format == "svg":
            ElementTree.fromstring(out)
        elif format == "csv" and "--safe-csv" in args:
            for row in csv.reader(io.StringIO(out, newline="")):
                for cell in row:
                    if CONTROL.search(cell) or (FORMULA.match(cell) and not _is_number(cell)):
                        raise ValueError(f"{cell[:100]!r} is not safe")
    except (ValueError, ElementTree.ParseError) as error:
        yield f"form: {format} output: {error}"
    if args[0] != "convert" and format != "csv" and (hit := CONTROL.search(out)):
        yield f"control: {out[max(0, hit.start() - 40) : hit.end() + 20]!r} as {format}"


def _is_number(text: str) -> bool:
    with contextlib.suppress(ValueError):
        return float(text) is not None
    return False


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _litter(case: Case, outside: str, args: tuple[str, ...], result: Result) -> Iterator[str]:
    """Nothing is left but what was asked for; nothing that is read is changed."""
    for path in (*Path().rglob("*"), *Path(outside).iterdir()):
        name = str(path)
        if not name.startswith("out") and name not in (*case.files, f"{outside}/case"):
            yield f"litter: {name}"
    for name, data in case.files.items():
        if Path(name).read_bytes() != data:
            yield f"litter: {name} was changed"
    if case.law == "plain" and result.code in (2, 3) and args[0] != "validate":
        for path in Path().glob("out*"):
            yield f"litter: {path} was written with exit code {result.code}"


def _memory(what: str, *, reset: bool = False) -> float:
    """Megabytes in use, or at most since the last reset; 0 where the system does not say."""
    try:
        if reset:
            Path("/proc/self/clear_refs").write_text("5")
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0.0
    return int(re.findall(rf"{what}:\s*(\d+)", status)[0]) / 1024
