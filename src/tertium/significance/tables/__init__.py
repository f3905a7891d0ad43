"""What tests say about scores: cells beside them, tables of tests, and how all was made."""
