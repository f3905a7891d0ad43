"""The interactive report: one file with tables, figures and a browser of examples."""
