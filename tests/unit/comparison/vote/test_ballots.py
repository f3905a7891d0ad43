"""Votes on what families say can be voted on, also those of other packages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from plugins import registered
from tertium.comparison.vote.consensus import Consensus
from tertium.comparison.vote.vote import combine
from tertium.comparison.vote.weights import Weights, weights_from_scores
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels
from tertium.corpus.layers import Tags
from tertium.exceptions import UsageError
from tertium.families.ballots import Ballot, Poll, Vote
from tertium.families.base import Metric, make
from tertium.families.family import Family
from tertium.families.tags import Accuracy
from tertium.formats.objects import from_python
from tertium.results.parts import Part
from tertium.significance.score.verb import score
from trees import corpus_of


@dataclass(frozen=True, repr=False)
class Moods(Family):
    """One mood per token; the last voter is always right."""

    id = "toy.moods"
    title = "moods"
    reads = (Tags,)
    metrics = {"audit": ("toy.mood",)}  # noqa: RUF012

    def find(self, corpus: Corpus) -> list[str]:
        """The layer of that name."""
        return [name for name in corpus.layers if name == "mood"]

    def vote(self, metric: Metric) -> Sequence[Ballot]:
        """That layer."""
        return (LastVoter(metric, "mood"),)


@dataclass(frozen=True, repr=False)
class MoodAccuracy(Accuracy):
    """As tags.accuracy."""

    id = "toy.mood"
    family = "toy.moods"
    parts = (*Accuracy.parts, Part("offset", kind="value", range=(-5, 5)))


@dataclass(frozen=True, eq=False)
class LastVoter(Ballot):
    """Takes over what the last voter has."""

    def find(self, corpus: Corpus) -> str:
        """There is one name."""
        corpus.layer(self.column, Tags)
        return self.column

    def votes(self, poll: Poll) -> Int64:
        """Nobody agrees."""
        return np.arange(len(poll.voters))[:, None]

    def count(self, poll: Poll) -> Vote:
        """No matter what the others say."""
        last = poll.voters[-1]
        lost = [f"{voter.corpus.origin} is not heard" for voter in poll.voters[:-1]]
        worth = poll.worth(["x"]).overall[0].tolist()
        return Vote(last.corpus.layers[last.layer], [*lost, ""], [f"worth {worth}"])


@pytest.fixture
def moods() -> Iterator[Metric]:
    with registered(Moods, MoodAccuracy):
        yield make("toy.mood(column=mood)")


def moody(mood: str, name: str) -> Corpus:
    return Corpus(
        np.array([0, 1]), Labels.of(["a"]), {"mood": Tags(Labels.of([mood]))}, origin=name
    )


def tagged(tag: str) -> Corpus:
    return from_python([[tag, "B"]], name=tag)


def test_a_family_of_another_package_votes(moods: Metric) -> None:
    systems = [moody("glad", "a"), moody("sad", "b"), moody("calm", "c")]
    weights = Weights({repr(moods): np.array([[1.0, 2.0, 3.0]])})
    found = combine(systems, [moods], weights)
    assert found.corpus.layer("mood", Tags).labels.to_list() == ["calm"]
    assert found.notes == ("a is not heard", "b is not heard", "worth [1.0, 2.0, 3.0]")


def test_the_help_names_what_can_be_voted_on(moods: Metric) -> None:
    with pytest.raises(UsageError, match="judges no layer") as caught:
        combine([moody("glad", "a")], [make("deps.words")])
    assert caught.value.help == (
        "votes are on tags, dependencies, spans and moods: "
        "tags.accuracy, deps.las, spans.f1, toy.mood"
    )


def test_what_cannot_be_voted_on_is_said_before_texts_are_compared() -> None:
    systems = [corpus_of("(S (NN a))", ""), corpus_of("(S (NN a))", "(S (NN b))")]
    with pytest.raises(UsageError, match="judges no layer"):
        Consensus.of(systems, [make("trees.parseval")], "auto")


def test_scores_of_other_metrics_may_be_outside_0_and_1(moods: Metric) -> None:
    metric = make("tags.accuracy(column=mood)")
    gold, system = moody("glad", "a"), moody("glad", "b")
    data = score(gold, system, metric=metric, names=["b"]).to_dict()
    other = {"system": "b", "metric": "toy.other", "value": -3.5, "parts": {"precision": 7}}
    weights = weights_from_scores({"scores": [other, *data["scores"]]}, ["b"], [metric])
    assert weights.overall[repr(metric)].tolist() == [[1.0]]


def test_tags_without_words_vote_as_well() -> None:
    found = combine([tagged(tag) for tag in "XYY"], [make("tags.accuracy(column=tag)")])
    assert found.corpus.layer("tag", Tags).labels.to_list() == ["Y", "B"]
    assert found.notes == ()
