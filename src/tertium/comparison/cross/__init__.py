"""Systems of different theories on one scale."""
