"""Dependency trees for terminals and logs: one word a line, gold to its left, system to its right.

A pair of trees becomes lines (`lines`), each tree's heads become vertical lines at levels
(`buses`), these become signs (`art`), and both sides with the words between them a page (`page`).
"""
