"""Fair evaluation of labelled spans (Ortmann 2022)."""
