"""Small corpora written for Tertium, with known answers; README.md says what is in each file."""

from pathlib import Path

__all__ = ["path"]


def path(name: str) -> Path:
    """Where the sample file of this name lies on disk.

    Raises FileNotFoundError, with the names there are, when no sample has this name.

    >>> path("gold.conllu").name
    'gold.conllu'
    """
    folder = Path(__file__).parent
    names = sorted(f.name for f in folder.iterdir() if f.is_file() and f.suffix != ".py")
    if name not in names:
        raise FileNotFoundError(f"no sample named {name!r}; there are: {', '.join(names)}")
    return folder / name
