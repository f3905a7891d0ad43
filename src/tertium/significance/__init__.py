"""Is a difference real? Tests, corrections and what they are worth."""
