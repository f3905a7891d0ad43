"""Families: kinds of annotation with their items and metrics."""
