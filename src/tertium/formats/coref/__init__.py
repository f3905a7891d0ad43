"""Formats of coreference: mentions in columns of brackets, and what other formats share with it."""
