"""Metric against metric on the same systems."""
