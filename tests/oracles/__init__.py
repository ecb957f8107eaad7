"""Independent answers to compare with: other methods, other code, no speed."""
