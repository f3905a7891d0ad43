"""Tertium: the common ground for linguistic annotation.

    import tertium
    scores = tertium.score("gold.conllu", "system.conllu")
    for result in scores:
        print(result.metric, result.value, result.signature)

Heavy parts load on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tertium._version import __version__
from tertium.exceptions import (
    AlignmentError,
    FormatError,
    GateError,
    InputError,
    LayerError,
    TertiumError,
    UsageError,
)

if TYPE_CHECKING:
    from tertium.comparison.compare.result import Comparison
    from tertium.comparison.compare.verb import compare
    from tertium.comparison.conventions import Conventions, conventions
    from tertium.comparison.diff import diff
    from tertium.comparison.disagreement import Difference
    from tertium.comparison.draw import draw
    from tertium.comparison.errors.instances import Instance
    from tertium.comparison.errors.result import Errors
    from tertium.comparison.errors.verb import errors
    from tertium.comparison.pictures import Drawing
    from tertium.corpus.corpus import Corpus
    from tertium.families.base import Metric
    from tertium.families.base import make as metric
    from tertium.formats.base import Format
    from tertium.formats.convert import convert
    from tertium.formats.files import read_file as read
    from tertium.formats.files import write_file as write
    from tertium.formats.validate import validate
    from tertium.registry import register
    from tertium.report.page import write_report
    from tertium.report.render import render
    from tertium.report.show import show
    from tertium.results.assessment import Assessment, Interval, Testing
    from tertium.results.decisions import Decisions
    from tertium.results.scores import Result
    from tertium.signature import Signature
    from tertium.significance.assess import assess
    from tertium.significance.audit.result import Audit
    from tertium.significance.audit.verb import audit
    from tertium.significance.corrections import adjust
    from tertium.significance.datasets import AcrossDatasets, across_datasets
    from tertium.significance.power import Power, power
    from tertium.significance.ppv import PpvTable, ppv_table
    from tertium.significance.ranks import mcnemar, sign_test, wilcoxon
    from tertium.significance.score.result import Scores
    from tertium.significance.score.verb import decide, score
    from tertium.significance.tests import paired_test
    from tertium.study.sides import runs

_LAZY = {
    "AcrossDatasets": "tertium.significance.datasets:AcrossDatasets",
    "Assessment": "tertium.results.assessment:Assessment",
    "Audit": "tertium.significance.audit.result:Audit",
    "Comparison": "tertium.comparison.compare.result:Comparison",
    "Conventions": "tertium.comparison.conventions:Conventions",
    "Corpus": "tertium.corpus.corpus:Corpus",
    "Decisions": "tertium.results.decisions:Decisions",
    "Difference": "tertium.comparison.disagreement:Difference",
    "Drawing": "tertium.comparison.pictures:Drawing",
    "Errors": "tertium.comparison.errors.result:Errors",
    "Format": "tertium.formats.base:Format",
    "Instance": "tertium.comparison.errors.instances:Instance",
    "Interval": "tertium.results.assessment:Interval",
    "Metric": "tertium.families.base:Metric",
    "Power": "tertium.significance.power:Power",
    "PpvTable": "tertium.significance.ppv:PpvTable",
    "Result": "tertium.results.scores:Result",
    "Scores": "tertium.significance.score.result:Scores",
    "Signature": "tertium.signature:Signature",
    "Testing": "tertium.results.assessment:Testing",
    "across_datasets": "tertium.significance.datasets:across_datasets",
    "adjust": "tertium.significance.corrections:adjust",
    "assess": "tertium.significance.assess:assess",
    "audit": "tertium.significance.audit.verb:audit",
    "compare": "tertium.comparison.compare.verb:compare",
    "conventions": "tertium.comparison.conventions:conventions",
    "convert": "tertium.formats.convert:convert",
    "decide": "tertium.significance.score.verb:decide",
    "diff": "tertium.comparison.diff:diff",
    "draw": "tertium.comparison.draw:draw",
    "errors": "tertium.comparison.errors.verb:errors",
    "mcnemar": "tertium.significance.ranks:mcnemar",
    "metric": "tertium.families.base:make",
    "paired_test": "tertium.significance.tests:paired_test",
    "power": "tertium.significance.power:power",
    "ppv_table": "tertium.significance.ppv:ppv_table",
    "read": "tertium.formats.files:read_file",
    "register": "tertium.registry:register",
    "render": "tertium.report.render:render",
    "runs": "tertium.study.sides:runs",
    "score": "tertium.significance.score.verb:score",
    "show": "tertium.report.show:show",
    "sign_test": "tertium.significance.ranks:sign_test",
    "wilcoxon": "tertium.significance.ranks:wilcoxon",
    "validate": "tertium.formats.validate:validate",
    "write": "tertium.formats.files:write_file",
    "write_report": "tertium.report.page:write_report",
}

__all__ = [
    "AcrossDatasets",
    "AlignmentError",
    "Assessment",
    "Audit",
    "Comparison",
    "Conventions",
    "Corpus",
    "Decisions",
    "Difference",
    "Drawing",
    "Errors",
    "Format",
    "FormatError",
    "GateError",
    "InputError",
    "Instance",
    "Interval",
    "LayerError",
    "Metric",
    "Power",
    "PpvTable",
    "Result",
    "Scores",
    "Signature",
    "TertiumError",
    "Testing",
    "UsageError",
    "__version__",
    "across_datasets",
    "adjust",
    "assess",
    "audit",
    "compare",
    "conventions",
    "convert",
    "decide",
    "diff",
    "draw",
    "errors",
    "mcnemar",
    "metric",
    "paired_test",
    "power",
    "ppv_table",
    "read",
    "register",
    "render",
    "runs",
    "score",
    "show",
    "sign_test",
    "validate",
    "wilcoxon",
    "write",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'tertium' has no attribute '{name}'")
    from importlib import import_module

    module, _, attribute = _LAZY[name].partition(":")
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return __all__
