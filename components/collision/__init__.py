"""Colliders, filters, listeners and bullets."""
