"""seqeval's classification report in its default mode: `run_seqeval.py GOLD SYSTEM`."""

import json
import sys

from seqeval.metrics import classification_report

from tags import read_tags

gold, system = read_tags(sys.argv[1]), read_tags(sys.argv[2])
report = classification_report(gold, system, output_dict=True)
print(json.dumps({"f1": float(report["micro avg"]["f1-score"])}))
