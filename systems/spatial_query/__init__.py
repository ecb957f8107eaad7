"""Questions about what is where, between steps."""
