"""Run Tertium and its peers on the same files, as whole processes: time, memory, ratios.

`make bench` calls it with the kernel cache set; `python bench/run.py --help` lists the options.
"""

import argparse
import importlib.util
import json
import platform
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from cases import BIN, CASES, HERE, Case, Peer, pair
from constituents import GUM
from measure import Measured, measure

# A run takes minutes: each line is to be seen when it is there.
print = partial(print, flush=True)
COLUMNS = "  {:<36}{:>8}{:>9}{:>10}{:>9}{:>9}  {}"
PARTS = (
    *("bio", "conllu", "trees", "theories", "chains", "small", "compare", "significance"),
    *("agreement", "crowd", "variation"),
)
ALONE = ("memory",)  # takes minutes: only if asked for
SECONDS_SMALL = 1.0
SECONDS_HELP = 0.3  # of the processor
SECONDS_REPORT = 3.0
OPENING, FILTERING = 3000.0, 150.0  # milliseconds of the report in a browser
COMPARED = ("tags.accuracy(column=upos)", "deps.uas", "deps.las", "deps.ls")
TEN = [f"ud-ten.{n}.conllu" for n in ("gold", "system", *range(2, 11))]
SIDES = ("gold", "system")
VARIANTS = ("", "(labeled=no)", "(golds=own)", "(golds=own, labeled=no)")
COMPARING = 3.0  # comparing may take so many times as long as scoring
CROWDS = ((14_619, 1.5), (146_190, 15.0))  # items, and seconds at most
# Sentences, rows, method, how many times scipy's seconds, and megabytes at most.
RESAMPLING: tuple[tuple[int, str, str, float | None, int], ...] = (
    (2_000, "repeating", "percentile", 1.0, 500),
    (2_000, "repeating", "bca", 1.0, 500),
    (2_000, "repeating", "randomisation", 1.0, 500),
    (50_000, "repeating", "percentile", 10.0, 500),
    (50_000, "distinct", "percentile", 2.0, 500),
    (1_000_000, "repeating", "bca", None, 500),
    (1_000_000, "repeating", "randomisation", None, 500),
)
SECONDS_AGREEMENT = 0.3  # all coefficients
AGREEMENT_PEERS = ("krippendorff", "nltk", "statsmodels")
SECONDS_VARIATION = 20.0
ACROSS = (10.0, 1000)  # seconds and megabytes of TedEval in all variants
LINEAR = 12.0  # ten times the tokens may cost this many times the CPU seconds


