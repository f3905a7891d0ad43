"""Modes in which a measure equals conlleval or seqeval, bugs included."""
