"""Drawings: figures as SVG, made of strings.

Colours are plain attributes, which every program understands, and parts have class names, by which
a page can colour them for a dark ground. Nothing refers to anything, inside or outside the file.
"""
