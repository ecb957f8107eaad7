"""A ray and a placed shape."""
