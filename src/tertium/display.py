"""What every result can do with itself: print its tables, show them in a notebook, and give them as
a data frame, LaTeX or Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from tertium.exceptions import UsageError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


class Tabular:
    """What can be a data frame, and is shown as one in a notebook."""

    __slots__ = ()

    def to_frame(self, *args: Any, **options: Any) -> pl.DataFrame:
        """As a polars data frame."""
        raise NotImplementedError

    def to_pandas(self, *args: Any, **options: Any) -> pd.DataFrame:
        """As a pandas data frame; takes what `to_frame` takes. It does not need pyarrow."""
        try:
            import pandas as pd
        except ImportError:
            raise UsageError(
                "to_pandas() needs pandas, which is not installed",
                help="install it with 'pip install pandas', or use 'to_frame()', which gives a "
                "polars data frame",
            ) from None
        return pd.DataFrame(self.to_frame(*args, **options).to_dict(as_series=False))

    def _repr_html_(self) -> str:
        return str(self.to_frame()._repr_html_())


class Display(Tabular):
    """What `tertium.render` can render: printed it is text, in a notebook tables and figures."""

    __slots__ = ()

    def render(self, format: str = "text", **shown: Any) -> str:
        """In any output format, as `tertium.render` does; `shown` is what it takes."""
        # As a user would: a result does not know how it is laid out, only that there is this.
        import tertium

        return tertium.render(self, format, **shown)

    def to_latex(self, **shown: Any) -> str:
        """Its tables for a LaTeX document; takes what `tertium.render` takes."""
        return self.render("latex", **shown)

    def to_markdown(self, **shown: Any) -> str:
        """Its tables in Markdown; takes what `tertium.render` takes."""
        return self.render("markdown", **shown)

    def __str__(self) -> str:
        return self.render("text").rstrip("\n")

    def _repr_html_(self) -> str:
        return self.render("notebook")


def frame_of(rows: Sequence[Mapping[str, Any]], names: Sequence[str] = ()) -> pl.DataFrame:
    """Rows as a polars data frame with these columns, by default those that rows have."""
    import polars as pl

    names = names or [*dict.fromkeys(chain(*rows))]
    return pl.DataFrame({name: [row.get(name) for row in rows] for name in names}, strict=False)
