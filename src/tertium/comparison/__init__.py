"""Systems beside each other: compare, errors, diff, conventions."""
