"""Stages and systems that move entities."""
