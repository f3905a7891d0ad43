"""Votes: what several sides say about the same items, one label each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Labels, Names, concatenate, unite
from tertium.exceptions import InputError
from tertium.formats.judgements import Judgements
from tertium.results.items import Items, of_partner

SILENT = -1
Ints = npt.NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class Votes:
    """Items by sides. There is no gold standard among them.

    - `codes`: the label that each side (column) gives to each item (row), SILENT where it gives
      none
    - `labels`, `sides`: the names of codes and of columns
    - `unit`: the sentence or document of every item, of `units` that there are
    - `base`: the items themselves, where there is a text; `ids`: their names, where there is none
    """

    codes: Int32
    labels: Names
    sides: tuple[str, ...]
    unit: Ints
    units: int
    base: Items | None = None
    ids: Labels | None = None

    @classmethod
    def of(
        cls,
        sides: Sequence[str],
        labels: Sequence[Labels],
        partners: Sequence[Ints],
        unit: Ints,
        units: int,
        base: Items | None = None,
    ) -> Votes:
        """The votes of sides over the items of a base, given the labels of each side's own items
        and, for every item of the base, the side's item that is its partner (-1 for none).

        >>> labels = [Labels.of(["N", "V"]), Labels.of(["V"])]
        >>> unit = np.array([0, 0])
        >>> partners = [np.array([0, 1]), np.array([-1, 0])]
        >>> Votes.of(["a", "b"], labels, partners, unit, 1).codes.tolist()
        [[0, -1], [1, 1]]
        """
        names, codes = unite(*labels)
        rows = [of_partner(code, p, SILENT) for code, p in zip(codes, partners, strict=True)]
        # Each side's column in one piece, since votes are counted side by side.
        table = np.stack(rows).T if rows else np.zeros((len(unit), 0), np.int32)
        return cls(table, names, tuple(sides), unit, units, base)

    @classmethod
    def from_table(
        cls, items: Iterable[str], annotators: Iterable[str], labels: Iterable[str | None]
    ) -> Votes:
        """The votes of a table of judgements, one per row, without a text: every item is a unit.

        Items, annotators and labels are in the order in which they first occur. A row without a
        label (None) is not a vote. Raises InputError where an annotator judges an item twice.

        >>> votes = Votes.from_table(["i", "i", "j"], ["a", "b", "b"], ["X", "Y", "X"])
        >>> votes.sides, votes.codes.tolist()
        (('a', 'b'), [[0, 1], [-1, 0]])
        """
        item, side = Labels.of(items), Labels.of(annotators)
        given = [*labels]
        if not len(item) == len(side) == len(given):
            raise InputError(
                "a table of judgements needs an item, an annotator and a label in every row"
            )
        cells = item.codes.astype(np.int64) * max(len(side.names), 1) + side.codes
        _, first, times = np.unique(cells, return_index=True, return_counts=True)
        if (times > 1).any():
            row = int(first[times > 1].min())
            raise InputError(f"'{side[row]}' judges item '{item[row]}' more than once")
        said = np.array([label is not None for label in given], np.bool_)
        label = Labels.of(label for label in given if label is not None)
        return cls.from_judgements(Judgements("", item.take(said), side.take(said), label))

    @classmethod
    def from_judgements(cls, found: Judgements) -> Votes:
        """The votes of judgements that were read; the unit is the sentence where there are some,
        else the item."""
        item, side, label = found.item, found.annotator, found.label
        codes = np.full((len(side.names), len(item.names)), SILENT, np.int32).T
        codes[item.codes, side.codes] = label.codes
        number = np.arange(len(item.names), dtype=np.int64)
        ids = Labels(item.names, number.astype(np.int32))
        unit = number if found.sentence is None else found.sentence.codes
        units = len(number) if found.sentence is None else len(found.sentence.names)
        return cls(codes, label.names, tuple(side.names), unit, units, ids=ids)

    def __len__(self) -> int:
        return len(self.codes)

    @staticmethod
    def join(parts: Sequence[Votes], tokens: Sequence[int] = ()) -> Votes:
        """The votes of the same sides in several files, one after another; `tokens` is where the
        text of each begins."""
        first = parts[0]
        for part in parts:
            if part.sides != first.sides:
                raise InputError(
                    f"votes of different sides: {', '.join(first.sides)} and "
                    f"{', '.join(part.sides)}"
                )
        known = [Labels(p.labels, np.arange(len(p.labels), dtype=np.int32)) for p in parts]
        names, tables = unite(*known)
        # The last place of a table is what SILENT (-1) refers to.
        codes = [
            np.append(table, np.int32(SILENT))[p.codes.T]
            for table, p in zip(tables, parts, strict=True)
        ]
        begins = np.cumsum([0, *(p.units for p in parts)])
        bases = [p.base for p in parts if p.base is not None]
        ids = [p.ids for p in parts if p.ids is not None]
        return Votes(
            np.concatenate(codes, axis=1).T,
            names,
            first.sides,
            np.concatenate([p.unit + b for p, b in zip(parts, begins, strict=False)]),
            int(begins[-1]),
            Items.join(bases, tokens) if len(bases) == len(tokens) == len(parts) else None,
            concatenate(ids) if len(ids) == len(parts) else None,
        )
