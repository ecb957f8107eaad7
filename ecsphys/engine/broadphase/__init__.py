"""Candidate pairs: the grid, brute force, and what rests in a grid that is kept."""
