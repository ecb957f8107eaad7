"""Fifteen collision tests, each in a cell of its own."""
