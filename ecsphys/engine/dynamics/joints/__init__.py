"""Joints: what holds two bodies together, as soft constraints beside the contacts."""
