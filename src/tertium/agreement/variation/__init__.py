"""`tertium variation`: words that recur in a corpus with different annotation."""
