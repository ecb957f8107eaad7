"""Rigid bodies: their masses, the contacts between them, and what these make of their velocities."""
