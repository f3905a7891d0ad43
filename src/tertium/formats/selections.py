"""Selections of tokens: a task, the label that it asks for, an annotator, the numbers of the chosen
tokens, counted from 0, and all tokens as a JSON list."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.corpus.labels import Int32, Int64, Labels, Names, ranges
from tertium.formats.base import Problems
from tertium.formats.judgements import (
    SELECTION,
    Judgements,
    per_item,
    refuse_empty,
    refuse_repeated,
)
from tertium.formats.lines import FieldTable

OUTSIDE = "O"
_NUMBERS = re.compile(r"\[?\s*(?:\d+(?:\s*,\s*|\s+|(?=\s*\]?$)))*\s*\]?")


@dataclass(frozen=True, eq=False)
class SelectionRows:
    """Selections as columns, and their lines."""

    columns: Mapping[str, Labels]
    lines: Int64

    @classmethod
    def of_fields(cls, table: FieldTable, problems: Problems) -> SelectionRows:
        """Five columns in the usual order; a first line without a list of tokens is a header."""
        fields = np.asarray(table.field_count)
        rows = np.flatnonzero(fields)
        rows = rows if table.field(int(rows[0]), -1).startswith("[") else rows[1:]
        for row in problems.listed(rows[fields[rows] != len(SELECTION)]):
            problems.error(f"{fields[row]} columns, expected {len(SELECTION)}", line=row + 1)
        problems.stop()
        columns = {role: table.labels(rows, n) for n, role in enumerate(SELECTION)}
        return cls(columns, rows.astype(np.int64) + 1)


def has_selections(table: FieldTable) -> bool:
    """Do the first two lines end in a list of tokens, or only the second?"""
    fields = np.asarray(table.field_count)
    rows = np.flatnonzero(fields == len(SELECTION))[:2]
    return len(rows) > 0 and _tokens(table.field(int(rows[-1]), -1)) is not None


def _tokens(text: str) -> list[str] | None:
    """A JSON list of strings, None for anything else."""
    try:
        found = json.loads(text) if text.startswith("[") else None
        json.dumps(found, ensure_ascii=False).encode()  # half a surrogate pair cannot be
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, list) or not all(isinstance(each, str) and each for each in found):
        return None
    return found


def _chosen(text: str) -> list[int] | None:
    """Numbers between spaces or commas, None for anything else."""
    if not _NUMBERS.fullmatch(text.strip()):
        return None
    return [int(number) for number in re.findall(r"\d+", text)]


def of_selections(rows: SelectionRows, problems: Problems) -> Judgements:
    """Every token of a task is an item; whoever was asked votes on it: the label, or O."""
    task, asked, annotator, chosen, tokens = (rows.columns[role] for role in SELECTION)
    if not len(task):
        raise problems.fatal("there is no judgement in the file")
    refuse_empty({"task": task, "label": asked, "annotator": annotator}, rows.lines, problems)
    texts, choices = [*map(_tokens, tokens.names)], [*map(_chosen, chosen.names)]
    for row, line in enumerate(rows.lines.tolist()):
        text, choice = texts[tokens.codes[row]], choices[chosen.codes[row]]
        if text is None:
            problems.error("the tokens are not a JSON list of strings", line=line)
        elif choice is None:
            problems.error(
                f"expected token numbers separated by spaces. Got '{chosen[row]}' instead.",
                line=line,
            )
        elif asked[row] == OUTSIDE:
            message = f"a task cannot ask for '{OUTSIDE}', the label of tokens that are not chosen"
            problems.error(message, line=line)
        elif choice and max(choice) >= len(text):
            message = f"token {max(choice)} was chosen, but the last one is {len(text) - 1}"
            problems.error(message, line=line)
    problems.stop()
    several = len({*zip(task.codes.tolist(), asked.codes.tolist(), strict=True)}) > len(task.names)
    parts = zip(task.to_list(), asked.to_list(), strict=True)
    sentence = Labels.of(f"{t}:{a}" if several else t for t, a in parts)
    refuse_repeated(sentence, annotator, rows.lines, problems)
    per_item("tokens", tokens, sentence, rows.lines, problems)
    problems.stop()
    first = np.unique(sentence.codes, return_index=True)[1]
    shown = [texts[code] or [] for code in tokens.codes[first].tolist()]
    sizes = np.array([len(text) for text in shown], np.int64)
    begin = np.cumsum(sizes) - sizes
    ends = (begin + sizes)[sentence.codes]
    item = ranges(begin[sentence.codes], ends).astype(np.int32)
    size = sizes[sentence.codes]
    label = _asked_labels(asked, size, [choices[code] or [] for code in chosen.codes.tolist()])
    copies: Counter[tuple[int, int]] = Counter()
    about = []  # words of each sentence; tasks that ask for the same label have a copy each
    for words, wanted in zip(
        tokens.codes[first].tolist(), asked.codes[first].tolist(), strict=True
    ):
        about.append(f"{words} {copies[words, wanted]}")
        copies[words, wanted] += 1
    ids = [
        f"{s}:{n}" for s, text in zip(sentence.names, shown, strict=True) for n in range(len(text))
    ]
    return Judgements(
        problems.reading.origin,
        Labels(Names.of(ids), item),
        Labels(annotator.names, np.repeat(annotator.codes, size)),
        label,
        words=Labels.of(word for text in shown for word in text),
        sentence=Labels(sentence.names, np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)),
        text=Labels.of(about),
        joins=True,
    )


def _asked_labels(asked: Labels, size: Int64, choices: Sequence[Sequence[int]]) -> Labels:
    """The label asked for where a token was chosen, else O."""
    names = Names.of([OUTSIDE, *asked.names])
    codes: Int32 = np.zeros(int(size.sum()), np.int32)
    begin = np.cumsum(size) - size
    for row, choice in enumerate(choices):
        codes[begin[row] + np.array(choice, np.int64)] = asked.codes[row] + 1
    return Labels(names, codes)
