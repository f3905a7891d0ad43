"""Metrics of words in trees: segmentation, tags, attachment, enhanced graphs."""
