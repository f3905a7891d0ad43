"""Metrics: decisions about items, counts per unit, a formula over their sums."""
