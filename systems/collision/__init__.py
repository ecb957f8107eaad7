"""Broadphase, narrowphase, and the hits they find."""
