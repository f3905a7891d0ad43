"""What the keys of a record mean, and which of them hold spans, tags or neither."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tertium.formats.lines import LINE_BREAKS

Record = Mapping[str, Any]

TEXT, TOKENS = "text", "tokens"
SENTENCES, CLUSTERS = "sentences", "clusters"  # of coreference
SPAN_KEYS = ("spans", "entities", "ents", "labels", "label")
EITHER_KEYS = ("labels", "label")  # spans or, over tokens, tags
TAG_KEYS = frozenset(
    "tags tag upos xpos pos pos_tags lemma lemmas feats ner chunk labels label".split()
)
RESERVED = frozenset((TEXT, TOKENS, "spans", "entities", "ents", "comments", "id", "sent_id"))
# What annotation tools write beside spans; any other list or object may be annotation.
ASIDE = frozenset("accept cats comments Comments meta metadata options relations sents".split())
START_KEYS = ("start", "begin", "start_offset")
END_KEYS = ("end", "end_offset")
GROUP_KEY, PIECE_KEY = "entity_group", "entity"  # of a pipeline: whole entities, or pieces of words
PIPELINE_KEYS = (GROUP_KEY, PIECE_KEY)
WHOLE = "run the pipeline with aggregation_strategy='simple', which joins them"
LABEL_KEYS = ("label", "type", "labels", GROUP_KEY)
# First and last token beside offsets in characters: of displaCy (end exclusive), of Prodigy.
TOKEN_KEYS = (("start_token", "end_token", 0), ("token_start", "token_end", 1))
READ_KEYS = frozenset(
    (*START_KEYS, *END_KEYS, *LABEL_KEYS, "text", *(k for pair in TOKEN_KEYS for k in pair[:2]))
)
BESIDE_GROUP = frozenset(("score", "word"))  # of a pipeline, beside its labels
ANSWERS = {"reject": "rejected", "ignore": "ignored"}  # Prodigy's; the other is "accept"
SHOWN_KEYS = 20
MOST_LAYERS = 1000


def record_of(value: Any) -> Record | None:
    """A record, or spaCy's pair of a text and its annotation as one; None for anything else.

    >>> record_of(["Ann slept", {"entities": [[0, 3, "PER"]]}])
    {'text': 'Ann slept', 'entities': [[0, 3, 'PER']]}
    """
    if isinstance(value, Mapping):
        return value
    if not is_list(value) or len(value) != 2:
        return None
    text, annotation = value
    if isinstance(text, str) and isinstance(annotation, Mapping) and TEXT not in annotation:
        return {TEXT: text, **annotation}
    return None


def mode_of(record: Record, usual: str = TOKENS) -> str:
    """`tokens` or `text`, or nothing. A text goes before tokens that are objects; beside an empty
    list it is what is `usual`."""
    has_text = isinstance(record.get(TEXT), str)
    tokens: Any = record.get(TOKENS)
    if has_text and is_list(tokens) and not tokens:
        return usual
    objects = has_text and is_list(tokens) and any(isinstance(t, Mapping) for t in tokens)
    if is_list(tokens) and not objects:
        return TOKENS
    return TEXT if has_text else ""


def has_clusters(records: Iterable[Record | None]) -> bool:
    """Are these documents with clusters of mentions? The first record decides."""
    first = next((record for record in records if record is not None), {})
    return CLUSTERS in first and (SENTENCES in first or is_list(first.get(TOKENS)))


def first_of(item: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    """What stands under the first of the keys that is there; None if none is."""
    return next((item[key] for key in keys if key in item), None)


def token_numbers(item: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """Start and end (exclusive) in tokens, where a span has them beside those in characters."""
    for start, end, more in TOKEN_KEYS:
        if isinstance(item.get(end), int):
            return item.get(start), item[end] + more
    return None


def listed_keys(record: Record) -> str:
    """The keys of a record in words, for messages."""
    shown = ", ".join(f"'{key}'" for key in [*record][:SHOWN_KEYS])
    return f"the keys are {shown}" if record else "the object is empty"


def may_annotate(value: Any) -> bool:
    """Is it a list, if an empty one, or an object that holds something?"""
    return is_list(value) or (isinstance(value, Mapping) and bool(value))


def is_tag_key(key: str) -> bool:
    """Is this a usual key of tags?"""
    return key in TAG_KEYS or key.endswith("_tags")


def is_list(value: Any) -> bool:
    """Is it a list, or a tuple of Python?"""
    return isinstance(value, list | tuple)


def is_comment(value: Any) -> bool:
    """Is it a string of one line?"""
    return isinstance(value, str) and not any(c in value for c in LINE_BREAKS)


def is_key(key: str) -> bool:
    """Can a comment `key = value` be made of it?"""
    return bool(key) and key == key.strip() and not any(c in key for c in "=" + LINE_BREAKS)


def json_kind(value: Any) -> str:
    """What a value is, in the words of JSON."""
    if value is None:
        return "null"
    for types, words in (
        (bool, "a truth value"),
        (str, "a string"),
        (int | float, "a number"),
        (list | tuple, "a list"),
        (Mapping, "an object"),
    ):
        if isinstance(value, types):
            return words
    return f"a {type(value).__name__}"
