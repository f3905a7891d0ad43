"""Run cases for some minutes, write failures to a folder and say what was tried."""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from itertools import chain, count, islice
from pathlib import Path

from fuzz.cases import Case, case_of
from fuzz.shapes import shapes
from fuzz.smaller import smaller
from fuzz.workers import worker


def main() -> int:
    """0 if nothing was found, 1 if something was."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--cases", type=int, help="stop after so many")
    parser.add_argument("--first", type=int, help="seed of the first case, random if not given")
    parser.add_argument("--folder", type=Path, default=Path(".cache/fuzz"), help="for failures")
    parser.add_argument("--most", type=int, default=10, help="stop after so many failures")
    parser.add_argument("--again", type=Path, help="run a case from its folder")
    options = parser.parse_args()
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    with worker() as process:
        if options.again:
            found = process.findings(load(options.again))
            print(*(found or ["nothing was found"]), sep="\n")
            return bool(found)
        first = random.randrange(10**9) if options.first is None else options.first
        seeds: Iterable[int] = islice(count(first), options.cases)
        end = time.monotonic() + 60 * options.minutes
        print(f"seeds from {first}, {options.minutes:g} minutes", flush=True)
        first_of_all = shapes() if options.first is None else {}
        told = time.monotonic() + 60
        tried: Counter[str] = Counter()
        failures: Counter[str] = Counter()
        for name, make in chain(first_of_all.items(), ((f"seed {s}", s) for s in seeds)):
            if time.monotonic() > end or len(failures) >= options.most:
                break
            crafted = not isinstance(make, int)
            case = make() if crafted else case_of(make)
            if time.monotonic() > told:
                told += 60
                print(f"{tried.total()} cases", flush=True)
            tried["crafted" if crafted else f"{case.args[0]} ({case.law})"] += 1
            found = process.findings(case)
            if not found:
                continue
            what = same(found[0])
            key = name if crafted else what
            failures[key] += 1
            if failures[key] == 1:
                print(f"{name}: {found[0]}", flush=True)
                if not crafted:  # that is as small as it can be
                    case = smaller(case, lambda c, w=what: w in map(same, process.findings(c)))
                report(case, found, options.folder / name.replace(" ", "-"))
    print(f"{tried.total()} cases:", ", ".join(f"{k} {n}" for k, n in sorted(tried.items())))
    print(f"{failures.total()} failures of {len(failures)} kinds")
    return bool(failures)


def same(finding: str) -> str:
    """What findings with one cause have in common: the kind, and where in the code it was."""
    kind = finding.partition(":")[0]
    place = finding.partition("bug in Tertium:")[2].partition("help:")[0]
    return f"{kind} {place.rpartition('(')[2]}" if place else finding[:60]


def report(case: Case, found: list[str], folder: Path) -> None:
    """Write a failing case down."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "files").mkdir(parents=True)
    for name, data in case.files.items():
        (folder / "files" / name).write_bytes(data)
    (folder / "case.json").write_text(json.dumps({**asdict(case), "files": [*case.files]}))
    (folder / "finding.txt").write_text("\n".join([str(case), *found, ""]), errors="replace")
    print(f"  {str(case)[:300]}\n  again: python -m fuzz --again {folder}", flush=True)


def load(folder: Path) -> Case:
    """A case that `report` wrote."""
    kept = json.loads((folder / "case.json").read_text())
    files = {name: (folder / "files" / name).read_bytes() for name in kept.pop("files")}
    made = {key: tuple(value) if isinstance(value, list) else value for key, value in kept.items()}
    return Case(files=files, **made)


if __name__ == "__main__":
    sys.exit(main())
