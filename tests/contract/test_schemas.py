"""The JSON of every verb follows its schema."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import click
import pytest

from schemas import validator_of
from tertium.cli.main import VERBS, main, tertium

pytestmark = pytest.mark.usefixtures("few_samples")

TREES = "gold.conllu arbor.conllu breeze.conllu"
SPANS = "entities-gold.bio entities-arbor.bio entities-breeze.bio"
THEORIES = "--gold dep=theories-dep.conllu --gold ps=trees-gold.mrg"
FEW = "--significance --trials 200"
# What every verb is asked, which is that of the schema.
ASKED = {
    "score": [
        TREES,
        f"{SPANS} --labels --confusion --error-types",
        f"{TREES} --by genre {FEW}",
        f"{TREES} --by upos --metric deps.ud --metric deps.uas",
        "none.bio none.bio",
    ],
    "conventions": [SPANS, "loose.bio none.bio"],
    "metrics": [
        f"{TREES} cedar.conllu",
        "none.bio none.bio",
        "--set a=loose.bio,out.{size}.bio --set b=none.bio,none.bio",
    ],
    "cross": [
        f"{THEORIES} elm=dep:theories-elm.conllu hazel=ps:theories-hazel.mrg --trials 200",
        f"{THEORIES} dep:theories-fir.conllu ps:trees-breeze.mrg --no-significance --draw 2",
    ],
    "compare": [
        f"{TREES} --by upos --examples 3",
        f"{SPANS} entities-cedar.bio --ensembles",
        f"{TREES} {FEW} --metric deps.las",
        "none.bio A=none.bio B=none.bio",
    ],
    "errors": [
        "gold.conllu arbor.conllu",
        "gold.conllu arbor.conllu --metric deps.mlas --limit 9",
        "gold.conllu arbor.conllu --metric tags.accuracy(column=upos) --sample 5",
        "entities-gold.bio entities-arbor.bio entities-breeze.bio",
        "numbers.spans other.spans",
        "characters.jsonl other.jsonl",
    ],
    "diff": [
        "arbor.conllu breeze.conllu --by length --examples 3",
        "entities-arbor.bio entities-breeze.bio --examples 3",
        "none.bio none.bio",
        "entities-arbor.bio entities-breeze.bio entities-gold.bio",
    ],
    "crowd": [
        "votes.csv --dictionary tags.tsv --method all",
        "upos-ann1.tsv upos-ann2.tsv upos-ann3.tsv --method majority",
        "entities-arbor.bio entities-breeze.bio entities-cedar.bio --gold entities-gold.bio",
        "matrix.csv --controls matrix.key --gold matrix.key --pseudonyms --threshold 0.5",
        "matrix.csv --gold none.key",
    ],
    "variation": [
        "gold.conllu",
        "gold.conllu --metric tags.accuracy --context 0 --limit 9",
        "entities-gold.bio --across-sentences",
        "off.tsv --answers off-answers.tsv",
        "none.bio",
    ],
    "agree": [
        "upos-ann1.tsv upos-ann2.tsv upos-ann3.tsv --intervals --trials 100 --coarse coarse.tsv",
        "entities-arbor.bio entities-breeze.bio --without O --by length --unlabelled",
        "trees-gold.mrg trees-arbor.mrg",
        "ratings.csv --intervals --trials 100 --against earlier.json",
        "alone.csv",
    ],
    "audit": [
        f"{TREES} --metric deps.las --by genre --samples 2 --sample-trials 20 --trials 100",
        f"{SPANS} --samples 2 --sample-trials 20 --trials 100",
    ],
    "power": [f"{SPANS} --trials 100", f"{TREES} --metric deps.las --trials 100 --difference 0.01"],
    "ppv": ["", "--bias 0.2 --prior-odds 2 --prior-odds 1"],
    "datasets": ["news.json mail.json chat.json", "news.json mail.json"],
    "draw": [
        "gold.conllu --limit 2",
        "gold.conllu arbor.conllu",
        "gold.conllu arbor.conllu --sentence news-1-s1 --subtypes",
        "gold.conllu gold.conllu",
        "forest.conllu other.conllu --limit 9",
        "entities-gold.bio entities-arbor.bio",
        "gold.conllu arbor.conllu --metric tags.accuracy(column=upos) --limit 2",
        "characters.jsonl other.jsonl",
    ],
    "validate": ["gold.conllu entities-gold.bio characters.jsonl numbers.spans", "bad.conllu ?"],
    "list": ["metrics", "formats", "verbs"],
    "cite": ["deps.las spans.fair"],
}
WORD = "{}\tw\t_\tX\t_\t_\t{}\tdep\t_\t_\n"
FILES = {
    "off.tsv": "get\tV\noff\tR\n\nget\tV\noff\tI\n\n",
    "off-answers.tsv": "item\tannotator\tanswer\n1.2:R\tA\tyes\n1.2:I\tA\tno\n",
    "ratings.csv": "item,annotator,label\n1,x,A\n1,y,B\n2,x,A\n2,y,A\n3,x,C\n3,z,C\n4,x,C\n4,y,B\n",
    "alone.csv": "item,annotator,label\n1,x,A\n2,y,A\n",
    "coarse.tsv": "NOUN\tN\nPROPN\tN\n",
    "earlier.json": '{"confusion": {"labels": ["A", "B"], "items": 4, "counts": [[2, 1], [1, 0]]}}',
    "none.bio": "a\tO\nb\tO\n\n",
    "out.10.bio": "a\tB-X\nb\tO\n\n",
    "out.9.bio": "a\tO\nb\tO\n\n",
    "votes.csv": "item,word,annotator,label,gold\n1,I,a,PRON,PRON\n1,I,b,NOUN,\n2,go,a,NOUN,VERB\n",
    "tags.tsv": "i\tPRON\n",
    "matrix.csv": "N,V,\n,N,\n\nV,V,\n",
    "matrix.key": "N\n\n\nX\n",
    "none.key": "\n\n\n\n",
    "loose.bio": "a\tI-X\nb\tB-Y\n\n",
    "numbers.spans": "X\t1\t2\t1, 2\nY\t3\t5\t3, 5\n\n",
    "other.spans": "X\t1\t1\t1\nY\t4\t5\t4, 5\n\n",
    "characters.jsonl": '{"text": "Ann saw Bob", "spans": [[0, 3, "PER"], [8, 11, "PER"]]}\n',
    "other.jsonl": '{"text": "Ann saw Bob", "spans": [[0, 7, "PER"], [4, 7, "LOC"]]}\n',
    "forest.conllu": WORD.format(1, 0) + WORD.format(2, 0) + "\n",
    "other.conllu": WORD.format(1, 2) + WORD.format(2, 0) + "\n",
    "bad.conllu": WORD.format(1, 7) + "\n# sent_id = s\n" + WORD.format(3, 0) + "2\tw\n\n",
    **{
        f"{name}.json": json.dumps(
            {
                "scores": [
                    {"system": s, "metric": "deps.las", "value": (v + i) / 10}
                    for i, s in enumerate("abc")
                ]
            }
        )
        for v, name in enumerate(("news", "mail", "chat"))
    },
}


@pytest.fixture(scope="module")
def folder(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples, and files in which something is odd."""
    made = tmp_path_factory.mktemp("verbs")
    shutil.copytree(samples, made, dirs_exist_ok=True)
    for name, text in FILES.items():
        (made / name).write_text(text, "utf-8")
    return made


def test_every_verb_that_writes_json_is_asked() -> None:
    commands = {verb: tertium.get_command(click.Context(tertium), verb) for verb in VERBS}
    writing = {v for v, c in commands.items() if c and any(p.name == "format" for p in c.params)}
    assert writing == {*ASKED}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        pytest.param(name, arguments, id=f"{name}-{i}")
        for name, asked in ASKED.items()
        for i, arguments in enumerate(asked)
    ],
)
def test_json_follows_its_schema(
    name: str,
    arguments: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr("tertium.significance.simulation.TEST_SETS", 20)  # for speed
    code = main([name, *arguments.split(), "--format", "json"])
    done = capsys.readouterr()
    assert code == (3 if "bad.conllu" in arguments else 0), done.err
    # Errors are written one by one, an object a line.
    found = [json.loads(t) for t in (done.out.splitlines() if name == "errors" else [done.out])]
    assert found
    validator = validator_of(name)
    for data in found:
        validator.validate(data)
