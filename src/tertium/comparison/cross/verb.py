"""`tertium.cross`: systems of different theories on one scale (Tsarfaty, Nivre and Andersson 2012)."""
