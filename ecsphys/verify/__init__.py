"""Scenes of every part of ecsphys, which have the same digests on every machine: ``python -m ecsphys.verify``."""
