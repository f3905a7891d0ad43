"""Groups for `--by KEY`: subsets of units (`units`), and items by their properties (`keys`)."""
