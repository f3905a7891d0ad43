"""Annotators: how far they agree, whom to trust, and what they made of it together."""
