"""Scenes of motion, hits and light that fit in one file each."""
