"""sklearn-crfsuite's flat report, token by token: `run_crfsuite.py GOLD SYSTEM`."""

import sys

from sklearn_crfsuite import metrics

from tags import read_tags

gold, system = read_tags(sys.argv[1]), read_tags(sys.argv[2])
print(metrics.flat_classification_report(gold, system))
