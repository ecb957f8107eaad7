"""Rigid bodies: how contacts push them, and where they are after a step."""
