"""nervaluate, all its modes: `run_nervaluate.py GOLD SYSTEM`. `strict` is exact-span F1."""

import json
import sys

from nervaluate import Evaluator

from tags import read_tags

gold, system = read_tags(sys.argv[1]), read_tags(sys.argv[2])
types = sorted({tag[2:] for sentence in gold for tag in sentence if tag != "O"})
results = Evaluator(gold, system, tags=types, loader="list").evaluate()
print(json.dumps({"f1": float(results["overall"]["strict"].f1)}))
