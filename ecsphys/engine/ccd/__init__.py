"""Continuous collision detection: what bullets touch on their path, and what becomes of them."""
