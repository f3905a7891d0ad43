import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.exceptions import UsageError
from tertium.signature import LONG, SHORT, Signature

texts = st.text(max_size=20)


@given(texts.filter(bool), st.lists(st.tuples(texts.filter(bool), texts), max_size=5))
def test_both_forms_parse_back(metric: str, entries: list[tuple[str, str]]) -> None:
    entries = [(k, v) for k, v in entries if k not in LONG]  # one letter keys are the short form's
    signature = Signature(metric.strip() or "m", tuple(entries))
    assert Signature.parse(str(signature)) == signature
    assert Signature.parse(signature.short()) == signature


def test_short_keys_are_unique_and_one_letter() -> None:
    assert len(LONG) == len(SHORT)
    assert all(len(key) == 1 for key in LONG)


def test_separators_in_values_are_quoted() -> None:
    signature = Signature.make("m", {"a": "x|y:z", "b": True, "c": None})
    assert str(signature) == "m|a:x%7Cy%3Az|b:yes|c:none"


def test_names_that_are_not_utf8_parse_back() -> None:
    signature = Signature("m", (("map", "a\udcffé"),))
    assert str(signature) == "m|map:a%FF%C3%A9"
    assert Signature.parse(str(signature)) == signature


@pytest.mark.parametrize("text", ["", "m|", "m|a", "m|:x", "|a:b"])
def test_what_is_no_signature_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Signature.parse(text)


def test_differences_name_what_differs_but_not_the_version_of_tertium() -> None:
    a = Signature.parse("m|punct:keep|tertium:0.1.0|version:1")
    b = Signature.parse("m|punct:form|tertium:0.2.0|version:2|scheme:iob2")
    assert a.differences(b) == ["punct: keep / form", "scheme: - / iob2", "version: 1 / 2"]
    assert a.differences(a) == []
