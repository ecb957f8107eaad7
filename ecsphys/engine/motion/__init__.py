"""Trajectories in closed form and motion in steps."""
