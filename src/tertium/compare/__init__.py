"""What systems do differently, and what they could do together."""
