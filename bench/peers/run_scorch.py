"""scorch's measures of every document: `run_scorch.py GOLD SYSTEM`."""

import sys

from scorch.main import METRICS

from clusters import read_clusters

for documents in zip(*map(read_clusters, sys.argv[1:3]), strict=True):
    gold, system = ([{*cluster} for cluster in clusters] for clusters in documents)
    known = {mention for cluster in gold for mention in cluster}
    gold += [{m} for cluster in system for m in cluster if m not in known]  # as its program does
    print([measure(gold, system) for measure in METRICS.values()])
