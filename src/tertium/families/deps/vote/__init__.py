"""Votes on trees: the best tree of the arcs that systems propose."""
