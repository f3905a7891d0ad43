"""Hot loops of alignment: stripping white space, laying out texts, pairing words."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel


@kernel
def strip_spaces(blob: Any, bounds: Any, strict: bool) -> Any:
    """UTF-8 strings without white space: new bytes, their bounds, and lengths in characters.

    White space is ASCII's, U+0085, and category Z of Unicode; if `strict`, category Zs alone. Also
    returns whether there was any that is not of category Zs.
    """
    kept = np.empty(len(blob), np.uint8)
    new_bounds = np.zeros(len(bounds), np.int64)
    characters = np.zeros(max(len(bounds) - 1, 0), np.int64)
    n = 0
    other = False
    for row in range(len(bounds) - 1):
        i = bounds[row]
        end = bounds[row + 1]
        while i < end:
            c = blob[i]
            width = 1
            if c >= 240:
                width = 4
            elif c >= 224:
                width = 3
            elif c >= 192:
                width = 2
            width = min(width, end - i)
            space = False
            control = False
            if width == 1:
                space = c == 32
                control = 9 <= c <= 13 or 28 <= c <= 31
            else:
                point = np.int64(c) & (255 >> (width + 1))
                for j in range(1, width):
                    point = (point << 6) | (np.int64(blob[i + j]) & 63)
                space = (
                    point == 0xA0
                    or point == 0x1680
                    or 0x2000 <= point <= 0x200A
                    or point == 0x202F
                    or point == 0x205F
                    or point == 0x3000
                )
                control = point == 0x85 or point == 0x2028 or point == 0x2029
            other = other or control
            if not space and (strict or not control):
                for j in range(width):
                    kept[n] = blob[i + j]
                    n += 1
                characters[row] += 1
            i += width
        new_bounds[row + 1] = n
    return kept[:n].copy(), new_bounds, characters, other


@kernel
def lay_out(codes: Any, multi_start: Any, multi_end: Any, multi_codes: Any, characters: Any) -> Any:
    """Surface tokens, and the stretch of characters of every word.

    Returns the code and the first word of each surface token, and start, end and membership in a
    multiword token of each word. Multiword tokens must be in order; `characters` are the lengths.
    """
    size = len(codes)
    surface = np.empty(size, np.int32)
    word = np.empty(size, np.int64)
    start = np.empty(size, np.int64)
    end = np.empty(size, np.int64)
    multi = np.empty(size, np.bool_)
    tokens = 0
    position = 0
    m = 0
    i = 0
    while i < size:
        stop = i + 1
        code = codes[i]
        inside = m < len(multi_start) and multi_start[m] == i
        if inside:
            stop = multi_end[m]
            code = multi_codes[m]
            m += 1
        surface[tokens] = code
        word[tokens] = i
        tokens += 1
        for w in range(i, stop):
            start[w] = position
            end[w] = position + characters[code]
            multi[w] = inside
        position += characters[code]
        i = stop
    return surface[:tokens].copy(), word[:tokens].copy(), start, end, multi


@kernel
def _beyond(start: int, end: int, multi: bool, limit: int) -> bool:
    """Does this word lie past the end of a multiword stretch?"""
    return start >= limit if multi else end > limit


@kernel
def pair_outside(
    gold_start: Any,
    gold_end: Any,
    gold_multi: Any,
    system_start: Any,
    system_end: Any,
    system_multi: Any,
) -> Any:
    """Pair words by characters, and find the stretches that need their forms.

    As the CoNLL 2018 evaluation pairs words: outside multiword tokens words pair if they cover the
    same characters; a multiword token on either side opens the smallest stretch in which all
    multiword tokens end. Returns the system word of every gold word (-1 for none), and the
    stretches as rows (first and end of gold words, first and end of system words).
    """
    of_gold = np.full(len(gold_start), -1, np.int32)
    room = 1
    for i in range(len(gold_multi)):
        room += gold_multi[i]
    for i in range(len(system_multi)):
        room += system_multi[i]
    stretches = np.empty((room, 4), np.int64)
    n = 0
    g = 0
    s = 0
    while g < len(gold_start) and s < len(system_start):
        if not gold_multi[g] and not system_multi[s]:
            if gold_start[g] == system_start[s] and gold_end[g] == system_end[s]:
                of_gold[g] = s
                g += 1
                s += 1
            elif gold_start[g] <= system_start[s]:
                g += 1
            else:
                s += 1
            continue
        # A stretch begins with the multiword token; a word that begins before it is passed over.
        if gold_multi[g]:
            limit = gold_end[g]
            if not system_multi[s] and system_start[s] < gold_start[g]:
                s += 1
        else:
            limit = system_end[s]
            if not gold_multi[g] and gold_start[g] < system_start[s]:
                g += 1
        stretches[n, 0] = g
        stretches[n, 2] = s
        while True:
            gold_done = g >= len(gold_start) or _beyond(
                gold_start[g], gold_end[g], gold_multi[g], limit
            )
            system_done = s >= len(system_start) or _beyond(
                system_start[s], system_end[s], system_multi[s], limit
            )
            if gold_done and system_done:
                break
            if g < len(gold_start) and (s >= len(system_start) or gold_start[g] <= system_start[s]):
                if gold_multi[g] and gold_end[g] > limit:
                    limit = gold_end[g]
                g += 1
            else:
                if system_multi[s] and system_end[s] > limit:
                    limit = system_end[s]
                s += 1
        if g == stretches[n, 0] and s == stretches[n, 2]:
            # A multiword token without a character holds no stretch; its words have no partner.
            if g < len(gold_start) and gold_multi[g]:
                g += 1
            else:
                s += 1
            continue
        stretches[n, 1] = g
        stretches[n, 3] = s
        n += 1
    return of_gold, stretches[:n].copy()


@kernel
def pair_inside(of_gold: Any, stretches: Any, gold_form: Any, system_form: Any, most: int) -> bool:
    """Pair words inside stretches along a longest common subsequence of their forms.

    Equal forms pair at once, and on ties the gold word is passed over first. Writes into `of_gold`;
    False if a stretch would need a table of more than `most` cells.
    """
    for n in range(len(stretches)):
        i, g, j, s = stretches[n]
        # Equal forms at the front pair whatever follows, so the table starts after them.
        while i < g and j < s and gold_form[i] == system_form[j]:
            of_gold[i] = j
            i += 1
            j += 1
        rows = g - i
        cols = s - j
        if rows == 0 or cols == 0:
            continue
        if rows * cols > most:
            return False
        lcs = np.zeros((rows + 1, cols + 1), np.int32)
        for r in range(rows - 1, -1, -1):
            for c in range(cols - 1, -1, -1):
                best = max(lcs[r + 1, c], lcs[r, c + 1])
                if gold_form[i + r] == system_form[j + c]:
                    best = max(best, lcs[r + 1, c + 1] + 1)
                lcs[r, c] = best
        r = 0
        c = 0
        while r < rows and c < cols:
            if gold_form[i + r] == system_form[j + c]:
                of_gold[i + r] = j + c
                r += 1
                c += 1
            elif lcs[r, c] == lcs[r + 1, c]:
                r += 1
            else:
                c += 1
    return True
