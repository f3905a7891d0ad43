"""Trees of different theories: function trees, and what they have in common."""
