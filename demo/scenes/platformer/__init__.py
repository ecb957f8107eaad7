"""A hero on ground, platforms and slopes, with walkers to carry about."""
