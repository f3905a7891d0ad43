"""What Tertium is called and which version it is; the build, `tertium cite` and a test of
CITATION.cff read it from here."""

__version__ = "0.1.0"

TITLE = "Tertium: a toolkit for evaluating linguistic annotation"
AUTHORS = "The Tertium developers"
YEAR = 2026
