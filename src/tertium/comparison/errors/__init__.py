"""Every error as an instance, from the same decisions as the score."""
