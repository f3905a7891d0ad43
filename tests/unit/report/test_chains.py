"""What the page holds of chains."""

from base64 import b64decode
from dataclasses import replace
from importlib import resources
from typing import Any

import numpy as np
import pytest

from tertium.comparison.compare.verb import compare
from tertium.report.chains import chain_data
from tertium.report.page import columns_of, page_of, view_data
from tertium.report.sentences import sampled, texts_of
from tertium.results.blocks.pages import Page

SAMPLES = resources.files("tertium") / "samples"


@pytest.fixture(scope="module")
def page() -> Page:
    files = [str(SAMPLES / f"coref-{name}.conll") for name in ("gold", "arbor", "breeze")]
    return page_of(compare(*files, metric="coref.arcs_nom", examples=True))


def numbers(column: dict[str, str]) -> list[int]:
    return np.frombuffer(b64decode(column["data"]), f"<{column['type']}").tolist()


def sides(page: Page, kept: list[int]) -> list[dict[str, Any]]:
    view = page.views[0]
    data = view_data(view, columns_of(view, page.sentences), np.array(kept), page.sentences)
    found = []
    for side in data["chains"]:
        columns = {
            name: numbers(side[name]) for name in ("start", "end", "second", "item", "chain")
        }
        found.append({**columns, "names": side["names"], "data": data})
    return found


def test_all_items_are_there_whether_they_are_judged_or_not(page: Page) -> None:
    gold, arbor, breeze = sides(page, [*range(len(page.sentences))])
    assert [len(side["start"]) for side in (gold, arbor, breeze)] == [115, 89, 108]
    words = [word for scene in page.sentences for word in scene.words]
    mentions = [" ".join(words[a:z]) for a, z in zip(gold["start"], gold["end"], strict=True)]
    assert mentions[:4] == ["my sister Mara", "my", "a small bakery", "the harbour"]
    chains = [gold["names"][code] for code in gold["chain"]]
    assert chains[:4] == ["1", "8", "2", "3"]
    she = mentions.index("She")
    assert gold["second"][she] == gold["start"][0], "its antecedent"
    assert gold["second"][0] == -2
    assert gold["item"][0] >= 0, "an extra item of breeze was compared with it"
    assert gold["item"][1] == -1


def test_an_item_is_found_on_every_side_that_has_it(page: Page) -> None:
    found = sides(page, [*range(len(page.sentences))])
    data = found[0]["data"]
    first, sentence = (numbers(data["columns"][name]) for name in ("first", "sentence"))
    starts = np.cumsum([0, *(len(scene.words) for scene in page.sentences)])
    for side in found:
        judged = [row for row, item in enumerate(side["item"]) if item >= 0]
        assert len({side["item"][row] for row in judged}) == len(judged)
        for row in judged:
            item = side["item"][row]
            assert side["start"][row] == starts[sentence[item]] + first[item]


def test_what_is_left_out_is_not_counted(page: Page) -> None:
    """Tokens are counted through the sentences that are kept; an antecedent elsewhere is none."""
    gold, _, _ = sides(page, [1, 3])
    words = [word for n in (1, 3) for word in page.sentences[n].words]
    mentions = [" ".join(words[a:z]) for a, z in zip(gold["start"], gold["end"], strict=True)]
    assert mentions == [
        "She", "rye bread", "it", "its", "an old captain", "her", "her bread", "her", "him",
    ]  # fmt: skip
    assert gold["second"][0] == -2
    assert gold["second"][2] == 2


def test_items_without_chains_have_no_documents() -> None:
    files = [str(SAMPLES / f"{name}.conllu") for name in ("gold", "arbor", "breeze")]
    page = page_of(compare(*files, metric="deps.las", examples=True))
    view = page.views[0].compared
    assert view is not None
    kept, order = np.arange(len(page.sentences)), np.arange(len(view.answers))
    assert chain_data(view.answers, page.sentences, kept, order) == []


def test_sentences_of_numbers_that_are_cut_have_no_documents(page: Page) -> None:
    view = page.views[0].compared
    assert view is not None
    cut = [replace(scene, shown=(0, 5)) for scene in page.sentences]
    assert chain_data(view.answers, cut, np.arange(len(cut)), np.arange(len(view.answers))) == []


def test_documents_are_drawn_as_wholes(page: Page) -> None:
    texts = texts_of(page.sentences)
    views = [columns_of(page.views[0], page.sentences)]
    kept = sampled(texts, views, 4_000, seed=1, whole=True).tolist()
    names = [scene.document for scene in page.sentences]
    chosen = {names[n] for n in kept}
    assert 0 < len(chosen) < 4
    assert kept == [n for n, name in enumerate(names) if name in chosen]
