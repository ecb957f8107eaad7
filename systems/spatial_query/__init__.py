"""Queries about the positions of entities, between steps."""
