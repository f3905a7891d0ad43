"""What can go wrong, as a tree; the command line turns each into an exit code.

TertiumError
├── UsageError         exit 2: a request that cannot be understood (unknown metric, bad parameter)
├── InputError         exit 3: data that cannot be used
│   ├── FormatError    a file that breaks its format's rules, with file, line and sentence id
│   ├── AlignmentError gold and system are not the same text
│   └── LayerError     what a metric needs is not in the data
└── GateError          exit 1: a gate was not met
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

SHOWN_PROBLEMS = 5
LONGEST_MESSAGE = 400
# What happens while one writes: a full or broken disk, a limit, a closed stream.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EINVAL)

# How Python calls the options of the command line, and whether they are switches; `tertium.options`
# enters them as they are declared.
SPELLINGS: dict[str, tuple[str, bool | None]] = {}
_ON_COMMAND_LINE = ContextVar("on_command_line", default=False)
_OPTION = re.compile(r"""'(--[a-z][a-z-]*(?: (?:"[^"]*"|[^'"]+))?)'""")


@contextmanager
def on_command_line() -> Iterator[None]:
    """While a command runs, messages name options as it does."""
    token = _ON_COMMAND_LINE.set(True)
    try:
        yield
    finally:
        _ON_COMMAND_LINE.reset(token)


def is_on_command_line() -> bool:
    """Is a command running?"""
    return _ON_COMMAND_LINE.get()


def spelled(text: str) -> str:
    """A text with the options it names as the reader writes them: messages are written for the
    command line, where options stand in quotes, and are reworded for Python.

    >>> spelled("'--on-error skip' leaves them out; '--columns' names columns")
    "on_error='skip' leaves them out; 'columns' names columns"
    """
    return text if is_on_command_line() else _OPTION.sub(_in_python, text)


def _in_python(found: re.Match[str]) -> str:
    options = [each.split(" ", 1) for each in re.split(r" (?=--)", found[1])]
    if len(options) == 1 and len(options[0]) == 1:
        name, switch = _spelling(found[1])
        return f"'{name}'" if switch is None else f"{name}={switch}"
    return ", ".join(_keyword(*each) for each in options)


def _keyword(flag: str, value: str = "") -> str:
    name, switch = _spelling(flag)
    value = value.strip().strip('"')
    return f"{name}={value if value.isdigit() else switch if not value else repr(value)}"


def _spelling(flag: str) -> tuple[str, bool | None]:
    return SPELLINGS.get(flag, (flag.removeprefix("--").replace("-", "_"), None))


def shorten(text: str, most: int = LONGEST_MESSAGE) -> str:
    """A text that fits into a message: the middle of a long one is left out.

    >>> shorten("abcdefghij", 7)
    'abc…hij'
    """
    half = (most - 1) // 2
    return text if len(text) <= most else f"{text[:half]}…{text[-half:]}"


def on_one_line(text: str) -> str:
    r"""Names of files may hold line breaks, which are written out.

    >>> print(on_one_line("a\nb.conllu"))
    a\nb.conllu
    """
    return text.replace("\r", "\\r").replace("\n", "\\n")


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "unit"), counted(2077, "unit"), counted(0, "index", "indices")
    ('1 unit', '2,077 units', '0 indices')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


class TertiumError(Exception):
    """Base of everything Tertium raises on purpose; `help` says what to do. `written` is both as
    they were raised, with options as on the command line."""

    exit_code = 70

    def __init__(self, *lines: str, help: str | None = None) -> None:
        message = "\n".join(shorten(on_one_line(line), 4 * LONGEST_MESSAGE) for line in lines)
        super().__init__(message)
        self.written = message, None if help is None else on_one_line(help)
        if self.help is not None:
            self.add_note(f"help: {self.help}")  # Python prints it below the message

    @property
    def message(self) -> str:
        """What is wrong, and where."""
        return spelled(self.written[0])

    @property
    def help(self) -> str | None:
        """What to do about it."""
        return None if self.written[1] is None else spelled(self.written[1])

    def __str__(self) -> str:
        return self.message  # also after it came from another process


class UsageError(TertiumError):
    """The request itself is wrong: an unknown name, a parameter that is no such value."""

    exit_code = 2


class InputError(TertiumError):
    """The data cannot be used as asked."""

    exit_code = 3


class AlignmentError(InputError):
    """Gold and system do not annotate the same text."""


class LayerError(InputError):
    """The data lacks the layer or column that a metric needs."""


class GateError(TertiumError):
    """A gate, such as that of `--fail-under`, was not met."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one check found: a gate of scores, or a file that was validated.

    - `check`: what is demanded, in words
    - `offence`: what is wrong, empty if nothing is; `lines`: more about it
    - `problems`: of a file, what is wrong with it line by line; `file`: its path
    """

    check: str
    offence: str = ""
    lines: tuple[str, ...] = ()
    file: str = ""
    problems: tuple[Problem, ...] = ()


