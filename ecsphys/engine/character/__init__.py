"""Kinematic characters among solids: a whole move in one kernel."""
