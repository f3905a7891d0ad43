"""Further files of `--with`: one for all gold files, or one for each of them."""

from pathlib import Path

import pytest

from tertium.corpus.corpus import Corpus
from tertium.exceptions import InputError
from tertium.formats.objects import from_python
from tertium.study.further import FilesBeside, corpora_beside, further_files
from tertium.study.sides import Shard


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.conllu").write_text(f"1\t{name}\t_\tN\t_\t_\t0\troot\t_\t_\n\n")
    return tmp_path


def forms(corpora: list[Corpus]) -> list[list[str]]:
    return [each.forms.to_list() for each in corpora if each.forms is not None]


def test_files_of_a_folder_stand_beside_gold_files_of_the_same_name(folder: Path) -> None:
    shards = [Shard("x/b.conll", (), "b.conll", 0), Shard("x/a.conll.gz", (), "a.conll", 1)]
    one = from_python([{"tokens": ["z"], "tags": ["N"]}], name="one")
    found = further_files([str(folder), one, str(folder / "c.conllu")], shards)
    beside = found[0]
    assert isinstance(beside, FilesBeside)
    assert [Path(file).name for file in beside.files] == ["b.conllu", "a.conllu"]
    assert forms(corpora_beside(found, shards[1])) == [["a"], ["z"], ["c"]]
    assert found[1] is one
    # The digest is that of what is read, and of nothing else in the folder.
    (folder / "c.conllu").write_text("")
    assert FilesBeside.of(str(folder), shards).digest == beside.digest
    (folder / "a.conllu").write_text("1\ta\t_\tV\t_\t_\t0\troot\t_\t_\n\n")
    assert FilesBeside.of(str(folder), shards).digest != beside.digest


def test_a_single_gold_file_or_data_may_have_a_folder_too(folder: Path) -> None:
    pattern = str(folder / "*.conllu")
    for gold in ("x/c.conll.gz", from_python([["c"]], name="c.conll")):
        (beside,) = further_files([pattern], [Shard(gold, ())])
        assert isinstance(beside, FilesBeside)
        assert [Path(file).name for file in beside.files] == ["c.conllu"]


def test_a_file_that_is_not_there_or_there_twice(folder: Path) -> None:
    with pytest.raises(InputError, match=r"has no file for 'd\.conll'"):
        further_files([str(folder)], [Shard("d.conll", ())])
    (folder / "a.conll").write_text("")
    with pytest.raises(InputError, match="has several files named 'a'"):
        further_files([str(folder)], [Shard("a.mrg", ())])
    (beside,) = further_files([str(folder)], [Shard("a.conll", ())])
    assert isinstance(beside, FilesBeside)
    assert beside.files == (str(folder / "a.conll"),)
