"""Rigid bodies: which there are, what pushes them, and the stage that solves their contacts."""
