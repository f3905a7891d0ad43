"""Verdicts for continuous integration: annotations of GitHub and JUnit XML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from tertium.exceptions import Verdict, counted

MOST = 10  # annotations of each level that GitHub shows of one step
# Characters that XML cannot hold, not even as a reference.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def github(verdicts: Sequence[Verdict], verb: str) -> list[str]:
    """Workflow commands: an error for everything that failed, a notice for what was noted about a
    file. Of many, the first, and how many more there are.

    >>> github([Verdict("LAS is at least 0.85", "LAS is 82.65%, below 85")], "score")
    ['::error title=tertium score::LAS is 82.65%25, below 85']
    """
    found: dict[str, list[str]] = {"error": [], "notice": []}
    for each in verdicts:
        for problem in each.problems:
            level = "error" if problem.severity == "error" else "notice"
            place = {"file": each.file, "line": str(problem.line or "")}
            where = f" (sentence {problem.sentence})" if problem.sentence else ""
            found[level].append(_command(level, verb, problem.message + where, place))
        if each.offence and not each.problems:
            text = "\n".join((each.offence, *each.lines))
            found["error"].append(_command("error", verb, text, {"file": each.file}))
    lines = []
    for level, commands in found.items():
        shown = commands if len(commands) <= MOST else commands[: MOST - 1]
        lines += shown
        if len(shown) < len(commands):
            left = counted(len(commands) - len(shown), f"more {level}")
            lines.append(_command(level, verb, f"{left}, not shown here", {}))
    return lines


def _command(level: str, verb: str, message: str, place: dict[str, str]) -> str:
    given = {name: value for name, value in place.items() if value}
    given["title"] = f"tertium {verb}"
    pairs = ",".join(f"{name}={_quoted(value, ':,')}" for name, value in given.items())
    return f"::{level} {pairs}::{_quoted(message)}"


def _quoted(text: str, further: str = "") -> str:
    """A text in which nothing ends a command; properties have further signs to be hidden."""
    for sign in ("%", "\r", "\n", *further):
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


def junit(verdicts: Sequence[Verdict], verb: str) -> str:
    """JUnit XML: a test case per verdict, which has failed if something is wrong.

    >>> print(junit([Verdict("A & B")], "score"), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites tests="1" failures="0">
    <testsuite name="tertium score" tests="1" failures="0" errors="0" skipped="0">
    <testcase classname="tertium.score" name="A &amp; B"/>
    </testsuite>
    </testsuites>
    """
    failed = sum(bool(each.offence) for each in verdicts)
    counts = f'tests="{len(verdicts)}" failures="{failed}"'
    suite = _attribute(f"tertium {verb}")
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f"<testsuites {counts}>",
            f'<testsuite name={suite} {counts} errors="0" skipped="0">',
            *(_case(each, verb) for each in verdicts),
            "</testsuite>",
            "</testsuites>\n",
        ]
    )


def _case(verdict: Verdict, verb: str) -> str:
    file = f" file={_attribute(verdict.file)}" if verdict.file else ""
    name = f"classname={_attribute(f'tertium.{verb}')} name={_attribute(verdict.check)}{file}"
    if not verdict.offence:
        return f"<testcase {name}/>"
    lines = [*verdict.lines]
    lines += [f"{p.place(verdict.file)}: {p.message}" for p in verdict.problems]
    body = escape(_clean("\n".join(lines)))
    return (
        f"<testcase {name}>\n<failure message={_attribute(verdict.offence)}>{body}</failure>\n"
        "</testcase>"
    )


def _attribute(text: str) -> str:
    return quoteattr(_clean(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
