"""Renderers: what each promises, on ordinary and on hostile results."""

import csv
import hashlib
import io
import json
import math
import re
import shutil
import subprocess
import sys
from base64 import b64encode
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import tertium
from block_samples import BANDS, CURVES, KINDS, RANKS, SHARES
from result_samples import (
    HOSTILE,
    entity_scores,
    fair_scores,
    grouped_scores,
    hostile_scores,
    label,
    result,
    scores,
)
from schemas import validator_of
from tertium.exceptions import UsageError
from tertium.report.render import FORMATS, markdown, render, render_blocks, text
from tertium.report.render import latex as latex_renderer
from tertium.report.render.data import json_of
from tertium.results.blocks import Bars, Column, Intersections, Matrix, Text, table_of
from tertium.results.texts import shown, visible
from tertium.signature import Signature
from tertium.significance.score.against import changes
from tertium.significance.score.result import Scores

ALL = {"labels": True, "confusion": True, "error_types": True, "parts": True}
PEOPLE = ("text", "markdown", "latex", "html", "svg")
MATRIX = Matrix(
    ("A", None), ("A", None), ((3, 1), (0, None)),
    title="m", row_axis="gold", column_axis="system", note="what it is & why",
)  # fmt: skip
BARS = Bars(("x", "y"), ("p", "q"), ((1, 3), (0, None)), title="b", axis="type", unit="errors")
SETS = Intersections(("A", "B"), ((True, False), (True, True)), (3, 9), title="s", note="n")
BY_LABEL = table_of(
    [
        Column("label"),
        *(Column(name, "f1", "percent", "higher", "f1") for name in "xyz"),
        Column("all", "f1", "percent", bound=True),
    ],
    [("NOUN", 0.9, 0.8, 0.7, 0.95)],
)


def since(some: Scores) -> Scores:
    """Scores with their changes since a run that gave the same."""
    return replace(some, against=changes(some, some.to_dict(), "e.json"))


@pytest.mark.parametrize("format", PEOPLE)
def test_no_control_character_gets_through(format: str) -> None:
    page = render(hostile_scores(), format, **ALL)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", page)
    assert not re.search("[\ud800-\udfff]", page)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_renders_everything(format: str) -> None:
    for some in (entity_scores(), fair_scores(), grouped_scores(), hostile_scores(), scores()):
        assert render(since(some) if len(some) else some, format, **ALL).endswith("\n")


def test_an_unknown_format_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="Did you mean 'markdown'"):
        render(entity_scores(), "markdwn")


# text


@pytest.mark.parametrize("width", [40, 80, 200])
def test_lines_keep_to_the_width(width: int) -> None:
    from rich.cells import cell_len

    many = [f"spans.f1(column='c{i}')" for i in range(9)]
    wide = scores(
        *(result(s, m) for s in ("a", "/a/long/path/to/some/system.conllu") for m in many)
    )
    for some in (wide, entity_scores(), grouped_scores(), fair_scores("a" * 50, "b", "c d")):
        page = render(some, "text", width=width, **ALL)
        lines = [x for x in page.split("\n") if "|" not in x]
        assert max(map(cell_len, lines)) <= width


def test_wide_tables_are_cut_between_metrics_and_repeat_the_systems() -> None:
    many = scores(*(result("arbor", f"m.m{i}") for i in range(6)))
    page = render(many, "text")
    assert page.count("\narbor") == page.count("system  ") > 1
    assert all(f"m.m{i}" in page for i in range(6))


LONG_GROUPS = (
    "some-very-long-corpus-name/with-a-long-name-of-a-genre-as-well",
    "another_long_name_of_a_group_without_any_slash_in_it",
)


