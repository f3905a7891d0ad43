"""Tertium: the common ground for linguistic annotation.

    import tertium
    scores = tertium.score("gold.conllu", "system.conllu")
    for result in scores:
        print(result.metric, result.value, result.signature)

Heavy parts load on first use.
"""

from __future__ import annotations

from tertium._version import __version__ as __version__

TYPE_CHECKING = False  # not from typing, which takes time to load

if TYPE_CHECKING:
    from tertium.agreement.agree.result import AgreementResult as AgreementResult
    from tertium.agreement.agree.verb import agree as agree
    from tertium.agreement.crowd.result import Aggregation as Aggregation
    from tertium.agreement.crowd.verb import crowd as crowd
    from tertium.agreement.variation.verb import Variations as Variations
    from tertium.agreement.variation.verb import variation as variation
    from tertium.comparison.compare.result import Comparison as Comparison
    from tertium.comparison.compare.verb import compare as compare
    from tertium.comparison.conventions import Conventions as Conventions
    from tertium.comparison.conventions import conventions as conventions
    from tertium.comparison.cross.result import CrossComparison as CrossComparison
    from tertium.comparison.cross.verb import cross as cross
    from tertium.comparison.decide import decide as decide
    from tertium.comparison.diff import diff as diff
    from tertium.comparison.disagreement import Difference as Difference
    from tertium.comparison.draw import draw as draw
    from tertium.comparison.errors.instances import Instance as Instance
    from tertium.comparison.errors.result import Errors as Errors
    from tertium.comparison.errors.verb import errors as errors
    from tertium.comparison.metrics.result import MetricComparison as MetricComparison
    from tertium.comparison.metrics.verb import metrics as metrics
    from tertium.comparison.pairwise import PairwiseDifference as PairwiseDifference
    from tertium.comparison.pictures import Drawing as Drawing
    from tertium.corpus.corpus import Corpus as Corpus
    from tertium.exceptions import AlignmentError as AlignmentError
    from tertium.exceptions import FormatError as FormatError
    from tertium.exceptions import GateError as GateError
    from tertium.exceptions import InputError as InputError
    from tertium.exceptions import LayerError as LayerError
    from tertium.exceptions import TertiumError as TertiumError
    from tertium.exceptions import UsageError as UsageError
    from tertium.families.base import Metric as Metric
    from tertium.families.base import make as _make
    from tertium.families.theories.algebra import delta as delta
    from tertium.families.theories.algebra import edit_script as edit_script
    from tertium.families.theories.algebra import generalize as generalize
    from tertium.families.theories.algebra import subsumes as subsumes
    from tertium.families.theories.algebra import tl_unify as tl_unify
    from tertium.families.theories.algebra import unify as unify
    from tertium.families.theories.multifunction import MultiFunctionTree as MultiFunctionTree
    from tertium.formats.base import Format as Format
    from tertium.formats.convert import convert as convert
    from tertium.formats.files import read_file as _read_file
    from tertium.formats.files import write_file as _write_file
    from tertium.formats.validate import validate as validate
    from tertium.registry import register as register
    from tertium.report.page import write_report as write_report
    from tertium.report.render import render as render
    from tertium.report.show import show as show
    from tertium.results.assessment import Assessment as Assessment
    from tertium.results.assessment import Interval as Interval
    from tertium.results.assessment import Testing as Testing
    from tertium.results.decisions import Decisions as Decisions
    from tertium.results.scores import Result as Result
    from tertium.signature import Signature as Signature
    from tertium.significance.assess import assess as assess
    from tertium.significance.audit.result import Audit as Audit
    from tertium.significance.audit.verb import audit as audit
    from tertium.significance.corrections import adjust as adjust
    from tertium.significance.datasets import AcrossDatasets as AcrossDatasets
    from tertium.significance.datasets import across_datasets as across_datasets
    from tertium.significance.power import Power as Power
    from tertium.significance.power import power as power
    from tertium.significance.ppv import PpvTable as PpvTable
    from tertium.significance.ppv import ppv_table as ppv_table
    from tertium.significance.ranks import mcnemar as mcnemar
    from tertium.significance.ranks import sign_test as sign_test
    from tertium.significance.ranks import wilcoxon as wilcoxon
    from tertium.significance.score.result import Scores as Scores
    from tertium.significance.score.trainer import compute_metrics as compute_metrics
    from tertium.significance.score.verb import score as score
    from tertium.significance.tests import paired_test as paired_test
    from tertium.study.sides import runs as runs
    from tertium.study.theories import theory as theory

    metric = _make
    read = _read_file
    write = _write_file

