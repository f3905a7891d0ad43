"""Make the benchmark's data: `python bench/make_data.py [--large] [--folder DIR] [NAME...]`.

Everything comes from fixed seeds, so that two machines measure the same files. What is there
already is kept, unless the code that makes it has changed since.
"""

import argparse
import hashlib
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from bio import write_bio
from cases import pair
from chains import write_chains
from conllu import write_conllu, write_systems
from constituents import write_trees
from theories import write_theories
from vocabulary import Vocabulary, make_vocabulary

HERE = Path(__file__).resolve().parent
MILLION = 1_000_000
SEED = 20_240_901

Maker = Callable[..., None]
bio, conllu = partial(write_bio, seed=SEED), partial(write_conllu, seed=SEED)
systems, chains = partial(write_systems, seed=SEED), partial(write_chains, seed=SEED)
DATA: dict[str, Maker] = {
    "bio4": partial(bio, tokens=MILLION, sentences=48_500, types=4),
    "bio16": partial(bio, tokens=MILLION, sentences=48_500, types=16),
    "ud": partial(conllu, words=MILLION, sentences=50_000, multiword=False),
    "ud-mwt": partial(conllu, words=MILLION, sentences=50_000, multiword=True),
    "bio4-small": partial(bio, tokens=20_000, sentences=1_000, types=4),
    "ud-small": partial(conllu, words=20_000, sentences=1_000, multiword=True),
    "bio4-long": partial(bio, tokens=100_000, sentences=1, types=4),
    "ud-long": partial(conllu, words=100_000, sentences=1, multiword=True),
    "ud-ten": partial(systems, words=MILLION, sentences=50_000, systems=10),
    "trees": partial(write_trees, sentences=40_000, seed=SEED),
    "theories": partial(write_theories, sentences=40_000, seed=SEED),
    "chains": partial(
        chains, documents=348, tokens=170_000, mentions=20_000, entities=4_500, singletons=False
    ),
    "chains-books": partial(
        chains, documents=10, tokens=170_000, mentions=20_000, entities=9_000, singletons=True
    ),
    "ud-five": partial(systems, words=25_000, sentences=1_250, systems=5),
}
LARGE: dict[str, Maker] = {
    "bio4-large": partial(bio, tokens=10 * MILLION, sentences=485_000, types=4),
    "ud-large": partial(conllu, words=10 * MILLION, sentences=500_000, multiword=False),
}


def make(name: str, folder: Path, vocabulary: Callable[[], Vocabulary]) -> None:
    """Write the two files of one data set, unless they are there and up to date."""
    stamp = folder / f".{name}"
    sources = (
        "make_data.py",
        "vocabulary.py",
        "bio.py",
        "chains.py",
        "conllu.py",
        "trees.py",
        "constituents.py",
        "theories.py",
    )
    state = hashlib.sha256(b"".join((HERE / s).read_bytes() for s in sources)).hexdigest()
    if stamp.exists() and stamp.read_text() == state:
        return
    start = time.perf_counter()
    (DATA | LARGE)[name](*pair(name, folder), vocabulary=vocabulary())
    stamp.write_text(state)
    print(f"made {name} in {time.perf_counter() - start:.0f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(DATA | LARGE))
    parser.add_argument("--large", action="store_true", help="also the files of 10 million tokens")
    parser.add_argument("--folder", type=Path, default=HERE / "data")
    options = parser.parse_args()
    unknown = set(options.names) - set(DATA | LARGE)
    if unknown:
        parser.error(f"no data set named {', '.join(sorted(unknown))}")
    options.folder.mkdir(parents=True, exist_ok=True)
    known: list[Vocabulary] = []

    def vocabulary() -> Vocabulary:
        if not known:
            known.append(make_vocabulary(np.random.default_rng(SEED)))
        return known[0]

    for name in options.names or list(DATA | LARGE if options.large else DATA):
        make(name, options.folder, vocabulary)


if __name__ == "__main__":
    main()
