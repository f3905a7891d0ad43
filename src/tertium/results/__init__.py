"""Results: the shapes that everything behind the metrics speaks in."""
