"""The data model: corpora, layers, labels, decisions, stats, results."""
