"""The hostile table: every field and every argument that a game can give, with every value that none expects."""
