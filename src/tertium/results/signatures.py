"""Signatures of results: one string each, the same in every output, and whose it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from tertium.exceptions import UsageError
from tertium.results.blocks import Block, Text
from tertium.results.texts import listed
from tertium.signature import Signature

THEORY = re.compile(r"\|theory:([^|]*)")


def signature_texts(
    found: Iterable[tuple[str, str, Signature | str]], names: Mapping[str, str] | None = None
) -> list[Text]:
    """Every signature once, in order, given as system, metric and signature. Where the systems of a
    metric have different ones, each says whose it is; theories of systems are joined. `names` are
    what tables call the metrics, which are given where the id does not say them.

    >>> [t.whose for t in signature_texts([("a", "m", "m|v:1"), ("b", "m", "m|v:2")])]
    ['a', 'b']
    >>> [t.whose for t in signature_texts([("a", "m", "m|v:1"), ("b", "m", "m|v:1")])]
    ['']
    >>> [t.text for t in signature_texts([("a", "m", "m|theory:x"), ("b", "m", "m|theory:y")])]
    ['m|theory:x,y']
    """
    of_metric: dict[str, dict[str, tuple[dict[str, None], dict[str, None]]]] = {}
    for system, metric, signature in found:
        common = THEORY.sub("", str(signature))
        texts, systems = of_metric.setdefault(metric, {}).setdefault(common, ({}, {}))
        texts.setdefault(str(signature))
        systems.setdefault(system)
    whose: dict[str, dict[str, None]] = {}
    called: dict[str, str] = {}
    for metric, signatures in of_metric.items():
        for texts, systems in signatures.values():
            text = _joined(texts)
            whose.setdefault(text, {}).update(systems if len(signatures) > 1 else {})
            name = (names or {}).get(metric, metric)
            is_said = name.casefold() in (metric.casefold(), text.partition("|")[0].split(".")[-1])
            called.setdefault(text, "" if is_said else name)
    return [
        Text(text, "signature", listed([*systems], most=len(systems)), called[text])
        for text, systems in whose.items()
    ]


def _joined(texts: Iterable[str]) -> str:
    """One signature of several that differ in the theory alone; where a metric cannot score a
    system, there is none."""
    found = {text: own[1] for text in texts if (own := THEORY.search(text))}
    names = ",".join(found.values())
    return THEORY.sub(lambda _: f"|theory:{names}", next(iter(found or texts)))


def signature_entry(found: Mapping[str, Signature]) -> dict[str, Any]:
    """`signature` of a JSON entry about several systems, that of the first; where they differ, also
    `signatures` by system."""
    texts = {system: str(signature) for system, signature in found.items()}
    entry: dict[str, Any] = {"signature": next(iter(texts.values()), "")}
    return {**entry, "signatures": texts} if len({*texts.values()}) > 1 else entry


def abbreviated(blocks: Iterable[Block]) -> list[Block]:
    """The same with short signatures."""
    return [
        replace(block, text=_short(block.text))
        if isinstance(block, Text) and block.role == "signature"
        else block
        for block in blocks
    ]


def _short(text: str) -> str:
    with suppress(UsageError):
        return Signature.parse(text).short()
    return text