@pytest.mark.parametrize("width", [52, 80])
@pytest.mark.parametrize(
    ("metric", "parts"),
    [
        ("deps.las", ("f1", "complete")),
        ("spans.f1(column='column3', scheme='iobes')", ("precision", "recall", "f1")),
        ("deps.las(lexicon='/a/long/path/to/the/training/data.conllu')", ("f1",)),
        ("deps.las", ("precision", "recall", "f1", "complete", "and", "many", "further", "parts")),
    ],
)
def test_long_names_of_groups_leave_room_for_numbers(
    metric: str, parts: tuple[str, ...], width: int
) -> None:
    from rich.cells import cell_len

    groups = {g: result(metric=metric, coverage={"units": 12}) for g in LONG_GROUPS}
    some = [
        result(system, metric, groups=groups, shown=parts)
        for system in ("arbor", "/a/long/path/to/breeze.conllu")
    ]
    page = render(scores(*some, by="sent_id~^[a-z]+-[a-z]+"), "text", width=width)
    assert max(cell_len(line) for line in page.split("\n") if "|" not in line) <= width
    first = page.split("\n\n")[1]
    assert "sentences" in first
    assert "84.23" in first


def test_six_metrics_are_cut_between_metrics() -> None:
    many = ("tags.accuracy(column='upos')", "tags.accuracy(column='xpos')", "deps.uas", "deps.las",
            "deps.ls", "spans.f1")  # fmt: skip
    page = render(scores(*(result(s, m) for s in ("a", "b") for m in many)), "text")
    parts = page.split("\n\n")[1:3]
    assert [part.count("F1") for part in parts] == [3, 3]
    assert all(part.count("\na ") == part.count("\nb ") == 1 for part in parts)


def test_colour_only_where_asked_and_a_sign_besides() -> None:
    assert "\x1b" not in render(entity_scores(), "text")
    colored = render(entity_scores(), "text", color=True)
    assert "\x1b[1;36m" in colored
    assert "91.23•" in render(entity_scores(), "text")


def test_ascii_stays_ascii_and_in_place() -> None:
    page = render(grouped_scores(), "text", ascii=True)
    page.encode("ascii")
    full = render(grouped_scores(), "text")
    assert [len(line) for line in page.split("\n")] == [len(line) for line in full.split("\n")]


def test_ascii_figures_keep_their_places() -> None:
    page = render(fair_scores("x", "y"), "text", ascii=True, confusion=True, error_types=True)
    page.encode("ascii")
    full = render(fair_scores("x", "y"), "text", confusion=True, error_types=True)
    assert [len(line) for line in page.split("\n")] == [len(line) for line in full.split("\n")]


def test_a_matrix_is_a_table_with_its_note() -> None:
    lines = [line.rstrip() for line in text.render([MATRIX, Text("n")]).split("\n")]
    assert lines == [
        "m",
        "      system",
        "      ───────",
        "gold  A  none",
        "─────────────",
        "A     3     1",
        "none  0",
        "what it is & why",
        "",
        "note       n",
        "",
    ]


def test_bars_have_patterns_and_a_legend() -> None:
    lines = text.render([BARS], width=23).split("\n")
    assert lines[-6:] == [
        "",
        "x  █████░░░░░░░░░░░░░░░",
        "y",
        "",
        "█ p  ░ q",
        "",
    ]
    assert "p          0     –¹" in lines
    assert "¹ no errors to share" in lines
    colored = text.render([BARS], width=23, color=True)
    assert "\x1b[34m█████\x1b[0m" in colored


def test_a_long_name_of_a_bar_and_many_categories_are_folded() -> None:
    from rich.cells import cell_len

    many = tuple(f"{'category' * 9}-{i}" for i in range(15))
    bars = Bars(("a very long name of some system",), many, ((1,) * 13 + (6.5,) * 2,))
    lines = text.render([bars], width=40).split("\n")
    assert max(map(cell_len, lines)) <= 40
    assert f"a very long   █░▚▄▒═▓╱▌·▀┼a{'b' * 7}{'c' * 6}" in lines
    assert "name of some" in lines


def test_shares_are_bars_beside_their_numbers() -> None:
    lines = text.render([SHARES], width=40).split("\n")
    assert lines == [
        "hard cases",
        "ADP-PRT    62.50  ██████████████",
        "           83.33  ░░░░░░░░░░░░░░░░░░",
        "ADJ-NOUN   25.00  ██████",
        "          100.00  ░░░░░░░░░░░░░░░░░░░░░░",
        "DET-PRON   12.50  ███",
        "              –¹",
        "                  0%                100%",
        "",
        "█ of all hard cases",
        "░ hard cases of the pair",
        "and 1 more pair",
        "three annotators",
        "¹ no case",
        "",
    ]
    colored = text.render([SHARES], width=40, color=True)
    assert "\x1b[34m██████████████\x1b[0m" in colored
    assert "          100.00  ......................\n" in text.render(
        [SHARES], width=40, ascii=True
    )


