"""Corpora from Python objects: lists of tags, lists of dictionaries, data frames."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from numbers import Real
from typing import Any

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names, bounds_of
from tertium.corpus.layers import Comments, Layer, Tags
from tertium.exceptions import InputError, Problem, UsageError
from tertium.formats.base import Problems, Reading
from tertium.formats.coref.clusters import ClusterReader
from tertium.formats.label_ids import HELP as ID_HELP
from tertium.formats.label_ids import TagLists, as_array, id_keys
from tertium.formats.record_keys import TEXT, TOKENS, has_clusters, record_of
from tertium.formats.records import RecordReader
from tertium.formats.spacy_docs import DocReader, docs_of
from tertium.formats.span_lists import are_span_lists, of_span_lists
from tertium.formats.trees.objects import are_trees, of_trees

UNKNOWN_FORM = "_"
IGNORED = "ignored"  # the kind of a note on positions that were left out
SENTENCE_COLUMNS = ("sentence", "sentence_id", "sent_id")
FORM_COLUMNS = ("form", "token", "word")
HELP = (
    "a corpus is a path, a list of lists of tags or label ids, a list of dictionaries with "
    "'tokens' or 'text', a polars or pandas data frame, spaCy docs, bracketed trees, or a Corpus"
)
FRAMES = ("pandas", "polars")


def from_python(data: Any, *, name: str = "data", of_gold: bool = True) -> Corpus:
    """A corpus from what Python programs have at hand.

    - a list of lists of tags, as seqeval takes it: layer `tag`; the words are unknown, and every
      form is `_`, so that such corpora are paired by position
    - a list of dictionaries, or of pairs of text and dictionary: as records of `jsonl`
    - a polars or pandas frame with one token per row: `form` (or `token`, `word`), a column
      `sentence` (or `sentence_id`, `sent_id`) that changes where a sentence begins; every other
      column of strings is a tag layer. A frame whose columns hold lists has one sentence per row
    - a list of lists of dictionaries with `label`, `start` and `end` (the last token), as
      nervaluate takes it
    - a spaCy `Doc` or `Example`, or a list of them
    - a list of trees, as strings in brackets or as trees of nltk; None is a sentence without a
      parse
    - a Corpus: itself

    `name` stands in messages; of examples, gold is the reference, a system what was predicted.
    Raises UsageError for other kinds of objects and InputError for wrong
    content: numbers for tags, missing values, nothing at all.

    >>> corpus = from_python([["O", "B-PER"], ["O"]])
    >>> corpus.offsets.tolist(), corpus.layers["tag"].labels.to_list()
    ([0, 2, 3], ['O', 'B-PER', 'O'])
    """
    if isinstance(data, Corpus):
        return data
    if (docs := docs_of(data, of_gold=of_gold)) is not None:
        return DocReader(docs, name).read()
    data = as_lists(data)
    if is_frame(data):
        return _of_frame(data, name)
    if isinstance(data, str | bytes | Mapping) or not isinstance(data, Sequence):
        raise UsageError(f"{name}: a corpus cannot be made of {type(data).__name__}", help=HELP)
    if not data:
        raise InputError(f"{name} is empty: there is no sentence in it")
    if are_trees(data):
        return of_trees(data, name)
    if are_span_lists(data):
        return of_span_lists(data, name)
    records = [*takewhile(lambda record: record is not None, map(record_of, data))]
    if len(records) == len(data):
        found = _of_dictionaries(records, name)
        return replace(found, problems=(*found.problems, *_left_out(data)))
    return _of_tag_lists(data, name)


def is_frame(data: Any) -> bool:
    """Is it a data frame of polars or pandas?"""
    return type(data).__module__.partition(".")[0] in FRAMES and hasattr(data, "columns")


def as_lists(data: Any) -> Any:
    """Arrays, tensors, series and data sets as lists; a frame with one sentence per row as
    dictionaries; other frames, and anything else, as they are."""
    library = type(data).__module__.partition(".")[0]
    if library in FRAMES and hasattr(data, "collect"):
        data = data.collect()  # a lazy frame
    if is_frame(data):
        return _sentence_rows(data)
    data = as_array(data)
    if isinstance(data, np.ndarray):
        return data.tolist()
    if library in FRAMES and hasattr(data, "to_list"):
        return [_listed(each) for each in data.to_list()]
    is_table = library == "datasets" and hasattr(data, "__getitem__")  # of Hugging Face
    return [*data] if is_table else data


def sentence_records(frame: Any) -> list[dict[str, Any]] | None:
    """A frame whose columns hold lists as dictionaries, one per row; None if they hold none."""
    if not len(frame) or len({*frame.columns}) < len(frame.columns):
        return None  # refused where it is read
    columns = {str(c): [*map(_listed, frame[c].to_list())] for c in frame.columns}
    if not any(isinstance(values[0], list | tuple) for values in columns.values()):
        return None
    words = next((c for c in (TOKENS, "words", *FORM_COLUMNS) if c in columns), None)
    names = [TOKENS if c == words else c for c in columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _sentence_rows(frame: Any) -> Any:
    """A frame with one sentence per row as dictionaries or, without words, as lists of tags."""
    records = sentence_records(frame)
    return frame if records is None else or_lists(records)


def token_records(frame: Any, name: str) -> Any:
    """A frame with one token per row as dictionaries, one per sentence."""
    if not len(frame) or len({*frame.columns}) < len(frame.columns):
        return frame  # refused where it is read
    sentence = next((c for c in SENTENCE_COLUMNS if c in frame.columns), None)
    form = next((c for c in FORM_COLUMNS if c in frame.columns), None)
    bounds = _sentences(frame, sentence, name)[0].tolist()
    columns = {
        TOKENS if c == form else str(c): frame[c].to_list() for c in frame.columns if c != sentence
    }
    return [{c: values[a:b] for c, values in columns.items()} for a, b in pairwise(bounds)]


def or_lists(records: list[dict[str, Any]]) -> list[Any]:
    """Dictionaries or, without words, the lists of tags they hold."""
    if TOKENS in records[0] or TEXT in records[0]:
        return [*records]
    tags = [c for c, value in records[0].items() if isinstance(value, list | tuple)]
    if len(tags) == 1:
        return [record[tags[0]] for record in records]
    raise InputError(
        f"the frame holds lists in several columns ({', '.join(tags)}), but no '{TOKENS}'",
        help="name the columns: gold='...', systems=['...']",
    )


def _listed(value: Any) -> Any:
    return (
        value.tolist()
        if isinstance(value, np.ndarray)
        else (value.to_list() if hasattr(value, "to_list") else value)
    )


def _of_tag_lists(data: Sequence[object], name: str) -> Corpus:
    sizes: list[int] = []
    tags: list[str] = []
    for number, sentence in enumerate(data, 1):
        if isinstance(sentence, np.ndarray):
            sentence = sentence.tolist()
        if isinstance(sentence, str) or not isinstance(sentence, Sequence):
            help = HELP
            if isinstance(sentence, str):
                help = (
                    "give one list of tags per sentence: [['O', 'B-PER'], ['O']]; several files "
                    "are separate arguments"
                )
            raise InputError(
                f"{name}: item {number} is {_kind(sentence)}, expected a list of tags", help=help
            )
        for place, tag in enumerate(sentence, 1):
            if not isinstance(tag, str) or not tag:
                what = "an empty string" if tag == "" else _kind(tag)
                raise InputError(
                    f"{name}: tag {place} of sentence {number} is {what}, expected a string",
                    help=ID_HELP if isinstance(tag, Real) else None,
                )
        sizes.append(len(sentence))
        tags.extend(sentence)
    labels = _checked(Labels.of(tags), "tag", name)
    forms = Labels.constant(UNKNOWN_FORM, len(tags))
    return Corpus(
        bounds_of(sizes),
        forms,
        {"tag": Tags(labels)},
        origin=name,
        format="python",
        problems=_left_out(data),
    )


def _left_out(data: object) -> tuple[Problem, ...]:
    """A note on positions that label ids leave out."""
    note = data.note if isinstance(data, TagLists) else ""
    return (Problem(note, kind=IGNORED, severity="note"),) if note else ()


def _of_dictionaries(data: Sequence[Any], name: str) -> Corpus:
    records = [_plain(record, number, name) for number, record in enumerate(data, 1)]
    help = ID_HELP if id_keys(data) else "each dictionary is a sentence; see the format 'jsonl'"
    problems = Problems(Reading(origin=name), help=help)
    kind = ClusterReader if has_clusters(records) else RecordReader
    return kind(problems, records, range(1, len(records) + 1), "python").read()


def _plain(record: Mapping[Any, Any], number: int, name: str) -> dict[str, Any]:
    """A dictionary whose arrays are lists."""
    for key in record:
        if not isinstance(key, str):
            raise InputError(f"{name}: a key of dictionary {number} is {_kind(key)}, not a string")
    try:
        json.dumps(record, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        raise InputError(f"{name}: dictionary {number} holds half a surrogate pair") from None
    except (ValueError, RecursionError):
        raise InputError(f"{name}: dictionary {number} holds itself or is too deep") from None
    return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in record.items()}


def _of_frame(frame: Any, name: str) -> Corpus:
    columns = list(frame.columns)
    if not len(frame):
        raise InputError(f"{name} is empty: the frame has no rows")
    if len(set(columns)) != len(columns):
        raise InputError(f"{name}: two columns of the frame have the same name")
    sentence = next((c for c in SENTENCE_COLUMNS if c in columns), None)
    form = next((c for c in FORM_COLUMNS if c in columns), None)
    offsets, extras = _sentences(frame, sentence, name)
    problems = []
    if sentence is None:
        problems.append(
            Problem("there is no column 'sentence': all rows are one sentence", severity="note")
        )
    layers: dict[str, Layer] = {}
    for column in columns:
        if column in (sentence, form):
            continue
        labels = _labels(frame[column], str(column), name)
        if labels is None:
            message = f"column '{column}' does not hold strings and was not read"
            problems.append(Problem(message, kind="unread", severity="note"))
        else:
            layers["tag" if column == "tags" else str(column)] = Tags(labels)
    forms = Labels.constant(UNKNOWN_FORM, len(frame))
    if form is not None:
        read = _labels(frame[form], form, name)
        if read is None:
            raise InputError(f"{name}: column '{form}' does not hold strings")
        forms = read
    return Corpus(
        offsets,
        forms,
        layers,
        extras,
        origin=name,
        format="python",
        problems=tuple(problems),
    )


def _sentences(frame: Any, column: str | None, name: str) -> tuple[Int64, dict[str, Layer]]:
    """Where sentences begin, and their ids as comments."""
    if column is None:
        return np.array([0, len(frame)], np.int64), {}
    codes, names = _factors(frame[column])
    _refuse_missing(codes, column, name)
    begins = np.flatnonzero(np.diff(codes, prepend=-1) != 0)
    of_sentence = codes[begins]
    seen, first = np.unique(of_sentence, return_index=True)
    if len(seen) != len(of_sentence):
        again = np.setdiff1d(np.arange(len(of_sentence)), first)[0]
        raise InputError(
            f"{name}: rows of sentence {names[of_sentence[again]]!r} are not together "
            f"(again at row {begins[again] + 1})",
            help="sort the frame, or give sentences of different documents different ids",
        )
    texts = [f" sent_id = {names[code]}" for code in of_sentence.tolist()]
    if any("\n" in text or "\r" in text for text in texts):
        raise InputError(f"{name}: an id in column '{column}' holds a line break")
    labels = _checked(Labels.of(texts), column, name)
    comments = Comments(np.arange(len(texts), dtype=np.int32), labels)
    return np.append(begins, len(codes)).astype(np.int64), {"comments": comments}


def _labels(series: Any, column: str, name: str) -> Labels | None:
    """A column of strings, interned; None if it holds something else."""
    codes, names = _factors(series)
    if not all(isinstance(n, str) for n in names):
        return None
    _refuse_missing(codes, column, name)
    if "" in names:
        row = int((codes == names.index("")).argmax()) + 1
        raise InputError(f"{name}: row {row} of column '{column}' is an empty string")
    return _checked(Labels(Names.of(names), codes), column, name)


def _factors(series: Any) -> tuple[Int32, list[Any]]:
    """Codes (-1 for a missing value) and the distinct values in order of first occurrence; None
    for all that cannot be told apart, such as lists."""
    missing = series.is_null() if hasattr(series, "is_null") else series.isna()
    rows = zip(series.to_list(), missing.to_list(), strict=True)
    index: dict[Any, int] = {}
    try:
        codes = [-1 if lacks else index.setdefault(value, len(index)) for value, lacks in rows]
    except TypeError:
        return np.zeros(len(series), np.int32), [None]
    return np.array(codes, np.int32), [*index]


def _refuse_missing(codes: Int32, column: str, name: str) -> None:
    if (codes < 0).any():
        row = int((codes < 0).argmax()) + 1
        raise InputError(f"{name}: row {row} of column '{column}' is missing")


def _checked(labels: Labels, what: str, name: str) -> Labels:
    """Strings from Python may hold halves of surrogate pairs, which no file can."""
    for text in labels.names:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise InputError(f"{name}: {text!r} in '{what}' holds half a surrogate pair") from None
    return labels


def _kind(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
