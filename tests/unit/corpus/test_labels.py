"""Columns of strings."""

from tertium.corpus.labels import Names


def test_names_are_found_without_decoding_all() -> None:
    words = [f"w{i}" for i in range(2000)] + ["", "é", "_"]
    many = Names.of(words)
    for name in ("w0", "w1999", "", "é", "_"):
        assert many.find(name) == words.index(name)
    assert many.find("w2000") == many.find("\u00ea") == -1
    assert "strings" not in many.__dict__
