"""A point and a placed shape: containment, projection."""
