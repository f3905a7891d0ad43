"""Trees in brackets."""
