"""Contacts as the solver has them: in blocks of four, coloured, read, prepared, solved and kept."""
