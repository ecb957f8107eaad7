"""Scenes of rigid bodies, each of which shows one thing."""
