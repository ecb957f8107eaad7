"""Every motion, and bodies that are flung."""
