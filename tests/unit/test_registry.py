from dataclasses import dataclass

import pytest

from tertium import registry
from tertium.exceptions import UsageError
from tertium.families.base import make
from tertium.families.deps.attachment import LAS
from tertium.registry import build, get, names, parse_call, register, unregister


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("deps.las", ("deps.las", {})),
        ("deps.las()", ("deps.las", {})),
        (" m ( a = 1 , b = 'x, y' ) ", ("m", {"a": 1, "b": "x, y"})),
        (
            'm(a="it\'s", b=yes, c=None, d=0.5)',
            ("m", {"a": "it's", "b": True, "c": None, "d": 0.5}),
        ),
        (r"m(a='it\'s')", ("m", {"a": "it's"})),
        ("spans.f1(compat=conlleval)", ("spans.f1", {"compat": "conlleval"})),
    ],
)
def test_texts_parse(text: str, expected: tuple[str, dict[str, object]]) -> None:
    assert parse_call(text) == expected


@pytest.mark.parametrize(
    "text", ["", "m(", "m)", "m(a)", "m(a=1, a=2)", "m(a='x)", "m(=1)", "m n", "m(1)", "m(a=b=c')"]
)
def test_what_is_no_text_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_call(text)


def test_python_and_text_make_the_same() -> None:
    assert make("deps.las(subtypes=True)") == LAS(subtypes=True)
    assert repr(LAS(subtypes=True)) == "deps.las(subtypes=True)"
    assert repr(LAS()) == "deps.las"


def test_a_bare_word_that_is_a_choice_is_that_choice() -> None:
    assert make("spans.partial(undefined=null)") == make("spans.partial(undefined='null')")
    assert make("spans.f1(undefined=null)").parameters()["undefined"] == "null"
    assert make("spans.f1(undefined='null')").parameters()["undefined"] == "null"
    assert make("spans.f1(undefined=None)").parameters()["undefined"] is None
    with pytest.raises(UsageError, match=r"Got None instead"):
        make("deps.las(punct=null)")


def test_unknown_names_are_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"no metric 'deps.lass'. Did you mean 'deps.las'"):
        make("deps.lass")
    with pytest.raises(UsageError, match=r"Did you mean 'deps.las'"):
        make("LAS")
    with pytest.raises(UsageError, match=r"no coefficient 'gwet'. Did you mean 'ac1'"):
        build("coefficients", "gwet")
    with pytest.raises(UsageError, match=r"no parameter 'subtype'. Did you mean 'subtypes'"):
        make("deps.las(subtype=yes)")
    with pytest.raises(UsageError, match=r"punct must be one of .*'keep'.* Got 'yes' instead"):
        make("deps.las(punct='yes')")
    with pytest.raises(UsageError, match=r"subtypes must be one of False, True\. Got 1 instead"):
        make("deps.las(subtypes=1)")


def test_every_registered_plugin_knows_its_id() -> None:
    for kind in ("metrics", "formats"):
        for name in names(kind):
            assert get(kind, name).id == name


def test_third_parties_register_a_class() -> None:
    @dataclass(frozen=True, repr=False)
    class Mine(LAS):
        """Mine."""

        id = "deps.mine"

    try:
        register("metrics", Mine)
        assert "deps.mine" in names("metrics")
        assert build("metrics", "deps.mine(punct=form)") == Mine(punct="form")
        with pytest.raises(UsageError, match="built in"):
            register("metrics", LAS)
    finally:
        unregister("metrics", "deps.mine")
    assert "deps.mine" not in names("metrics")


def test_entry_points_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "x.y"

        def load(self) -> type[LAS]:
            return LAS

    monkeypatch.setattr(registry, "_entry_points", lambda kind: {"x.y": Point()})
    assert "x.y" in names("metrics")
    assert get("metrics", "x.y") is LAS
