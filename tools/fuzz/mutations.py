"""Accidents and attacks: ways to damage a file, from one byte to its compression."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from random import Random
from typing import Any

# Bytes that mean something to some reader, or to nobody.
BYTES = [
    *(bytes([byte]) for byte in b"\t\n\r #_-.,:|/{}[]\"'\\=0123456789ON\0\x0b\x0c\x1b\x7f\xff\xc3"),
    b"\xef\xbb\xbf",  # a byte order mark
    "\u2028".encode(),
    "\u0085".encode(),
    "\u00a0".encode(),
    "\u202e".encode(),
    "e\u0301".encode(),
    "😀".encode(),
    b"\xed\xa0\x80",  # half a surrogate pair
    b"\xc0\x80",  # overlong
    b"\\ud800",
    b"</script><script>",
    b"\r\n",
    b"\n\n",
]
FIELDS = """-1 0 1 2 00 01 999 99999999999 _ 1-2 1-1 2-1 1.1 0.1 1.0 O B-PER I-X B- - -X- # 1e999
nan NaN null true [] {} "" * ~ . .. - = a=b $(x) -DOCSTART- NONE EMPTY SpaceAfter=No A=B|A=C
0:root 1:a|1:a 2.1:x root ٣ ² é""".split()
FIELDS += ["", " ", "x" * 10_000, "1" * 5_000, "a b", "<b>&amp;", "=1+1", "\\end{table}", "%d{x}"]
VALUES: list[Any] = [None, True, 0, -1, 1.5, 10**20, 1e308, "", "x", "\ud800", [], {}, [[]], [None]]
VALUES += [{"value": None}, "1" * 5_000, float("nan"), float("inf")]


def damaged(data: bytes, random: Random, others: tuple[bytes, ...] = ()) -> bytes:
    """The file after one to four accidents; `others` are files it may be mixed up with."""
    for _ in range(random.choice([1, 1, 1, 2, 3, 4])):
        data = random.choice(MUTATIONS)(data, random)
    if others and random.random() < 0.1:
        lines, more = data.split(b"\n"), random.choice(others).split(b"\n")
        cut, at = random.randint(0, len(lines)), random.randint(0, len(more))
        data = b"\n".join(lines[:cut] + more[at:])
    if random.random() < 0.05:
        data = random.choice(COMPRESSIONS)(data, random)
    return data


def in_bytes(data: bytes, random: Random) -> bytes:
    """Bytes set, flipped, lost, doubled, put in or cut off."""
    at = random.randint(0, len(data))
    size = random.choice([1, 1, 2, 4, 20])
    new = random.choice(BYTES)
    flipped = bytes(byte ^ 1 << random.randrange(8) for byte in data[at : at + 1])
    return random.choice(
        [
            data[:at] + new + data[at + 1 :],
            data[:at] + flipped + data[at + 1 :],
            data[:at] + data[at + size :],
            data[:at] + data[at : at + size] * 2 + data[at + size :],
            data[:at] + new * random.choice([1, 1, 3, 1000]) + data[at:],
            data[:at],
            data.replace(random.choice(b"\t\n _-").to_bytes(), new),
        ]
    )


def in_lines(data: bytes, random: Random) -> bytes:
    """Lines lost, doubled, swapped, joined, or emptied."""
    lines = data.split(b"\n")
    i, j = random.randrange(len(lines)), random.randrange(len(lines))
    kind = random.randrange(6)
    if kind == 0:
        del lines[i]
    elif kind == 1:
        lines.insert(j, lines[i])
    elif kind == 2:
        lines[i], lines[j] = lines[j], lines[i]
    elif kind == 3:
        lines[i : i + 2] = [b" ".join(lines[i : i + 2])]
    elif kind == 4:
        lines.insert(i, b"")
    else:
        lines[min(i, j) : max(i, j)] = []
    return b"\n".join(lines)


def in_fields(data: bytes, random: Random) -> bytes:
    """One field, or one column of all lines, becomes something else."""
    lines = data.split(b"\n")
    separator = random.choice([b"\t", b"\t", b" ", b"_", b", ", b'"', b"="])
    rows = [i for i, line in enumerate(lines) if separator in line]
    if not rows:
        return in_bytes(data, random)
    new = random.choice(FIELDS).encode()
    place = random.randrange(lines[random.choice(rows)].count(separator) + 1)
    kind = random.choice(["set", "set", "set", "delete", "insert"])
    for row in rows if random.random() < 0.1 else [random.choice(rows)]:
        fields = lines[row].split(separator)
        at = min(place, len(fields) - 1)
        fields[at : at + (kind != "insert")] = [] if kind == "delete" else [new]
        lines[row] = separator.join(fields)
    return b"\n".join(lines)


def in_json(data: bytes, random: Random) -> bytes:
    """One node of JSON, or of one line of JSON lines, becomes something else."""
    lines = [data] if data.startswith(b"{\n") else data.split(b"\n")
    at = random.randrange(len(lines))
    try:
        tree = json.loads(lines[at])
    except (ValueError, RecursionError):
        return in_fields(data, random)
    places = _places(tree)
    if not places:
        return in_bytes(data, random)
    parent, key = random.choice(places)
    value = random.choice([*VALUES, parent[key], [parent[key]] * 2, {"x": parent[key]}])
    if random.random() < 0.2:
        del parent[key]
    elif isinstance(parent, dict) and random.random() < 0.2:
        parent[random.choice(FIELDS)] = parent.pop(key)
    else:
        parent[key] = value
    lines[at] = json.dumps(tree, indent=2 if len(lines) == 1 else None).encode()
    return b"\n".join(lines)


def _places(tree: Any) -> list[tuple[Any, Any]]:
    found = []
    keys = [*tree] if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else []
    for key in keys:
        found.append((tree, key))
        found += _places(tree[key])
    return found


def repeated(data: bytes, random: Random) -> bytes:
    """A piece of the file, some hundred kilobytes of it."""
    size = random.choice([1, 2, 8, 30, 200, len(data)])
    at = random.randint(0, max(0, len(data) - size))
    if random.random() < 0.5:  # whole lines
        size += (data.find(b"\n", at + size) + 1 or len(data)) - at - size
        at = data.rfind(b"\n", 0, at) + 1
    piece = data[at : at + size] or b"x"
    return data[:at] + piece * (random.choice([20_000, 300_000]) // len(piece)) + data[at:]


def gz_cut(data: bytes, random: Random) -> bytes:
    """A gzip file that is whole, cut off, damaged, or followed by something."""
    return _spoiled(gzip.compress(data, mtime=0), random)


def zst_cut(data: bytes, random: Random) -> bytes:
    """The same with zstd, where it is installed; else with zlib, which we do not read."""
    try:
        import zstandard
    except ImportError:
        return _spoiled(zlib.compress(data), random)
    return _spoiled(zstandard.ZstdCompressor().compress(data), random)


def _spoiled(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data))
    flipped = data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]
    return random.choice([data, data[:at], flipped, data + random.choice(BYTES), data * 2])


Mutation = Callable[[bytes, Random], bytes]
MUTATIONS: list[Mutation] = [in_bytes, in_bytes, in_lines, in_lines, in_fields, in_fields, in_json]
COMPRESSIONS: list[Mutation] = [gz_cut, zst_cut]
