"""Measures of labelled spans: entities, chunks, fields, any stretch of tokens with a label."""
