"""Finds mistakes in a world, and reports them in words."""