class Bench:
    """One run: measures, prints as it goes, and keeps every row for --json."""

    def __init__(self, folder: Path, repeat: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)  # commands run there, even if they read no data
        self.folder = folder
        self.repeat = repeat
        self.rows: list[dict[str, object]] = []
        self.missed: list[str] = []
        self.wrong: list[str] = []

    def timed(self, what: str, *command: str) -> Measured | None:
        """A command of Tertium after one unmeasured run that compiles what is not compiled yet, or
        None where it fails."""
        whole = [str(BIN / "tertium"), *command]
        if not (BIN / "tertium").exists():
            self.wrong.append("tertium is not installed")
            return None
        warm = measure(whole, self.folder)
        if warm.status:
            self.wrong.append(f"tertium on {what}: exit {warm.status}: {warm.complaint}")
            return None
        return measure(whole, self.folder, repeat=self.repeat)

    def files(self, command: list[str], data: str) -> list[str]:
        gold, system = (path.name for path in pair(data, self.folder))
        return [c.replace("GOLD", gold).replace("SYSTEM", system) for c in command]

    def tertium(self, data: str, *options: str) -> Measured | None:
        """The score of one pair of files."""
        return self.timed(data, *self.files(["score", "GOLD", "SYSTEM", *options], data))

    def row(
        self,
        data: str,
        name: str,
        run: Measured | None,
        ratio: float | None,
        note: str,
        cpu_ratio: float | None = None,
    ) -> None:
        if run is None:
            print(COLUMNS.format(name, "-", "-", "-", "", "", note))
            self.rows.append({"data": data, "tool": name, "failed": note})
            return
        shown = "" if ratio is None else f"{ratio:.1f}x"
        cpu = "" if cpu_ratio is None else f"{cpu_ratio:.1f}x"
        print(
            COLUMNS.format(
                name, f"{run.cpu:.2f}", f"{run.wall:.2f}", f"{run.peak:.0f}", cpu, shown, note
            )
        )
        ratios = {"cpu_ratio": cpu_ratio, "wall_ratio": ratio}
        values = {"cpu": run.cpu, "wall": run.wall, "peak_mb": run.peak, **ratios}
        self.rows.append({"data": data, "tool": name, **values, "note": note})

    def target(self, met: bool, text: str, what: str) -> str:
        if not met:
            self.missed.append(f"{what}: {text}")
        return f"{text}: {'met' if met else 'NOT MET'}"

    def head(self, title: str) -> None:
        print(f"\n{title}")
        print(COLUMNS.format("", "CPU s", "wall s", "peak MB", "CPU", "wall", ""))

    def case(self, case: Case) -> None:
        """One pair of files: Tertium with the peers' metric, Tertium with all, and the peers."""
        self.head(case.title)
        chosen = [part for metric in case.metrics for part in ("--metric", metric)]
        ours = self.tertium(case.data, *chosen, "--format", "json")
        limit = f"< {case.megabytes:.0f} MB"
        note = self.target(ours.peak < case.megabytes, limit, case.title) if ours else "failed"
        if ours and case.seconds:
            most = f"<= {case.seconds:g} s CPU"
            note += "; " + self.target(ours.cpu <= case.seconds, most, case.title)
        self.row(case.data, f"tertium, {' '.join(case.metrics)}", ours, None, note)
        for metric, most in case.further:
            run = self.tertium(case.data, "--metric", metric, "--format", "json")
            ratio = run.wall / ours.wall if run and ours else None
            what = f"{case.title}, {metric}"
            note = self.target(ratio <= most, f"<= {most:g}x", what) if ratio else "failed"
            self.row(case.data, f"tertium, {metric}", run, ratio, note)
        every = self.tertium(case.data)
        note = self.target(every.peak < case.megabytes, limit, case.title) if every else "failed"
        self.row(case.data, "tertium, all metrics", every, None, note)
        value = _value(ours.output, case.compared) if ours else None
        values = {} if value is None else {"tertium": f"{value:.4f}"}
        for peer in case.peers:
            self.peer(case, peer, ours, value, values)
        print(f"  {case.compared}: " + ", ".join(f"{k} {v}" for k, v in values.items()))

    def peer(
        self,
        case: Case,
        peer: Peer,
        ours: Measured | None,
        value: float | None,
        values: dict[str, str],
    ) -> None:
        if not peer.installed():
            self.row(case.data, peer.name, None, None, "not installed")
            return
        run = measure(self.files(list(peer.command), case.data), self.folder, repeat=self.repeat)
        if run.status:
            self.row(case.data, peer.name, None, None, f"exit {run.status}: {run.complaint}")
            return
        run = replace(run, cpu=run.cpu / peer.share, wall=run.wall / peer.share)
        ratio = run.wall / ours.wall if ours else None
        cpu_ratio = run.cpu / ours.cpu if ours else None
        note = "" if peer.share == 1 else f"{peer.share:.0%} of the sentences, scaled; "
        if peer.target and ratio:
            what = f"{case.title}, {peer.name}"
            note += self.target(ratio >= peer.target, f">= {peer.target:g}x", what)
        self.row(case.data, peer.name, run, ratio, note, cpu_ratio)
        if peer.read is None:
            return
        theirs = peer.read(run.output)
        values[peer.name] = f"{theirs:.4f}"
        if value is not None and abs(value - theirs) > 0.51 * 10**-peer.decimals:
            values[peer.name] += " (DIFFERS)"
            self.wrong.append(f"{case.title}: {case.compared} {value}, {peer.name} {theirs}")

    def small(self) -> None:
        self.head("The first answer")
        run = self.timed("--help", "--help")
        limit = f"< {SECONDS_HELP:g} s CPU"
        note = self.target(run.cpu < SECONDS_HELP, limit, "--help") if run else "failed"
        self.row("help", "tertium --help", run, None, note)
        self.head("1,000 sentences, from command to table")
        for data in ("bio4-small", "ud-small"):
            run = self.tertium(data)
            met = run is not None and run.wall < SECONDS_SMALL
            note = self.target(met, f"< {SECONDS_SMALL:g} s", data) if run else "failed"
            self.row(data, f"tertium, {data}", run, None, note)
        self.head("One sentence of 100,000 tokens")
        for data in ("bio4-long", "ud-long"):
            run = self.tertium(data)
            self.row(data, f"tertium, {data}", run, None, "works" if run else "failed")

    def comparing(self) -> None:
        """Ten systems scored, and compared; and a report of five."""
        self.head("10 systems, 1M words each: tags, UAS, LAS, LS")
        options = [part for metric in COMPARED for part in ("--metric", metric)]
        scored = self.timed("ud-ten", "score", *TEN, *options, "--format", "json")
        self.row("ud-ten", "tertium score", scored, None, "" if scored else "failed")
        run = self.timed("ud-ten", "compare", *TEN, *options, "--format", "json")
        ratio = run.wall / scored.wall if run and scored else None
        note = "failed"
        if run and ratio:
            note = self.target(ratio <= COMPARING, f"<= {COMPARING:g}x", "compare")
            note += "; " + self.target(run.peak < 2000, "< 2000 MB", "compare")
        self.row("ud-ten", "tertium compare, all pairs, bounds", run, ratio, note)
        self.head("5 systems, 25,000 words, two views: the interactive report")
        files = [f"ud-five.{n}.conllu" for n in ("gold", "system", *range(2, 6))]
        report = self.timed("ud-five", "compare", *files, "--report", "ud-five.html")
        met = report is not None and report.wall < SECONDS_REPORT
        note = self.target(met, f"< {SECONDS_REPORT:g} s", "report") if report else "failed"
        self.row("ud-five", "tertium compare --report", report, None, note)
        if report:
            self.page("ud-five.html")

    def page(self, name: str) -> None:
        """The report in a browser: how long it takes to open, and a filter (the median of ten)."""
        run = measure([sys.executable, str(HERE / "page.py"), name], self.folder)
        if run.status:
            self.row("ud-five", "report in Chromium", None, None, run.complaint)
            return
        took = json.loads(run.output)
        notes = [
            self.target(took[what] < most, f"{what} {took[what]:.0f} ms < {most:g}", "report")
            for what, most in (("opening", OPENING), ("filtering", FILTERING))
        ]
        self.row("ud-five", f"report in Chromium, {took['items']}", run, None, "; ".join(notes))

    def theories(self) -> None:
        """Parsers of two theories by TedEval: labelled and not, against both gold standards and
        against their own."""
        self.head("40,000 sentences, two theories, a parser of each: TedEval in four variants")
        files = [f"theories.{side}.{suffix}" for side in SIDES for suffix in ("conllu", "mrg")]
        gold = ("--gold", f"dep={files[0]}", "--gold", f"ps={files[1]}")
        chosen = [part for text in VARIANTS for part in ("--metric", f"theories.tedeval{text}")]
        systems = (f"dep:{files[2]}", f"ps:{files[3]}")
        run = self.timed("theories", "score", *gold, *systems, *chosen, "--format", "json")
        note, (seconds, megabytes) = "failed", ACROSS
        if run:
            note = self.target(run.wall < seconds, f"< {seconds:g} s", "theories")
            note += "; " + self.target(run.peak < megabytes, f"< {megabytes} MB", "theories")
        self.row("theories", "tertium score", run, None, note)

    def memory(self) -> None:
        """Ten systems whose counts are all kept, also those of every group of words."""
        self.head("10 systems, 1M words each: memory")
        chosen = [part for metric in COMPARED for part in ("--metric", metric)]
        for megabytes, *command in (
            (600, "score", *TEN, *chosen),
            (2000, "compare", *TEN, "--by", "deprel"),
        ):
            name = " ".join(c for c in command if c not in {*TEN, *chosen})
            run = self.timed("ud-ten", *command, "--format", "json")
            met = run is not None and run.peak < megabytes
            note = self.target(met, f"< {megabytes} MB", name) if run else "failed"
            self.row("ud-ten", f"tertium {name}", run, None, note)

    def resampling(self) -> None:
        """10,000 resamples by Tertium and by scipy; both are timed inside the process."""
        for units, rows, method, least, megabytes in RESAMPLING:
            self.head(
                f"10,000 resamples of a micro-F1 difference ({method}), "
                f"{units:,} sentences, {rows} rows"
            )
            ours = self._own_time("resampling.py", "tertium", units, rows, method)
            note = "failed"
            if ours:
                note = self.target(
                    ours.peak < megabytes, f"< {megabytes} MB", f"{units:,} sentences"
                )
            self.row("resampling", "tertium", ours, None, note)
            if least is None:
                continue
            theirs = self._own_time("resampling.py", "scipy", units, rows, method)
            ratio = theirs.wall / ours.wall if ours and theirs else None
            cpu_ratio = theirs.cpu / ours.cpu if ours and theirs else None
            note = "failed"
            if ratio:
                what = f"{units:,} sentences, {rows} rows, {method}"
                note = self.target(ratio >= least, f">= {least:g}x", what)
            self.row("resampling", "scipy", theirs, ratio, note, cpu_ratio)
            if ours and theirs:
                self._same_ends(json.loads(ours.output), json.loads(theirs.output), method)

    def agreement(self) -> None:
        """All coefficients by Tertium, and those that each peer has."""
        self.head("coefficients of agreement: 100 annotators, 100,000 items, 5 ratings each")
        ours = self._own_time("ratings.py", "tertium")
        note = "failed"
        if ours:
            met = ours.wall < SECONDS_AGREEMENT
            note = self.target(met, f"< {SECONDS_AGREEMENT:g} s", "agreement")
        self.row("agreement", "tertium, all 8", ours, None, note)
        for peer in AGREEMENT_PEERS:
            theirs = self._own_time("ratings.py", peer)
            if ours is None or theirs is None:
                self.row("agreement", peer, theirs, None, "failed")
                continue
            mine, yours = json.loads(ours.output), json.loads(theirs.output)
            common = [name for name in yours if name not in ("wall", "cpu")]
            ratios = theirs.wall / ours.wall, theirs.cpu / ours.cpu
            self.row("agreement", f"{peer}, {', '.join(common)}", theirs, ratios[0], "", ratios[1])
            for name in common:
                if abs(mine[name] - yours[name]) > 1e-9:
                    self.wrong.append(f"{name}: tertium {mine[name]}, {peer} {yours[name]}")

    def _own_time(self, script: str, who: str, *what: object) -> Measured | None:
        """A run whose seconds are those that it says itself; memory is that of the process."""
        command = [sys.executable, str(HERE / script), who, *map(str, what)]
        run = measure(command, self.folder)
        if run.status:
            self.wrong.append(f"{who}, {script}: exit {run.status}: {run.complaint}")
            return None
        said = json.loads(run.output)
        return replace(run, wall=said["wall"], cpu=said["cpu"])

    def crowds(self) -> None:
        """MACE by Tertium and, where it is installed, by crowd-kit, which is given the small one;
        its labels differ, as it mixes up the strategies of annotators."""
        for items, limit in CROWDS:
            self.head(f"MACE, {items:,} items with 5 votes, 177 annotators, 12 labels")
            ours = self._own_time("crowd.py", "tertium", items)
            note = "failed"
            if ours:
                note = self.target(ours.wall <= limit, f"<= {limit:g} s", f"MACE, {items:,} items")
            self.row("crowd", "tertium", ours, None, note)
            if items > CROWDS[0][0] or importlib.util.find_spec("crowdkit") is None:
                continue
            theirs = self._own_time("crowd.py", "crowd-kit", items)
            ratio = theirs.wall / ours.wall if ours and theirs else None
            cpu_ratio = theirs.cpu / ours.cpu if ours and theirs else None
            self.row("crowd", "crowd-kit", theirs, ratio, "", cpu_ratio)

    def variation(self) -> None:
        """Variation n-grams of a million words."""
        self.head("variation n-grams of 1M words: tags, and relations")
        for metric in ("tags.accuracy(column=upos)", "deps.las"):
            chosen = ("--metric", metric, "--limit", "1000", "--format", "json")
            run = self.timed("ud", "variation", "ud.gold.conllu", *chosen)
            note = "failed"
            if run:
                met = run.wall <= SECONDS_VARIATION
                note = self.target(met, f"<= {SECONDS_VARIATION:g} s", f"variation, {metric}")
            self.row("ud", f"tertium, {metric}", run, None, note)

    def _same_ends(self, ours: dict[str, float], theirs: dict[str, float], method: str) -> None:
        """Two estimates from 10,000 resamples must be close."""
        ends = [
            f"{who} [{x['low']:.5f}, {x['high']:.5f}]"
            for who, x in (("tertium", ours), ("scipy", theirs))
        ]
        print(f"  {'p' if method == 'randomisation' else 'ends'}: {', '.join(ends)}")
        scale = 1.0 if method == "randomisation" else theirs["high"] - theirs["low"]
        if any(abs(ours[end] - theirs[end]) > 0.05 * scale for end in ("low", "high")):
            self.wrong.append(f"resampling ({method}): {', '.join(ends)}")

    def large(self, kinds: set[str]) -> None:
        self.head("10M tokens; ratio: CPU seconds against 1M tokens")
        for case in CASES:
            if case.kind not in kinds or case.data not in {"bio4", "ud"}:
                continue
            options = [part for metric in case.metrics for part in ("--metric", metric)]
            one = self.tertium(case.data, *options, "--format", "json")
            ten = self.tertium(f"{case.data}-large", *options, "--format", "json")
            ratio = ten.cpu / one.cpu if one and ten else None
            note = "failed" if ratio is None else self.target(ratio <= LINEAR, "linear", case.data)
            self.row(f"{case.data}-large", f"tertium, {case.data}-large", ten, ratio, note)


