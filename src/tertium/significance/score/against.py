"""How scores changed since an earlier run, whose JSON output was kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from tertium.exceptions import UsageError
from tertium.families.sets import headers_of
from tertium.results.output import record
from tertium.results.scores import Result
from tertium.results.texts import counted
from tertium.signature import Signature
from tertium.significance.outputs import no_output, score_entries
from tertium.significance.score.result import Scores


@dataclass(frozen=True, slots=True)
class Change:
    """One number then and now; `delta` is None where either is missing, `reason` says why."""

    earlier: float | None
    delta: float | None
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return record(self, names={"earlier": "value"})


@dataclass(frozen=True)
class Against:
    """Changes by (system, metric, group) since the run kept in `origin`; group "" is the whole.

    `other_gold` says how that run's gold standard differs from this one, if it does.
    """

    origin: str
    changes: Mapping[tuple[str, str, str], Change]
    notes: tuple[str, ...] = ()
    other_gold: str = ""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What makes the changes doubtful: shown right below the table, before `notes`."""
        if not self.other_gold:
            return ()
        return (
            f"{self.origin} was scored against a different gold standard ({self.other_gold}): "
            "changes are not due to the systems alone",
        )

    def change(self, systems: Sequence[str], metric: str, group: str) -> Change:
        """The change of a system, or the mean over its runs, where all of them have one."""
        found = [self.changes[system, metric, group] for system in systems]
        lacking = next((each for each in found if each.delta is None), None)
        if lacking is not None or len(found) == 1:
            return lacking or found[0]
        earlier = fmean(each.earlier for each in found if each.earlier is not None)
        return Change(earlier, fmean(each.delta for each in found if each.delta is not None))


def changes(scores: Scores, earlier: Any, origin: str) -> Against:
    """Pair the results with those of an earlier JSON output by system and metric.

    With one system on both sides the two are paired whatever their names. Numbers made under
    different settings are not compared: that is a UsageError which names the settings. Results
    without a counterpart, on either side, are named in the notes.
    """
    entries = {(e["system"], e["metric"]): e for e in score_entries(earlier, origin)}
    if not isinstance(earlier.get("units", 0), int):
        raise no_output(origin)
    then = list(dict.fromkeys(system for system, _ in entries))
    renamed = {}
    if len(then) == len(scores.systems) == 1:
        renamed[scores.systems[0]] = then[0]
    notes = [
        f"{now} is compared with {before}, the only system of {origin}"
        for now, before in renamed.items()
        if now != before
    ]
    names = headers_of(dict.fromkeys([*scores.metrics, *(metric for _, metric in entries)]))
    found: dict[tuple[str, str, str], Change] = {}
    used = set()
    for result in scores:
        key = _counterpart(result, renamed.get(result.system, result.system), scores, entries)
        entry = entries.get(key)
        if entry is None:
            reason = f"not in {origin}"
            notes.append(f"{names[result.metric]} of {result.system} is not in {origin}")
            for group in ("", *result.groups):
                found[result.system, result.metric, group] = Change(None, None, reason)
            continue
        used.add(key)
        _refuse_other_settings(result, entry, origin)
        found[result.system, result.metric, ""] = _change(result, entry)
        groups = entry.get("groups", {}) if earlier.get("by") == scores.by else {}
        for name, part in result.groups.items():
            old = groups.get(name)
            found[result.system, result.metric, name] = (
                _change(part, old) if old else Change(None, None, f"group not in {origin}")
            )
    rest = [f"{names[key[1]]} of {key[0]}" for key in entries if key not in used]
    if rest:
        notes.append(f"only in {origin}: {', '.join(rest)}")
    return Against(origin, found, tuple(notes), _other_gold(scores, earlier))


def _other_gold(scores: Scores, earlier: Mapping[str, Any]) -> str:
    """How the gold standards are known to differ: in their files or their sizes."""
    then, now = earlier.get("gold_digest"), scores.gold_digest
    units = earlier.get("units", scores.units)
    old, new = [str(earlier.get("gold"))], [scores.gold]
    if then is not None and now is not None and then != now:
        old, new = [*old, str(then)], [*new, now]
    if units != scores.units:
        old, new = [*old, counted(units, "sentence")], [*new, counted(scores.units, "sentence")]
    return f"then {', '.join(old)}; now {', '.join(new)}" if len(old) > 1 else ""


def _counterpart(
    result: Result, system: str, scores: Scores, entries: Iterable[tuple[str, str]]
) -> tuple[str, str]:
    """The entry of the same metric or, if that has other parameters, the only one of its id, so
    that the difference is named."""
    same = (system, result.metric)
    if same in entries:
        return same
    name = _id(result.metric)
    now = [m for m in scores.metrics if _id(m) == name]
    then = [(s, m) for s, m in entries if s == system and _id(m) == name]
    return then[0] if len(now) == len(then) == 1 else same


def _id(metric: str) -> str:
    return metric.partition("(")[0]


def _refuse_other_settings(result: Result, entry: Mapping[str, Any], origin: str) -> None:
    before = Signature.parse(str(entry.get("signature") or "?"))
    different = before.differences(result.signature)
    if different:
        raise UsageError(
            f"{result.metric} of {result.system} was computed with different settings in {origin} "
            f"(then / now): {'; '.join(different)}",
            help="numbers are comparable only under equal settings; score the earlier output again",
        )


def _change(result: Result, entry: Mapping[str, Any]) -> Change:
    before = entry.get("value")
    if before is None:
        return Change(None, None, "undefined in the earlier run")
    if result.value is None:
        return Change(before, None, "undefined now")
    return Change(before, result.value - before)
