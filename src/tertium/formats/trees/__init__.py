"""Formats of constituent trees."""
