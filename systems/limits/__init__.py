"""Stages that delete entities at the end of their life, and keep entities in the world."""
