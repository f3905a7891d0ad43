"""A study: what a user asks for, made ready. Sides found and paired, options checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from tertium.align.tokens import METHODS
from tertium.corpus.corpus import Corpus
from tertium.exceptions import UsageError
from tertium.families.base import Metric, union
from tertium.families.family import default_metrics, is_compared
from tertium.families.keys import Key, is_by_length, key_of, named_keys
from tertium.families.sets import expand
from tertium.formats.base import CYCLES, Format, InputOptions, Reading
from tertium.formats.files import named, read_file
from tertium.formats.problems import check_heads
from tertium.formats.resources import (
    LabelMap,
    Lexicon,
    load_lexicon,
    load_maps,
)
from tertium.formats.sources import Source
from tertium.options import ANALYSIS, GENERAL, option
from tertium.results.names import short_names
from tertium.study.further import Further, further_files
from tertium.study.sides import (
    Input,
    Shard,
    check_distinct,
    distinct_names,
    expand_runs,
    file_names,
    input_of,
    notes_of,
    pair,
    several,
    side_of,
    spread,
)
from tertium.study.theories import formats_of, is_across, split_format, theory_sides

GOLD = "gold"  # the side that systems are compared with, in label maps


@dataclass(frozen=True)
class Way:
    """How a verb goes through many files: in `jobs` processes, or on any executor of
    `concurrent.futures`; `progress` is called with how many are done, and of how many."""

    option_group: ClassVar[str] = GENERAL

    jobs: int = option(
        1, "Number of processes for many files.", metavar="N", least=1, most=1024, short="-j"
    )
    executor: Executor | None = option(
        None, "An executor of concurrent.futures, to be used instead of processes.", flag=""
    )
    progress: Callable[[int, int], None] | None = option(
        None, "A function that is called with the numbers of files done and of all files.", flag=""
    )


@dataclass(frozen=True, eq=False)
class Study(InputOptions):
    """Sides under their names, the files they are, and how to read, align and judge them.

    Fields declared as options are keywords of every verb that reads files. The others:

    - `gold`: the name of the gold standard or, where there is none, of the first side, which lends
      its text and plays gold (`has_gold` is False then); `systems`: those of the other sides
    - `shards`: files that belong together; `runs`: the systems that are runs of one, by its name
    - `sets`: for metrics that were not named themselves, the text of the set that was
    - `facts`: what each metric knows about all gold files, where that must be known beforehand
    - `defaults`: finds the metrics for a gold file where none is named
    - `also`: columns to read in addition to those that metrics need; None for all
    - `by_name`: what the groups of `by` are called; `more_keys`: names and keys of further
      ways to group, one after the other
    - `lenient`: leave out the checks that metrics demand of files, since nothing is counted
    - `left_out`: what was left out of folders, in sentences
    - `theory_names`: the theories of the gold standards, if gold has some; `origins`: the theory
      and the files or data of every gold standard and system
    """

    gold: str = ""
    systems: tuple[str, ...] = ()
    gold_input: Input = Source("", ())
    shards: tuple[Shard, ...] = ()
    runs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    has_gold: bool = True
    sets: Mapping[Metric, str] = field(default_factory=dict)
    facts: tuple[frozenset[str], ...] | None = None
    defaults: Callable[[Corpus], tuple[Metric, ...]] = default_metrics
    also: frozenset[str] | None = frozenset()
    by_name: str | None = None
    more_keys: tuple[tuple[str, str], ...] = ()
    lenient: bool = False
    left_out: tuple[str, ...] = ()
    theory_names: tuple[str, ...] = ()
    origins: tuple[tuple[str, Input], ...] = ()
    metrics: tuple[Metric, ...] | None = option(
        None, "A metric such as {LAS} or '{SPANS}(scheme=iob2)'; repeatable. Default: those that "
        "fit the layers present.",
        keyword="metric", many=True, metavar="ID", objects=True, short="-m", group=ANALYSIS
    )  # fmt: skip
    by: str | None = option(
        None, "Also score groups: length (length:5,15), document, file, a key of the comments, or "
        "a property of words: deprel, upos, xpos, distance, direction, depth, projectivity, "
        "feature:NAME, or known (with --lexicon), or of constituents: category, function, width, "
        "height, gaps, or of coreference: mention; repeatable. NAME names the groups.",
        many=True, metavar="[NAME=]KEY", group=ANALYSIS
    )  # fmt: skip
    lexicon: Lexicon | None = option(
        None, "Training data, a file, folder or glob: score known and unknown apart; repeatable.",
        metavar="FILE", path=True, many=True, objects=True, group=ANALYSIS
    )  # fmt: skip
    system_format: str | None = option(
        None, "Format of the systems, if different.", metavar="FORMAT"
    )
    system_columns: str | None = option(
        None, "Columns of the systems, if different.", metavar="ROLES"
    )
    align: str = option(
        "auto", "How to pair tokens: auto (equal tokens, otherwise characters; of trees only "
        "sentences with the same words), characters, or position (sentence and token number).",
        choices=METHODS,
    )  # fmt: skip
    map_labels: tuple[LabelMap, ...] = option(
        (), "Two columns, old and new label: rename labels before comparing, everywhere or only on "
        "one SIDE (gold, a system or a theory) or in one LAYER; repeatable.",
        metavar="[SIDE:][LAYER=]FILE", path="labels", objects=True
    )  # fmt: skip
    with_files: tuple[str | Further, ...] = option(
        (), "Add the layers of a further file over the same tokens; repeatable.",
        flag="--with", metavar="FILE", path=True, objects=True
    )  # fmt: skip
    enrich: tuple[str, ...] = option(
        (), "With gold standards of several theories: give the nodes of one theory the labels that "
        "the other has over the same tokens, such as ps=dep; repeatable.",
        metavar="THEORY=THEORY"
    )  # fmt: skip
    labels: bool | Literal["single"] = option(
        True, 'Count per label as well; "single" leaves out members of sets.', flag=""
    )
    confusion: bool = option(False, "Count which labels are confused.", flag="")
    documents: bool = option(False, "Keep the document of every sentence.", flag="")

    @classmethod
    def of(
        cls,
        gold: Any,
        systems: Sequence[Any],
        *,
        metric: str | Metric | Sequence[str | Metric] | None = None,
        lexicon: str | Lexicon | Sequence[str] | None = None,
        map_labels: Sequence[str | LabelMap] = (),
        names: Sequence[str] | None = None,
        alone: bool = False,
        **options: Any,
    ) -> Self:
        """Check what was asked for and find the files.

        Without gold (None) the first of the systems takes its place. `alone`: there may be gold
        without any system. `options` are further fields, which `tertium.options.take` has checked.
        """
        has_gold = gold is not None
        if not has_gold:
            gold, *systems = systems
        if not systems and not alone:
            raise UsageError(
                "there is no system to score; give one or more after the gold standard"
            )
        words = _lexicon_of(lexicon)
        keys = named_keys(options.pop("by", None))
        for key in keys.values():
            key_of(key, words)  # raises where it is misspelt, before data is read
        by_name = next(iter(keys), None)
        by = None if by_name is None else keys.pop(by_name)
        # An option that was not given is an empty tuple on the command line, None in Python.
        if metric == []:
            raise UsageError("metric must name one metric or more. Got [] instead.")
        metrics, sets = (None, {}) if metric is None or metric == () else expand(metric)
        found = cls(
            has_gold=has_gold,
            metrics=metrics,
            sets=sets,
            lexicon=words,
            map_labels=load_maps(several("map_labels", map_labels, LabelMap, "files of labels")),
            by=by,
            by_name=by_name,
            more_keys=tuple(keys.items()),
            **options,
        )
        return found._with_sides(gold, systems, names)._with_further()._with_maps()

    @cached_property
    def gold_reader(self) -> Format | None:
        """The format of gold, if it is named."""
        return named(split_format(self.input_format, self.theory_names)[1], self.columns)

    @cached_property
    def system_reader(self) -> Format | None:
        """The format of the systems, if it is named."""
        own = split_format(self.system_format, self.theory_names)[1]
        return named(own, self.system_columns) or self.gold_reader

    @property
    def formats_by_theory(self) -> list[dict[str, Format | None]]:
        """The formats of gold and of the systems, as far as they are named."""
        given = (self.input_format, self.columns), (self.system_format, self.system_columns)
        return formats_of(self.theory_names, *given)

    def _with_sides(self, gold: Any, systems: Sequence[Any], names: Sequence[str] | None) -> Self:
        if is_across(gold):
            from tertium.families.theories.native import check_across

            check_across(self.metrics or ())
            whole = replace(self, theory_names=tuple(gold))
            plan = whole.formats_by_theory, self.enrich, self.on_error, self.map_labels
            return replace(whole, **theory_sides(gold, systems, names, *plan))
        if self.enrich:
            raise UsageError("'--enrich' needs gold standards of several theories")
        gold_input, gold_name = input_of(gold, "gold" if self.has_gold else "A", of_gold=True)
        systems, notes = spread(gold_input, systems) if self.has_gold else (systems, [])
        each = expand_runs(systems, names)
        usual = [f"system{i}" for i in range(1, len(each.data) + 1)]
        if not self.has_gold:
            usual = [*"BCDEFGHIJKLMNOPQRSTUVWXYZ"][: len(usual)] + usual[25:]
        elif len(usual) == 1:
            usual = ["system"]
        given = [
            input_of(s, name or other)
            for s, name, other in zip(each.data, each.names, usual, strict=True)
        ]
        short = file_names(given, each.data)
        system_names = [name or found for name, found in zip(each.names, short, strict=True)]
        if not self.has_gold:
            full = [gold_name, *(own or n for own, (_, n) in zip(each.names, given, strict=True))]
            gold_name, *system_names = distinct_names(full)
        check_distinct(system_names, each.runs)
        inputs = [gold_input, *(source for source, _ in given)]
        if sum(isinstance(i, Source) and i.files == ("-",) for i in inputs) > 1:
            raise UsageError("standard input ('-') can be read only once")
        sides = [self._in_memory(source, of_gold=n == 0) for n, source in enumerate(inputs)]
        return replace(
            self,
            gold=gold_name,
            systems=tuple(system_names),
            gold_input=sides[0],
            shards=tuple(pair(sides[0], sides[1:])),
            runs=each.runs,
            left_out=tuple(
                dict.fromkeys([*(note for each in inputs for note in notes_of(each)), *notes])
            ),
        )

    def _in_memory(self, source: Input, *, of_gold: bool) -> Input:
        """Standard input and pipes as a corpus, since they cannot be read twice; files as they are.

        What comes from Python as a corpus is checked here, since no reader has seen it.
        """
        if isinstance(source, Corpus):
            check_heads(source, checks=self.checks)
            return source
        if source.is_sharded or Path(source.files[0]).is_file():
            return source
        return read_file(
            source.files[0],
            format=self.gold_reader if of_gold else self.system_reader,
            on_error=self.on_error,
            name=source.name,
            checks=self.checks,
            digest=of_gold,
        )

    def _with_further(self) -> Self:
        """With the files of `with_files` as corpora, read once, or found beside the gold files."""
        given = several("with_files", self.with_files, Corpus, "files or corpora")
        found = further_files(given, self.shards, on_error=self.on_error, checks=self.checks)
        return replace(self, with_files=tuple(found))

    def _with_maps(self) -> Self:
        """With the sides of label maps by the names that they have here; an unknown one is
        refused."""
        shown = short_names((*self.systems, *self.runs))
        sides = {name: {name, short} for name, short in shown.items()}
        if self.has_gold and GOLD in sides and any(each.side == GOLD for each in self.map_labels):
            raise UsageError(
                f"'{GOLD}:' is the gold standard in '--map-labels', but a system is also called "
                f"'{GOLD}'",
                help="give the system a different name: NAME=FILE",
            )
        if self.has_gold:
            sides[GOLD] = {GOLD}
        else:
            sides.setdefault(self.gold, {self.gold}).add("A")
            sides[self.systems[0]].add("B")
        sides |= {name: {name} for name in self.theory_names}
        maps = [replace(each, side=side_of(each.side, sides)) for each in self.map_labels]
        return replace(self, map_labels=load_maps(maps))

    @property
    def base(self) -> str:
        """What label maps call the side in gold's place."""
        return GOLD if self.has_gold else self.gold

    def maps_of(self, side: str) -> list[LabelMap]:
        """The label maps of a side: of a system by its name, or of `base`. Those of a theory have
        been applied when its sides were read."""
        run_of = next((name for name, runs in self.runs.items() if side in runs), side)
        names = {"", side, run_of} - {*self.theory_names}
        return [each for each in self.map_labels if each.side in names]

    @property
    def further(self) -> list[Further]:
        """What `with_files` are."""
        return [each for each in self.with_files if not isinstance(each, str)]

    def without_files(self) -> Study:
        """How to read, align and judge: what travels with every shard."""
        return replace(self, gold_input=Source("", ()), shards=(), origins=())

    def alone(self, number: int) -> Study:
        """The same with one of the systems."""
        shards = tuple(replace(s, systems=(s.systems[number],)) for s in self.shards)
        return replace(self, systems=(self.systems[number],), shards=shards)

    def between(self, a: int, b: int) -> Study:
        """The same with two of the sides, the first of them in gold's place; gold is number 0."""

        def chosen(shard: Shard) -> Shard:
            sides = shard.gold, *shard.systems
            return replace(shard, gold=sides[a], systems=(sides[b],))

        names = self.gold, *self.systems
        shards = tuple(map(chosen, self.shards))
        return replace(self, gold=names[a], systems=(names[b],), shards=shards, runs={})

    def compares(self, metric: Metric) -> bool:
        """Are systems compared by it, item by item? By a member of a set only if it is named."""
        return metric not in self.sets and is_compared(metric, named=self.metrics is not None)

    def with_lexicon(self, metric: Metric) -> Metric:
        """The metric with `--lexicon`, where it has such a parameter."""
        if self.lexicon is not None and any(f.name == "lexicon" for f in fields(metric)):
            return replace(metric, lexicon=self.lexicon)  # type: ignore[call-arg]
        return metric

    @property
    def regrouped(self) -> list[Study]:
        """The same for every further key, without what does not depend on it."""
        plain = replace(self, more_keys=(), labels=False, confusion=False)
        return [replace(plain, by=key, by_name=name) for name, key in self.more_keys]

    @property
    def key(self) -> Key | None:
        """What `by` says about items, None if it is about units."""
        return key_of(self.by, self.lexicon)

    def needs(self) -> frozenset[str] | None:
        """Columns that readers must provide, None for all."""
        key = self.key
        by_size = self.by in (None, "file") or is_by_length(self.by)
        if self.metrics is None or not (key or by_size):
            return None
        found: list[frozenset[str] | None] = [m.needs() for m in self.metrics]
        found += [frozenset(m.layer for m in self.map_labels), self.also]
        found += [key.needs() if key else frozenset()]
        if self.documents or any(m.unit == "document" for m in self.metrics):
            found.append(frozenset({"comments"}))  # they say where documents begin
        return None if any(n is None for n in found) else union(n for n in found if n is not None)

    @property
    def policy(self) -> str:
        """What happens to bad sentences, and what makes one bad if that is not the usual: all
        metrics are judged on the same sentences, so one decides for all."""
        return Reading(on_error=self.on_error, needs=self.needs(), checks=self.checks).policy

    @property
    def checks(self) -> frozenset[str] | None:
        """Optional checks that files must pass: those that metrics name among what they need; all
        (None) where no metric is named."""
        if self.lenient:
            return frozenset()
        if self.metrics is None:
            return None
        needs = [m.needs() or frozenset() for m in self.metrics]
        return union(needs) - ({CYCLES} - frozenset.intersection(*needs) if needs else frozenset())


def _lexicon_of(given: Any) -> Lexicon | None:
    if isinstance(given, Lexicon):
        return given
    texts = several("lexicon", given, (), "one file or more")
    return load_lexicon(*texts) if texts else None
