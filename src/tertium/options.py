"""Options of verbs. A field of a dataclass, declared once with `option`, is a keyword in Python, an
option on the command line and a key in study files.

A `Verb` puts such dataclasses together: those that it shares with other verbs, its own, and the one
that says what is shown of its result.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from math import inf
from numbers import Integral, Real
from os import PathLike
from typing import Any, TypeVar

from tertium.exceptions import (
    SPELLINGS,
    UsageError,
    is_on_command_line,
    shorten,
    spelled,
    suggestion,
)

T = TypeVar("T")
C = TypeVar("C", bound=Callable[..., Any])
SHOWN = "the output format and what is shown are options of 'tertium.render'"
_NUMBERS: Mapping[type, type] = {int: Integral, float: Real}
FAILS = "Let `check()` of the result raise GateError"  # what an exit code is in Python
FROM_NAME = "--"  # the flag of an option that is written as it is named
# Headings of options in help, in order. A dataclass names that of its options in `option_group`.
ANALYSIS, INPUT, SIGNIFICANCE = "Analysis", "Input", "Significance"
GATES, OUTPUT, GENERAL = "Gates", "Output", "General"
GROUPS = (ANALYSIS, INPUT, SIGNIFICANCE, GATES, OUTPUT, GENERAL)


@dataclass(frozen=True)
class Option:
    """What is known about an option besides its default.

    - `flag`: how it is written on the command line; "" for an option of Python alone
    - `kind`: the type of a value; `many`: are there several values?
    - `choices`: the only values, `least` and `most`: the least and the greatest number
    - `path`: is a value a file, relative to a study file that names it? "labels" for `LAYER=FILE`,
      "written" for one that is written
    - `is_value`: the value may be left out; is the next word on the command line one?
    - `objects`: may Python give something else than text?
    - `short`: one letter for it on the command line, with its hyphen
    - `group`: the heading under which help lists it, one of GROUPS
    - `once`: how it was written in an earlier version, which is refused
    - `or_none`: may Python give None as a value of its own?
    """

    name: str
    help: str
    flag: str
    kind: type
    many: bool = False
    metavar: str = ""
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    path: bool | str = False
    is_value: Callable[[str], bool] | None = None
    objects: bool = False
    short: str = ""
    group: str = ""
    once: str = ""
    or_none: bool = False

    @property
    def key(self) -> str:
        """How a study file writes it."""
        return self.flag.partition("/")[0].removeprefix("--").replace("-", "_")

    def check(self, value: Any, called: str = "") -> None:
        """Refuse a value that is not a number where one is wanted, none of the choices, too low,
        too high, or an empty path. `called` is what the message calls it, if not by its name in
        Python or on the command line."""
        flag = self.flag.partition("/")[0]
        name = called or (flag if flag and is_on_command_line() else self.name)
        is_one = isinstance(value, str) or not isinstance(value, Collection)
        if self.flag and not (is_one or self.many or self.objects):
            raise UsageError(f"{name} takes one value. Got {shorten(repr(value), 80)} instead.")
        is_list = isinstance(value, tuple | list) and (self.many or not self.objects)
        for each in value if is_list else (value,):
            if each is None:
                continue
            number = _NUMBERS.get(self.kind)
            if number and (not isinstance(each, number) or each in (inf, -inf) or each != each):
                kind = "a whole number" if number is Integral else "a number"
                raise UsageError(f"{name} must be {kind}. Got {shorten(repr(each))} instead.")
            is_text = isinstance(each, str | PathLike) or self.objects or not self.flag
            if self.kind is str and not is_text and not self.choices:
                raise UsageError(f"{name} must be text. Got {shorten(repr(each), 80)} instead.")
            if self.path and isinstance(each, str) and not each:
                raise UsageError(f"{name} must be a path. Got '' instead.")
            if self.choices and each not in self.choices:
                raise UsageError(
                    f"{name} must be one of {', '.join(self.choices)}. Got '{each}' instead."
                )
            if self.least is not None and each < self.least:
                bound = f"be at least {self.least}" if self.least else "not be negative"
                raise UsageError(f"{name} must {bound}. Got {each} instead.")
            if self.most is not None and each > self.most:
                raise UsageError(f"{name} must be at most {self.most:,}. Got {each} instead.")


def option(
    default: Any,
    help: str,
    *,
    flag: str = FROM_NAME,
    keyword: str = "",
    kind: type | None = None,
    many: bool = False,
    metavar: str = "",
    choices: Sequence[str] = (),
    least: float | None = None,
    most: float | None = None,
    path: bool | str = False,
    is_value: Callable[[str], bool] | None = None,
    objects: bool = False,
    short: str = "",
    group: str = "",
    once: str = "",
) -> Any:
    """Declare a field of a dataclass as an option.

    Its type is that of the default: several values for a tuple, a switch for a Boolean, text for
    None unless `kind` says otherwise. `keyword` is its name in Python, if that is not the field's.
    """
    many = many or isinstance(default, tuple)
    kind = kind or (str if default is None or many else type(default))
    made = Option(
        *(keyword, help, flag, kind, many, metavar, tuple(choices), least, most, path, is_value),
        *(objects, short, group, once),
    )
    return field(default=default, metadata={"option": made})


@cache
def options_of(kind: type[Any]) -> Mapping[str, Option]:
    """The options that a dataclass declares, by name, in order."""
    found = {}
    for each in fields(kind):
        made: Option | None = each.metadata.get("option")
        if made is not None:
            name = made.name or each.name
            flag = f"--{name.replace('_', '-')}" if made.flag == FROM_NAME else made.flag
            group = made.group or getattr(kind, "option_group", ANALYSIS)
            or_none = "None" in str(each.type)
            found[name] = replace(made, name=name, flag=flag, group=group, or_none=or_none)
            yes, _, no = flag.partition("/")
            SPELLINGS[yes] = (name, True if made.kind is bool else None)
            SPELLINGS.update({no: (name, False)} if no else {})
    return found


def take(kind: type, given: dict[str, Any]) -> dict[str, Any]:
    """Those of the keywords given that a dataclass declares, checked and taken out. A single text
    may stand for a list of one, None for the default where it is no value itself."""
    declared = options_of(kind)
    taken = {name: given.pop(name) for name in [*given] if name in declared}
    found = {n: v for n, v in taken.items() if v is not None or declared[n].or_none}
    for name, value in found.items():
        if declared[name].many and isinstance(value, str):
            found[name] = (value,)
        declared[name].check(value)
    return found


def fill(kind: type[T], given: Mapping[str, Any], *, verb: str, others: Sequence[type] = ()) -> T:
    """A dataclass of the keywords that a verb was given; what it does not declare is refused.

    `others` are dataclasses whose keywords were taken out before.
    """
    rest = dict(given)
    found = take(kind, rest)
    for name in sorted(rest):
        known = {k: o for declared in (kind, *others) for k, o in options_of(declared).items()}
        same = [k for k, o in known.items() if o.flag and o.key == name]
        near = f" Did you mean '{same[0]}'?" if same else suggestion(name, [*known])
        help = None if near and name != "format" else SHOWN
        raise UsageError(f"{verb} has no option '{name}'.{near}", help=help)
    return kind(**found)


def takes(*kinds: type, without: Collection[str] = ()) -> Callable[[C], C]:
    """Say of a function that is not a verb which options it takes, for `describe`."""

    def decorate(call: C) -> C:
        call.__dict__["takes"] = (kinds, {*without})
        return call

    return decorate


def describe(call: Callable[..., Any], verb: Verb | None, fill_in: Callable[[str], str]) -> None:
    """Give the function of a verb, or one that `takes` options, their signature, and list them in
    its docstring: what `help` and notebooks show. `fill_in` completes the texts."""
    if hasattr(call, "__signature__"):
        return
    kinds: Sequence[type]
    if verb is not None and verb.call is call:
        kinds, without, words = verb.options, {*verb.without, *verb.instead}, verb.words
    else:
        (kinds, without), words = call.__dict__["takes"], {}
    found: dict[str, tuple[Any, str]] = {}
    for kind in kinds:
        held = {f.metadata["option"].name or f.name: f for f in fields(kind) if f.metadata}
        for name, each in options_of(kind).items():
            if name not in without:
                found.setdefault(name, (held[name].default, words.get(name, each.help)))
    found = dict(sorted(found.items(), key=lambda item: item[0] != "metric"))
    plain = inspect.signature(call)
    own = [p for p in plain.parameters.values() if p.kind is not p.VAR_KEYWORD]
    keywords = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, (default, _) in found.items()
        if name not in plain.parameters
    ]
    call.__dict__["__signature__"] = plain.replace(parameters=[*own, *keywords])
    lines = [f"- `{name}`: {fill_in(_python_help(help))}" for name, (_, help) in found.items()]
    text = inspect.cleandoc(call.__doc__ or "")
    call.__doc__ = "\n".join([text, "", "Options:", "", *lines])


def _python_help(help: str) -> str:
    """The help of an option without what is true of the command line alone."""
    help = help.replace("; repeatable", " (or a list)").replace("Exit with 1", FAILS)
    return spelled(re.sub(r"(?<!['\w-])(--[a-z][a-z-]+)", r"'\1'", help))


@dataclass(frozen=True)
class Verb:
    """One verb: a function of Python, and how the command line calls it.

    - `call`: the function; it takes files, then options as keywords
    - `text`: the help; `arguments`: what files are called there
    - `options`: dataclasses whose fields it takes; `without`: fields that it does not take;
      `words`: another help for some
    - `look`: the dataclass that says what is shown
    - `check`: refuses a wrong number of files, before anything is read
    - `study`: may files, metrics and options come from a study file?
    - `figures`: has the result figures, so that it can be SVG?
    - `prints`: is there a result to print, in any format? Notices are printed anyway
    - `suffixes`: endings of output files besides the usual ones, with their formats
    - `has_gold`: is the first file a gold standard? A study file lends only systems otherwise
    - `prepare`: the keywords of `call`, given those of the command line and what is to be shown
    - `instead`: options that run another verb, by name
    - `stream`: as `call`, but gives `Records`, so that a long list can be written while it is found
    - `cite`: keys of the papers behind it in `families/citations.bib`
    - `offers`: what a shell offers for the next argument, given those before it, instead of files
    - `checks`: has the result gates or checks that continuous integration can show?
    - `stands_in`: an option that names data, so that files may be left out; `also_reads`: the files
      that options name, given these
    """

    name: str
    call: Callable[..., Any]
    text: str
    arguments: str = ""
    options: tuple[type, ...] = ()
    look: type | None = None
    without: frozenset[str] = frozenset()
    words: Mapping[str, str] = field(default_factory=dict)
    check: Callable[[Sequence[str]], None] | None = None
    study: bool = True
    has_gold: bool = True
    figures: bool = False
    prints: bool = True
    suffixes: Mapping[str, str] = field(default_factory=dict)
    prepare: Callable[[dict[str, Any], Any], dict[str, Any]] | None = None
    instead: Mapping[str, str] = field(default_factory=dict)
    stream: Callable[..., Any] | None = None
    cite: tuple[str, ...] = ()
    offers: Callable[[Sequence[str]], Sequence[str]] | None = None
    checks: bool = False
    stands_in: str = ""
    also_reads: Callable[[Mapping[str, Any]], Sequence[str]] | None = None

    def __post_init__(self) -> None:
        """Let messages know how Python spells the options of our own verbs."""
        if self.call.__module__.startswith("tertium."):
            self.declared()

    def declared(self) -> dict[str, Option]:
        """All options, by name, in the order of the help: group by group, the metric first."""
        kinds = (*self.options, *([self.look] if self.look else []))
        found: dict[str, Option] = {}
        for kind in kinds:
            for name, each in options_of(kind).items():
                if name not in self.without and each.flag:
                    found.setdefault(name, replace(each, help=self.words.get(name, each.help)))
        order = {name: (GROUPS.index(o.group), name != "metric") for name, o in found.items()}
        return {name: found[name] for name in sorted(found, key=order.__getitem__)}
