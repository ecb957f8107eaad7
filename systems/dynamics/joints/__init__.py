"""Joints between rigid bodies: read from components, told of, left out of collisions."""
