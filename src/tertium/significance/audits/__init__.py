"""How easily would a result go away? The questions of Søgaard et al. (2014) asked of two systems."""
