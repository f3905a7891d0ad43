"""Groups for `--by KEY`: subsets of units (`units`), and items by properties of words (`words`)."""
