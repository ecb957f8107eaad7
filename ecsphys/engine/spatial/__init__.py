"""Queries through the grid: rays, the nearest, moving shapes."""
