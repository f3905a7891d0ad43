"""`tertium.compare`: systems against one gold standard and against each other."""
