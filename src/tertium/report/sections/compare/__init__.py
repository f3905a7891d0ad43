"""What a comparison of systems shows, a file a table."""
