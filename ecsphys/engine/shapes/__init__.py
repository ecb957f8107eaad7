"""Placed shapes: their layout, how colliders become them, their hulls, boxes and masses."""
