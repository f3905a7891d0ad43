"""Coreference: mentions, and the entities that they belong to."""