def test_names_and_shares_below_each_other_lose_nothing() -> None:
    names = "a very long name of some annotator", "b"
    shares = replace(SHARES, names=names, values=((0.5, 0.5), (1.0, 0.0)))
    lines = text.render([shares], width=40).split("\n")
    assert [line[:13].rstrip() for line in lines[1:7]] == [
        "a very long", "name of some", "annotator", "b", "", "",
    ]  # fmt: skip
    assert [line[13:20].strip() for line in lines[1:6]] == ["50.00", "50.00", "", "100.00", "0.00"]


LONG_SIGNATURE = "spans.f1|scheme:iob2|version:1|tertium:0.1.0"


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_the_signature_is_the_same_at_every_width(width: int) -> None:
    page = render(entity_scores(), "text", width=width)
    assert f"signature  {LONG_SIGNATURE}\n" in page


@pytest.mark.parametrize("format", FORMATS)
def test_the_signature_is_the_same_in_every_output(format: str) -> None:
    some = entity_scores()
    page = unescape(render(some, format, **({} if format in ("json", "csv") else ALL)))
    found = re.findall(r"spans\.f1\|[^\s<>`,\"]+", page)
    assert {*found} == {LONG_SIGNATURE}
    assert Signature.parse(found[0]) == some.results[0].signature


@pytest.mark.parametrize("format", PEOPLE)
def test_short_signatures_parse_back(format: str) -> None:
    some = entity_scores()
    page = unescape(render(some, format, short=True, **ALL))
    found = re.findall(r"spans\.f1\|[^\s<>`,\"]+", page)
    assert {*found} == {"spans.f1|i:iob2|v:1|t:0.1.0"}
    assert Signature.parse(found[0]) == some.results[0].signature


@pytest.mark.parametrize("format", PEOPLE)
def test_systems_that_differ_in_their_signature_are_named(format: str) -> None:
    some = entity_scores()
    other = Signature.make("spans.f1", {"scheme": "iob", "version": 1, "tertium": "0.1.0"})
    rows = (*some.results[:2], replace(some.results[2], signature=other))
    page = " ".join(unescape(re.sub("</?code>|</?span>|`|%  ", "", render(
        replace(some, results=rows), format, **ALL
    ))).split())  # fmt: skip
    assert f"{LONG_SIGNATURE} for arbor and breeze" in page
    assert f"{other} for cedar" in page


def test_wide_letters_keep_columns_straight() -> None:
    table = table_of([Column("system"), Column("n", kind="count")], [("日本語", 1), ("abc", 2)])
    lines = text.render([table]).split("\n")
    assert lines[2] == "日本語  1"
    assert lines[3] == "abc     2"


def test_numbers() -> None:
    assert shown(1.0, "percent") == "100.00"
    assert shown(-0.00001, "delta") == "0.00"
    assert shown(0.5, "delta") == "+50.00"
    assert shown(1234567, "count") == "1,234,567"
    assert shown(2.5, "count") == "2.50"
    assert shown(3.14159, "number") == "3.142"
    assert shown(12, "number") == "12"
    assert visible("\u200f\x85") == "\\u200f\\x85"
    assert visible("\u200b\ufeff\U000e0041") == "\\u200b\\ufeff\\U000e0041"
    assert visible("क्‍ष 👩‍🚀 می‌روم") == "क्‍ष 👩‍🚀 می‌روم", "joiners shape letters and emoji"


UNSEEN = "".join(
    map(chr, (7, 27, 127, 0x85, 0x9F, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028, 0x202A, 0x202E, 0x2060,
              0x2066, 0x2069, 0xFEFF, 0xFFFE, 0xE0041))
)  # fmt: skip


def test_json_escapes_what_acts_or_hides_and_holds_the_same_data() -> None:
    data = {"label": f"a{UNSEEN}ä日本👩‍🚀"}
    page = json_of(data)
    assert json.loads(page) == data
    assert not {*UNSEEN} & {*page}
    assert "ä日本👩‍🚀" in page


