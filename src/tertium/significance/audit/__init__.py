"""How easily would a result go away? Questions of Søgaard et al. (2014) asked of two systems."""