def refuse(verdicts: Iterable[Verdict], help: str | None = None) -> None:
    """Raise GateError with everything that is wrong, if anything is."""
    failed = dict.fromkeys(verdict for verdict in verdicts if verdict.offence)
    lines = [line for each in failed for line in (f"gate not met: {each.offence}", *each.lines)]
    if lines:
        raise GateError(*lines, help=help)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a file: where, what, and how bad.

    `severity` is "error" (the sentence cannot be used as it is) or "note" (read, but worth
    knowing). `line` is 1-based, 0 for the file as a whole; `sentence` is the id or, without one,
    the number.
    """

    message: str
    line: int = 0
    sentence: str | None = None
    kind: str = "format"
    severity: str = "error"

    def __post_init__(self) -> None:
        # What stands in a file can be as long as the file, and a file can have many problems.
        object.__setattr__(self, "message", shorten(self.message))
        if self.sentence is not None:
            object.__setattr__(self, "sentence", shorten(self.sentence))

    def place(self, origin: str) -> str:
        """`file:line, sentence 'id'`, as far as known."""
        where = f"{origin}:{self.line}" if self.line else origin
        return f"{where}, sentence '{self.sentence}'" if self.sentence is not None else where


class FormatError(InputError):
    """A file that breaks the rules of its format. Its problems are kept, the first five shown.

    `unlisted` counts those for which no `Problem` was made because there were too many.
    """

    def __init__(
        self,
        origin: str,
        problems: Sequence[Problem],
        *,
        help: str | None = None,
        unlisted: int = 0,
    ) -> None:
        self.origin = origin
        self.problems = tuple(problems)
        self.unlisted = unlisted
        if help is None:
            help = (
                f"'tertium validate {origin}' lists every problem; "
                "'--on-error skip' leaves such sentences out and counts them"
            )
        lines = [f"{p.place(origin)}: {p.message}" for p in self.problems[:SHOWN_PROBLEMS]]
        more = max(0, len(self.problems) - SHOWN_PROBLEMS) + unlisted
        if more:
            lines.append(f"... and {more:,} more")
        super().__init__(*lines, help=help)

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions cross process borders (--jobs); the default would call __init__ with the text.
        return _format_error, (self.origin, self.problems, self.written[1], self.unlisted)


def _format_error(
    origin: str, problems: tuple[Problem, ...], help: str | None, unlisted: int
) -> FormatError:
    return FormatError(origin, problems, help=help, unlisted=unlisted)


def cannot(do: str, path: object, error: Exception) -> InputError:
    """What the operating system said when a file was to be used: "cannot read 'a.txt': ..."."""
    reason = getattr(error, "strerror", None) or str(error)
    if isinstance(error, ValueError):  # a name that no file can have
        reason = "its name holds " + ("a null" if "null" in reason else "an unknown") + " character"
    return InputError(f"cannot {do} '{shorten(str(path))}': {reason}")


def refusal(error: Exception) -> TertiumError | None:
    """What the machine refused and nobody could foresee where: too little memory, a file that
    cannot be used. None for what is not the machine's fault."""
    no_room = getattr(error, "errno", None) == errno.ENOMEM or "map segment" in str(error)
    if isinstance(error, MemoryError) or (isinstance(error, OSError | ImportError) and no_room):
        return InputError(
            "this is too large for the memory of this machine",
            help="give fewer systems or trials at a time, or the data as a folder of smaller "
            "files, which are read one by one",
        )
    if isinstance(error, RecursionError):
        return InputError("the input is nested too deeply for Python")
    if isinstance(error, OSError):
        if error.filename is not None:
            return cannot("use", error.filename, error)
        printing = "cannot write to standard output"  # all other files have names
        where = printing if error.errno in _FULL else "the operating system refused"
        return InputError(f"{where}: {shorten(error.strerror or str(error))}")
    return None


def suggestion(wrong: str, known: Sequence[str]) -> str:
    """' Did you mean ...?' for the nearest known names, or nothing.

    >>> suggestion("accurracy", ["accuracy", "f1"])
    " Did you mean 'accuracy'?"
    >>> suggestion("lass", ["LAS", "UPOS"])
    " Did you mean 'LAS'?"
    >>> suggestion("metrics", ["metric", "trials"])
    " Did you mean 'metric'?"
    """
    from difflib import SequenceMatcher, get_close_matches

    folded = {name.casefold(): name for name in reversed(known)}
    found = get_close_matches(wrong.casefold(), folded, 3, 0.6)
    ratio = {n: SequenceMatcher(None, n, wrong.casefold()).ratio() for n in found}
    near = [folded[n] for n in found if ratio[n] > ratio[found[0]] - 0.2]
    return f" Did you mean {' or '.join(repr(n) for n in near)}?" if near else ""


def unknown(what: str, name: str, known: Iterable[str]) -> UsageError:
    """That there is nothing of a name, what was perhaps meant, and what there is."""
    names = [*known]
    text = f"there is no {what} '{name}'.{suggestion(name, names)}"
    return UsageError(text, help=f"{what}s: {', '.join(names)}")
