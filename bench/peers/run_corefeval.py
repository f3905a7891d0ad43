"""coreference-eval's scorer: `run_corefeval.py GOLD SYSTEM`."""

import json
import sys

from corefeval import Document, Scorer

from clusters import read_clusters

scorer = Scorer()
for gold, system in zip(*map(read_clusters, sys.argv[1:3]), strict=True):
    scorer.update(Document(predicted=system, truth=gold))
value, _ = scorer.detailed_score("", "", verbose=False)
print(json.dumps({"f1": value}))