def test_safe_csv_guards_formulas_and_controls() -> None:
    names = ["=1+1", "+1", "-LRB-", "@x", "\t=1", "\r=1", f"a{UNSEEN}", "B-PER", "'s"]
    some = scores(*(result(name, value=0.5) for name in names))
    plain = [*csv.DictReader(io.StringIO(render(some, "csv"), newline=""))]
    assert {row["system"] for row in plain} - {""} == {*names}, "as it is unless asked for"
    page = render(some, "csv", safe_csv=True)
    rows = [*csv.DictReader(io.StringIO(page, newline=""))]
    assert not {*UNSEEN, "\t"} & {*page}
    cells = {cell for row in rows for cell in row.values() if cell}
    assert not [cell for cell in cells if cell[0] in "=+-@\t\r" and not _is_number(cell)]
    found = {row["system"] for row in rows}
    assert {"'=1+1", "'+1", "'-LRB-", "'@x", "\\t=1", "\\r=1", "B-PER", "'s"} <= found


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?[0-9.e-]+", text) is not None


@pytest.mark.parametrize("key", ["sent_id~^([a-z]+)-", "sent_id~([a-z]+)", "x(y)", "f(a=1)"])
def test_a_name_over_columns_keeps_its_brackets(key: str) -> None:
    table = table_of([Column("system"), Column("mean rank", key, "value")], [("a", 1.0)])
    assert key in text.render([table])


def test_parameters_of_a_metric_stand_below_its_name() -> None:
    metric = "deps.las(punct='form', subtypes=True)"
    table = table_of([Column("system"), Column("f1", metric, "percent")], [("a", 1.0)])
    lines = [line.strip() for line in text.render([table]).split("\n")]
    assert lines[:2] == ["deps.las", "punct='form',"]


