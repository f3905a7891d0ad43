"""Annotators and crowds: several annotations of the same items, and whom to trust."""
