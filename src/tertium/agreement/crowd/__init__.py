"""`tertium crowd`: one annotation from those of many, and whom to trust."""
