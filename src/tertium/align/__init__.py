"""Alignment: which items of gold and system speak of the same piece of text."""
