"""Candidate pairs: the grid, brute force, and the kept grid of resting colliders."""