def _value(output: str, metric: str) -> float | None:
    scores = json.loads(output)["scores"]
    return next((s["value"] for s in scores if s["metric"].split("(")[0] == metric), None)


def cases_of(kinds: set[str]) -> list[Case]:
    """The cases of some parts of the benchmark whose data can be made."""
    found = [case for case in CASES if case.kind in kinds]
    return [case for case in found if case.source is None or case.source.is_dir()]


def data_of(kinds: set[str], *, large: bool) -> list[str]:
    """Names of the files that some parts of the benchmark read."""
    names = [case.data for case in cases_of(kinds)]
    if "theories" in kinds and GUM.is_dir():
        names += ["theories"]
    if "small" in kinds:
        names += ["bio4-small", "ud-small", "bio4-long", "ud-long"]
    if kinds & {"compare", "memory"}:
        names += ["ud-ten"]
    if "compare" in kinds:
        names += ["ud-five"]
    if "variation" in kinds:
        names += ["ud"]
    if large:
        names += [f"{c.data}-large" for c in CASES if c.kind in kinds and c.data in {"bio4", "ud"}]
    return names


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=[*PARTS, *ALONE], help="one part of the benchmark")
    parser.add_argument(
        "--repeat", type=int, default=1, metavar="N", help="least time of N runs each"
    )
    parser.add_argument(
        "--large", action="store_true", help="also 10M tokens (makes 1.4 GB of files)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every row there too")
    parser.add_argument(
        "--folder", type=Path, default=HERE / "data", help="where the data is or goes"
    )
    options = parser.parse_args()
    kinds = {options.only} if options.only else {*PARTS}
    names = data_of(kinds, large=options.large)
    maker = [sys.executable, str(HERE / "make_data.py"), "--folder", str(options.folder), *names]
    if names:
        subprocess.run(maker, check=True)

    bench = Bench(options.folder.resolve(), options.repeat)
    print(f"Python {platform.python_version()}, {platform.machine()}; warm kernel cache")
    for case in cases_of(kinds):
        bench.case(case)
    for case in CASES:
        if case.kind in kinds and case not in cases_of(kinds):
            print(f"\n{case.title}: left out, since there is no {case.source}")
    if "theories" in names:
        bench.theories()
    further = {
        "small": bench.small,
        "compare": bench.comparing,
        "significance": bench.resampling,
        "agreement": bench.agreement,
        "crowd": bench.crowds,
        "variation": bench.variation,
        "memory": bench.memory,
    }
    for kind, run in further.items():
        if kind in kinds:
            run()
    if options.large:
        bench.large(kinds)
    if options.json:
        report = {"rows": bench.rows, "missed": bench.missed, "wrong": bench.wrong}
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print()
    for line in bench.wrong:
        print(f"WRONG: {line}")
    for line in bench.missed:
        print(f"target not met: {line}")
    if not bench.wrong and not bench.missed:
        print("All numbers agree and all targets are met.")
    return 1 if bench.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
