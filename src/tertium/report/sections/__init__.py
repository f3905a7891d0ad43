"""Sections: each turns one kind of result into blocks."""
