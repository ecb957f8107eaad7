"""What is wrong with a world, in words: for a game that does not do what it should."""
