"""Fast bodies at thin walls, in slow motion."""
