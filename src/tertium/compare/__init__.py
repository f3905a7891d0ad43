"""What changed between systems: differences item by item, upper bounds, ensembles."""