@pytest.mark.parametrize("some", [entity_scores(), hostile_scores()])
def test_static_pages_allow_their_own_style_and_nothing_else(some: Scores) -> None:
    page = render(some, "html", **ALL)
    policy = re.search('http-equiv="Content-Security-Policy" content="(.*?)"', page)
    style = re.search("<style>(.*?)</style>", page, re.DOTALL)
    assert policy
    assert style
    allowed = b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert unescape(policy[1]) == (
        f"default-src 'none'; style-src 'sha256-{allowed}'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )
    assert page.count("<style") == 1
    names = {name for name, _ in Page(page).attributes}
    assert not [name for name in names if name == "style" or name.startswith("on")]


@pytest.mark.parametrize(
    ("format", "found"),
    [
        ("text", "NOUN   90.00▲  80.00  70.00▼  95.00\n▲ best of its row\n▼ worst of its row\n"),
        ("markdown", "| NOUN | **90.00** | 80.00 | *70.00* | 95.00 |\n\nbold: best of its row; it"),
        ("latex", r"NOUN & \textbf{90.00} & 80.00 & \textit{70.00} & 95.00 \\"),
        ("latex", "The best value of each row is in bold, the worst in italics."),
        ("html", '<td class="number behind"><strong>70.00</strong><span class="sign"'),
        ("html", '<span class="sign bound">◆</span> oracle</p>'),
        ("csv", "NOUN,0.9,0.8,0.7,0.95"),
    ],
)
def test_best_and_worst_of_a_row_are_marked(format: str, found: str) -> None:
    assert found in render_blocks([BY_LABEL], format)


@pytest.mark.parametrize(
    ("format", "found"),
    [
        ("text", "c       y       80.00◦\n• best of its column\n◦ best of its theory\n"),
        (
            "markdown",
            "| c | y | *80.00* |\n\nbold: best of its column; italics: best of its theory",
        ),
        ("latex", r"c & y & \textit{80.00} \\"),
        ("latex", "The best value of each theory is in italics."),
        ("html", '<td class="number leader"><strong>80.00</strong><span class="sign"'),
    ],
)
def test_the_best_of_each_league_is_in_italics(format: str, found: str) -> None:
    columns = (Column("system"), Column("theory"), Column("f1", "", "percent", "higher"))
    rows = (("a", "x", 0.9), ("b", "y", 0.7), ("c", "y", 0.8))
    assert found in render_blocks([replace(table_of(columns, rows), league=1)], format)


def test_marks_in_ascii() -> None:
    page = text.render([BY_LABEL], ascii=True)
    page.encode("ascii")
    assert "90.00^  80.00  70.00v" in page
    assert "all #" in page


@pytest.mark.parametrize(
    ("format", "found"),
    [
        ("text", "•  •     2      9  75.00"),
        ("markdown", "| • |  | 1 | 3 | 25.00 |"),
        ("latex", r"\textbullet{} &  & 1 & 3 & 25.00 \\"),
        ("latex", r"\begin{tabular}{ccrrr}"),
        ("html", '<td class="flag"><bdi>•</bdi></td>'),
        ("csv", "1,0,1,3,0.25"),
    ],
)
def test_combinations_of_sets_in_every_format(format: str, found: str) -> None:
    assert found in render_blocks([SETS], format)


# json


@pytest.fixture(scope="module")
def validator() -> Any:
    return validator_of("score")


def data_of(some: Any, **more: Any) -> Any:
    return json.loads(render(some, "json", **more).encode("utf-8", "backslashreplace"))


def without_tokens() -> Scores:
    """Groups, undefined values, reasons of labels, and no tokens."""
    row = {**label(0.0, None, 0, 5, 0), "reasons": {"recall": "gold never has this label"}}
    part = result(value=None)
    return scores(
        result(labels={"X": row}, groups={"x": part}),
        result("b", value=None, parts={}, coverage={}, reasons={"value": "b has no deps"}),
        by="document",
        tokens=None,
        gold_digest="0123456789abcdef",
    )


@pytest.mark.parametrize("format", FORMATS)
def test_results_without_tokens(format: str) -> None:
    now = without_tokens()
    earlier = {**now.to_dict(), "gold_digest": "f" * 16}
    page = render(replace(now, against=changes(now, earlier, "e.json")), format, **ALL)
    assert tertium.render(now)
    assert "0 tokens" not in page
    if format != "csv":
        assert "different gold standard" in page.lower()
    if format not in ("csv", "svg"):
        assert "gold never has this label" in page.lower()


@pytest.mark.parametrize(
    "make", [entity_scores, fair_scores, without_tokens, grouped_scores, hostile_scores, scores]
)
def test_json_follows_its_schema(make: Any, validator: Any) -> None:
    some = make()
    validator.validate(data_of(some))
    validator.validate(data_of(since(some)))


def test_the_schema_refuses_what_it_should(validator: Any) -> None:
    good = data_of(scores(result(value=None)))
    assert good["scores"][0]["reason"]
    for spoil in (
        lambda d: d.pop("gold"),
        lambda d: d["scores"][0].pop("reason"),
        lambda d: d["scores"][0].pop("signature"),
        lambda d: d["scores"][0].update(value="high"),
        lambda d: d["scores"][0]["coverage"].update(scored=-1),
        lambda d: d["scores"][0].update(labels={"X": {"f1": "0.5"}}),
        lambda d: d.update(tokens=-1),
        lambda d: d.update(gold_digest="short"),
    ):
        data = json.loads(json.dumps(good))
        spoil(data)
        assert not validator.is_valid(data)


def test_json_is_unrounded_and_keeps_texts() -> None:
    data = data_of(hostile_scores())
    assert [s["system"] for s in data["scores"]] == list(HOSTILE)
    assert data_of(scores(result(value=1 / 3)))["scores"][0]["value"] == 1 / 3
    assert "日本語" in render(hostile_scores(), "json")


def test_json_refuses_nan() -> None:
    with pytest.raises(ValueError, match="JSON"):
        render(scores(result(value=math.nan)), "json")


def test_json_has_changes() -> None:
    now = grouped_scores()
    entry = data_of(since(now))["scores"][0]
    assert entry["against"] == {"value": entry["value"], "delta": 0.0}
    assert entry["groups"]["news"]["against"]["delta"] == 0.0


# csv


def rows_of(page: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(page, newline="")))