_LAZY = {
    "AcrossDatasets": "tertium.significance.datasets:AcrossDatasets",
    "Aggregation": "tertium.agreement.crowd.result:Aggregation",
    "AgreementResult": "tertium.agreement.agree.result:AgreementResult",
    "AlignmentError": "tertium.exceptions:AlignmentError",
    "Assessment": "tertium.results.assessment:Assessment",
    "Audit": "tertium.significance.audit.result:Audit",
    "Comparison": "tertium.comparison.compare.result:Comparison",
    "Conventions": "tertium.comparison.conventions:Conventions",
    "Corpus": "tertium.corpus.corpus:Corpus",
    "CrossComparison": "tertium.comparison.cross.result:CrossComparison",
    "Decisions": "tertium.results.decisions:Decisions",
    "Difference": "tertium.comparison.disagreement:Difference",
    "Drawing": "tertium.comparison.pictures:Drawing",
    "Errors": "tertium.comparison.errors.result:Errors",
    "Format": "tertium.formats.base:Format",
    "FormatError": "tertium.exceptions:FormatError",
    "GateError": "tertium.exceptions:GateError",
    "InputError": "tertium.exceptions:InputError",
    "Instance": "tertium.comparison.errors.instances:Instance",
    "Interval": "tertium.results.assessment:Interval",
    "LayerError": "tertium.exceptions:LayerError",
    "Metric": "tertium.families.base:Metric",
    "MetricComparison": "tertium.comparison.metrics.result:MetricComparison",
    "MultiFunctionTree": "tertium.families.theories.multifunction:MultiFunctionTree",
    "PairwiseDifference": "tertium.comparison.pairwise:PairwiseDifference",
    "Power": "tertium.significance.power:Power",
    "PpvTable": "tertium.significance.ppv:PpvTable",
    "Result": "tertium.results.scores:Result",
    "Scores": "tertium.significance.score.result:Scores",
    "Signature": "tertium.signature:Signature",
    "TertiumError": "tertium.exceptions:TertiumError",
    "Testing": "tertium.results.assessment:Testing",
    "UsageError": "tertium.exceptions:UsageError",
    "Variations": "tertium.agreement.variation.verb:Variations",
    "across_datasets": "tertium.significance.datasets:across_datasets",
    "adjust": "tertium.significance.corrections:adjust",
    "agree": "tertium.agreement.agree.verb:agree",
    "assess": "tertium.significance.assess:assess",
    "audit": "tertium.significance.audit.verb:audit",
    "compare": "tertium.comparison.compare.verb:compare",
    "compute_metrics": "tertium.significance.score.trainer:compute_metrics",
    "conventions": "tertium.comparison.conventions:conventions",
    "convert": "tertium.formats.convert:convert",
    "cross": "tertium.comparison.cross.verb:cross",
    "crowd": "tertium.agreement.crowd.verb:crowd",
    "decide": "tertium.comparison.decide:decide",
    "delta": "tertium.families.theories.algebra:delta",
    "diff": "tertium.comparison.diff:diff",
    "draw": "tertium.comparison.draw:draw",
    "edit_script": "tertium.families.theories.algebra:edit_script",
    "errors": "tertium.comparison.errors.verb:errors",
    "generalize": "tertium.families.theories.algebra:generalize",
    "mcnemar": "tertium.significance.ranks:mcnemar",
    "metric": "tertium.families.base:make",
    "metrics": "tertium.comparison.metrics.verb:metrics",
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
    "subsumes": "tertium.families.theories.algebra:subsumes",
    "theory": "tertium.study.theories:theory",
    "tl_unify": "tertium.families.theories.algebra:tl_unify",
    "unify": "tertium.families.theories.algebra:unify",
    "validate": "tertium.formats.validate:validate",
    "variation": "tertium.agreement.variation.verb:variation",
    "wilcoxon": "tertium.significance.ranks:wilcoxon",
    "write": "tertium.formats.files:write_file",
    "write_report": "tertium.report.page:write_report",
}

__all__ = sorted(["__version__", *_LAZY])


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'tertium' has no attribute '{name}'")
    from importlib import import_module

    place, _, attribute = _LAZY[name].partition(":")
    module = import_module(place)
    found = getattr(module, attribute)
    verb = getattr(module, "VERB", None)
    if hasattr(found, "takes") or (verb is not None and verb.call is found):
        from tertium.options import describe  # for `help` and notebooks
        from tertium.registry import with_examples

        describe(found, verb, fill_in=with_examples)
    return found


def __dir__() -> list[str]:
    return __all__
