"""Rigid bodies: their table, their forces, and the stage that solves their contacts."""
