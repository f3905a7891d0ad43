"""Trees of different theories on one scale."""
