"""Pose, velocity, forces, trajectories, parents and control."""