def test_csv_has_one_row_a_number() -> None:
    some = entity_scores()
    rows = rows_of(render(some, "csv"))
    ids = [tuple(v for k, v in row.items() if k != "value") for row in rows]
    assert len(set(ids)) == len(rows)
    assert [*rows[0]][-3:] == ["part", "value", "text"]
    whole = {r["part"]: r["value"] for r in rows if r["section"] == ""}
    assert whole["units"] == "60"
    assert all(float(row["value"]) >= 0 for row in rows if row["value"])
    found = {
        (r["section"], r["system"], r["label"], r["part"]): r["value"] or r["text"] for r in rows
    }
    assert float(found["scores", "arbor", "", "value"]) == some["arbor", "spans.f1"].value
    assert found["scores", "arbor", "", "parts.macro_f1"] == ""
    assert found["scores", "arbor", "", "reasons.macro_f1"] == "MISC does not occur in gold"
    assert found["scores.labels", "breeze", "PER", "counts.correct"] == "27"
    signatures = {r["signature"] for r in rows if r["section"]}
    assert signatures == {str(some.results[0].signature)}


def test_csv_has_confusions_and_errors() -> None:
    rows = rows_of(render(entity_scores(), "csv"))
    pairs = {
        (r["system"], r["gold"], r["confusion.system"]): r["value"]
        for r in rows
        if r["section"] == "scores.confusion"
    }
    assert pairs["arbor", "LOC", "PER"] == "2"
    errors = {
        (r["system"], r["type"], r["gold"], r["errors.system"]): r["value"]
        for r in rows
        if r["section"] == "scores.errors"
    }
    assert errors["breeze", "label", "LOC", "PER"] == "5"
    assert errors["arbor", "extra", "", "MISC"] == "5"


def test_csv_has_what_objects_of_a_label_hold() -> None:
    rows = rows_of(render(fair_scores(), "csv"))
    found = {(r["section"], r["label"], r["part"]): r["value"] for r in rows}
    assert found["scores.labels", "LOC", "traditional.f1"] == "0.6"
    assert found["scores.labels", "LOC", "weighted.precision"] == ""
    assert found["scores", "", "parts.traditional.f1"] == "0.8505"


def test_csv_has_groups_and_changes() -> None:
    rows = rows_of(render(since(grouped_scores()), "csv"))
    found = {(r["system"], r["metric"], r["group"], r["part"]): r["value"] for r in rows}
    assert float(found["arbor", "deps.las", "news", "value"]) == pytest.approx(0.86)
    assert found["arbor", "deps.las", "", "against.delta"] == "0.0"
    assert found["arbor", "deps.las", "news", "against.delta"] == "0.0"


def test_csv_gives_texts_back() -> None:
    page = render(hostile_scores(), "csv")
    assert {r["label"] for r in rows_of(page)} - {""} == set(HOSTILE)
    assert "\r\n" in page


def test_csv_of_tables() -> None:
    first = table_of([Column("a"), Column("b", "g", "percent")], [("x,y", 0.25), (None, 1.0)])
    assert render_blocks([Text("no"), first, first], "csv").split("\r\n")[:5] == [
        "a,g b",
        '"x,y",0.25',
        ",1.0",
        "",
        "a,g b",
    ]


def test_csv_of_figures() -> None:
    page = render_blocks([MATRIX, BARS], "csv")
    assert page.split("\r\n") == [
        "gold \\ system,A,none",
        "A,3,1",
        "none,0,",
        "",
        "type,x errors,x share,y errors,y share",
        "p,1,0.25,0,",
        "q,3,0.75,,",
        "all,4,1.0,0,",
        "",
    ]


# markdown


def test_markdown_rows_have_equal_numbers_of_cells() -> None:
    for part in render(hostile_scores(), "markdown", **ALL).split("\n\n"):
        rows = [re.findall(r"(?<!\\)\|", line) for line in part.split("\n") if line[:1] == "|"]
        assert len({len(row) for row in rows}) <= 1


def test_markdown_has_no_html_but_its_own() -> None:
    page = render(hostile_scores(), "markdown", **ALL)
    code_free = re.sub(r"(`+).*?\1", "", page)
    assert set(re.findall(r"(?<!\\)<\w+", code_free)) <= {"<sup"}
    assert r"\<script>" in page


