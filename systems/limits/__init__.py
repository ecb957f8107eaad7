"""Stages that end what has lived long enough or left the world."""
