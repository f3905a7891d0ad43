"""The counts of MUC and SemEval-2013, as nervaluate has them."""