@pytest.mark.parametrize(
    "plain", ["deps.las(punct='form')", "macro_f1", "a < b > c", "[x]", "PRP$", "x! #1", "C:\\dir"]
)
def test_markdown_escapes_nothing_in_vain(plain: str) -> None:
    assert markdown.escape(plain) == plain


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", r"a\|b"),
        ("_x_ *y* `z`", r"\_x\_ \*y\* \`z\`"),
        ("<b>&lt;", r"\<b>\&lt;"),
        ("![a](b)", r"![a\](b)"),
        ("$x$ ~y~", r"\$x\$ \~y\~"),
        (r"\* end\\"[:-1], r"\\\* end\\"),
        ("C #", r"C \#"),
    ],
)
def test_markdown_escapes_what_would_be_markup(text: str, escaped: str) -> None:
    assert markdown.escape(text) == escaped


def test_markdown_marks_the_best_in_bold() -> None:
    page = render(entity_scores(), "markdown")
    assert "| arbor | **92.23** | **90.23** | **91.23** |" in page


def test_markdown_of_figures() -> None:
    page = markdown.render([MATRIX, BARS])
    assert "| gold \\ system | A | none |\n| --- | ---: | ---: |\n| A | 3 | 1 |" in page
    assert "\n\nwhat it is & why\n\n" in page
    assert "| p | 1 | 25.00 | 0 | –<sup>1</sup> |" in page
    assert "| q | 3 | 75.00 |  |  |" in page


def test_markdown_code_outlives_backticks() -> None:
    page = markdown.render([Text("a ``` b", "code"), Text("m|x:`", "signature")])
    assert page.startswith("````\na ``` b\n````")
    assert "`` m|x:` ``" in page


# latex


def test_latex_escapes_everything_special() -> None:
    assert latex_renderer.escape("\\&%$#_{}~^<>|") == (
        r"\textbackslash{}\&\%\$\#\_\{\}\textasciitilde{}\textasciicircum{}"
        r"\textless{}\textgreater{}\textbar{}"
    )
    assert latex_renderer.escape("a--b ''c,, [x] *") == "a-{}-b '{}'c,{}, {[}x] {*}"
    assert latex_renderer.escape("naïve 日本") == "naïve 日本"


def test_latex_bold_follows_the_direction() -> None:
    low = scores(result("a", value=0.1, better="lower"), result("b", value=0.2, better="lower"))
    page = render(low, "latex")
    assert r"a & \textbf{10.00}" in page
    assert r"b & 20.00" in page


def test_latex_has_groups_and_the_signature_as_a_comment() -> None:
    page = render(entity_scores(), "latex")
    assert r"\multicolumn{3}{c}{spans.f1}" in page
    assert r"\cmidrule(lr){2-4}" in page
    assert f"\n% signature: {LONG_SIGNATURE}\n" in page


def test_latex_matrix_is_laid_out_as_in_the_paper() -> None:
    page = render(fair_scores(), "latex", confusion_cells="errors")
    assert r"& \multicolumn{5}{c}{system label} \\" in page
    assert r"Gold label & LOC & ORG & OTH & PER & none \\" in page
    assert r"LOC & 57 & 54 & 14 & 28 & 98 \\" in page
    assert r"none & 81 & 87 & 48 & 37 &  \\" in page
    assert "Only errors are counted; the diagonal holds 180 boundary errors" in page


def test_latex_rows_have_equal_numbers_of_cells() -> None:
    page = render(hostile_scores(), "latex", **ALL)
    found = re.findall(r"\\begin{(tabular|longtable)}{(\w+)}(.*?)\\end{\1}", page, re.DOTALL)
    assert {kind for kind, *_ in found} == {"tabular", "longtable"}
    for tabular in (rest for _, *rest in found):
        for row in re.findall(r"^ +(.*) \\\\$", tabular[1], re.MULTILINE):
            spanned = sum(int(n) - 1 for n in re.findall(r"\\multicolumn{(\d+)}", row))
            assert len(re.findall(r"(?<!\\)&", row)) + 1 + spanned == len(tabular[0])


