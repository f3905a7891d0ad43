"""Tables of judgements, read as a request says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tertium.corpus.corpus import Corpus
from tertium.exceptions import UsageError
from tertium.formats.judgements import Judgements, read_judgements
from tertium.formats.resources import LabelMap, load_maps
from tertium.results.names import pseudonyms, teller
from tertium.study.sides import Runs, several


def read_table(table: Any, reading: Mapping[str, Any], *, hides_names: bool = False) -> Judgements:
    """A table of judgements, with labels renamed where that is wanted, and annotators if their
    names are to be hidden."""
    if isinstance(table, Corpus | Runs):
        raise UsageError("give two or more annotators, or a table of judgements")
    for name in sorted(reading.keys() - {"columns", "map_labels", "labels"}):
        if reading[name] not in (None, (), False, "auto", "fail"):
            flag = f"--{name.removesuffix('_files').replace('_', '-')}"
            raise UsageError(
                f"'{flag}' needs annotated texts, not a table of judgements",
                help="give one file per annotator",
            )
    found = read_judgements(table, columns=(columns := reading.get("columns")))
    maps = load_maps(several("map_labels", reading.get("map_labels"), LabelMap, "files of labels"))
    if any(each.side or each.layer for each in maps):
        raise UsageError("for a table of judgements, '--map-labels' takes no SIDE: and no LAYER=")
    names = {old: new for each in maps for old, new in each.mapping.items()}
    found = found.renamed(names, [each.text for each in maps]) if names else found
    own = (*found.annotator.names.strings,)
    people = pseudonyms(found.annotator.names.strings) if hides_names else {}
    # Columns may be called as annotators are.
    told = {} if columns is None else {"columns": teller(people)(columns)}
    annotator = found.annotator.rename(people) if people else found.annotator
    return replace(found, annotator=annotator, people=own, settings={**told, **found.settings})
