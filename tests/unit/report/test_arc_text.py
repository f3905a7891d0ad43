"""Trees in the terminal: every line can be followed, nothing is wider than the terminal."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import tertium
from arc_samples import figure, one, scene, trees, two, word
from result_samples import HOSTILE
from tertium.align.tokens import align
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs
from tertium.report.layout import WordLine, buses_of, lines_of
from tertium.report.render.arcs import Room, SideArcs, mirrored
from tertium.report.render.figures import FigureText
from tertium.report.render.signs import ASCII, UNICODE, Signs
from tertium.results.figures import PLACE, Link, figure_of
from tertium.results.items import NOWHERE, ROOT
from tertium.results.scenes import OUTSIDE, Scene
from tertium.results.sentences import Scenes


def drawn(pair: Scene, **look: Any) -> list[str]:
    return FigureText(**look).draw(figure(pair)).rstrip("\n").split("\n")


def test_one_tree() -> None:
    assert drawn(one([1, 3, 3, ROOT], ["The", "bakery", "will", "reopen"])) == [
        "  ┌► x 1 The",
        "┌►└─ x 2 bakery",
        "├──► x 3 will",
        "└──● x 4 reopen",
    ]


def test_two_trees_mirror_each_other() -> None:
    pair = two([1, 3, 3, ROOT], [1, 3, 1, ROOT], ["The", "bakery", "will", "reopen"], w3="aux")
    assert drawn(pair) == [
        "gold                system",
        "  ┌► x     1 The    x   ◄┐",
        "┌►└─ x     2 bakery x   ─┤◄┐",
        "├──▷ x   ≠ 3 will   aux ◁┘ │",
        "└──● x     4 reopen x   ●──┘",
    ]


def test_ascii() -> None:
    pair = two([1, 3, 3, ROOT], [1, 3, 1, ROOT], ["Thé", "bakery", "will", "reopen"], w3="aux")
    assert drawn(pair, ascii=True) == [
        r"gold                system",
        r"  .> x     1 Th\xe9 x   <.",
        r".>'- x     2 bakery x   -+<.",
        r"+--* x   ! 3 will   aux *' |",
        r"'--o x     4 reopen x   o--'",
    ]


def test_crossing_lines() -> None:
    # 2 -> 1, 4; 3 -> 2, 5: the arcs 2-4 and 3-5 cross
    assert drawn(one([1, 2, ROOT, 1, 2])) == [
        "  ┌► x 1 w1",
        "┌►├─ x 2 w2",
        "├─┼● x 3 w3",
        "│ └► x 4 w4",
        "└──► x 5 w5",
    ]


def test_roots_and_missing_heads() -> None:
    assert drawn(two([ROOT, NOWHERE, ROOT], [ROOT, 0, NOWHERE])) == [
        "gold       system",
        "● x   1 w1 x ●┐",
        "  x ≠ 2 w2 x ◁┘",
        "○ x ≠ 3 w3 x",
    ]


def test_a_head_in_another_sentence() -> None:
    assert drawn(two([ROOT, 0, 1], [OUTSIDE, 0, OUTSIDE])) == [
        "gold          system",
        "┌──○ x ≠ 1 w1 x ─┐◁┄",
        "└►┌─ x   2 w2 x ◄┘",
        "  └▷ x ≠ 3 w3 x ◁┄┄┄",
    ]


def test_words_of_one_side_only() -> None:
    found = scene(
        [word(1, 3, form="A."), None, None, word(2, ROOT, form="b")],
        [
            None,
            word(1, 3, form="A"),
            word(2, 1, form="."),
            word(3, ROOT, form="b"),
        ],
    )
    assert drawn(found) == [
        "gold          system",
        "┌▷ x − 1 A.",
        "│    +   A  1 x ─┐◁┐",
        "│    +   .  2 x ◁┘ │",
        "└● x   2 b  3 x ●──┘",
    ]


def test_wide_characters_keep_columns() -> None:
    lines = drawn(two([1, ROOT], [1, ROOT], ["東京", "x"]))
    assert lines[1:] == ["┌► x   1 東京 x ◄┐", "└● x   2 x    x ●┘"]


def test_right_to_left_words_stand_last() -> None:
    pair = two([ROOT, 0, 0], [ROOT, 0, 1], ["كتب", "الولد", "UN"])
    assert drawn(pair) == [
        "gold",
        "┌● x   1 كتب",
        "├► x   2 الولد",
        "└▷ x ≠ 3 UN",
        "system",
        "┌──● x   1 كتب",
        "└►┌─ x   2 الولد",
        "  └▷ x ≠ 3 UN",
    ]


def test_tags_stand_behind_the_words_of_one_tree() -> None:
    assert drawn(scene([word(1, ROOT, form="so", upos="ADV")])) == ["● x 1 so ADV"]
    assert drawn(scene([word(1, ROOT, form="كتب", upos="VERB")])) == ["● x 1 كتب"]


def test_words_that_are_alike_are_counted() -> None:
    heads = [*range(1, 20), ROOT]
    other = [*heads]
    other[9] = 12
    assert drawn(two(heads, other)) == [
        "gold                     system",
        "        ╷  … 9 other words  ╷",
        "      ┌▷└─ x ≠ 10 w10    x ─┘◁┐",
        "    ┌►└─── x   11 w11    x ◄┐ │",
        "  ┌►└───── x   12 w12    x ─┘◄┤",
        "┌►└─────── x   13 w13    x ───┘◄┐",
        "╵          … 7 other words      ╵",
    ]
    assert len(drawn(one(heads))) == 20


def test_what_a_difference_touches_is_shown() -> None:
    heads = [ROOT] + [0] * 29
    other = [*heads]
    other[20] = 10
    lines = lines_of(figure(two(heads, other)))
    assert lines == [
        WordLine(0, 0), WordLine(1, 9), WordLine(10, 10), WordLine(11, 19), WordLine(20, 20),
        WordLine(21, 29),
    ]  # fmt: skip
    kept = lines_of(figure(two(heads, other)), keep=[15])
    assert WordLine(15, 15) in kept
    assert lines_of(figure(two(heads, other)), whole=True) == [
        WordLine(row, row) for row in range(30)
    ]
    assert lines_of(figure(two(heads[:15], [*heads[:14], 3]))) == [
        WordLine(row, row) for row in range(15)
    ]
    assert lines_of(figure(two(heads, heads))) == [WordLine(row, row) for row in range(30)]


def test_runs_of_two_are_not_worth_a_line() -> None:
    heads = [ROOT] + [0] * 19
    other = [*heads]
    other[3], other[7] = 1, 6
    assert lines_of(figure(two(heads, other))) == [
        *(WordLine(row, row) for row in range(8)),
        WordLine(8, 19),
    ]


def test_lines_go_through_what_is_counted() -> None:
    gold = [19] * 19 + [ROOT]
    system = [*gold]
    system[1] = 0
    assert drawn(two(gold, system)) == [
        "gold              system",
        "┌► x    1 w1      x ─┐◄┐",
        "├▷ x ≠  2 w2      x ◁┘ │",
        "│  … 17 other words    │",
        "└● x   20 w20     x ●──┘",
    ]


def test_lines_that_end_and_begin_in_one_run_stand_apart() -> None:
    heads = [1, ROOT, 1, 1, 1, 8, 8, 8, ROOT]  # one bus down to row 4, one up from row 5
    lines = [
        *(WordLine(row, row) for row in range(3)),
        WordLine(3, 6),
        WordLine(7, 7),
        WordLine(8, 8),
    ]
    buses = buses_of(heads, lines)
    assert (buses[1].last, buses[8].first) == (3, 3)
    assert buses[1].level != buses[8].level


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("width", [40, 50, 60, 80, 120])
def test_deep_trees_fit(width: int, ascii: bool) -> None:
    chain = [ROOT, *range(29)]
    other = [ROOT, *[max(n - 1, 0) for n in range(29)]]
    forms = [f"{'word' * (n % 9)}{n}" for n in range(30)]
    look = FigureText(width=width, ascii=ascii)
    for pair in (two(chain, other, forms), one(chain, forms)):
        text = look.draw(figure(pair))
        assert max(cell_len(line) for line in text.split("\n")) <= width
        signs = ASCII if ascii else UNICODE
        if signs.beyond in text:
            assert "(" in text
            assert "no room" in look.legend([figure(pair)], text)


def test_arcs_without_room_name_their_heads() -> None:
    lines = drawn(one([ROOT, *range(59)]), width=40)
    assert lines[1].startswith("‹")
    assert "x(1)" in lines[1]
    assert lines[1].endswith("w2")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_strings_stay_on_their_line(text: str) -> None:
    pair = two([1, ROOT], [ROOT, 0], [text, "b"], w2=text)
    pair = replace(pair, id=text)
    for look in (FigureText(), FigureText(ascii=True), FigureText(color=True)):
        page = look.draw(figure(pair), names=(text, text))
        page.replace("\x1b[", "").encode("utf-8")
        lines = page.rstrip("\n").split("\n")
        assert len(lines) in (3, 6)
        bare = page
        for code in ("94", "33", "1", "2", "0"):
            bare = bare.replace(f"\x1b[{code}m", "") if look.color else bare
        assert not [c for c in bare if ord(c) < 32 and c != "\n"]
        assert not set(bare) & set("\u202e\u202c\x7f\u2028")
        if look.ascii:
            assert page.isascii()


def test_colours_are_added_to_signs_and_change_nothing_else() -> None:
    pair = two([1, 3, 3, ROOT], [1, 3, 1, ROOT], w3="aux")
    page = FigureText(color=True).draw(figure(pair))
    assert "\x1b[94m├──▷\x1b[0m" in page
    assert "\x1b[33maux\x1b[0m" in page
    for code in ("94", "33", "1", "2", "0"):
        page = page.replace(f"\x1b[{code}m", "")
    assert page == FigureText().draw(figure(pair))


def test_the_legend_says_what_is_there() -> None:
    look = FigureText()
    assert look.legend([figure(two([ROOT, 0], [ROOT, 0]))]) == ""
    assert look.legend([figure(two([ROOT, 0], [ROOT, 0], w2="y"))]) == "≠ head or relation differs"
    legend = look.legend([figure(two([ROOT, 0], [1, OUTSIDE]))])
    assert (
        legend == "≠ head or relation differs   ▷ ○ different head   ┄► head outside the sentence"
    )


def test_cycles_and_loops_are_drawn() -> None:
    assert drawn(one([1, 0, 2]))[2].endswith("↻ x 3 w3")
    text = "\n".join(drawn(one([1, 2, 0, 0])))
    assert text.count("►") == 4


# -- every arc can be found again ---------------------------------------------------------------


def followed(lines: Sequence[str], step: int, signs: Signs) -> list[int]:
    """The heads that a reader finds: along the row to the bus, along the bus to its head."""
    up = {signs.lines[m] for m in range(16) if m & 1} | {signs.entered[m] for m in (13, 15)}
    down = {signs.lines[m] for m in range(16) if m & 2} | {signs.entered[m] for m in (14, 15)}
    joints = {signs.lines[m] for m in (9, 10, 11)}
    entered = {signs.entered[m] for m in (13, 14, 15)} if step == 1 else set()
    own: dict[int, int] = {}
    from_head: dict[int, int] = {}
    roots = set()
    for row, line in enumerate(lines):
        at = len(line) - 1
        is_root, has_arrow = line[at] in signs.root, line[at] in signs.arrow
        if line[at] == " ":
            continue
        at -= 1
        while at >= 0 and line[at] not in joints | entered:
            at -= 1
        if is_root:
            roots.add(row)
            if at >= 0:
                own[row] = at
            continue
        if step == 1 and line[at] in entered:
            own[row] = at
            at -= 1
        elif not has_arrow:
            own[row] = at
            if at == 0 or line[at - 1] not in signs.arrow:
                continue
            at -= 2
        while line[at] not in joints:
            at -= 1
        from_head[row] = at
    found = [NOWHERE] * len(lines)
    for row, column in from_head.items():
        rows = {row}
        place = row
        while lines[place][column] in up and place > 0:
            place -= 1
            rows.add(place)
        place = row
        while lines[place][column] in down and place < len(lines) - 1:
            place += 1
            rows.add(place)
        (found[row],) = [r for r in rows if own.get(r) == column]
    for row in roots:
        found[row] = ROOT
    return found


@pytest.mark.parametrize("signs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("step", [2, 1])
@given(heads=trees(), data=st.data())
def test_every_arc_can_be_followed(
    step: int, signs: Signs, heads: list[int], data: st.DataObject
) -> None:
    lines = [WordLine(row, row) for row in range(len(heads))]
    same = [data.draw(st.booleans()) for _ in heads]
    links = {
        row: Link(source=head, target=row, parts=() if s else (PLACE,))
        for row, (head, s) in enumerate(zip(heads, same, strict=True))
    }
    side = SideArcs(links, len(heads), lines)
    drawn = [text for text, _ in side.art(Room(step, side.levels), signs)]
    assert followed(drawn, step, signs) == heads
    arrows = [line[-1] if head == ROOT else "" for line, head in zip(drawn, heads, strict=True)]
    assert arrows == [
        signs.root[not s] if head == ROOT else "" for s, head in zip(same, heads, strict=True)
    ]
    assert [mirrored(mirrored(line)) for line in drawn] == drawn


def is_projective(heads: Sequence[int]) -> bool:
    arcs = [(min(d, h), max(d, h)) for d, h in enumerate(heads) if h >= 0]
    inside = any(a < c < b < d for a, b in arcs for c, d in arcs)
    covered = any(a < d < b for a, b in arcs for d, h in enumerate(heads) if h == ROOT)
    return not inside and not covered


@given(trees())
def test_lines_cross_only_where_arcs_do(heads: list[int]) -> None:
    text = FigureText().draw(figure(one(heads)))
    if is_projective(heads):
        assert "┼" not in text


@given(gold=trees(), data=st.data(), width=st.integers(40, 100))
def test_every_word_that_differs_is_there(gold: list[int], data: st.DataObject, width: int) -> None:
    gold = [*gold, *([0] * 10)]
    system = [
        data.draw(st.integers(0, row - 1)) if row and data.draw(st.booleans()) else head
        for row, head in enumerate(gold)
    ]
    if system[0] == 0:
        system[0] = ROOT
    pair = two(gold, system)
    lines = drawn(pair, width=width)
    assert max(map(cell_len, lines)) <= width
    shown = [line for line in lines[1:] if "other words" not in line]
    for row in pair.differing:
        assert sum(f" {pair.words[row]} " in f"{line} " for line in shown) == 1
    assert sum("≠" in line for line in shown) == len(pair.differing)
    counted = sum(int(line.split("…")[1].split()[0]) for line in lines if "other words" in line)
    assert len(shown) + counted == len(gold)


@pytest.mark.parametrize("kind", ["chain", "flat", "backwards"])
def test_a_sentence_of_8_000_words(kind: str) -> None:
    """In half a second; in a quadratic way this would take many."""
    count = 8_000
    heads = {
        "chain": [*range(count)],
        "flat": [0] + [1] * (count - 1),
        "backwards": [*range(2, count + 1), 0],
    }
    forms = Labels.of(f"w{n}" for n in range(count))

    def corpus(name: str) -> Corpus:
        arcs = Arcs(np.array(heads[name], np.int32), Labels.constant("x", count))
        return Corpus(np.array([0, count]), forms, {"deps": arcs})

    gold, system = corpus(kind), corpus("chain" if kind != "chain" else "flat")
    alignment = align(gold, system)
    drawn_of = tertium.metric("deps.las").items
    decisions = tertium.decide(gold, system, "deps.las")
    sides = gold, drawn_of(gold), system, drawn_of(system)
    lines = drawn(Scenes(*sides, decisions, alignment, figure=figure_of).scene(0))
    assert len(lines) == 201
    assert "more words, not drawn" in lines[-1]
    assert max(map(cell_len, lines)) <= 80
