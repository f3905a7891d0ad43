"""Annotators and crowds: sides without a gold standard."""
