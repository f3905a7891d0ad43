"""`tertium warm-up`."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from importlib import resources
from pathlib import Path
from time import perf_counter

import click

from tertium.exceptions import InputError

TREES = "gold.conllu arbor.conllu breeze.conllu"
SPANS = "entities-gold.bio entities-arbor.bio entities-breeze.bio"
BRACKETS = "trees-gold.mrg trees-arbor.mrg trees-breeze.mrg"
# Further tokens, multiword tokens, enhanced graphs and quotation marks, which the samples do not
# have.
FILES = {
    "a.conllu": """\
1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_
1\tde\tde\tADP\t_\t_\t3\tcase\t3:case\t_
2\tle\tle\tDET\t_\t_\t3\tdet\t3:det\t_
3\tlac\tlac\tNOUN\t_\tNumber=Sing\t0\troot\t0:root\t_

""",
    "b.conllu": """\
1\tdu\tdu\tADP\t_\t_\t2\tcase\t2:case\t_
2\tl\tlac\tNOUN\t_\tNumber=Sing\t0\troot\t0:root|1:conj>det\t_
3\tac\tlac\tNOUN\t_\t_\t2\tflat\t2:flat\t_

""",
    "spaces.txt": "1-1 a B-X\n1-2 b I-X\n\n2-1 c O\n",
    "gaps.dbr": "(S (VP (VB 0=a) (VB 2=c)) (NN 1=b))\n",
    "quotes.mrg": "(S (NP (NN dogs) (POS '))\n  (VP (VB bark)))\n",
    "marks.mrg": "(S (NP (NN dogs) ('' ')) (VP (VB bark)))\n",
}
# Every command reads files: what that needs is compiled first, then the rest in parallel. Longest
# first.
FIRST = f"score {TREES} --metric {{LAS}}"
REST = (
    f"score {SPANS} --conventions",
    f"compare {SPANS} --metric {{FAIR}} --ensembles --trials 50",
    "score a.conllu b.conllu --metric {UD}(compat='udtools')",
    f"compare {TREES} --metric {{LAS}} --metric {{UD}}.mlas --ensembles --trials 50",
    f"score {TREES} --metric {{LAS}} --by projectivity",
    "crowd upos-ann1.tsv upos-ann2.tsv upos-ann3.tsv --method all",
    "score coref-gold.conll coref-arbor.conll",
    "score spaces.txt spaces.txt",
    "score upos-ann1.tsv upos-ann2.tsv",
    f"score {BRACKETS} --metric {{PARSEVAL}} --metric {{LINEAGES}} --by height",
    "score tiger-gold.export tiger-arbor.export --metric {TRIPLES}",
    "score tiger-gold.export tiger-arbor.export --metric {PARSEVAL}",
    "convert gaps.dbr gaps.discbracket",
    "convert tiger-gold.export tiger.mrg --to brackets(crossing=raise)",
    "score quotes.mrg marks.mrg --metric {PARSEVAL}(prm=new)",
)


@click.command(short_help="Compile everything now, so no command has to wait for it later.")
def warm_up() -> None:
    """Compile everything now, so no command has to wait for it later.

    Tertium compiles its inner loops when they are first used, which takes a few seconds, and keeps
    them on disk. This runs small commands on the samples, in parallel on all cores.
    """
    start = perf_counter()
    compile_all()
    click.echo(f"everything is compiled ({perf_counter() - start:.1f} s)")


def compile_all() -> None:
    """Run every command on the samples; a command that fails is an error, and so is code that
    cannot be kept."""
    from tertium.study.walk import processes

    _check(run(FIRST))
    with processes(min(len(REST), os.cpu_count() or 1)) as pool:
        for loss in pool.map(run, REST):
            _check(loss)


def _check(loss: str) -> None:
    if loss:
        from tertium._jit import ADVICE

        raise InputError(loss, help=ADVICE)


def run(command: str) -> str:
    """A command on the samples; what it prints is of no interest. Returns why compiled code was
    not kept."""
    from tertium._jit import loss
    from tertium.cli.main import main
    from tertium.registry import with_examples

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for source in Path(str(resources.files("tertium") / "samples")).iterdir():
            if source.is_file():
                Path(source.name).write_bytes(source.read_bytes())
        for name, text in FILES.items():
            Path(name).write_text(text, encoding="utf-8")
        printed = io.TextIOWrapper(io.BytesIO(), "utf-8")
        with contextlib.redirect_stdout(printed):
            code = main([*with_examples(command).split(), "--quiet"])
    if code:
        raise InputError(f"'tertium {command}' failed with exit code {code}")
    return loss()
