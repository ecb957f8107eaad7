"""Which entity met which: hits by component."""
