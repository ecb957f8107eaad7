"""Particles, light and scrolling."""
