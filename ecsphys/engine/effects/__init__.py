"""Particles, light and scrolling: no physics."""
