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
    from tertium.comparison.draw import Drawing, draw
    from tertium.comparison.errors.instances import Instance
    from tertium.comparison.errors.verb import Errors, errors
    from tertium.corpus.corpus import Corpus
    from tertium.families.base import Metric
    from tertium.families.base import make as metric
    from tertium.formats.base import Format
    from tertium.formats.read import read_file as read
    from tertium.formats.read import write_file as write
    from tertium.registry import register
    from tertium.report.page.compare import write_report
    from tertium.report.render import render
    from tertium.report.show import show
    from tertium.results.assessment import Assessment, Interval, Testing
    from tertium.results.decisions import Decisions
    from tertium.results.scores import Result
    from tertium.signature import Signature
    from tertium.significance.assessing import assess
    from tertium.significance.audits.audit import Audit
    from tertium.significance.audits.auditing import audit
    from tertium.significance.collecting import AcrossDatasets, across_datasets
    from tertium.significance.planning import power
    from tertium.significance.powers import Power
    from tertium.significance.ppv import PpvTable, ppv_table
    from tertium.significance.score.result import Scores
    from tertium.significance.score.verb import decide, score
    from tertium.study.sides import runs

_LAZY = {
    "AcrossDatasets": "tertium.significance.collecting:AcrossDatasets",
    "Assessment": "tertium.results.assessment:Assessment",
    "Audit": "tertium.significance.audits.audit:Audit",
    "Comparison": "tertium.comparison.compare.result:Comparison",
    "Conventions": "tertium.comparison.conventions:Conventions",
    "Corpus": "tertium.corpus.corpus:Corpus",
    "Decisions": "tertium.results.decisions:Decisions",
    "Difference": "tertium.comparison.disagreement:Difference",
    "Drawing": "tertium.comparison.draw:Drawing",
    "Errors": "tertium.comparison.errors.verb:Errors",
    "Format": "tertium.formats.base:Format",
    "Instance": "tertium.comparison.errors.instances:Instance",
    "Interval": "tertium.results.assessment:Interval",
    "Metric": "tertium.families.base:Metric",
    "Power": "tertium.significance.powers:Power",
    "PpvTable": "tertium.significance.ppv:PpvTable",
    "Result": "tertium.results.scores:Result",
    "Scores": "tertium.significance.score.result:Scores",
    "Signature": "tertium.signature:Signature",
    "Testing": "tertium.results.assessment:Testing",
    "across_datasets": "tertium.significance.collecting:across_datasets",
    "assess": "tertium.significance.assessing:assess",
    "audit": "tertium.significance.audits.auditing:audit",
    "compare": "tertium.comparison.compare.verb:compare",
    "conventions": "tertium.comparison.conventions:conventions",
    "decide": "tertium.significance.score.verb:decide",
    "diff": "tertium.comparison.diff:diff",
    "draw": "tertium.comparison.draw:draw",
    "errors": "tertium.comparison.errors.verb:errors",
    "metric": "tertium.families.base:make",
    "power": "tertium.significance.planning:power",
    "ppv_table": "tertium.significance.ppv:ppv_table",
    "read": "tertium.formats.read:read_file",
    "register": "tertium.registry:register",
    "render": "tertium.report.render:render",
    "runs": "tertium.study.sides:runs",
    "score": "tertium.significance.score.verb:score",
    "show": "tertium.report.show:show",
    "write": "tertium.formats.read:write_file",
    "write_report": "tertium.report.page.compare:write_report",
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
    "assess",
    "audit",
    "compare",
    "conventions",
    "decide",
    "diff",
    "draw",
    "errors",
    "metric",
    "power",
    "ppv_table",
    "read",
    "register",
    "render",
    "runs",
    "score",
    "show",
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
