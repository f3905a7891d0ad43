"""Heads of words for terminals and logs: one word per line, gold to its left, system to its right.

A figure becomes lines (`lines`), each side's heads become vertical lines at levels
(`buses`), these become signs (`art`), and both sides with the words between them a page (`page`).
"""
