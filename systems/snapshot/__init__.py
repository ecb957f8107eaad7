"""Snapshots: the state of a world taken, put back, compared, and written as bytes."""
