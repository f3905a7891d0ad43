"""A study: which sides, metrics and options, and the one way through its files."""
