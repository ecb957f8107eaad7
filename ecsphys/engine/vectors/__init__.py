"""Four numbers at once, in machine code."""
