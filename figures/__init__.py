"""The manual's figures: small worlds, stepped and drawn. ``python -m figures`` makes them all."""
