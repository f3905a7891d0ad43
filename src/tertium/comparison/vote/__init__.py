"""Ensembles that are made, not imagined: systems vote and gold is not looked at."""
