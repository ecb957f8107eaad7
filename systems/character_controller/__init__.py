"""Characters that are moved among solids."""
