"""Is a difference real? Resampling of counts per unit, tests, corrections, looks, power."""