def test_latex_breaks_long_tables_over_pages() -> None:
    labels = {f"L{i:02}": label(0.5, 0.5, 4, 4, 2) for i in range(40)}  # and one row for all
    page = render(scores(result(labels=labels)), "latex", labels=True)
    assert page.startswith(
        "% Made by Tertium; needs \\usepackage{booktabs} and \\usepackage{longtable}\n"
    )
    assert page.count(r"\begin{longtable}") == page.count(r"\begin{table}") == 1
    long = page.partition(r"\begin{longtable}")[2]
    head, _, rows = long.partition(r"\endlastfoot")
    assert head.count("Label & P & R & F1 & support") == 2, "once, and once for further pages"
    assert rows.count(r" \\") == 41
    labels.popitem()
    assert "longtable" not in render(scores(result(labels=labels)), "latex", labels=True)


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="no pdflatex here")
def test_latex_compiles(tmp_path: Path) -> None:
    now = grouped_scores()
    pages = [
        re.sub("[^\x00-\x7f]", "?", render(hostile_scores(), "latex", **ALL)),
        render(entity_scores(), "latex", **ALL),
        render(fair_scores(), "latex", **ALL),
        render(since(now), "latex"),
        render_blocks([Text("only text & more")], "latex"),
        render_blocks([KINDS, CURVES, BANDS, RANKS], "latex"),
    ]
    (tmp_path / "t.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs,longtable}\n\\begin{document}\n"
        + "\n".join(pages)
        + "\\end{document}\n"
    )
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]


# html


class Page(HTMLParser):
    """What is on a page: tags, attributes, text of cells, rows."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.widths: list[int] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "tr":
            self.widths.append(0)
        if tag in ("td", "th"):
            self.widths[-1] += int(dict(attrs).get("colspan") or 1)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_html_escapes_everything() -> None:
    page = Page(render(hostile_scores(), "html", **ALL))
    assert "script" not in page.tags
    assert "b" not in page.tags
    assert "<script>alert(1)</script>" in page.texts
    assert "{{ 7 * 7 }}{% raw %}" in page.texts


def test_html_needs_nothing_from_outside() -> None:
    source = render(entity_scores(), "html", **ALL)
    page = Page(source)
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert not {"src", "href"} & {name for name, _ in page.attributes}
    assert "http" not in source.replace("http-equiv", "")
    assert "url(" not in source
    assert "@import" not in source
    assert "prefers-color-scheme: dark" in source


def test_html_draws_figures_and_gives_their_numbers() -> None:
    source = render(fair_scores("x", "<script>"), "html", confusion=True, error_types=True)
    page = Page(source)
    assert page.tags.count("svg") == page.tags.count("details") == 3
    assert source.count('<svg role="img" aria-labelledby="figure-') == 3
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids)) == 6
    named = [v for name, v in page.attributes if name == "aria-labelledby" and v]
    assert {part for v in named for part in v.split()} == set(ids)
    assert "script" not in page.tags
    assert "the diagonal holds what is correct and, with the correct label, 180 boundary" in source
    assert "<script>, traditional" in page.texts
    drawn = re.findall("<svg.*?</svg>", source, re.DOTALL)
    assert "style=" not in "".join(drawn)


def test_html_rows_are_even_and_the_best_has_a_sign() -> None:
    source = render(grouped_scores(), "html")
    assert len(set(Page(source).widths)) == 1
    assert '<strong>89.00</strong><span class="sign"' in source


def test_html_shows_code_with_its_lines() -> None:
    assert "<pre>a &lt;\nb</pre>" in render_blocks([Text("a <\nb", "code")], "html")


# what is loaded


@pytest.mark.parametrize("format", ["json", "csv"])
def test_data_formats_load_nothing_heavy(format: str) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from result_samples import entity_scores; from tertium.report.render import render;"
        f"render(entity_scores(), {format!r});"
        "print([m for m in ('polars', 'rich', 'scipy', 'jinja2', 'numba') if m in sys.modules])"
    )
    tests = str(Path(__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", code, tests], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_results_with_numpy_numbers_are_written() -> None:
    np = pytest.importorskip("numpy")
    some = scores(replace(result(), counts={"correct": np.int64(3)}))
    assert data_of(some)["scores"][0]["counts"]["correct"] == 3
    assert ",counts.correct,3,\r\n" in render(some, "csv")
